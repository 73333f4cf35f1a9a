/* SPDX-License-Identifier: Apache-2.0 */
/*
 * elsewhere: what the other CPUs of its system did while a thread that is explained was ready: whether one was
 * idle, or ran a less urgent thread, and whether the thread has run there.
 *
 *      CPU 1   |  higher  |     other    |        ready pieces of the thread, for CPU 1
 *      CPU 0   | idle |     less urgent  |        summed over the same time
 *
 * Times are ticks. Nothing is allocated. One thread, while the timelines do not grow.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_ELSEWHERE_H
#define TRACETUI_ANALYSIS_CAUSES_ELSEWHERE_H

#include "analysis/causes/explain.h"

#define TT_ELSEWHERE_MOST  64u    /* CPUs that are listed */
#define TT_ELSEWHERE_STEPS 32768u /* stretches of them all */

struct tt_elsewhere {
    uint64_t idle;  /* ready time in which the CPU was idle */
    uint64_t lower; /* ... in which a less urgent thread had it */
    uint32_t by;    /* the least urgent of these threads, or TT_NO_THREAD */
    int priority;   /* its priority */
    uint16_t cpu;
    bool used; /* the thread ran there within 32 intervals before or after */
};

struct tt_elsewheres {
    struct tt_elsewhere cpus[TT_ELSEWHERE_MOST]; /* with time idle or less urgent, most first */
    unsigned count;
    uint64_t ready; /* time in which the thread itself was ready */
    bool cut;       /* a limit was reached: the times are those of a part */
};

/* Sums up the other CPUs over the ready pieces of the first level of an explanation. */
void tt_explanation_elsewhere(const struct tt_timelines *timelines,
                              const struct tt_capture *capture,
                              const struct tt_explanation *explanation,
                              struct tt_elsewheres *result);

/* Returns whether a tenth of the explained time, or more, is ready time, and another CPU was free for it. */
bool tt_elsewheres_matter(const struct tt_elsewheres *all,
                          const struct tt_explanation *explanation);

#endif
