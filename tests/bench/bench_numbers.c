/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What timelines cost and how soon they answer: bytes an event and an interval, and the numbers of
 * random ranges of a capture: sums of all threads and CPUs, pairs, percentiles of all threads.
 *
 *      bench_numbers FILE [RANGES]     prints one JSON object
 *
 * Half of the ranges are any part of the capture, half are zoomed in by random powers of two. The
 * first answer of pairs and percentiles is what a screen shows after its first step of work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tracetui/sheet.h"
#include "tracetui/slices.h"

#define STEP_WORK 200000u /* as the Summary view takes it */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_numbers: %s\n", what);
    exit(2);
}

static uint64_t dice(uint64_t below)
{
    static uint64_t seed = 1;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

static void random_range(const struct tt_timelines *t, uint64_t *from, uint64_t *to)
{
    uint64_t begin = tt_timelines_begin(t), span = tt_timelines_end(t) + 1 - begin;
    uint64_t length = dice(2) ? dice(span) : span >> dice(20);
    *from = begin + dice(span - length + 1);
    *to = *from + length;
}

struct times {
    double *v;
    int count;
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void print_times(const char *name, struct times *times)
{
    qsort(times->v, (size_t)times->count, sizeof *times->v, compare);
    printf(",\"%s\":{\"median_ms\":%.3f,\"max_ms\":%.3f}", name, times->v[times->count / 2] * 1e3,
           times->v[times->count - 1] * 1e3);
}

static double sums_of_range(const struct tt_timelines *t, uint32_t threads, uint64_t *sink)
{
    uint64_t from, to;
    random_range(t, &from, &to);
    double start = now();
    for (uint32_t i = 0; i < threads; i++) {
        struct tt_thread_sums sums;
        tt_thread_sum_soon(t, i + TT_SUMS_AHEAD, from, to);
        tt_thread_sum(t, i, from, to, &sums);
        *sink += sums.ticks[TT_CLASS_RUNNING];
    }
    for (uint32_t i = 0; i < tt_cpu_count(t); i++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(t, (uint16_t)i, from, to, &sums);
        *sink += sums.busy;
    }
    return now() - start;
}

/* A sheet of a random range; *first: after one step. */
static double sheet_of_range(struct tt_trace *trace, struct tt_events *events, enum tt_stats_by by,
                             double *first)
{
    struct tt_stat_wish wish = {.by = by, .trace = trace, .events = events};
    struct tt_stat_sheet sheet;
    struct tt_key_range keys = {.from_pos = 0, .to_pos = 0};
    random_range(tt_trace_timelines(trace), &keys.from_ticks, &keys.to_ticks);
    double start = now();
    tt_stat_wish_range(&wish, &keys);
    struct tt_status status = tt_stat_sheet_begin(&sheet, &wish);
    status = tt_failed(&status) ? status : tt_stat_sheet_step(&sheet, STEP_WORK);
    *first = now() - start;
    while (!tt_failed(&status) && !sheet.complete) {
        status = tt_stat_sheet_step(&sheet, STEP_WORK);
    }
    double seconds = now() - start;
    tt_stat_sheet_free(&sheet);
    if (tt_failed(&status)) {
        fail(status.text);
    }
    return seconds;
}

static void measure_sheets(struct tt_trace *trace, struct tt_events *events, enum tt_stats_by by,
                           const char *name, const char *first_name, struct times *times,
                           struct times *first)
{
    for (int i = 0; i < times->count; i++) {
        times->v[i] = sheet_of_range(trace, events, by, &first->v[i]);
    }
    print_times(name, times);
    print_times(first_name, first);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_numbers FILE [RANGES]\n");
        return 2;
    }
    struct tt_trace *trace;
    struct times times = {.count = argc > 2 ? atoi(argv[2]) : 41}, first = times;
    times.v = calloc((size_t)times.count, sizeof *times.v);
    first.v = calloc((size_t)first.count, sizeof *first.v);
    struct tt_status status = tt_trace_open(argv[1], NULL, &trace);
    if (tt_failed(&status) || !times.v || !first.v || times.count < 1) {
        fail(tt_failed(&status) ? status.text : "no memory");
    }
    double start = now();
    status = tt_trace_index(trace);
    double seconds = now() - start;
    struct tt_events *events = tt_events_new(trace);
    if (tt_failed(&status) || !events) {
        fail(tt_failed(&status) ? status.text : "no memory");
    }
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_progress p = tt_trace_progress(trace);
    uint32_t threads = tt_thread_count(tt_trace_capture(trace));
    double intervals = (double)tt_timelines_intervals(t) + (double)tt_slices_total(t);
    uint64_t sink = 0;
    printf("{\"events\":%llu,\"threads\":%u,\"cpus\":%u,\"intervals\":%.0f,"
           "\"events_m_s\":%.2f,\"bytes_an_event\":%.3f,\"bytes_an_interval\":%.3f",
           (unsigned long long)p.events, threads, tt_cpu_count(t), intervals,
           (double)p.events / seconds / 1e6, (double)tt_trace_memory(trace) / (double)p.events,
           (double)tt_timelines_memory(t) / intervals);
    for (int i = 0; i < times.count; i++) {
        times.v[i] = sums_of_range(t, threads, &sink);
    }
    print_times("sums", &times);
    measure_sheets(trace, events, TT_STATS_BY_PAIR, "pairs", "pairs_first", &times, &first);
    measure_sheets(trace, events, TT_STATS_BY_THREAD, "percentiles", "percentiles_first", &times,
                   &first);
    printf(",\"sink\":%llu}\n", (unsigned long long)(sink & 1));
    tt_events_free(events);
    tt_trace_close(trace);
    free(times.v);
    free(first.v);
    return 0;
}
