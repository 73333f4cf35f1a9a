/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list: a list of rows with a cursor: its motion, pages, scrolling and clicks, the same in every list.
 *
 *      y ->  row 40 <- top        `lines` rows are shown
 *            row 41
 *          > row 42 <- at         of `count`
 *
 * The owner draws the rows. Keys that come before the rows act when there are some: a list that fills
 * later shows the same as one that was full. Plain data; screen thread only.
 */
#ifndef TRACETUI_TUI_LIST_LIST_H
#define TRACETUI_TUI_LIST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw/grid.h"
#include "tui/input/actions.h"
#include "tui/model/terminal.h"

struct tt_list {
    size_t count;
    size_t at;  /* the cursor */
    size_t top; /* shown first */
    int y, lines;
    /* It returns to a place, as soon as it has as many rows. */
    bool returns;
    size_t return_at, return_top;
    int64_t pending; /* moves by as many rows, once there are any */
    /* The cursor stays on the first (-1) or the last row (1) while it is on `end_at`; 0: on neither. */
    int8_t end;
    size_t end_at;
};

/* The heading of a column, whose width 0 means that it is not shown. */
struct tt_list_head {
    int x, width;
    bool right;  /* aligned to the right */
    bool sorted; /* the rows are in its order; an arrow is between it and the next heading */
    bool down;   /* from the largest value on */
    bool chosen;
};

/*
 * Places `count` rows in `lines` lines from y on: the cursor is one of them, and is shown. Returns true if
 * an earlier key moves it now.
 */
bool tt_list_layout(struct tt_list *list, size_t count, int y, int lines);
/* Returns to a cursor and a scroll position, once there are as many rows, unless the cursor moves. */
void tt_list_return(struct tt_list *list, uint64_t at, uint64_t top);
/* Puts the cursor on a row, or on the last one. */
void tt_list_go(struct tt_list *list, uint64_t at);
/* Moves the cursor; returns false if the action is no movement. */
bool tt_list_move(struct tt_list *list, enum tt_do action);
/* Scrolls a list without a cursor; returns false if the action is no movement. */
bool tt_list_scroll(struct tt_list *list, enum tt_do action);
/* Puts the cursor on the row at line y of the area; returns false if there is none. */
bool tt_list_click(struct tt_list *list, int y);
/* Returns the row on the list's line `line`; SIZE_MAX: none. */
size_t tt_list_row(const struct tt_list *list, int line);
/* Highlights the cursor's line of an area, after its row was drawn. */
void tt_list_draw_cursor(const struct tt_list *list, const struct tt_terminal *term,
                         struct tt_area area);
/* Draws a heading on a line. */
void tt_list_draw_head(const struct tt_terminal *term, struct tt_area line,
                       const struct tt_list_head *head, const char *text);

#endif
