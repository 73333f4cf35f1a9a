/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_jobs: measures the tables of jobs, interrupts and measurements of a whole capture: the time
 * to the first rows and to the complete table, the slowest step, and the memory beside the index.
 *
 *      bench_jobs FILE     prints one JSON object
 *
 * Tables are computed as in the Summary view, in steps until a slice is over; the first rows are
 * those after the first slice. Times are elapsed times and processor times (cpu_ms).
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/measure.h"
#include "base/platform.h"
#include "table/registry.h"
#include "tracetui/filter.h"
#include "tracetui/table.h"

/* The values of the Summary view (src/tui/views/summary/table.c). */
#define STEP_WORK 4000u
#define SLICE     0.002

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_jobs: %s\n", what);
    exit(2);
}

/* Returns the bytes that the program has allocated; 0 if the C library does not count them. */
static size_t allocated(void)
{
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

/* Returns the bytes of the index, with its timelines. */
static uint64_t index_bytes(struct tt_trace *trace)
{
    return tt_trace_memory(trace) + tt_timelines_memory(tt_trace_timelines(trace));
}

static void print(const char *name, double first, double all, double cpu, double step, size_t bytes,
                  uint64_t index)
{
    printf(",\"%s\":{\"first_ms\":%.1f,\"all_ms\":%.0f,\"cpu_ms\":%.0f,\"step_ms\":%.2f,"
           "\"memory_of_index\":%.3f}",
           name, first * 1e3, all * 1e3, cpu * 1e3, step * 1e3, (double)bytes / (double)index);
}

static void measure_sheet(struct tt_trace *trace, struct tt_events *events,
                          const struct tt_table *by, const char *name)
{
    struct tt_table_request request = {.table = by, .trace = trace, .events = events};
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct tt_table_run sheet;
    double start = clock_of(CLOCK_MONOTONIC), own = clock_of(CLOCK_THREAD_CPUTIME_ID), first = 0,
           slowest = 0;
    size_t before = allocated(), most = before;
    tt_table_request_range(&request, &all);
    struct tt_status status =
        tt_job_ends_parse(tt_trace_capture(trace)->format, NULL, &request.job_ends);
    if (!tt_failed(&status)) {
        status = tt_table_begin(&sheet, &request);
    }
    while (!tt_failed(&status) && !sheet.complete) {
        double step = clock_of(CLOCK_THREAD_CPUTIME_ID);
        status = tt_table_step(&sheet, STEP_WORK);
        step = clock_of(CLOCK_THREAD_CPUTIME_ID) - step;
        slowest = step > slowest ? step : slowest;
        if (first == 0 && clock_of(CLOCK_MONOTONIC) - start >= SLICE) {
            first = clock_of(CLOCK_MONOTONIC) - start;
        }
        size_t bytes = slowest == step || sheet.complete ? allocated() : most;
        most = bytes > most ? bytes : most;
    }
    if (tt_failed(&status)) {
        fail(status.text);
    }
    print(name, first, clock_of(CLOCK_MONOTONIC) - start, clock_of(CLOCK_THREAD_CPUTIME_ID) - own,
          slowest, most - before, index_bytes(trace));
    tt_table_free(&sheet);
}

static struct tt_filter_worker *worker_of(const char *text, struct tt_trace *trace,
                                          struct tt_events *events, struct tt_filter **filter,
                                          struct tt_filter_plan **plan)
{
    struct tt_filter_error error;
    if (!tt_filter_parse(text, filter, &error) ||
        !tt_filter_plan_new(*filter, trace, events, plan, &error)) {
        fail(error.status.text);
    }
    return tt_filter_worker_new(*plan, events);
}

/* Measures the time of all kernel calls, from their begin to their end. */
static void measure_pairs(struct tt_trace *trace, struct tt_events *events)
{
    static struct tt_event block[TT_FILTER_BLOCK];
    uint64_t bits[2][TT_FILTER_WORDS];
    struct tt_filter *filters[2];
    struct tt_filter_plan *plans[2];
    struct tt_filter_worker *const workers[2] = {
        worker_of("kind = enter", trace, events, &filters[0], &plans[0]),
        worker_of("kind = exit", trace, events, &filters[1], &plans[1])};
    const struct tt_measure_request request = {.same = TT_MEASURE_THREAD};
    struct tt_measure_result result;
    double start = clock_of(CLOCK_MONOTONIC), own = clock_of(CLOCK_THREAD_CPUTIME_ID), first = 0;
    size_t before = allocated();
    struct tt_measure *m = tt_measure_new(trace, &request);
    uint32_t count;
    if (!m || !workers[0] || !workers[1]) {
        fail("no memory");
    }
    for (uint64_t row = 0; (count = tt_events_read(events, row, TT_FILTER_BLOCK, block)) > 0;) {
        for (int i = 0; i < 2; i++) {
            tt_filter_test(workers[i], block, row, count, bits[i]);
        }
        if (!tt_measure_add(m, events, block, row, count, bits[0], bits[1], NULL, NULL)) {
            fail("no memory");
        }
        tt_events_release_pages(events, block, count);
        row += count;
        if (first == 0 && clock_of(CLOCK_MONOTONIC) - start >= SLICE) {
            first = clock_of(CLOCK_MONOTONIC) - start;
        }
    }
    tt_measure_result(m, &result);
    print("measure", first, clock_of(CLOCK_MONOTONIC) - start,
          clock_of(CLOCK_THREAD_CPUTIME_ID) - own, 0, allocated() - before, index_bytes(trace));
    printf(",\"pairs\":%llu", (unsigned long long)result.length.count);
    for (int i = 0; i < 2; i++) {
        tt_filter_worker_free(workers[i]);
        tt_filter_plan_free(plans[i]);
        tt_filter_free(filters[i]);
    }
    tt_measure_free(m);
}

int main(int argc, char **argv)
{
    struct tt_trace *trace;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_jobs FILE\n");
        return 2;
    }
    tt_platform_separate_large_allocations(); /* as the program does */
    struct tt_status status = tt_trace_open(argv[1], NULL, &trace);
    if (tt_failed(&status)) {
        fail(status.text);
    }
    status = tt_trace_index(trace);
    struct tt_events *events = tt_events_new(trace);
    if (tt_failed(&status) || !events) {
        fail(tt_failed(&status) ? status.text : "no memory");
    }
    struct tt_progress p = tt_trace_progress(trace);
    printf("{\"events\":%llu,\"index_mb\":%.0f", (unsigned long long)p.events,
           (double)index_bytes(trace) / 1e6);
    measure_sheet(trace, events, &tt_table_jobs, "jobs");
    measure_sheet(trace, events, &tt_table_interrupts, "interrupts");
    measure_pairs(trace, events);
    printf("}\n");
    tt_events_free(events);
    tt_trace_close(trace);
    return 0;
}
