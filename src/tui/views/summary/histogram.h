/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/histogram: the pane with the histogram of the durations of one column.
 *
 *      -- sch delay of sensor/2 isr, 42 lengths -----------------
 *        500 ns ..   1 us      21  ##########
 *          1 us ..   2 us      19  #########
 *
 * For a column of a distribution, it shows the durations of the selected row; for any other column,
 * the values of all rows. It is computed in steps. One thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_HISTOGRAM_H
#define TRACETUI_TUI_VIEWS_SUMMARY_HISTOGRAM_H

#include "tui/views/summary/table.h"

struct tt_summary_histogram {
    bool open;
    bool begun;
    bool failed;
    struct tt_histogram histogram;
    uint64_t built_at; /* built_at of the tab's numbers it was computed from */
    bool of_complete;  /* those numbers were complete */
};

void tt_summary_histogram_free(struct tt_summary_histogram *spread);
/* Returns how many of `lines` the pane takes; 0 if it is closed or does not fit. */
int tt_summary_histogram_height(const struct tt_summary_histogram *spread, int lines);
/* Requests the histogram of the tab's column and row; a no-op if it is current. */
void tt_summary_histogram_ask(struct tt_summary_histogram *spread,
                              const struct tt_summary_table *tab);
/* Continues for about `budget_ns`; true when it is complete or closed. */
bool tt_summary_histogram_work(struct tt_summary_histogram *spread, uint64_t budget_ns);
void tt_summary_histogram_draw(const struct tt_summary_histogram *spread,
                               const struct tt_workspace *ws, const struct tt_summary_table *tab,
                               struct tt_area area);

#endif
