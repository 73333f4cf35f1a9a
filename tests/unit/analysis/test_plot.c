/* SPDX-License-Identifier: Apache-2.0 */
/* Plots: bins and columns equal a plain count, layers and rates equal the sums of `stats`. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot.h"
#include "faults/faults.h"
#include "table/registry.h"

/* A capture with a clock of 1 GHz: a tick is a nanosecond. */
static struct tt_plot *plot_of(const struct tt_plot_sample *list, size_t count,
                               enum tt_plot_kind kind, enum tt_plot_scale scale, uint64_t to)
{
    static struct tt_capture capture = {.clock_hz = 1000000000};
    struct tt_plot_request request = {.kind = kind,
                                      .subject = TT_PLOT_OF_LIST,
                                      .list = list,
                                      .list_count = count,
                                      .capture = &capture,
                                      .to = to,
                                      .scale = scale,
                                      .columns = 64,
                                      .rows = 32};
    struct tt_plot *p = tt_plot_new(&request);
    cr_assert_not_null(p);
    for (unsigned i = 0; !tt_plot_step(p, 1000); i++) {
        tt_plot_refresh(p);
        cr_assert_lt(i, 10000);
    }
    cr_assert(!p->failed);
    return p;
}

static uint64_t in_bins(const struct tt_plot *p)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < p->bins.used; i++) {
        cr_assert_lt(p->bins.edge[i], p->bins.edge[i + 1]);
        count += p->bins.count[i];
    }
    return count;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

Test(plot, no_samples_are_complete_and_have_no_lines)
{
    for (unsigned kind = TT_PLOT_HISTOGRAM; kind <= TT_PLOT_RATE; kind++) {
        struct tt_plot *p = plot_of(NULL, 0, (enum tt_plot_kind)kind, TT_PLOT_AUTO, 1000);
        char line[TT_PLOT_LINE];
        struct tt_text text = tt_text_of(line, sizeof line);
        cr_assert_eq(p->count, 0);
        cr_assert_eq(tt_plot_csv_line(&text, p, 0), kind != TT_PLOT_HISTOGRAM);
        tt_plot_free(p);
    }
}

Test(plot, one_value_and_equal_values_take_one_bin)
{
    static const uint64_t values[] = {0, 1, 999, 1000, UINT64_MAX / 4};
    struct tt_plot_sample list[7];
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        for (size_t count = 1; count <= 7; count += 6) {
            for (size_t i = 0; i < count; i++) {
                list[i] = (struct tt_plot_sample){values[v], 1 + i, 0};
            }
            for (unsigned scale = TT_PLOT_AUTO; scale <= TT_PLOT_LOGARITHMIC; scale++) {
                struct tt_plot *p =
                    plot_of(list, count, TT_PLOT_TIMES, (enum tt_plot_scale)scale, 1000);
                unsigned used = 0;
                for (unsigned i = 0; i < p->bins.used; i++) {
                    used += p->bins.count[i] > 0;
                }
                cr_assert_eq(in_bins(p), count);
                cr_assert_eq(used, 1);
                cr_assert_eq(p->min, p->max);
                cr_assert_eq(p->columns[0].count, count);
                tt_plot_free(p);
            }
        }
    }
}

/* Compares a plot of random samples with counts of its own. */
static void compare(const struct tt_plot_sample *list, size_t count, enum tt_plot_scale scale,
                    uint64_t to)
{
    struct tt_plot *p = plot_of(list, count, TT_PLOT_TIMES, scale, to);
    uint64_t *bins = calloc(p->bins.used, sizeof *bins);
    uint64_t counts[64] = {0}, max[64] = {0};
    uint32_t *dots = calloc(64 * 32, sizeof *dots);
    for (size_t i = 0; i < count; i++) {
        unsigned bin = 0, column = 0, row = 0;
        while (list[i].length >= p->bins.edge[bin + 1]) {
            bin++;
        }
        while (list[i].end >= to * (column + 1) / 64) {
            column++;
        }
        while (row + 1 < 32 && list[i].length >= p->edges[row + 1]) {
            row++;
        }
        bins[bin]++;
        counts[column]++;
        max[column] = list[i].length > max[column] ? list[i].length : max[column];
        dots[row * 64 + column]++;
    }
    cr_assert_eq(p->count, count);
    cr_assert_eq(in_bins(p), count);
    cr_assert_eq(memcmp(bins, p->bins.count, p->bins.used * sizeof *bins), 0);
    cr_assert_eq(memcmp(dots, p->dots, sizeof(uint32_t) * 64 * 32), 0);
    for (unsigned i = 0; i < 64; i++) {
        cr_assert_eq(p->columns[i].count, counts[i]);
        cr_assert_eq(p->columns[i].max, max[i]);
        cr_assert(counts[i] == 0 || p->columns[i].longest.length == max[i]);
    }
    free(bins);
    free(dots);
    tt_plot_free(p);
}

