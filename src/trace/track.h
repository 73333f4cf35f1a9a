/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track: an append-only list of (time, value) items with running sums, for timelines.
 *
 *      directory  -> | chunk 0 | chunk 1 | chunk 2 | ...
 *                      4 items   16        64        64
 *      chunk         base time | sums before it | time - base (32 bits) x n | value (32 bits) x n
 *                    and in a wide track: | more (32 bits) x n
 *
 * An item holds from its time to the next item's. Items are in order of time; several may have the
 * same time (the last of them holds). A chunk ends early when a time does not fit 32 bits behind
 * its base. What the sums mean, the owner knows: it gives them when a chunk begins, so that a sum
 * up to any time is a binary search and at most 64 steps. 8 bytes an item, and the sums once in 64.
 *
 * One writer; readers on other threads see items up to the published count and never a moved one.
 */
#ifndef TT_TRACE_TRACK_H
#define TT_TRACE_TRACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_TRACK_CHUNK    64u
#define TT_TRACK_SUMS_MAX 32u

struct tt_track_chunk {
    uint64_t base;
    uint64_t first; /* items of the track before this chunk */
    const uint64_t *sums;
    uint32_t *delta; /* then as many values, and `more` of a wide track */
    uint32_t capacity;
    _Atomic uint32_t count;
};

/* The times stand beside the places: looking for one touches few lines of memory. */
struct tt_track_entry {
    struct tt_track_chunk *chunk;
    uint64_t base; /* the chunk's */
};

struct tt_track_directory {
    struct tt_track_directory *older; /* what it grew out of; readers may still hold it */
    size_t capacity;
    struct tt_track_entry entries[];
};

/*
 * The writer's own view of the last chunk: appending follows no pointer but to where it writes. A
 * capture has thousands of tracks, and each look at a chunk may be a wait for memory.
 */
struct tt_track_tail {
    struct tt_track_chunk *chunk; /* NULL: no item yet */
    uint32_t *delta;              /* its arrays: delta, value, more */
    uint64_t base;
    uint32_t value; /* of the last item */
    uint8_t count;
    uint8_t capacity;
};

struct tt_track {
    _Atomic(struct tt_track_directory *) directory;
    _Atomic uint32_t chunk_count;
    uint8_t sum_count; /* at most TT_TRACK_SUMS_MAX */
    bool wide;
    struct tt_track_tail tail;
};

/* A place in a track. */
struct tt_track_place {
    uint32_t chunk;
    uint32_t slot;
};

struct tt_track_item {
    uint64_t time;
    uint32_t value;
};

void tt_track_init(struct tt_track *track, uint32_t sum_count);
/* With a second value an item, which may be set again while the item is the last. */
void tt_track_init_wide(struct tt_track *track, uint32_t sum_count);
void tt_track_free(struct tt_track *track);

/*
 * Appends an item; its time is not before the last one's. `sums` are the owner's, as they stand
 * at `time`, copied when a chunk begins. False when out of memory.
 */
bool tt_track_append(struct tt_track *track, uint64_t time, uint32_t value, const uint64_t *sums);

/* The same of a wide track. */
bool tt_track_append_wide(struct tt_track *track, uint64_t time, uint32_t value, uint32_t more,
                          const uint64_t *sums);
/* Sets the second value of the last item, with release. */
void tt_track_set_more(struct tt_track *track, uint32_t more);

/* Will an item at `time` begin a chunk, and so take the sums? For the writer only. */
static inline bool tt_track_needs_sums(const struct tt_track *track, uint64_t time)
{
    const struct tt_track_tail *tail = &track->tail;
    return !tail->chunk || tail->count == tail->capacity || time - tail->base > UINT32_MAX;
}

/* The last item, for the writer only; false when empty. */
static inline bool tt_track_tail_place(const struct tt_track *track, struct tt_track_place *place)
{
    const struct tt_track_tail *tail = &track->tail;
    if (!tail->chunk) {
        return false;
    }
    place->chunk = atomic_load_explicit(&track->chunk_count, memory_order_relaxed) - 1;
    place->slot = tail->count - 1;
    return true;
}

uint64_t tt_track_count(const struct tt_track *track);
static inline bool tt_track_is_empty(const struct tt_track *track)
{
    return atomic_load_explicit(&track->chunk_count, memory_order_acquire) == 0;
}

/* The last item at or before `time`; false if there is none. O(log items). */
bool tt_track_find(const struct tt_track *track, uint64_t time, struct tt_track_place *place);
/* The first and the last item. False when empty. */
bool tt_track_first(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_last(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_next(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_previous(const struct tt_track *track, struct tt_track_place *place);

struct tt_track_item tt_track_item(const struct tt_track *track, struct tt_track_place place);
/* The second value of an item of a wide track, with acquire. */
uint32_t tt_track_more(const struct tt_track *track, struct tt_track_place place);
/* Copies items from `place` on, at most `max`; returns how many. */
uint32_t tt_track_read(const struct tt_track *track, struct tt_track_place place, uint32_t max,
                       struct tt_track_item *items);
/* The sums as they stood at the time of the first item of the place's chunk. */
const uint64_t *tt_track_sums(const struct tt_track *track, struct tt_track_place place);
/* How many-th item it is. */
uint64_t tt_track_index(const struct tt_track *track, struct tt_track_place place);

uint64_t tt_track_memory(const struct tt_track *track);

#endif
