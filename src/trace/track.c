/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track.h"

#include <stdlib.h>
#include <string.h>

void tt_track_init(struct tt_track *track, uint32_t sum_count)
{
    atomic_init(&track->directory, NULL);
    atomic_init(&track->chunk_count, 0);
    track->sum_count = (uint8_t)sum_count;
    track->wide = false;
    memset(&track->tail, 0, sizeof track->tail);
}

void tt_track_init_wide(struct tt_track *track, uint32_t sum_count)
{
    tt_track_init(track, sum_count);
    track->wide = true;
}

static struct tt_track_directory *directory_of(const struct tt_track *track)
{
    return atomic_load_explicit(&track->directory, memory_order_acquire);
}

static struct tt_track_chunk *chunk_at(const struct tt_track *track, uint32_t chunk)
{
    return directory_of(track)->entries[chunk].chunk;
}

static uint32_t chunk_count(const struct tt_track *track)
{
    return atomic_load_explicit(&track->chunk_count, memory_order_acquire);
}

static uint32_t item_count(const struct tt_track_chunk *chunk)
{
    return atomic_load_explicit(&chunk->count, memory_order_acquire);
}

static uint32_t value_at(const struct tt_track_chunk *chunk, uint32_t slot)
{
    return chunk->delta[chunk->capacity + slot];
}

void tt_track_free(struct tt_track *track)
{
    struct tt_track_directory *directory = directory_of(track);
    for (uint32_t i = 0; i < chunk_count(track); i++) {
        free(directory->entries[i].chunk);
    }
    while (directory) {
        struct tt_track_directory *older = directory->older;
        free(directory);
        directory = older;
    }
    atomic_init(&track->directory, NULL);
    atomic_init(&track->chunk_count, 0);
    memset(&track->tail, 0, sizeof track->tail);
}

/* Chunks grow from 4 items to 64: most lanes of a system with many threads hardly ever run. */
static uint32_t capacity_of(uint32_t chunk)
{
    return chunk == 0 ? 4 : chunk == 1 ? 16 : TT_TRACK_CHUNK;
}

/* Of an item. */
static size_t words_of(const struct tt_track *track)
{
    return track->wide ? 3 : 2;
}

static struct tt_track_chunk *new_chunk(const struct tt_track *track, uint32_t number,
                                        uint64_t base, uint64_t first, const uint64_t *sums)
{
    static const uint64_t zeros[TT_TRACK_SUMS_MAX];
    uint32_t capacity = capacity_of(number);
    /* Nothing was summed up before the first chunk. */
    uint32_t sum_count = number == 0 ? 0 : track->sum_count;
    size_t size = sizeof(struct tt_track_chunk) + sum_count * sizeof(uint64_t) +
                  words_of(track) * capacity * sizeof(uint32_t);
    struct tt_track_chunk *chunk = malloc(size);
    if (!chunk) {
        return NULL;
    }
    uint64_t *own_sums = (uint64_t *)(void *)(chunk + 1);
    if (sum_count > 0) {
        memcpy(own_sums, sums, sum_count * sizeof *own_sums);
    }
    chunk->base = base;
    chunk->first = first;
    chunk->sums = sum_count > 0 ? own_sums : zeros;
    chunk->delta = (uint32_t *)(void *)(own_sums + sum_count);
    chunk->capacity = capacity;
    atomic_init(&chunk->count, 0);
    return chunk;
}

static bool grow_directory(struct tt_track *track)
{
    struct tt_track_directory *old = directory_of(track);
    size_t capacity = old ? old->capacity * 2 : 2;
    struct tt_track_directory *directory =
        malloc(sizeof *directory + capacity * sizeof directory->entries[0]);
    if (!directory) {
        return false;
    }
    directory->older = old;
    directory->capacity = capacity;
    if (old) {
        memcpy(directory->entries, old->entries, old->capacity * sizeof old->entries[0]);
    }
    atomic_store_explicit(&track->directory, directory, memory_order_release);
    return true;
}

static struct tt_track_chunk *add_chunk(struct tt_track *track, uint64_t base, uint64_t first,
                                        const uint64_t *sums)
{
    uint32_t number = chunk_count(track);
    struct tt_track_directory *directory = directory_of(track);
    if ((!directory || number == directory->capacity) && !grow_directory(track)) {
        return NULL;
    }
    struct tt_track_chunk *chunk = new_chunk(track, number, base, first, sums);
    if (chunk) {
        directory_of(track)->entries[number].chunk = chunk;
        directory_of(track)->entries[number].base = base;
    }
    return chunk;
}

/* Makes a chunk for what comes at `time` and turns to it; it is published with its first item. */
static bool begin_chunk(struct tt_track *track, uint64_t time, const uint64_t *sums)
{
    struct tt_track_tail *tail = &track->tail;
    uint64_t first = tail->chunk ? tail->chunk->first + tail->count : 0;
    struct tt_track_chunk *chunk = add_chunk(track, time, first, sums);
    if (!chunk) {
        return false;
    }
    struct tt_track_tail fresh = {chunk, chunk->delta, time, 0, 0, (uint8_t)chunk->capacity};
    *tail = fresh;
    return true;
}

