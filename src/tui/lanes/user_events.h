/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_notes: events that the programs put into the trace themselves, as ticks on their lane:
 *
 *       1 render        ████◆█████████◆────
 *
 * However far out the picture is, none is lost: a tick stands where a column has any. One thread.
 */
#ifndef TRACETUI_TUI_LANES_USER_EVENTS_H
#define TRACETUI_TUI_LANES_USER_EVENTS_H

#include "tui/lanes/lanes.h"

/*
 * Over the states of a lane that is drawn. They hide the state of their column, unless there are so
 * many that too little of the lane would be seen: then they are laid over it. True if any hides.
 */
bool tt_lanes_draw_user_events(struct tt_workspace *ws, const struct tt_lanes_view *v,
                               struct tt_area area, int y, uint32_t thread);

#endif
