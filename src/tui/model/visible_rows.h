/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visible_rows: the events listed by the Events view, by rank: those that pass the filters, or all.
 *
 * While filters still run, the list contains the rows known so far, and ranks count from the first
 * known row; only the event itself is stable. Only the UI thread uses it.
 */
#ifndef TRACETUI_TUI_MODEL_VISIBLE_ROWS_H
#define TRACETUI_TUI_MODEL_VISIBLE_ROWS_H

#include "tui/model/workspace.h"

/* Returns the number of events in the list. */
uint64_t tt_visible_count(const struct tt_workspace *ws);
/* Returns the number of events in the list before a row. */
uint64_t tt_visible_rank(const struct tt_workspace *ws, uint64_t row);
/* Returns the row of a rank; UINT64_MAX if the rank is out of range. */
uint64_t tt_visible_row(const struct tt_workspace *ws, uint64_t rank);
bool tt_visible_has(const struct tt_workspace *ws, uint64_t row);

/*
 * Puts the cursor on the nearest event of the list if it is not on one and the nearest is known;
 * while a filter is typed, nearest to the cursor's position before typing.
 */
void tt_visible_place_cursor(struct tt_workspace *ws);

#endif