Test(plot, bins_and_columns_equal_a_plain_count)
{
    static const size_t counts[] = {2, 100, 5000, TT_PLOT_KEPT, TT_PLOT_KEPT + 1, 200000};
    struct tt_plot_sample *list = calloc(200000, sizeof *list);
    uint64_t state = 1;
    cr_assert_not_null(list);
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        for (size_t i = 0; i < counts[n]; i++) {
            uint64_t length = next_random(&state) >> (next_random(&state) % 31);
            list[i] = (struct tt_plot_sample){length, next_random(&state) % 1000000, 0};
        }
        for (unsigned scale = TT_PLOT_AUTO; scale <= TT_PLOT_LOGARITHMIC; scale++) {
            compare(list, counts[n], (enum tt_plot_scale)scale, 1000000);
        }
    }
    free(list);
}

Test(plot, spread_values_have_ten_bins)
{
    struct tt_plot_sample list[100];
    for (unsigned i = 0; i < 100; i++) {
        list[i] = (struct tt_plot_sample){1000000 + i * 7, i, 0};
    }
    for (unsigned scale = TT_PLOT_AUTO; scale <= TT_PLOT_LINEAR; scale++) {
        struct tt_plot *p = plot_of(list, 100, TT_PLOT_HISTOGRAM, (enum tt_plot_scale)scale, 100);
        cr_assert_geq(p->bins.used, 10);
        tt_plot_free(p);
    }
}

/* ---- of captures -------------------------------------------------------------------------- */

struct fixture {
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_table_run sheet;
    uint64_t *deadlines;
};

