/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_stats: what each thread did in a window, for the gutter and for sorting, worked out in
 * slices of time so that thousands of threads stall no key.
 *
 * A question is (window, threads there are, with delays or without). Asked again it costs nothing;
 * another question begins anew. Belongs to one thread.
 */
#ifndef TRACETUI_TUI_LANES_ROW_STATS_H
#define TRACETUI_TUI_LANES_ROW_STATS_H

#include "tracetui/stats.h"

struct tt_lane_number {
    uint64_t run;       /* ticks, interrupts taken out */
    uint64_t in;        /* context switches to it */
    uint64_t delay_max; /* longest sch delay, ticks */
    bool ran;           /* at all, be it in interrupts only */
};

struct tt_row_stats {
    uint64_t from, to;
    uint64_t end; /* of the timelines, when asked */
    uint32_t count;
    bool delays;
    bool failed; /* out of memory: some delays are missing */
    struct tt_lane_number *threads;
    uint32_t room;
    struct tt_lane_number *processes; /* sums of their threads, the longest of their delays */
    uint32_t process_count, process_room;
    uint32_t done;       /* threads below this one */
    uint64_t delay_from; /* of thread `done`: looked at up to here */
    struct tt_delays scratch;
};

/* Of [from, to), for `count` threads. False when out of memory. */
bool tt_row_stats_ask(struct tt_row_stats *n, const struct tt_timelines *t, uint64_t from,
                      uint64_t to, uint32_t count, bool delays);
/* Goes on until `deadline` (tt_now_ns); true when all is known. */
bool tt_row_stats_work(struct tt_row_stats *n, const struct tt_timelines *t, uint64_t deadline);
static inline bool tt_row_stats_complete(const struct tt_row_stats *n)
{
    return n->done >= n->count;
}
/* Adds up the numbers of the processes when those of the threads are complete; whether it did. */
bool tt_row_stats_add_up(struct tt_row_stats *n, const struct tt_capture *c);
/* The numbers of a process; NULL as long as they are not added up. */
const struct tt_lane_number *tt_row_stats_process(const struct tt_row_stats *n, uint32_t process);
void tt_row_stats_free(struct tt_row_stats *n);

#endif
