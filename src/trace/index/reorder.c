/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/index/reorder.h"

#include <stdlib.h>

#include "base/array.h"

/* Actions of a chunk, of which a few are enough for what is held back: more than a block has. */
#define CHUNK_ACTIONS 2048u

struct tt_reorder_chunk {
    struct tt_reorder_chunk *next; /* of the free ones */
    size_t used;
    size_t capacity;
    size_t pieces; /* that lie in it */
    struct tt_action actions[];
};

static struct tt_key key_of(const struct tt_action *timed)
{
    return (struct tt_key){timed->ticks, timed->pos};
}

/* ---- memory ------------------------------------------------------------------------------- */

void tt_reorder_free(struct tt_reorder *hold)
{
    tt_reorder_clear(hold);
    while (hold->free_chunks) {
        struct tt_reorder_chunk *next = hold->free_chunks->next;
        free(hold->free_chunks);
        hold->free_chunks = next;
    }
    free(hold->chunk);
    free(hold->runs);
    free(hold->pieces);
    *hold = (struct tt_reorder){0};
}

static void free_chunk(struct tt_reorder *hold, struct tt_reorder_chunk *chunk)
{
    chunk->used = 0;
    if (chunk != hold->chunk) {
        chunk->next = hold->free_chunks;
        hold->free_chunks = chunk;
    }
}

/* Frees a piece; which one came after it. */
static uint32_t free_piece(struct tt_reorder *hold, uint32_t number)
{
    struct tt_reorder_piece *piece = &hold->pieces[number];
    uint32_t next = piece->next;
    if (--piece->chunk->pieces == 0) {
        free_chunk(hold, piece->chunk);
    }
    piece->next = hold->free_piece;
    hold->free_piece = number + 1;
    return next;
}

void tt_reorder_clear(struct tt_reorder *hold)
{
    for (size_t i = 0; i < hold->run_count; i++) {
        uint32_t last = hold->runs[i].last, at = hold->runs[i].first;
        while (at != last) {
            at = free_piece(hold, at);
        }
        free_piece(hold, last);
    }
    hold->run_count = 0;
    hold->count = 0;
}

/* A piece that is free; UINT32_MAX when out of memory. */
static uint32_t new_piece(struct tt_reorder *hold)
{
    if (hold->free_piece != 0) {
        uint32_t number = hold->free_piece - 1;
        hold->free_piece = hold->pieces[number].next;
        return number;
    }
    struct tt_reorder_piece *pieces =
        tt_array_room_32(hold->pieces, hold->piece_count, &hold->piece_capacity, sizeof *pieces);
    if (!pieces) {
        return UINT32_MAX;
    }
    hold->pieces = pieces;
    return hold->piece_count++;
}

static bool has_room(const struct tt_reorder_chunk *chunk, size_t most)
{
    return chunk && chunk->capacity - chunk->used >= most;
}

/* The chunk at hand is left to its pieces; the next one is one that was used or a new one. */
static bool begin_chunk(struct tt_reorder *hold, size_t most)
{
    struct tt_reorder_chunk *left = hold->chunk, *chunk = hold->free_chunks;
    if (has_room(chunk, most)) {
        hold->free_chunks = chunk->next;
    } else {
        size_t capacity = most > CHUNK_ACTIONS ? most : CHUNK_ACTIONS;
        if (capacity > (SIZE_MAX - sizeof *chunk) / sizeof chunk->actions[0]) {
            return false;
        }
        chunk = malloc(sizeof *chunk + capacity * sizeof chunk->actions[0]);
        if (!chunk) {
            return false;
        }
        chunk->used = chunk->pieces = 0;
        chunk->capacity = capacity;
    }
    hold->chunk = chunk;
    if (left && left->pieces == 0) {
        free_chunk(hold, left);
    }
    return true;
}

struct tt_action *tt_reorder_room(struct tt_reorder *hold, size_t most)
{
    if (!has_room(hold->chunk, most) && !begin_chunk(hold, most)) {
        return NULL;
    }
    return hold->chunk->actions + hold->chunk->used;
}

/* ---- runs --------------------------------------------------------------------------------- */

static void swap_runs(struct tt_reorder_run *a, struct tt_reorder_run *b)
{
    struct tt_reorder_run t = *a;
    *a = *b;
    *b = t;
}

static void sift_up(struct tt_reorder *hold, size_t at)
{
    struct tt_reorder_run *runs = hold->runs;
    for (; at > 0 && tt_key_before(runs[at].head, runs[(at - 1) / 2].head); at = (at - 1) / 2) {
        swap_runs(&runs[at], &runs[(at - 1) / 2]);
    }
}

static void sift_down(struct tt_reorder *hold)
{
    struct tt_reorder_run *runs = hold->runs;
    for (size_t at = 0, least = 0;; at = least) {
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < hold->run_count; child++) {
            least = tt_key_before(runs[child].head, runs[least].head) ? child : least;
        }
        if (least == at) {
            return;
        }
        swap_runs(&runs[at], &runs[least]);
    }
}

