/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads/view: shared by the files of the Threads view: state, rows and drawing.
 *
 * The view owns what its state points to. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_THREADS_VIEW_H
#define TRACETUI_TUI_VIEWS_THREADS_VIEW_H

#include "tui/lanes/counters.h"
#include "tui/lanes/gutter.h"
#include "tui/lanes/partner.h"
#include "tui/lanes/process_groups.h"
#include "tui/lanes/row_cache.h"
#include "tui/lanes/slices.h"
#include "tui/lanes/status.h"

union tt_any_cell {
    struct tt_thread_cell thread;
    struct tt_slice_cell slice;
    struct tt_counter_range counter;
};

/* Entries of the legend: the classes, then the other glyphs. */
enum {
    TT_THREADS_OFF = TT_LANE_OFF,
    TT_THREADS_OWN_EVENT,
    TT_THREADS_SLICE,
    TT_THREADS_MISS,
    TT_THREADS_MANY,
    TT_THREADS_WORDS
};

struct tt_threads_view {
    struct tt_lanes_view lanes;
    struct tt_lanes_gutter gutter;
    struct tt_partner partner;   /* the message at the cursor */
    struct tt_state_list states; /* of the cursor's thread */
    const char *why;             /* reason that there are no lanes to show; NULL: lanes are shown */
    struct tt_lane_rows rows;
    struct tt_row_stats numbers;  /* of the window */
    struct tt_lane_groups groups; /* lanes of folded processes */
    struct tt_lane_cache cache;   /* lanes of threads */
    int filled;                   /* lines of lanes whose cells are known, from the top */
    enum tt_lanes_sort sort;
    bool reverse;
    bool hide_idle;
    bool stale;           /* the rows must be rebuilt */
    bool order_pending;   /* a sort is pending until its numbers are complete */
    bool ordered;         /* sorted at least once with the whole capture indexed */
    bool order_set;       /* the window to sort by is set: */
    bool order_all;       /* the whole capture, or */
    uint64_t ordered_end; /* of the timelines then */
    uint64_t order_from;  /* the window shown at the request */
    uint64_t order_to;
    bool order_other_window; /* the window to sort by differs from the one shown now */
    struct tt_row_stats order_numbers;
    uint32_t threads, processes; /* numbers of them when the rows were built */
    uint64_t from, to;           /* window for which the rows were built */
    unsigned owners;             /* version of the visible lanes for which the rows were built */
    uint32_t top;                /* row of the first line below the pinned ones */
    bool placed;                 /* the scroll position is fixed: by the first complete sort or by
                                    a move of the user */
    uint32_t at;                 /* the cursor's row */
    int8_t end;                  /* cursor follows the last (1) or first (-1) row; 0: neither */
    struct tt_lane_row end_row;  /* row that was last or first at that time */
    int at_line;                 /* the cursor's line in the last layout */
    uint64_t slices;             /* number of slices when the rows were built */
    uint32_t series;             /* number of counters when the rows were built */
    union tt_any_cell *cells;    /* scratch: cells of one lane of any kind */
    unsigned cell_room;
    uint32_t seen;                    /* bit set of the legend entries in use */
    uint8_t legend[TT_THREADS_WORDS]; /* entries of the legend: what is on the screen */
    unsigned legend_count;
    uint32_t legend_seen; /* `seen` when they were listed: the others are usual ones */
    struct tt_args *args; /* scratch */
};

/* Rebuilds the rows if the capture, the window or a setting has changed: then O(threads). */
void tt_threads_make_rows(struct tt_workspace *ws, struct tt_threads_view *view,
                          const struct tt_timelines *timelines);

/* Finds the cursor's row and keeps it on its line if the rows around it have changed. */
void tt_threads_place_cursor(struct tt_workspace *ws, struct tt_threads_view *view);

/* Returns the row on a line of the lanes, or UINT32_MAX. */
uint32_t tt_threads_row_on_line(const struct tt_threads_view *view, int line);

/* Moves the cursor to a row; clamps `row` to the first and last row. */
void tt_threads_go_row(struct tt_workspace *ws, struct tt_threads_view *view, int64_t row);
/* Moves the cursor to the first or last row and keeps it there while rows are still added. */
void tt_threads_go_end(struct tt_workspace *ws, struct tt_threads_view *view, bool last);
/* Requests the statistics of the window and of the window to sort by. */
bool tt_threads_ask_numbers(struct tt_workspace *ws, struct tt_threads_view *view,
                            const struct tt_timelines *timelines);
/* Returns whether the rows are up to date and sorted as requested. */
bool tt_threads_settled(const struct tt_workspace *ws, const struct tt_threads_view *view);

/*
 * Computes the cells of the visible rows and the entries of the legend until `deadline` (tt_now_ns), the
 * cursor's row first; at least those of a usual terminal. True when all rows have their cells.
 */
bool tt_threads_fill_rows(const struct tt_workspace *ws, struct tt_threads_view *view,
                          const struct tt_timelines *timelines, uint64_t deadline);

/* Draws row `number` with its gutter on line y of the area. */
void tt_threads_draw_row(const struct tt_workspace *ws, const struct tt_threads_view *view,
                         const struct tt_timelines *timelines, struct tt_area area, int y,
                         uint32_t number);

/* Draws the legend of the visible glyphs on line y, and the scale beside it. */
void tt_threads_draw_legend(const struct tt_workspace *ws, const struct tt_threads_view *view,
                            struct tt_area area, int y);

/* Handles an action of the view; false if the view does not have it. */
bool tt_threads_act(struct tt_workspace *ws, struct tt_threads_view *view, enum tt_do action);

#endif
