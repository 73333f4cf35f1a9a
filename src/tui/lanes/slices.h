/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices: the durations that programs told of themselves, under their thread's lane.
 *
 *       1 render        █████──────████████████──────████
 *         draw          [frame━━━━━][frame━━━━━━━━━━━]≡≡≡
 *                         [draw][sw]   [draw━━━]
 *
 * A cell belongs to the slice that has most of it; neighbours of one slice are a bar with its name.
 * A bar that is open at an end goes on outside the picture, or has not ended. One thread.
 */
#ifndef TRACETUI_TUI_LANES_SLICES_H
#define TRACETUI_TUI_LANES_SLICES_H

#include "tracetui/slices.h"
#include "tui/lanes/lanes.h"
#include "tui/lanes/rows.h"

/* The cells of a row of slices, drawn; `cells` has room for the columns. */
void tt_lanes_draw_slices(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                          struct tt_area area, int y, const struct tt_lane_row *row,
                          struct tt_slice_cell *cells);
/* The slice of a row at a time; false where there is none. */
bool tt_lanes_slice_at(const struct tt_timelines *t, const struct tt_lane_row *row, uint64_t ticks,
                       struct tt_slice *slice);
/* What stands in the gutter: the name of the slice at the cursor, else what they are. */
void tt_lanes_slices_name(const struct tt_workspace *ws, const struct tt_lane_row *row,
                          struct tt_text *text);
/* "draw for 1.2 ms of 3.4 ms"; and the line under it: "in frame, after draw, then swap". */
void tt_lanes_status_slice(const struct tt_workspace *ws, const struct tt_lane_row *row,
                           struct tt_text *first, struct tt_text *second);
/* The next or previous beginning or end of a slice of the row; false if there is none. */
bool tt_lanes_slice_edge(const struct tt_timelines *t, const struct tt_lane_row *row, uint64_t from,
                         bool forward, uint64_t *to);

/* Has a thread slices in the window? */
bool tt_lanes_has_slices(const struct tt_workspace *ws, uint32_t thread);

#endif
