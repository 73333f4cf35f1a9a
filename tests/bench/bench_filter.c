/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_filter: measures the events per second that a filter tests on an indexed capture, with all
 * processors.
 *
 *      bench_filter ROUNDS FILE FILTER...     prints one JSON object per line, one per filter
 *
 * The fastest round counts; a round includes the plan.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tracetui/filter.h"

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const char *what, const struct tt_status *status)
{
    fprintf(stderr, "bench_filter: %s: %s\n", what, status->text);
    exit(2);
}

struct run {
    double seconds;
    double cpu_seconds;
    uint64_t rows;
    uint64_t matches;
    uint64_t undecided;
};

static struct run run_once(struct tt_trace *trace, struct tt_events *events, const char *text)
{
    struct run run;
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    struct tt_filter_result *result;
    double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    if (!tt_filter_parse(text, &filter, &error) ||
        !tt_filter_plan_new(filter, trace, events, &plan, &error)) {
        fail(text, &error.status);
    }
    struct tt_status status = tt_filter_start(plan, 0, NULL, NULL, &result);
    if (tt_failed(&status)) {
        fail(text, &status);
    }
    status = tt_filter_wait(result);
    if (tt_failed(&status)) {
        fail(text, &status);
    }
    run.seconds = now(CLOCK_MONOTONIC) - start;
    run.cpu_seconds = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    run.rows = tt_filter_result_rows(result);
    run.matches = tt_filter_result_count(result);
    run.undecided = tt_filter_result_undecided(result);
    tt_filter_result_free(result);
    tt_filter_plan_free(plan);
    tt_filter_free(filter);
    return run;
}

static void bench(struct tt_trace *trace, struct tt_events *events, const char *text, int rounds)
{
    struct run best = run_once(trace, events, text);
    for (int i = 1; i < rounds; i++) {
        struct run run = run_once(trace, events, text);
        double cpu = run.cpu_seconds < best.cpu_seconds ? run.cpu_seconds : best.cpu_seconds;
        best = run.seconds < best.seconds ? run : best;
        best.cpu_seconds = cpu;
    }
    printf("{\"filter\":\"");
    for (const char *p = text; *p; p++) {
        printf(*p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    }
    printf("\",\"events\":%llu,\"matches\":%llu,\"undecided\":%llu,\"seconds\":%.6f,"
           "\"cpu_seconds\":%.6f,\"m_events_s\":%.2f}\n",
           (unsigned long long)best.rows, (unsigned long long)best.matches,
           (unsigned long long)best.undecided, best.seconds, best.cpu_seconds,
           (double)best.rows / best.seconds / 1e6);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: bench_filter ROUNDS FILE FILTER...\n");
        return 2;
    }
    struct tt_trace *trace;
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(argv[2], &options, &trace);
    if (tt_failed(&status)) {
        fail(argv[2], &status);
    }
    status = tt_trace_index(trace);
    if (tt_failed(&status)) {
        fail(argv[2], &status);
    }
    struct tt_events *events = tt_events_new(trace);
    if (!events) {
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        bench(trace, events, argv[i], atoi(argv[1]));
    }
    tt_events_free(events);
    tt_trace_close(trace);
    return 0;
}
