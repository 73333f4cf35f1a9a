/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_ranges: measures the tables of ranges at the begin, in the middle and at the end of a
 * capture: processor time until the first rows, and the slowest step.
 *
 *      bench_ranges FILE [RANGES [TABLE...]]     prints one line per table:
 *                                                table first_median_ms first_max_ms step_max_ms rows
 *
 * RANGES (4) is the number of ranges at each of the three places; the first is half of the capture, the
 * others are random parts of it. Tables are computed as in the program: in steps, with the rows listed
 * after each slice. A table without rows counts until it is complete, or until the limit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/platform.h"
#include "table/registry.h"
#include "tracetui/table.h"

/* The values of the Summary view (src/tui/views/summary/table.c). */
#define STEP_WORK   4000u
#define SLICE       0.002
#define ROWS_MOST   2000u
#define LIMIT       5.0 /* seconds of one table */
#define RANGES_MOST 1000

static const struct tt_table *const tables[] = {
    &tt_table_jobs,     &tt_table_interrupts, &tt_table_blame,           &tt_table_inversions,
    &tt_table_threads,  &tt_table_processes,  &tt_table_pairs,           &tt_table_event_names,
    &tt_table_services, &tt_table_total,      &tt_table_profile,         &tt_table_message_pairs,
    &tt_table_servers,  &tt_table_channels,   &tt_table_clients,         &tt_table_objects,
    &tt_table_matrix,   &tt_table_imposed,    &tt_table_single_messages,
};

static double own(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_ranges: %s\n", what);
    exit(2);
}

static uint64_t dice(uint64_t *seed, uint64_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (*seed >> 16) % below : 0;
}

/* Returns range `number` at a place: 0 begin, 1 middle, 2 end. */
static struct tt_key_range range_at(const struct tt_timelines *t, int place, int number,
                                    uint64_t *seed)
{
    uint64_t begin = tt_timelines_begin(t), span = tt_timelines_end(t) + 1 - begin;
    uint64_t length = number == 0 ? span / 2 : span >> (1 + dice(seed, 16));
    uint64_t from = begin + (place == 0 ? 0 : place == 1 ? span / 2 - length / 2 : span - length);
    return (struct tt_key_range){.from_ticks = from, .to_ticks = from + length};
}

struct answer {
    double first;
    double step;
    size_t rows;
};

static struct answer ask(struct tt_trace *trace, struct tt_events *events,
                         const struct tt_table *by, const struct tt_key_range *keys)
{
    struct tt_table_request request = {.table = by,
                                       .trace = trace,
                                       .events = events,
                                       .row_limit = ROWS_MOST,
                                       .with_clients = by == &tt_table_message_pairs};
    struct tt_table_run sheet;
    struct answer a = {0};
    double start = own();
    tt_table_request_range(&request, keys);
    struct tt_status status =
        tt_job_ends_parse(tt_trace_capture(trace)->format, NULL, &request.job_ends);
    status = tt_failed(&status) ? status : tt_table_begin(&sheet, &request);
    while (!tt_failed(&status) && !sheet.complete && sheet.count == 0 && own() - start < LIMIT) {
        double slice = own(), step = slice;
        do {
            status = tt_table_step(&sheet, STEP_WORK);
            double now = own();
            a.step = now - step > a.step ? now - step : a.step;
            step = now;
        } while (!tt_failed(&status) && !sheet.complete && step - slice < SLICE);
        status = tt_failed(&status) ? status : tt_table_refresh(&sheet);
    }
    a.first = own() - start;
    if (tt_failed(&status)) {
        fail(status.text);
    }
    a.rows = sheet.count;
    tt_table_free(&sheet);
    return a;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void measure(struct tt_trace *trace, struct tt_events *events, const struct tt_table *by,
                    int ranges)
{
    static double first[3 * RANGES_MOST];
    uint64_t seed = 1;
    double step = 0;
    size_t rows = 0;
    int count = 0;
    for (int place = 0; place < 3; place++) {
        for (int i = 0; i < ranges; i++) {
            struct tt_key_range keys = range_at(tt_trace_timelines(trace), place, i, &seed);
            struct answer a = ask(trace, events, by, &keys);
            first[count++] = a.first * 1e3;
            step = a.step > step ? a.step : step;
            rows += a.rows;
        }
    }
    qsort(first, (size_t)count, sizeof *first, compare);
    printf("%s %.2f %.2f %.2f %zu\n", by->name, first[count / 2], first[count - 1], step * 1e3,
           rows);
    fflush(stdout);
}

static bool is_asked(const char *name, int argc, char **argv)
{
    bool asked = argc <= 3;
    for (int i = 3; i < argc; i++) {
        asked |= strcmp(argv[i], name) == 0;
    }
    return asked;
}

int main(int argc, char **argv)
{
    struct tt_trace_options options = {.cache = {.on = true}};
    struct tt_trace *trace;
    int ranges = argc > 2 ? atoi(argv[2]) : 4;
    if (argc < 2 || ranges < 1 || ranges > RANGES_MOST) {
        fprintf(stderr, "usage: bench_ranges FILE [RANGES [TABLE...]]\n");
        return 2;
    }
    tt_platform_separate_large_allocations(); /* as the program does */
    struct tt_status status = tt_trace_open(argv[1], &options, &trace);
    status = tt_failed(&status) ? status : tt_trace_index(trace);
    struct tt_events *events = tt_failed(&status) ? NULL : tt_events_new(trace);
    if (!events) {
        fail(tt_failed(&status) ? status.text : "no memory");
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (is_asked(tables[i]->name, argc, argv)) {
            measure(trace, events, tables[i], ranges);
        }
    }
    tt_events_free(events);
    tt_trace_close(trace);
    return 0;
}
