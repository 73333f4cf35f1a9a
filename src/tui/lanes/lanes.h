/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes: what the Threads and CPUs views have in common: where things stand on the screen, the
 * cursor in time and its event, the keys that move it, the overview, the axis, the load of the
 * system.
 *
 *       ▁▁▂▃▅▇▆▃▂▁▁▁▂▃▃▂▁▁▁▁▂▅█▇▅▂▁▁[▂▃]▂▁▁▁▂▃▅▆▃▂▁▁▁   overview of the whole capture
 *                            1.2040 s    1.2045          labels
 *       thread            pri   % ┼───────────┼──▼────── axis
 *       system                 87 █▇▇▆▅▅▂▁▁▂▅▇█▇▅▂▁▁▁▁▂▅ load
 *       ...                       lanes
 *       legend
 *       what is under the cursor
 *       |<-------- gutter ------->|<----- columns ----->|
 *
 * One thread; each view owns one.
 */
#ifndef TRACETUI_TUI_LANES_LANES_H
#define TRACETUI_TUI_LANES_LANES_H

#include "tui/lanes/load_strip.h"
#include "tui/model/workspace.h"

struct tt_lanes_layout {
    /* Lines of the area, -1: there is no room for it. */
    int overview, labels, axis, load, legend;
    int lanes, lanes_height;
    int say, say_lines;
    int width;   /* of the area */
    int gutter;  /* width */
    int columns; /* of the lanes, from `gutter` on */
};

struct tt_lanes_view {
    struct tt_lanes_layout layout;
    struct tt_load_strip overview;
    struct tt_load_strip load;
    struct tt_viewport whole; /* what the overview shows */
    bool has_overview;        /* there is memory for it, */
    bool has_load;            /* and for the load */
    uint64_t *edges;          /* layout.columns + 1 */
    /* On the axis of sequence: the event of each column. */
    struct tt_event *events;
    uint32_t event_count;
    unsigned room;
};

/* ---- drawing ------------------------------------------------------------------------------ */

/* Shares out the area; `gutter` is wished for. */
void tt_lanes_place(struct tt_lanes_layout *layout, struct tt_area area, int gutter);
/*
 * Makes the window and its columns ready to be drawn; `v->layout` is set. False where there is
 * nothing to draw: what to say instead stands in *why.
 */
bool tt_lanes_ready(struct tt_workspace *ws, struct tt_lanes_view *v, const char **why);
/* Works out overview and load, as far as the frame has time. */
void tt_lanes_fill_top(const struct tt_workspace *ws, struct tt_lanes_view *v);
/* Overview, labels, axis, load. The caller draws the heads of the gutter. */
void tt_lanes_draw_top(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                       struct tt_area area);
/* Lays the cursor's column and the selection over a line of lanes. */
void tt_lanes_draw_over(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                        struct tt_area area, int y);
/*
 * One cell of a thread's lane. Where colour tells the class, the glyph of a cell with much inside
 * is free to tell how much of it the thread ran.
 */
void tt_lanes_draw_cell(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        struct tt_lane_cell cell);
/* A bar, as high as the load. */
void tt_lanes_draw_load(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        const struct tt_load *load);
/* "52.0 ms, 928 us a column" at the right end of the line; returns where it begins. */
int tt_lanes_draw_scale(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                        struct tt_area area, int y);
/* A glyph of the theme, as text. */
void tt_lanes_glyph(const struct tt_workspace *ws, enum tt_glyph glyph, struct tt_text *text);

/* Goes on with overview and load; true when they are complete. */
bool tt_lanes_work(struct tt_lanes_view *v, uint64_t deadline);
void tt_lanes_free(struct tt_lanes_view *v);

/* ---- the cursor --------------------------------------------------------------------------- */

/* Takes the time, the thread and the CPU of the event that the cursor was put on elsewhere. */
void tt_lanes_take_cursor(struct tt_workspace *ws, struct tt_lanes_view *v);
/* The column that the cursor stands in. */
unsigned tt_lanes_cursor_column(const struct tt_workspace *ws, const struct tt_lanes_view *v);
/* Puts the cursor on a time, as the person wished. */
void tt_lanes_go(struct tt_workspace *ws, struct tt_lanes_view *v, uint64_t ticks);
/* The actions that both views have; false if it is none of them. */
bool tt_lanes_act(struct tt_workspace *ws, struct tt_lanes_view *v, enum tt_do action);
/*
 * Shows in Events the last event up to the cursor's time that belongs to the thread (TT_NO_THREAD:
 * to any) and the CPU (TT_NO_CPU: any), if there is one near, else the last event of all.
 */
void tt_lanes_show_event(struct tt_workspace *ws, uint32_t thread, uint16_t cpu);
/* A click on a column. */
void tt_lanes_click(struct tt_workspace *ws, struct tt_lanes_view *v, int column);
/* Takes the selection away; false if there was none. */
bool tt_lanes_shut(struct tt_navigation *nav);

#endif
