/* SPDX-License-Identifier: Apache-2.0 */
/*
 * take: each event of a capture that grows, exactly once, in the order of time as far as it can be
 * known.
 *
 * Rows shift when data come late; the tape does not. So events are taken from the tape as they are
 * published, and held back, sorted by key, until no stream can bring an earlier one:
 *
 *      tape    |== taken ===========================|== published ==|·· not yet ··|
 *      by key  |== given ======|== held back =======|
 *                              ^ the least of the streams' newest times, or the first event that
 *                                waits for further parts of its own
 *
 * What comes late, behind what was given, is given next. A stream that was silent for a while holds
 * back no longer, nor does an event whose parts do not come.
 *
 * One thread, which is not the indexer's.
 */
#ifndef TRACETUI_TAIL_H
#define TRACETUI_TAIL_H

#include "tracetui/trace.h"

struct tt_tail;

/* Held at most where order allows it; the index goes on meanwhile. 32 bytes each. */
#define TT_TAIL_MOST (UINT32_C(1) << 18)

/*
 * The trace has to be open for as long as it is taken from; another one may follow it by
 * tt_tail_restart. `silence_ms`: after how long nobody is waited for. NULL when out of memory.
 */
struct tt_tail *tt_tail_new(struct tt_trace *trace, uint64_t silence_ms);
void tt_tail_free(struct tt_tail *take);

/*
 * Takes what was published, until TT_TAIL_MOST are held. *more: there is still some. False when out
 * of memory.
 */
bool tt_tail_update(struct tt_tail *take, bool *more);
/*
 * The events that can be given now, in order of (ticks, pos); returns how many. `all`: whatever is
 * held. *late of them come behind events that were given before. They stand until the next call.
 */
size_t tt_tail_ready(struct tt_tail *take, bool all, const struct tt_event **events, size_t *late);
/* The first `count` of these were given. False when out of memory. */
bool tt_tail_next(struct tt_tail *take, size_t count);
/* Events that are held back. */
size_t tt_tail_held(const struct tt_tail *take);

/*
 * The same file was opened anew: what was given, told by its place on the tape, is not given again.
 * False when out of memory.
 */
bool tt_tail_restart(struct tt_tail *take, struct tt_trace *trace);

#endif
