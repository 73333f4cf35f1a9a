/* SPDX-License-Identifier: Apache-2.0 */
/* row_stats: computes the statistics of all threads, a few at a time. */
#include "tui/lanes/row_stats.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* Intervals of a thread processed between two deadline checks. */
#define DELAYS_AT_ONCE 4096u

bool tt_row_stats_ask(struct tt_row_stats *stats, const struct tt_timelines *timelines,
                      uint64_t from, uint64_t to, uint32_t count, bool delays)
{
    uint64_t end = tt_timelines_end(timelines);
    /* A growing capture does not change numbers of a window that was complete. */
    bool same = stats->from == from && stats->to == to && stats->count == count &&
                (stats->end == end ||
                 (to <= stats->end && stats->number == tt_timelines_number(timelines)));
    if (same && (stats->delays || !delays)) {
        return true;
    }
    if (count > stats->room) {
        struct tt_lane_number *more = realloc(stats->threads, count * sizeof *more);
        if (!more) {
            return false;
        }
        stats->threads = more;
        stats->room = count;
    }
    stats->from = from;
    stats->to = to;
    stats->end = end;
    stats->number = tt_timelines_number(timelines);
    stats->count = count;
    stats->delays = delays;
    stats->failed = false;
    stats->done = 0;
    stats->process_count = 0;
    stats->delay_from = from;
    if (count > 0) {
        memset(stats->threads, 0, count * sizeof *stats->threads);
    }
    return true;
}

/* Computes the next part of a thread's delays; true if it was the last one. */
static bool delays_on(struct tt_row_stats *stats, const struct tt_timelines *timelines,
                      uint32_t thread)
{
    uint64_t pieces = tt_interval_count(timelines, thread) / DELAYS_AT_ONCE + 1;
    uint64_t left = stats->to - stats->delay_from, piece = (stats->to - stats->from) / pieces + 1;
    uint64_t to = stats->delay_from + (piece < left ? piece : left);
    tt_delays_clear(&stats->scratch);
    stats->failed |= !tt_delays_gather(&stats->scratch, timelines, thread, stats->delay_from, to);
    struct tt_lane_number *number = &stats->threads[thread];
    if (stats->scratch.delay.count > 0 && stats->scratch.delay.max > number->delay_max) {
        number->delay_max = stats->scratch.delay.max;
    }
    stats->delay_from = to;
    return to >= stats->to;
}

/* Returns whether the thread's lane is outside the window, as for most short-lived threads. */
static bool is_outside(const struct tt_row_stats *stats, const struct tt_timelines *timelines,
                       uint32_t thread)
{
    struct tt_interval_at at;
    if (tt_interval_find(timelines, thread, stats->from, &at)) {
        return false;
    }
    return !tt_interval_first(timelines, thread, &at) ||
           tt_interval_get(timelines, at).start >= stats->to ||
           tt_interval_get(timelines, at).start < stats->from;
}

bool tt_row_stats_work(struct tt_row_stats *stats, const struct tt_timelines *timelines,
                       uint64_t deadline)
{
    while (stats->done < stats->count && tt_now_ns() < deadline) {
        uint32_t thread = stats->done;
        if (stats->delay_from == stats->from && is_outside(stats, timelines, thread)) {
            stats->done++;
            continue;
        }
        if (stats->delay_from == stats->from) {
            struct tt_thread_sums sums;
            tt_thread_sum_prefetch(timelines, thread + TT_SUMS_AHEAD, stats->from, stats->to);
            tt_thread_sum(timelines, thread, stats->from, stats->to, &sums);
            stats->threads[thread].run = sums.ticks[TT_CLASS_RUNNING] - sums.irq;
            stats->threads[thread].in = sums.in;
            stats->threads[thread].ran = sums.ticks[TT_CLASS_RUNNING] > 0;
        }
        if (!stats->delays || delays_on(stats, timelines, thread)) {
            stats->done++;
            stats->delay_from = stats->from;
        }
    }
    return tt_row_stats_complete(stats);
}

static bool sum_processes(struct tt_row_stats *stats, const struct tt_capture *capture)
{
    uint32_t processes = tt_process_count(capture);
    if (processes > stats->process_room) {
        struct tt_lane_number *more = realloc(stats->processes, processes * sizeof *more);
        if (!more) {
            return false;
        }
        stats->processes = more;
        stats->process_room = processes;
    }
    memset(stats->processes, 0, processes * sizeof *stats->processes);
    for (uint32_t i = 0; i < stats->count; i++) {
        uint32_t process = tt_thread_at(capture, i)->process;
        if (process < processes) {
            struct tt_lane_number *sum = &stats->processes[process];
            const struct tt_lane_number *more = &stats->threads[i];
            sum->run += more->run;
            sum->in += more->in;
            sum->delay_max = more->delay_max > sum->delay_max ? more->delay_max : sum->delay_max;
        }
    }
    stats->process_count = processes;
    return true;
}

bool tt_row_stats_add_up(struct tt_row_stats *stats, const struct tt_capture *capture)
{
    return tt_row_stats_complete(stats) &&
           (stats->process_count > 0 || sum_processes(stats, capture));
}

const struct tt_lane_number *tt_row_stats_process(const struct tt_row_stats *stats,
                                                  uint32_t process)
{
    return tt_row_stats_complete(stats) && process < stats->process_count
               ? &stats->processes[process]
               : NULL;
}

void tt_row_stats_free(struct tt_row_stats *stats)
{
    free(stats->threads);
    free(stats->processes);
    tt_delays_free(&stats->scratch);
    memset(stats, 0, sizeof *stats);
}
