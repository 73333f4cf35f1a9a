/* SPDX-License-Identifier: Apache-2.0 */
/* The reorder buffer. */
#include "trace/index/reorder.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"

/* Capacity of a chunk: more than the actions of a usual block, so a few chunks suffice. */
#define CHUNK_ACTIONS 2048u

struct tt_reorder_chunk {
    struct tt_reorder_chunk *next; /* in the free list */
    size_t used;
    size_t capacity;
    size_t pieces; /* number of pieces in it */
    struct tt_action *actions;
};

static struct tt_key reorder_key_of(const struct tt_action *action)
{
    return (struct tt_key){action->ticks, action->pos};
}

/* ---- memory ------------------------------------------------------------------------------- */

static void delete_chunk(struct tt_reorder_chunk *chunk)
{
    if (chunk) {
        free(chunk->actions);
        free(chunk);
    }
}

static struct tt_reorder_chunk *new_chunk(size_t capacity)
{
    struct tt_reorder_chunk *chunk = malloc(sizeof *chunk);
    struct tt_action *actions =
        capacity > SIZE_MAX / sizeof *actions ? NULL : malloc(capacity * sizeof *actions);
    if (!chunk || !actions) {
        free(chunk);
        free(actions);
        return NULL;
    }
    *chunk = (struct tt_reorder_chunk){.capacity = capacity, .actions = actions};
    return chunk;
}

void tt_reorder_free(struct tt_reorder *reorder)
{
    tt_reorder_clear(reorder);
    while (reorder->free_chunks) {
        struct tt_reorder_chunk *next = reorder->free_chunks->next;
        delete_chunk(reorder->free_chunks);
        reorder->free_chunks = next;
    }
    delete_chunk(reorder->chunk);
    free(reorder->runs);
    free(reorder->pieces);
    *reorder = (struct tt_reorder){0};
}

static void free_chunk(struct tt_reorder *reorder, struct tt_reorder_chunk *chunk)
{
    chunk->used = 0;
    if (chunk != reorder->chunk) {
        chunk->next = reorder->free_chunks;
        reorder->free_chunks = chunk;
    }
}

/* Frees a piece; returns the number of its successor. */
static uint32_t free_piece(struct tt_reorder *reorder, uint32_t number)
{
    struct tt_reorder_piece *piece = &reorder->pieces[number];
    uint32_t next = piece->next;
    if (--piece->chunk->pieces == 0) {
        free_chunk(reorder, piece->chunk);
    }
    piece->next = reorder->free_piece;
    reorder->free_piece = number + 1;
    return next;
}

void tt_reorder_clear(struct tt_reorder *reorder)
{
    for (size_t i = 0; i < reorder->run_count; i++) {
        uint32_t last = reorder->runs[i].last, at = reorder->runs[i].first;
        while (at != last) {
            at = free_piece(reorder, at);
        }
        free_piece(reorder, last);
    }
    reorder->run_count = 0;
    reorder->count = 0;
}

/* Returns the number of an unused piece; UINT32_MAX when out of memory. */
static uint32_t new_piece(struct tt_reorder *reorder)
{
    if (reorder->free_piece != 0) {
        uint32_t number = reorder->free_piece - 1;
        reorder->free_piece = reorder->pieces[number].next;
        return number;
    }
    struct tt_reorder_piece *pieces = tt_array_grow_32(reorder->pieces, reorder->piece_count,
                                                       &reorder->piece_capacity, sizeof *pieces);
    if (!pieces) {
        return UINT32_MAX;
    }
    reorder->pieces = pieces;
    return reorder->piece_count++;
}

static bool reorder_has_room(const struct tt_reorder_chunk *chunk, size_t most)
{
    return chunk && chunk->capacity - chunk->used >= most;
}

/* Replaces the current chunk, which lives on for its pieces, by a free or a new one. */
static bool begin_chunk(struct tt_reorder *reorder, size_t most)
{
    struct tt_reorder_chunk *left = reorder->chunk, *chunk = reorder->free_chunks;
    if (reorder_has_room(chunk, most)) {
        reorder->free_chunks = chunk->next;
    } else {
        chunk = new_chunk(most > CHUNK_ACTIONS ? most : CHUNK_ACTIONS);
        if (!chunk) {
            return false;
        }
    }
    reorder->chunk = chunk;
    if (left && left->pieces == 0) {
        free_chunk(reorder, left);
    }
    return true;
}

struct tt_action *tt_reorder_reserve(struct tt_reorder *reorder, size_t most)
{
    if (!reorder_has_room(reorder->chunk, most) && !begin_chunk(reorder, most)) {
        return NULL;
    }
    return reorder->chunk->actions + reorder->chunk->used;
}

bool tt_reorder_adopt(struct tt_reorder *reorder, struct tt_action **array, size_t capacity,
                      size_t from)
{
    if (!begin_chunk(reorder, capacity)) {
        return false;
    }
    struct tt_action *actions = reorder->chunk->actions;
    reorder->chunk->actions = *array;
    reorder->chunk->capacity = capacity;
    reorder->chunk->used = from;
    *array = actions;
    return true;
}

/* ---- runs --------------------------------------------------------------------------------- */

