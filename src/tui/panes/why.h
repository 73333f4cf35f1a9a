/* SPDX-License-Identifier: Apache-2.0 */
/* why_lanes: the lines of the Why pane that a picture of its lanes has. */
#ifndef TRACETUI_TUI_PANES_WHY_H
#define TRACETUI_TUI_PANES_WHY_H

/*
 * Returns the number of lines of axis and lanes at the top of the pane, as of its last layout.
 * `state` is the state of tt_overlays[TT_OVERLAY_WHY].
 */
int tt_why_lanes_lines(const void *state);

#endif