static struct fixture open_sheet(const char *path, const struct tt_table *table)
{
    struct fixture f = {0};
    struct tt_status status = tt_trace_open(path, NULL, &f.trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(f.trace);
    cr_assert(!tt_failed(&status));
    f.events = tt_events_new(f.trace);
    struct tt_table_request request = {
        .table = table, .trace = f.trace, .events = f.events, .row_limit = 1000};
    struct tt_key_range keys = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    tt_job_ends_parse(tt_trace_capture(f.trace)->format, NULL, &request.job_ends);
    tt_table_request_range(&request, &keys);
    status = tt_table_begin(&f.sheet, &request);
    cr_assert(!tt_failed(&status));
    for (unsigned i = 0; i < 1000 && !f.sheet.complete; i++) {
        status = tt_table_step(&f.sheet, UINT64_MAX);
        cr_assert(!tt_failed(&status));
    }
    status = tt_table_refresh(&f.sheet);
    cr_assert(!tt_failed(&status));
    return f;
}

static void close_sheet(struct fixture *f)
{
    tt_table_free(&f->sheet);
    tt_events_free(f->events);
    tt_trace_close(f->trace);
}

static struct tt_plot *plot_cell(const struct fixture *f, const struct tt_table_row *row,
                                 const struct tt_table_column *column, enum tt_plot_kind kind)
{
    struct tt_plot_request request = {.kind = kind,
                                      .sheet = &f->sheet,
                                      .column = column,
                                      .row = *row,
                                      .by_process = column->field == 0,
                                      .columns = 50,
                                      .rows = 8};
    request.by_process = f->sheet.table == &tt_table_processes;
    struct tt_plot *p = tt_plot_new(&request);
    cr_assert_not_null(p);
    for (unsigned i = 0; !tt_plot_step(p, 97); i++) {
        tt_plot_refresh(p);
        cr_assert_lt(i, 1000000);
    }
    cr_assert(!p->failed);
    return p;
}

/* Deadlines below, among and above the responses: those over them are the misses of the row. */
Test(plot, responses_have_the_deadline_of_their_thread)
{
    struct fixture f = open_sheet("samples/demo.kev", &tt_table_jobs);
    uint64_t missed = 0;
    tt_table_free(&f.sheet);
    uint64_t *deadlines = calloc(tt_thread_count(tt_trace_capture(f.trace)), sizeof *deadlines);
    cr_assert_not_null(deadlines);
    for (uint32_t i = 0; i < tt_thread_count(tt_trace_capture(f.trace)); i++) {
        deadlines[i] = i % 3 == 0 ? 0 : (uint64_t)10000 << i % 8;
    }
    struct tt_table_request request = {.table = &tt_table_jobs,
                                       .trace = f.trace,
                                       .events = f.events,
                                       .deadlines = deadlines,
                                       .deadline_limit =
                                           tt_thread_count(tt_trace_capture(f.trace))};
    struct tt_key_range keys = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    tt_job_ends_parse(tt_trace_capture(f.trace)->format, NULL, &request.job_ends);
    tt_table_request_range(&request, &keys);
    struct tt_status status = tt_table_begin(&f.sheet, &request);
    cr_assert(!tt_failed(&status));
    while (!f.sheet.complete) {
        status = tt_table_step(&f.sheet, UINT64_MAX);
        cr_assert(!tt_failed(&status));
    }
    for (size_t i = 0; i < f.sheet.count * f.sheet.column_count; i++) {
        const struct tt_table_column *column = &f.sheet.columns[i % f.sheet.column_count];
        struct tt_table_row row;
        tt_table_row_at(&f.sheet, i / f.sheet.column_count, &row);
        struct tt_plot *p = plot_cell(&f, &row, column, TT_PLOT_TIMES);
        bool of_response = column->samples == TT_SAMPLES_response;
        if (of_response) {
            cr_assert_eq(p->limit, deadlines[row.of.thread]);
            cr_assert_eq(p->over, tt_table_number(f.sheet.table, &row, "misses"), "%s",
                         column->key);
            bool near = p->count > 0 && p->limit > p->max && p->limit / 2 <= p->max;
            cr_assert(!near || p->edges[p->request.rows] >= p->limit, "a near one is shown");
            missed += p->over;
        } else if (column->distribution != TT_TABLE_ALWAYS) {
            cr_assert_eq(p->limit, 0, "%s", column->key);
        }
        tt_plot_free(p);
    }
    cr_expect_gt(missed, 20);
    free(deadlines);
    close_sheet(&f);
}

/* No step takes more samples than its work, so that a time slice ends on time. */
Test(plot, a_step_ends_with_its_work)
{
    static const struct tt_table *const of[] = {&tt_table_event_names, &tt_table_threads,
                                                &tt_table_jobs};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct fixture f = open_sheet("samples/demo.kev", of[i]);
        unsigned steps = 0;
        for (size_t at = 0; at < f.sheet.count * f.sheet.column_count; at++) {
            struct tt_plot_request request = {.kind = TT_PLOT_HISTOGRAM, .sheet = &f.sheet};
            request.column = &f.sheet.columns[at % f.sheet.column_count];
            tt_table_row_at(&f.sheet, at / f.sheet.column_count, &request.row);
            struct tt_plot *p = tt_plot_new(&request);
            cr_assert_not_null(p);
            for (uint64_t before = 0; !tt_plot_step(p, 16); before = p->count, steps++) {
                cr_assert_leq(p->count - before, 16, "%s", request.column->key);
            }
            cr_assert(p->complete);
            tt_plot_free(p);
        }
        cr_expect_gt(steps, 200);
        close_sheet(&f);
    }
}

/* Timelines are replaced while a capture grows: the plot is computed again, with the same result. */
static void check_begun_again(struct tt_plot *p)
{
    unsigned columns = p->request.columns;
    uint64_t *counts = calloc(columns, sizeof *counts);
    uint64_t *longest = calloc(columns, sizeof *longest);
    uint64_t layers = 0;
    cr_assert(counts && longest);
    for (unsigned i = 0; i < columns; i++) {
        counts[i] = p->columns[i].count;
        longest[i] = p->columns[i].max;
    }
    for (unsigned i = 0; i < p->layer_count; i++) {
        layers += p->layers[i].total;
    }
    p->number--;
    p->complete = false;
    while (!tt_plot_step(p, 97)) {
        tt_plot_refresh(p);
    }
    cr_assert(p->complete);
    for (unsigned i = 0; i < columns; i++) {
        cr_expect_eq(p->columns[i].count, counts[i], "%s: %u", p->request.column->key, i);
        cr_expect_eq(p->columns[i].max, longest[i], "%s: %u", p->request.column->key, i);
    }
    for (unsigned i = 0; i < p->layer_count; i++) {
        layers -= p->layers[i].total;
    }
    cr_expect_eq(layers, 0, "%s", p->request.column->key);
    free(counts);
    free(longest);
}

