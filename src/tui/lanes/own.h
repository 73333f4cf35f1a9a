/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own: draws the lanes that the user defines, above those of threads and CPUs.
 *
 *       frame                      ━━━━    ━━━━━━━     ━━━         intervals
 *       cpu CPU 0             busy busy━━━idle━━━━━━busy━━         states, with the one at the cursor
 *       level                   30 ▁▁▁▁▂▂▂▄▄▄▄▆▆█████▁▁▁▁▁         values
 *
 * The lanes have up to half of the lines. A cell has the state that has most of its time; of values the largest.
 * One thread.
 */
#ifndef TRACETUI_TUI_LANES_OWN_H
#define TRACETUI_TUI_LANES_OWN_H

#include "tui/lanes/lanes.h"

/* Takes the first lines of the lanes for those of the user. */
void tt_lanes_place_own(const struct tt_workspace *ws, struct tt_lanes_layout *layout);
/* Draws their lines. */
void tt_lanes_draw_own(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                       struct tt_area area);

#endif
