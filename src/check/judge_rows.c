/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge_rows: rules about the rows of any table one by one: `max of dur of states where class = ready`. The
 * rows are read once per rule and window, and not kept.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/judge.h"
#include "table/registry.h"

#define ROWS_AT_ONCE 256u   /* between two looks at the clock */
#define SINGLE_MOST  1000u  /* single messages, the longest */
#define STEP_WORK    20000u /* of a table of sums, in intervals or events */

struct tt_check_rows {
    const struct tt_rule *rule;
    const struct tt_check_window *window;
    size_t windows; /* of the rule that are judged */
    bool begun;
    struct tt_table_run run;
    bool is_costly;
    size_t row;                /* the next one of a table of sums */
    struct tt_samples samples; /* of a percentile */
    uint64_t count, sum;
    uint64_t extreme; /* the largest value, or the smallest for `min` */
    unsigned decimals;
    struct tt_finding worst; /* the row with it */
};

/* ---- values ------------------------------------------------------------------------------- */

/* Returns a value, times in ticks, others as `stats` prints them; *known: the row has it. */
static struct tt_decimal judge_rows_value_of(const struct tt_check_rows *rows,
                                             const struct tt_table_column *column, const void *row,
                                             bool *known)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(&rows->run, column, row, buffer, sizeof buffer);
    *known = cell.kind != TT_CELL_NONE;
    return tt_unit_is_time(column->unit)
               ? (struct tt_decimal){tt_table_ticks_of(&rows->run, column, row), 0}
               : tt_check_number(&cell);
}

/* Returns whether a row meets a condition of the rule; an unknown value meets none about a number. */
static bool meets_term(struct tt_check *check, const struct tt_rule_term *term, const void *row)
{
    const struct tt_check_rows *rows = check->rows;
    bool known;
    if (!term->is_number) {
        return tt_check_selects_cell(check, &rows->run, &term->name, term->column, row);
    }
    struct tt_decimal value = judge_rows_value_of(rows, term->column, row, &known);
    if (known && tt_unit_is_time(term->column->unit) && term->limit.unit != TT_RULE_UNIT_TICKS) {
        value = tt_finding_time(check, value.number).value;
    }
    int order = known ? tt_decimal_compare(value, term->limit.value) : 0;
    const bool results[] = {[TT_LESS] = order<0, [TT_LESS_EQUAL] = order <= 0, [TT_MORE] = order> 0,
                            [TT_MORE_EQUAL] = order >= 0,
                            [TT_EQUAL] = order == 0,
                            [TT_NOT_EQUAL] = order != 0};
    return known && results[term->limit.compare];
}

/* Keeps where the row is: its thread, and the time from its begin on. */
static void keep_place(struct tt_check *check, const void *row, uint64_t value)
{
    struct tt_check_rows *rows = check->rows;
    const struct tt_table *table = rows->rule->table;
    char buffer[1024];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_table_place place;
    rows->worst = tt_finding_of(0, 0);
    rows->worst.kind = "range";
    if (!table->is_upright) {
        tt_table_row_name(&text, &rows->run, row);
    }
    rows->worst.where = tt_check_text(check, &text);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        if (column->unit == TT_UNIT_LANE_NAME && rows->worst.thread == TT_NO_THREAD) {
            char name[64];
            rows->worst.thread =
                tt_table_cell_of(&rows->run, column, row, name, sizeof name).thread;
        }
        if (column->bound == TT_BOUND_TIME) {
            rows->worst.at = rows->worst.from = tt_table_ticks_of(&rows->run, column, row);
            rows->worst.to = tt_unit_is_time(rows->rule->column->unit) ? rows->worst.at + value : 0;
        }
    }
    if (tt_table_place_of(&rows->run, rows->rule->column, row, &place)) {
        rows->worst.at = rows->worst.to = place.at;
        rows->worst.from = place.length <= place.at ? place.at - place.length : 0;
        rows->worst.thread = place.thread != TT_NO_THREAD ? place.thread : rows->worst.thread;
    }
}

/* Adds the value of a row that meets all conditions; returns false if out of memory. */
static bool judge_rows_add_row(struct tt_check *check, void *row)
{
    struct tt_check_rows *rows = check->rows;
    const struct tt_rule *rule = rows->rule;
    bool known;
    if (rows->is_costly) {
        tt_table_complete(&rows->run, row);
    }
    for (unsigned i = 0; i < rule->term_count; i++) {
        if (!meets_term(check, &rule->terms[i], row)) {
            return true;
        }
    }
    struct tt_decimal number = judge_rows_value_of(rows, rule->column, row, &known);
    uint64_t value = number.number;
    if (!known) {
        return true;
    }
    bool better = rule->quantile == TT_QUANTILE_MIN ? value < rows->extreme : value > rows->extreme;
    if (rows->count == 0 || better) {
        rows->extreme = value;
        keep_place(check, row, value);
    }
    rows->count++;
    rows->sum += value;
    rows->decimals = number.decimals;
    bool percentile = rule->quantile == TT_QUANTILE_P50 || rule->quantile == TT_QUANTILE_P95 ||
                      rule->quantile == TT_QUANTILE_P99;
    return !percentile || tt_samples_add(&rows->samples, value, 0);
}

/* ---- windows ------------------------------------------------------------------------------ */

static struct tt_status begin_window(struct tt_check *check)
{
    struct tt_check_rows *rows = check->rows;
    struct tt_table_request request = {
        .table = rows->rule->table,
        .trace = check->request.trace,
        .events = check->events,
        .job_ends = check->request.job_ends,
        .deadlines = check->request.deadlines,
        .deadline_limit = check->request.deadline_limit,
        .capture_name = check->request.path,
        .row_limit = rows->rule->table == &tt_table_single_messages ? SINGLE_MOST : 0,
        .with_clients = rows->rule->column->of_clients};
    rows->begun = true;
    rows->row = rows->count = rows->sum = 0;
    rows->is_costly = rows->rule->column->is_costly;
    for (unsigned i = 0; i < rows->rule->term_count; i++) {
        rows->is_costly |= rows->rule->terms[i].column->is_costly;
    }
    tt_table_request_range(&request, &rows->window->keys);
    return tt_table_begin(&rows->run, &request);
}

