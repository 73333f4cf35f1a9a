/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot/view: shared by the files of the Snapshot view: state, columns, lines.
 *
 *      cursor's time -> tt_snapshot (a row per thread) -> lines in the order of the screen
 *
 * The states, and the causes of the visible threads' waits, are computed for each frame, the rest
 * while the program is idle. The view owns what its state points to. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_SNAPSHOT_VIEW_H
#define TRACETUI_TUI_VIEWS_SNAPSHOT_VIEW_H

#include "tracetui/snapshot_text.h"
#include "tui/lanes/lanes.h"
#include "tui/list/list.h"
#include "tui/list/tabs.h"

/*
 * Run times of threads before the instant, computed once each: a time takes microseconds, is needed
 * again with each frame, and a table sorted by one needs it of every thread.
 */
struct tt_run_times {
    uint64_t (*ticks)[TT_SNAPSHOT_RUNS]; /* by thread and window */
    uint8_t *known;                      /* by thread: a bit per window */
    uint32_t threads, room;
    unsigned window;  /* of `reached` */
    uint32_t reached; /* threads whose time in `window` is known */
};

/* The tables. X(id, title, word for sessions) */
#define TT_SNAPSHOT_TAB_INFO(X)                                                                    \
    X(TT_SNAPSHOT_THREADS, "Threads", "threads")                                                   \
    X(TT_SNAPSHOT_WAITS, "Waiting for", "waits")                                                   \
    X(TT_SNAPSHOT_CPUS, "CPUs", "cpus")

enum tt_snapshot_tab {
#define X(id, title, word) id,
    TT_SNAPSHOT_TAB_INFO(X)
#undef X
        TT_SNAPSHOT_TABS
};

/*
 * Columns of a thread: X(id, heading, name in messages, minimum width, minimum screen width,
 * right-aligned, sorted from its largest value on). The last one gets the remaining width.
 */
#define TT_SNAPSHOT_COLUMN_INFO(X)                                                                 \
    X(TT_SNAPSHOT_PID, "pid", "process", 5, 80, true, false)                                       \
    X(TT_SNAPSHOT_THREAD, "thread", "name", 12, 0, false, false)                                   \
    X(TT_SNAPSHOT_PRIORITY, "pri", "priority", 3, 0, true, true)                                   \
    X(TT_SNAPSHOT_STATE, "state", "state", 9, 0, false, false)                                     \
    X(TT_SNAPSHOT_SINCE, "since", "time in the state", 9, 50, true, true)                          \
    X(TT_SNAPSHOT_UNTIL, "until", "time until the next state", 9, 60, true, false)                 \
    X(TT_SNAPSHOT_CPU, "CPU", "CPU", 3, 70, true, false)                                           \
    X(TT_SNAPSHOT_DEPTH, "depth", "depth of the chain", 5, 100, true, true)                        \
    X(TT_SNAPSHOT_RUN_1, "in 1 ms", "run time in the last 1 ms", 9, 110, true, true)               \
    X(TT_SNAPSHOT_RUN_10, "in 10 ms", "run time in the last 10 ms", 9, 110, true, true)            \
    X(TT_SNAPSHOT_RUN_100, "in 100 ms", "run time in the last 100 ms", 9, 150, true, true)         \
    X(TT_SNAPSHOT_RUN_1000, "in 1 s", "run time in the last 1 s", 9, 150, true, true)              \
    X(TT_SNAPSHOT_CHAIN, "blocked on", "what it waits for", 10, 0, false, false)

enum tt_snapshot_column {
#define X(id, head, name, width, from, right, down) id,
    TT_SNAPSHOT_COLUMN_INFO(X)
#undef X
        TT_SNAPSHOT_COLUMNS
};

struct tt_snapshot_column_info {
    const char *head, *name;
    int width, from;
    bool right, down;
};

extern const struct tt_snapshot_column_info tt_snapshot_columns[TT_SNAPSHOT_COLUMNS];

