/* SPDX-License-Identifier: Apache-2.0 */
/*
 * irq_walk: the time in interrupts of a CPU up to times that ascend. Plain data of one thread.
 */
#ifndef TRACETUI_TRACE_TIMELINE_IRQ_WALK_H
#define TRACETUI_TRACE_TIMELINE_IRQ_WALK_H

#include "trace/track/track_cursor.h"

/* Interrupt ticks of a CPU up to ascending times; initialized with the track and `end` only. */
struct tt_irq_walk {
    struct tt_track_cursor cursor;
    uint64_t ticks;       /* before the cursor's item */
    uint64_t end;         /* of the timelines */
    uint64_t quiet_until; /* no interrupt before this time: `ticks` is the sum */
};

/* Moves to any time. */
void tt_irq_walk_find(struct tt_irq_walk *walk, uint64_t time);
/* Returns the ticks in interrupts before `time`, which is not before the previous one. */
uint64_t tt_irq_walk_on(struct tt_irq_walk *walk, uint64_t time);

static inline uint64_t tt_irq_walk_to(struct tt_irq_walk *walk, uint64_t time)
{
    return time < walk->quiet_until ? walk->ticks : tt_irq_walk_on(walk, time);
}

#endif
