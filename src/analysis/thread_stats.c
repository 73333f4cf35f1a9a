/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_stats: the metrics of threads and processes over a window.
 *
 * Without a selection of CPUs the sums come from the checkpoints. With one they are computed from
 * the thread's intervals, each of which belongs to one CPU.
 */
#include <string.h>

#include "tracetui/merge.h"
#include "tracetui/slices.h"
#include "tracetui/stats.h"

static bool thread_stats_is_inside(const struct tt_window *window, uint64_t ticks)
{
    return ticks >= window->from && ticks < window->to;
}

static uint64_t thread_stats_clip(const struct tt_window *window, uint64_t ticks)
{
    return ticks < window->from ? window->from : ticks > window->to ? window->to : ticks;
}

/* ---- selected CPUs ------------------------------------------------------------------------- */

static void add_out(struct tt_thread_sums *sums, unsigned out, uint64_t times)
{
    sums->out_voluntary += out == TT_OUT_VOLUNTARY ? times : 0;
    sums->out_preempted += out == TT_OUT_PREEMPTED ? times : 0;
    sums->out_unknown += out == TT_OUT_UNKNOWN ? times : 0;
}

/* Adds the switches out that are not stored in a run of the window. */
static void add_other_outs(const struct tt_timelines *timelines, uint32_t thread,
                           const struct tt_window *window, struct tt_thread_sums *sums)
{
    struct tt_late_out late;
    uint16_t cpu = TT_NO_CPU;
    enum tt_out out = tt_thread_pending_out(timelines, thread, window->to, &cpu);
    add_out(sums, out, tt_window_has_cpu(window, cpu));
    out = tt_thread_pending_out(timelines, thread, window->from, &cpu);
    add_out(sums, out,
            0 - (uint64_t)tt_window_has_cpu(window, cpu)); /* counted with the run that follows */
    for (bool more = tt_late_out_find(timelines, thread, window->from, &late);
         more && late.ticks < window->to; more = tt_late_out_next(timelines, thread, &late)) {
        add_out(sums, late.out, tt_window_has_cpu(window, late.cpu));
    }
}

/* Returns the ticks in [from, to) in which the guest of a thread ran; `guest`: its row, or NULL. */
static uint64_t guest_ticks(const struct tt_timelines *timelines, const struct tt_slice_row *guest,
                            uint64_t from, uint64_t to)
{
    return guest && from < to ? tt_slice_ticks(timelines, guest, from, to) : 0;
}

/* Adds an interval; `before` is the CPU of the previous run. */
static void add_interval(const struct tt_timelines *timelines, const struct tt_window *window,
                         const struct tt_interval *interval, uint16_t before,
                         struct tt_thread_sums *sums)
{
    const uint64_t from = thread_stats_clip(window, interval->start),
                   to = thread_stats_clip(window, interval->end);
    if (thread_stats_is_inside(window, interval->start) && tt_window_has_cpu(window, before)) {
        add_out(sums, interval->out_before, 1);
    }
    if (tt_window_has_cpu(window, interval->cpu)) {
        sums->ticks[interval->class_] += to - from;
        if (interval->class_ == TT_CLASS_RUNNING) {
            const struct tt_slice_row *guest = tt_guest_row(timelines, interval->thread);
            sums->irq += tt_cpu_irq(timelines, interval->cpu, from, to);
            sums->guest += guest_ticks(timelines, guest, from, to);
            if (thread_stats_is_inside(window, interval->start)) {
                sums->runs += !interval->since_before;
                sums->in += interval->switched_in;
                sums->migrations += interval->migrated;
            }
        }
    }
}

