/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find: the text of the rows of a list, as they are drawn, so that no list has a search or a copy of its own.
 *
 *      row --> page of the list, drawn into a grid that is not shown --> text of the row's line
 *
 * A search draws a page for as many rows as fit the screen. Screen thread only.
 */
#ifndef TRACETUI_TUI_LIST_FIND_H
#define TRACETUI_TUI_LIST_FIND_H

#include "tui/list/list.h"
#include "tui/model/workspace.h"

/* A list and how its view is drawn. */
struct tt_list_pages {
    struct tt_list *list;
    const struct tt_workspace *ws;
    const void *state;
    void (*draw)(const struct tt_workspace *ws, const void *state, struct tt_area area);
};

/*
 * Puts the cursor on the next or previous row with a text, in upper or lower case, from the other end on if
 * need be; returns false if there is none among the next 100,000.
 */
bool tt_list_find(const struct tt_list_pages *pages, const char *text, bool forward);
/* Appends the text of the cursor's row, if there is one. */
void tt_list_copy(const struct tt_list_pages *pages, struct tt_text *text);

#endif
