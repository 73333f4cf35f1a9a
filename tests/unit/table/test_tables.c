/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every table and every column, over a sample of each format: what the constants promise, and that
 * text, CSV, JSON and SQL have the same values, cell by cell.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_units.h"
#include "print/print.h"
#include "sql/sql.h"
#include "tracetui/jobs.h"
#include "tracetui/trace.h"

static const char *const samples[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx",
                                      "samples/demo.btrace"};
#define SAMPLES    (sizeof samples / sizeof *samples)
#define LINE_BYTES (256u << 10)
#define RAW_MOST   40u /* raw rows that are compared */

static struct tt_trace *open_sample(const char *path)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

static struct tt_table_run whole_run(const struct tt_table *table, struct tt_trace *trace,
                                     struct tt_events *events)
{
    struct tt_table_request request = {.table = table,
                                       .trace = trace,
                                       .events = events,
                                       .row_limit = 20,
                                       .in_order = true,
                                       .with_clients = true};
    tt_job_ends_parse(tt_trace_capture(trace)->format, NULL, &request.job_ends);
    struct tt_table_run run;
    tt_table_request_range(&request, &(struct tt_key_range){.to_ticks = UINT64_MAX});
    struct tt_status status = tt_table_begin(&run, &request);
    while (!tt_failed(&status) && !run.complete) {
        status = tt_table_step(&run, UINT64_MAX);
    }
    cr_assert(!tt_failed(&status), "%s", status.text);
    return run;
}

/* ---- constants ---------------------------------------------------------------------------- */

static void check_constant(const struct tt_table *table)
{
    cr_expect(table->doc[0] && table->doc[strlen(table->doc) - 1] == '.', "%s", table->name);
    cr_expect(table->title[0], "%s", table->name);
    cr_expect_eq(table->row_size % 8, 0u, "%s: rows are words", table->name);
    cr_expect_leq(table->row_size, sizeof(struct tt_table_row), "%s", table->name);
    cr_expect_lt(table->column_count, TT_PRINT_COLUMNS, "%s", table->name);
    for (size_t k = 0; k < table->column_count; k++) {
        const struct tt_table_column *column = &table->columns[k];
        const char *doc = column->doc;
        cr_expect(doc && strlen(doc) > 3 && strchr(".", doc[strlen(doc) - 1]),
                  "%s of %s: a sentence", column->key, table->name);
        cr_expect_eq(tt_table_column_of(table, column->key), column, "%s of %s: twice", column->key,
                     table->name);
        cr_expect_leq(column->field, table->row_size, "%s of %s", column->key, table->name);
    }
}

Test(tables, have_names_and_columns_with_sentences)
{
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        cr_expect_eq(tt_table_find(table->name, NULL), table, "%s", table->name);
        check_constant(table);
    }
    for (size_t i = 0; (table = tt_table_raw_at(i)) != NULL; i++) {
        cr_expect_not_null(table->number, "%s", table->name);
        check_constant(table);
    }
}

Test(tables, find_the_nearest_name)
{
    const char *nearest = NULL;
    cr_expect_null(tt_table_find("servr", &nearest));
    cr_expect_str_eq(nearest, "server");
}

/* ---- CSV and JSON ------------------------------------------------------------------------- */

/* Reads a cell of CSV, and moves after it and its comma. */
static void read_csv(const char **at, char *cell)
{
    bool quoted = **at == '"';
    *at += quoted;
    for (; **at && (quoted || (**at != ',' && **at != '\n')); ++*at) {
        if (quoted && **at == '"' && *++*at != '"') {
            break;
        }
        *cell++ = **at;
    }
    *at += **at == ',';
    *cell = '\0';
}

/* Reads a value of JSON as text: null is empty; moves after it. */
static void read_json(const char **at, char *cell)
{
    char *begin = cell;
    bool quoted = **at == '"';
    *at += quoted;
    for (; **at && (quoted ? **at != '"' : **at != ',' && **at != '}'); ++*at) {
        *at += quoted && **at == '\\';
        *cell++ = **at;
    }
    *at += quoted;
    *cell = '\0';
    if (!quoted && cell - begin == 4 && strcmp(begin, "null") == 0) {
        *begin = '\0';
    }
}

