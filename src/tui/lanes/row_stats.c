/* SPDX-License-Identifier: Apache-2.0 */
/* row_stats: computes the statistics of all threads, a few at a time. */
#include "tui/lanes/row_stats.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Intervals of a thread processed between two deadline checks. */
#define DELAYS_AT_ONCE 4096u

bool tt_row_stats_ask(struct tt_row_stats *n, const struct tt_timelines *t, uint64_t from,
                      uint64_t to, uint32_t count, bool delays)
{
    uint64_t end = tt_timelines_end(t);
    /* A growing capture does not change numbers of a window that was complete. */
    bool same = n->from == from && n->to == to && n->count == count &&
                (n->end == end || (to <= n->end && n->number == tt_timelines_number(t)));
    if (same && (n->delays || !delays)) {
        return true;
    }
    if (count > n->room) {
        struct tt_lane_number *more = realloc(n->threads, count * sizeof *more);
        if (!more) {
            return false;
        }
        n->threads = more;
        n->room = count;
    }
    n->from = from;
    n->to = to;
    n->end = end;
    n->number = tt_timelines_number(t);
    n->count = count;
    n->delays = delays;
    n->failed = false;
    n->done = 0;
    n->process_count = 0;
    n->delay_from = from;
    if (count > 0) {
        memset(n->threads, 0, count * sizeof *n->threads);
    }
    return true;
}

/* Computes the next part of a thread's delays; true if it was the last one. */
static bool delays_on(struct tt_row_stats *n, const struct tt_timelines *t, uint32_t thread)
{
    uint64_t pieces = tt_interval_count(t, thread) / DELAYS_AT_ONCE + 1;
    uint64_t left = n->to - n->delay_from, piece = (n->to - n->from) / pieces + 1;
    uint64_t to = n->delay_from + (piece < left ? piece : left);
    tt_delays_clear(&n->scratch);
    n->failed |= !tt_delays_gather(&n->scratch, t, thread, n->delay_from, to);
    struct tt_lane_number *number = &n->threads[thread];
    if (n->scratch.delay.count > 0 && n->scratch.delay.max > number->delay_max) {
        number->delay_max = n->scratch.delay.max;
    }
    n->delay_from = to;
    return to >= n->to;
}

/* Returns whether the thread's lane is outside the window, as for most short-lived threads. */
static bool is_outside(const struct tt_row_stats *n, const struct tt_timelines *t, uint32_t thread)
{
    struct tt_interval_at at;
    if (tt_interval_find(t, thread, n->from, &at)) {
        return false;
    }
    return !tt_interval_first(t, thread, &at) || tt_interval_get(t, at).start >= n->to ||
           tt_interval_get(t, at).start < n->from;
}

bool tt_row_stats_work(struct tt_row_stats *n, const struct tt_timelines *t, uint64_t deadline)
{
    while (n->done < n->count && tt_now_ns() < deadline) {
        uint32_t thread = n->done;
        if (n->delay_from == n->from && is_outside(n, t, thread)) {
            n->done++;
            continue;
        }
        if (n->delay_from == n->from) {
            struct tt_thread_sums sums;
            tt_thread_sum_prefetch(t, thread + TT_SUMS_AHEAD, n->from, n->to);
            tt_thread_sum(t, thread, n->from, n->to, &sums);
            n->threads[thread].run = sums.ticks[TT_CLASS_RUNNING] - sums.irq;
            n->threads[thread].in = sums.in;
            n->threads[thread].ran = sums.ticks[TT_CLASS_RUNNING] > 0;
        }
        if (!n->delays || delays_on(n, t, thread)) {
            n->done++;
            n->delay_from = n->from;
        }
    }
    return tt_row_stats_complete(n);
}

static bool sum_processes(struct tt_row_stats *n, const struct tt_capture *c)
{
    uint32_t processes = tt_process_count(c);
    if (processes > n->process_room) {
        struct tt_lane_number *more = realloc(n->processes, processes * sizeof *more);
        if (!more) {
            return false;
        }
        n->processes = more;
        n->process_room = processes;
    }
    memset(n->processes, 0, processes * sizeof *n->processes);
    for (uint32_t i = 0; i < n->count; i++) {
        uint32_t process = tt_thread_at(c, i)->process;
        if (process < processes) {
            struct tt_lane_number *sum = &n->processes[process];
            const struct tt_lane_number *more = &n->threads[i];
            sum->run += more->run;
            sum->in += more->in;
            sum->delay_max = more->delay_max > sum->delay_max ? more->delay_max : sum->delay_max;
        }
    }
    n->process_count = processes;
    return true;
}

bool tt_row_stats_add_up(struct tt_row_stats *n, const struct tt_capture *c)
{
    return tt_row_stats_complete(n) && (n->process_count > 0 || sum_processes(n, c));
}

const struct tt_lane_number *tt_row_stats_process(const struct tt_row_stats *n, uint32_t process)
{
    return tt_row_stats_complete(n) && process < n->process_count ? &n->processes[process] : NULL;
}

void tt_row_stats_free(struct tt_row_stats *n)
{
    free(n->threads);
    free(n->processes);
    tt_delays_free(&n->scratch);
    memset(n, 0, sizeof *n);
}
