/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reorder: a reorder buffer; buffers actions and returns them in time order.
 *
 * The input consists of ascending stretches: usually a whole block is one, and where the streams of
 * a file interleave it has a few. Each stretch is appended to the run that it fits best, or starts
 * a run; the output is a k-way merge of the runs, a stretch at a time:
 *
 *      run 0   [. . . . . .][. . .][. . . .]        a run is a list of pieces
 *      run 1       [. . .][. . . . . .]
 *               ^   ^ heads, in a heap
 *
 * An action stays where it was written until it has passed: nothing is copied or sorted, and with
 * one run nothing is compared. Whole arrays of actions are exchanged for others (tt_reorder_adopt).
 *
 * The pieces are in chunks of memory, which are reused once all their pieces have passed. The
 * buffer owns its memory. One thread.
 */
#ifndef TRACETUI_TRACE_INDEX_REORDER_H
#define TRACETUI_TRACE_INDEX_REORDER_H

#include "trace/index/runs.h"
#include "trace/timeline/timeline.h"

struct tt_reorder_chunk;

/* Contiguous part of a run, within one chunk. */
struct tt_reorder_piece {
    const struct tt_action *at;
    const struct tt_action *end;
    struct tt_reorder_chunk *chunk;
    uint32_t next; /* next piece of the run, or of the free list */
};

struct tt_reorder_run {
    struct tt_key head; /* key of its first action */
    struct tt_key tail; /* key of its last action */
    uint32_t first;     /* numbers of its first and last piece */
    uint32_t last;
};

struct tt_reorder {
    size_t count;                /* buffered actions */
    struct tt_reorder_run *runs; /* a heap by `head` */
    size_t run_count;
    size_t run_capacity;
    struct tt_reorder_piece *pieces;
    uint32_t piece_count;
    uint32_t piece_capacity;
    uint32_t free_piece;            /* number + 1 of the first free piece; 0: none */
    struct tt_reorder_chunk *chunk; /* the current one, with the room */
    struct tt_reorder_chunk *free_chunks;
};

void tt_reorder_free(struct tt_reorder *reorder);
/* Discards all actions; keeps the memory. */
void tt_reorder_clear(struct tt_reorder *reorder);

/*
 * Returns room for `most` actions, valid until the next call of another function; NULL when out of
 * memory.
 */
struct tt_action *tt_reorder_reserve(struct tt_reorder *reorder, size_t most);
/*
 * Takes over an array of `capacity` actions, those from `from` on being the room, and replaces it by
 * another one, with undefined contents: a decoder's array is not copied. Returns false when out of memory,
 * the array then being unchanged.
 */
bool tt_reorder_adopt(struct tt_reorder *reorder, struct tt_action **array, size_t capacity,
                      size_t from);
/*
 * Adds the next `count` actions of the room, which ascend; several calls may add the actions of one
 * room. Returns false when out of memory. O(runs).
 */
bool tt_reorder_add(struct tt_reorder *reorder, size_t count);

/* Returns the number of actions before `ticks`. */
size_t tt_reorder_before(const struct tt_reorder *reorder, uint64_t ticks);

/* Sets *key to that of the earliest action; returns false if the buffer is empty. */
static inline bool tt_reorder_first(const struct tt_reorder *reorder, struct tt_key *key)
{
    if (reorder->run_count == 0) {
        return false;
    }
    *key = reorder->runs[0].head;
    return true;
}

/*
 * Returns the next actions in time order that are contiguous in memory: 1 to `most` of them, or 0
 * if the buffer is empty.
 */
size_t tt_reorder_next(const struct tt_reorder *reorder, size_t most,
                       const struct tt_action **actions);
/* Removes the first `count` of the actions that tt_reorder_next returned. */
void tt_reorder_pass(struct tt_reorder *reorder, size_t count);

#endif
