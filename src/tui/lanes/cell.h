/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cell: from what the timelines hold to the cells of a lane. No drawing, no keys.
 *
 *      intervals   |--RECEIVE--|ready|######RUNNING######|--REPLY--|ready|##RUN
 *      columns     |       |       |       |       |       |       |
 *      cells          ipc   running running running   ipc     ipc*      * many: much went on inside
 *
 * A cell shows the class that held most of it; of two that held as much, the one that stands first
 * in tt_lane_cell_of. `many` says that an interval or more lies wholly inside. What lies before a
 * thread's first event or behind the capture is TT_LANE_NOTHING. The lane of a folded process: it
 * runs where its threads together ran half of the time or more; is ready where they were running or
 * ready so long; else it is in the class that held most of all its threads' time.
 *
 * Pure functions; any thread.
 */
#ifndef TRACETUI_TUI_LANES_CELL_H
#define TRACETUI_TUI_LANES_CELL_H

#include "tracetui/timeline.h"

#define TT_LANE_NOTHING TT_CLASS_COUNT

struct tt_lane_cell {
    uint8_t class_; /* enum tt_class or TT_LANE_NOTHING */
    bool many;
    uint8_t run; /* eighths of it that it ran, rounded up */
};

struct tt_lane_cell tt_lane_cell_of(const struct tt_thread_cell *sums);
/* Of several threads' sums added up; `length` of the column in ticks. */
struct tt_lane_cell tt_lane_cell_of_group(const struct tt_thread_cell *sums, uint64_t length);
void tt_lane_sums_add(struct tt_thread_cell *sums, const struct tt_thread_cell *more);

/* What held most of a CPU's cell. X(id) */
#define TT_CPU_IS_INFO(X)                                                                          \
    X(TT_CPU_IS_NOTHING)                                                                           \
    X(TT_CPU_IS_BUSY)                                                                              \
    X(TT_CPU_IS_IDLE)                                                                              \
    X(TT_CPU_IS_KERNEL)                                                                            \
    X(TT_CPU_IS_IRQ)                                                                               \
    X(TT_CPU_IS_UNKNOWN)

enum tt_cpu_is {
#define X(id) id,
    TT_CPU_IS_INFO(X)
#undef X
        TT_CPU_IS_COUNT
};

struct tt_cpu_lane_cell {
    uint8_t is; /* enum tt_cpu_is */
    bool many;
    bool irq;          /* interrupts took some of it */
    uint32_t occupant; /* of a busy cell: the thread that had most, if it is known */
};

struct tt_cpu_lane_cell tt_cpu_lane_cell_of(const struct tt_cpu_cell *sums);

/* The interval of a thread at an instant; false where there is none, or behind the capture. */
bool tt_lane_at(const struct tt_timelines *t, uint32_t thread, uint64_t ticks,
                struct tt_interval *interval);

/* Part of a window that was busy, of all CPUs together. */
struct tt_load {
    uint64_t busy;
    uint64_t unknown;
    uint64_t total; /* of the part inside the capture */
};

/* 0..8 eighths, rounded up, so that 0 is nothing at all; 9: most of it is unknown. */
#define TT_LOAD_UNKNOWN 9u
unsigned tt_load_eighths(const struct tt_load *load);
/* 0..100, rounded to the nearest. */
unsigned tt_percent(uint64_t part, uint64_t whole);

#endif
