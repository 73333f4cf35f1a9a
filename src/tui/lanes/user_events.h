/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user_events: events that the programs put into the trace themselves, as ticks on their lane:
 *
 *       1 render        ████◆█████████◆────
 *
 * However far out the picture is, none is lost: a tick stands where a column has any. One thread.
 */
#ifndef TRACETUI_TUI_LANES_USER_EVENTS_H
#define TRACETUI_TUI_LANES_USER_EVENTS_H

#include "tui/lanes/lanes.h"

/* Do ticks hide the state of their column in this lane? */
bool tt_lanes_user_ticks(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                         uint32_t thread);
/*
 * Draws them over the states of a lane. They hide the state of their column, unless there are so
 * many that too little of the lane would be seen: then they are laid over it.
 */
void tt_lanes_draw_user_events(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                               struct tt_area area, int y, uint32_t thread);

#endif
