/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pace: chooses at run time whether a second thread publishes (index/publish_thread.h).
 *
 * On an idle machine two threads are faster. If another program uses the second CPU, the scheduler
 * interrupts the publishing thread for milliseconds, and the indexing thread waits for it: a
 * stall. After a stall, the rates of both ways are measured one after the other, and the faster
 * one is used for some time:
 *
 *      WATCH --stall--> TRY_ONE --> KEEP_TWO --> WATCH
 *        ^                 |
 *        |                 v
 *        +--- TRY_TWO <-- KEEP_ONE <-+
 *                |                   |
 *                +-------------------+
 *
 * The choice affects the speed only: the parts and their order are the same. Plain values without
 * a clock of their own; one thread.
 */
#ifndef TRACETUI_TRACE_INDEX_PACE_H
#define TRACETUI_TRACE_INDEX_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* A wait of the indexing thread that counts as a stall: many times the time of a part. */
#define TT_PACE_STALL_NS UINT64_C(1000000)
/* Duration of a measurement: several time slices of a scheduler. */
#define TT_PACE_TRY_NS  UINT64_C(12000000)
#define TT_PACE_KEEP_NS UINT64_C(120000000)

enum tt_pace_phase {
    TT_PACE_WATCH,
    TT_PACE_TRY_ONE,
    TT_PACE_KEEP_TWO,
    TT_PACE_KEEP_ONE,
    TT_PACE_TRY_TWO
};

/* Initially zero, except `began`. */
struct tt_pace {
    enum tt_pace_phase phase;
    bool always_two; /* no choice: measurements of both threads */
    bool stalled;    /* since `began` */
    uint64_t began;  /* time (ns) at which the measurement began */
    uint64_t work;   /* events and actions since then */
    double rate_two; /* work per ns of two threads; as last measured */
    double rate_one;
};

/* Returns whether the indexing thread publishes. */
static inline bool tt_pace_is_one(const struct tt_pace *pace)
{
    return pace->phase == TT_PACE_TRY_ONE || pace->phase == TT_PACE_KEEP_ONE;
}

/* Returns whether the phase ends at `now` (ns): then the queue is emptied, and a phase chosen. */
bool tt_pace_ends(struct tt_pace *pace, uint64_t now);
/* Chooses the next phase; `now` is the time (ns) after the queue was emptied. */
void tt_pace_choose(struct tt_pace *pace, uint64_t now);

#endif
