/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus: what the files of the CPUs view share: its state, its lanes and what is said below them.
 *
 * The view owns what its state points to. All of it is the screen's thread's alone.
 */
#ifndef TRACETUI_TUI_VIEWS_CPUS_VIEW_H
#define TRACETUI_TUI_VIEWS_CPUS_VIEW_H

#include "tui/lanes/cell.h"
#include "tui/lanes/top_threads.h"

/* Where the columns of the gutter are. */
struct tt_cpus_gutter {
    int cpu, busy;
    int irq, kernel, switches; /* -1: no room */
    int width;
};

struct tt_cpus_view {
    struct tt_lanes_view lanes;
    struct tt_cpus_gutter gutter;
    struct tt_top_threads top;
    bool has_top;    /* the table was asked for, */
    bool top_known;  /* and is complete */
    const char *why; /* there are no lanes to show; NULL: there are */
    /* The lanes that can be seen: columns of cells each, worked out one after the other. */
    struct tt_cpu_cell *cells;
    size_t cell_room;
    uint32_t lanes_shown;
    uint32_t lanes_known; /* the first ones */
    uint32_t known_first; /* what they are of */
    uint64_t from, to, end;
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing is known */
    unsigned columns;
    int lines_each; /* of a CPU */
    int table, table_lines;
    uint32_t first; /* CPU of the first line */
};

/* Works out lanes until `deadline`; true when all that can be seen are known. */
bool tt_cpus_know_lanes(struct tt_cpus_view *v, uint64_t deadline);

/* Draws the names of the gutter's columns on line y. */
void tt_cpus_draw_heads(struct tt_area area, const struct tt_cpus_gutter *g, int y);

/* Draws a CPU's lane with its gutter, and its load below if there are lines for it. */
void tt_cpus_draw_lane(const struct tt_workspace *ws, const struct tt_cpus_view *v,
                       const struct tt_timelines *t, struct tt_area area, int y, uint16_t cpu);

/* Draws what the glyphs mean, in `width` columns of line y. */
void tt_cpus_draw_legend(const struct tt_workspace *ws, struct tt_area area, int y, int width);

/* Draws a number to the right of `width` columns. */
void tt_cpus_draw_number(struct tt_area area, int x, int y, int width, uint64_t number);

/* Adds up who had the cursor's CPU in the window, as far as the frame has time. */
void tt_cpus_fill_table(const struct tt_workspace *ws, struct tt_cpus_view *v,
                        const struct tt_timelines *t);
/* Draws who had the cursor's CPU longest in the window. */
void tt_cpus_draw_table(const struct tt_workspace *ws, const struct tt_cpus_view *v,
                        struct tt_area area);

/* Draws what is under the cursor: the occupant, its neighbours, or the selection's numbers. */
void tt_cpus_status(const struct tt_workspace *ws, const struct tt_cpus_view *v,
                    const struct tt_timelines *t, struct tt_area area);

#endif
