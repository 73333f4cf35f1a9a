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

/* A search in a list, in steps, so that it keeps no key waiting. */
struct tt_list_search {
    char text[128]; /* in upper or lower case */
    bool active;
    bool forward;
    size_t row;        /* that was looked at last */
    size_t left, rows; /* how many are left, of how many */
};

/* Begins after the row with the cursor; after the last row comes the first one. */
void tt_list_search_begin(struct tt_list_search *search, const struct tt_list *list, bool forward);
/*
 * Looks at rows for about `budget_ns`, and at a page of them at least; puts the cursor on one with the text and
 * returns true. The search is active while rows are left.
 */
bool tt_list_search_step(struct tt_list_search *search, const struct tt_list_pages *pages,
                         uint64_t budget_ns);
unsigned tt_list_search_percent(const struct tt_list_search *search);
/* Appends the text of the cursor's row, if there is one, as on a screen of at least `width` columns. */
void tt_list_copy(const struct tt_list_pages *pages, int width, struct tt_text *text);

#endif
