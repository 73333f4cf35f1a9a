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

static struct tt_key key_of(const struct tt_action *timed)
{
    return (struct tt_key){timed->ticks, timed->pos};
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

void tt_reorder_free(struct tt_reorder *r)
{
    tt_reorder_clear(r);
    while (r->free_chunks) {
        struct tt_reorder_chunk *next = r->free_chunks->next;
        delete_chunk(r->free_chunks);
        r->free_chunks = next;
    }
    delete_chunk(r->chunk);
    free(r->runs);
    free(r->pieces);
    *r = (struct tt_reorder){0};
}

static void free_chunk(struct tt_reorder *r, struct tt_reorder_chunk *chunk)
{
    chunk->used = 0;
    if (chunk != r->chunk) {
        chunk->next = r->free_chunks;
        r->free_chunks = chunk;
    }
}

/* Frees a piece; returns the number of its successor. */
static uint32_t free_piece(struct tt_reorder *r, uint32_t number)
{
    struct tt_reorder_piece *piece = &r->pieces[number];
    uint32_t next = piece->next;
    if (--piece->chunk->pieces == 0) {
        free_chunk(r, piece->chunk);
    }
    piece->next = r->free_piece;
    r->free_piece = number + 1;
    return next;
}

void tt_reorder_clear(struct tt_reorder *r)
{
    for (size_t i = 0; i < r->run_count; i++) {
        uint32_t last = r->runs[i].last, at = r->runs[i].first;
        while (at != last) {
            at = free_piece(r, at);
        }
        free_piece(r, last);
    }
    r->run_count = 0;
    r->count = 0;
}

/* Returns the number of an unused piece; UINT32_MAX when out of memory. */
static uint32_t new_piece(struct tt_reorder *r)
{
    if (r->free_piece != 0) {
        uint32_t number = r->free_piece - 1;
        r->free_piece = r->pieces[number].next;
        return number;
    }
    struct tt_reorder_piece *pieces =
        tt_array_grow_32(r->pieces, r->piece_count, &r->piece_capacity, sizeof *pieces);
    if (!pieces) {
        return UINT32_MAX;
    }
    r->pieces = pieces;
    return r->piece_count++;
}

static bool has_room(const struct tt_reorder_chunk *chunk, size_t most)
{
    return chunk && chunk->capacity - chunk->used >= most;
}

/* Replaces the current chunk, which lives on for its pieces, by a free or a new one. */
static bool begin_chunk(struct tt_reorder *r, size_t most)
{
    struct tt_reorder_chunk *left = r->chunk, *chunk = r->free_chunks;
    if (has_room(chunk, most)) {
        r->free_chunks = chunk->next;
    } else {
        chunk = new_chunk(most > CHUNK_ACTIONS ? most : CHUNK_ACTIONS);
        if (!chunk) {
            return false;
        }
    }
    r->chunk = chunk;
    if (left && left->pieces == 0) {
        free_chunk(r, left);
    }
    return true;
}

struct tt_action *tt_reorder_reserve(struct tt_reorder *r, size_t most)
{
    if (!has_room(r->chunk, most) && !begin_chunk(r, most)) {
        return NULL;
    }
    return r->chunk->actions + r->chunk->used;
}

bool tt_reorder_adopt(struct tt_reorder *r, struct tt_action **array, size_t capacity, size_t from)
{
    if (!begin_chunk(r, capacity)) {
        return false;
    }
    struct tt_action *actions = r->chunk->actions;
    r->chunk->actions = *array;
    r->chunk->capacity = capacity;
    r->chunk->used = from;
    *array = actions;
    return true;
}

/* ---- runs --------------------------------------------------------------------------------- */

static bool run_before_run(const void *a, const void *b)
{
    const struct tt_reorder_run *x = a, *y = b;
    return tt_key_before(x->head, y->head);
}

static void sift_down(struct tt_reorder *r)
{
    tt_heap_down(r->runs, r->run_count, sizeof *r->runs, 0, run_before_run);
}

/* Returns the run with the latest tail that is not after `first`; NULL if there is none. */
static struct tt_reorder_run *run_before(const struct tt_reorder *r, struct tt_key first)
{
    struct tt_reorder_run *best = NULL;
    for (size_t i = 0; i < r->run_count; i++) {
        struct tt_reorder_run *run = &r->runs[i];
        if (!tt_key_before(first, run->tail) && (!best || tt_key_before(best->tail, run->tail))) {
            best = run;
        }
    }
    return best;
}

static bool has_room_for_run(struct tt_reorder *r)
{
    struct tt_reorder_run *runs =
        tt_array_grow(r->runs, r->run_count, &r->run_capacity, sizeof *runs);
    r->runs = runs ? runs : r->runs;
    return runs != NULL;
}

/* Appends the stretch to the run as a new piece; `run` NULL: starts a run with it. */
static bool add_piece(struct tt_reorder *r, struct tt_reorder_run *run, const struct tt_action *at,
                      const struct tt_action *end)
{
    if (!run && !has_room_for_run(r)) {
        return false;
    }
    uint32_t number = new_piece(r);
    if (number == UINT32_MAX) {
        return false;
    }
    r->pieces[number] = (struct tt_reorder_piece){.at = at, .end = end, .chunk = r->chunk};
    r->chunk->pieces++;
    if (run) {
        r->pieces[run->last].next = number;
        run->last = number;
        run->tail = key_of(end - 1);
    } else {
        r->runs[r->run_count] = (struct tt_reorder_run){
            .head = key_of(at), .tail = key_of(end - 1), .first = number, .last = number};
        tt_heap_up(r->runs, sizeof *r->runs, r->run_count++, run_before_run);
    }
    return true;
}

bool tt_reorder_take(struct tt_reorder *r, size_t count)
{
    if (count == 0) {
        return true;
    }
    struct tt_reorder_chunk *chunk = r->chunk;
    const struct tt_action *at = chunk->actions + chunk->used, *end = at + count;
    struct tt_reorder_run *run = run_before(r, key_of(at));
    if (run && r->pieces[run->last].end == at) {
        r->pieces[run->last].end = end;
        run->tail = key_of(end - 1);
    } else if (!add_piece(r, run, at, end)) {
        return false;
    }
    chunk->used += count;
    r->count += count;
    return true;
}

/* ---- output ------------------------------------------------------------------------------- */

/* Returns the number of actions of [at, end) before `ticks`. */
static size_t count_before(const struct tt_action *at, const struct tt_action *end, uint64_t ticks)
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

size_t tt_reorder_before(const struct tt_reorder *r, uint64_t ticks)
{
    size_t count = 0;
    for (size_t i = 0; i < r->run_count; i++) {
        const struct tt_reorder_run *run = &r->runs[i];
        for (uint32_t number = run->first;; number = r->pieces[number].next) {
            const struct tt_reorder_piece *piece = &r->pieces[number];
            count += count_before(piece->at, piece->end, ticks);
            if (number == run->last) {
                break;
            }
        }
    }
    return count;
}

size_t tt_reorder_next(const struct tt_reorder *r, size_t most, const struct tt_action **actions)
{
    const struct tt_reorder_run *runs = r->runs;
    if (r->run_count == 0) {
        return 0;
    }
    const struct tt_reorder_piece *piece = &r->pieces[runs[0].first];
    size_t count = (size_t)(piece->end - piece->at);
    count = count < most ? count : most;
    *actions = piece->at;
    if (r->run_count > 1) {
        bool right = r->run_count > 2 && tt_key_before(runs[2].head, runs[1].head);
        struct tt_key other = runs[right ? 2 : 1].head;
        for (size_t i = 1; i < count; i++) {
            if (!tt_key_before(key_of(&piece->at[i]), other)) {
                return i;
            }
        }
    }
    return count;
}

void tt_reorder_pass(struct tt_reorder *r, size_t count)
{
    struct tt_reorder_run *run = &r->runs[0];
    struct tt_reorder_piece *piece = &r->pieces[run->first];
    piece->at += count;
    r->count -= count;
    if (piece->at == piece->end) {
        bool last = run->first == run->last;
        run->first = free_piece(r, run->first);
        if (last) {
            *run = r->runs[--r->run_count];
            sift_down(r);
            return;
        }
        piece = &r->pieces[run->first];
    }
    run->head = key_of(piece->at);
    sift_down(r);
}