struct tt_snapshot_place {
    int x;
    int width; /* 0: not shown */
};

struct tt_snapshot_view {
    struct tt_lanes_view lanes; /* overview and axis */
    enum tt_snapshot_tab tab;
    enum tt_snapshot_column sort;
    bool reverse;
    bool all; /* with idle and ended threads */
    struct tt_snapshot snapshot;
    struct tt_snapshot_scene scene;
    struct tt_run_times runs;
    const char *why; /* reason that there is no table; NULL: there is one */
    /* Key of the snapshot and its lines. */
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing computed */
    uint64_t end;
    unsigned lanes_version;
    bool listed;   /* the lines are those of this instant, see tt_snapshot.listed */
    bool arranged; /* the lines are those of the complete snapshot, in their order */
    bool tabled;   /* the lines are those of the table of threads */
    int pid_width; /* of the widest process id of the rows */
    bool stale;    /* order or choice of the lines has changed */
    /* Lines of the table; the tree has the same type. */
    struct tt_snapshot_tree lines;
    uint32_t room;
    struct tt_list list;
    bool root; /* the cursor is on the root above its thread's line */
    struct tt_snapshot_cpu_line {
        struct tt_snapshot_cpu cpu;
        bool known;
    } * cpus; /* those on the screen */
    uint32_t cpu_room;
    uint32_t first_cpu, cpus_shown;
    struct tt_snapshot_cpu_key {
        uint64_t at, end;
        uint32_t number; /* of the timelines; 0: nothing computed */
        uint32_t first, count;
    } cpu_key; /* of `cpus` */
    /* Lines of the screen, as of the last layout. */
    int title, deadlocks, deadlock_lines, cpu_lines, heads, status;
    uint32_t deadlock_count; /* of the snapshot; 0 until it is complete */
    struct tt_snapshot_place places[TT_SNAPSHOT_COLUMNS];
};

/* Returns the thread's row under the cursor, or NULL. */
const struct tt_snapshot_row *tt_snapshot_view_row(const struct tt_snapshot_view *v);
/* Returns the row of a line of threads, or NULL: the thread has no state at this instant. */
const struct tt_snapshot_row *tt_snapshot_view_row_of(const struct tt_snapshot_view *v,
                                                      size_t line);
/* Selects the thread or the CPU of the cursor's line. */
void tt_snapshot_view_moved(struct tt_workspace *ws, void *state);

/* ---- lines -------------------------------------------------------------------------------- */

/*
 * Updates snapshot and lines to the cursor's time, places the list in its lines, and links the visible
 * rows. Returns false if out of memory.
 */
bool tt_snapshot_view_refresh(struct tt_workspace *ws, struct tt_snapshot_view *v);
/*
 * Computes the run times on the screen until `deadline` (tt_now_ns); those that are missing are not drawn.
 * Returns true when all are known.
 */
bool tt_snapshot_view_fill(struct tt_snapshot_view *v, uint64_t deadline);
/*
 * Computes what the order of the lines needs and links more rows until `deadline`; true when the
 * snapshot and its lines are complete.
 */
bool tt_snapshot_view_work(struct tt_workspace *ws, struct tt_snapshot_view *v, uint64_t deadline);

/* A value of a row: a text or a number, of times in ticks. */
struct tt_snapshot_value {
    const char *text;
    uint64_t number;
    bool known;
    bool pending; /* a run time that is not computed yet */
};

/* Returns the value of a column by which rows are compared. */
struct tt_snapshot_value tt_snapshot_value_of(const struct tt_snapshot_view *v,
                                              const struct tt_snapshot_row *row, unsigned column);

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_snapshot_columns_place(const struct tt_workspace *ws, struct tt_snapshot_view *v,
                               int width);
/* Returns the names of the tables on a line of `width` columns. */
struct tt_tabs tt_snapshot_tabs(const struct tt_snapshot_view *v, int width);
void tt_snapshot_draw(const struct tt_workspace *ws, const void *state, struct tt_area area);

#endif
