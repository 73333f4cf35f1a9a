/* SPDX-License-Identifier: Apache-2.0 */
/*
 * navigation: the view that is shown and the places in it: the cursor, marks, the window of the
 * views by time, the chosen lane; and the searches that move the cursor.
 *
 * The cursor is an event's key (ticks, pos); its row is looked up again whenever rows may have
 * shifted, so the cursor stays on the same event while the index grows. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_NAVIGATION_H
#define TRACETUI_TUI_MODEL_NAVIGATION_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"
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

/* A place in the list of all events. */
struct tt_place {
    struct tt_event event; /* a copy; its (ticks, pos) is what lasts */
    uint64_t row;          /* as of the last update */
    bool valid;            /* there is an event */
};

/* What the views by time share beside the window: the lane, and the event of the cursor. */
struct tt_lane_place {
    uint32_t thread;  /* or TT_NO_THREAD */
    uint32_t process; /* its header is chosen, not a thread; or UINT32_MAX */
    uint32_t number;  /* of a row of slices or of a counter, by `kind` */
    uint8_t kind;     /* enum tt_lane_row_kind: what the cursor's row shows */
    uint16_t cpu;
    bool chosen;        /* by the user, or by an event that was gone to */
    bool sequence;      /* a column is an event */
    uint64_t first_row; /* of the first column then */
    /* The event of nav.cursor that the cursor's time stands for. */
    uint64_t ticks;
    uint64_t pos;
    bool taken;
    bool stays; /* the next event that is taken sets the time only, not the lane */
};

struct tt_navigation {
    enum tt_view_id view;
    enum tt_overlay_id overlay;
    struct tt_place cursor;
    bool cursor_moved; /* by the user; until then the cursor stays on the first row */
    struct tt_place before_jump;
    struct tt_bookmark marks[TT_BOOKMARKS];
    unsigned marks_set; /* how many times a mark was set */
    int noted;          /* the mark whose note is being typed, or -1 */
    enum tt_times times;
    uint32_t hidden_columns; /* a bit each, see event_columns.h */
    struct tt_viewport viewport;
    struct tt_lane_place lane;
};

/* Forgets window and lane. */
void tt_nav_forget_window(struct tt_navigation *nav);

/* Shows a view, without an overlay. */
void tt_nav_show(struct tt_navigation *nav, enum tt_view_id view);
/* Closes the overlay, and leaves a view that has no places for Events. */
void tt_nav_show_place(struct tt_workspace *ws);

/* Puts the cursor on a row, or on the last one. */
void tt_nav_go_row(struct tt_workspace *ws, uint64_t row);
/* Puts it on the first event at or after a key, and remembers where it was for ''. */
void tt_nav_jump(struct tt_workspace *ws, uint64_t ticks, uint64_t pos);

/* The capture's times: [first, last + 1). */
struct tt_bounds tt_nav_bounds(const struct tt_workspace *ws);
/* The lane's event is the cursor's. */
void tt_nav_take_event(struct tt_workspace *ws);
/*
 * Shows [from, to) in the views by time, and puts the cursor on its first event. `to` may lie
 * after the end.
 */
void tt_nav_show_range(struct tt_workspace *ws, uint64_t from, uint64_t to);

/* A search from the cursor by what its event has, or, for TT_EVENT_SCAN_TYPE, by `type`. */
void tt_nav_search(struct tt_workspace *ws, enum tt_event_scan_by by, bool forward);
void tt_nav_search_type(struct tt_workspace *ws, uint32_t type);
/* The same by a thread or CPU that need not be the event's. */
void tt_nav_search_value(struct tt_workspace *ws, enum tt_event_scan_by by, uint32_t value,
                         bool forward);
/* Continues a search for about `budget_ns`; true when it ended. */
bool tt_nav_search_step(struct tt_workspace *ws, uint64_t budget_ns);

#endif
