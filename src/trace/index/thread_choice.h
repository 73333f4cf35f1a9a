/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_choice: chooses at run time whether a second thread publishes (index/publish_thread.h).
 *
 * On an idle machine two threads are faster. If another program uses the second CPU, both threads
 * share the first one, or the indexing thread waits while the scheduler interrupts the publishing
 * thread: together they get little more processor time than one thread would get alone, and
 * exchange parts in addition. So the processor time of both is measured over a window:
 *
 *      two: | window | window |     one: |  period  |      two: | window |     one: |    period      |
 *                    ^ both got less than 1.2 CPUs      ^ tried again    ^ less than 1.2 CPUs
 *
 * Each period of one thread is twice as long as the one before, up to a bound. One thread costs
 * little where two wait for the file: the system reads ahead.
 *
 * The choice affects the speed only: the parts and their order are the same. Plain values without
 * a clock of their own; one thread.
 */
#ifndef TRACETUI_TRACE_INDEX_THREAD_CHOICE_H
#define TRACETUI_TRACE_INDEX_THREAD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* Duration of a window: about a time slice of a scheduler. */
#define TT_CHOICE_WINDOW_NS UINT64_C(4000000)
/* Shortest and longest period of one thread. */
#define TT_CHOICE_PERIOD_NS     UINT64_C(100000000)
#define TT_CHOICE_PERIOD_MAX_NS UINT64_C(1600000000)

/* Initially zero; tt_thread_choice_begin begins the first window. */
struct tt_thread_choice {
    bool always_two; /* no choice: measurements of both threads */
    bool one;        /* the indexing thread publishes */
    uint64_t began;  /* time (ns) at which the window or period began */
    uint64_t spent;  /* processor time (ns) of both threads until then */
    uint64_t period; /* duration (ns) of the last period of one thread; 0: none */
};

/* Returns whether the window or period has ended at `now` (ns); then tt_thread_choice_make is due. */
static inline bool tt_thread_choice_is_due(const struct tt_thread_choice *c, uint64_t now)
{
    return now - c->began >= (c->one ? c->period : TT_CHOICE_WINDOW_NS);
}

/* Chooses at `now` (ns); `spent` is the processor time (ns) of both threads. */
void tt_thread_choice_make(struct tt_thread_choice *c, uint64_t now, uint64_t spent);
/* Begins the window or period: after a change to one thread, when the queue is empty. */
void tt_thread_choice_begin(struct tt_thread_choice *c, uint64_t now, uint64_t spent);

#endif
