/* SPDX-License-Identifier: Apache-2.0 */
#include "fed_timelines.h"

#include <criterion/criterion.h>

struct tt_format format_of_states(const struct tt_state_info *states, unsigned count)
{
    struct tt_format format = fake_format;
    format.states = states;
    format.state_count = count;
    return format;
}

struct fed fed_open(const struct tt_format *format)
{
    static const struct fake_record record = {.ticks = 1};
    struct fed f = {.trace = fake_trace(&record, 1)};
    f.trace->capture->format = format;
    return f;
}

void fed_thread(struct fed *f, uint64_t pid, uint32_t tid)
{
    uint32_t next = tt_thread_count(f->trace->capture);
    cr_assert_eq(tt_registry_thread(f->trace->capture, pid, tid, 0), next);
}

void fed_begin(struct fed *f, uint64_t begin)
{
    f->t = tt_timelines_new(f->trace->capture, begin);
    cr_assert(f->t);
}

void fed_close(struct fed *f)
{
    tt_timelines_free(f->t);
    tt_trace_close(f->trace);
}

void feed(struct fed *f, struct tt_action action)
{
    action.pos = f->pos++;
    action.priority = TT_NO_PRIORITY;
    cr_assert(tt_timelines_feed(f->t, &action, 1));
}
