/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hold: actions that are held back and given in the order of time.
 *
 * What comes is in ascending stretches: mostly a whole block is one, and where the streams of a
 * file take turns it is a few. Each stretch goes behind the run that it fits best, or begins one;
 * what is given is merged from the heads of the runs, a stretch at a time:
 *
 *      run 0   [. . . . . .][. . .][. . . .]        pieces of stretches, one behind the other
 *      run 1       [. . .][. . . . . .]
 *               ^   ^ heads, in a heap
 *
 * So an action stands where it was put until it is given: nothing is copied, nothing is sorted, and
 * where there is one run nothing is compared.
 *
 * The pieces lie in chunks of memory, which are used again when all of theirs was given. Owns all
 * of it. One thread.
 */
#ifndef TRACETUI_TRACE_INDEX_REORDER_H
#define TRACETUI_TRACE_INDEX_REORDER_H

#include "trace/index/runs.h"
#include "trace/timeline/timeline.h"

struct tt_reorder_chunk;

/* Part of a run that lies in one piece in a chunk. */
struct tt_reorder_piece {
    const struct tt_action *at;
    const struct tt_action *end;
    struct tt_reorder_chunk *chunk;
    uint32_t next; /* piece of the run, or of the free ones */
};

struct tt_reorder_run {
    struct tt_key head; /* of its first action */
    struct tt_key tail; /* of its last one */
    uint32_t first;     /* pieces */
    uint32_t last;
};

struct tt_reorder {
    size_t count;                /* actions */
    struct tt_reorder_run *runs; /* a heap by `head` */
    size_t run_count;
    size_t run_capacity;
    struct tt_reorder_piece *pieces;
    uint32_t piece_count;
    uint32_t piece_capacity;
    uint32_t free_piece; /* + 1; 0: none */
    struct tt_reorder_chunk *chunk;
    struct tt_reorder_chunk *free_chunks;
};

void tt_reorder_free(struct tt_reorder *hold);
/* Forgets all actions. */
void tt_reorder_clear(struct tt_reorder *hold);

/* Room for `most` actions, until the next call of another function; NULL when out of memory. */
struct tt_action *tt_reorder_room(struct tt_reorder *hold, size_t most);
/*
 * Takes the first `count` actions of the room that were not yet taken: they ascend. False when out
 * of memory. O(runs).
 */
bool tt_reorder_take(struct tt_reorder *hold, size_t count);

/* How many actions are before `ticks`. */
size_t tt_reorder_before(const struct tt_reorder *hold, uint64_t ticks);

/* Calls `visit` for all actions, in ascending stretches. */
void tt_reorder_visit(const struct tt_reorder *hold,
                      void (*visit)(void *arg, const struct tt_action *action), void *arg);

/* The key of the first action; false when there is none. */
static inline bool tt_reorder_first(const struct tt_reorder *hold, struct tt_key *key)
{
    if (hold->run_count == 0) {
        return false;
    }
    *key = hold->runs[0].head;
    return true;
}

/* The next actions in the order of time, that lie in one piece: 1 to `most`; 0 when none is held.
 */
size_t tt_reorder_next(const struct tt_reorder *hold, size_t most,
                       const struct tt_action **actions);
/* The first `count` of them, which tt_reorder_next has given, are done with. */
void tt_reorder_pass(struct tt_reorder *hold, size_t count);

#endif
