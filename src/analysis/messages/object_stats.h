/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_stats: waits, holds and contention of locks and other objects in a window.
 *
 * Waits that end in the window are samples, unclipped; `contended`, `waiting` and `waiting_max` are
 * of the window. A hold is the time for which a thread has a lock while at least one other thread
 * waits for it: from the first wait, or from the release by the thread that had it before, up to its
 * own release. docs/messages.md defines the numbers. Times are ticks. One thread; the caller owns
 * the result.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_OBJECT_STATS_H
#define TRACETUI_ANALYSIS_MESSAGES_OBJECT_STATS_H

#include "tracetui/objects.h"
#include "tracetui/stats.h"
#include "tracetui/status.h"

struct tt_object_stat {
    struct tt_object object;
    uint32_t number;             /* of the object */
    uint64_t waits;              /* that begin in the window */
    struct tt_distribution wait; /* of those that end in it, known from begin to end */
    uint32_t longest_waiter;     /* thread of wait.max, or TT_NO_THREAD */
    uint32_t max_holder;         /* thread that released the lock last in that wait, or NO_THREAD */
    uint64_t contended;          /* time with at least one waiter */
    uint64_t waiting;            /* sum over time of the waiters */
    uint64_t waiting_max;        /* most waiters at once */
    struct tt_distribution hold; /* of kinds that are held: holds that end in the window */
    uint32_t longest_holder;     /* thread of hold.max, or TT_NO_THREAD */
};

struct tt_object_stats {
    struct tt_object_stat *rows; /* objects with a wait in the window */
    size_t count;
    size_t capacity;
};

/*
 * The waits to count: those in a window, in ticks. `threads`: one bit per thread that waits; NULL:
 * all.
 */
struct tt_object_window {
    uint64_t from;
    uint64_t to;
    const uint64_t *threads;
    uint32_t thread_limit;
};

/*
 * Counts in steps, one object after the other. tt_object_counting_new returns NULL if out of memory; a
 * step handles about `work` waits and sets *done at the end. The rows are those of the objects that
 * are done, unsorted, and valid until the next step. The timelines outlive the object.
 */
struct tt_object_counting;

struct tt_object_counting *tt_object_counting_new(const struct tt_timelines *timelines,
                                                  const struct tt_object_window *window);
/* Samples of tt_object_counting_watch: ends of waits, begins of waits, ends of holds. */
enum tt_object_sample { TT_OBJECT_WAIT, TT_OBJECT_WAITS, TT_OBJECT_HOLD };
/*
 * Counts one object only and passes its samples to the sink, begins with length 0. Before the first
 * step; the sink outlives the object.
 */
void tt_object_counting_watch(struct tt_object_counting *counting, uint32_t object,
                              enum tt_object_sample what, struct tt_sample_sink *sink);
struct tt_status tt_object_counting_step(struct tt_object_counting *counting, uint64_t work,
                                         bool *done);
const struct tt_object_stats *tt_object_counting_stats(const struct tt_object_counting *counting);
/* Returns the progress in percent. */
unsigned tt_object_counting_percent(const struct tt_object_counting *counting);
/* Frees the object; NULL is allowed. */
void tt_object_counting_free(struct tt_object_counting *counting);

/* Compares two rows: <0 if `left` comes first, which has the longer sum of waits. A total order. */
int tt_object_stat_compare(const struct tt_object_stat *left, const struct tt_object_stat *right);

/*
 * Computes all rows, sorted. TT_ERR_MEMORY. The caller frees the result also after an error.
 * O(waits log waits); about 40 bytes per wait of one object while it runs.
 */
struct tt_status tt_object_stats_compute(const struct tt_timelines *timelines,
                                         const struct tt_object_window *window,
                                         struct tt_object_stats *stats);
void tt_object_stats_free(struct tt_object_stats *stats);

#endif
