/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runs: the blocks of an index arranged by time, without their events.
 *
 * A key is (ticks, pos). A run is an ascending list of blocks whose key ranges do not overlap. A
 * block is appended to the run with the largest last key below the block's first key, or starts a
 * run. Most captures have one run; one with a ring per CPU has about one run per CPU. Each block
 * stores the number of rows before it in its run:
 *
 *      run    block   7      9      12     13
 *             rows    0    1024   2048   2950
 *
 * so the number of events before a key is found by a binary search in each run; it is exact once
 * the blocks whose range contains the key are decoded.
 *
 * A file with more than TT_RUNS_MAX runs is `chaotic`: its rows are in record order until the owner
 * of the index sorts all events.
 *
 * The caller locks: one thread at a time.
 */
#ifndef TRACETUI_TRACE_INDEX_RUNS_H
#define TRACETUI_TRACE_INDEX_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_RUNS_MAX 256

struct tt_key {
    uint64_t ticks;
    uint64_t pos;
};

static inline bool tt_key_before(struct tt_key a, struct tt_key b)
{
    return a.ticks != b.ticks ? a.ticks < b.ticks : a.pos < b.pos;
}

struct tt_block_range {
    struct tt_key first;
    struct tt_key last;
    uint64_t rows_before; /* rows of this run before this block */
    uint32_t block;
    uint32_t rows;
    uint64_t sum; /* of the block's events (tt_event_sum) where the file may change, else 0 */
};

struct tt_run {
    struct tt_block_range *ranges;
    size_t count;
    size_t capacity; /* 0 with `ranges` set: borrowed, and nothing is added */
};

struct tt_runs {
    struct tt_run *runs;
    size_t run_count;
    size_t run_capacity;
    uint64_t rows;
    uint64_t changes; /* incremented whenever existing rows may have moved */
    bool chaotic;
};

/* Adds a block; its rows_before is ignored. Returns false when out of memory. */
bool tt_runs_put(struct tt_runs *order, const struct tt_block_range *range);
/* Replaces the range of a block that has grown. Returns false when out of memory. */
bool tt_runs_extend(struct tt_runs *order, const struct tt_block_range *range);
/* Rearranges all blocks into the fewest runs possible. Returns false when out of memory. */
bool tt_runs_compact(struct tt_runs *order);
void tt_runs_free(struct tt_runs *order);
uint64_t tt_runs_memory(const struct tt_runs *order);

/* Returns the number of rows in the first `count` blocks of a run. */
static inline uint64_t tt_run_rows(const struct tt_run *run, size_t count)
{
    return count > 0 ? run->ranges[count - 1].rows_before + run->ranges[count - 1].rows : 0;
}
/* Returns the first block of a run that ends at or after `key`; run->count if there is none. */
size_t tt_run_find(const struct tt_run *run, struct tt_key key);

/*
 * Sets bounds for row `row` (< rows; not chaotic): all events before `from` have lower rows, and
 * the key of the row's event is in [from, to].
 */
void tt_runs_bounds(const struct tt_runs *order, uint64_t row, struct tt_key *from,
                    struct tt_key *to);

#endif
