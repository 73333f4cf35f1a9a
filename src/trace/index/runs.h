/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order: the blocks of an index arranged by time, without their events.
 *
 * A key is (ticks, pos). A run is a list of blocks whose key ranges do not overlap, ascending; a
 * block goes to the run whose last key is the greatest one below the block's first, or begins a
 * new run. Most captures have one run; one that is written by a ring for each CPU has about as
 * many as CPUs. For each block of a run the rows of the run before it are kept:
 *
 *      run    block   7      9      12     13
 *             rows    0    1024   2048   2950
 *
 * so that how many events lie before a key is a binary search in each run, and exact once the
 * blocks whose range holds the key are decoded.
 *
 * More than TT_RUNS_MAX runs mean a file without any order; it is then `chaotic`, and rows go by
 * the order of the file until whoever owns the index sorts its events as a whole.
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
    size_t capacity; /* 0 with ranges: they are another's, and nothing is added */
};

struct tt_runs {
    struct tt_run *runs;
    size_t run_count;
    size_t run_capacity;
    uint64_t rows;
    uint64_t changes; /* grows whenever rows that were there may have moved */
    bool chaotic;
};

/* Adds a block, whose rows_before counts for nothing; false when out of memory. */
bool tt_runs_put(struct tt_runs *order, const struct tt_block_range *range);
/* The block of this number, which is there, has grown. False when out of memory. */
bool tt_runs_extend(struct tt_runs *order, const struct tt_block_range *range);
/* Arranges all blocks again in as few runs as there can be. False when out of memory. */
bool tt_runs_tidy(struct tt_runs *order);
void tt_runs_free(struct tt_runs *order);
uint64_t tt_runs_memory(const struct tt_runs *order);

/* Rows of the first `count` blocks of a run. */
static inline uint64_t tt_run_rows(const struct tt_run *run, size_t count)
{
    return count > 0 ? run->ranges[count - 1].rows_before + run->ranges[count - 1].rows : 0;
}
/* The first block of a run that ends at or after `key`; count if there is none. */
size_t tt_run_find(const struct tt_run *run, struct tt_key key);

/*
 * Bounds for row `row` (< rows, not chaotic): all events before `from` have lower rows, and the
 * row's own event lies in [from, to].
 */
void tt_runs_bounds(const struct tt_runs *order, uint64_t row, struct tt_key *from,
                    struct tt_key *to);

#endif
