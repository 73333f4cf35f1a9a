/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track: an append-only list of (time, value) items with running sums, for timelines.
 *
 *      | chunk 0 | chunk 1 | chunk 2 | ... | chunk n - 1 |        tail        |
 *        4 items   16        64              64            up to 64, as they are
 *        \------------- packed, never changed ---------/
 *
 * An item is valid from its time to the next item's. Items are in time order; of several items with
 * the same time the last one is valid. The owner defines the sums and passes them when a chunk
 * begins, so that a sum up to any time takes a binary search and at most 64 steps.
 *
 * Items are added to the tail, which has a word for each time and value. When it is full, or a time
 * is more than 32 bits after its first one, it is packed:
 *
 *      chunk  | time - base x n | value x n | more x n | distinct values |        sums           |
 *                  bits of the chunk's largest one        bits of largest   4-bit length, bytes
 *
 * A value is an index into the distinct values where that is shorter, else the value itself. The
 * distinct values are distances from an origin, which is 0 or a negative power of two. `more` is
 * present in a wide track. The position of each item follows from the chunk's entry in the
 * directory, so reading an item takes no walk. In captures of a mixed system an item takes about 6
 * bytes in total.
 *
 * A directory block has the distance from itself to each chunk. The only block of a track of an index
 * cache has the track's store instead, which unpacks a chunk when it is first read:
 *
 *      newest -> | older | first | entry | entry | ... x 8 |
 *                    \-> | older | first | entry ... x 4 |
 *                            \-> | NULL or store | 0 | entry ... x 2 |
 *
 * One writer; readers on other threads see complete items up to the published count. Chunks and the
 * directory never move. The tail is reused once it is packed: after reading it, a reader checks
 * that it still belongs to the same chunk (`state`), and else reads the packed chunk. So each word
 * of the tail is written with release and read with acquire, which is free on most machines.
 *
 * All memory is in an arena that the caller owns and frees; a track itself needs no freeing.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_H
#define TRACETUI_TRACE_TRACK_TRACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define TT_TRACK_CHUNK    64u
#define TT_TRACK_SUMS_MAX 32u

/* Position and layout of a packed chunk. */
struct tt_track_entry {
    uint64_t base;  /* time of its first item */
    uint64_t where; /* | bytes from the block to the chunk: 48, signed | items before it, high
                       bits: 8 | items: 8 | */
    uint32_t first; /* items before it, low bits */
    uint8_t delta_bits;
    uint8_t value_bits;
    uint8_t distinct; /* number of distinct values; 0: values are stored directly */
    uint8_t more_bits;
};

struct tt_stored_track;

struct tt_track_directory {
    union {
        const struct tt_track_directory *older; /* if `first` > 0: with the entries before it */
        struct tt_stored_track *stored; /* else: unpacks the chunks (track_store.h), or NULL */
    };
    uint64_t first;
    struct tt_track_entry entries[];
};

struct tt_track {
    _Atomic(const struct tt_track_directory *) directory;
    /* | time - base x capacity | value x capacity | more x capacity if wide | sums, 64 bits each |
     * without sums for chunk 0, where they are all 0. */
    _Atomic(_Atomic uint32_t *) tail;
    _Atomic uint64_t base;  /* of the tail */
    _Atomic uint64_t state; /* | packed chunks: 56 | items in the tail: 8 | */
    /* Used by the writer only, from here on, except as noted. */
    uint32_t value; /* of the last item */
    uint8_t capacity;
    uint8_t sum_count; /* at most TT_TRACK_SUMS_MAX; also for readers, as `wide` */
    bool wide;
};

/* Chunks grow from 4 items to 64: with many threads, most lanes have few items. */
static inline uint32_t tt_track_capacity(uint64_t chunk)
{
    return chunk == 0 ? 4 : chunk == 1 ? 16 : TT_TRACK_CHUNK;
}

/* Position of an item in a track. */
struct tt_track_place {
    uint32_t chunk;
    uint32_t slot;
};

struct tt_track_item {
    uint64_t time;
    uint32_t value;
};

void tt_track_init(struct tt_track *track, uint32_t sum_count);
/* Initializes a track with a second value per item, which may change while the item is the last. */
void tt_track_init_wide(struct tt_track *track, uint32_t sum_count);

/* Returns whether an item at `time` begins a chunk, which needs the sums. Writer only. */
static inline bool tt_track_needs_sums(const struct tt_track *track, uint64_t time)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    return (uint8_t)state == track->capacity ||
           time - atomic_load_explicit(&track->base, memory_order_relaxed) > UINT32_MAX;
}

/*
 * Makes room for an item at `time` that begins a chunk with the sums `sums`. Returns false if out
 * of memory.
 */
bool tt_track_begin_chunk(struct tt_track *track, struct tt_arena *arena, uint64_t time,
                          const uint64_t *sums);

