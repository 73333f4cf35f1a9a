/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pools: rows whose names differ only in a number, as the threads worker1, worker2 and worker3 of a process,
 * or its unnamed threads. The worker that takes a request is arbitrary, and often the same for a whole run:
 * a difference between worker1 of two runs is no change of the program. One thread.
 */
#ifndef TRACETUI_COMPARE_POOLS_H
#define TRACETUI_COMPARE_POOLS_H

#include "compare/baseline.h"

#define TT_NO_POOL UINT32_MAX

/* The rows of the pools of one side: those of pool p are members[first[p]] to members[first[p + 1] - 1]. */
struct tt_pool_side {
    uint32_t *pool; /* by row: its pool, or TT_NO_POOL */
    uint32_t *first;
    uint32_t *members;
};

struct tt_pools {
    struct tt_pool_side sides[2];
    bool *unnamed; /* by pool: its members have no names */
    uint32_t count;
};

/* Finds the pools of two baselines. Returns false if out of memory. Free with tt_pools_free. */
bool tt_pools_make(struct tt_pools *pools, const struct tt_baseline *left,
                   const struct tt_baseline *right);
void tt_pools_free(struct tt_pools *pools);

/*
 * Sets the value of a pool in each block: the sum of its members' sums, the mean of their other values;
 * TT_BASELINE_NONE without one.
 */
void tt_pools_sum(const struct tt_pool_side *side, const struct tt_baseline *baseline,
                  uint32_t pool, uint32_t measure, uint64_t *blocks);

#endif
