/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ready-by and blame: over random windows of samples and real captures the parts add up to the ready
 * and the blocked time of each thread, to the tick; and computing in small steps changes nothing.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/blame.h"
#include "table/registry.h"
#include "tracetui/table.h"

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

struct scene {
    struct tt_trace *trace;
    struct tt_events *events;
    const struct tt_timelines *t;
    const struct tt_capture *c;
};

static void open_scene(struct scene *s, const char *path)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(path, &options, &s->trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(s->trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    s->events = tt_events_new(s->trace);
    s->t = tt_trace_timelines(s->trace);
    s->c = tt_trace_capture(s->trace);
}

static void close_scene(struct scene *s)
{
    tt_events_free(s->events);
    tt_trace_close(s->trace);
}

static void compute(const struct scene *s, const struct tt_table *by, uint64_t from, uint64_t to,
                    uint64_t work, struct tt_table_run *sheet)
{
    struct tt_key_range keys = {from, 0, to, 0};
    struct tt_table_request request = {.table = by, .trace = s->trace, .events = s->events};
    tt_table_request_range(&request, &keys);
    cr_assert(tt_table_begin(sheet, &request).code == TT_OK);
    for (unsigned steps = 0; !sheet->complete; steps++) {
        cr_assert(tt_table_step(sheet, work).code == TT_OK);
        cr_assert(tt_table_refresh(sheet).code == TT_OK);
        cr_assert_leq(tt_table_percent(sheet), 100);
        cr_assert_lt(steps, 50000000);
    }
}

/* Returns the sum of the causes of a row's ready time. */
static uint64_t ready_sum(const struct tt_table *table, const void *row)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        sum += column->is_late ? tt_table_number(table, row, column->key) : 0;
    }
    return sum;
}

/* Compares the rows of threads or processes, made at once and in steps, with their ready time. */
static void check_ready(const struct scene *s, const struct tt_table *by, uint64_t from,
                        uint64_t to)
{
    struct tt_table_run sheet, stepped;
    struct tt_table_row row, again;
    compute(s, by, from, to, UINT64_MAX, &sheet);
    compute(s, by, from, to, 1 + dice(300), &stepped);
    cr_assert_eq(sheet.count, stepped.count);
    for (size_t i = 0; i < sheet.count; i++) {
        tt_table_row_at(&sheet, i, &row);
        tt_table_row_at(&stepped, i, &again);
        cr_assert_eq(ready_sum(by, &row), tt_table_number(by, &row, "ready"));
        cr_assert_arr_eq(&row, &again, by->row_size);
    }
    cr_assert_eq(ready_sum(by, sheet.total), tt_table_number(by, sheet.total, "ready"));
    tt_table_free(&sheet);
    tt_table_free(&stepped);
}

/* Compares the sums of blame with the ready and blocked time of each thread. */
static void check_blame(const struct scene *s, uint64_t from, uint64_t to)
{
    struct tt_table_run sheet;
    compute(s, &tt_table_blame, from, to, 1 + dice(5000), &sheet);
    for (uint32_t thread = 0; thread < tt_thread_count(s->c); thread++) {
        struct tt_thread_sums sums;
        struct tt_table_row row;
        uint64_t ready = 0, blocked = 0;
        for (size_t i = 0; i < sheet.count; i++) {
            tt_table_row_at(&sheet, i, &row);
            ready += row.of.thread == thread ? tt_table_number(sheet.table, &row, "ready") : 0;
            blocked += row.of.thread == thread ? tt_table_number(sheet.table, &row, "blocked") : 0;
        }
        const struct tt_thread *lane = tt_thread_at(s->c, thread);
        tt_thread_sum(s->t, thread, from, to, &sums);
        bool counts = !lane->idle && !lane->pseudo;
        cr_assert_eq(ready, counts ? sums.ticks[TT_CLASS_READY] : 0);
        cr_assert_eq(blocked, counts ? sums.ticks[TT_CLASS_IPC] + sums.ticks[TT_CLASS_LOCK] +
                                           sums.ticks[TT_CLASS_CONDITION] +
                                           sums.ticks[TT_CLASS_SLEEP] + sums.ticks[TT_CLASS_WAIT]
                                     : 0);
    }
    tt_table_free(&sheet);
}