/* Adds an item to the tail, which has room for it; `more` is stored in a wide track. */
static inline void tt_track_put(struct tt_track *track, uint64_t time, uint32_t value, bool wide,
                                uint32_t more)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    uint64_t base = atomic_load_explicit(&track->base, memory_order_relaxed);
    _Atomic uint32_t *words = atomic_load_explicit(&track->tail, memory_order_relaxed);
    uint32_t slot = (uint8_t)state, capacity = track->capacity;
    atomic_store_explicit(&words[slot], (uint32_t)(time - base), memory_order_release);
    atomic_store_explicit(&words[capacity + slot], value, memory_order_release);
    if (wide) {
        atomic_store_explicit(&words[2 * capacity + slot], more, memory_order_release);
    }
    track->value = value;
    atomic_store_explicit(&track->state, state + 1, memory_order_release);
}

/*
 * Adds an item unless it begins a chunk, which returns false. It reads the track's state once, where
 * tt_track_needs_sums and tt_track_put both do.
 */
static inline bool tt_track_try_put(struct tt_track *track, uint64_t time, uint32_t value,
                                    bool wide, uint32_t more)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    uint64_t delta = time - atomic_load_explicit(&track->base, memory_order_relaxed);
    uint32_t slot = (uint8_t)state, capacity = track->capacity;
    if (slot == capacity || delta > UINT32_MAX) {
        return false;
    }
    _Atomic uint32_t *words = atomic_load_explicit(&track->tail, memory_order_relaxed) + slot;
    atomic_store_explicit(words, (uint32_t)delta, memory_order_release);
    atomic_store_explicit(&words[capacity], value, memory_order_release);
    if (wide) {
        atomic_store_explicit(&words[2 * capacity], more, memory_order_release);
    }
    track->value = value;
    atomic_store_explicit(&track->state, state + 1, memory_order_release);
    return true;
}

/*
 * Appends an item; its time is not before the last one's. `sums` are the owner's at `time`, copied
 * when a chunk begins. Returns false if out of memory.
 */
static inline bool tt_track_append(struct tt_track *track, struct tt_arena *arena, uint64_t time,
                                   uint32_t value, const uint64_t *sums)
{
    if (tt_track_try_put(track, time, value, false, 0)) {
        return true;
    }
    return tt_track_begin_chunk(track, arena, time, sums) &&
           tt_track_try_put(track, time, value, false, 0);
}

/* Does the same for a wide track. */
static inline bool tt_track_append_wide(struct tt_track *track, struct tt_arena *arena,
                                        uint64_t time, uint32_t value, uint32_t more,
                                        const uint64_t *sums)
{
    if (tt_track_try_put(track, time, value, true, more)) {
        return true;
    }
    return tt_track_begin_chunk(track, arena, time, sums) &&
           tt_track_try_put(track, time, value, true, more);
}

/* Sets the second value of the last item, with release. */
void tt_track_set_more(struct tt_track *track, uint32_t more);

static inline bool tt_track_is_empty(const struct tt_track *track)
{
    return atomic_load_explicit(&track->state, memory_order_acquire) == 0;
}

/* Finds the last item; returns false if the track is empty. Writer only. */
static inline bool tt_track_tail_place(const struct tt_track *track, struct tt_track_place *place)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    place->chunk = (uint32_t)(state >> 8);
    place->slot = (uint32_t)(state & 0xff) - 1;
    return state != 0;
}

/* Returns the time of the last item of a track that is not empty. Writer only. */
static inline uint64_t tt_track_last_time(const struct tt_track *track)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    _Atomic uint32_t *words = atomic_load_explicit(&track->tail, memory_order_relaxed);
    return atomic_load_explicit(&track->base, memory_order_relaxed) +
           atomic_load_explicit(&words[(uint8_t)state - 1], memory_order_relaxed);
}

/* The unpacked items, for the writer. Valid until an item begins a chunk. */
struct tt_track_tail {
    uint64_t base; /* time of the first one */
    uint32_t count;
    const _Atomic uint32_t *deltas; /* ticks after the base */
    const _Atomic uint32_t *values;
    const _Atomic uint32_t *sums; /* at the base, low half first; NULL in chunk 0: all are 0 */
};

static inline struct tt_track_tail tt_track_tail(const struct tt_track *track)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    const _Atomic uint32_t *words = atomic_load_explicit(&track->tail, memory_order_relaxed);
    struct tt_track_tail tail = {
        .base = atomic_load_explicit(&track->base, memory_order_relaxed),
        .count = (uint8_t)state,
        .deltas = words,
        .values = words ? words + track->capacity : NULL,
        .sums = words && state >> 8 ? words + (track->wide ? 3u : 2u) * track->capacity : NULL};
    return tail;
}