Test(plot, begun_again_it_has_the_same_columns)
{
    static const struct tt_table *const of[] = {&tt_table_event_names, &tt_table_threads,
                                                &tt_table_cpus};
    unsigned rates = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct fixture f = open_sheet("samples/demo.kev", of[i]);
        struct tt_table_row row;
        tt_table_row_at(&f.sheet, 0, &row);
        for (size_t c = 0; c < f.sheet.column_count; c++) {
            unsigned kinds = tt_plot_kinds(of[i], &f.sheet.columns[c]);
            for (unsigned kind = 0; kinds >> kind != 0; kind++) {
                if (kinds >> kind & 1) {
                    struct tt_plot *p =
                        plot_cell(&f, &row, &f.sheet.columns[c], (enum tt_plot_kind)kind);
                    rates += p->load && kind == TT_PLOT_RATE;
                    check_begun_again(p);
                    tt_plot_free(p);
                }
            }
        }
        close_sheet(&f);
    }
    cr_expect_gt(rates, 3);
}

/* Makes the nth allocation of a plot fail; returns whether there was one. */
static bool check_failure(const struct tt_plot_request *request, uint64_t nth, uint64_t count)
{
    const struct fault no_memory = {.call = FAULT_MEMORY, .nth = nth};
    faults_arm(&no_memory);
    struct tt_plot *p = tt_plot_new(request);
    while (p && !tt_plot_step(p, 100)) {
    }
    faults_disarm();
    cr_assert_eq(!p || p->failed, faults_struck(), "%s", request->column->key);
    cr_assert(!p || p->failed || p->count == count);
    tt_plot_free(p);
    return faults_struck();
}

Test(plot, each_failed_allocation_is_reported)
{
    static const struct tt_table *const of[] = {&tt_table_event_names, &tt_table_threads,
                                                &tt_table_jobs};
    uint64_t failures = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct fixture f = open_sheet("samples/demo.kev", of[i]);
        for (size_t c = 0; c < f.sheet.column_count; c++) {
            struct tt_plot_request request = {.kind = TT_PLOT_TIMES, .sheet = &f.sheet};
            request.column = &f.sheet.columns[c];
            tt_table_row_at(&f.sheet, 0, &request.row);
            struct tt_plot *p = plot_cell(&f, &request.row, request.column, TT_PLOT_TIMES);
            uint64_t nth = 1;
            while (check_failure(&request, nth, p->count)) {
                nth++;
            }
            failures += nth - 1;
            tt_plot_free(p);
        }
        close_sheet(&f);
    }
    cr_expect_gt(failures, 300);
}

Test(plot, values_of_a_column_are_those_of_all_rows)
{
    struct fixture f = open_sheet("samples/demo.kev", &tt_table_event_names);
    const struct tt_table_column *count = f.sheet.columns;
    while (strcmp(count->key, "count") != 0) {
        count++;
    }
    struct tt_table_row row;
    tt_table_row_at(&f.sheet, 0, &row);
    struct tt_plot *p = plot_cell(&f, &row, count, TT_PLOT_ROWS);
    uint64_t bins[TT_BINS_MOST] = {0};
    for (size_t r = 0; r < f.sheet.count; r++) {
        unsigned bin = 0;
        tt_table_row_at(&f.sheet, r, &row);
        while (p->bins.edge[bin + 1] <= tt_table_number(f.sheet.table, &row, "count")) {
            bin++;
        }
        bins[bin]++;
    }
    cr_expect_eq(p->count, f.sheet.count);
    cr_expect_eq(memcmp(bins, p->bins.count, p->bins.used * sizeof *bins), 0);
    tt_plot_free(p);
    close_sheet(&f);
}

/* Compares a plot of samples with the row's distribution. */
static void check_samples(const struct fixture *f, const struct tt_table_row *row,
                          const struct tt_table_column *column)
{
    const struct tt_distribution *d =
        (const struct tt_distribution *)((const char *)row + column->distribution);
    struct tt_plot *p = plot_cell(f, row, column, TT_PLOT_TIMES);
    uint64_t in_columns = 0, max = 0;
    for (unsigned i = 0; i < p->request.columns; i++) {
        in_columns += p->columns[i].count;
        max = p->columns[i].count > 0 && p->columns[i].longest.length > max
                  ? p->columns[i].longest.length
                  : max;
    }
    cr_assert_eq(p->count, d->count, "%s: %llu %llu", column->key, (unsigned long long)p->count,
                 (unsigned long long)d->count);
    cr_assert_eq(in_columns, d->count, "%s", column->key);
    cr_assert_eq(in_bins(p), d->count, "%s", column->key);
    cr_assert(d->count == 0 || (p->longest.length == d->max && max == d->max), "%s", column->key);
    tt_plot_free(p);
}

static uint64_t sum_of_columns(const struct tt_plot *p)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < p->request.columns; i++) {
        sum += p->columns[i].count;
    }
    return sum;
}

