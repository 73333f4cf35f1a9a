/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/elsewhere.h"

#include <stdlib.h>

#include "analysis/causes/ready.h"

#define READY_SHARE 10u
#define LOOK        32u /* intervals of the thread, before and after, in which its CPUs are looked for */

static bool is_ready(const struct tt_capture *c, const struct tt_piece *piece)
{
    return piece->depth == 0 && tt_format_state(c->format, piece->state)->class_ == TT_CLASS_READY;
}

/* Adds what a CPU did in [from, to); returns false if the limit of steps is reached. */
static bool add_stretch(const struct tt_timelines *t, const struct tt_capture *c,
                        const struct tt_piece *piece, struct tt_elsewhere *there, uint32_t *steps)
{
    struct tt_ready_walk walk = {.t = t,
                                 .c = c,
                                 .thread = piece->thread,
                                 .cpu = there->cpu,
                                 .at = piece->from,
                                 .to = piece->to};
    struct tt_ready_piece next;
    while (*steps > 0 && tt_ready_next(&walk, &next)) {
        --*steps;
        if (next.cause == TT_CAUSE_IDLE) {
            there->idle += next.to - next.from;
        } else if (next.cause == TT_CAUSE_LOWER) {
            uint64_t until;
            const int priority = tt_thread_priority_until(t, next.by, next.from, &until);
            there->lower += next.to - next.from;
            if (there->by == TT_NO_THREAD ||
                tt_is_more_urgent(c, next.by, there->priority, priority)) {
                there->by = next.by;
                there->priority = priority;
            }
        }
    }
    return *steps > 0;
}

/*
 * Sets `used` of the CPUs on which the thread runs in the intervals from `at` on, in one direction; returns how many of
 * them are `left` without.
 */
static unsigned find_used(const struct tt_timelines *t, struct tt_interval_at at,
                          bool (*move)(const struct tt_timelines *, struct tt_interval_at *),
                          unsigned left, struct tt_elsewheres *result)
{
    for (unsigned i = 0; left > 0 && i < LOOK && move(t, &at); i++) {
        const struct tt_interval interval = tt_interval_get(t, at);
        for (unsigned k = 0; interval.class_ == TT_CLASS_RUNNING && k < result->count; k++) {
            struct tt_elsewhere *there = &result->cpus[k];
            left -= !there->used && there->cpu == interval.cpu;
            there->used |= there->cpu == interval.cpu;
        }
    }
    return left;
}

static int compare_times(const void *a, const void *b)
{
    const struct tt_elsewhere *x = a, *y = b;
    const uint64_t left = x->idle + x->lower, right = y->idle + y->lower;
    return left != right ? (left < right) - (left > right) : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

void tt_explanation_elsewhere(const struct tt_timelines *t, const struct tt_capture *c,
                              const struct tt_explanation *e, struct tt_elsewheres *result)
{
    uint16_t own = TT_NO_CPU;
    result->count = 0;
    result->ready = 0;
    result->cut = false;
    for (size_t i = 0; i < e->count; i++) {
        if (is_ready(c, &e->pieces[i])) {
            result->ready += e->pieces[i].to - e->pieces[i].from;
            own = e->pieces[i].cpu != TT_NO_CPU ? e->pieces[i].cpu : own;
        }
    }
    if (own == TT_NO_CPU) {
        return; /* it was not ready, or for a CPU that is not known */
    }
    const uint32_t cpus = tt_cpu_count(t);
    for (uint32_t cpu = 0; cpu < cpus && result->count < TT_ELSEWHERE_MOST; cpu++) {
        struct tt_elsewhere *there = &result->cpus[result->count];
        uint32_t steps = TT_ELSEWHERE_STEPS / cpus + 1;
        if (tt_merge_of_cpu(c, (uint16_t)cpu) != tt_merge_of_cpu(c, own)) {
            continue;
        }
        *there = (struct tt_elsewhere){.by = TT_NO_THREAD, .cpu = (uint16_t)cpu};
        for (size_t i = 0; i < e->count && steps > 0; i++) {
            if (is_ready(c, &e->pieces[i]) && e->pieces[i].cpu != cpu) {
                result->cut |= !add_stretch(t, c, &e->pieces[i], there, &steps);
            }
        }
        result->count += there->idle > 0 || there->lower > 0;
    }
    qsort(result->cpus, result->count, sizeof *result->cpus, compare_times);
    struct tt_interval_at at;
    if (result->count > 0 && tt_interval_find(t, e->thread, e->from, &at)) {
        const unsigned left = find_used(t, at, tt_interval_next, result->count, result);
        find_used(t, at, tt_interval_previous, left, result);
    }
}

bool tt_elsewheres_matter(const struct tt_elsewheres *all, const struct tt_explanation *e)
{
    return all->count > 0 && all->ready >= (e->to - e->from) / READY_SHARE;
}
