/* SPDX-License-Identifier: Apache-2.0 */
/* measures: the columns of `stats` that a comparison uses, and their values. */
#include <string.h>

#include "compare/baseline_internal.h"
#include "tracetui/time.h"

#define PER_BILLION UINT64_C(1000000000)
#define PICO        UINT64_C(1000000000000)
#define MICRO       UINT64_C(1000000)

/* Returns whether a comparison lists a column: those that the table names, or all if it names none. */
static bool is_compared(const struct tt_table *table, const struct tt_table_column *column)
{
    bool names_any = false;
    for (size_t i = 0; i < table->column_count; i++) {
        names_any |= table->columns[i].compared > 0;
    }
    return names_any ? column->compared > 0 : tt_column_is_measure(column);
}

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

static bool is_summed(const struct tt_table_column *column)
{
    return (column->unit == TT_UNIT_TIME_MS || column->unit == TT_UNIT_TIME_US) &&
           !column->is_sql && !column->is_costly;
}

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

bool tt_baseline_set_measures(struct tt_baseline *b, const struct tt_table *table,
                              const struct tt_table_column *extra)
{
    b->measure_count = 0;
    if (table->next) {
        b->measures[b->measure_count++] = measure_of(table, &row_count);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        const struct tt_table_column *column = &table->columns[i];
        bool compared = table->next ? is_summed(column) : is_compared(table, column);
        if (!compared || b->measure_count == TT_BASELINE_MEASURES) {
            continue;
        }
        uint32_t at = b->measure_count++;
        for (; at > 0 && b->measures[at - 1].column->compared > column->compared; at--) {
            b->measures[at] = b->measures[at - 1];
        }
        b->measures[at] = measure_of(table, column);
        extra = extra == column ? NULL : extra;
    }
    if (extra && b->measure_count < TT_BASELINE_MEASURES) {
        b->measures[b->measure_count++] = measure_of(table, extra);
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
                             const void *row)
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
                           const struct tt_table_run *sheet, const void *row)
{
    const struct tt_table_column *column = measure->column;
    const void *field = (const char *)row + column->field;
    uint64_t hz = sheet->capture->clock_hz;
    if (column == &row_count) {
        return rate_value(1, sheet->window, hz);
    }
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

uint64_t tt_baseline_place(const struct tt_baseline_measure *measure, const void *row)
{
    if (measure->column->distribution == TT_TABLE_ALWAYS) {
        return TT_BASELINE_NONE;
    }
    const struct tt_distribution *d =
        (const void *)((const char *)row + measure->column->distribution);
    return d->count > 0 ? d->max_at : TT_BASELINE_NONE;
}
