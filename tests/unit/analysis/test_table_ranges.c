/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the parts of a capture. Interrupts: their numbers add up to those of the whole, which is read
 * from its first event on; in any steps; and watched periods come in the order of time. The first rows
 * of a table exist after a few steps, wherever the part begins.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/interrupts.h"
#include "table/registry.h"
#include "tracetui/table.h"

#define PARTS 3

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

struct scene {
    const char *path;
    struct tt_trace *trace;
    struct tt_events *events;
};

static struct tt_interrupt_stats *begin(const struct scene *s, uint64_t first_row, uint64_t end_row)
{
    struct tt_event_window w = {.first_row = first_row, .end_row = end_row, .to = UINT64_MAX};
    struct tt_interrupt_stats *stats = tt_interrupt_stats_new(s->trace, &w);
    cr_assert_not_null(stats);
    return stats;
}

static void finish(const struct scene *s, struct tt_interrupt_stats *stats)
{
    for (bool done = false; !done;) {
        struct tt_status status = tt_interrupt_stats_step(stats, s->events, 1 + dice(5000), &done);
        cr_assert(!tt_failed(&status), "%s", s->path);
        cr_assert_leq(tt_interrupt_stats_percent(stats), 99, "%s", s->path);
    }
    cr_assert(tt_interrupt_stats_name(stats), "%s", s->path);
}

static struct tt_interrupt_numbers numbers_of(struct tt_interrupt_stats *stats,
                                              const struct tt_interrupt_numbers *like)
{
    struct tt_interrupt_numbers none = {.key = like->key};
    for (size_t i = 0; i < tt_interrupt_stats_count(stats); i++) {
        struct tt_interrupt_numbers n = tt_interrupt_stats_counted(stats, i);
        if (n.key.vector == like->key.vector && strcmp(n.key.event, like->key.event) == 0) {
            return n;
        }
    }
    return none;
}

static void add(struct tt_distribution *sum, const struct tt_distribution *part)
{
    if (part->count > 0 && (sum->count == 0 || part->max > sum->max)) {
        sum->max = part->max;
        sum->max_at = part->max_at;
    }
    sum->count += part->count;
    sum->sum += part->sum;
}

static void check_same(const struct scene *s, const struct tt_distribution *whole,
                       const struct tt_distribution *parts)
{
    cr_assert_eq(whole->count, parts->count, "%s", s->path);
    cr_assert_eq(whole->sum, parts->sum, "%s", s->path);
    cr_assert_eq(whole->max, parts->max, "%s", s->path);
    cr_assert_eq(whole->max_at, parts->max_at, "%s", s->path);
}

static void check_row(const struct scene *s, const struct tt_interrupt_numbers *whole,
                      struct tt_interrupt_stats *const parts[PARTS])
{
    struct tt_interrupt_numbers sum = {0};
    for (int i = 0; i < PARTS; i++) {
        struct tt_interrupt_numbers n = numbers_of(parts[i], whole);
        sum.count += n.count;
        sum.nested += n.nested;
        sum.wakes += n.wakes;
        sum.depth = n.depth > sum.depth ? n.depth : sum.depth;
        add(&sum.period, &n.period);
        add(&sum.duration, &n.duration);
        add(&sum.handler, &n.handler);
    }
    cr_assert_eq(whole->count, sum.count, "%s", s->path);
    cr_assert_eq(whole->nested, sum.nested, "%s", s->path);
    cr_assert_eq(whole->depth, sum.depth, "%s", s->path);
    cr_assert(whole->wakes == TT_INTERRUPT_UNKNOWN || whole->wakes == sum.wakes, "%s", s->path);
    check_same(s, &whole->period, &sum.period);
    check_same(s, &whole->duration, &sum.duration);
    check_same(s, &whole->handler, &sum.handler);
}

struct watched {
    uint64_t count;
    uint64_t sum;
    uint64_t last;
};

static bool take(void *arg, uint64_t length, uint64_t end, uint32_t thread)
{
    struct watched *w = arg;
    cr_assert(w->count == 0 || end >= w->last);
    cr_assert_eq(thread, TT_NO_THREAD);
    w->count++;
    w->sum += length;
    w->last = end;
    return true;
}

static void check_watched(const struct scene *s, uint64_t first_row, uint64_t end_row,
                          const struct tt_interrupt_numbers *n)
{
    struct watched watched = {0};
    struct tt_sample_sink sink = {.take = take, .arg = &watched};
    struct tt_interrupt_stats *stats = begin(s, first_row, end_row);
    tt_interrupt_stats_watch(stats, &n->key, TT_INTERRUPT_PERIODS, &sink);
    finish(s, stats);
    cr_assert_eq(watched.count, n->period.count, "%s", s->path);
    cr_assert_eq(watched.sum, n->period.sum, "%s", s->path);
    tt_interrupt_stats_free(stats);
}

