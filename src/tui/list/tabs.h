/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tabs: the names of the tables of a view on one line; those that do not fit are left out on both sides.
 *
 *       .. Pairs  [Events]  Jobs ..
 *
 * Pure functions; one thread.
 */
#ifndef TRACETUI_TUI_LIST_TABS_H
#define TRACETUI_TUI_LIST_TABS_H

#include "tui/draw/grid.h"

struct tt_tabs {
    const char *const *titles; /* NULL: a table that is not there */
    int count, current;
    int room; /* columns from 1 on */
};

/* Returns the columns that all names need. */
int tt_tabs_width(const struct tt_tabs *tabs);
/* Draws the names; returns the column after them. */
int tt_tabs_draw(const struct tt_tabs *tabs, struct tt_area line);
/* Returns the number of the table at a column, or -1. */
int tt_tabs_at(const struct tt_tabs *tabs, int x);

#endif
