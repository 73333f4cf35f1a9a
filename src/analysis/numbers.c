/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of threads and processes on a window.
 *
 * Without a choice of CPUs the sums come from the checkpoints. With one they are gathered from the
 * thread's intervals, each of which belongs to one CPU.
 */
#include <string.h>

#include "tracetui/stats.h"

static bool is_inside(const struct tt_window *w, uint64_t ticks)
{
    return ticks >= w->from && ticks < w->to;
}

static uint64_t clip(const struct tt_window *w, uint64_t ticks)
{
    return ticks < w->from ? w->from : ticks > w->to ? w->to : ticks;
}

/* ---- on some CPUs ------------------------------------------------------------------------- */

/*
 * When another thread came to the CPU that `thread` left at `left`, before anything unknown; false
 * if none did, or the same one came back.
 */
static bool switched_out_at(const struct tt_timelines *t, uint32_t thread, uint16_t cpu,
                            uint64_t left, uint64_t *ticks)
{
    struct tt_occupation_at at;
    if (!tt_occupation_find(t, cpu, left, &at)) {
        return false;
    }
    /* Several occupants may share the instant: begin with the first of them. */
    for (struct tt_occupation_at before = at; tt_occupation_previous(t, &before);) {
        if (tt_occupation_get(t, before).start < left) {
            break;
        }
        at = before;
    }
    do {
        struct tt_occupation o = tt_occupation_get(t, at);
        if (o.start < left || o.occupant == TT_OCCUPANT_KERNEL) {
            continue;
        }
        *ticks = o.start;
        return o.occupant != TT_OCCUPANT_UNKNOWN && o.occupant != thread;
    } while (tt_occupation_next(t, &at));
    return false;
}

static void count_out(const struct tt_timelines *t, const struct tt_window *w,
                      const struct tt_interval *run, const struct tt_interval *next,
                      struct tt_thread_sums *sums)
{
    uint64_t ticks;
    if (!switched_out_at(t, run->thread, run->cpu, run->end, &ticks) || !is_inside(w, ticks)) {
        return;
    }
    switch (next->class_) {
    case TT_CLASS_READY:
        sums->out_preempted++;
        break;
    case TT_CLASS_UNKNOWN:
        sums->out_unknown++;
        break;
    default:
        sums->out_voluntary++;
        break;
    }
}

static void add_run(const struct tt_timelines *t, const struct tt_window *w,
                    const struct tt_interval *run, struct tt_thread_sums *sums)
{
    sums->irq += tt_cpu_irq(t, run->cpu, clip(w, run->start), clip(w, run->end));
    if (run->since_before || !is_inside(w, run->start)) {
        return;
    }
    sums->runs++;
    sums->in += run->switched_in;
    sums->migrations += run->migrated;
}

/* The switch that ended a run may come long after it, so all runs before the window's end count. */
static void sum_on_cpus(const struct tt_timelines *t, uint32_t thread, const struct tt_window *w,
                        struct tt_thread_sums *sums)
{
    struct tt_interval_at at;
    struct tt_interval list[TT_INTERVALS], before = {.class_ = TT_CLASS_UNKNOWN};
    for (bool more = tt_interval_first(t, thread, &at); more;) {
        uint32_t count = tt_intervals_read(t, &at, list, &more);
        for (uint32_t n = 0; n < count; n++) {
            const struct tt_interval *i = &list[n];
            if (before.class_ == TT_CLASS_RUNNING && i->class_ != TT_CLASS_RUNNING &&
                tt_window_has_cpu(w, before.cpu)) {
                count_out(t, w, &before, i, sums);
            }
            if (i->start >= w->to) {
                return;
            }
            before = *i;
            if (!tt_window_has_cpu(w, i->cpu)) {
                continue;
            }
            sums->ticks[i->class_] += clip(w, i->end) - clip(w, i->start);
            if (i->class_ == TT_CLASS_RUNNING) {
                add_run(t, w, i, sums);
            }
        }
    }
}

void tt_thread_sum_in(const struct tt_timelines *t, uint32_t thread, const struct tt_window *window,
                      struct tt_thread_sums *sums)
{
    if (!window->cpus) {
        tt_thread_sum(t, thread, window->from, window->to, sums);
        return;
    }
    memset(sums, 0, sizeof *sums);
    if (window->from < window->to) {
        sum_on_cpus(t, thread, window, sums);
    }
}

/* ---- all numbers -------------------------------------------------------------------------- */

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
}

bool tt_numbers_of_threads(const struct tt_timelines *t, const uint32_t *threads, size_t count,
                           const struct tt_window *window, struct tt_delays *scratch,
                           struct tt_numbers *numbers)
{
    memset(numbers, 0, sizeof *numbers);
    tt_delays_clear(scratch);
    for (size_t i = 0; i < count; i++) {
        struct tt_thread_sums sums;
        tt_thread_sum_in(t, threads[i], window, &sums);
        tt_thread_sums_add(&numbers->sums, &sums);
        if (!tt_delays_gather_in(scratch, t, threads[i], window)) {
            return false;
        }
    }
    numbers->delay = tt_samples_distribution(&scratch->delay);
    numbers->preempted = tt_samples_distribution(&scratch->preempted);
    numbers->wait = tt_samples_distribution(&scratch->wait);
    numbers->slice = tt_samples_distribution(&scratch->slice);
    return true;
}

bool tt_numbers_of_thread(const struct tt_timelines *t, uint32_t thread,
                          const struct tt_window *window, struct tt_delays *scratch,
                          struct tt_numbers *numbers)
{
    return tt_numbers_of_threads(t, &thread, 1, window, scratch, numbers);
}

/* ---- states ------------------------------------------------------------------------------- */

void tt_thread_states_part(const struct tt_timelines *t, uint32_t thread, uint64_t to,
                           uint64_t *reached, uint64_t *work, uint64_t *ticks, uint32_t count)
{
    struct tt_interval_at at;
    struct tt_interval list[TT_INTERVALS];
    uint64_t from = *reached;
    *reached = to;
    if (!tt_interval_find(t, thread, from, &at) && !tt_interval_first(t, thread, &at)) {
        return;
    }
    for (bool more = true; more;) {
        uint32_t intervals = tt_intervals_read(t, &at, list, &more);
        for (uint32_t n = 0; n < intervals; n++) {
            const struct tt_interval *i = &list[n];
            if (i->start >= to) {
                return;
            }
            if (*work == 0 && i->start > from) {
                *reached = i->start;
                return;
            }
            *work -= *work > 0;
            uint64_t begin = i->start > from ? i->start : from;
            uint64_t end = i->end < to ? i->end : to;
            if (i->state < count && end > begin) {
                ticks[i->state] += end - begin;
            }
        }
    }
}
