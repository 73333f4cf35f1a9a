/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/histogram: the pane that shows how the lengths behind a number are spread.
 *
 *      -- sch delay of sensor/2 isr, 42 lengths -----------------
 *        500 ns ..   1 us      21  ##########
 *          1 us ..   2 us      19  #########
 *
 * Of a column that is of a distribution: the lengths of the row's own; of any other: the values of
 * all rows. Gathered in steps. One thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_HISTOGRAM_H
#define TRACETUI_TUI_VIEWS_SUMMARY_HISTOGRAM_H

#include "tui/views/summary/table.h"

struct tt_summary_histogram {
    bool open;
    bool begun;
    bool failed;
    struct tt_histogram histogram;
    uint64_t made_at; /* of the tab's numbers that it is of */
    bool of_complete; /* and whether they were complete */
};

void tt_summary_histogram_free(struct tt_summary_histogram *spread);
/* Lines that it takes of so many; 0 when closed, or when there is no room. */
int tt_summary_histogram_height(const struct tt_summary_histogram *spread, int lines);
/* Asks for the one of the tab's column and row; if it is there it costs nothing. */
void tt_summary_histogram_ask(struct tt_summary_histogram *spread,
                              const struct tt_summary_table *tab);
/* Goes on for about `budget_ns`; true when it is complete or closed. */
bool tt_summary_histogram_work(struct tt_summary_histogram *spread, uint64_t budget_ns);
void tt_summary_histogram_draw(const struct tt_summary_histogram *spread,
                               const struct tt_workspace *ws, const struct tt_summary_table *tab,
                               struct tt_area area);

#endif
