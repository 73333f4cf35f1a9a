/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between one thread and two. */
#include "trace/index/thread_choice.h"

void tt_thread_choice_start(struct tt_thread_choice *c, bool always_two, bool one_cpu_left)
{
    *c = (struct tt_thread_choice){.always_two = always_two};
    c->phase = one_cpu_left && !always_two ? TT_CHOICE_ALONE : TT_CHOICE_TWO;
}

static uint64_t next_period(uint64_t period)
{
    uint64_t next = period > 0 ? 2 * period : TT_CHOICE_PERIOD_NS;
    return next < TT_CHOICE_PERIOD_MAX_NS ? next : TT_CHOICE_PERIOD_MAX_NS;
}

/* Returns whether the threads got less than three quarters of the time that they could use. */
static bool is_short(const struct tt_thread_choice *c, const struct tt_choice_times *times)
{
    uint64_t both = 2 * (times->now - c->began.now), waited = times->waited - c->began.waited;
    uint64_t usable = waited < both ? both - waited : 0;
    return (times->spent - c->began.spent) * 4 < usable * 3;
}

static double rate(const struct tt_thread_choice *c, const struct tt_choice_times *times)
{
    uint64_t ns = times->now - c->began.now;
    return (double)c->work / (double)(ns > 0 ? ns : 1);
}

static void end_window(struct tt_thread_choice *c, const struct tt_choice_times *times)
{
    bool was_short = c->was_short;
    c->was_short = is_short(c, times);
    if (!c->was_short) {
        c->period = 0;
    } else if (was_short && times->now >= c->hold && !c->always_two) {
        c->rate_two = rate(c, times);
        c->phase = TT_CHOICE_TRIAL;
    }
}

static void end_trial(struct tt_thread_choice *c, const struct tt_choice_times *times)
{
    c->period = next_period(c->period);
    c->was_short = false;
    if (rate(c, times) > c->rate_two) {
        c->phase = TT_CHOICE_ONE;
    } else {
        c->phase = TT_CHOICE_TWO;
        c->hold = times->now + c->period;
    }
}

void tt_thread_choice_make(struct tt_thread_choice *c, const struct tt_choice_times *times)
{
    switch (c->phase) {
    case TT_CHOICE_TWO:
        end_window(c, times);
        break;
    case TT_CHOICE_TRIAL:
        end_trial(c, times);
        break;
    case TT_CHOICE_ONE:
    case TT_CHOICE_ALONE:
        c->phase = times->one_cpu_left ? TT_CHOICE_ALONE : TT_CHOICE_TWO;
        break;
    }
}

void tt_thread_choice_begin(struct tt_thread_choice *c, const struct tt_choice_times *times)
{
    c->began = *times;
    c->work = 0;
}
