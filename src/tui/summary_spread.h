/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary_spread: the pane that shows how the lengths behind a number are spread.
 *
 *      -- sch delay of sensor/2 isr, 42 lengths -----------------
 *        500 ns ..   1 us      21  ##########
 *          1 us ..   2 us      19  #########
 *
 * Of a column that is of a distribution: the lengths of the row's own; of any other: the values of
 * all rows. Gathered in steps. One thread.
 */
#ifndef TRACETUI_TUI_SUMMARY_SPREAD_H
#define TRACETUI_TUI_SUMMARY_SPREAD_H

#include "tui/summary_tab.h"

struct tt_summary_spread {
    bool open;
    bool begun;
    bool failed;
    struct tt_histogram histogram;
    uint64_t made_at; /* of the tab's numbers that it is of */
    bool of_complete; /* and whether they were complete */
};

void tt_summary_spread_free(struct tt_summary_spread *spread);
/* Lines that it takes of so many; 0 when closed, or when there is no room. */
int tt_summary_spread_height(const struct tt_summary_spread *spread, int lines);
/* Asks for the one of the tab's column and row; if it is there it costs nothing. */
void tt_summary_spread_ask(struct tt_summary_spread *spread, const struct tt_summary_tab *tab);
/* Goes on for about `budget_ns`; true when it is complete or closed. */
bool tt_summary_spread_work(struct tt_summary_spread *spread, uint64_t budget_ns);
void tt_summary_spread_draw(const struct tt_summary_spread *spread, const struct tt_app *app,
                            const struct tt_summary_tab *tab, struct tt_area area);

#endif
