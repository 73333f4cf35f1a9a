/* SPDX-License-Identifier: Apache-2.0 */
/* frame: the lines around a view: header with tabs, status line, footer. */
#ifndef TRACETUI_TUI_APP_FRAME_H
#define TRACETUI_TUI_APP_FRAME_H

#include "tui/input/view_list.h"

struct tt_app;

/* Draws these lines over the content of the grid. */
void tt_frame_draw(struct tt_app *app);
/* Returns the view whose tab is at column x of the header, or TT_VIEW_COUNT. */
enum tt_view_id tt_frame_tab_at(const struct tt_app *app, int x);

#endif
