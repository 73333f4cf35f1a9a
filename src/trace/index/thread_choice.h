/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_choice: chooses at run time whether a second thread publishes (index/publish_thread.h).
 *
 * On an idle machine two threads are faster. If another program uses the second CPU, both threads
 * share the first one, or one of them waits while the scheduler interrupts the other: together they
 * get little more processor time than one thread would get alone, and exchange parts in addition.
 * So the processor time that both threads get is measured over windows, relative to the time for
 * which they do not wait for each other. If it is short, one thread is tried:
 *
 *      TWO | window | window | window |  TRIAL  |      ONE      | TWO | window | ...
 *                               ^ short     ^ faster than that window
 *
 *      TWO | window | window | window |  TRIAL  | TWO, no trial for a period | window | ...
 *                               ^ short     ^ not faster: all CPUs are busy
 *
 * Each period is twice as long as the one before, up to a bound, until a window is not short.
 *
 * Where the system counts the threads that are ready (tt_platform_is_one_cpu_left), no time is lost by
 * trying: if other programs leave one CPU, one thread begins, and the second one works when there is
 * another CPU:
 *
 *      ALONE | window | window | TWO | window | ...
 *      left:    one      one  ^ more
 *
 * The choice affects the speed only: the parts and their order are the same. Plain values without
 * a clock of their own; one thread.
 */
#ifndef TRACETUI_TRACE_INDEX_THREAD_CHOICE_H
#define TRACETUI_TRACE_INDEX_THREAD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

enum tt_choice_phase { TT_CHOICE_TWO, TT_CHOICE_TRIAL, TT_CHOICE_ONE, TT_CHOICE_ALONE };

/* Durations: of a window, about a time slice of a scheduler; of a trial. */
#define TT_CHOICE_WINDOW_NS UINT64_C(4000000)
#define TT_CHOICE_TRIAL_NS  UINT64_C(8000000)
/* Shortest and longest period. */
#define TT_CHOICE_PERIOD_NS     UINT64_C(100000000)
#define TT_CHOICE_PERIOD_MAX_NS UINT64_C(1600000000)

/* Times of both threads since their start, in ns. */
struct tt_choice_times {
    uint64_t now;
    uint64_t spent;    /* processor time of both */
    uint64_t waited;   /* for which one waited for the other: the sum of both */
    bool one_cpu_left; /* other programs use the other CPUs now; not used in TWO */
};

/*
 * Initially zero. tt_thread_choice_start chooses the first phase; tt_thread_choice_begin begins the first
 * window, of two threads once both have worked: one may have to prepare, or to start.
 */
struct tt_thread_choice {
    enum tt_choice_phase phase;
    bool always_two; /* no choice: measurements of both threads */
    uint64_t work;   /* events and actions since the phase or window began */
    struct tt_choice_times began;
    bool was_short;  /* the last window of two threads */
    double rate_two; /* work per ns in the window before the trial */
    uint64_t period; /* duration (ns) of the last period; 0: none */
    uint64_t hold;   /* time (ns) before which there is no trial */
};

/* Returns whether the indexing thread publishes. */
static inline bool tt_thread_choice_is_one(const struct tt_thread_choice *choice)
{
    return choice->phase != TT_CHOICE_TWO;
}

/* Returns whether the phase or window has ended at `now` (ns): tt_thread_choice_make is due. */
static inline bool tt_thread_choice_is_due(const struct tt_thread_choice *choice, uint64_t now)
{
    return now - choice->began.now >= (choice->phase == TT_CHOICE_TRIAL ? TT_CHOICE_TRIAL_NS
                                       : choice->phase == TT_CHOICE_ONE ? choice->period
                                                                        : TT_CHOICE_WINDOW_NS);
}

/* Chooses the first phase: one thread if other programs leave one CPU. */
void tt_thread_choice_start(struct tt_thread_choice *choice, bool always_two, bool one_cpu_left);

/* Chooses the next phase. */
void tt_thread_choice_make(struct tt_thread_choice *choice, const struct tt_choice_times *times);
/* Begins the phase or window: after a change to one thread, when the queue is empty. */
void tt_thread_choice_begin(struct tt_thread_choice *choice, const struct tt_choice_times *times);

#endif
