/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_colors: the line of an event (event_line.h) with a colour for each of its columns.
 *
 *      ESC [ 0 ; 3 2 m THRUNNING ESC [ 0 m
 *
 * The caller fills the table of sequences, from a theme. A change of state has the colour of the
 * state's class if the type's name ends with the name of a state (QNX: THRUNNING); every other
 * event has the colour of its kind. Plain data and pure functions; any thread.
 */
#ifndef TRACETUI_TRACE_LINE_COLORS_H
#define TRACETUI_TRACE_LINE_COLORS_H

#include "tracetui/action.h"
#include "tracetui/event_line.h"

#define TT_LINE_COLOR_BYTES 44

/* A control sequence that sets a style, NUL-terminated; empty: none. */
struct tt_line_color {
    char sequence[TT_LINE_COLOR_BYTES];
};

struct tt_line_colors {
    struct tt_line_color columns[TT_LINE_COLUMN_COUNT]; /* that of TT_LINE_EVENT is unused */
    struct tt_line_color inferred;                      /* inferred threads */
    struct tt_line_color malformed;                     /* events with an unreadable part */
    struct tt_line_color kinds[TT_KIND_COUNT];          /* events, by enum tt_kind */
    struct tt_line_color classes[TT_CLASS_COUNT];       /* changes of state, by enum tt_class */
};

/* Appends the text of tt_line_event_named with colours. */
void tt_line_event_colored(struct tt_text *text, const struct tt_line_colors *colors,
                           const struct tt_capture *capture, const struct tt_line_names *names,
                           const struct tt_event *event, const struct tt_args *args,
                           uint64_t first_ticks);

#endif
