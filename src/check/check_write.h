/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_write: writes the rule that judges a number of a table, with the number as limit: the rule passes on
 * the same capture, and fails as soon as the number is larger. One thread.
 */
#ifndef TRACETUI_CHECK_CHECK_WRITE_H
#define TRACETUI_CHECK_CHECK_WRITE_H

#include "check/check_rules.h"
#include "tracetui/trace.h"

/* A number of a sheet. */
struct tt_rule_number {
    struct tt_trace *trace;
    const struct tt_table_run *sheet;
    const struct tt_table *table;
    const struct tt_table_column *column;
    const void *row;
    struct tt_key_range keys; /* of the sheet; to_ticks UINT64_MAX: to the end */
};

/*
 * Appends the rule of a number: `delay p99 of thread sensor/1 <= 1.58us`. TT_ERR_USAGE if the
 * number is no measure; the message lists columns that are.
 */
struct tt_status tt_rule_write_number(struct tt_text *text, const struct tt_rule_number *number);

/* Appends a name, in quotes unless it is one word. */
void tt_rule_write_word(struct tt_text *text, const char *name, size_t length);
/* Append a thread as a selector has it, so that it selects no other one if possible; and ` <= 1.5us`. */
void tt_rule_write_thread(struct tt_text *text, const struct tt_capture *capture, uint32_t thread);
void tt_rule_write_time(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks);

#endif
