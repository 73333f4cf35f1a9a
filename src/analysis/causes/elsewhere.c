/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/elsewhere.h"

#include <stdlib.h>

#include "analysis/causes/ready.h"

#define READY_SHARE 10u
#define LOOK        32u /* intervals of the thread, before and after, in which its CPUs are looked for */

static bool is_ready(const struct tt_capture *capture, const struct tt_piece *piece)
{
    return piece->depth == 0 &&
           tt_format_state(capture->format, piece->state)->class_ == TT_CLASS_READY;
}

/* Adds what a CPU did in [from, to); returns false if the limit of steps is reached. */
static bool add_stretch(const struct tt_timelines *timelines, const struct tt_capture *capture,
                        const struct tt_piece *piece, struct tt_elsewhere *there, uint32_t *steps)
{
    struct tt_ready_walk walk = {.t = timelines,
                                 .c = capture,
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
            const int priority = tt_thread_priority_until(timelines, next.by, next.from, &until);
            there->lower += next.to - next.from;
            if (there->by == TT_NO_THREAD ||
                tt_is_more_urgent(capture, next.by, there->priority, priority)) {
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
static unsigned find_used(const struct tt_timelines *timelines, struct tt_interval_at at,
                          bool (*move)(const struct tt_timelines *, struct tt_interval_at *),
                          unsigned left, struct tt_elsewheres *result)
{
    for (unsigned i = 0; left > 0 && i < LOOK && move(timelines, &at); i++) {
        const struct tt_interval interval = tt_interval_get(timelines, at);
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
    const struct tt_elsewhere *first = a, *second = b;
    const uint64_t left = first->idle + first->lower, right = second->idle + second->lower;
    return left != right ? (left < right) - (left > right)
                         : (first->cpu > second->cpu) - (first->cpu < second->cpu);
}

void tt_explanation_elsewhere(const struct tt_timelines *timelines,
                              const struct tt_capture *capture,
                              const struct tt_explanation *explanation,
                              struct tt_elsewheres *result)
{
    uint16_t own = TT_NO_CPU;
    result->count = 0;
    result->ready = 0;
    result->cut = false;
    for (size_t i = 0; i < explanation->count; i++) {
        if (is_ready(capture, &explanation->pieces[i])) {
            result->ready += explanation->pieces[i].to - explanation->pieces[i].from;
            own = explanation->pieces[i].cpu != TT_NO_CPU ? explanation->pieces[i].cpu : own;
        }
    }
    if (own == TT_NO_CPU) {
        return; /* it was not ready, or for a CPU that is not known */
    }
    const uint32_t cpus = tt_cpu_count(timelines);
    for (uint32_t cpu = 0; cpu < cpus && result->count < TT_ELSEWHERE_MOST; cpu++) {
        struct tt_elsewhere *there = &result->cpus[result->count];
        uint32_t steps = TT_ELSEWHERE_STEPS / cpus + 1;
        if (tt_merge_of_cpu(capture, (uint16_t)cpu) != tt_merge_of_cpu(capture, own)) {
            continue;
        }
        *there = (struct tt_elsewhere){.by = TT_NO_THREAD, .cpu = (uint16_t)cpu};
        for (size_t i = 0; i < explanation->count && steps > 0; i++) {
            if (is_ready(capture, &explanation->pieces[i]) && explanation->pieces[i].cpu != cpu) {
                result->cut |=
                    !add_stretch(timelines, capture, &explanation->pieces[i], there, &steps);
            }
        }
        result->count += there->idle > 0 || there->lower > 0;
    }
    qsort(result->cpus, result->count, sizeof *result->cpus, compare_times);
    struct tt_interval_at at;
    if (result->count > 0 &&
        tt_interval_find(timelines, explanation->thread, explanation->from, &at)) {
        const unsigned left = find_used(timelines, at, tt_interval_next, result->count, result);
        find_used(timelines, at, tt_interval_previous, left, result);
    }
}

bool tt_elsewheres_matter(const struct tt_elsewheres *all, const struct tt_explanation *explanation)
{
    return all->count > 0 && all->ready >= (explanation->to - explanation->from) / READY_SHARE;
}