/* Returns the value of the rule for the rows of a window. */
static struct tt_finding finding_of(struct tt_check *check)
{
    struct tt_check_rows *rows = check->rows;
    const enum tt_quantile quantile = rows->rule->quantile;
    struct tt_distribution d = tt_samples_distribution(&rows->samples);
    const uint64_t values[] = {[TT_QUANTILE_COUNT] = rows->count,
                               [TT_QUANTILE_MIN] = rows->extreme,
                               [TT_QUANTILE_MEAN] = rows->count > 0 ? rows->sum / rows->count : 0,
                               [TT_QUANTILE_P50] = d.p50,
                               [TT_QUANTILE_P95] = d.p95,
                               [TT_QUANTILE_P99] = d.p99,
                               [TT_QUANTILE_MAX] = rows->extreme};
    bool count = quantile == TT_QUANTILE_COUNT;
    bool is_time = !count && tt_unit_is_time(rows->rule->column->unit);
    struct tt_finding f = is_time ? tt_finding_time(check, values[quantile])
                                  : tt_finding_of(values[quantile], count ? 0 : rows->decimals);
    if (rows->count > 0 && (quantile == TT_QUANTILE_MIN || quantile == TT_QUANTILE_MAX)) {
        rows->worst.value = f.value;
        rows->worst.ticks = f.ticks;
        f = rows->worst;
    }
    if (tt_check_lost(check, rows->window)) {
        f.doubt = count || quantile == TT_QUANTILE_MAX ? TT_DOUBT_MORE
                  : quantile == TT_QUANTILE_MIN        ? TT_DOUBT_LESS
                                                       : TT_DOUBT_EITHER;
    }
    return f;
}

static void judge_rows_end_window(struct tt_check_rows *rows)
{
    tt_table_free(&rows->run);
    tt_samples_free(&rows->samples);
    rows->begun = false;
}

/* Reads some rows; *over: there are no more. */
static struct tt_status read_rows(struct tt_check *check, uint64_t work, bool *over)
{
    struct tt_check_rows *rows = check->rows;
    struct tt_status status = tt_ok();
    struct tt_table_row row;
    bool more = true, memory = true;
    if (!rows->run.table->next && !rows->run.complete) {
        *over = false;
        return tt_table_step(&rows->run, work);
    }
    for (unsigned i = 0; i < ROWS_AT_ONCE && more && memory; i++) {
        if (rows->run.table->next) {
            more = tt_table_next(&rows->run, &row, &status);
        } else if (rows->row < rows->run.count) {
            tt_table_row_at(&rows->run, rows->row++, &row);
        } else {
            more = rows->run.table->is_upright && rows->run.has_total &&
                   rows->row++ == rows->run.count;
            if (more) {
                memcpy(&row, rows->run.total, rows->run.table->row_size);
            }
        }
        memory = !more || judge_rows_add_row(check, &row);
    }
    *over = !more;
    return memory ? status : tt_error_memory();
}

/* Continues the rule, or begins its next window; without one, continues with the next rule. */
static struct tt_status step_rule(struct tt_check *check, uint64_t work)
{
    struct tt_check_rows *check_rows = check->rows;
    const struct tt_check_windows *list = &check->windows[check->judged[check->next].windows];
    bool over = false;
    check_rows->rule = tt_rules_at(check->request.rules, check->next);
    if (!check_rows->begun) {
        const struct tt_table *table = check_rows->rule->table;
        bool rows = check_rows->rule->kind == TT_RULE_ROWS;
        const char *missing = rows && table->missing ? table->missing(check->capture) : NULL;
        if (missing) {
            char buffer[256];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_text_put(&text, "no %s: %s", table->name, missing);
            tt_check_miss(check, check->next, tt_check_text(check, &text));
        }
        if (!rows || check_rows->windows == list->count || missing) {
            check_rows->windows = 0;
            check->next++;
            return tt_ok();
        }
        check_rows->window = &list->items[check_rows->windows++];
        return begin_window(check);
    }
    struct tt_status status = read_rows(check, work, &over);
    if (over && !tt_failed(&status)) {
        if (check_rows->count > 0 || check_rows->rule->quantile == TT_QUANTILE_COUNT) {
            struct tt_finding f = finding_of(check);
            tt_check_add_finding(check, check->next, &f);
        } else {
            tt_check_miss(check, check->next, "no row meets the conditions");
        }
        check->truncated |= check_rows->run.shrunk;
        judge_rows_end_window(check_rows);
    }
    return status;
}

struct tt_status tt_check_judge_rows(struct tt_check *check, uint64_t deadline_ns, bool *over)
{
    uint64_t work = deadline_ns == UINT64_MAX ? UINT64_MAX : STEP_WORK;
    struct tt_status status = tt_ok();
    check->rows = check->rows ? check->rows : calloc(1, sizeof *check->rows);
    if (!check->rows) {
        return tt_error_memory();
    }
    do {
        *over = check->next >= check->count;
        status = *over ? status : step_rule(check, work);
    } while (!*over && !tt_failed(&status) && tt_now_ns() < deadline_ns);
    return status;
}

void tt_check_free_rows(struct tt_check *check)
{
    if (check->rows && check->rows->begun) {
        judge_rows_end_window(check->rows);
    }
    free(check->rows);
    check->rows = NULL;
}
