/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track: an append-only list of (time, value) items with running sums, for timelines.
 *
 *      | chunk 0 | chunk 1 | chunk 2 | ... | chunk n - 1 |        tail        |
 *        4 items   16        64              64            up to 64, as they are
 *        \------------- packed, never changed ---------/
 *
 * An item holds from its time to the next item's. Items are in order of time; several may have the
 * same time (the last of them holds). What the sums mean, the owner knows: it gives them when a
 * chunk begins, so that a sum up to any time is a binary search and at most 64 steps.
 *
 * Items are added to the tail, which has a word for each time and value. When it is full, or a time
 * does not fit 32 bits behind its first one, it is packed:
 *
 *      chunk   | time - base x n | value x n | more x n | distinct values | sums |
 *                each with as few bits as the chunk's          32 bits      as few bytes as each
 *                greatest one needs                                         needs, 4 bits say how
 * many
 *
 * A value is a number among the distinct ones where that is shorter, else itself; `more` is there
 * in a wide track. Where each item is follows from the chunk's entry in the directory, so that
 * reading one takes no walk. In captures of a mixed system an item takes about 6 bytes, all
 * included.
 *
 * A chunk holds no pointer. A block of the directory says how far from itself each chunk is, so
 * that a directory and its chunks can be written to a file and used where that is mapped:
 *
 *      newest -> | older | first | entry | entry | ... x 8 |
 *                    \-> | older | first | entry ... x 4 |
 *                            \-> | NULL | 0 | entry ... x 2 |
 *
 * One writer; readers on other threads see whole items up to the published count. Chunks and the
 * directory never move. The tail is used again when it was packed: a reader who looked into it
 * looks then whether it still is the same chunk's (`state`), and else into the packed one. So each
 * word of it is written with release and read with acquire, which costs nothing on most machines.
 *
 * All memory is an arena's, which the caller owns and frees: a track has none to be freed.
 */
#ifndef TRACETUI_TRACE_TIMELINE_TRACK_H
#define TRACETUI_TRACE_TIMELINE_TRACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define TT_TRACK_CHUNK    64u
#define TT_TRACK_SUMS_MAX 32u

/* Where a packed chunk is, and how it is packed. */
struct tt_track_entry {
    uint64_t base;  /* time of its first item */
    uint64_t where; /* | bytes from the block to the chunk: 48, signed | items before it, high
                       bits: 8 | items: 8 | */
    uint32_t first; /* items before it, low bits */
    uint8_t delta_bits;
    uint8_t value_bits;
    uint8_t distinct; /* values, or 0: they stand for themselves */
    uint8_t more_bits;
};

struct tt_track_directory {
    const struct tt_track_directory *older; /* with the entries before `first`, or NULL */
    uint64_t first;
    struct tt_track_entry entries[];
};

struct tt_track {
    _Atomic(const struct tt_track_directory *) directory;
    /* | time - base x capacity | value x capacity | more x capacity if wide | sums, 64 bits each |
     * without sums for chunk 0, before which nothing was summed up. */
    _Atomic(_Atomic uint32_t *) tail;
    _Atomic uint64_t base;  /* of the tail */
    _Atomic uint64_t state; /* | packed chunks: 56 | items in the tail: 8 | */
    /* The writer's own from here on. */
    uint32_t value; /* of the last item */
    uint8_t capacity;
    uint8_t sum_count; /* at most TT_TRACK_SUMS_MAX; readers may look at these two */
    bool wide;
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

/* Will an item at `time` begin a chunk, and so take the sums? For the writer only. */
static inline bool tt_track_needs_sums(const struct tt_track *track, uint64_t time)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    return (uint8_t)state == track->capacity ||
           time - atomic_load_explicit(&track->base, memory_order_relaxed) > UINT32_MAX;
}

/* Makes room for an item that begins a chunk. False when out of memory. */
bool tt_track_begin_chunk(struct tt_track *track, struct tt_arena *arena, uint64_t time,
                          const uint64_t *sums);

/* Adds an item to the tail, which has room for it; `more` in a wide track. */
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
 * Appends an item; its time is not before the last one's. `sums` are the owner's, as they stand
 * at `time`, copied when a chunk begins. False when out of memory.
 */
static inline bool tt_track_append(struct tt_track *track, struct tt_arena *arena, uint64_t time,
                                   uint32_t value, const uint64_t *sums)
{
    if (tt_track_needs_sums(track, time) && !tt_track_begin_chunk(track, arena, time, sums)) {
        return false;
    }
    tt_track_put(track, time, value, false, 0);
    return true;
}

/* The same of a wide track. */
static inline bool tt_track_append_wide(struct tt_track *track, struct tt_arena *arena,
                                        uint64_t time, uint32_t value, uint32_t more,
                                        const uint64_t *sums)
{
    if (tt_track_needs_sums(track, time) && !tt_track_begin_chunk(track, arena, time, sums)) {
        return false;
    }
    tt_track_put(track, time, value, true, more);
    return true;
}

