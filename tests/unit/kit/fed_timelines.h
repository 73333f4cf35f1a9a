/* SPDX-License-Identifier: Apache-2.0 */
/* fed_timelines: timelines that a test feeds by hand, in the order of its actions. */
#ifndef TRACETUI_TESTS_FED_TIMELINES_H
#define TRACETUI_TESTS_FED_TIMELINES_H

#include "fake_format.h"
#include "trace/timeline/timeline.h"

struct fed {
    struct tt_trace *trace;
    struct tt_timelines *t;
    uint64_t pos; /* of the next action */
};

/* Returns fake_format with states. */
struct tt_format format_of_states(const struct tt_state_info *states, unsigned count);

/* Opens a capture without threads; borrows the format. */
struct fed fed_open(const struct tt_format *format);
/* Adds the next thread. */
void fed_thread(struct fed *f, uint64_t pid, uint32_t tid);
/* Creates the timelines of its threads, from a time on. */
void fed_begin(struct fed *f, uint64_t begin);
void fed_close(struct fed *f);

/* Feeds an action, without a priority, at the next position. */
void feed(struct fed *f, struct tt_action action);

#endif
