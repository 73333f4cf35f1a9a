/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visible_rows: the events that the Events view lists, by rank: those that the filters leave, or
 * all.
 *
 * While filters still run, the list is what is known of it; ranks then count from the first row
 * known. What lasts is the event. The thread of the screen alone.
 */
#ifndef TRACETUI_TUI_MODEL_VISIBLE_ROWS_H
#define TRACETUI_TUI_MODEL_VISIBLE_ROWS_H

#include "tui/model/workspace.h"

/* Events in the list. */
uint64_t tt_visible_count(const struct tt_workspace *ws);
/* Events of the list before a row. */
uint64_t tt_visible_rank(const struct tt_workspace *ws, uint64_t row);
/* The row of a rank; UINT64_MAX if there are not so many. */
uint64_t tt_visible_row(const struct tt_workspace *ws, uint64_t rank);
bool tt_visible_has(const struct tt_workspace *ws, uint64_t row);

/*
 * Puts the cursor on the nearest event of the list, where it is not on one and that much is known;
 * while a filter is typed, as seen from where it was before.
 */
void tt_visible_place_cursor(struct tt_workspace *ws);

#endif