/* Compares the lines of a row. A text that a spreadsheet would compute has an apostrophe in CSV. */
static void compare_lines(const struct tt_print *print, const char *csv, const char *json)
{
    static char a[LINE_BYTES], b[LINE_BYTES], key[80];
    for (size_t i = 0; i < print->count; i++) {
        struct tt_text text = tt_text_of(key, sizeof key);
        tt_text_str(&text, i == 0 ? "{\"" : ",\"");
        tt_table_key(&text, print->run, print->columns[i]);
        tt_text_str(&text, "\":");
        cr_assert_eq(strncmp(json, tt_text_cstr(&text), text.used), 0, "%s in %.200s", key, json);
        json += text.used;
        read_csv(&csv, a);
        read_json(&json, b);
        if (print->columns[i]->unit == TT_UNIT_HEX && b[0]) {
            snprintf(b, sizeof b, "0x%" PRIx64, (uint64_t)strtoull(b, NULL, 10));
        }
        if (print->columns[i]->unit == TT_UNIT_FLAG && b[0]) {
            snprintf(b, sizeof b, "%d", strcmp(b, "true") == 0);
        }
        cr_expect_str_eq(a + (a[0] == '\'' && b[0] != '\''), b, "%s of %s", print->columns[i]->key,
                         print->run->table->name);
    }
}

static void check_lines(const struct tt_table_run *run)
{
    static char csv[LINE_BYTES], json[LINE_BYTES];
    struct tt_print of_csv, of_json;
    struct tt_table_row row;
    tt_print_begin(&of_csv, run, TT_PRINT_CSV);
    tt_print_begin(&of_json, run, TT_PRINT_JSON);
    cr_assert_eq(of_csv.count, of_json.count);
    for (size_t i = 0; i < run->count; i++) {
        struct tt_text line = tt_text_of(csv, sizeof csv), object = tt_text_of(json, sizeof json);
        tt_table_row_at(run, i, &row);
        tt_print_row(&of_csv, &line, &row);
        tt_print_row(&of_json, &object, &row);
        tt_text_cstr(&line);
        tt_text_cstr(&object);
        compare_lines(&of_csv, csv, json);
    }
}

/* Begins a run over all rows of a table of raw rows. */
static struct tt_table_run raw_run(const struct tt_table *table, struct tt_trace *trace,
                                   struct tt_events *events, const char *name)
{
    struct tt_table_request request = {.table = table,
                                       .trace = trace,
                                       .events = events,
                                       .window.to = UINT64_MAX,
                                       .keys.to_ticks = UINT64_MAX,
                                       .capture_name = name};
    struct tt_table_run run;
    tt_job_ends_parse(tt_trace_capture(trace)->format, NULL, &request.job_ends);
    struct tt_status status = tt_table_begin(&run, &request);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return run;
}

static bool next_raw(struct tt_table_run *run, struct tt_table_row *row)
{
    struct tt_status status = tt_ok();
    bool more = tt_table_next(run, row, &status);
    cr_assert(!tt_failed(&status), "%s", status.text);
    if (more) {
        tt_table_complete(run, row);
    }
    return more;
}

static void check_raw_lines(struct tt_table_run *run)
{
    static char csv[LINE_BYTES], json[LINE_BYTES];
    struct tt_print of_csv, of_json;
    struct tt_table_row row;
    tt_print_begin(&of_csv, run, TT_PRINT_CSV);
    tt_print_begin(&of_json, run, TT_PRINT_JSON);
    for (unsigned i = 0; i < RAW_MOST && next_raw(run, &row); i++) {
        struct tt_text line = tt_text_of(csv, sizeof csv), object = tt_text_of(json, sizeof json);
        tt_print_row(&of_csv, &line, &row);
        tt_print_row(&of_json, &object, &row);
        tt_text_cstr(&line);
        tt_text_cstr(&object);
        compare_lines(&of_csv, csv, json);
    }
}

Test(tables, of_raw_rows_have_the_same_values_in_csv_and_json)
{
    const struct tt_table *table;
    for (size_t s = 0; s < SAMPLES; s++) {
        struct tt_trace *trace = open_sample(samples[s]);
        struct tt_events *events = tt_events_new(trace);
        for (size_t i = 0; (table = tt_table_raw_at(i)) != NULL; i++) {
            struct tt_table_run run = raw_run(table, trace, events, samples[s]);
            check_raw_lines(&run);
            tt_table_free(&run);
        }
        tt_events_free(events);
        tt_trace_close(trace);
    }
}

/* ---- text --------------------------------------------------------------------------------- */

