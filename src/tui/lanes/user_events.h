/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user_events: draws the events that programs write into the trace as marks on their lane:
 *
 *       1 render        ████◆█████████◆────
 *
 * A column with any such event has a mark at every zoom level. One thread.
 */
#ifndef TRACETUI_TUI_LANES_USER_EVENTS_H
#define TRACETUI_TUI_LANES_USER_EVENTS_H

#include "tui/lanes/lanes.h"

/* Returns whether the marks of this lane replace the state of their column. */
bool tt_lanes_user_ticks(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                         uint32_t thread);
/*
 * Draws the marks over the states of a lane. A mark replaces the state of its column, unless the
 * number of marks would hide the lane: then they are overlaid on the states.
 */
void tt_lanes_draw_user_events(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                               struct tt_area area, int y, uint32_t thread);

#endif
