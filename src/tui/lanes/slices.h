/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices: draws the named slices that programs write into the trace, below their thread's lane.
 *
 *       1 render        █████──────████████████──────████
 *         draw          [frame━━━━━][frame━━━━━━━━━━━]≡≡≡
 *                         [draw][sw]   [draw━━━]
 *
 * A cell belongs to the slice with the longest time in it; adjacent cells of a slice form a bar
 * with its name. A bar open at one end continues outside the window or has not ended. One thread.
 */
#ifndef TRACETUI_TUI_LANES_SLICES_H
#define TRACETUI_TUI_LANES_SLICES_H

#include "tracetui/slices.h"
#include "tui/lanes/lanes.h"
#include "tui/lanes/rows.h"

/* Draws a row of slices. `cells`: scratch space with one element per column. */
void tt_lanes_draw_slices(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area area, int y, const struct tt_lane_row *row,
                          struct tt_slice_cell *cells);
/* Finds the slice of a row at a time; false if there is none. */
bool tt_lanes_slice_at(const struct tt_timelines *timelines, const struct tt_lane_row *row,
                       uint64_t ticks, struct tt_slice *slice);
/* Appends the gutter text: the name of the slice at the cursor, else a name for the row. */
void tt_lanes_slices_name(const struct tt_workspace *ws, const struct tt_lane_row *row,
                          struct tt_text *text);
/* Writes the status lines: "draw for 1.2 ms of 3.4 ms" and "in frame, after draw, then swap". */
void tt_lanes_status_slice(const struct tt_workspace *ws, const struct tt_lane_row *row,
                           struct tt_text *first, struct tt_text *second);
/* Finds the next or previous start or end of a slice of the row; false if there is none. */
bool tt_lanes_slice_edge(const struct tt_timelines *timelines, const struct tt_lane_row *row,
                         uint64_t from, bool forward, uint64_t *to);

/* Returns whether a thread has slices in the window. */
bool tt_lanes_has_slices(const struct tt_workspace *ws, uint32_t thread);

#endif
