/* SPDX-License-Identifier: Apache-2.0 */
/* Every part of a table is divided: each stops when its work is used up, with the same rows in the end. */
#include <criterion/criterion.h>

#include "table/registry.h"
#include "trace/timeline/priority_part.h"
#include "tracetui/table.h"

struct sample {
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_capture *capture;
    const struct tt_timelines *t;
};

static struct sample open_sample(const char *path)
{
    struct sample s = {0};
    struct tt_status status = tt_trace_open(path, NULL, &s.trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(s.trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    s.events = tt_events_new(s.trace);
    cr_assert_not_null(s.events);
    s.capture = tt_trace_capture(s.trace);
    s.t = tt_trace_timelines(s.trace);
    return s;
}

static void close_sample(struct sample *s)
{
    tt_events_free(s->events);
    tt_trace_close(s->trace);
}

/* Returns the number of parts of `work` changes, and compares their range with that of one call. */
static unsigned range_in_parts(const struct sample *s, uint32_t thread, uint64_t from, uint64_t to,
                               uint64_t work)
{
    int low = TT_NO_PRIORITY, high = TT_NO_PRIORITY, lowest = TT_NO_PRIORITY,
        highest = TT_NO_PRIORITY;
    unsigned parts = 1;
    uint64_t left = work, reached = from;
    while (!tt_thread_priority_part(s->t, thread, to, &reached, &left, &low, &high)) {
        cr_assert_eq(left, 0);
        cr_assert_geq(reached, from);
        cr_assert_lt(reached, to);
        left = work;
        parts++;
    }
    tt_thread_priority_range(s->t, thread, from, to, &lowest, &highest);
    cr_assert_eq(low, lowest, "thread %u", thread);
    cr_assert_eq(high, highest, "thread %u", thread);
    return parts;
}

Test(sheet_steps, a_range_of_priorities_is_divided)
{
    static const char *const paths[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx"};
    unsigned most = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct sample s = open_sample(paths[i]);
        uint64_t begin = tt_timelines_begin(s.t), limit = tt_timelines_limit(s.t);
        for (uint32_t thread = 0; thread < tt_thread_count(s.capture); thread++) {
            unsigned parts = range_in_parts(&s, thread, begin, limit, 1);
            most = parts > most ? parts : most;
            for (uint64_t work = 2; work < 6; work++) {
                cr_assert_leq(range_in_parts(&s, thread, begin, limit, work), parts);
                range_in_parts(&s, thread, begin + (limit - begin) / work, limit, work);
            }
            cr_assert_eq(range_in_parts(&s, thread, begin, limit, UINT64_MAX), 1);
            cr_assert_eq(range_in_parts(&s, thread, limit, limit, 1), 1);
        }
        close_sample(&s);
    }
    cr_assert_gt(most, 10, "no thread of the samples changes its priority often");
}

/* Returns the run time of a row of threads, processes or jobs. */
static uint64_t run_time(const struct tt_table_run *sheet, const struct tt_table_row *row)
{
    struct tt_thread_sums sums;
    if (sheet->table != &tt_table_jobs) {
        return tt_table_number(sheet->table, row, "run");
    }
    tt_thread_sum_in(sheet->timelines, row->of.thread, &sheet->request.window, &sums);
    return sums.ticks[TT_CLASS_RUNNING] - sums.irq;
}

Test(sheet_steps, the_sort_of_rows_is_divided)
{
    struct sample s = open_sample("samples/demo.kev");
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    static const struct tt_table *const tables[] = {&tt_table_threads, &tt_table_processes,
                                                    &tt_table_jobs};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct tt_table_request request = {
            .table = tables[i], .trace = s.trace, .events = s.events, .without_ready_by = true};
        struct tt_table_run sheet;
        size_t count = 0, steps = 0;
        struct tt_table_row row;
        uint64_t previous = UINT64_MAX;
        tt_table_request_range(&request, &all);
        struct tt_status status = tt_table_begin(&sheet, &request);
        while (!tt_failed(&status) && !sheet.has_total) {
            steps = sheet.count == count ? steps + 1 : 0;
            count = sheet.count;
            status = tt_table_step(&sheet, 1);
        }
        cr_assert(!tt_failed(&status));
        cr_assert_geq(steps, count, "%zu steps for %zu rows", steps, count);
        for (size_t r = 0; r < sheet.count; r++) {
            tt_table_row_at(&sheet, r, &row);
            uint64_t ran = run_time(&sheet, &row);
            cr_assert_leq(ran, previous);
            previous = ran;
        }
        /* A sheet that is dropped while it is sorted. */
        tt_table_free(&sheet);
        status = tt_table_begin(&sheet, &request);
        while (!tt_failed(&status) && sheet.count < count) {
            status = tt_table_step(&sheet, 1);
        }
        status = tt_table_step(&sheet, 1);
        cr_assert(!tt_failed(&status) && !sheet.has_total);
        tt_table_free(&sheet);
    }
    close_sample(&s);
}

/* Steps of the least work, and the rows that they result in. */
struct stepped {
    struct tt_table_run sheet;
    size_t steps;
    size_t before; /* steps before the sheet has rows */
};

static struct stepped compute(const struct sample *s, const struct tt_table *by, uint64_t work)
{
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct tt_table_request request = {.table = by,
                                       .trace = s->trace,
                                       .events = s->events,
                                       .without_ready_by = true,
                                       .with_clients = true};
    struct stepped c = {.steps = 0};
    unsigned percent = 0;
    tt_table_request_range(&request, &all);
    struct tt_status status = tt_table_begin(&c.sheet, &request);
    for (; !tt_failed(&status) && !c.sheet.complete; c.steps++) {
        c.before += c.sheet.rows == NULL;
        cr_assert_geq(tt_table_percent(&c.sheet), percent, "the progress goes back");
        percent = tt_table_percent(&c.sheet);
        status = tt_table_step(&c.sheet, work);
    }
    cr_assert(!tt_failed(&status));
    return c;
}

/* Compares the cells of the last lines, whose rows may contain addresses of their run. */
static void expect_same_totals(const struct tt_table_run *a, const struct tt_table_run *b)
{
    static char of_a[TT_TABLE_CELL_BYTES], of_b[TT_TABLE_CELL_BYTES];
    for (size_t i = 0; i < a->column_count; i++) {
        const struct tt_table_column *column = &a->columns[i];
        struct tt_table_cell x = tt_table_cell_of(a, column, a->total, of_a, sizeof of_a);
        struct tt_table_cell y = tt_table_cell_of(b, column, b->total, of_b, sizeof of_b);
        cr_assert_eq(x.kind, y.kind, "%s", column->key);
        cr_assert_eq(x.number, y.number, "%s", column->key);
        cr_assert_eq(x.signed_number, y.signed_number, "%s", column->key);
        cr_assert_str_eq(tt_text_cstr(&x.text), tt_text_cstr(&y.text), "%s", column->key);
    }
}

static void expect_same_rows(const struct tt_table_run *a, const struct tt_table_run *b)
{
    struct tt_table_row x, y;
    cr_assert_eq(a->count, b->count);
    cr_assert_eq(a->has_total, b->has_total);
    cr_assert_eq(a->has_tool, b->has_tool);
    expect_same_totals(a, b);
    for (size_t i = 0; i < a->count; i++) {
        tt_table_row_at(a, i, &x);
        tt_table_row_at(b, i, &y);
        cr_assert_arr_eq(&x, &y, a->table->row_size, "row %zu", i);
    }
}

Test(sheet_steps, the_total_and_time_by_client_and_blames_are_divided)
{
    static const char *const paths[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx"};
    static const struct tt_table *const tables[] = {&tt_table_total, &tt_table_threads,
                                                    &tt_table_processes, &tt_table_blame,
                                                    &tt_table_inversions};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        struct sample s = open_sample(paths[p]);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
            struct stepped whole = compute(&s, tables[i], UINT64_MAX);
            struct stepped parts = compute(&s, tables[i], 1);
            size_t rows = whole.sheet.count, threads = tt_thread_count(s.capture);
            bool lists = tables[i] == &tt_table_blame || tables[i] == &tt_table_inversions;
            cr_assert_eq(whole.steps, 1);
            cr_assert_gt(parts.steps, lists ? threads + rows : 2 * threads,
                         "%s: table %s: %zu steps", paths[p], tables[i]->name, parts.steps);
            expect_same_rows(&whole.sheet, &parts.sheet);
            if (p == 0 && (tables[i] == &tt_table_threads || tables[i] == &tt_table_processes)) {
                cr_assert_gt(parts.before, 100, "CPU time by client in %zu steps", parts.before);
            }
            tt_table_free(&whole.sheet);
            tt_table_free(&parts.sheet);
        }
        close_sample(&s);
    }
}

