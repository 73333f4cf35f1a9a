/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_union: the time in which at least one of several threads runs.
 *
 *      thread 1   ####      ######
 *      thread 2     ####       ####
 *      union      ######    #######
 *
 * Interrupts are part of a run. A merge of the threads' intervals, in steps; 32 bytes per thread that
 * runs in the window. One thread; the timelines are those of the begin.
 */
#ifndef TRACETUI_ANALYSIS_RUN_UNION_H
#define TRACETUI_ANALYSIS_RUN_UNION_H

#include "tracetui/stats.h"
#include "tracetui/timeline.h"

/* The next run of a thread. */
struct tt_run_head {
    uint64_t start;
    uint64_t end;
    struct tt_interval_at at;
};

struct tt_run_union {
    const struct tt_timelines *t;
    const struct tt_window *window;
    const uint32_t *threads;
    uint32_t count;
    uint32_t next; /* thread whose first run is searched for */
    bool merging;  /* `heads` is a heap by start */
    bool no_memory;
    struct tt_run_head *heads;
    size_t used;
    size_t capacity;
    uint64_t covered; /* end of the union so far */
    uint64_t ticks;   /* the result */
};

/* Begins a union; `threads` and `window` outlive it. */
void tt_run_union_begin(struct tt_run_union *runs, const struct tt_timelines *timelines,
                        const struct tt_window *window, const uint32_t *threads, uint32_t count);
/*
 * Continues for about *work intervals, which are subtracted; true when `ticks` is complete, or with
 * `no_memory` set.
 */
bool tt_run_union_step(struct tt_run_union *runs, uint64_t *work);
void tt_run_union_free(struct tt_run_union *runs);

#endif
