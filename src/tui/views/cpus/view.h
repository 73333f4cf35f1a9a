/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus/view: shared by the files of the CPUs view: state, lanes, occupant table and status.
 *
 * The view owns what its state points to. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_CPUS_VIEW_H
#define TRACETUI_TUI_VIEWS_CPUS_VIEW_H

#include "tui/lanes/cell.h"
#include "tui/lanes/lanes.h"
#include "tui/lanes/top_threads.h"

/* Positions of the gutter's columns. */
struct tt_cpus_gutter {
    int cpu, busy;
    int irq, kernel, switches; /* -1: no room */
    int width;
};

struct tt_cpus_view {
    struct tt_lanes_view lanes;
    struct tt_cpus_gutter gutter;
    struct tt_top_threads top;
    bool has_top;    /* the table was requested */
    bool top_known;  /* the table is complete */
    bool top_late;   /* the table took too long: "counting" is shown, unless the capture grows */
    const char *why; /* reason that there are no lanes to show; NULL: lanes are shown */
    /* Cells of the visible lanes, `columns` per lane, computed in order. */
    struct tt_cpu_cell *cells;
    size_t cell_room;
    /* On the axis of sequence, instead of them: of `event_count` events between two positions. */
    bool sequence; /* the axis */
    struct tt_cpu_lane_cell *at_events;
    size_t at_events_room;
    uint32_t event_count;
    uint64_t first_event, last_event;
    uint32_t lanes_shown;
    uint32_t lanes_known; /* number of lanes computed */
    uint32_t known_first; /* first CPU of the lanes */
    uint64_t from, to, end;
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing computed */
    unsigned columns;
    int lines_each; /* lines per CPU */
    bool headings;  /* the CPUs of each capture of a merged one have a heading */
    int table, table_lines;
    uint32_t first; /* CPU of the first line */
};

/* Number of the roles from TT_ROLE_CPU_1 on. */
#define TT_CPU_COLORS 8u

/* Returns the colour of a thread, below TT_CPU_COLORS, by its pid and tid: the same wherever it is drawn. */
unsigned tt_cpus_color(const struct tt_capture *capture, uint32_t thread);

/* Computes lanes until `deadline` (tt_now_ns); true when all visible lanes are complete. */
bool tt_cpus_fill_lanes(const struct tt_workspace *ws, struct tt_cpus_view *view,
                        uint64_t deadline);

/* Draws the headings of the gutter on line y. */
void tt_cpus_draw_heads(struct tt_area area, const struct tt_cpus_gutter *gutter, int y);

/* Draws a CPU's lane with its gutter, and its load below if there are lines for it. */
void tt_cpus_draw_lane(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                       const struct tt_timelines *timelines, struct tt_area area, int y,
                       uint16_t cpu);

/* Draws the heading of the capture that a CPU of a merged capture belongs to. */
void tt_cpus_draw_heading(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                          struct tt_area area, int y, uint16_t cpu);

/* Draws the legend of what is on the screen on line y; returns the column after it. */
int tt_cpus_draw_legend(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                        struct tt_area area, int y);
/* Draws the glyph of an occupant in the colour of its lanes. */
void tt_cpus_draw_glyph(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        uint32_t occupant);
/* Columns of that glyph before a name; without colours it would say nothing. */
int tt_cpus_glyph_width(const struct tt_workspace *ws);

/* Draws a number right-aligned in `width` columns. */
void tt_cpus_draw_number(struct tt_area area, int x, int y, int width, uint64_t number);

/* Appends the name of an occupant: of a thread, in at most `width` columns, or "kernel"... */
void tt_cpus_occupant_text(const struct tt_workspace *ws, uint32_t occupant, int width,
                           struct tt_text *text);
/* Draws a duration, or ticks without a clock, in four digits; Summary shows all digits. */
void tt_cpus_draw_length(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                         int width, uint64_t ticks);

/* Minimum width of the panel beside the table. */
#define TT_CPUS_PANEL_WIDTH 51
/* Draws rates of all CPUs, and the occupants around the cursor, if the area has room. */
void tt_cpus_draw_panel(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                        struct tt_area area);

/* Computes the occupants of the cursor's CPU in the window, within the time of the frame. */
void tt_cpus_fill_table(const struct tt_workspace *ws, struct tt_cpus_view *view,
                        const struct tt_timelines *timelines);
/* Draws the occupants of the cursor's CPU in the window, longest first. */
void tt_cpus_draw_table(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                        struct tt_area area);

/* Draws the status: the occupant at the cursor and its neighbours, or the selection's numbers. */
void tt_cpus_status(const struct tt_workspace *ws, const struct tt_cpus_view *view,
                    const struct tt_timelines *timelines, struct tt_area area);

#endif
