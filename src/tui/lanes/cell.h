/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cell: converts timeline sums to the cells of a lane. No drawing, no keys.
 *
 *      intervals   |--RECEIVE--|ready|######RUNNING######|--REPLY--|ready|##RUN
 *      columns     |       |       |       |       |       |       |
 *      cells          ipc   running running running   ipc     ipc*      * many: whole intervals inside
 *
 * A cell shows the class with the longest time in it; between equal times, the first class in the
 * order of tt_lane_cell_of; `held` is set if the thread was ready, or waited for a lock, for more than an eighth of
 * the column, whatever the longest class is. `many` is set if the column contains at least one whole interval.
 * Before the first event of a thread and after the capture a cell is TT_LANE_NOTHING. A folded
 * process is running where the sum of its threads' run time is at least half of the column; ready
 * where the sum of running and ready time is; else it has the class with the longest time over all
 * its threads.
 *
 * Any thread.
 */
#ifndef TRACETUI_TUI_LANES_CELL_H
#define TRACETUI_TUI_LANES_CELL_H

#include "tracetui/timeline.h"

#define TT_LANE_NOTHING TT_CLASS_COUNT
/* The class is unknown without a loss, since the format records none: off the CPU. */
#define TT_LANE_OFF (TT_CLASS_COUNT + 1)

/* The symbols of a lane, for the help. */
#define TT_LANE_LEGEND                                                                             \
    "{running} runs {ready} ready; waits for {ipc} messages {lock} a lock {condition} a signal "   \
    "{sleep} a time {wait} else {user} user event {off} off the CPU, "                             \
    "ready or waiting {unknown} no data. Several states in a column: "                             \
    "{bar.1} to {bar.7} the part that runs, {ready.many} {ipc.many} {lock.many} {sleep.many} the " \
    "longest state where it does not run; the tint is the longest state, or being ready or "       \
    "waiting for a lock."

struct tt_lane_cell {
    uint8_t class_; /* enum tt_class, TT_LANE_NOTHING or TT_LANE_OFF */
    bool many;
    uint8_t run;  /* run time in eighths of the column, rounded up */
    uint8_t held; /* TT_CLASS_READY or TT_CLASS_LOCK: held up for more than an eighth; or 0 */
};

struct tt_lane_cell tt_lane_cell_of(const struct tt_thread_cell *sums);
/* Computes the cells of a thread between `edges`, columns + 1; `sums` has room for one column each. */
void tt_lane_cells_of(struct tt_lane_cell *cells, const struct tt_timelines *timelines,
                      const struct tt_capture *capture, uint32_t thread, const uint64_t *edges,
                      unsigned columns, struct tt_thread_cell *sums);
/* Returns the class that a cell of an interval has: its own, or TT_LANE_OFF. */
uint8_t tt_lane_class_of(const struct tt_timelines *timelines, const struct tt_capture *capture,
                         const struct tt_interval *interval);
/* Returns the cell for the added sums of several threads. `length`: the column in ticks. */
struct tt_lane_cell tt_lane_cell_of_group(const struct tt_thread_cell *sums, uint64_t length);
void tt_lane_sums_add(struct tt_thread_cell *sums, const struct tt_thread_cell *more);

/* State with the longest time in a CPU's cell. X(id) */
#define TT_CPU_CELL_INFO(X)                                                                        \
    X(TT_CPU_CELL_NOTHING)                                                                         \
    X(TT_CPU_CELL_BUSY)                                                                            \
    X(TT_CPU_CELL_IDLE)                                                                            \
    X(TT_CPU_CELL_KERNEL)                                                                          \
    X(TT_CPU_CELL_IRQ)                                                                             \
    X(TT_CPU_CELL_UNKNOWN)

enum tt_cpu_cell_kind {
#define X(id) id,
    TT_CPU_CELL_INFO(X)
#undef X
        TT_CPU_CELL_COUNT
};

struct tt_cpu_lane_cell {
    uint8_t kind; /* enum tt_cpu_cell_kind */
    bool many;
    bool irq;          /* contains interrupt time */
    uint32_t occupant; /* of a busy cell: the thread with the longest time, if known */
};

struct tt_cpu_lane_cell tt_cpu_lane_cell_of(const struct tt_cpu_cell *sums);

/* Finds the interval of a thread at a time; false if there is none, or after the capture. */
bool tt_lane_at(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                struct tt_interval *interval);

/* CPU load of a window, summed over all CPUs; ticks. */
struct tt_load {
    uint64_t busy;
    uint64_t unknown;
    uint64_t total; /* busy, idle and unknown time inside the capture */
};

/* Returns the load as 0..8 eighths, rounded up, so that 0 means no load; 9: mostly unknown. */
#define TT_LOAD_UNKNOWN 9u
unsigned tt_load_eighths(const struct tt_load *load);
/* Returns part / whole as 0..100, rounded to the nearest integer. */
unsigned tt_percent(uint64_t part, uint64_t whole);

#endif