/* An unknown value, and a count of reasons that no record shows, is "-" in text; the former is empty in CSV. */
static void check_text(const struct tt_table_run *run)
{
    char buffer[TT_TABLE_CELL_BYTES], cell[TT_TABLE_CELL_BYTES];
    struct tt_table_row row;
    struct tt_print print = {.run = run, .form = TT_PRINT_TEXT};
    for (size_t k = 0; k < run->column_count; k++) {
        print.columns[print.count++] = &run->columns[k];
        print.units[k] = TT_TIME_US;
    }
    for (size_t i = 0; i < run->count; i++) {
        tt_table_row_at(run, i, &row);
        for (size_t k = 0; k < run->column_count; k++) {
            struct tt_text text = tt_text_of(cell, sizeof cell);
            struct tt_table_cell value =
                tt_table_cell_of(run, &run->columns[k], &row, buffer, sizeof buffer);
            tt_print_cell(&text, &print, k, &row);
            bool dash = strcmp(tt_text_cstr(&text), "-") == 0;
            bool hidden = value.kind == TT_CELL_NONE ||
                          tt_table_is_unexplained(run->table, &run->columns[k], &row);
            cr_expect(dash == hidden || value.kind == TT_CELL_TEXT, "%s of %s: %s",
                      run->columns[k].key, run->table->name, cell);
            cr_expect(value.kind != TT_CELL_TEXT || value.text.used > 0 ||
                          run->columns[k].is_screen,
                      "%s of %s: an empty text", run->columns[k].key, run->table->name);
        }
    }
}

Test(tables, have_the_same_values_in_text_csv_and_json)
{
    const struct tt_table *table;
    for (size_t s = 0; s < SAMPLES; s++) {
        struct tt_trace *trace = open_sample(samples[s]);
        struct tt_events *events = tt_events_new(trace);
        for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
            struct tt_table_run run = whole_run(table, trace, events);
            check_lines(&run);
            check_text(&run);
            tt_table_free(&run);
        }
        tt_events_free(events);
        tt_trace_close(trace);
    }
}

/* ---- SQL ---------------------------------------------------------------------------------- */

static void append_value(struct tt_text *text, const struct tt_sql_value *value,
                         const struct tt_table_cell *cell)
{
    if (value->type == TT_SQL_INTEGER) {
        tt_text_i64(text, value->integer);
    } else if (value->type == TT_SQL_REAL && cell->kind == TT_CELL_REAL) {
        tt_text_double(text, value->real);
    } else if (value->type == TT_SQL_REAL) {
        tt_text_decimal(text, (uint64_t)(value->real * (cell->decimals == 4 ? 1e4 : 1e3) + 0.5),
                        cell->decimals);
    } else if (value->type != TT_SQL_NULL) {
        tt_text_bytes(text, value->text, value->length);
    }
}

static void append_cell(struct tt_text *text, const struct tt_table_cell *cell)
{
    if (cell->kind == TT_CELL_NUMBER) {
        tt_text_u64(text, cell->number);
    } else if (cell->kind == TT_CELL_SIGNED) {
        tt_text_i64(text, cell->signed_number);
    } else if (cell->kind == TT_CELL_DECIMAL) {
        tt_text_decimal(text, cell->number, cell->decimals);
    } else if (cell->kind == TT_CELL_REAL) {
        tt_text_double(text, cell->real);
    } else if (cell->kind == TT_CELL_TEXT) {
        tt_text_bytes(text, cell->text.buffer, cell->text.used);
    }
}

/* Compares a value of the next row of a query with a cell. */
static void check_value(struct tt_sql_query *query, const struct tt_table_run *run,
                        const struct tt_table_column *column, const struct tt_table_row *row)
{
    static char buffer[TT_TABLE_CELL_BYTES], expected[LINE_BYTES], got[LINE_BYTES];
    bool more = false;
    struct tt_status status = tt_sql_step(query, &more);
    cr_assert(more && !tt_failed(&status), "%s of %s", column->key, run->table->name);
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    struct tt_sql_value value = tt_sql_value_of(query, 0);
    struct tt_text a = tt_text_of(expected, sizeof expected), b = tt_text_of(got, sizeof got);
    append_cell(&a, &cell);
    append_value(&b, &value, &cell);
    cr_expect_str_eq(tt_text_cstr(&b), tt_text_cstr(&a), "%s of %s", column->key, run->table->name);
    cr_expect_eq(value.type == TT_SQL_NULL, cell.kind == TT_CELL_NONE, "%s of %s", column->key,
                 run->table->name);
}

/* Begins a query of a column of a table. */
static struct tt_sql_query *query_of(struct tt_sql *sql, const struct tt_table_run *run,
                                     const struct tt_table_column *column, const char *prefix)
{
    bool clock = run->capture->clock_hz != 0 && !column->is_ticks;
    const char *unit = !tt_unit_is_time(column->unit) ? "" : clock ? "_ns" : "_ticks";
    char select[200];
    struct tt_sql_query *query;
    const char *rest;
    snprintf(select, sizeof select, "select \"%s%s\" from %s%s",
             column->sql ? column->sql : column->key, unit, prefix, run->table->name);
    struct tt_status status = tt_sql_prepare(sql, select, &query, &rest, NULL);
    cr_assert(!tt_failed(&status), "%s: %s", select, status.text);
    return query;
}

