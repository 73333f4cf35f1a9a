/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads: what the files of the Threads view share: its state, its rows and their drawing.
 *
 * The view owns what its state points to. All of it is the screen's thread's alone.
 */
#ifndef TRACETUI_TUI_VIEWS_THREADS_VIEW_H
#define TRACETUI_TUI_VIEWS_THREADS_VIEW_H

#include "tui/lanes/counters.h"
#include "tui/lanes/gutter.h"
#include "tui/lanes/process_groups.h"
#include "tui/lanes/row_cache.h"
#include "tui/lanes/slices.h"

union tt_any_cell {
    struct tt_thread_cell thread;
    struct tt_slice_cell slice;
    struct tt_counter_range counter;
};

/* Words of the legend: the classes, and what else is drawn. */
enum { TT_THREADS_OWN_EVENT = TT_CLASS_COUNT, TT_THREADS_SLICE, TT_THREADS_MANY, TT_THREADS_WORDS };

struct tt_threads_view {
    struct tt_lanes_view lanes;
    struct tt_lanes_gutter gutter;
    const char *why; /* there are no lanes to show; NULL: there are */
    struct tt_lane_rows rows;
    struct tt_row_stats numbers;  /* of the window */
    struct tt_lane_groups groups; /* lanes of folded processes */
    struct tt_lane_cache cache;   /* lanes of threads */
    enum tt_lanes_sort sort;
    bool reverse;
    bool hide_idle;
    bool stale;          /* the rows are to be made again */
    bool order_asked;    /* and put in order, when the numbers are there */
    bool ordered;        /* they were once, with the whole capture indexed */
    bool order_placed;   /* the window that they are to be ordered by is known: */
    bool order_all;      /* all of it, or */
    uint64_t order_from; /* the one that was shown when it was asked for */
    uint64_t order_to;
    bool order_elsewhere; /* which is not what is shown now */
    struct tt_row_stats order_numbers;
    uint32_t threads, processes; /* there were, when the rows were made */
    uint64_t from, to;           /* the window, when they were made */
    unsigned owners;             /* and which lanes the filters left */
    uint32_t top;                /* row of the first line below the pinned ones */
    bool placed;                 /* the rows stand where they do since they were first in order, or
                                    since the person went among them */
    uint32_t at;                 /* the cursor's row */
    int8_t end;                  /* it was put on the last (1) or first (-1) of rows to come */
    struct tt_lane_row end_row;  /* which was this one */
    int at_line;                 /* and its line as of the last layout */
    uint64_t slices;             /* and slices and counters */
    uint32_t series;
    union tt_any_cell *cells; /* scratch: of a lane, whatever it shows */
    unsigned cell_room;
    uint32_t seen;                    /* words that the legend has to tell, a bit each */
    uint8_t legend[TT_THREADS_WORDS]; /* its words since window and rows are what they are */
    unsigned legend_count;
    uint64_t legend_from, legend_to; /* the window of these */
    bool made_again;                 /* the rows, since then */
    struct tt_args *args;            /* scratch */
};

/* Makes the rows again where the capture, the window or a wish has changed. O(threads) then. */
void tt_threads_make_rows(struct tt_workspace *ws, struct tt_threads_view *v,
                          const struct tt_timelines *t);

/* Finds the cursor's row, and keeps it on its line where the rows around it have changed. */
void tt_threads_place_cursor(struct tt_workspace *ws, struct tt_threads_view *v);

/* The row on a line of the lanes, or UINT32_MAX. */
uint32_t tt_threads_row_on_line(const struct tt_threads_view *v, int line);

/* Puts the cursor on a row, or on the first or last one if there is none of that number. */
void tt_threads_go_row(struct tt_workspace *ws, struct tt_threads_view *v, int64_t row);
/* On the first or the last one: also of the rows that come, as long as other ones are to come. */
void tt_threads_go_end(struct tt_workspace *ws, struct tt_threads_view *v, bool last);
/* Asks for the numbers of the window, and of that which the lanes are to be ordered by. */
bool tt_threads_ask_numbers(struct tt_workspace *ws, struct tt_threads_view *v,
                            const struct tt_timelines *t);
/* Are the rows and their order those that were asked for? */
bool tt_threads_settled(const struct tt_workspace *ws, const struct tt_threads_view *v);

/* Works out the cells of the rows that can be seen, and the words of the legend. */
void tt_threads_fill_rows(const struct tt_workspace *ws, struct tt_threads_view *v,
                          const struct tt_timelines *t);

/* Draws row `number` with its gutter on line y of the area. */
void tt_threads_draw_row(const struct tt_workspace *ws, const struct tt_threads_view *v,
                         const struct tt_timelines *t, struct tt_area area, int y, uint32_t number);

/* Draws what the glyphs mean that were to be seen, in `width` columns of line y. */
void tt_threads_draw_legend(const struct tt_workspace *ws, const struct tt_threads_view *v,
                            struct tt_area area, int y, int width);

/* Does an action of the view; false if it has none like it. */
bool tt_threads_act(struct tt_workspace *ws, struct tt_threads_view *v, enum tt_do action);

#endif
