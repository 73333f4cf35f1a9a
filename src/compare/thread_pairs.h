/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_pairs: the threads of two ranges, of one capture or two, paired by their names as in a
 * comparison (docs/diff.md): the name of process and thread, the tid of a thread without one, and the
 * order of beginning among equal names.
 *
 * The caller owns the list. Any thread that may read the captures, which are indexed.
 */
#ifndef TRACETUI_COMPARE_THREAD_PAIRS_H
#define TRACETUI_COMPARE_THREAD_PAIRS_H

#include "tracetui/trace.h"

struct tt_thread_pair {
    uint32_t threads[2]; /* of A and of B; TT_NO_THREAD: that side does not have it */
    double run;          /* the larger share of the two ranges in which the thread runs, 0..1 */
};

struct tt_thread_pairs {
    struct tt_thread_pair *pairs; /* most run time first; idle and pseudo threads are left out */
    uint32_t count;
};

/* A range [from, to) in ticks, at least partly inside the capture. */
struct tt_thread_range {
    struct tt_trace *trace;
    uint64_t from;
    uint64_t to;
};

/*
 * Makes the list. Returns false, with an empty list, if out of memory. O(n log n) of the threads.
 */
bool tt_thread_pairs_make(struct tt_thread_pairs *pairs, const struct tt_thread_range sides[2]);
void tt_thread_pairs_free(struct tt_thread_pairs *pairs);

#endif
