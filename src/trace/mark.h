/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark (internal): a place in a track that walks along with time.
 *
 *      track   | a | b | c | d | e | f | ...
 *                        ^ mark: the last item at or before some time
 *
 * A mark goes forward in steps; whoever sees that many are needed finds the place anew. Plain data
 * of one thread; the track may grow meanwhile.
 */
#ifndef TT_TRACE_MARK_H
#define TT_TRACE_MARK_H

#include "trace/timeline.h"

#define TT_MARK_STEPS 16u /* from here on finding is sooner than stepping */

struct tt_track_mark {
    const struct tt_track *track;
    struct tt_track_place at;
    struct tt_track_item item;
    bool begun; /* there is an item */
};

/* To the last item at or before `time`. O(log items). */
void tt_track_mark_find(struct tt_track_mark *m, uint64_t time);
/* To the next item if it begins at or before `time`. */
bool tt_track_mark_step(struct tt_track_mark *m, uint64_t time);
/* Items up to the mark. */
uint64_t tt_track_mark_count(const struct tt_track_mark *m);
/* The same without those that begin at `time` or later. */
uint64_t tt_track_mark_count_before(const struct tt_track_mark *m, uint64_t time);

/* Interrupt ticks of a CPU up to times that only grow; begins with its track and end alone. */
struct tt_irq_walk {
    struct tt_track_mark mark;
    uint64_t ticks; /* before the mark's item */
    uint64_t end;   /* of the timelines */
};

/* To any time. */
void tt_irq_walk_find(struct tt_irq_walk *w, uint64_t time);
/* Ticks in interrupts before `time`, which is not before the last one asked for. */
uint64_t tt_irq_walk_to(struct tt_irq_walk *w, uint64_t time);

#endif