/* Sets the second value of the last item, with release. */
void tt_track_set_more(struct tt_track *track, uint32_t more);

static inline bool tt_track_is_empty(const struct tt_track *track)
{
    return atomic_load_explicit(&track->state, memory_order_acquire) == 0;
}

/* The last item, for the writer only; false when empty. */
static inline bool tt_track_tail_place(const struct tt_track *track, struct tt_track_place *place)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    place->chunk = (uint32_t)(state >> 8);
    place->slot = (uint32_t)(state & 0xff) - 1;
    return state != 0;
}

/* The time of the last item of a track that is not empty, for the writer only. */
static inline uint64_t tt_track_last_time(const struct tt_track *track)
{
    uint64_t state = atomic_load_explicit(&track->state, memory_order_relaxed);
    _Atomic uint32_t *words = atomic_load_explicit(&track->tail, memory_order_relaxed);
    return atomic_load_explicit(&track->base, memory_order_relaxed) +
           atomic_load_explicit(&words[(uint8_t)state - 1], memory_order_relaxed);
}

uint64_t tt_track_count(const struct tt_track *track);

/* The last item at or before `time`; false if there is none. O(log items). */
bool tt_track_find(const struct tt_track *track, uint64_t time, struct tt_track_place *place);
/*
 * Asks the memory for what tt_track_find and tt_track_load of the chunk at each of these times will
 * look at, without waiting for it: a chunk that was not looked at lately lies in five or six places
 * of it, and to wait for one after the other takes longer than all the rest.
 */
void tt_track_prefetch(const struct tt_track *track, const uint64_t *times, uint32_t count);
/* The first and the last item. False when empty. */
bool tt_track_first(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_last(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_next(const struct tt_track *track, struct tt_track_place *place);
bool tt_track_previous(const struct tt_track *track, struct tt_track_place *place);
/* `count` items further; false when there are not so many: the place is then no good. */
bool tt_track_skip(const struct tt_track *track, struct tt_track_place *place, uint32_t count);
/* Is there such a place? */
bool tt_track_has(const struct tt_track *track, struct tt_track_place place);

struct tt_track_item tt_track_item(const struct tt_track *track, struct tt_track_place place);
/* The second value of an item of a wide track, with acquire. */
uint32_t tt_track_more(const struct tt_track *track, struct tt_track_place place);

/* A chunk of a track, or the first items of it, unpacked. */
struct tt_track_page {
    uint64_t base;  /* time of its first item */
    uint64_t next;  /* time of the item behind the chunk, if there is one */
    uint64_t first; /* items before it */
    uint32_t chunk;
    uint32_t count; /* items of the chunk */
    bool has_next;
    uint32_t delta[TT_TRACK_CHUNK]; /* ticks behind the base */
    uint32_t value[TT_TRACK_CHUNK];
};

/*
 * Unpacks the first `limit` items of a chunk that there is; a few nanoseconds for eight items,
 * where tt_track_item takes as much for one. `count` is that of the chunk all the same.
 */
void tt_track_load(const struct tt_track *track, uint32_t chunk, uint32_t limit,
                   struct tt_track_page *page);
/* The second values of the same items of a wide track. */
void tt_track_load_more(const struct tt_track *track, const struct tt_track_page *page,
                        uint32_t limit, uint32_t more[TT_TRACK_CHUNK]);

static inline uint64_t tt_page_time(const struct tt_track_page *page, uint32_t slot)
{
    return page->base + page->delta[slot];
}

/* Where an item ends: `end` for the track's last one. */
static inline uint64_t tt_page_end(const struct tt_track_page *page, uint32_t slot, uint64_t end)
{
    return slot + 1 < page->count ? page->base + page->delta[slot + 1]
           : page->has_next       ? page->next
                                  : end;
}

/* Is an item of a chunk nearer to the chunk behind it than to the beginning of its own, if it has
 * as many items as most chunks? Sums up to there are sooner found from that end. */
static inline bool tt_track_is_late(struct tt_track_place place)
{
    return place.slot > TT_TRACK_CHUNK * 5 / 8;
}

/* The sums as they stood at the time of the first item of the place's chunk: `sum_count` words. */
void tt_track_sums(const struct tt_track *track, struct tt_track_place place, uint64_t *sums);
/* How many-th item it is. */
uint64_t tt_track_index(const struct tt_track *track, struct tt_track_place place);

/* Chunks, the tail among them. */
uint64_t tt_track_chunks(const struct tt_track *track);
/* Makes a track that is never appended to of `chunks` packed ones, at least 1, whose directory is
 * one block. */
void tt_track_restore(struct tt_track *track, const struct tt_track_directory *directory,
                      uint64_t chunks);

#endif
