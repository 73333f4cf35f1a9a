/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_owners: which threads and which CPUs have an event in a set of rows.
 *
 *      rows of a trace   ......|########|.......        [from, to): looked at
 *      threads           0 1 1 0 0 1 ...                a bit each: it has an event of the set
 * there
 *
 * Looked at in steps, so that a person is never kept waiting; the stretch grows to both sides as
 * the set is known on both. Begins as {0}; owns its bits until tt_row_owners_free. One thread.
 */
#ifndef TRACETUI_ROW_OWNERS_H
#define TRACETUI_ROW_OWNERS_H

#include "tracetui/row_set.h"
#include "tracetui/trace.h"

struct tt_row_owners {
    uint64_t *threads; /* a bit a thread; after the first step not NULL, unless it failed */
    uint32_t thread_limit;
    uint64_t *cpus; /* a bit a CPU; the same */
    uint32_t cpu_limit;
    uint64_t from, to;
    bool begun;
    bool failed; /* out of memory: bits are missing */
};

void tt_row_owners_free(struct tt_row_owners *owners);

/*
 * Looks at up to `most` more rows of [first, end) that are known in `set`. True when all of these
 * that are known by now were looked at. `first` and `end` may move apart from call to call, not
 * together.
 */
bool tt_row_owners_step(struct tt_row_owners *owners, struct tt_events *events,
                        const struct tt_row_set *set, uint64_t first, uint64_t end, uint64_t most);

bool tt_row_owners_thread(const struct tt_row_owners *owners, uint32_t thread);
bool tt_row_owners_cpu(const struct tt_row_owners *owners, uint32_t cpu);
/* Threads that have an event. */
uint32_t tt_row_owners_threads(const struct tt_row_owners *owners);

#endif