static inline uint32_t tt_track_tail_delta(const struct tt_track_tail *tail, uint32_t slot)
{
    return atomic_load_explicit(&tail->deltas[slot], memory_order_relaxed);
}

static inline uint32_t tt_track_tail_value(const struct tt_track_tail *tail, uint32_t slot)
{
    return atomic_load_explicit(&tail->values[slot], memory_order_relaxed);
}

/* Copies the sums at the base. */
static inline void tt_track_tail_sums(const struct tt_track_tail *tail, uint32_t count,
                                      uint64_t *sums)
{
    for (uint32_t i = 0; i < count; i++) {
        sums[i] = 0;
        if (tail->sums) {
            uint64_t low = atomic_load_explicit(&tail->sums[2 * i], memory_order_relaxed);
            uint64_t high = atomic_load_explicit(&tail->sums[2 * i + 1], memory_order_relaxed);
            sums[i] = low | high << 32;
        }
    }
}

uint64_t tt_track_count(const struct tt_track *track);

/* Finds the last item at or before `time`; false if there is none. O(log items). */
bool tt_track_find(const struct tt_track *track, uint64_t time, struct tt_track_place *place);
/*
 * Prefetches the memory that tt_track_find and tt_track_load read for the chunks at these times. A
 * chunk that is not in the CPU's cache costs five or six cache misses, which take longer than the
 * rest of the work if they are waited for one by one.
 */
void tt_track_prefetch(const struct tt_track *track, const uint64_t *times, uint32_t count);
/* Find the first and the last item; false if the track is empty. */
bool tt_track_first(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_last(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_next(const struct tt_track *track, struct tt_track_place *place);
/*
 * Returns whether there is an item at or before `time`, with its value; *until is the time of the
 * first item after `time`, unchanged if there is none.
 */
bool tt_track_value_at(const struct tt_track *track, uint64_t time, uint32_t *value,
                       uint64_t *until);
bool tt_track_previous(const struct tt_track *track, struct tt_track_place *place);
/*
 * Advances the place by `count` items. Returns false, and leaves it unchanged, if there are fewer.
 */
bool tt_track_skip(const struct tt_track *track, struct tt_track_place *place, uint32_t count);
/* Returns whether the track has an item at the place. */
bool tt_track_has(const struct tt_track *track, struct tt_track_place place);

struct tt_track_item tt_track_item(const struct tt_track *track, struct tt_track_place place);
/* Returns the second value of an item of a wide track, with acquire. */
uint32_t tt_track_more(const struct tt_track *track, struct tt_track_place place);

/* A chunk of a track, or the first items of it, unpacked. */
struct tt_track_page {
    uint64_t base;  /* time of its first item */
    uint64_t next;  /* time of the first item after the chunk, if has_next */
    uint64_t first; /* items before it */
    uint32_t chunk;
    uint32_t count; /* items of the chunk */
    bool has_next;
    uint32_t delta[TT_TRACK_CHUNK]; /* ticks after the base */
    uint32_t value[TT_TRACK_CHUNK];
};

/*
 * Unpacks the first `limit` items of an existing chunk; eight items take a few nanoseconds, as much
 * as tt_track_item takes for one. page->count is that of the whole chunk.
 */
void tt_track_load(const struct tt_track *track, uint32_t chunk, uint32_t limit,
                   struct tt_track_page *page);
/* Unpacks the second values of the same items of a wide track. */
void tt_track_load_more(const struct tt_track *track, const struct tt_track_page *page,
                        uint32_t limit, uint32_t more[TT_TRACK_CHUNK]);

static inline uint64_t tt_page_time(const struct tt_track_page *page, uint32_t slot)
{
    return page->base + page->delta[slot];
}

/* Returns the end of an item: `end` for the track's last one. */
static inline uint64_t tt_page_end(const struct tt_track_page *page, uint32_t slot, uint64_t end)
{
    return slot + 1 < page->count ? page->base + page->delta[slot + 1]
           : page->has_next       ? page->next
                                  : end;
}

/*
 * Returns whether an item of a usual chunk is closer to the next chunk than to the start of its
 * own; sums up to it are then faster to compute from there.
 */
static inline bool tt_track_is_late(struct tt_track_place place)
{
    return place.slot > TT_TRACK_CHUNK * 5 / 8;
}

/* Copies the sums at the time of the first item of the place's chunk: `sum_count` words. */
void tt_track_sums(const struct tt_track *track, struct tt_track_place place, uint64_t *sums);
/* Returns the number of items before the place. */
uint64_t tt_track_index(const struct tt_track *track, struct tt_track_place place);

/* Returns the number of chunks, with the tail. */
uint64_t tt_track_chunks(const struct tt_track *track);
/*
 * Makes a read-only track of `chunks` packed chunks, at least 1, whose directory is one block.
 */
void tt_track_restore(struct tt_track *track, const struct tt_track_directory *directory,
                      uint64_t chunks);

#endif
