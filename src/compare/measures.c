/* SPDX-License-Identifier: Apache-2.0 */
/* measures: the columns of `stats` that a comparison uses, and their values. */
#include <string.h>

#include "check/judge.h"
#include "compare/baseline_internal.h"
#include "tracetui/time.h"

#define PER_BILLION UINT64_C(1000000000)
#define PICO        UINT64_C(1000000000000)
#define MICRO       UINT64_C(1000000)

/*
 * Raw rows of one name are one row of a baseline, with their number and the sums of their times. A time that
 * only a walk of its own computes is not compared.
 */
static const struct tt_table_column row_count = {.key = "count",
                                                 .unit = TT_UNIT_COUNT,
                                                 .basis = TT_TABLE_ALWAYS,
                                                 .distribution = TT_TABLE_ALWAYS,
                                                 .is_neutral = true,
                                                 .is_common = true};

bool tt_baseline_has(const struct tt_table *table)
{
    bool has = table->is_upright || (table->next && !table->needs_no_events);
    for (size_t i = 0; i < table->column_count; i++) {
        has |= table->columns[i].is_key;
    }
    return has;
}

static enum tt_scale scale_of(const struct tt_table_column *column)
{
    switch (column->unit) {
    case TT_UNIT_TIME_MS:
    case TT_UNIT_SHARE:
        return TT_SCALE_SHARE;
    case TT_UNIT_TIME_US:
    case TT_UNIT_MEAN_US:
        return column->is_sum ? TT_SCALE_SHARE : TT_SCALE_TIME;
    case TT_UNIT_RATE:
        return TT_SCALE_RATE;
    case TT_UNIT_COUNT:
        return column->is_level ? TT_SCALE_NUMBER : TT_SCALE_RATE;
    default:
        return TT_SCALE_NUMBER;
    }
}

static struct tt_baseline_measure measure_of(const struct tt_table *table,
                                             const struct tt_table_column *column)
{
    enum tt_scale scale = scale_of(column);
    scale = table->next && scale == TT_SCALE_TIME ? TT_SCALE_SHARE : scale;
    return (struct tt_baseline_measure){.key = column->key, .column = column, .scale = scale};
}

bool tt_baseline_find_measure(const struct tt_table *table, const char *key,
                              struct tt_baseline_measure *measure)
{
    const struct tt_table_column *column = table->next && strcmp(key, row_count.key) == 0
                                               ? &row_count
                                               : tt_table_column_of(table, key);
    if (column) {
        *measure = measure_of(table, column);
    }
    return column != NULL;
}

bool tt_baseline_set_measures(struct tt_baseline *baseline, const struct tt_table *table,
                              const struct tt_table_column *extra)
{
    bool names_any = false; /* the table names those that a comparison lists */
    baseline->measure_count = 0;
    if (table->next) {
        baseline->measures[baseline->measure_count++] = measure_of(table, &row_count);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        names_any |= table->columns[i].compared > 0;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        bool is_time = column->unit == TT_UNIT_TIME_MS || column->unit == TT_UNIT_TIME_US;
        bool compared = table->next ? is_time && !column->is_sql && !column->is_costly
                        : names_any ? column->compared > 0
                                    : tt_column_is_measure(column);
        if (!compared || baseline->measure_count == TT_BASELINE_MEASURES) {
            continue;
        }
        uint32_t at = baseline->measure_count++;
        for (; at > 0 && baseline->measures[at - 1].column->compared > column->compared; at--) {
            baseline->measures[at] = baseline->measures[at - 1];
        }
        baseline->measures[at] = measure_of(table, column);
        extra = extra == column ? NULL : extra;
    }
    if (extra && baseline->measure_count < TT_BASELINE_MEASURES) {
        baseline->measures[baseline->measure_count++] = measure_of(table, extra);
    }
    return baseline->measure_count > 0;
}

/* ---- values ------------------------------------------------------------------------------- */

/* Returns value * mul / div, or no value. */
static uint64_t measures_scaled(uint64_t value, uint64_t mul, uint64_t div)
{
    uint64_t result;
    return tt_mul_div(value, mul, div, &result) ? result : TT_BASELINE_NONE;
}

static uint64_t rate_value(uint64_t count, uint64_t window, uint64_t hz)
{
    uint64_t mul = hz == 0 ? PICO : hz < UINT64_MAX / MICRO ? hz * MICRO : UINT64_MAX;
    return measures_scaled(count, mul, window);
}

uint64_t tt_baseline_value(const struct tt_baseline_measure *measure,
                           const struct tt_table_run *sheet, const void *row)
{
    const struct tt_table_column *column = measure->column;
    const char *bytes = row;
    uint64_t hz = sheet->capture->clock_hz, mul = hz ? PICO : 1000, div = hz ? hz : 1;
    if (column == &row_count) {
        return rate_value(1, sheet->window, hz);
    }
    if (column->basis != TT_TABLE_ALWAYS && *(const uint64_t *)(bytes + column->basis) == 0) {
        return TT_BASELINE_NONE;
    }
    if (measure->scale == TT_SCALE_NUMBER) { /* that `stats` prints */
        char buffer[64];
        struct tt_table_cell cell = tt_table_cell_of(sheet, column, row, buffer, sizeof buffer);
        struct tt_decimal number = tt_check_number(&cell);
        uint64_t power = 1;
        for (unsigned i = 0; i < number.decimals; i++) {
            power *= 10;
        }
        return cell.kind == TT_CELL_NUMBER || cell.kind == TT_CELL_SIGNED ||
                       cell.kind == TT_CELL_DECIMAL
                   ? measures_scaled(number.number, 1000, power)
                   : TT_BASELINE_NONE;
    }
    if (column->unit == TT_UNIT_MEAN_US && measure->scale == TT_SCALE_TIME) {
        const struct tt_distribution *distribution = (const void *)(bytes + column->field);
        uint64_t sum = measures_scaled(distribution->sum, mul, div);
        return sum == TT_BASELINE_NONE || distribution->count == 0 ? TT_BASELINE_NONE
                                                                   : sum / distribution->count;
    }
    uint64_t number = *(const uint64_t *)(bytes + column->field);
    return number == TT_TABLE_NONE && column->unit != TT_UNIT_MEAN_US ? TT_BASELINE_NONE
           : measure->scale == TT_SCALE_SHARE ? measures_scaled(number, PER_BILLION, sheet->window)
           : measure->scale == TT_SCALE_RATE  ? rate_value(number, sheet->window, hz)
                                              : measures_scaled(number, mul, div);
}

uint64_t tt_baseline_place(const struct tt_baseline_measure *measure, const void *row)
{
    if (measure->column->distribution == TT_TABLE_ALWAYS) {
        return TT_BASELINE_NONE;
    }
    const struct tt_distribution *distribution =
        (const void *)((const char *)row + measure->column->distribution);
    return distribution->count > 0 ? distribution->max_at : TT_BASELINE_NONE;
}
