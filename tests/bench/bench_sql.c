/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_sql: processor time of two queries, and of the same work in C.
 *
 *     bench_sql CAPTURE      prints: range_ms=... rows=... sum_ms=... c_ms=... sqlite_ms=... intervals=...
 *                            and, for each table of ranges[], NAME_ms=... NAME_rows=...
 *
 * range: 1,000 events in the middle of the capture. NAME: the first 1,000 rows or more of a range
 * that begins in the middle and is as short as that number of rows allows, up to a factor of two.
 * sum: run time by state. sqlite: the same grouping over rows that SQLite generates itself, without
 * the time of generating them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sql/sql.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define NUMBERS "with recursive c(x) as (select 1 union all select x + 1 from c limit %lu) "

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void fail(const struct tt_status *status)
{
    fprintf(stderr, "bench_sql: %s\n", status->text);
    exit(2);
}

/* Runs a query to its end; returns its processor time in ms, and its number of rows. */
static double run(struct tt_sql *sql, const char *text, unsigned long *rows)
{
    struct tt_sql_query *query;
    const char *rest;
    bool row = true;
    double begin = cpu_ms();
    struct tt_status status = tt_sql_prepare(sql, text, &query, &rest, NULL);
    for (*rows = 0; !tt_failed(&status) && row; *rows += row) {
        status = tt_sql_step(query, &row);
    }
    if (tt_failed(&status)) {
        fail(&status);
    }
    tt_sql_query_free(query);
    return cpu_ms() - begin;
}

/* Tables with a time. */
static const char *const ranges[] = {"states", "cpu_time", "switches",   "messages",     "jobs",
                                     "wakes",  "irqs",     "lock_waits", "lock_releases"};

#define RANGE_ROWS 1000u

/* Measures a range of a table from `from` on, at most up to `end`. */
static void measure_range(struct tt_sql *sql, const char *table, uint64_t from, uint64_t end)
{
    unsigned long rows = 0;
    double ms = 0;
    for (uint64_t length = 1024; rows < RANGE_ROWS && length / 2 < end - from; length *= 2) {
        char text[256];
        snprintf(text, sizeof text,
                 "select * from %s where ts_ticks >= %llu and ts_ticks < %llu limit %u", table,
                 (unsigned long long)from, (unsigned long long)(from + length), RANGE_ROWS);
        ms = run(sql, text, &rows);
    }
    printf("%s_ms=%.2f %s_rows=%lu ", table, ms, table, rows);
}

/* Sums the nanoseconds of all intervals by state. */
static double sum_in_c(struct tt_trace *trace, int64_t *total)
{
    static int64_t sums[UINT16_MAX + 1];
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_capture *c = tt_trace_capture(trace);
    double begin = cpu_ms();
    for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
        struct tt_interval_at at;
        struct tt_interval list[TT_INTERVALS];
        bool more = tt_interval_first(t, thread, &at);
        while (more) {
            uint32_t count = tt_intervals_read(t, &at, list, &more);
            for (uint32_t i = 0; i < count; i++) {
                int64_t ns = 0;
                tt_ticks_to_ns(list[i].end - list[i].start, c->clock_hz, &ns);
                sums[list[i].state] += ns;
            }
        }
    }
    for (size_t i = 0; i <= UINT16_MAX; i++) {
        *total += sums[i];
    }
    return cpu_ms() - begin;
}

int main(int argc, char **argv)
{
    struct tt_trace_options options = {.cache = {.on = true}};
    const struct tt_sql_limits limits = {.memory = UINT64_C(8) << 30};
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_event ends[2];
    struct tt_sql *sql;
    if (argc != 2) {
        return 2;
    }
    struct tt_status status = tt_trace_open(argv[1], &options, &trace);
    status = tt_failed(&status) ? status : tt_trace_index(trace);
    if (tt_failed(&status)) {
        fail(&status);
    }
    events = tt_events_new(trace);
    uint64_t middle = events ? tt_events_rows(events) / 2 : 0;
    if (!events || tt_events_read(events, middle, 1, &ends[0]) != 1 ||
        tt_events_read(events, middle + 1000, 1, &ends[1]) != 1) {
        return 2;
    }
    const struct tt_sql_source source = {argv[1], trace, false};
    status = tt_sql_open(&source, 1, &limits, &sql);
    if (tt_failed(&status)) {
        fail(&status);
    }
    char text[256];
    unsigned long rows, ignored, intervals;
    snprintf(text, sizeof text, "select * from events where ts_ticks >= %llu and ts_ticks < %llu",
             (unsigned long long)ends[0].ticks, (unsigned long long)ends[1].ticks);
    double range = run(sql, text, &rows);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        measure_range(sql, ranges[i], ends[0].ticks, tt_trace_progress(trace).last_ticks);
    }
    printf("range_ms=%.2f rows=%lu ", range, rows);
    fflush(stdout); /* the sum takes minutes in a large capture */
    intervals = (unsigned long)tt_timelines_intervals(tt_trace_timelines(trace));
    double sum = run(sql, "select state, sum(dur_ns) from states group by state", &ignored);
    int64_t total = 0;
    double in_c = sum_in_c(trace, &total);
    snprintf(text, sizeof text, NUMBERS "select count(x) from c", intervals);
    double made = run(sql, text, &ignored);
    snprintf(text, sizeof text, NUMBERS "select x %% 12 as s, sum(x) from c group by s", intervals);
    double own = run(sql, text, &ignored) - made;
    printf("sum_ms=%.0f c_ms=%.0f sqlite_ms=%.0f intervals=%lu total_ns=%lld\n", sum, in_c, own,
           intervals, (long long)total);
    tt_sql_close(sql);
    tt_events_free(events);
    tt_trace_close(trace);
    return 0;
}
