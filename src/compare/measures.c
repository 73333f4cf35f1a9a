/* SPDX-License-Identifier: Apache-2.0 */
/* measures: the columns of `stats` that a comparison uses, and their values. */
#include <string.h>

#include "compare/baseline_internal.h"
#include "tracetui/time.h"

#define PER_BILLION UINT64_C(1000000000)
#define PICO        UINT64_C(1000000000000)
#define MICRO       UINT64_C(1000000)

/* clang-format off */

/* A table's measures in the order in which they are printed. The first one has a value in each row. */
static const struct {
    enum tt_stats_by by;
    const char *key;
    int worse;
    bool common;
} table[] = {
    {TT_STATS_BY_THREAD, "run", 1, true},
    {TT_STATS_BY_THREAD, "ready", 1, true},
    {TT_STATS_BY_THREAD, "lock", 1, false},
    {TT_STATS_BY_THREAD, "delay_p50", 1, true},
    {TT_STATS_BY_THREAD, "delay_p99", 1, true},
    {TT_STATS_BY_THREAD, "preempted_wait_p99", 1, false},
    {TT_STATS_BY_THREAD, "slice_mean", 0, true},
    {TT_STATS_BY_THREAD, "switches_in", 0, true},
    {TT_STATS_BY_THREAD, "preempted", 1, false},
    {TT_STATS_BY_THREAD, "migrations", 1, true},
    {TT_STATS_BY_PROCESS, "run", 1, true},
    {TT_STATS_BY_PROCESS, "ready", 1, true},
    {TT_STATS_BY_PROCESS, "lock", 1, false},
    {TT_STATS_BY_PROCESS, "delay_p50", 1, true},
    {TT_STATS_BY_PROCESS, "delay_p99", 1, true},
    {TT_STATS_BY_PROCESS, "preempted_wait_p99", 1, false},
    {TT_STATS_BY_PROCESS, "switches_in", 0, true},
    {TT_STATS_BY_PROCESS, "preempted", 1, false},
    {TT_STATS_BY_PROCESS, "migrations", 1, true},
    {TT_STATS_BY_CPU, "busy", 1, true},
    {TT_STATS_BY_CPU, "irq", 1, false},
    {TT_STATS_BY_CPU, "kernel", 1, false},
    {TT_STATS_BY_CPU, "switches", 0, true},
    {TT_STATS_BY_CPU, "irq_count", 0, false},
    {TT_STATS_BY_PAIR, "count", 0, true},
    {TT_STATS_BY_EVENT, "count", 0, false},
    {TT_STATS_BY_EVENT, "duration_p50", 1, false},
    {TT_STATS_BY_EVENT, "duration_p99", 1, false},
    {TT_STATS_BY_INTERRUPT, "count", 0, false},
    {TT_STATS_BY_INTERRUPT, "duration_p50", 1, false},
    {TT_STATS_BY_INTERRUPT, "duration_p99", 1, false},
    {TT_STATS_BY_PROCESSES, "count", 0, false},
    {TT_STATS_BY_PROCESSES, "round_p50", 1, false},
    {TT_STATS_BY_PROCESSES, "round_p99", 1, false},
    {TT_STATS_BY_PROCESSES, "queue_p99", 1, false},
    {TT_STATS_BY_PROCESSES, "service_p50", 1, false},
    {TT_STATS_BY_PROCESSES, "service_p99", 1, false},
    {TT_STATS_BY_PROCESSES, "errors", 1, false},
    {TT_STATS_BY_SERVER, "busy", 1, false},
    {TT_STATS_BY_SERVER, "count", 0, false},
    {TT_STATS_BY_SERVER, "queue_p99", 1, false},
    {TT_STATS_BY_SERVER, "service_p50", 1, false},
    {TT_STATS_BY_SERVER, "service_p99", 1, false},
    {TT_STATS_BY_JOB, "count", 0, false},
    {TT_STATS_BY_JOB, "response_p50", 1, false},
    {TT_STATS_BY_JOB, "response_p99", 1, false},
    {TT_STATS_BY_JOB, "run_mean", 1, false},
    {TT_STATS_BY_JOB, "run_p99", 1, false},
    {TT_STATS_BY_JOB, "period_mean", 0, false},
    {TT_STATS_BY_OBJECT, "waits", 1, false},
    {TT_STATS_BY_OBJECT, "wait_p50", 1, false},
    {TT_STATS_BY_OBJECT, "wait_p99", 1, false},
    {TT_STATS_BY_OBJECT, "hold_mean", 1, false},
    {TT_STATS_BY_OBJECT, "contended", 1, false},
    {TT_STATS_BY_BLAME, "total", 1, false},
    {TT_STATS_BY_BLAME, "ready", 1, false},
    {TT_STATS_BY_BLAME, "blocked", 1, false},
    {TT_STATS_BY_TOTAL, "busy", 1, true},
    {TT_STATS_BY_TOTAL, "irq", 1, false},
    {TT_STATS_BY_TOTAL, "kernel", 1, false},
    {TT_STATS_BY_TOTAL, "events", 0, false},
    {TT_STATS_BY_TOTAL, "context_switches", 0, true},
    {TT_STATS_BY_TOTAL, "preemptions", 1, false},
    {TT_STATS_BY_TOTAL, "interrupts", 0, false},
    {TT_STATS_BY_TOTAL, "migrations", 1, true},
    {TT_STATS_BY_TOTAL, "delay_mean", 1, true},
};

