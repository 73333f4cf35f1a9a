/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows: selects and orders the lanes of the Threads view.
 *
 *      sensor/2 isr         pinned: always at the top
 *      v sensor 90123       an unfolded process
 *          1                its threads
 *          2 isr
 *            read           a row of slices of thread 2
 *          frames           a counter of the process
 *      > io-blk 8 (4)       a folded process: one lane for its four threads
 *        ls 4711/1          the only thread of its process
 *
 * On a system without processes there are only threads. The lanes are sorted on request only, so
 * that they keep their places while the user moves in time. Folded and pinned lanes are remembered
 * by number as long as the capture is open.
 *
 * Owns its arrays; one thread.
 */
#ifndef TRACETUI_TUI_LANES_ROWS_H
#define TRACETUI_TUI_LANES_ROWS_H

#include "tracetui/capture.h"
#include "tracetui/timeline.h"
#include "tui/lanes/row_stats.h"

/* X(id, name in the message) */
#define TT_LANES_SORT_INFO(X)                                                                      \
    X(TT_LANES_BY_RUN, "run time")                                                                 \
    X(TT_LANES_BY_SWITCHES, "context switches")                                                    \
    X(TT_LANES_BY_DELAY, "longest sch delay")                                                      \
    X(TT_LANES_BY_NAME, "name")                                                                    \
    X(TT_LANES_BY_NUMBER, "process and thread number")

enum tt_lanes_sort {
#define X(id, name) id,
    TT_LANES_SORT_INFO(X)
#undef X
        TT_LANES_SORT_COUNT
};

const char *tt_lanes_sort_name(unsigned sort);
/* Returns whether the order depends on the statistics of a window. */
bool tt_lanes_sort_needs_numbers(enum tt_lanes_sort sort);

enum tt_lane_row_kind {
    TT_LANE_THREAD,
    TT_LANE_PROCESS,
    TT_LANE_SLICES,  /* row `number` of the thread's slices; TT_NO_THREAD: without a thread */
    TT_LANE_COUNTER, /* series `number` */
    TT_LANE_CAPTURE, /* heading of capture `number` of a merged capture; no thread and no process */
};

struct tt_lane_row {
    uint32_t thread;  /* or TT_NO_THREAD */
    uint32_t process; /* its own, or the thread's; UINT32_MAX: none */
    uint32_t number;
    uint8_t kind; /* enum tt_lane_row_kind */
    bool pinned;
    bool alone; /* the only thread of its process, which then has no row */
};

/*
 * The window [from, to): rows of slices without a slice in it are omitted, except the cursor's row.
 */
struct tt_lane_window {
    uint64_t from, to;
    struct tt_lane_row cursor;
};

/* Maximum of slice rows per thread: asynchronous slices may overlap without limit. */
#define TT_LANE_SLICE_ROWS 24u

struct tt_lane_rows {
    struct tt_lane_row *rows;
    uint32_t count;
    uint32_t row_room;
    bool failed;     /* out of memory: rows are missing */
    uint32_t pinned; /* number of pinned rows, which come first */
    bool flat;       /* no processes */
    /* Thread numbers in sorted order. */
    uint32_t *order;
    uint32_t threads; /* number of threads in `order` */
    uint32_t room;
    uint8_t *folded;  /* by process */
    uint8_t *pins;    /* by thread */
    uint32_t pair[2]; /* threads on top besides the pinned ones; has_pair: they are set */
    bool has_pair;
    uint8_t *unsliced; /* by thread: its slices are folded */
    uint32_t folded_room, pins_room, unsliced_room;
};

/*
 * Sorts all threads. Run time, switches and delays come from `numbers`, which must be complete;
 * with NULL, sorts by process and thread number. False when out of memory.
 */
bool tt_lane_rows_order(struct tt_lane_rows *rows, const struct tt_capture *capture,
                        enum tt_lanes_sort sort, bool reverse, const struct tt_row_stats *numbers);

/*
 * Builds the rows for a window. `shown(arg, thread)` selects the threads with a lane; a process has
 * one if any of its threads has. Threads not sorted yet come last. Slices follow their thread,
 * counters follow the threads of their process. False when out of memory.
 */
bool tt_lane_rows_make(struct tt_lane_rows *rows, const struct tt_capture *capture,
                       const struct tt_timelines *timelines, const struct tt_lane_window *window,
                       bool (*shown)(void *arg, uint32_t thread), void *arg);

/*
 * Returns the row equal to `like`; else the row of its thread, or of its process if that is folded;
 * UINT32_MAX if there is none.
 */
uint32_t tt_lane_rows_find(const struct tt_lane_rows *rows, const struct tt_lane_row *like);

bool tt_lane_rows_folded(const struct tt_lane_rows *rows, uint32_t process);
void tt_lane_rows_fold(struct tt_lane_rows *rows, uint32_t process, bool folded);
bool tt_lane_rows_slices_folded(const struct tt_lane_rows *rows, uint32_t thread);
void tt_lane_rows_fold_slices(struct tt_lane_rows *rows, uint32_t thread, bool folded);
bool tt_lane_rows_is_pinned(const struct tt_lane_rows *rows, uint32_t thread);
void tt_lane_rows_pin(struct tt_lane_rows *rows, uint32_t thread, bool pinned);

/* Puts two threads on top, either may be TT_NO_THREAD; false: they are there already. */
bool tt_lane_rows_set_pair(struct tt_lane_rows *rows, bool on, uint32_t first, uint32_t second);

void tt_lane_rows_free(struct tt_lane_rows *rows);

#endif