static void check_files(const char *pattern, unsigned times)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        cr_assert(strncmp(pattern, "samples/", 8) != 0, "%s: samples are missing", pattern);
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct scene s;
        open_scene(&s, found.gl_pathv[i]);
        for (unsigned k = 0; k < times; k++) {
            uint64_t begin = tt_timelines_begin(s.t), span = tt_timelines_end(s.t) - begin + 2;
            uint64_t from = begin + dice(span), to = from + dice(k % 2 ? span : span / 20 + 2);
            check_ready(&s, k % 3 ? &tt_table_threads : &tt_table_processes, from, to);
            check_blame(&s, from, to);
        }
        close_scene(&s);
    }
    globfree(&found);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 5;
}

TestSuite(blame, .init = begin_seed);

Test(blame, parts_add_up_on_the_samples)
{
    check_files("samples/*.kev", 4);
    check_files("samples/demo.fxt", 4);
    check_files("samples/demo.trx", 4);
    check_files("samples/demo.btrace", 4);
}

Test(blame, parts_add_up_on_real_captures)
{
    check_files("../shared/captures/fxt/critical_path/*.fxt", 3);
    check_files("../shared/captures/fxt/ocaml*.fxt", 3);
    check_files("../shared/captures/trx/*.trx", 3);
}

/* ---- inversions by the format's tool ------------------------------------------------------ */

/* Compares the list of inversions of a window with the totals of the format's tool. */
static void check_tool(const struct scene *s, uint64_t from, uint64_t to)
{
    struct tt_table_run sheet;
    struct tt_key_range keys = {from, 0, to, 0};
    struct tt_totals totals;
    struct tt_thread_totals *own = calloc((size_t)tt_thread_count(s->c) + 1, sizeof *own);
    uint64_t kinds[2] = {0};
    cr_assert(own && tt_events_totals(s->events, &keys, &totals, own));
    compute(s, &tt_table_inversions, from, to, 1 + dice(300), &sheet);
    cr_assert(sheet.has_tool);
    for (size_t i = 0; i < sheet.count; i++) {
        struct tt_table_row row;
        tt_table_row_at(&sheet, i, &row);
        if (strcmp(row.of.name, "chain") == 0) {
            continue;
        }
        bool other = row.of.to != TT_NO_THREAD;
        kinds[other]++;
        cr_assert_str_eq(row.of.name, other ? "non-deterministic" : "deterministic");
        cr_assert_neq(row.of.thread, row.of.from);
        struct tt_event begin, end;
        cr_assert_eq(
            tt_events_read(s->events, tt_table_number(sheet.table, &row, "begin_event"), 1, &begin),
            1);
        cr_assert(begin.thread == row.of.thread && begin.ticks == row.of.at);
        uint64_t at = tt_table_number(sheet.table, &row, "end_event");
        if (at != TT_TABLE_NONE) {
            cr_assert_eq(tt_events_read(s->events, at, 1, &end), 1);
            cr_assert_eq(end.ticks, tt_table_number(sheet.table, &row, "to"));
            cr_assert_eq(end.ticks - row.of.at, tt_table_number(sheet.table, &row, "dur"));
        }
    }
    cr_assert_eq(kinds[0], totals.inversions_deterministic);
    cr_assert_eq(kinds[1], totals.inversions_nondeterministic);
    tt_table_free(&sheet);
    free(own);
}

static void check_tool_of(const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        cr_assert(strncmp(pattern, "samples/", 8) != 0, "%s: samples are missing", pattern);
        return;
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct scene s;
        open_scene(&s, found.gl_pathv[i]);
        uint64_t begin = tt_timelines_begin(s.t), span = tt_timelines_end(s.t) + 1 - begin;
        check_tool(&s, begin, begin + span);
        for (unsigned k = 0; k < 10; k++) {
            uint64_t from = begin + dice(span);
            check_tool(&s, from, from + 1 + dice(begin + span - from));
        }
        close_scene(&s);
    }
    globfree(&found);
}

Test(blame, inversions_by_the_tool_are_as_many_as_its_totals)
{
    check_tool_of("samples/demo.trx");
    check_tool_of("../shared/captures/trx/demo*.trx");
}