Test(sheet_steps, the_sort_and_the_rows_of_inversions_are_divided)
{
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct sample s = open_sample("samples/demo.kev");
    struct stepped whole = compute(&s, &tt_table_inversions, UINT64_MAX);
    struct stepped parts = compute(&s, &tt_table_inversions, 1);
    struct tt_table_request request = {
        .table = &tt_table_inversions, .trace = s.trace, .events = s.events};
    size_t rows = whole.sheet.count, after = 0;
    tt_table_request_range(&request, &all);
    /* The rows that a screen shows remain until all new ones are listed. */
    struct tt_table_run sheet;
    struct tt_status status = tt_table_begin(&sheet, &request);
    while (!tt_failed(&status) && !sheet.complete) {
        status = tt_table_step(&sheet, 1);
        if (!tt_failed(&status) && !sheet.complete) {
            status = tt_table_refresh(&sheet);
        }
        after += sheet.count == rows;
        cr_assert(after == 0 || sheet.count == rows, "rows are lost");
    }
    cr_assert(!tt_failed(&status));
    cr_assert_gt(rows, 10);
    cr_assert_geq(after, 3 * rows, "%zu steps for %zu inversions", after, rows);
    expect_same_rows(&whole.sheet, &sheet);
    tt_table_free(&sheet);
    /* A sheet that is dropped while its rows are listed. */
    status = tt_table_begin(&sheet, &request);
    for (size_t left = parts.steps - 2; left > 0; left--) {
        status = tt_table_step(&sheet, 1);
    }
    tt_table_free(&parts.sheet);
    cr_assert(!tt_failed(&status) && !sheet.complete);
    tt_table_free(&sheet);
    tt_table_free(&whole.sheet);
    close_sample(&s);
}

