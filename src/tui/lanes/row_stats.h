/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_stats: computes statistics of each thread in a window, for the gutter and for sorting, in
 * time slices so that thousands of threads do not delay the keys.
 *
 * A request is (window, number of threads, with or without delays). Repeating a request costs
 * nothing; a different one starts again. Belongs to one thread.
 */
#ifndef TRACETUI_TUI_LANES_ROW_STATS_H
#define TRACETUI_TUI_LANES_ROW_STATS_H

#include "tracetui/stats.h"

struct tt_lane_number {
    uint64_t run;       /* ticks, without interrupts */
    uint64_t in;        /* context switches to it */
    uint64_t delay_max; /* longest sch delay, ticks */
    bool ran;           /* had run time, including interrupt time */
};

struct tt_row_stats {
    uint64_t from, to;
    uint64_t end;    /* of the timelines at the request */
    uint32_t number; /* of the timelines */
    uint32_t count;
    bool delays;
    bool failed; /* out of memory: some delays are missing */
    struct tt_lane_number *threads;
    uint32_t room;
    struct tt_lane_number *processes; /* sums over their threads, maximum of the delays */
    uint32_t process_count, process_room;
    uint32_t done;       /* number of finished threads */
    uint64_t delay_from; /* progress in thread `done` */
    struct tt_delays scratch;
};

/* Requests statistics of [from, to) for `count` threads. False when out of memory. */
bool tt_row_stats_ask(struct tt_row_stats *stats, const struct tt_timelines *timelines,
                      uint64_t from, uint64_t to, uint32_t count, bool delays);
/* Continues until `deadline` (tt_now_ns); true when complete. */
bool tt_row_stats_work(struct tt_row_stats *stats, const struct tt_timelines *timelines,
                       uint64_t deadline);
static inline bool tt_row_stats_complete(const struct tt_row_stats *stats)
{
    return stats->done >= stats->count;
}
/* Sums up the processes once the threads are complete; returns whether it did. */
bool tt_row_stats_add_up(struct tt_row_stats *stats, const struct tt_capture *capture);
/* Returns the numbers of a process; NULL until they are summed up. */
const struct tt_lane_number *tt_row_stats_process(const struct tt_row_stats *stats,
                                                  uint32_t process);
void tt_row_stats_free(struct tt_row_stats *stats);

#endif
