/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pane: what several panes draw and do in the same way. The list of a pane is the first member of its
 * state.
 */
#ifndef TRACETUI_TUI_PANES_PANE_H
#define TRACETUI_TUI_PANES_PANE_H

#include "tui/app/view.h"
#include "tui/list/list.h"

#define TT_PANE_LINE  4096u   /* bytes of a line */
#define TT_PANE_CLOCK 2000000 /* ns between two looks at the index of another capture */

/* The `list` and the `dismiss` of struct tt_view: the list of the state; closes the pane. */
struct tt_list *tt_pane_list(void *state);
bool tt_pane_dismiss(struct tt_workspace *ws, void *state);

/*
 * Draws the first line of a pane: its title at the left, and its state at the right in a role. The title
 * has the room that the state leaves.
 */
void tt_pane_title(struct tt_area area, const struct tt_text *title, const struct tt_text *state,
                   enum tt_role role);
/* Draws a line with a title across the area. */
void tt_pane_rule(const struct tt_workspace *ws, struct tt_area area, int y, const char *title);
/* Blanks an area and draws a line with a title at its top, and a line at its bottom if `closed`. */
void tt_pane_box(const struct tt_workspace *ws, struct tt_area box, const char *title, bool closed);

/* Returns the unit of microseconds, with a blank. */
const char *tt_pane_micro(const struct tt_workspace *ws);
/* Return the name of a file without its directories, and whether a path has this end. */
const char *tt_pane_file_name(const char *path);
bool tt_pane_has_end(const char *path, const char *end);

/*
 * Closes the pane and shows an interval of a thread in the lanes, or without one the event at `at`; or
 * opens its explanation. `what` as of tt_why_open_range.
 */
void tt_pane_go(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to, uint64_t at);
void tt_pane_explain(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to,
                     const char *what);
/* Returns the lines of axis and lanes at the top of the Why pane, with its state, as of its last layout. */
int tt_why_lanes_lines(const void *state);
/* Opens a capture beside the open one and begins to index it. */
struct tt_status tt_pane_open_trace(struct tt_workspace *ws, const char *path,
                                    struct tt_trace **trace);

#endif
