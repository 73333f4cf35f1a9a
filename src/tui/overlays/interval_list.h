/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interval_list: a list of intervals of threads in an overlay: its cursor, its lines, and its keys.
 * The panes of :measure and :deadline have one.
 */
#ifndef TRACETUI_TUI_OVERLAYS_INTERVAL_LIST_H
#define TRACETUI_TUI_OVERLAYS_INTERVAL_LIST_H

#include "tui/app/view.h"

#define TT_INTERVAL_LINE 512u /* bytes of a line */

struct tt_interval_list {
    size_t count; /* of intervals */
    size_t at;    /* the cursor */
    size_t top;   /* shown first */
    int y, lines; /* of the area */
};

/* Writes an interval of the list `arg` as one line. */
typedef void tt_interval_write(const struct tt_workspace *ws, const void *arg, size_t index,
                               struct tt_text *text);

/* Places `count` intervals in the lines of the area from y on; the cursor stays among them. */
void tt_interval_list_layout(struct tt_interval_list *list, struct tt_area area, int y,
                             size_t count);
void tt_interval_list_draw(const struct tt_workspace *ws, const struct tt_interval_list *list,
                           struct tt_area area, tt_interval_write *write, const void *arg);
/* Draws a line with a title across the area. */
void tt_interval_list_rule(const struct tt_workspace *ws, struct tt_area area, int y,
                           const char *title);
/* Moves the cursor; returns false if the action is no movement. */
bool tt_interval_list_move(struct tt_interval_list *list, enum tt_do action);
void tt_interval_list_click(struct tt_interval_list *list, int y);

/* Appends a duration, right-aligned. */
void tt_interval_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks,
                          int width);
/* Opens the explanation of an interval of a thread. */
void tt_interval_explain(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to);
/* Closes the overlay: the `dismiss` of struct tt_view. */
bool tt_interval_dismiss(struct tt_workspace *ws, void *state);

#endif
