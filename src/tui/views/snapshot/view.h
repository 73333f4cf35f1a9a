/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot/view: shared by the files of the Snapshot view: state, columns, lines.
 *
 *      cursor's time -> tt_snapshot (a row per thread) -> lines: its rows in the order of the screen
 *
 * The states, and the causes of the visible threads' waits, are computed for each frame, the rest
 * while the program is idle. The view owns what its state points to. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_SNAPSHOT_VIEW_H
#define TRACETUI_TUI_VIEWS_SNAPSHOT_VIEW_H

#include "analysis/causes/snapshot_text.h"
#include "tui/lanes/lanes.h"
#include "tui/list/list.h"

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
    X(TT_SNAPSHOT_CHAIN, "waits for", "what it waits for", 10, 0, false, false)

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

/* CPUs whose kernel call and interrupts are searched for a frame. */
#define TT_SNAPSHOT_CPUS_MOST 64u

struct tt_snapshot_view {
    struct tt_lanes_view lanes; /* overview and axis */
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
    bool listed;     /* the lines are those of this instant, see tt_snapshot.listed */
    bool arranged;   /* the lines are those of the complete snapshot, in their order */
    int pid_width;   /* of the widest process id of the rows */
    bool stale;      /* order or choice of the lines has changed */
    uint32_t *lines; /* numbers of rows */
    uint32_t count, room;
    struct tt_list list;
    struct tt_snapshot_cpu cpus[TT_SNAPSHOT_CPUS_MOST]; /* the first ones of the capture */
    bool cpu_known[TT_SNAPSHOT_CPUS_MOST];
    uint32_t cpu_count;
    /* Lines of the screen, as of the last layout. */
    int title, deadlocks, deadlock_lines, heads, status;
    uint32_t doing[TT_DOING_IDLE + 1]; /* lines of each, without idle threads of CPUs */
    uint32_t deadlock_count;           /* of the snapshot; 0 until it is complete */
    struct tt_snapshot_place places[TT_SNAPSHOT_COLUMNS];
};

/* Returns the thread's row under the cursor, or NULL. */
const struct tt_snapshot_row *tt_snapshot_view_row(const struct tt_snapshot_view *view);
/* Returns the row of a line, or NULL: the thread has no state at this instant. */
const struct tt_snapshot_row *tt_snapshot_view_row_of(const struct tt_snapshot_view *view,
                                                      size_t line);
/* Selects the thread of the cursor's line. */
void tt_snapshot_view_moved(struct tt_workspace *ws, void *state);

/* ---- lines -------------------------------------------------------------------------------- */

/*
 * Updates snapshot and lines to the cursor's time, places the list in its lines, and links the visible
 * rows. Returns false if out of memory.
 */
bool tt_snapshot_view_refresh(struct tt_workspace *ws, struct tt_snapshot_view *view);
/*
 * Computes the run times on the screen until `deadline` (tt_now_ns); those that are missing are not drawn.
 * Returns true when all are known.
 */
bool tt_snapshot_view_fill(struct tt_snapshot_view *view, uint64_t deadline);
/*
 * Computes what the order of the lines needs and links more rows until `deadline`; true when the
 * snapshot and its lines are complete.
 */
bool tt_snapshot_view_work(struct tt_workspace *ws, struct tt_snapshot_view *view,
                           uint64_t deadline);

/* A value of a row: a text or a number, of times in ticks. */
struct tt_snapshot_value {
    const char *text;
    uint64_t number;
    bool known;
    bool pending; /* a run time that is not computed yet */
};

/* Returns the value of a column by which rows are compared. */
struct tt_snapshot_value tt_snapshot_value_of(const struct tt_snapshot_view *view,
                                              const struct tt_snapshot_row *row, unsigned column);

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_snapshot_columns_place(const struct tt_workspace *ws, struct tt_snapshot_view *view,
                               int width);
void tt_snapshot_draw(const struct tt_workspace *ws, const void *state, struct tt_area area);

#endif
