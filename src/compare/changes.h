/* SPDX-License-Identifier: Apache-2.0 */
/*
 * changes: the table of the changes of a comparison, a row per value of a row on both sides. Its numbers have their
 * units when they are read; files have them in one unit. Plain data; any thread.
 */
#ifndef TRACETUI_COMPARE_CHANGES_H
#define TRACETUI_COMPARE_CHANGES_H

#include "compare/comparison.h"
#include "tracetui/table.h"

/* Room of a row, which the comparison outlives. */
struct tt_change_row {
    const struct tt_comparison_change *change;
    const struct tt_baseline *side; /* has the clock of both */
    const struct tt_table *table;   /* that is compared */
    uint64_t decimals;              /* of p when it is read; 0: 4 */
};

extern const struct tt_table tt_table_changes;

#define TT_CHANGE_COLUMNS 11u

/* Prepares a run for output: the first heading is the name of a row of `table`. The columns outlive the run. */
void tt_changes_run(struct tt_table_run *run, const struct tt_table *table,
                    struct tt_table_column columns[TT_CHANGE_COLUMNS]);

#endif
