/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events/line: the columns of the Events view: where they stand, their heads, and an event in them.
 *
 *       time s           d us C  thread          event           arguments
 *       1.204 118 204    0.412 2  io-blk/3 worker MSG_RECEIVEV    chid=0x1 rparts=1
 *
 * The thread of the screen alone.
 */
#ifndef TRACETUI_TUI_VIEWS_EVENTS_LINE_H
#define TRACETUI_TUI_VIEWS_EVENTS_LINE_H

#include "tui/model/event_columns.h"
#include "tui/model/workspace.h"

#define TT_EVENTS_LINE_BYTES 4096

/* What drawing a line needs for the time of it. */
struct tt_events_line {
    struct tt_args args;
    int shift; /* columns that the arguments are scrolled to the left */
    char line[TT_EVENTS_LINE_BYTES];
};

/* Where the columns stand in so much width. */
void tt_events_line_columns(const struct tt_workspace *ws, int width,
                            struct tt_column_place places[TT_COLUMN_COUNT]);
void tt_events_line_heads(const struct tt_workspace *ws, struct tt_area line,
                          const struct tt_column_place *places);
/* `before`: ticks of the event on the line above it, NULL if there is none. */
void tt_events_line_draw(const struct tt_workspace *ws, struct tt_events_line *v,
                         struct tt_area line, const struct tt_column_place *places,
                         const struct tt_event *event, const uint64_t *before);

/* Lights what is searched for, and lines that a filter highlights, over a line that is drawn. */
void tt_events_line_light(const struct tt_workspace *ws, struct tt_events_line *v,
                          struct tt_area line, const struct tt_event *event, uint64_t row);

#endif
