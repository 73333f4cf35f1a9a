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
static struct tt_decimal value_of(const struct tt_check_rows *s,
                                  const struct tt_table_column *column, const void *row,
                                  bool *known)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(&s->run, column, row, buffer, sizeof buffer);
    *known = cell.kind != TT_CELL_NONE;
    return tt_unit_is_time(column->unit)
               ? (struct tt_decimal){tt_table_ticks_of(&s->run, column, row), 0}
               : tt_check_number(&cell);
}

/* Returns whether a row meets a condition of the rule; an unknown value meets none about a number. */
static bool meets_term(struct tt_check *k, const struct tt_rule_term *term, const void *row)
{
    const struct tt_check_rows *s = k->rows;
    bool known;
    if (!term->is_number) {
        return tt_check_selects_cell(k, &s->run, &term->name, term->column, row);
    }
    struct tt_decimal value = value_of(s, term->column, row, &known);
    if (known && tt_unit_is_time(term->column->unit) && term->limit.unit != TT_RULE_UNIT_TICKS) {
        value = tt_finding_time(k, value.number).value;
    }
    int order = known ? tt_decimal_compare(value, term->limit.value) : 0;
    const bool results[] = {[TT_LESS] = order<0, [TT_LESS_EQUAL] = order <= 0, [TT_MORE] = order> 0,
                            [TT_MORE_EQUAL] = order >= 0,
                            [TT_EQUAL] = order == 0,
                            [TT_NOT_EQUAL] = order != 0};
    return known && results[term->limit.compare];
}

/* Keeps where the row is: its thread, and the time from its begin on. */
static void keep_place(struct tt_check *k, const void *row, uint64_t value)
{
    struct tt_check_rows *s = k->rows;
    const struct tt_table *table = s->rule->table;
    char buffer[1024];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_table_place place;
    s->worst = tt_finding_of(0, 0);
    s->worst.kind = "range";
    if (!table->is_upright) {
        tt_table_row_name(&text, &s->run, row);
    }
    s->worst.where = tt_check_text(k, &text);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        if (column->unit == TT_UNIT_LANE_NAME && s->worst.thread == TT_NO_THREAD) {
            char name[64];
            s->worst.thread = tt_table_cell_of(&s->run, column, row, name, sizeof name).thread;
        }
        if (column->bound == TT_BOUND_TIME) {
            s->worst.at = s->worst.from = tt_table_ticks_of(&s->run, column, row);
            s->worst.to = tt_unit_is_time(s->rule->column->unit) ? s->worst.at + value : 0;
        }
    }
    if (tt_table_place_of(&s->run, s->rule->column, row, &place)) {
        s->worst.at = s->worst.to = place.at;
        s->worst.from = place.length <= place.at ? place.at - place.length : 0;
        s->worst.thread = place.thread != TT_NO_THREAD ? place.thread : s->worst.thread;
    }
}

/* Adds the value of a row that meets all conditions; returns false if out of memory. */
static bool add_row(struct tt_check *k, void *row)
{
    struct tt_check_rows *s = k->rows;
    const struct tt_rule *rule = s->rule;
    bool known;
    if (s->is_costly) {
        tt_table_complete(&s->run, row);
    }
    for (unsigned i = 0; i < rule->term_count; i++) {
        if (!meets_term(k, &rule->terms[i], row)) {
            return true;
        }
    }
    struct tt_decimal number = value_of(s, rule->column, row, &known);
    uint64_t value = number.number;
    if (!known) {
        return true;
    }
    bool better = rule->quantile == TT_QUANTILE_MIN ? value < s->extreme : value > s->extreme;
    if (s->count == 0 || better) {
        s->extreme = value;
        keep_place(k, row, value);
    }
    s->count++;
    s->sum += value;
    s->decimals = number.decimals;
    bool percentile = rule->quantile == TT_QUANTILE_P50 || rule->quantile == TT_QUANTILE_P95 ||
                      rule->quantile == TT_QUANTILE_P99;
    return !percentile || tt_samples_add(&s->samples, value, 0);
}

/* ---- windows ------------------------------------------------------------------------------ */

static struct tt_status begin_window(struct tt_check *k)
{
    struct tt_check_rows *s = k->rows;
    struct tt_table_request request = {
        .table = s->rule->table,
        .trace = k->request.trace,
        .events = k->events,
        .job_ends = k->request.job_ends,
        .deadlines = k->request.deadlines,
        .deadline_limit = k->request.deadline_limit,
        .capture_name = k->request.path,
        .row_limit = s->rule->table == &tt_table_single_messages ? SINGLE_MOST : 0,
        .with_clients = s->rule->column->of_clients};
    s->begun = true;
    s->row = s->count = s->sum = 0;
    s->is_costly = s->rule->column->is_costly;
    for (unsigned i = 0; i < s->rule->term_count; i++) {
        s->is_costly |= s->rule->terms[i].column->is_costly;
    }
    tt_table_request_range(&request, &s->window->keys);
    return tt_table_begin(&s->run, &request);
}

