/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events/line: the columns of the Events view: their layout, headings and the line of an event.
 *
 *       time s           d us C  thread          event           arguments
 *       1.204 118 204    0.412 2  io-blk/3 worker MSG_RECEIVEV    chid=0x1 rparts=1
 *
 * Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_EVENTS_LINE_H
#define TRACETUI_TUI_VIEWS_EVENTS_LINE_H

#include "tui/model/event_columns.h"
#include "tui/model/workspace.h"
#include "tui/views/events/durations.h"

#define TT_EVENTS_LINE_BYTES 4096

/* Scratch space and scroll position for drawing lines. */
struct tt_events_line {
    struct tt_args args;
    struct tt_event_durations durations;
    struct tt_event_longest longest;
    bool by_duration; /* the lines are the longest events, longest first */
    int shift;        /* horizontal scroll position of the arguments, in columns */
    char line[TT_EVENTS_LINE_BYTES];
};

/* Computes the places of the columns for a width. */
void tt_events_line_columns(const struct tt_workspace *ws, const struct tt_events_line *line,
                            int width, struct tt_column_place places[TT_COLUMN_COUNT]);
void tt_events_line_heads(const struct tt_workspace *ws, const struct tt_events_line *events_line,
                          struct tt_area line, const struct tt_column_place *places);
/* Draws the event of a row. `before`: ticks of the event on the line above, or NULL. */
void tt_events_line_draw(const struct tt_workspace *ws, struct tt_events_line *events_line,
                         struct tt_area line, const struct tt_column_place *places,
                         const struct tt_event *event, uint64_t row, const uint64_t *before);

/* Highlights search matches, and lines selected by a highlight filter, on a line already drawn. */
void tt_events_line_highlight(const struct tt_workspace *ws, struct tt_events_line *events_line,
                              struct tt_area line, const struct tt_event *event, uint64_t row);

#endif
