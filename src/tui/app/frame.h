/* SPDX-License-Identifier: Apache-2.0 */
/* frame: the lines around a view: header with tabs, status line, footer. */
#ifndef TRACETUI_TUI_APP_FRAME_H
#define TRACETUI_TUI_APP_FRAME_H

#include "tui/draw/grid.h"
#include "tui/input/view_list.h"

struct tt_app;

/* Scrolls an open prompt and its completion list for the grid's size. */
void tt_frame_layout(struct tt_app *app);
/* Draws these lines, and an open completion list, over the content of the whole grid. */
void tt_frame_draw(const struct tt_app *app, struct tt_area all);
/* Returns the view whose tab is at column x of the header, or TT_VIEW_COUNT. */
enum tt_view_id tt_frame_tab_at(const struct tt_app *app, int x);

#endif