/* The run whose end is the latest that is not after `first`; NULL if none is. */
static struct tt_reorder_run *run_before(const struct tt_reorder *hold, struct tt_key first)
{
    struct tt_reorder_run *best = NULL;
    for (size_t i = 0; i < hold->run_count; i++) {
        struct tt_reorder_run *run = &hold->runs[i];
        if (!tt_key_before(first, run->tail) && (!best || tt_key_before(best->tail, run->tail))) {
            best = run;
        }
    }
    return best;
}

static bool has_room_for_run(struct tt_reorder *hold)
{
    struct tt_reorder_run *runs =
        tt_array_room(hold->runs, hold->run_count, &hold->run_capacity, sizeof *runs);
    hold->runs = runs ? runs : hold->runs;
    return runs != NULL;
}

/* The stretch becomes a piece of its own, behind the run or, for NULL, as a new one. */
static bool add_piece(struct tt_reorder *hold, struct tt_reorder_run *run,
                      const struct tt_action *at, const struct tt_action *end)
{
    if (!run && !has_room_for_run(hold)) {
        return false;
    }
    uint32_t number = new_piece(hold);
    if (number == UINT32_MAX) {
        return false;
    }
    hold->pieces[number] = (struct tt_reorder_piece){.at = at, .end = end, .chunk = hold->chunk};
    hold->chunk->pieces++;
    if (run) {
        hold->pieces[run->last].next = number;
        run->last = number;
        run->tail = key_of(end - 1);
    } else {
        hold->runs[hold->run_count] = (struct tt_reorder_run){
            .head = key_of(at), .tail = key_of(end - 1), .first = number, .last = number};
        sift_up(hold, hold->run_count++);
    }
    return true;
}

bool tt_reorder_take(struct tt_reorder *hold, size_t count)
{
    if (count == 0) {
        return true;
    }
    struct tt_reorder_chunk *chunk = hold->chunk;
    const struct tt_action *at = chunk->actions + chunk->used, *end = at + count;
    struct tt_reorder_run *run = run_before(hold, key_of(at));
    if (run && hold->pieces[run->last].end == at) {
        hold->pieces[run->last].end = end;
        run->tail = key_of(end - 1);
    } else if (!add_piece(hold, run, at, end)) {
        return false;
    }
    chunk->used += count;
    hold->count += count;
    return true;
}

/* ---- giving ------------------------------------------------------------------------------- */

/* How many of [at, end) are before `ticks`. */
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

size_t tt_reorder_before(const struct tt_reorder *hold, uint64_t ticks)
{
    size_t count = 0;
    for (size_t i = 0; i < hold->run_count; i++) {
        const struct tt_reorder_run *run = &hold->runs[i];
        for (uint32_t number = run->first;; number = hold->pieces[number].next) {
            const struct tt_reorder_piece *piece = &hold->pieces[number];
            count += count_before(piece->at, piece->end, ticks);
            if (number == run->last) {
                break;
            }
        }
    }
    return count;
}

void tt_reorder_visit(const struct tt_reorder *hold,
                      void (*visit)(void *arg, const struct tt_action *action), void *arg)
{
    for (size_t i = 0; i < hold->run_count; i++) {
        const struct tt_reorder_run *run = &hold->runs[i];
        for (uint32_t number = run->first;; number = hold->pieces[number].next) {
            const struct tt_reorder_piece *piece = &hold->pieces[number];
            for (const struct tt_action *at = piece->at; at < piece->end; at++) {
                visit(arg, at);
            }
            if (number == run->last) {
                break;
            }
        }
    }
}

size_t tt_reorder_next(const struct tt_reorder *hold, size_t most, const struct tt_action **actions)
{
    const struct tt_reorder_run *runs = hold->runs;
    if (hold->run_count == 0) {
        return 0;
    }
    const struct tt_reorder_piece *piece = &hold->pieces[runs[0].first];
    size_t count = (size_t)(piece->end - piece->at);
    count = count < most ? count : most;
    *actions = piece->at;
    if (hold->run_count > 1) {
        bool right = hold->run_count > 2 && tt_key_before(runs[2].head, runs[1].head);
        struct tt_key other = runs[right ? 2 : 1].head;
        for (size_t i = 1; i < count; i++) {
            if (!tt_key_before(key_of(&piece->at[i]), other)) {
                return i;
            }
        }
    }
    return count;
}

void tt_reorder_pass(struct tt_reorder *hold, size_t count)
{
    struct tt_reorder_run *run = &hold->runs[0];
    struct tt_reorder_piece *piece = &hold->pieces[run->first];
    piece->at += count;
    hold->count -= count;
    if (piece->at == piece->end) {
        bool last = run->first == run->last;
        run->first = free_piece(hold, run->first);
        if (last) {
            *run = hold->runs[--hold->run_count];
            sift_down(hold);
            return;
        }
        piece = &hold->pieces[run->first];
    }
    run->head = key_of(piece->at);
    sift_down(hold);
}