/* Returns the value of the rule for the rows of a window. */
static struct tt_finding finding_of(struct tt_check *k)
{
    struct tt_check_rows *s = k->rows;
    const enum tt_quantile quantile = s->rule->quantile;
    struct tt_distribution d = tt_samples_distribution(&s->samples);
    const uint64_t values[] = {[TT_QUANTILE_COUNT] = s->count,
                               [TT_QUANTILE_MIN] = s->extreme,
                               [TT_QUANTILE_MEAN] = s->count > 0 ? s->sum / s->count : 0,
                               [TT_QUANTILE_P50] = d.p50,
                               [TT_QUANTILE_P95] = d.p95,
                               [TT_QUANTILE_P99] = d.p99,
                               [TT_QUANTILE_MAX] = s->extreme};
    bool count = quantile == TT_QUANTILE_COUNT;
    bool is_time = !count && tt_unit_is_time(s->rule->column->unit);
    struct tt_finding f = is_time ? tt_finding_time(k, values[quantile])
                                  : tt_finding_of(values[quantile], count ? 0 : s->decimals);
    if (s->count > 0 && (quantile == TT_QUANTILE_MIN || quantile == TT_QUANTILE_MAX)) {
        s->worst.value = f.value;
        s->worst.ticks = f.ticks;
        f = s->worst;
    }
    if (tt_check_lost(k, s->window)) {
        f.doubt = count || quantile == TT_QUANTILE_MAX ? TT_DOUBT_MORE
                  : quantile == TT_QUANTILE_MIN        ? TT_DOUBT_LESS
                                                       : TT_DOUBT_EITHER;
    }
    return f;
}

static void end_window(struct tt_check_rows *s)
{
    tt_table_free(&s->run);
    tt_samples_free(&s->samples);
    s->begun = false;
}

/* Reads some rows; *over: there are no more. */
static struct tt_status read_rows(struct tt_check *k, uint64_t work, bool *over)
{
    struct tt_check_rows *s = k->rows;
    struct tt_status status = tt_ok();
    struct tt_table_row row;
    bool more = true, memory = true;
    if (!s->run.table->next && !s->run.complete) {
        *over = false;
        return tt_table_step(&s->run, work);
    }
    for (unsigned i = 0; i < ROWS_AT_ONCE && more && memory; i++) {
        if (s->run.table->next) {
            more = tt_table_next(&s->run, &row, &status);
        } else if (s->row < s->run.count) {
            tt_table_row_at(&s->run, s->row++, &row);
        } else {
            more = s->run.table->is_upright && s->run.has_total && s->row++ == s->run.count;
            if (more) {
                memcpy(&row, s->run.total, s->run.table->row_size);
            }
        }
        memory = !more || add_row(k, &row);
    }
    *over = !more;
    return memory ? status : tt_error_memory();
}

/* Continues the rule, or begins its next window; without one, continues with the next rule. */
static struct tt_status step_rule(struct tt_check *k, uint64_t work)
{
    struct tt_check_rows *s = k->rows;
    const struct tt_check_windows *list = &k->windows[k->judged[k->next].windows];
    bool over = false;
    s->rule = tt_rules_at(k->request.rules, k->next);
    if (!s->begun) {
        const struct tt_table *table = s->rule->table;
        bool rows = s->rule->kind == TT_RULE_ROWS;
        const char *missing = rows && table->missing ? table->missing(k->capture) : NULL;
        if (missing) {
            char buffer[256];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_text_str(&text, "no ");
            tt_text_str(&text, table->name);
            tt_text_str(&text, ": ");
            tt_text_str(&text, missing);
            tt_check_miss(k, k->next, tt_check_text(k, &text));
        }
        if (!rows || s->windows == list->count || missing) {
            s->windows = 0;
            k->next++;
            return tt_ok();
        }
        s->window = &list->items[s->windows++];
        return begin_window(k);
    }
    struct tt_status status = read_rows(k, work, &over);
    if (over && !tt_failed(&status)) {
        if (s->count > 0 || s->rule->quantile == TT_QUANTILE_COUNT) {
            struct tt_finding f = finding_of(k);
            tt_check_take(k, k->next, &f);
        } else {
            tt_check_miss(k, k->next, "no row meets the conditions");
        }
        k->truncated |= s->run.shrunk;
        end_window(s);
    }
    return status;
}

struct tt_status tt_check_judge_rows(struct tt_check *k, uint64_t deadline_ns, bool *over)
{
    uint64_t work = deadline_ns == UINT64_MAX ? UINT64_MAX : STEP_WORK;
    struct tt_status status = tt_ok();
    k->rows = k->rows ? k->rows : calloc(1, sizeof *k->rows);
    if (!k->rows) {
        return tt_error_memory();
    }
    do {
        *over = k->next >= k->count;
        status = *over ? status : step_rule(k, work);
    } while (!*over && !tt_failed(&status) && tt_now_ns() < deadline_ns);
    return status;
}

void tt_check_free_rows(struct tt_check *k)
{
    if (k->rows && k->rows->begun) {
        end_window(k->rows);
    }
    free(k->rows);
    k->rows = NULL;
}
