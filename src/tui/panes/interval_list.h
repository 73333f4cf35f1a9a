/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interval_list: the lines of a list of intervals of threads. The panes of :measure and :deadline have
 * one.
 */
#ifndef TRACETUI_TUI_PANES_INTERVAL_LIST_H
#define TRACETUI_TUI_PANES_INTERVAL_LIST_H

#include "tui/app/view.h"
#include "tui/list/list.h"

#define TT_INTERVAL_LINE 512u /* bytes of a line */

/* Writes an interval of the list `arg` as one line. */
typedef void tt_interval_write(const struct tt_workspace *ws, const void *arg, size_t index,
                               struct tt_text *text);

void tt_interval_list_draw(const struct tt_workspace *ws, const struct tt_list *list,
                           struct tt_area area, tt_interval_write *write, const void *arg);
/* Draws a line with a title across the area. */
void tt_interval_list_rule(const struct tt_workspace *ws, struct tt_area area, int y,
                           const char *title);
/* Appends a duration, right-aligned. */
void tt_interval_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks,
                          int width);
/* Opens the explanation of an interval of a thread. */
void tt_interval_explain(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to);
/* Closes the overlay: the `dismiss` of struct tt_view. */
bool tt_interval_dismiss(struct tt_workspace *ws, void *state);

#endif
