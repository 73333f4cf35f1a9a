/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_owners: the threads and CPUs that have an event in a set of rows.
 *
 *      rows of a trace   ......|########|.......        [from, to): done
 *      threads           0 1 1 0 0 1 ...                one bit each: has an event in the set
 *
 * Computed in short steps to keep the screen responsive; the range grows in both directions as the
 * set becomes known. Starts as {0}; owns its bits until tt_row_owners_free. One thread.
 */
#ifndef TRACETUI_FILTER_ROW_OWNERS_H
#define TRACETUI_FILTER_ROW_OWNERS_H

#include "tracetui/row_set.h"
#include "tracetui/trace.h"

struct tt_row_owners {
    uint64_t *threads; /* one bit per thread; not NULL after the first step, unless it failed */
    uint32_t thread_limit;
    uint64_t *cpus; /* one bit per CPU; likewise */
    uint32_t cpu_limit;
    uint64_t from, to;
    bool begun;
    bool failed; /* out of memory: bits are missing */
};

void tt_row_owners_free(struct tt_row_owners *owners);

/*
 * Handles at most `most` more rows of [first, end) that are known in `set`. Returns true when all
 * rows known so far are done. Between calls the range may only grow.
 */
bool tt_row_owners_step(struct tt_row_owners *owners, struct tt_events *events,
                        const struct tt_row_set *set, uint64_t first, uint64_t end, uint64_t most);

/* Return whether a thread or a CPU has an event. */
bool tt_row_owners_thread(const struct tt_row_owners *owners, uint32_t thread);
bool tt_row_owners_cpu(const struct tt_row_owners *owners, uint32_t cpu);
/* Returns the number of threads that have an event. */
uint32_t tt_row_owners_threads(const struct tt_row_owners *owners);

#endif
