/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointer: the mouse in the lanes. A drag along the lanes selects the columns from the press to the
 * pointer; a drag on the overview pans the window; the wheel with Control zooms. One thread.
 */
#ifndef TRACETUI_TUI_LANES_POINTER_H
#define TRACETUI_TUI_LANES_POINTER_H

#include "tui/app/view.h"
#include "tui/lanes/lanes.h"

/* Handles a press at (x, y) of the area: moves the cursor to the column, or to the overview's time. */
void tt_lanes_press(struct tt_workspace *ws, struct tt_lanes_view *view, int x, int y);
void tt_lanes_drag(struct tt_workspace *ws, struct tt_lanes_view *view, const struct tt_drag *drag);
/* Halves (in) or doubles the window; the time at x keeps its column if the bounds allow. */
void tt_lanes_zoom_at(struct tt_workspace *ws, struct tt_lanes_view *view, int x, bool in);

#endif