/* Refreshes in steps; the rows that the caller holds stay while the sheet gets others. */
static void refresh_and_hold(struct tt_table_run *sheet, const uint8_t **held,
                             struct tt_table_row *copy)
{
    struct tt_table_row row;
    bool done = false;
    for (unsigned steps = 0; !done; steps++) {
        cr_assert(tt_table_refresh_step(sheet, 1, &done).code == TT_OK);
        if (*held) {
            tt_table_unpack(sheet->table, *held, &row);
            cr_assert_arr_eq(&row, copy, sheet->table->row_size);
        }
    }
    *held = NULL;
    if (sheet->count > 0) {
        *held = sheet->rows[sheet->count - 1];
        tt_table_unpack(sheet->table, *held, copy);
    }
    tt_table_hold(sheet);
}

Test(sheet_steps, services_are_sorted_and_listed_in_steps)
{
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct sample s = open_sample("samples/demo.kev");
    struct stepped whole = compute(&s, &tt_table_services, UINT64_MAX);
    struct tt_table_request request = {
        .table = &tt_table_services, .trace = s.trace, .events = s.events};
    struct tt_table_run sheet;
    struct tt_table_row copy;
    const uint8_t *held = NULL;
    size_t steps = 0;
    tt_table_request_range(&request, &all);
    struct tt_status status = tt_table_begin(&sheet, &request);
    for (; !tt_failed(&status) && !sheet.complete; steps++) {
        status = tt_table_step(&sheet, 1);
        if (steps % 3 == 0) {
            refresh_and_hold(&sheet, &held, &copy);
        }
        bool done; /* a refresh that the next step ends */
        status = tt_failed(&status) ? status : tt_table_refresh_step(&sheet, 1, &done);
    }
    cr_assert(!tt_failed(&status));
    cr_assert_gt(whole.sheet.count, 20);
    cr_assert_gt(steps, 3 * whole.sheet.count, "%zu steps for %zu rows", steps, whole.sheet.count);
    expect_same_rows(&whole.sheet, &sheet);
    tt_table_free(&sheet);
    tt_table_free(&whole.sheet);
    close_sample(&s);
}
