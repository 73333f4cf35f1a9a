/* SPDX-License-Identifier: Apache-2.0 */
/* filter_worker: one thread's tools for holding events against a plan. */
#ifndef TRACETUI_FILTER_WORKER_H
#define TRACETUI_FILTER_WORKER_H

#include "filter/plan.h"

struct tt_filter_bits {
    uint64_t may[TT_FILTER_WORDS];
    uint64_t must[TT_FILTER_WORDS];
};

/* The states that a thread was in when an event of it was asked for last: the next ones mostly
 * follow. Threads share places; those that were met at the same time mostly have numbers that are
 * near each other. */
#define TT_LANES_NOW 512u
struct tt_lane_now {
    uint32_t thread;
    uint32_t now; /* of the states */
    struct tt_states states;
};

/* Where an event's line stands among the lines of the block. */
struct tt_line_at {
    size_t offset;
    size_t length;
};

struct tt_filter_worker {
    const struct tt_filter_plan *plan;
    struct tt_events *reader;
    struct tt_deciding deciding;

    const struct tt_event *events; /* the block, for the time of a test */
    uint32_t count;
    uint32_t words;
    uint64_t numbers[TT_FILTER_BLOCK]; /* n of each event, where a term asks for it */

    const struct tt_timelines *timelines;
    bool settled;              /* they will not be built again */
    struct tt_lane_now *lanes; /* TT_LANES_NOW of them, where a term asks for one */
    uint32_t lane_count;       /* threads that have lanes */

    struct tt_scratch lines; /* with several regexes a line is rendered once */
    size_t lines_used;
    struct tt_line_at line_at[TT_FILTER_BLOCK];
    uint64_t rendered[TT_FILTER_WORDS];
    struct tt_args args;

    uint64_t undecided;
    bool shrunk;
    bool failed;
};

void tt_worker_forget_lines(struct tt_filter_worker *w);
enum tt_verdict tt_worker_test_line(struct tt_filter_worker *w, const struct tt_plan_term *pt,
                                    uint32_t index);
enum tt_verdict tt_worker_test_arg(struct tt_filter_worker *w, const struct tt_filter_term *term,
                                   const struct tt_event *event);

#endif
