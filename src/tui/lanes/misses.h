/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misses: marks missed deadlines of jobs (model/jobs.h) on the lane of their thread:
 *
 *       1 sample        ██▒██──────!███──────
 *                                  ^ the deadline; the job is not done
 *
 * A column with any such deadline has a mark at every zoom level. One thread.
 */
#ifndef TRACETUI_TUI_LANES_MISSES_H
#define TRACETUI_TUI_LANES_MISSES_H

#include "tui/lanes/lanes.h"

/* Returns whether a deadline of the thread was missed in the visible range. */
bool tt_lanes_has_miss(const struct tt_workspace *ws, uint32_t thread);
/* Draws the marks over the states of a lane. */
void tt_lanes_draw_misses(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area area, int y, uint32_t thread);

#endif