/* clang-format on */

#define MEASURES (sizeof table / sizeof *table)

bool tt_baseline_has(int by)
{
    for (size_t i = 0; i < MEASURES; i++) {
        if ((int)table[i].by == by) {
            return true;
        }
    }
    return false;
}

static bool is_one_of(const char *key, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp(*words, key) == 0) {
            return true;
        }
    }
    return false;
}

/* Numbers that do not grow with the window. */
static const char *const levels[] = {"processes",   "threads",    "cpus",      "depth",
                                     "waiting_max", "stack_size", "stack_min", "serving_max",
                                     "priority",    NULL};
/* Values for which less is worse. */
static const char *const less_is_worse[] = {"idle", "stack_min", NULL};

static enum tt_scale scale_of(const struct tt_table_column *column)
{
    switch (column->unit) {
    case TT_UNIT_TIME_MS:
    case TT_UNIT_SHARE:
        return TT_SCALE_SHARE;
    case TT_UNIT_TIME_US:
    case TT_UNIT_MEAN_US:
        return strcmp(column->key, "wait_sum") == 0 ? TT_SCALE_SHARE : TT_SCALE_TIME;
    case TT_UNIT_RATE:
        return TT_SCALE_RATE;
    case TT_UNIT_COUNT:
        return is_one_of(column->key, levels) ? TT_SCALE_NUMBER : TT_SCALE_RATE;
    default:
        return TT_SCALE_NUMBER;
    }
}

static const struct tt_table_column *find_column(enum tt_stats_by by, const char *key)
{
    size_t count;
    const struct tt_table_column *columns = tt_table_columns((int)by, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].key, key) == 0) {
            return &columns[i];
        }
    }
    return NULL;
}

bool tt_baseline_find_measure(enum tt_stats_by by, const char *key,
                              struct tt_baseline_measure *measure)
{
    const struct tt_table_column *column = find_column(by, key);
    if (!column) {
        return false;
    }
    *measure = (struct tt_baseline_measure){
        .key = column->key,
        .column = column,
        .scale = scale_of(column),
        .worse = is_one_of(key, less_is_worse) ? -1 : 1,
    };
    for (size_t i = 0; i < MEASURES; i++) {
        if (table[i].by == by && strcmp(table[i].key, key) == 0) {
            measure->worse = table[i].worse;
            measure->common = table[i].common;
        }
    }
    return true;
}

