/* SPDX-License-Identifier: Apache-2.0 */
/*
 * navigation: the current view and the positions in it: the cursor, the marks, the window of the
 * time-based views, the chosen lane; and the searches that move the cursor.
 *
 * The cursor is an event's key (ticks, pos); its row is looked up again whenever rows may have
 * shifted, so the cursor stays on the same event while the index grows. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_NAVIGATION_H
#define TRACETUI_TUI_MODEL_NAVIGATION_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"
#include "tui/draw/time_zone.h"
#include "tui/filter/event_scan.h"
#include "tui/input/view_list.h"
#include "tui/model/bookmarks.h"
#include "tui/model/viewport.h"

struct tt_workspace;

/* X(id, name) */
#define TT_TIMES_INFO(X)                                                                           \
    X(TT_TIMES_RELATIVE, "from the start")                                                         \
    X(TT_TIMES_ABSOLUTE, "absolute")                                                               \
    X(TT_TIMES_DELTA, "since the previous event")                                                  \
    X(TT_TIMES_TICKS, "ticks")

enum tt_times {
#define X(id, name) id,
    TT_TIMES_INFO(X)
#undef X
        TT_TIMES_COUNT
};

/* A position in the list of all events. */
struct tt_place {
    struct tt_event event; /* a copy; its key (ticks, pos) stays valid */
    uint64_t row;          /* as of the last update */
    bool valid;            /* there is an event */
};

/* The lane and the cursor's event, which the time-based views share besides the window. */
struct tt_lane_place {
    uint32_t thread;  /* or TT_NO_THREAD */
    uint32_t process; /* process whose header is chosen instead of a thread; or UINT32_MAX */
    uint32_t number;  /* number of the slice row or the counter, by `kind` */
    uint8_t kind;     /* enum tt_lane_row_kind of the cursor's row */
    uint16_t cpu;
    bool chosen;        /* by the user, or by going to an event */
    bool sequence;      /* sequence mode: a column is an event */
    uint64_t first_row; /* row of the first column in sequence mode */
    /* Key of the event of nav.cursor that the cursor's time was taken from. */
    uint64_t ticks;
    uint64_t pos;
    bool taken;
    bool stays; /* the next event taken sets only the time, not the lane */
};

/*
 * Two lanes shown at the top of Threads while [from, to) is selected: client and server of a
 * message.
 */
struct tt_lane_pair {
    uint32_t threads[2]; /* or TT_NO_THREAD */
    uint64_t from;
    uint64_t to; /* 0: none */
};

/* The part of the navigation that a jump changes; see trail.h. */
struct tt_nav_spot {
    enum tt_view_id view;
    enum tt_overlay_id overlay, below;
    struct tt_place cursor;
    bool cursor_moved;
    struct tt_viewport viewport;
    struct tt_lane_place lane;
    struct tt_lane_pair pair;
};

struct tt_navigation {
    enum tt_view_id view;
    enum tt_overlay_id overlay;
    enum tt_overlay_id below; /* the overlay shown when this one is closed */
    struct tt_place cursor;
    bool cursor_moved;              /* the user moved it; until then it stays on the first row */
    struct tt_nav_spot before_jump; /* where '' returns to, if its cursor is valid */
    struct tt_bookmark marks[TT_BOOKMARKS];
    unsigned marks_set; /* number of times a mark was set */
    bool marks_quiet;   /* the distance of the marks is not shown */
    int noted;          /* the mark whose note is being typed, or -1 */
    enum tt_times times;
    struct tt_time_zone zone; /* of absolute times */
    uint32_t hidden_columns;  /* a bit each, see event_columns.h */
    struct tt_viewport viewport;
    struct tt_lane_place lane;
    struct tt_lane_pair pair;
};

/* Resets the window and the lane. */
void tt_nav_forget_window(struct tt_navigation *nav);

/* Returns the pair of lanes while its range is selected, or NULL. */
const struct tt_lane_pair *tt_nav_pair(const struct tt_navigation *nav);

/* Shows a view, without an overlay. */
void tt_nav_show(struct tt_navigation *nav, enum tt_view_id view);
/* Closes the overlay, and switches to Events unless the view is time-based. */
void tt_nav_show_place(struct tt_workspace *ws);

/* Puts the cursor on a row, at most the last one. */
void tt_nav_go_row(struct tt_workspace *ws, uint64_t row);
/* Returns the part that a jump changes, and restores it. The row of the cursor is looked up again. */
struct tt_nav_spot tt_nav_spot(const struct tt_navigation *nav);
void tt_nav_return(struct tt_navigation *nav, const struct tt_nav_spot *spot);
/*
 * Saves the position for '', and lets the history have the place before the key. Every jump calls it
 * before it moves; tt_nav_jump and tt_nav_go_thread do so.
 */
void tt_nav_leave(struct tt_workspace *ws);

/* Puts the cursor on the first event at or after a key. */
void tt_nav_jump(struct tt_workspace *ws, uint64_t ticks, uint64_t pos);

/*
 * Puts the cursor of all views on a thread at a time: the lane, the time, and the last event at or
 * before it, of the thread if one is near.
 */
void tt_nav_go_thread(struct tt_workspace *ws, uint32_t thread, uint64_t ticks);

/* Returns to the place before the last jump, with its lane and time; saves the present one. */
void tt_nav_jump_back(struct tt_workspace *ws);

/* Returns the capture's time bounds: [first, last + 1). */
struct tt_bounds tt_nav_bounds(const struct tt_workspace *ws);
/* Makes the cursor's event the lane's event. */
void tt_nav_adopt_event(struct tt_workspace *ws);
/*
 * Shows [from, to) in the time-based views, and puts the cursor on its first event. `to` may be
 * after the end.
 */
void tt_nav_show_range(struct tt_workspace *ws, uint64_t from, uint64_t to);

/* Searches from the cursor by a value of its event, or, for TT_EVENT_SCAN_TYPE, by `type`. */
void tt_nav_search(struct tt_workspace *ws, enum tt_event_scan_by by, bool forward);
void tt_nav_search_type(struct tt_workspace *ws, uint32_t type);
/* Searches by a given thread or CPU, which may differ from the event's. */
void tt_nav_search_value(struct tt_workspace *ws, enum tt_event_scan_by by, uint32_t value,
                         bool forward);
/* Continues a search for about `budget_ns`; true when it has ended. */
bool tt_nav_search_step(struct tt_workspace *ws, uint64_t budget_ns);

#endif