static void sum_classes(const struct tt_timelines *timelines, uint32_t thread,
                        const struct tt_window *window, struct tt_thread_sums *sums)
{
    if (!window->cpus) {
        tt_thread_sum(timelines, thread, window->from, window->to, sums);
        sums->guest =
            guest_ticks(timelines, tt_guest_row(timelines, thread), window->from, window->to);
        return;
    }
    memset(sums, 0, sizeof *sums);
    if (window->from < window->to) {
        struct tt_interval_at at;
        struct tt_interval list[TT_INTERVALS];
        uint16_t cpu =
            TT_NO_CPU; /* an interval without a run belongs to the CPU of the previous run */
        add_other_outs(timelines, thread, window, sums);
        for (bool more = tt_interval_first(timelines, thread, &at); more;) {
            uint32_t count = tt_intervals_read(timelines, &at, list, &more);
            for (uint32_t n = 0; n < count; n++) {
                if (list[n].start >= window->to) {
                    return;
                }
                add_interval(timelines, window, &list[n], cpu, sums);
                cpu = list[n].cpu;
            }
        }
    }
}

void tt_thread_sum_in(const struct tt_timelines *timelines, uint32_t thread,
                      const struct tt_window *window, struct tt_thread_sums *sums)
{
    sum_classes(timelines, thread, window, sums);
    /* In numbers a condition counts as a lock; only lanes distinguish them. */
    sums->ticks[TT_CLASS_LOCK] += sums->ticks[TT_CLASS_CONDITION];
    sums->ticks[TT_CLASS_CONDITION] = 0;
}

/* ---- all metrics --------------------------------------------------------------------------- */

void tt_thread_sums_add(struct tt_thread_sums *sums, const struct tt_thread_sums *more)
{
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        sums->ticks[i] += more->ticks[i];
    }
    sums->irq += more->irq;
    sums->in += more->in;
    sums->out_voluntary += more->out_voluntary;
    sums->out_preempted += more->out_preempted;
    sums->out_unknown += more->out_unknown;
    sums->migrations += more->migrations;
    sums->runs += more->runs;
    sums->guest += more->guest;
}

/* Does the same for several threads together: adds the sums and merges the samples. */
static bool numbers_of_threads(const struct tt_timelines *timelines, const uint32_t *threads,
                               size_t count, const struct tt_window *window,
                               struct tt_delays *scratch, struct tt_numbers *numbers)
{
    memset(numbers, 0, sizeof *numbers);
    tt_delays_clear(scratch);
    for (size_t i = 0; i < count; i++) {
        struct tt_thread_sums sums;
        tt_thread_sum_in(timelines, threads[i], window, &sums);
        tt_thread_sums_add(&numbers->sums, &sums);
        if (!tt_delays_gather_in(scratch, timelines, threads[i], window)) {
            return false;
        }
    }
    numbers->delay = tt_samples_distribution(&scratch->delay);
    numbers->preempted = tt_samples_distribution(&scratch->preempted);
    numbers->wait = tt_samples_distribution(&scratch->wait);
    numbers->slice = tt_samples_distribution(&scratch->slice);
    return true;
}

bool tt_numbers_of_thread(const struct tt_timelines *timelines, uint32_t thread,
                          const struct tt_window *window, struct tt_delays *scratch,
                          struct tt_numbers *numbers)
{
    return numbers_of_threads(timelines, &thread, 1, window, scratch, numbers);
}

/* ---- states ------------------------------------------------------------------------------- */

void tt_thread_states_part(const struct tt_timelines *timelines, uint32_t thread, uint64_t to,
                           uint64_t *reached, uint64_t *work, uint64_t *ticks, uint32_t count)
{
    struct tt_interval_at at;
    struct tt_interval list[TT_INTERVALS];
    uint64_t from = *reached;
    *reached = to;
    if (!tt_interval_find(timelines, thread, from, &at) &&
        !tt_interval_first(timelines, thread, &at)) {
        return;
    }
    for (bool more = true; more;) {
        uint32_t intervals = tt_intervals_read(timelines, &at, list, &more);
        for (uint32_t n = 0; n < intervals; n++) {
            const struct tt_interval *interval = &list[n];
            if (interval->start >= to) {
                return;
            }
            if (*work == 0 && interval->start > from) {
                *reached = interval->start;
                return;
            }
            *work -= *work > 0;
            uint64_t begin = interval->start > from ? interval->start : from;
            uint64_t end = interval->end < to ? interval->end : to;
            if (interval->state < count && end > begin) {
                ticks[interval->state] += end - begin;
            }
        }
    }
}
