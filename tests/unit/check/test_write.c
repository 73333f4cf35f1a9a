/* SPDX-License-Identifier: Apache-2.0 */
/* A rule written from a number of a table selects its row, and passes with the number as limit. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/check_write.h"
#include "table/registry.h"

#define ROWS_MOST 6u

static struct tt_trace *trace;

struct written {
    struct tt_text text;
    unsigned count, refused;
};

static void open_sample(const char *path)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert_not(tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
}

/* Writes rules for the numbers of one table. */
static void write_table(struct written *w, const struct tt_table *table,
                        const struct tt_key_range *keys)
{
    struct tt_table_run sheet;
    struct tt_events *events = tt_events_new(trace);
    struct tt_table_request request = {
        .table = table, .trace = trace, .events = events, .with_clients = true};
    tt_table_request_range(&request, keys);
    struct tt_status status = tt_table_begin(&sheet, &request);
    while (!tt_failed(&status) && !sheet.complete) {
        status = tt_table_step(&sheet, UINT64_MAX);
    }
    cr_assert_not(tt_failed(&status), "%s", status.text);
    for (size_t r = 0; r < sheet.count && r < ROWS_MOST; r++) {
        struct tt_table_row row;
        tt_table_row_at(&sheet, r, &row);
        for (size_t i = 0; i < sheet.column_count; i++) {
            struct tt_rule_number number = {trace, &sheet, table, &sheet.columns[i], &row, *keys};
            enum tt_rule_unit unit;
            size_t before = w->text.used;
            if (!tt_table_prints(&sheet, &sheet.columns[i])) {
                continue;
            }
            status = tt_rule_write_number(&w->text, &number);
            if (tt_failed(&status)) {
                cr_assert_eq(status.code, TT_ERR_USAGE);
                cr_assert(strstr(status.text, "no measure") || strstr(status.text, "no number") ||
                              strstr(status.text, "no single") ||
                              strstr(status.text, "needs a name"),
                          "%s", status.text);
                cr_assert(!strstr(status.text, "no measure") ||
                          !tt_rule_column(&sheet.columns[i], &unit));
                w->text.used = before;
                w->refused++;
            } else {
                tt_text_char(&w->text, '\n');
                w->count++;
            }
        }
    }
    tt_table_free(&sheet);
    tt_events_free(events);
}

/* Judges what was written; returns the number of rules that select one row and pass. */
static unsigned judge(const struct written *w)
{
    struct tt_rules *rules;
    struct tt_check *check;
    unsigned single = 0;
    size_t count;
    struct tt_status status = tt_rules_new(&rules);
    cr_assert_not(tt_failed(&status));
    status = tt_rules_read_text(rules, "written", w->text.buffer);
    cr_assert_not(tt_failed(&status));
    for (size_t i = 0; i < tt_rules_error_count(rules); i++) {
        struct tt_rules_error error = tt_rules_error_at(rules, i);
        cr_assert_fail("%s: %s", error.place, error.text);
    }
    struct tt_check_request request = {.rules = rules, .trace = trace, .path = "sample"};
    status = tt_check_run(&request, &check);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    const struct tt_check_result *results = tt_check_results(check, &count);
    cr_assert_eq(count, w->count);
    for (size_t i = 0; i < count; i++) {
        const struct tt_check_result *r = &results[i];
        cr_assert(r->has_value, "%s: %s", r->rule->text, r->reason);
        if (r->matches == 1) {
            /* Undecided: a state is unknown, and the value may be larger. */
            cr_assert_neq(r->verdict, TT_VERDICT_FAILED, "%s: %s", r->rule->text, r->value_text);
            cr_assert_eq(tt_decimal_compare(r->value, r->rule->limit.value), 0, "%s: %s",
                         r->rule->text, r->value_text);
            single += r->verdict == TT_VERDICT_PASSED;
        }
    }
    tt_check_free(check);
    tt_rules_free(rules);
    return single;
}

static void try_sample(const char *path, uint64_t part, unsigned wanted)
{
    struct written w = {0};
    size_t size = 4u << 20;
    open_sample(path);
    struct tt_progress p = tt_trace_progress(trace);
    struct tt_key_range keys = {0, 0, UINT64_MAX, UINT64_MAX};
    if (part > 0) {
        keys = (struct tt_key_range){p.first_ticks + (p.last_ticks - p.first_ticks) / part, 0,
                                     p.last_ticks - (p.last_ticks - p.first_ticks) / part, 0};
    }
    w.text = tt_text_of(malloc(size), size);
    cr_assert_not_null(w.text.buffer);
    for (size_t n = 0; tt_table_at(n); n++) {
        const struct tt_table *table = tt_table_at(n);
        if (table != &tt_table_total) {
            write_table(&w, table, &keys);
        }
    }
    tt_text_cstr(&w.text);
    cr_assert_gt(w.refused, 50);
    unsigned single = judge(&w);
    cr_assert_geq(single, wanted, "%s: %u of %u", path, single, w.count);
    free(w.text.buffer);
    tt_trace_close(trace);
}

Test(check_write, rules_of_a_qnx_capture_have_its_numbers)
{
    try_sample("samples/demo.kev", 0, 700);
}

Test(check_write, rules_of_a_part_have_its_numbers)
{
    try_sample("samples/demo.kev", 4, 600);
}

Test(check_write, rules_of_the_other_formats_have_their_numbers)
{
    try_sample("samples/demo.fxt", 0, 500);
    try_sample("samples/demo.trx", 0, 300);
    try_sample("samples/demo.btrace", 0, 300);
}