/* Compares counts per second with the row's count, of columns that are counts of instants. */
static void check_rate(const struct fixture *f, const struct tt_table_row *row,
                       const struct tt_table_column *column)
{
    struct tt_plot *p = plot_cell(f, row, column, TT_PLOT_RATE);
    static const char *const keys[] = {"switches_in", "switches_out", "voluntary", "preempted",
                                       "unknown_out", "migrations",   "irq_count", "switches",
                                       "count",       "waits"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(column->key, keys[i]) != 0) {
            continue;
        }
        uint64_t count = *(const uint64_t *)((const char *)row + column->field);
        cr_assert_eq(sum_of_columns(p), count, "%s: %llu %llu", column->key,
                     (unsigned long long)sum_of_columns(p), (unsigned long long)count);
    }
    tt_plot_free(p);
}

/* The layers of a column sum to the busy time, interrupts and kernel time of the CPUs. */
static void check_load(const struct fixture *f, const struct tt_table_row *row,
                       const struct tt_table_column *column, bool of_cpu)
{
    const struct tt_timelines *t = tt_trace_timelines(f->trace);
    struct tt_plot *p = plot_cell(f, row, column, TT_PLOT_LOAD);
    for (unsigned i = 0; i < p->request.columns && p->layer_count > 0; i++) {
        uint64_t sum = 0, expected = 0;
        for (unsigned layer = 0; layer < p->layer_count; layer++) {
            sum += p->ticks[layer * p->request.columns + i];
        }
        for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
            struct tt_cpu_sums s = {0};
            if (!of_cpu || cpu == row->of.cpu) {
                tt_cpu_sum(t, (uint16_t)cpu, tt_plot_edge(p, i), tt_plot_edge(p, i + 1), &s);
                expected += s.busy + s.irq + s.kernel;
            }
        }
        cr_assert_eq(sum, expected, "%s: column %u", column->key, i);
    }
    bool has_own = !of_cpu && p->layer_count > 0 && row->of.thread != TT_NO_THREAD &&
                   !tt_table_is_idle(f->sheet.table, row);
    cr_assert(!has_own || p->layers[0].total == tt_table_number(f->sheet.table, row, "run"), "%s",
              column->key);
    tt_plot_free(p);
}

static void check_row(const struct fixture *f, const struct tt_table *table,
                      const struct tt_table_row *row)
{
    const struct tt_table_column *columns = table->columns;
    for (size_t c = 0; c < table->column_count; c++) {
        unsigned kinds = tt_plot_kinds(table, &columns[c]);
        bool of_samples = columns[c].distribution != TT_TABLE_ALWAYS;
        cr_assert_neq(kinds, 0, "%s", columns[c].key);
        for (unsigned kind = 0; kind < TT_PLOT_KINDS; kind++) {
            if (!(kinds >> kind & 1u)) {
                continue;
            }
            struct tt_plot *p = plot_cell(f, row, &columns[c], (enum tt_plot_kind)kind);
            char line[TT_PLOT_LINE];
            struct tt_text text = tt_text_of(line, sizeof line);
            tt_plot_csv_header(&text, p);
            for (size_t i = 0; tt_plot_csv_line(&text, p, i); i++) {
                cr_assert(!text.truncated);
                text = tt_text_of(line, sizeof line);
            }
            tt_plot_free(p);
        }
        if (of_samples && kinds & 1u << TT_PLOT_TIMES && table != &tt_table_single_messages) {
            check_samples(f, row, &columns[c]);
        }
        if (kinds & 1u << TT_PLOT_RATE && table != &tt_table_jobs) {
            check_rate(f, row, &columns[c]);
        }
        if (kinds & 1u << TT_PLOT_LOAD && c < 12) {
            check_load(f, row, &columns[c], table == &tt_table_cpus);
        }
    }
}

static void check_capture(const char *path)
{
    const struct tt_table *table;
    for (size_t n = 0; (table = tt_table_at(n)) != NULL; n++) {
        if (table == &tt_table_total) {
            continue;
        }
        struct fixture f = open_sheet(path, table);
        for (size_t i = 0; i < f.sheet.count && i < 5; i++) {
            struct tt_table_row row;
            tt_table_row_at(&f.sheet, i, &row);
            check_row(&f, table, &row);
        }
        close_sheet(&f);
    }
}

Test(plot, numbers_of_qnx_captures_agree)
{
    check_capture("samples/demo.kev");
}

Test(plot, numbers_of_fuchsia_captures_agree)
{
    check_capture("samples/demo.fxt");
}

Test(plot, numbers_of_threadx_captures_agree)
{
    check_capture("samples/demo.trx");
}
