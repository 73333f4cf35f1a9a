/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/service: the parts of the service of messages, as a bar and as text.
 *
 *      ██████▒▒xxxxxxxxxxxx        running, ready, lock: glyphs and colours of the lanes
 *      running 31.0 %  ready 4.1 %  lock 64.9 %
 *
 * Pure functions of a row; one thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_SERVICE_H
#define TRACETUI_TUI_VIEWS_SUMMARY_SERVICE_H

#include "tracetui/table.h"
#include "tui/draw/grid.h"

struct tt_workspace;
struct tt_summary_table;

/* Draws the parts as a bar over the whole width of a line; nothing if they are unknown. */
void tt_service_draw_bar(const struct tt_workspace *ws, const struct tt_table *table,
                         const struct tt_table_row *row, struct tt_area line);
/*
 * Appends the parts: "  running 31.0 %  ready  4.1 %  lock 64.9 %  interrupts  0.2 %". The order does
 * not depend on the row, so that a part keeps its place while the cursor moves; only if the states need
 * more than `columns`, those that a service waits in come first.
 */
void tt_service_text(const struct tt_table *table, const struct tt_table_row *row, int columns,
                     struct tt_text *text);

/* Height of the lines below a table of messages, and their drawing. */
#define TT_SERVICE_FOOT_LINES 3
void tt_service_draw_foot(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          struct tt_area area);

/* Draws the reason that a table of messages is empty. */
void tt_service_draw_none(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          struct tt_area area);

#endif
