/* SPDX-License-Identifier: Apache-2.0 */
/* totals: counts of the whole system, by the rules common to all formats. */
#include "tracetui/stats.h"

static bool is_suspended(unsigned class_)
{
    return tt_class_is_waiting(class_) || class_ == TT_CLASS_STOPPED;
}

static bool is_runnable(unsigned class_)
{
    return class_ == TT_CLASS_RUNNING || class_ == TT_CLASS_READY;
}

/*
 * Finds the last interval before the window, so that its successor is the first that can begin
 * inside it.
 */
static bool begin_before(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                         struct tt_interval_at *at)
{
    if (!tt_interval_find(timelines, thread, from, at)) {
        return tt_interval_first(timelines, thread, at);
    }
    while (tt_interval_get(timelines, *at).start >= from) {
        if (!tt_interval_previous(timelines, at)) {
            break;
        }
    }
    return true;
}

void tt_thread_suspensions(const struct tt_timelines *timelines, uint32_t thread,
                           const struct tt_window *window, uint64_t *suspensions,
                           uint64_t *resumptions)
{
    struct tt_interval_at at;
    *suspensions = *resumptions = 0;
    if (!begin_before(timelines, thread, window->from, &at)) {
        return;
    }
    struct tt_interval list[TT_INTERVALS];
    unsigned before = TT_CLASS_UNKNOWN;
    for (bool more = true, first = true; more;) {
        uint32_t count = tt_intervals_read(timelines, &at, list, &more);
        for (uint32_t n = 0; n < count; n++, first = false) {
            const struct tt_interval *interval = &list[n];
            if (interval->start >= window->to && !first) {
                return;
            }
            if (!first && interval->start >= window->from &&
                tt_window_has_cpu(window, interval->cpu)) {
                *suspensions += is_runnable(before) && is_suspended(interval->class_);
                *resumptions += is_suspended(before) && is_runnable(interval->class_);
            }
            before = interval->class_;
        }
    }
}

static void totals_add_cpu(const struct tt_timelines *timelines, uint16_t cpu,
                           const struct tt_window *window, struct tt_totals *totals)
{
    struct tt_cpu_sums sums;
    tt_cpu_sum(timelines, cpu, window->from, window->to, &sums);
    totals->context_switches += sums.switches;
    totals->interrupts += sums.interrupts;
    totals->nested_interrupts += sums.nested;
}

void tt_totals_of_cpus(const struct tt_timelines *timelines, const struct tt_window *window,
                       struct tt_totals *totals)
{
    *totals = (struct tt_totals){.time_slices = TT_NO_TOTAL,
                                 .inversions_deterministic = TT_NO_TOTAL,
                                 .inversions_nondeterministic = TT_NO_TOTAL};
    for (uint32_t cpu = 0; cpu < tt_cpu_count(timelines) && cpu < TT_NO_CPU; cpu++) {
        if (tt_window_has_cpu(window, cpu)) {
            totals_add_cpu(timelines, (uint16_t)cpu, window, totals);
        }
    }
}
