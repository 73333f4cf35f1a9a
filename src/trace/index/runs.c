/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of an index: placing blocks, finding rows. */
#include "trace/index/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool run_append(struct tt_run *run, struct tt_block_range range)
{
    struct tt_block_range *ranges =
        tt_array_grow(run->ranges, run->count, &run->capacity, sizeof *ranges);
    if (!ranges) {
        return false;
    }
    run->ranges = ranges;
    range.rows_before = tt_run_rows(run, run->count);
    run->ranges[run->count++] = range;
    return true;
}

/* Returns the run with the largest last key below `first`, or NULL. */
static struct tt_run *best_run(struct tt_runs *order, struct tt_key first)
{
    struct tt_run *best = NULL;
    for (size_t i = 0; i < order->run_count; i++) {
        struct tt_run *run = &order->runs[i];
        struct tt_key last = run->ranges[run->count - 1].last;
        if (tt_key_before(last, first) &&
            (!best || tt_key_before(best->ranges[best->count - 1].last, last))) {
            best = run;
        }
    }
    return best;
}

static struct tt_run *new_run(struct tt_runs *order)
{
    struct tt_run *runs =
        tt_array_grow(order->runs, order->run_count, &order->run_capacity, sizeof *runs);
    if (!runs) {
        return NULL;
    }
    order->runs = runs;
    struct tt_run *run = &order->runs[order->run_count];
    memset(run, 0, sizeof *run);
    return run;
}

static int compare_block(const void *a, const void *b)
{
    const struct tt_block_range *left = a, *right = b;
    return (left->block > right->block) - (left->block < right->block);
}

static int compare_first(const void *a, const void *b)
{
    const struct tt_block_range *left = a, *right = b;
    if (tt_key_before(left->first, right->first)) {
        return -1;
    }
    return tt_key_before(right->first, left->first) ? 1 : 0;
}

/* Returns all ranges of all runs, sorted by `compare`; NULL when out of memory. */
static struct tt_block_range *all_ranges(const struct tt_runs *order, size_t *count,
                                         int (*compare)(const void *, const void *))
{
    *count = 0;
    for (size_t i = 0; i < order->run_count; i++) {
        *count += order->runs[i].count;
    }
    struct tt_block_range *all = malloc((*count + 1) * sizeof *all);
    size_t at = 0;
    for (size_t i = 0; all && i < order->run_count; i++) {
        memcpy(all + at, order->runs[i].ranges, order->runs[i].count * sizeof *all);
        at += order->runs[i].count;
    }
    if (all) {
        qsort(all, *count, sizeof *all, compare);
    }
    return all;
}

/* Replaces the runs by one list in record order. */
static bool become_chaotic(struct tt_runs *order)
{
    size_t count;
    struct tt_block_range *all = all_ranges(order, &count, compare_block);
    if (!all) {
        return false;
    }
    struct tt_runs flat = {.rows = order->rows, .changes = order->changes + 1, .chaotic = true};
    struct tt_run *run = new_run(&flat);
    bool ok = run != NULL;
    flat.run_count = ok;
    for (size_t i = 0; ok && i < count; i++) {
        ok = run_append(run, all[i]);
    }
    free(all);
    if (!ok) {
        tt_runs_free(&flat);
        return false;
    }
    tt_runs_free(order);
    *order = flat;
    return true;
}

static bool place_range(struct tt_runs *order, struct tt_block_range range)
{
    struct tt_run *run = order->chaotic ? &order->runs[0] : best_run(order, range.first);
    if (!run && order->run_count >= TT_RUNS_MAX) {
        if (!become_chaotic(order)) {
            return false;
        }
        run = &order->runs[0];
    }
    bool fresh = !run;
    if (fresh) {
        run = new_run(order);
    }
    if (!run || !run_append(run, range)) {
        return false;
    }
    order->run_count += fresh;
    order->rows += range.rows;
    order->changes += order->run_count > 1;
    return true;
}

bool tt_runs_put(struct tt_runs *order, const struct tt_block_range *range)
{
    return place_range(order, *range);
}

/* Finds a block, which is nearly always the last of its run. */
static bool runs_find_block(const struct tt_runs *order, uint32_t block, size_t *number, size_t *at)
{
    for (size_t r = 0; r < order->run_count; r++) {
        if (order->runs[r].ranges[order->runs[r].count - 1].block == block) {
            *number = r;
            *at = order->runs[r].count - 1;
            return true;
        }
    }
    for (size_t r = 0; r < order->run_count; r++) {
        for (size_t i = order->runs[r].count; i-- > 0;) {
            if (order->runs[r].ranges[i].block == block) {
                *number = r;
                *at = i;
                return true;
            }
        }
    }
    return false;
}