static bool run_before_run(const void *a, const void *b)
{
    const struct tt_reorder_run *left = a, *right = b;
    return tt_key_before(left->head, right->head);
}

static void sift_down(struct tt_reorder *reorder)
{
    tt_heap_down(reorder->runs, reorder->run_count, sizeof *reorder->runs, 0, run_before_run);
}

/* Returns the run with the latest tail that is not after `first`; NULL if there is none. */
static struct tt_reorder_run *run_before(const struct tt_reorder *reorder, struct tt_key first)
{
    struct tt_reorder_run *best = NULL;
    for (size_t i = 0; i < reorder->run_count; i++) {
        struct tt_reorder_run *run = &reorder->runs[i];
        if (!tt_key_before(first, run->tail) && (!best || tt_key_before(best->tail, run->tail))) {
            best = run;
        }
    }
    return best;
}

static bool has_room_for_run(struct tt_reorder *reorder)
{
    struct tt_reorder_run *runs =
        tt_array_grow(reorder->runs, reorder->run_count, &reorder->run_capacity, sizeof *runs);
    reorder->runs = runs ? runs : reorder->runs;
    return runs != NULL;
}

/* Appends the stretch to the run as a new piece; `run` NULL: starts a run with it. */
static bool add_piece(struct tt_reorder *reorder, struct tt_reorder_run *run,
                      const struct tt_action *at, const struct tt_action *end)
{
    if (!run && !has_room_for_run(reorder)) {
        return false;
    }
    uint32_t number = new_piece(reorder);
    if (number == UINT32_MAX) {
        return false;
    }
    reorder->pieces[number] =
        (struct tt_reorder_piece){.at = at, .end = end, .chunk = reorder->chunk};
    reorder->chunk->pieces++;
    if (run) {
        reorder->pieces[run->last].next = number;
        run->last = number;
        run->tail = reorder_key_of(end - 1);
    } else {
        reorder->runs[reorder->run_count] = (struct tt_reorder_run){.head = reorder_key_of(at),
                                                                    .tail = reorder_key_of(end - 1),
                                                                    .first = number,
                                                                    .last = number};
        tt_heap_up(reorder->runs, sizeof *reorder->runs, reorder->run_count++, run_before_run);
    }
    return true;
}

bool tt_reorder_add(struct tt_reorder *reorder, size_t count)
{
    if (count == 0) {
        return true;
    }
    struct tt_reorder_chunk *chunk = reorder->chunk;
    const struct tt_action *at = chunk->actions + chunk->used, *end = at + count;
    struct tt_reorder_run *run = run_before(reorder, reorder_key_of(at));
    if (run && reorder->pieces[run->last].end == at) {
        reorder->pieces[run->last].end = end;
        run->tail = reorder_key_of(end - 1);
    } else if (!add_piece(reorder, run, at, end)) {
        return false;
    }
    chunk->used += count;
    reorder->count += count;
    return true;
}

/* ---- output ------------------------------------------------------------------------------- */

/* Returns the number of actions of [at, end) before `ticks`. */
static size_t reorder_count_before(const struct tt_action *at, const struct tt_action *end,
                                   uint64_t ticks)
{
    size_t low = 0, high = (size_t)(end - at);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (at[middle].ticks < ticks) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t tt_reorder_before(const struct tt_reorder *reorder, uint64_t ticks)
{
    size_t count = 0;
    for (size_t i = 0; i < reorder->run_count; i++) {
        const struct tt_reorder_run *run = &reorder->runs[i];
        for (uint32_t number = run->first;; number = reorder->pieces[number].next) {
            const struct tt_reorder_piece *piece = &reorder->pieces[number];
            count += reorder_count_before(piece->at, piece->end, ticks);
            if (number == run->last) {
                break;
            }
        }
    }
    return count;
}

size_t tt_reorder_next(const struct tt_reorder *reorder, size_t most,
                       const struct tt_action **actions)
{
    const struct tt_reorder_run *runs = reorder->runs;
    if (reorder->run_count == 0) {
        return 0;
    }
    const struct tt_reorder_piece *piece = &reorder->pieces[runs[0].first];
    size_t count = (size_t)(piece->end - piece->at);
    count = count < most ? count : most;
    *actions = piece->at;
    if (reorder->run_count > 1) {
        bool right = reorder->run_count > 2 && tt_key_before(runs[2].head, runs[1].head);
        struct tt_key other = runs[right ? 2 : 1].head;
        for (size_t i = 1; i < count; i++) {
            if (!tt_key_before(reorder_key_of(&piece->at[i]), other)) {
                return i;
            }
        }
    }
    return count;
}

void tt_reorder_pass(struct tt_reorder *reorder, size_t count)
{
    struct tt_reorder_run *run = &reorder->runs[0];
    struct tt_reorder_piece *piece = &reorder->pieces[run->first];
    piece->at += count;
    reorder->count -= count;
    if (piece->at == piece->end) {
        bool last = run->first == run->last;
        run->first = free_piece(reorder, run->first);
        if (last) {
            *run = reorder->runs[--reorder->run_count];
            sift_down(reorder);
            return;
        }
        piece = &reorder->pieces[run->first];
    }
    run->head = reorder_key_of(piece->at);
    sift_down(reorder);
}