static void check_parts(const struct scene *s, struct tt_interrupt_stats *whole)
{
    uint64_t rows = tt_events_rows(s->events), a = dice(rows), b = a + dice(rows - a);
    const uint64_t edges[PARTS + 1] = {0, a, b, rows};
    struct tt_interrupt_stats *parts[PARTS];
    for (int i = 0; i < PARTS; i++) {
        parts[i] = begin(s, edges[i], edges[i + 1]);
        finish(s, parts[i]);
        for (size_t k = 0; k < tt_interrupt_stats_count(parts[i]); k++) {
            struct tt_interrupt_numbers n = tt_interrupt_stats_counted(parts[i], k);
            if (dice(8) == 0) {
                check_watched(s, edges[i], edges[i + 1], &n);
            }
        }
    }
    for (size_t i = 0; i < tt_interrupt_stats_count(whole); i++) {
        struct tt_interrupt_numbers n = tt_interrupt_stats_counted(whole, i);
        check_row(s, &n, parts);
    }
    for (int i = 0; i < PARTS; i++) {
        tt_interrupt_stats_free(parts[i]);
    }
}

static void check_capture(const char *path)
{
    struct scene s = {.path = path};
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(path, &options, &s.trace);
    if (tt_failed(&status)) {
        return; /* a damaged one */
    }
    status = tt_trace_index(s.trace);
    s.events = tt_events_new(s.trace);
    cr_assert(!tt_failed(&status) && s.events, "%s", path);
    struct tt_interrupt_stats *whole = begin(&s, 0, tt_events_rows(s.events));
    finish(&s, whole);
    for (int i = 0; i < 12 && tt_events_rows(s.events) > 0; i++) {
        check_parts(&s, whole);
    }
    tt_interrupt_stats_free(whole);
    tt_events_free(s.events);
    tt_trace_close(s.trace);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 3;
}

TestSuite(table_ranges, .init = begin_seed);

Test(table_ranges, parts_add_up_to_the_whole)
{
    static const char *const patterns[] = {"samples/*.kev", "samples/*.trx", "samples/*.btrace"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t found;
        cr_assert_eq(glob(patterns[i], 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++) {
            check_capture(found.gl_pathv[k]);
        }
        globfree(&found);
    }
}

/* ---- first rows ----------------------------------------------------------------------------- */

#define SMALL_STEP 64u
#define FEW_STEPS  8u

static void begin_sheet(const struct scene *s, const struct tt_table *by,
                        struct tt_table_run *sheet)
{
    const struct tt_timelines *t = tt_trace_timelines(s->trace);
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t);
    struct tt_key_range keys = {begin + (end - begin) / 2, 0, UINT64_MAX, UINT64_MAX};
    struct tt_table_request request = {.table = by, .trace = s->trace, .events = s->events};
    tt_table_request_range(&request, &keys);
    cr_assert(tt_table_begin(sheet, &request).code == TT_OK);
}

static void step(struct tt_table_run *sheet, uint64_t work)
{
    cr_assert(tt_table_step(sheet, work).code == TT_OK);
    cr_assert(tt_table_refresh(sheet).code == TT_OK);
}

/* Returns the sum of the distribution of a column, also in rows that are not settled; 0: no such column. */
static uint64_t sum_of(const struct tt_table *table, const void *row, const char *key)
{
    const struct tt_table_column *column = tt_table_column_of(table, key);
    const struct tt_distribution *its =
        column ? (const void *)((const char *)row + column->distribution) : NULL;
    return its ? its->sum : 0;
}

/* Compares the numbers of two sheets of events, interrupts or causes. */
static void check_counts(const struct tt_table_run *a, const struct tt_table_run *b)
{
    cr_assert_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        struct tt_table_row x, y;
        tt_table_row_at(a, i, &x);
        tt_table_row_at(b, i, &y);
        cr_assert(tt_subject_is(&x.of, &y.of));
        cr_assert_eq(tt_table_number(a->table, &x, "total"),
                     tt_table_number(b->table, &y, "total"));
        cr_assert_eq(tt_table_number(a->table, &x, "count"),
                     tt_table_number(b->table, &y, "count"));
        cr_assert_eq(sum_of(a->table, &x, "period_mean"), sum_of(b->table, &y, "period_mean"));
        cr_assert_eq(sum_of(a->table, &x, "duration_mean"), sum_of(b->table, &y, "duration_mean"));
    }
}

static void check_first_rows(const struct scene *s, const struct tt_table *by)
{
    struct tt_table_run stepped, whole;
    begin_sheet(s, by, &stepped);
    begin_sheet(s, by, &whole);
    for (unsigned i = 0; i < FEW_STEPS; i++) {
        step(&stepped, SMALL_STEP);
    }
    cr_assert_gt(stepped.count, 0, "table %s", by->name);
    cr_assert(!stepped.complete, "table %s", by->name);
    while (!stepped.complete) {
        step(&stepped, SMALL_STEP);
    }
    while (!whole.complete) {
        cr_assert(tt_table_step(&whole, UINT64_MAX).code == TT_OK);
    }
    check_counts(&stepped, &whole);
    tt_table_free(&stepped);
    tt_table_free(&whole);
}

Test(table_ranges, first_rows_do_not_wait_for_the_events_before)
{
    static const struct tt_table *const tables[] = {&tt_table_interrupts, &tt_table_event_names,
                                                    &tt_table_blame};
    struct scene s = {.path = "samples/demo.kev"};
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(s.path, &options, &s.trace);
    status = tt_failed(&status) ? status : tt_trace_index(s.trace);
    cr_assert(!tt_failed(&status));
    s.events = tt_events_new(s.trace);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        check_first_rows(&s, tables[i]);
    }
    tt_events_free(s.events);
    tt_trace_close(s.trace);
}
