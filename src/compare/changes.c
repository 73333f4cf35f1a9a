/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/changes.h"

#include <math.h>
#include <string.h>

#include "compare/comparison_text.h"
#include "table/columns.h"

#define P_DECIMALS    4u
#define FILE_DECIMALS 6u
#define FILE_POWER    1e6

static const struct tt_comparison_change *change_of(const void *row)
{
    return ((const struct tt_change_row *)row)->change;
}

/* ---- cells -------------------------------------------------------------------------------- */

static TT_CELL_FUNCTION(put_by)
{
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_str(&cell->text, ((const struct tt_change_row *)row)->table->name);
}

static TT_CELL_FUNCTION(put_name)
{
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_str(&cell->text, tt_comparison_name(change_of(row)));
}

static TT_CELL_FUNCTION(put_column)
{
    (void)run;
    cell->kind = TT_CELL_TEXT;
    if (column->is_text) {
        tt_comparison_put_measure(&cell->text, change_of(row)->measure);
    } else {
        tt_text_str(&cell->text, change_of(row)->measure->key);
    }
}

static TT_CELL_FUNCTION(put_unit)
{
    const struct tt_change_row *of = row;
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_str(&cell->text, tt_comparison_unit(of->side, of->change->measure));
}

static TT_CELL_FUNCTION(put_a)
{
    const struct tt_change_row *of = row;
    (void)run;
    (void)column;
    tt_comparison_set_number(cell, of->change->measure, of->change->a);
    tt_comparison_put_value(&cell->text, of->side, of->change->measure, of->change->a);
}

static TT_CELL_FUNCTION(put_b)
{
    const struct tt_change_row *of = row;
    (void)run;
    (void)column;
    tt_comparison_set_number(cell, of->change->measure, of->change->b);
    tt_comparison_put_value(&cell->text, of->side, of->change->measure, of->change->b);
}

static TT_CELL_FUNCTION(put_difference)
{
    const struct tt_change_row *of = row;
    (void)run;
    (void)column;
    tt_comparison_put_difference(&cell->text, of->side, of->change);
}

/* Sets a fraction with the decimals of files. */
static void set_fraction(struct tt_table_cell *cell, double value)
{
    const double scaled = floor(fabs(value) * FILE_POWER + 0.5);
    cell->kind = TT_CELL_DECIMAL;
    cell->decimals = FILE_DECIMALS;
    cell->number = scaled < 1e18 ? (uint64_t)scaled : UINT64_C(1000000000000000000);
    cell->is_negative = value < 0 && scaled > 0;
}

static TT_CELL_FUNCTION(put_change)
{
    const struct tt_comparison_change *change = change_of(row);
    (void)run;
    (void)column;
    if (isfinite(change->change)) {
        set_fraction(cell, change->change);
    }
    tt_comparison_put_change(&cell->text, change);
}

static TT_CELL_FUNCTION(put_p)
{
    const struct tt_change_row *of = row;
    (void)run;
    (void)column;
    if (of->change->row_a && of->change->row_b) {
        set_fraction(cell, of->change->p);
        tt_comparison_put_fraction(&cell->text, of->change->p,
                                   of->decimals > 0 ? (unsigned)of->decimals : P_DECIMALS);
    }
}

static TT_CELL_FUNCTION(put_verdict)
{
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_str(&cell->text, tt_comparison_verdict_word(change_of(row)->verdict));
}

/* ---- columns ------------------------------------------------------------------------------ */

/* clang-format off */
static const struct tt_table_column columns[] = {
    MADE("by", NULL, NAME, put_by, OFF_SCREEN, "Table that is compared."),
    MADE("key", "row", NAME, put_name, SCREEN("", "row", 0, 1), "Name of the row, which is the same in both captures.", .is_key = true),
    MADE("column", NULL, NAME, put_column, OFF_SCREEN, "Key of the value that is compared."),
    MADE("value", "value", NAME, put_column, WIDE(18, "value", 1, 2), "Value that is compared: a column of the table.", .is_text = true),
    MADE("unit", NULL, NAME, put_unit, OFF_SCREEN, "Unit of both values."),
    MADE("a", "A", REAL, put_a, WIDE(12, "A", 3, 3), "Value in the first capture or range."),
    MADE("b", "B", REAL, put_b, WIDE(12, "B", 4, 4), "Value in the second capture or range."),
    MADE("difference", "difference", REAL, put_difference, OFF_SCREEN, "B minus A.", .is_text = true),
    MADE("change", "change", REAL, put_change, WIDE(9, "change", 2, 5), "Difference as a part of A."),
    MADE("p", "p", REAL, put_p, WIDE(6, "p", 6, 6), "Probability of such a difference in any row without a change."),
    MADE("verdict", "verdict", NAME, put_verdict, WIDE(7, "verdict", 5, 7), "What the change is: worse, better, changed, new, gone or unchanged."),
};
/* clang-format on */

const struct tt_table tt_table_changes = {
    NAMES("change", "Changes", "A value of a row in two captures or ranges.", "[key] [value]"),
    COLUMNS(columns),
    .row_size = sizeof(struct tt_change_row),
    .is_overall = true,
};

void tt_changes_run(struct tt_table_run *run, const struct tt_table *table,
                    struct tt_table_column own[TT_CHANGE_COLUMNS])
{
    _Static_assert(sizeof columns / sizeof *columns == TT_CHANGE_COLUMNS, "all columns");
    memcpy(own, columns, sizeof columns);
    own[1].heading = table->name;
    run->table = &tt_table_changes;
    run->columns = own;
    run->column_count = TT_CHANGE_COLUMNS;
}