bool tt_runs_extend(struct tt_runs *order, const struct tt_block_range *range)
{
    size_t number, at;
    if (!runs_find_block(order, range->block, &number, &at)) {
        return tt_runs_put(order, range);
    }
    struct tt_run *run = &order->runs[number];
    struct tt_block_range *had = &run->ranges[at];
    bool same_place = at + 1 == run->count && !tt_key_before(range->first, had->first);
    if (same_place) {
        order->rows += range->rows - had->rows;
        uint64_t before = had->rows_before;
        *had = *range;
        had->rows_before = before;
        order->changes += order->run_count > 1;
        return true;
    }

    /* Removes range `at` from its run, and the run from the list if it is empty then. */

    uint32_t rows = run->ranges[at].rows;
    memmove(&run->ranges[at], &run->ranges[at + 1], (run->count - at - 1) * sizeof *run->ranges);
    run->count--;
    for (size_t i = at; i < run->count; i++) {
        run->ranges[i].rows_before -= rows;
    }
    order->rows -= rows;
    if (run->count == 0) {
        free(run->ranges);
        order->runs[number] = order->runs[--order->run_count];
    }

    order->changes++;
    return tt_runs_put(order, range);
}

bool tt_runs_compact(struct tt_runs *order)
{
    if (order->run_count <= 1 && !order->chaotic) {
        return true;
    }
    size_t count;
    struct tt_block_range *all = all_ranges(order, &count, compare_first);
    if (!all) {
        return false;
    }
    /*
     * In the order of first keys a block starts a run only if it overlaps the last block of every
     * run: the number of runs is the largest number of blocks over one key, which is minimal.
     */
    struct tt_runs tidy = {.changes = order->changes + 1};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = place_range(&tidy, all[i]);
    }
    free(all);
    if (!ok) {
        tt_runs_free(&tidy);
        return false;
    }
    tt_runs_free(order);
    *order = tidy;
    return true;
}

void tt_runs_free(struct tt_runs *order)
{
    for (size_t i = 0; i < order->run_count; i++) {
        if (order->runs[i].capacity > 0) {
            free(order->runs[i].ranges);
        }
    }
    free(order->runs);
    memset(order, 0, sizeof *order);
}

uint64_t tt_runs_memory(const struct tt_runs *order)
{
    uint64_t bytes = order->run_capacity * sizeof *order->runs;
    for (size_t i = 0; i < order->run_count; i++) {
        bytes += order->runs[i].capacity * sizeof *order->runs[i].ranges;
    }
    return bytes;
}

size_t tt_run_find(const struct tt_run *run, struct tt_key key)
{
    size_t low = 0, high = run->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tt_key_before(run->ranges[middle].last, key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Returns the rows of the blocks that end before `key`: a lower bound for the rows before it. */
static uint64_t min_rows_before(const struct tt_runs *order, struct tt_key key)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < order->run_count; i++) {
        const struct tt_run *run = &order->runs[i];
        rows += tt_run_rows(run, tt_run_find(run, key));
    }
    return rows;
}

/* Returns the rows of the blocks that begin before `key`: an upper bound for the rows before it. */
static uint64_t max_rows_before(const struct tt_runs *order, struct tt_key key)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < order->run_count; i++) {
        const struct tt_run *run = &order->runs[i];
        size_t at = tt_run_find(run, key);
        if (at < run->count && tt_key_before(run->ranges[at].first, key)) {
            at++;
        }
        rows += tt_run_rows(run, at);
    }
    return rows;
}

/* Finds the largest 64-bit number for which `test` holds: it holds for 0, and is monotonic. */
#define LARGEST(result, candidate, test)                                                           \
    do {                                                                                           \
        (result) = 0;                                                                              \
        for (int bit = 63; bit >= 0; bit--) {                                                      \
            uint64_t candidate = (result) | (UINT64_C(1) << bit);                                  \
            if (test) {                                                                            \
                (result) = candidate;                                                              \
            }                                                                                      \
        }                                                                                          \
    } while (0)

void tt_runs_bounds(const struct tt_runs *order, uint64_t row, struct tt_key *from,
                    struct tt_key *to)
{
    /* `from`: the largest key with at most `row` events before it by the upper bound. */
    LARGEST(from->ticks, t, max_rows_before(order, (struct tt_key){t, 0}) <= row);
    LARGEST(from->pos, p, max_rows_before(order, (struct tt_key){from->ticks, p}) <= row);
    /* `to`: the largest key with at most `row` events before it by the lower bound. */
    LARGEST(to->ticks, t, min_rows_before(order, (struct tt_key){t, 0}) <= row);
    LARGEST(to->pos, p, min_rows_before(order, (struct tt_key){to->ticks, p}) <= row);
}
