/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows: which lanes the Threads view has, and in which order.
 *
 *      sensor/2 isr         pinned: on top, whatever is scrolled
 *      v sensor 90123       a process, open
 *          1                its threads
 *          2 isr
 *            read           a row of slices of the thread above
 *          frames           a counter of the process
 *      > io-blk 8 (4)       folded: one lane for all of them
 *        ls 4711/1          the only thread of its process
 *
 * Where the system has no processes there are only threads. The order is made when it is asked for
 * and stays until it is asked for again: lanes do not jump about while the person moves in time.
 * What was folded or pinned stays so by number, as long as the capture is open.
 *
 * Owns its arrays; one thread.
 */
#ifndef TRACETUI_TUI_LANES_ROWS_H
#define TRACETUI_TUI_LANES_ROWS_H

#include "tracetui/capture.h"
#include "tracetui/timeline.h"
#include "tui/lanes/row_stats.h"

/* X(id, what is said when it is chosen) */
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
/* Does it need the numbers of a window? And the delays of it? */
bool tt_lanes_sort_needs_numbers(enum tt_lanes_sort sort);

enum tt_lane_row_kind {
    TT_LANE_THREAD,
    TT_LANE_PROCESS,
    TT_LANE_SLICES,  /* row `number` of the thread's slices; TT_NO_THREAD: of no thread */
    TT_LANE_COUNTER, /* series `number` */
};

struct tt_lane_row {
    uint32_t thread;  /* or TT_NO_THREAD */
    uint32_t process; /* its own, or the thread's; UINT32_MAX: of none */
    uint32_t number;
    uint8_t kind; /* enum tt_lane_row_kind */
    bool pinned;
    bool alone; /* the only thread of its process, which has no row then */
};

/*
 * Slices have rows for what is in [from, to), an empty row is a line lost; but the row of the
 * cursor stays, wherever it has moved.
 */
struct tt_lane_window {
    uint64_t from, to;
    struct tt_lane_row cursor;
};

/* Rows of slices that a thread shows at most: asynchronous ones may overlap without end. */
#define TT_LANE_SLICE_ROWS 24u

struct tt_lane_rows {
    struct tt_lane_row *rows;
    uint32_t count;
    uint32_t row_room;
    bool failed;     /* out of memory: rows are missing */
    uint32_t pinned; /* the first ones */
    bool flat;       /* no processes */
    /* Threads in order, and what they were ordered by. */
    uint32_t *order;
    uint32_t threads; /* in order */
    uint32_t room;
    uint8_t *folded;   /* by process */
    uint8_t *pins;     /* by thread */
    uint8_t *unsliced; /* by thread: its slices are folded away */
    uint32_t folded_room, pins_room, unsliced_room;
};

/*
 * Puts all threads in order. Run time, switches and delays are taken from `numbers`, which must be
 * complete; without numbers (NULL) it is the order of process and thread numbers. False when out of
 * memory.
 */
bool tt_lane_rows_order(struct tt_lane_rows *r, const struct tt_capture *c, enum tt_lanes_sort sort,
                        bool reverse, const struct tt_row_stats *numbers);

/*
 * Makes the rows for a window. `shown(arg, thread)` says which threads have a lane; a process has
 * one if any of its threads has. Threads that are not in order yet come last. Slices stand under
 * their thread, counters under their process.
 */
bool tt_lane_rows_make(struct tt_lane_rows *r, const struct tt_capture *c,
                       const struct tt_timelines *t, const struct tt_lane_window *window,
                       bool (*shown)(void *arg, uint32_t thread), void *arg);

/*
 * The row that is like `like`; else that of its thread, of its process where that is folded; of
 * nothing: UINT32_MAX.
 */
uint32_t tt_lane_rows_find(const struct tt_lane_rows *r, const struct tt_lane_row *like);

bool tt_lane_rows_folded(const struct tt_lane_rows *r, uint32_t process);
void tt_lane_rows_fold(struct tt_lane_rows *r, uint32_t process, bool folded);
bool tt_lane_rows_slices_folded(const struct tt_lane_rows *r, uint32_t thread);
void tt_lane_rows_fold_slices(struct tt_lane_rows *r, uint32_t thread, bool folded);
bool tt_lane_rows_is_pinned(const struct tt_lane_rows *r, uint32_t thread);
void tt_lane_rows_pin(struct tt_lane_rows *r, uint32_t thread, bool pinned);

void tt_lane_rows_free(struct tt_lane_rows *r);

#endif
