/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt_states: the threads, CPUs and interrupts just before the first event of an excerpt. */
#ifndef EXCERPT_EXCERPT_STATES_H
#define EXCERPT_EXCERPT_STATES_H

#include "format/excerpt_format.h"
#include "tracetui/trace.h"

#define TT_EXCERPT_INTERRUPTS 64u

struct tt_excerpt_states {
    uint64_t ticks;      /* of the last event before the range */
    uint64_t before_pos; /* of that event */
    uint64_t first_pos;
    struct tt_excerpt_thread *threads;
    uint32_t thread_count;
    uint64_t *seen; /* one bit per thread: it has an event in the excerpt */
    struct tt_event interrupts[TT_EXCERPT_INTERRUPTS];
    uint32_t interrupt_count;
};

/* Makes room. The caller closes `states`, also after an error. */
struct tt_status tt_excerpt_states_open(struct tt_excerpt_states *states,
                                        const struct tt_capture *capture);
void tt_excerpt_states_close(struct tt_excerpt_states *states);
/* Records an event of the excerpt. */
void tt_excerpt_states_see(struct tt_excerpt_states *states, const struct tt_event *event);
/* Finds the states, after all events were recorded. `first_row` is the row of the first event. */
struct tt_status tt_excerpt_states_find(struct tt_excerpt_states *states, struct tt_trace *trace,
                                        struct tt_events *events, uint64_t first_row);

#endif
