/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_verdicts: what the learning cursor has decided about damage, in the order of the tape. Other cursors
 * decide nothing, so that they read the same when the file has grown.
 *
 *      | record | uncertain | damage ....... | record | wrong time | record
 *               ^ pos       ^ pos             ^ value  ^ pos
 *
 * Items of a column: one writer, any reader (base/column.h).
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_VERDICTS_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_VERDICTS_H

#include "base/column.h"

enum btrace_verdict_kind {
    BTRACE_IS_UNCERTAIN, /* damage begins after the record, or in it */
    BTRACE_HAS_BAD_TIME, /* the records around it agree with each other only */
    BTRACE_RUNS_ON,      /* `value`: the lane on `cpu` after the damage at `pos` */
    BTRACE_IS_DAMAGE,    /* up to `value` */
    BTRACE_VERDICT_KINDS,
};

struct btrace_verdict {
    uint64_t pos;
    uint64_t value;
    uint32_t kind; /* enum btrace_verdict_kind */
    uint32_t cpu;
};

/* Adds a verdict at or after all others; returns false if out of memory. */
bool btrace_verdicts_add(struct tt_column *verdicts, struct btrace_verdict verdict);
/* Returns the number of verdicts before `pos`: that of the first one at or after it. O(log n). */
uint64_t btrace_verdicts_before(const struct tt_column *verdicts, uint64_t pos);
/* Returns the position of the first verdict at or after `pos`, or UINT64_MAX. */
uint64_t btrace_verdicts_next(const struct tt_column *verdicts, uint64_t pos);

#endif
