/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the blocks by time: at least that of their runs and ranges. */
#include <criterion/criterion.h>

#include "trace/index/runs.h"

Test(runs, memory_is_that_of_all_runs)
{
    struct tt_runs order = {0};
    cr_expect_eq(tt_runs_memory(&order), 0);
    /* Each block is before all previous ones: a run of its own. */
    for (uint32_t i = 0; i < 20; i++) {
        struct tt_block_range range = {
            .first = {1000 - 10 * i, i}, .last = {1005 - 10 * i, i}, .block = i, .rows = 1};
        cr_assert(tt_runs_put(&order, &range));
    }
    cr_assert_eq(order.run_count, 20);
    uint64_t ranges = 0;
    for (size_t i = 0; i < order.run_count; i++) {
        ranges += order.runs[i].capacity * sizeof *order.runs[i].ranges;
    }
    cr_expect_geq(ranges, 20 * sizeof(struct tt_block_range));
    cr_expect_geq(tt_runs_memory(&order), ranges + 20 * sizeof(struct tt_run));
    cr_expect_leq(tt_runs_memory(&order), ranges + 200 * sizeof(struct tt_run));
    tt_runs_free(&order);
    cr_expect_eq(tt_runs_memory(&order), 0);
}
