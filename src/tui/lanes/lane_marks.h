/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane_marks: marks on the lane of a thread: events that programs write into the trace, and missed deadlines of
 * jobs (model/jobs.h):
 *
 *       1 render        ████◆█████████◆────
 *       1 sample        ██▒██──────!███──────
 *                                  ^ the deadline; the job is not done
 *
 * A column with any of these has a mark at every zoom level. One thread.
 */
#ifndef TRACETUI_TUI_LANES_LANE_MARKS_H
#define TRACETUI_TUI_LANES_LANE_MARKS_H

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

/* Returns whether a deadline of the thread was missed in the visible range. */
bool tt_lanes_has_miss(const struct tt_workspace *ws, uint32_t thread);
/* Draws the marks over the states of a lane. */
void tt_lanes_draw_misses(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area area, int y, uint32_t thread);

#endif
