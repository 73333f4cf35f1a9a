/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between one thread and two. */
#include "trace/index/thread_choice.h"

static uint64_t next_period(uint64_t period)
{
    uint64_t next = period > 0 ? 2 * period : TT_CHOICE_PERIOD_NS;
    return next < TT_CHOICE_PERIOD_MAX_NS ? next : TT_CHOICE_PERIOD_MAX_NS;
}

/* Returns whether both threads together got less than 1.2 CPUs. */
static bool is_starved(const struct tt_thread_choice *c, uint64_t now, uint64_t spent)
{
    return (spent - c->spent) * 5 < (now - c->began) * 6;
}

void tt_thread_choice_make(struct tt_thread_choice *c, uint64_t now, uint64_t spent)
{
    if (c->one) {
        c->one = false;
    } else if (!c->always_two && is_starved(c, now, spent)) {
        c->one = true;
        c->period = next_period(c->period);
    } else {
        c->period = 0;
    }
}

void tt_thread_choice_begin(struct tt_thread_choice *c, uint64_t now, uint64_t spent)
{
    c->began = now;
    c->spent = spent;
}
