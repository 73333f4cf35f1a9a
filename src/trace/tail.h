/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tail: each event of a growing capture exactly once, in time order as far as possible.
 *
 * Rows shift when late data arrive; the tape does not. Events are therefore read from the tape as
 * they are published and held back, sorted by key, until no stream can contribute an earlier one:
 *
 *      tape    |== read ============================|== published ==|·· not yet ··|
 *      by key  |== delivered ==|== held back =======|
 *                              ^ watermark: the earliest of the streams' newest times, or the first
 *                                event with parts still missing
 *
 * A late event, before the last delivered one, is delivered next. A stream that was silent for a
 * while no longer holds events back, nor does an event whose parts do not arrive.
 *
 * One thread, other than the indexer's.
 */
#ifndef TRACETUI_TRACE_TAIL_H
#define TRACETUI_TRACE_TAIL_H

#include "tracetui/trace.h"

struct tt_tail;

/*
 * Maximum number of events held back, as far as order permits; indexing continues meanwhile. 32
 * bytes each.
 */
#define TT_TAIL_LIMIT (UINT32_C(1) << 18)

/*
 * Returns a tail of the trace, which must stay open until tt_tail_restart replaces it; NULL if out
 * of memory. `silence_ms`: time in ms after which a stream or an incomplete event no longer holds
 * events back.
 */
struct tt_tail *tt_tail_new(struct tt_trace *trace, uint64_t silence_ms);
void tt_tail_free(struct tt_tail *tail);

/*
 * Reads published events until TT_TAIL_LIMIT are held. *more: there are further events. Returns
 * false if out of memory.
 */
bool tt_tail_update(struct tt_tail *tail, bool *more);
/*
 * Returns the number of events ready for delivery, and the events in record order; valid until the
 * next call. `all`: every event held back. *late is the number of events before the last delivered
 * one.
 */
size_t tt_tail_ready(struct tt_tail *tail, bool all, const struct tt_event **events, size_t *late);
/* Marks the first `count` ready events as delivered. Returns false if out of memory. */
bool tt_tail_next(struct tt_tail *tail, size_t count);
/* Returns the number of events held back. */
size_t tt_tail_held(const struct tt_tail *tail);

/*
 * Switches to another trace of the same file. Events already delivered, identified by tape
 * position, are not delivered again. Returns false if out of memory.
 */
bool tt_tail_restart(struct tt_tail *tail, struct tt_trace *trace);

#endif
