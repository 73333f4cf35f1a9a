/* SPDX-License-Identifier: Apache-2.0 */
/* filter_worker: the state of one thread that evaluates a plan. */
#ifndef TRACETUI_FILTER_WORKER_H
#define TRACETUI_FILTER_WORKER_H

#include "filter/plan.h"

struct tt_filter_bits {
    uint64_t may[TT_FILTER_WORDS];
    uint64_t must[TT_FILTER_WORDS];
};

/*
 * A direct-mapped cache of threads' states: the next event of a thread is usually in the same or
 * the following state. Threads that run together usually have adjacent numbers, so few collide.
 */
#define TT_LANES_NOW 512u
struct tt_lane_now {
    uint32_t thread;
    uint32_t now; /* index of the current state */
    struct tt_states states;
};

/* Position of an event's line in the block's lines. */
struct tt_line_at {
    size_t offset;
    size_t length;
};

struct tt_filter_worker {
    const struct tt_filter_plan *plan;
    struct tt_events *reader;
    struct tt_deciding deciding;

    const struct tt_event *events; /* the block, during a test */
    uint32_t count;
    uint32_t words;
    uint64_t numbers[TT_FILTER_BLOCK]; /* n of each event, if a term uses it */

    const struct tt_timelines *timelines;
    bool settled;              /* the timelines are final */
    struct tt_lane_now *lanes; /* TT_LANES_NOW entries, if a term uses one */
    uint32_t lane_count;       /* number of threads with lanes */

    struct tt_line_run line;
    struct tt_scratch lines; /* with several regexes, each line is rendered once */
    size_t lines_used;
    struct tt_line_at line_at[TT_FILTER_BLOCK];
    uint64_t rendered[TT_FILTER_WORDS];
    struct tt_args args;

    uint64_t undecided;
    bool shrunk;
    bool failed;
};

void tt_worker_drop_lines(struct tt_filter_worker *worker);
enum tt_verdict tt_worker_test_line(struct tt_filter_worker *worker, const struct tt_plan_term *pt,
                                    uint32_t index);
enum tt_verdict tt_worker_test_arg(struct tt_filter_worker *worker,
                                   const struct tt_filter_term *term, const struct tt_event *event);

#endif
