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
#include "tui/views/snapshot/runs.h"

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
 * right-aligned). The last one gets the remaining width.
 */
#define TT_SNAPSHOT_COLUMN_INFO(X)                                                                 \
    X(TT_SNAPSHOT_PID, "pid", "process", 5, 80, true)                                              \
    X(TT_SNAPSHOT_THREAD, "thread", "name", 12, 0, false)                                          \
    X(TT_SNAPSHOT_PRIORITY, "pri", "priority", 3, 0, true)                                         \
    X(TT_SNAPSHOT_STATE, "state", "state", 9, 0, false)                                            \
    X(TT_SNAPSHOT_SINCE, "since", "time in the state", 9, 50, true)                                \
    X(TT_SNAPSHOT_UNTIL, "until", "time until the next state", 9, 60, true)                        \
    X(TT_SNAPSHOT_CPU, "CPU", "CPU", 3, 70, true)                                                  \
    X(TT_SNAPSHOT_DEPTH, "depth", "depth of the chain", 5, 100, true)                              \
    X(TT_SNAPSHOT_RUN_1, "1 ms", "run time in the last 1 ms", 9, 110, true)                        \
    X(TT_SNAPSHOT_RUN_10, "10 ms", "run time in the last 10 ms", 9, 110, true)                     \
    X(TT_SNAPSHOT_RUN_100, "100 ms", "run time in the last 100 ms", 9, 150, true)                  \
    X(TT_SNAPSHOT_RUN_1000, "1 s", "run time in the last 1 s", 9, 150, true)                       \
    X(TT_SNAPSHOT_CHAIN, "blocked on", "what it waits for", 10, 0, false)

enum tt_snapshot_column {
#define X(id, head, name, width, from, right) id,
    TT_SNAPSHOT_COLUMN_INFO(X)
#undef X
        TT_SNAPSHOT_COLUMNS
};

struct tt_snapshot_place {
    int x;
    int width; /* 0: not shown */
};

/* Key of the kept activities of the CPUs on the screen. */
struct tt_snapshot_cpu_key {
    uint64_t at, end;
    uint32_t number; /* of the timelines; 0: nothing computed */
    uint32_t first, count;
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
    bool root;                    /* the cursor is on the root above its thread's line */
    uint32_t at;                  /* the cursor's line */
    uint32_t top;                 /* line on top of the table */
    struct tt_snapshot_cpu *cpus; /* those on the screen */
    bool *cpu_known;
    uint32_t cpu_room;
    uint32_t first_cpu, cpus_shown;
    struct tt_snapshot_cpu_key cpu_key; /* of `cpus` */
    /* Lines of the screen, as of the last layout. */
    int title, deadlocks, deadlock_lines, cpu_lines, heads, table, table_lines, status;
    uint32_t deadlock_count; /* of the snapshot; 0 until it is complete */
    struct tt_snapshot_place places[TT_SNAPSHOT_COLUMNS];
};

/* Number of rows of the current table. */
uint32_t tt_snapshot_view_rows(const struct tt_snapshot_view *v);
/* Returns the thread's row under the cursor, or NULL. */
const struct tt_snapshot_row *tt_snapshot_view_row(const struct tt_snapshot_view *v);
/* Returns the row of a line of threads, or NULL: the thread has no state at this instant. */
const struct tt_snapshot_row *tt_snapshot_view_row_of(const struct tt_snapshot_view *v,
                                                      uint32_t line);
/* Puts the cursor on a line of the table. */
void tt_snapshot_view_go(struct tt_workspace *ws, struct tt_snapshot_view *v, int64_t line);

/* ---- lines -------------------------------------------------------------------------------- */

/*
 * Updates snapshot and lines to the cursor's time, and links the visible rows. `v->table_lines` must
 * be set. Returns false if out of memory.
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

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_snapshot_columns_place(const struct tt_workspace *ws, struct tt_snapshot_view *v,
                               int width);
const char *tt_snapshot_column_name(enum tt_snapshot_column column);
/* Draws the tabs; returns the index of the one at column `at`, or -1. With `at` < 0 it draws. */
int tt_snapshot_draw_tabs(const struct tt_snapshot_view *v, struct tt_area line, int at);
void tt_snapshot_draw(const struct tt_workspace *ws, const struct tt_snapshot_view *v,
                      struct tt_area area);

#endif
