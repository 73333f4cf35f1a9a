/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame: what threads waited for, summed over a window: for each thread, which other thread,
 * interrupt or cause took how much of its ready and blocked time, and its priority inversions.
 *
 * Every ready and blocked interval of a thread is explained (analysis/causes/explain.h), clipped to the
 * window. The sums of a thread add up to its ready and its blocked time exactly. Times are ticks. An
 * object belongs to one thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_BLAME_H
#define TRACETUI_ANALYSIS_CAUSES_BLAME_H

#include "analysis/causes/explain.h"

/* A sum that a thread is charged with. Entries are in order of threads, the largest total first. */
struct tt_blame {
    struct tt_charge charge;
    uint64_t ready;
    uint64_t blocked;
    uint64_t
        idle; /* part of `blocked` in a wait for neither a lock nor an answer, charged to no thread */
    uint32_t thread;
};

/* A period in which a less urgent thread kept the CPU from the one that `thread` waits for. */
struct tt_inversion {
    uint64_t from;
    uint64_t to;
    uint64_t object; /* of the wait, or 0 */
    uint32_t thread;
    uint32_t holder; /* was ready */
    uint32_t by;     /* ran on its CPU */
};

struct tt_blame_request {
    uint64_t from;
    uint64_t to;
    const uint64_t *threads; /* one bit per thread; NULL: all. Idle threads are left out. */
    uint32_t thread_limit;
};

struct tt_blames;

/* Returns an empty result; NULL if out of memory. The trace and `threads` outlive it. */
struct tt_blames *tt_blames_new(struct tt_trace *trace, const struct tt_blame_request *request);
void tt_blames_free(struct tt_blames *blames);
/*
 * Continues for about *work pieces, which are subtracted from *work; *done is set at the end. Uses
 * the timelines of the trace as they are now. Returns false if out of memory.
 */
bool tt_blames_step(struct tt_blames *blames, uint64_t *work, bool *done);
/*
 * Return the entries and the inversions so far. They are sorted at the end: entries as struct tt_blame
 * has them, the longest inversion first.
 */
const struct tt_blame *tt_blames_entries(const struct tt_blames *blames, size_t *count);
const struct tt_inversion *tt_blames_inversions(const struct tt_blames *blames, size_t *count);
/* Returns the part of the window that is done, in percent. */
unsigned tt_blames_percent(const struct tt_blames *blames);

#endif
