/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes: the common part of the views over time (Threads, CPUs, Snapshot): screen layout, time cursor and its event,
 * navigation keys, overview, time axis and system load.
 *
 *       ▁▁▂▃▅▇▆▃▂▁▁▁▂▃▃▂▁▁▁▁▂▅█▇▅▂▁▁[▂▃]▂▁▁▁▂▃▅▆▃▂▁▁▁   overview of the whole capture
 *                            1.2040 s    1.2045          labels
 *       thread            pri   % ┼───────────┼──▼────── axis
 *       system                 87 █▇▇▆▅▅▂▁▁▂▅▇█▇▅▂▁▁▁▁▂▅ load
 *       ...                       lanes that the user defines
 *       ...                       lanes
 *       legend
 *       status of the cursor
 *       |<-------- gutter ------->|<----- columns ----->|
 *
 * One thread. Each view owns a struct tt_lanes_view.
 */
#ifndef TRACETUI_TUI_LANES_LANES_H
#define TRACETUI_TUI_LANES_LANES_H

#include "tui/lanes/load_strip.h"
#include "tui/model/workspace.h"

struct tt_lanes_layout {
    /* Lines of the area; -1: no room. */
    int overview, labels, axis, load, legend;
    int own, own_lines; /* of the lanes that the user defines (own.h), ... */
    unsigned own_keys;  /* ... at most this many of each */
    int lanes, lanes_height;
    int status, status_lines;
    int width;   /* of the area */
    int gutter;  /* width of the gutter */
    int columns; /* of the lanes, starting at x = gutter */
};

struct tt_lanes_view {
    struct tt_lanes_layout layout;
    struct tt_load_strip overview;
    struct tt_load_strip load;
    struct tt_viewport whole; /* range of the overview */
    bool has_overview;        /* memory is available for the overview */
    bool has_load;            /* memory is available for the load */
    uint64_t *edges;          /* layout.columns + 1 */
    /* On the sequence axis: the event of each column. */
    struct tt_event *events;
    uint32_t event_count;
    unsigned room;
};

/* ---- drawing ------------------------------------------------------------------------------ */

/* Lays out the area. `gutter`: preferred width of the gutter. */
void tt_lanes_place(struct tt_lanes_layout *layout, struct tt_area area, int gutter);
/*
 * Prepares the window and its columns for drawing; `view->layout` must be set. Returns false if there
 * is nothing to draw, with the message to show instead in *why.
 */
bool tt_lanes_ready(struct tt_workspace *ws, struct tt_lanes_view *view, const char **why);
/* Computes overview and load within the time of the frame. */
void tt_lanes_fill_top(const struct tt_workspace *ws, struct tt_lanes_view *view);
/* Draws overview, labels, axis and load. The caller draws the headings of the gutter. */
void tt_lanes_draw_top(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                       struct tt_area area);
/* Highlights the cursor's column and the selection on a line of lanes. */
void tt_lanes_draw_over(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                        struct tt_area area, int y);
/*
 * Draws a cell of a thread's lane. If colour shows the class, the glyph of a cell with whole
 * intervals inside shows the share of run time instead.
 */
void tt_lanes_draw_cell(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        struct tt_lane_cell cell);
/* Draws a bar with the height of the load. */
void tt_lanes_draw_load(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        const struct tt_load *load);
/* Returns the columns of "52.0 ms, 928 us/cell", or of "52.0 ms" without `whole`. */
int tt_lanes_scale_columns(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area area, bool whole);
/* Draws it at the right end of the line, in the longest form that fits beside the legend, which ends at x. */
void tt_lanes_draw_scale(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                         struct tt_area area, int x, int y);
/* Appends a glyph of the theme as text. */
void tt_lanes_glyph(const struct tt_workspace *ws, enum tt_glyph glyph, struct tt_text *text);

/* Returns the begin of the next column of lanes, for a loop over times: always later than `ticks`. */
uint64_t tt_lanes_after_column(const struct tt_lanes_view *view, unsigned column, uint64_t ticks);

/* Continues with overview and load until `deadline` (tt_now_ns); true when they are complete. */
bool tt_lanes_work(struct tt_lanes_view *view, uint64_t deadline);
void tt_lanes_free(struct tt_lanes_view *view);

/* ---- the cursor --------------------------------------------------------------------------- */

/* Adopts the time, thread and CPU of the event to which another view moved the cursor. */
void tt_lanes_adopt_cursor(struct tt_workspace *ws, struct tt_lanes_view *view);
/* Returns the column of the cursor. */
unsigned tt_lanes_cursor_column(const struct tt_workspace *ws, const struct tt_lanes_view *view);
/* Moves the cursor to a time at the user's request. */
void tt_lanes_go(struct tt_workspace *ws, struct tt_lanes_view *view, uint64_t ticks);
/* Moves to the next change of a thread's state, or back to the start of the one at the cursor. */
void tt_lanes_go_state(struct tt_workspace *ws, struct tt_lanes_view *view, uint32_t thread,
                       bool forward);
/* Handles the actions common to these views; false if `action` is none of them. */
bool tt_lanes_act(struct tt_workspace *ws, struct tt_lanes_view *view, enum tt_do action);
/*
 * Shows in Events the last event at or before the cursor's time that belongs to the thread
 * (TT_NO_THREAD: any) and the CPU (TT_NO_CPU: any), if one is near; else the last event of any
 * thread and CPU.
 */
void tt_lanes_show_event(struct tt_workspace *ws, uint32_t thread, uint16_t cpu);
/* Handles a click on a column. */
void tt_lanes_click(struct tt_workspace *ws, struct tt_lanes_view *view, int column);
/* Clears the selection; false if there was none. */
bool tt_lanes_clear_selection(struct tt_navigation *nav);

#endif
