/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between one thread and two. */
#include "trace/index/thread_choice.h"

void tt_thread_choice_start(struct tt_thread_choice *choice, bool always_two, bool one_cpu_left)
{
    *choice = (struct tt_thread_choice){.always_two = always_two};
    choice->phase = one_cpu_left && !always_two ? TT_CHOICE_ALONE : TT_CHOICE_TWO;
}

static double rate(const struct tt_thread_choice *choice, const struct tt_choice_times *times)
{
    uint64_t ns = times->now - choice->began.now;
    return (double)choice->work / (double)(ns > 0 ? ns : 1);
}

static void thread_choice_end_window(struct tt_thread_choice *choice,
                                     const struct tt_choice_times *times)
{
    bool was_short = choice->was_short;

    /* Decides whether the threads got less than three quarters of the time that they could use. */
    uint64_t both = 2 * (times->now - choice->began.now),
             waited = times->waited - choice->began.waited;
    uint64_t usable = waited < both ? both - waited : 0;
    choice->was_short = (times->spent - choice->began.spent) * 4 < usable * 3;

    if (!choice->was_short) {
        choice->period = 0;
    } else if (was_short && times->now >= choice->hold && !choice->always_two) {
        choice->rate_two = rate(choice, times);
        choice->phase = TT_CHOICE_TRIAL;
    }
}

static void end_trial(struct tt_thread_choice *choice, const struct tt_choice_times *times)
{
    uint64_t period = choice->period;
    uint64_t next = period > 0 ? 2 * period : TT_CHOICE_PERIOD_NS;
    choice->period = next < TT_CHOICE_PERIOD_MAX_NS ? next : TT_CHOICE_PERIOD_MAX_NS;

    choice->was_short = false;
    if (rate(choice, times) > choice->rate_two) {
        choice->phase = TT_CHOICE_ONE;
    } else {
        choice->phase = TT_CHOICE_TWO;
        choice->hold = times->now + choice->period;
    }
}

void tt_thread_choice_make(struct tt_thread_choice *choice, const struct tt_choice_times *times)
{
    switch (choice->phase) {
    case TT_CHOICE_TWO:
        thread_choice_end_window(choice, times);
        break;
    case TT_CHOICE_TRIAL:
        end_trial(choice, times);
        break;
    case TT_CHOICE_ONE:
    case TT_CHOICE_ALONE:
        choice->phase = times->one_cpu_left ? TT_CHOICE_ALONE : TT_CHOICE_TWO;
        break;
    }
}

void tt_thread_choice_begin(struct tt_thread_choice *choice, const struct tt_choice_times *times)
{
    choice->began = *times;
    choice->work = 0;
}