bool tt_baseline_set_measures(struct tt_baseline *b, enum tt_stats_by by,
                              const struct tt_table_column *extra)
{
    b->measure_count = 0;
    for (size_t i = 0; i < MEASURES && b->measure_count < TT_BASELINE_MEASURES; i++) {
        if (table[i].by == by &&
            tt_baseline_find_measure(by, table[i].key, &b->measures[b->measure_count])) {
            extra = extra && strcmp(extra->key, table[i].key) == 0 ? NULL : extra;
            b->measure_count++;
        }
    }
    if (extra && b->measure_count < TT_BASELINE_MEASURES &&
        tt_baseline_find_measure(by, extra->key, &b->measures[b->measure_count])) {
        b->measure_count++;
    }
    return b->measure_count > 0;
}

/* ---- values ------------------------------------------------------------------------------- */

/* Returns value * mul / div, or no value. */
static uint64_t scaled(uint64_t value, uint64_t mul, uint64_t div)
{
    uint64_t result;
    return tt_mul_div(value, mul, div, &result) ? result : TT_BASELINE_NONE;
}

static uint64_t time_value(const struct tt_table_column *column, const void *field, uint64_t hz)
{
    const struct tt_distribution *d = field;
    uint64_t mul = hz ? PICO : 1000, div = hz ? hz : 1;
    if (column->unit != TT_UNIT_MEAN_US) {
        return scaled(*(const uint64_t *)field, mul, div);
    }
    uint64_t sum = scaled(d->sum, mul, div);
    return sum == TT_BASELINE_NONE || d->count == 0 ? TT_BASELINE_NONE : sum / d->count;
}

static uint64_t rate_value(uint64_t count, uint64_t window, uint64_t hz)
{
    uint64_t mul = hz == 0 ? PICO : hz < UINT64_MAX / MICRO ? hz * MICRO : UINT64_MAX;
    return scaled(count, mul, window);
}

/* Returns the number that `stats` prints, in thousandths. */
static uint64_t number_value(const struct tt_table_column *column, const struct tt_table_run *sheet,
                             const struct tt_stat_row *row)
{
    char buffer[64];
    struct tt_table_cell cell = tt_table_cell_of(sheet, column, row, buffer, sizeof buffer);
    uint64_t power = 1;
    switch (cell.kind) {
    case TT_CELL_NUMBER:
        return scaled(cell.number, 1000, 1);
    case TT_CELL_SIGNED:
        return cell.signed_number < 0 ? 0 : scaled((uint64_t)cell.signed_number, 1000, 1);
    case TT_CELL_DECIMAL:
        for (unsigned i = 0; i < cell.decimals; i++) {
            power *= 10;
        }
        return scaled(cell.number, 1000, power);
    default:
        return TT_BASELINE_NONE;
    }
}

uint64_t tt_baseline_value(const struct tt_baseline_measure *measure,
                           const struct tt_table_run *sheet, const struct tt_stat_row *row)
{
    const struct tt_table_column *column = measure->column;
    const void *field = (const char *)row + column->field;
    uint64_t hz = sheet->capture->clock_hz;
    if (column->basis != TT_TABLE_ALWAYS &&
        *(const uint64_t *)((const char *)row + column->basis) == 0) {
        return TT_BASELINE_NONE;
    }
    if (measure->scale == TT_SCALE_NUMBER) {
        return number_value(column, sheet, row);
    }
    if (column->unit != TT_UNIT_MEAN_US && *(const uint64_t *)field == TT_TABLE_NONE) {
        return TT_BASELINE_NONE;
    }
    switch (measure->scale) {
    case TT_SCALE_SHARE:
        return scaled(*(const uint64_t *)field, PER_BILLION, sheet->window);
    case TT_SCALE_RATE:
        return rate_value(*(const uint64_t *)field, sheet->window, hz);
    default:
        return time_value(column, field, hz);
    }
}

uint64_t tt_baseline_place(const struct tt_baseline_measure *measure, const struct tt_stat_row *row)
{
    if (measure->column->distribution == TT_TABLE_ALWAYS) {
        return TT_BASELINE_NONE;
    }
    const struct tt_distribution *d =
        (const void *)((const char *)row + measure->column->distribution);
    return d->count > 0 ? d->max_at : TT_BASELINE_NONE;
}
