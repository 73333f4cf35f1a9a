/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_numbers: measures timelines: bytes per event and per interval, and the time for the numbers
 * of random ranges of a capture: sums of all threads and CPUs, pairs, percentiles of all threads,
 * events.
 *
 *      bench_numbers FILE [RANGES]     prints one JSON object
 *
 * Half of the ranges are any part of the capture, half are zoomed in by random powers of two.
 * Sheets are computed as in the Summary view: in steps until a slice is over, and freed in slices as
 * well. The first answer is the screen after the first slice. The slowest step of work and of freeing
 * bound the latency of a key; they are in CPU time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/causes/explain.h"
#include "base/platform.h"
#include "table/registry.h"
#include "tracetui/slices.h"
#include "tracetui/table.h"

/* The values of the Summary view (src/tui/views/summary/table.c, src/tui/app/event_loop.c). */
#define STEP_WORK  4000u
#define STEP_BYTES ((size_t)1 << 20)
#define SLICE      0.002
#define PAIRS_MOST 2000u

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns the CPU time of this thread: wall time includes other programs. */
static double own(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
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
        tt_thread_sum_prefetch(t, i + TT_SUMS_AHEAD, from, to);
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

struct sheet_times {
    double first, all;   /* elapsed */
    double step, shrink; /* the slowest ones */
};

static void keep_slowest(double *slowest, double since)
{
    double took = own() - since;
    *slowest = took > *slowest ? took : *slowest;
}

/* Frees the sheet as the view does: parts of it between two steps, and the rest at once. */
static void free_in_parts(struct tt_table_run *sheet, struct sheet_times *times)
{
    for (bool more = true; more;) {
        double start = own();
        more = tt_table_shrink(sheet, STEP_BYTES);
        if (!more) {
            tt_table_free(sheet);
        }
        keep_slowest(&times->shrink, start);
    }
}

/* Computes a sheet of a random range. */
static struct sheet_times sheet_of_range(struct tt_trace *trace, struct tt_events *events,
                                         const struct tt_table *by)
{
    struct tt_table_request request = {
        .table = by, .trace = trace, .events = events, .row_limit = PAIRS_MOST};
    struct tt_table_run sheet;
    struct tt_key_range keys = {.from_pos = 0, .to_pos = 0};
    struct sheet_times times = {.first = 0};
    random_range(tt_trace_timelines(trace), &keys.from_ticks, &keys.to_ticks);
    double start = now(), step = own();
    tt_table_request_range(&request, &keys);
    struct tt_status status = tt_table_begin(&sheet, &request);
    do {
        status = tt_failed(&status) ? status : tt_table_step(&sheet, STEP_WORK);
        keep_slowest(&times.step, step);
        step = own();
        if (times.first == 0 && now() - start >= SLICE) {
            times.first = now() - start;
        }
    } while (!tt_failed(&status) && !sheet.complete);
    times.all = now() - start;
    times.first = times.first > 0 ? times.first : times.all;
    if (tt_failed(&status)) {
        fail(status.text);
    }
    free_in_parts(&sheet, &times);
    return times;
}

static void measure_sheets(struct tt_trace *trace, struct tt_events *events,
                           const struct tt_table *by, const char *name, struct times parts[4])
{
    static const char *const what[4] = {"", "_first", "_step", "_freeing"};
    for (int i = 0; i < parts[0].count; i++) {
        struct sheet_times t = sheet_of_range(trace, events, by);
        parts[0].v[i] = t.all;
        parts[1].v[i] = t.first;
        parts[2].v[i] = t.step;
        parts[3].v[i] = t.shrink;
    }
    for (int i = 0; i < 4; i++) {
        char full[64];
        snprintf(full, sizeof full, "%s%s", name, what[i]);
        print_times(full, &parts[i]);
    }
}

#define WORST       5u
#define WORST_TIMES 5

struct worst {
    struct tt_late_interval items[WORST];
    uint64_t least; /* ticks of the last one */
};

static bool keep_worst(void *arg, const struct tt_late_interval *interval)
{
    struct worst *w = arg;
    for (unsigned i = 0; i < WORST; i++) {
        if (w->items[i].to == 0 || tt_late_compare(interval, &w->items[i]) < 0) {
            memmove(w->items + i + 1, w->items + i, (WORST - 1 - i) * sizeof *w->items);
            w->items[i] = *interval;
            break;
        }
    }
    w->least = w->items[WORST - 1].to - w->items[WORST - 1].from;
    return true;
}

/* Measures the search for the longest delays of all threads, and their explanations. */
static void measure_worst(struct tt_trace *trace, struct times *times)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_capture *c = tt_trace_capture(trace);
    struct tt_wakes *wakes = tt_wakes_new(trace);
    struct tt_explanation e = {0};
    if (!wakes) {
        fail("no memory");
    }
    for (int i = 0; i < times->count; i++) {
        struct worst worst = {.least = 0};
        double start = own();
        for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
            if (!tt_thread_at(c, thread)->idle) {
                tt_late_intervals_long(t, c, TT_LATE_DELAY, thread, 0, UINT64_MAX, &worst.least,
                                       keep_worst, &worst);
            }
        }
        for (unsigned k = 0; k < WORST && worst.items[k].to > 0; k++) {
            const struct tt_late_interval *late = &worst.items[k];
            struct tt_explain_request request = {late->thread, late->from, late->to, 0, 0};
            if (!tt_explain(wakes, &request, &e)) {
                fail("no memory");
            }
        }
        times->v[i] = own() - start;
    }
    print_times("worst_delays", times);
    tt_explanation_free(&e);
    tt_wakes_free(wakes);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_numbers FILE [RANGES]\n");
        return 2;
    }
    tt_platform_separate_large_allocations(); /* as the program does */
    struct tt_trace *trace;
    struct times parts[4];
    int ranges = argc > 2 && atoi(argv[2]) > 0 ? atoi(argv[2]) : 41;
    double *room = calloc((size_t)ranges * 4, sizeof *room);
    struct tt_status status = tt_trace_open(argv[1], NULL, &trace);
    if (tt_failed(&status) || !room) {
        fail(tt_failed(&status) ? status.text : "no memory");
    }
    for (int i = 0; i < 4; i++) {
        parts[i] = (struct times){room + i * ranges, ranges};
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
    for (int i = 0; i < ranges; i++) {
        parts[0].v[i] = sums_of_range(t, threads, &sink);
    }
    print_times("sums", &parts[0]);
    measure_sheets(trace, events, &tt_table_pairs, "pairs", parts);
    measure_sheets(trace, events, &tt_table_threads, "percentiles", parts);
    measure_sheets(trace, events, &tt_table_event_names, "event_names", parts);
    parts[0].count = ranges < WORST_TIMES ? ranges : WORST_TIMES;
    measure_worst(trace, &parts[0]);
    printf(",\"sink\":%llu}\n", (unsigned long long)(sink & 1));
    tt_events_free(events);
    tt_trace_close(trace);
    free(room);
    return 0;
}
