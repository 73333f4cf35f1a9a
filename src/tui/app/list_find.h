/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_find: searches the list that has the keys, and copies its row: both by what its rows show, so that
 * no list has a search of its own.
 *
 *      row --> page of the list, drawn into a grid that is not shown --> text of the row's line
 *
 * A search draws a page for as many rows as fit the screen. Screen thread only.
 */
#ifndef TRACETUI_TUI_APP_LIST_FIND_H
#define TRACETUI_TUI_APP_LIST_FIND_H

#include <stdbool.h>

struct tt_app;
struct tt_text;

/* Moves to the next or previous row with the text searched last, from the other end on if need be. */
void tt_list_find_next(struct tt_app *app, bool forward);
/* Appends the text of the cursor's row; nothing if no list has the keys. */
void tt_list_find_copy(struct tt_app *app, struct tt_text *text);

#endif