/* Compares the column of each row of the run with that of a query. */
static void check_column(struct tt_sql *sql, const struct tt_table_run *run,
                         const struct tt_table_column *column)
{
    struct tt_sql_query *query = query_of(sql, run, column, "stats_");
    struct tt_table_row row;
    for (size_t i = 0; i < run->count; i++) {
        tt_table_row_at(run, i, &row);
        check_value(query, run, column, &row);
    }
    tt_sql_query_free(query);
}

Test(tables, have_the_same_values_in_sql)
{
    const struct tt_table *table;
    for (size_t s = 0; s < SAMPLES && tt_sql_is_built_in(); s++) {
        struct tt_trace *trace = open_sample(samples[s]);
        struct tt_events *events = tt_events_new(trace);
        struct tt_sql_source source = {samples[s], trace, false};
        struct tt_sql *sql;
        struct tt_status status = tt_sql_open(&source, 1, NULL, &sql);
        cr_assert(!tt_failed(&status), "%s", status.text);
        for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
            struct tt_table_run run = whole_run(table, trace, events);
            if (run.left_out == 0 && strcmp(table->name, "pair") != 0) {
                for (size_t k = 0; k < run.column_count; k++) {
                    if (tt_table_prints(&run, &run.columns[k])) {
                        check_column(sql, &run, &run.columns[k]);
                    }
                }
            }
            tt_table_free(&run);
        }
        tt_sql_close(sql);
        tt_events_free(events);
        tt_trace_close(trace);
    }
}

Test(tables, of_raw_rows_have_the_same_values_in_sql)
{
    const struct tt_table *table;
    for (size_t s = 0; s < SAMPLES && tt_sql_is_built_in(); s++) {
        struct tt_trace *trace = open_sample(samples[s]);
        struct tt_events *events = tt_events_new(trace);
        struct tt_sql_source source = {samples[s], trace, false};
        struct tt_sql *sql;
        struct tt_status status = tt_sql_open(&source, 1, NULL, &sql);
        cr_assert(!tt_failed(&status), "%s", status.text);
        for (size_t i = 0; (table = tt_table_raw_at(i)) != NULL; i++) {
            for (size_t k = 0; k < table->column_count; k++) {
                const struct tt_table_column *column = &table->columns[k];
                struct tt_table_run run = raw_run(table, trace, events, samples[s]);
                struct tt_table_row row;
                bool skip = column->is_file || column->is_screen ||
                            (column->is_ticks && run.capture->clock_hz != 0);
                struct tt_sql_query *query = skip ? NULL : query_of(sql, &run, column, "");
                for (unsigned n = 0; query && n < RAW_MOST && next_raw(&run, &row); n++) {
                    check_value(query, &run, column, &row);
                }
                tt_sql_query_free(query);
                tt_table_free(&run);
            }
        }
        tt_sql_close(sql);
        tt_events_free(events);
        tt_trace_close(trace);
    }
}

/* A table refers to columns that it has, and a distribution has one name in a table. */
Test(tables, orders_maxima_and_samples_are_those_of_columns)
{
    const struct tt_table *table;
    for (size_t n = 0; (table = tt_table_at(n)) != NULL; n++) {
        size_t place[64] = {0};
        const struct tt_table_column *order =
            table->order ? tt_table_column_of(table, table->order) : NULL;
        cr_expect(!table->order || (order && order->screen.place > 0), "%s", table->name);
        for (unsigned i = 0; i < 2 && table->longest[i]; i++) {
            const struct tt_table_column *longest = tt_table_column_of(table, table->longest[i]);
            cr_assert_not_null(longest, "%s", table->name);
            cr_expect_neq(longest->distribution, TT_TABLE_ALWAYS, "%s", table->name);
        }
        for (size_t i = 0; i < table->column_count; i++) {
            const struct tt_table_column *column = &table->columns[i];
            if (column->distribution != TT_TABLE_ALWAYS) {
                size_t *its = &place[column->samples];
                cr_expect_neq(column->samples, TT_SAMPLES_NONE, "%s", column->key);
                cr_expect(*its == 0 || *its == column->distribution, "%s", column->key);
                *its = column->distribution;
            }
        }
    }
}
