/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_queue: the threads that are ready, by the CPU on which they ran last, and imbalance.
 *
 *      thread A, last on CPU 0    |--ready--|           in queue 0
 *      thread B, last on CPU 0       |---ready---|      in queue 0
 *      CPU 1                      ....|#######|....     idle at both ends: imbalance, if A or B may use it
 *      queue 0                    1  2     1     0
 *
 * A thread may use the CPUs on which it runs at some time in the capture; no format records the others. The queue 0 is
 * imbalanced while a thread in it is ready and another CPU that the thread may use is idle, without an interrupt. A
 * state of no duration is in no queue.
 *
 * The walk goes over the edges of all threads and CPUs in order of time: O(intervals * log threads). Owns its arrays;
 * one thread. The timelines must not be rebuilt meanwhile.
 */
#ifndef TRACETUI_ANALYSIS_RUN_QUEUE_H
#define TRACETUI_ANALYSIS_RUN_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/timeline.h"

#define TT_QUEUE_CPUS 1024u /* with more CPUs imbalance is unknown */

struct tt_queue_sums {
    uint64_t ready;                           /* ticks, summed over threads */
    uint64_t waiting;                         /* ticks with at least one ready thread */
    uint64_t max, max_at;                     /* ready threads at once, and when that began */
    uint64_t imbalance;                       /* ticks */
    uint64_t imbalance_max, imbalance_max_at; /* the longest part of it, and its end */
};

struct tt_queue {
    struct tt_queue_sums sums;
    uint64_t since; /* the sums are complete up to it */
    uint64_t imbalanced_since;
    uint32_t ready; /* threads */
    uint32_t idle;  /* idle CPUs that a thread in it may use */
};

struct tt_queue_edge;

struct tt_run_queues {
    const struct tt_timelines *timelines;
    uint64_t from, to;
    uint32_t cpus;
    struct tt_queue *queues; /* of the CPUs; of threads that have not run; of all */
    uint32_t *may;    /* by queue and CPU: ready threads in it that may use the CPU; or NULL */
    uint8_t *is_idle; /* by CPU */
    struct tt_queue_edge *edges; /* a heap */
    size_t count, capacity;
    uint64_t *allowed; /* CPUs by thread, `words` each */
    uint32_t threads, words;
    /* Receives the number of ready threads of a queue from a time on; or NULL. */
    void (*note)(void *arg, uint32_t queue, uint64_t ticks, uint32_t ready);
    void *note_arg;
};

/* Prepares for a window [from, to). False if out of memory. */
bool tt_run_queues_begin(struct tt_run_queues *queues, const struct tt_timelines *timelines,
                         uint64_t from, uint64_t to);
/* Adds a thread, before the first step. O(its intervals). False if out of memory. */
bool tt_run_queues_add(struct tt_run_queues *queues, uint32_t thread);
/* Goes over about *work edges, which is reduced; returns whether there are no more, and the sums are complete. */
bool tt_run_queues_step(struct tt_run_queues *queues, uint64_t *work);
/* Return the number of the queue of threads that have not run, and of that of all threads. */
static inline uint32_t tt_queue_of_none(const struct tt_run_queues *queues)
{
    return queues->cpus;
}
static inline uint32_t tt_queue_of_all(const struct tt_run_queues *queues)
{
    return queues->cpus + 1;
}
void tt_run_queues_free(struct tt_run_queues *queues);

#endif
