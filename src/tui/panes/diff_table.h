/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_table: the table of the Diff pane: a row for each row of both sides, and A, B and the change of
 * several values beside each other.
 *
 *                            run %                  delay p99 us
 *       thread               A        B  change           A        B  change
 *      ▌sensor/1 sample  1.070    1.572 +46.9 % !!    1.510   41.203 x 27.3  !!
 *       fusion/1 fuse    2.370    2.410       =       1.527    1.530       =
 *
 * Values with a significant change in some row come first, then the others, each in the order of `stats`.
 * The table refers to the comparison, which is complete, and owns its arrays. One thread.
 */
#ifndef TRACETUI_TUI_PANES_DIFF_TABLE_H
#define TRACETUI_TUI_PANES_DIFF_TABLE_H

#include "tracetui/comparison.h"
#include "tui/model/workspace.h"

struct tt_diff_table {
    const struct tt_comparison *comparison; /* that the arrays are of; NULL: none */
    unsigned version;                       /* see tt_comparing */
    size_t *rows;                           /* first change of each row */
    size_t row_count;
    const struct tt_baseline_measure *measures[TT_BASELINE_MEASURES]; /* of A, as they are shown */
    unsigned measure_count;
    unsigned column, first; /* the selected measure, and the first one shown */
    unsigned shown;         /* number of measures that fit */
    int name_width;
};

/* Makes the rows of a comparison that is complete; false if out of memory. */
bool tt_diff_table_make(struct tt_diff_table *table, const struct tt_comparing *comparing);
void tt_diff_table_free(struct tt_diff_table *table);
/* Divides the width, and scrolls to the selected measure. */
void tt_diff_table_layout(struct tt_diff_table *table, int width);
/* Returns the change of the selected measure in a row, or of the row if it has none; NULL below it. */
const struct tt_comparison_change *tt_diff_table_at(const struct tt_diff_table *table, size_t row);

/* Selects the measure at a column of the screen. */
void tt_diff_table_click(struct tt_diff_table *table, int x);

/* Draw the two lines of headings, a row, and the line with the selected value in words. */
void tt_diff_table_draw_heads(const struct tt_workspace *ws, const struct tt_diff_table *table,
                              struct tt_area area, int y);
void tt_diff_table_draw_row(const struct tt_diff_table *table, struct tt_area area, int y,
                            size_t row, bool selected);
void tt_diff_table_draw_value(const struct tt_diff_table *table, struct tt_area area, int y,
                              size_t row);

/* Returns the role in which a verdict is drawn. */
enum tt_role tt_diff_role(enum tt_comparison_verdict verdict);

#endif