static bool append(struct tt_track *track, uint64_t time, uint32_t value, uint32_t more,
                   const uint64_t *sums)
{
    struct tt_track_tail *tail = &track->tail;
    bool fresh = tt_track_needs_sums(track, time);
    if (fresh && !begin_chunk(track, time, sums)) {
        return false;
    }
    uint32_t *at = tail->delta + tail->count++;
    at[0] = (uint32_t)(time - tail->base);
    at[tail->capacity] = value;
    if (track->wide) {
        atomic_init((_Atomic uint32_t *)(at + 2 * (size_t)tail->capacity), more);
    }
    tail->value = value;
    atomic_store_explicit(&tail->chunk->count, tail->count, memory_order_release);
    if (fresh) {
        /* Published with its first item in it: no reader ever meets an empty chunk. */
        atomic_fetch_add_explicit(&track->chunk_count, 1, memory_order_release);
    }
    return true;
}

bool tt_track_append(struct tt_track *track, uint64_t time, uint32_t value, const uint64_t *sums)
{
    return append(track, time, value, 0, sums);
}

bool tt_track_append_wide(struct tt_track *track, uint64_t time, uint32_t value, uint32_t more,
                          const uint64_t *sums)
{
    return append(track, time, value, more, sums);
}

void tt_track_set_more(struct tt_track *track, uint32_t more)
{
    const struct tt_track_tail *tail = &track->tail;
    if (tail->chunk) {
        uint32_t *at = tail->delta + 2 * (size_t)tail->capacity + tail->count - 1;
        atomic_store_explicit((_Atomic uint32_t *)at, more, memory_order_release);
    }
}

uint32_t tt_track_more(const struct tt_track *track, struct tt_track_place place)
{
    const struct tt_track_chunk *chunk = chunk_at(track, place.chunk);
    uint32_t *at = chunk->delta + 2 * (size_t)chunk->capacity + place.slot;
    return atomic_load_explicit((_Atomic uint32_t *)at, memory_order_acquire);
}

uint64_t tt_track_count(const struct tt_track *track)
{
    uint32_t chunks = chunk_count(track);
    if (chunks == 0) {
        return 0;
    }
    const struct tt_track_chunk *last = chunk_at(track, chunks - 1);
    return last->first + item_count(last);
}

bool tt_track_find(const struct tt_track *track, uint64_t time, struct tt_track_place *place)
{
    uint32_t low = 0, high = chunk_count(track);
    if (high == 0) {
        return false;
    }
    const struct tt_track_entry *entries = directory_of(track)->entries;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entries[middle].base <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return false;
    }
    const struct tt_track_chunk *chunk = entries[low - 1].chunk;
    uint64_t behind = time - chunk->base;
    uint32_t first = 0, last = item_count(chunk);
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (chunk->delta[middle] <= behind) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    place->chunk = low - 1;
    place->slot = first - 1;
    return true;
}

bool tt_track_first(const struct tt_track *track, struct tt_track_place *place)
{
    place->chunk = 0;
    place->slot = 0;
    return !tt_track_is_empty(track);
}

bool tt_track_last(const struct tt_track *track, struct tt_track_place *place)
{
    uint32_t chunks = chunk_count(track);
    if (chunks == 0) {
        return false;
    }
    place->chunk = chunks - 1;
    place->slot = item_count(chunk_at(track, chunks - 1)) - 1;
    return true;
}

bool tt_track_next(const struct tt_track *track, struct tt_track_place *place)
{
    if (place->slot + 1 < item_count(chunk_at(track, place->chunk))) {
        place->slot++;
        return true;
    }
    if (place->chunk + 1 < chunk_count(track)) {
        place->chunk++;
        place->slot = 0;
        return true;
    }
    return false;
}

bool tt_track_previous(const struct tt_track *track, struct tt_track_place *place)
{
    if (place->slot > 0) {
        place->slot--;
        return true;
    }
    if (place->chunk > 0) {
        place->chunk--;
        place->slot = item_count(chunk_at(track, place->chunk)) - 1;
        return true;
    }
    return false;
}

struct tt_track_item tt_track_item(const struct tt_track *track, struct tt_track_place place)
{
    const struct tt_track_chunk *chunk = chunk_at(track, place.chunk);
    struct tt_track_item item = {chunk->base + chunk->delta[place.slot],
                                 value_at(chunk, place.slot)};
    return item;
}

uint32_t tt_track_read(const struct tt_track *track, struct tt_track_place place, uint32_t max,
                       struct tt_track_item *items)
{
    uint32_t done = 0;
    for (uint32_t chunks = chunk_count(track); done < max && place.chunk < chunks; place.chunk++) {
        const struct tt_track_chunk *chunk = chunk_at(track, place.chunk);
        uint32_t count = item_count(chunk);
        for (; done < max && place.slot < count; place.slot++, done++) {
            items[done].time = chunk->base + chunk->delta[place.slot];
            items[done].value = value_at(chunk, place.slot);
        }
        place.slot = 0;
    }
    return done;
}

const uint64_t *tt_track_sums(const struct tt_track *track, struct tt_track_place place)
{
    return chunk_at(track, place.chunk)->sums;
}

uint64_t tt_track_index(const struct tt_track *track, struct tt_track_place place)
{
    return chunk_at(track, place.chunk)->first + place.slot;
}

uint64_t tt_track_memory(const struct tt_track *track)
{
    uint64_t bytes = 0;
    for (const struct tt_track_directory *d = directory_of(track); d; d = d->older) {
        bytes += sizeof *d + d->capacity * sizeof d->entries[0];
    }
    for (uint32_t i = 0; i < chunk_count(track); i++) {
        bytes += sizeof(struct tt_track_chunk) +
                 words_of(track) * capacity_of(i) * sizeof(uint32_t) +
                 (i == 0 ? 0 : track->sum_count * sizeof(uint64_t));
    }
    return bytes;
}
