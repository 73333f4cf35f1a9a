/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track/track.h"

#include <string.h>

#include "base/prefetch.h"
#include "trace/track/track_pack.h"
#include "trace/track/track_store.h"

void tt_track_init(struct tt_track *track, uint32_t sum_count)
{
    atomic_init(&track->directory, NULL);
    atomic_init(&track->tail, NULL);
    atomic_init(&track->base, 0);
    atomic_init(&track->state, 0);
    track->value = 0;
    track->capacity = 0;
    track->sum_count = (uint8_t)sum_count;
    track->wide = false;
}

void tt_track_init_wide(struct tt_track *track, uint32_t sum_count)
{
    tt_track_init(track, sum_count);
    track->wide = true;
}

static uint64_t track_state_of(const struct tt_track *track)
{
    return atomic_load_explicit(&track->state, memory_order_acquire);
}

/* Returns the number of packed chunks. */
static uint64_t packed_of(uint64_t state)
{
    return state >> 8;
}

/* Returns the number of items in the tail. */
static uint32_t tail_of(uint64_t state)
{
    return state & 0xff;
}

/* Returns whether the tail still belongs to the chunk of `state`. Call after reading it. */
static bool is_same_tail(const struct tt_track *track, uint64_t state)
{
    return packed_of(track_state_of(track)) == packed_of(state);
}

static uint32_t sums_of_chunk(const struct tt_track *track, uint64_t chunk)
{
    return chunk == 0 ? 0 : track->sum_count; /* chunk 0: all sums are 0 */
}

/* ---- the directory ------------------------------------------------------------------------ */

struct packed {
    const struct tt_track_entry *entry;
    const uint8_t *bytes;
};

static const struct tt_track_directory *directory_of(const struct tt_track *track)
{
    return atomic_load_explicit(&track->directory, memory_order_acquire);
}

/* Returns the block with a packed chunk. Half of all entries are in the newest one, and so on. */
static const struct tt_track_directory *track_block_at(const struct tt_track *track, uint64_t chunk)
{
    const struct tt_track_directory *block = directory_of(track);
    while (chunk < block->first) {
        block = block->older;
    }
    return block;
}

/* Returns the entry of a packed chunk; only packed_at() makes its layout valid. */
static const struct tt_track_entry *track_entry_at(const struct tt_track *track, uint64_t chunk)
{
    const struct tt_track_directory *block = track_block_at(track, chunk);
    return &block->entries[chunk - block->first];
}

/* Returns a packed chunk, which is unpacked from its store if it is used for the first time. */
static struct packed packed_at(const struct tt_track *track, uint64_t chunk)
{
    const struct tt_track_directory *block = track_block_at(track, chunk);
    struct packed p = {.entry = &block->entries[chunk - block->first]};
    p.bytes = block->first == 0 && block->stored
                  ? tt_stored_chunk(block->stored, block->entries, chunk)
                  : tt_pack_bytes(block, p.entry);
    return p;
}

/* Among more entries than FEW the search interpolates: chunks are usually spread evenly. */
#define GUESSES 6u
#define FEW     16u

/* Returns the last entry at or before `time`; the first one always is. */
static uint64_t find_entry(const struct tt_track_entry *entries, uint64_t count, uint64_t time)
{
    uint64_t low = 0, high = count - 1; /* the entry at `high` is after the time */
    if (entries[high].base <= time) {
        return high;
    }
    for (unsigned guesses = 0; guesses < GUESSES && high - low > FEW; guesses++) {
        uint64_t before = entries[low].base, after = entries[high].base;
        double part = (double)(time - before) / (double)(after - before);
        uint64_t guess = low + (uint64_t)(part * (double)(high - low));
        guess = guess <= low ? low + 1 : guess >= high ? high - 1 : guess;
        if (entries[guess].base <= time) {
            low = guess;
        } else {
            high = guess;
        }
    }
    /* Branchless binary search: the outcome of a comparison is not predictable. */
    for (uint64_t left = high - low; left > 1; left -= left / 2) {
        low = entries[low + left / 2].base <= time ? low + left / 2 : low;
    }
    return low;
}

/* Returns the last of `chunks` whose first item is at or before `time`. */
static bool find_packed(const struct tt_track *track, uint64_t chunks, uint64_t time,
                        uint64_t *chunk)
{
    if (chunks == 0) {
        return false;
    }
    const struct tt_track_directory *block = directory_of(track);
    uint64_t end = chunks;
    /* A block added after `chunks` was read may still be empty. */
    while (block->first > 0 && (block->first >= end || block->entries[0].base > time)) {
        end = block->first < end ? block->first : end;
        block = block->older;
    }
    *chunk = block->first;
    if (block->entries[0].base > time) {
        return false;
    }
    *chunk += find_entry(block->entries, end - block->first, time);
    return true;
}

/* Returns the last item of a packed chunk at or before `time`, which is not before its first. */
static uint32_t find_slot(struct packed p, uint64_t time)
{
    uint64_t behind = time - p.entry->base;
    uint32_t low = 0, bits = p.entry->delta_bits;
    for (uint32_t left = tt_pack_count(p.entry); left > 1; left -= left / 2) {
        uint32_t middle = low + left / 2;
        low = tt_pack_number(p.bytes, middle, bits) <= behind ? middle : low;
    }
    return low;
}

/* ---- the tail ----------------------------------------------------------------------------- */

static _Atomic uint32_t *tail_words(const struct tt_track *track)
{
    return atomic_load_explicit(&track->tail, memory_order_acquire);
}

static uint32_t tail_word(const _Atomic uint32_t *words, uint32_t number)
{
    return atomic_load_explicit(&words[number], memory_order_acquire);
}

static void set_word(_Atomic uint32_t *words, uint32_t number, uint32_t word)
{
    atomic_store_explicit(&words[number], word, memory_order_release);
}

/* Returns the number of words before the sums of the tail. */
static uint32_t track_words_of(const struct tt_track *track, uint32_t capacity)
{
    return (track->wide ? 3u : 2u) * capacity;
}

/* ---- appending ---------------------------------------------------------------------------- */

/* Returns the number of items before the tail. */
static uint64_t count_packed(const struct tt_track *track, uint64_t chunks)
{
    if (chunks == 0) {
        return 0;
    }
    const struct tt_track_entry *last = track_entry_at(track, chunks - 1);
    return tt_pack_first(last) + tt_pack_count(last);
}

/* Creates a directory block for the chunks from `first` on; returns NULL when out of memory. */
static struct tt_track_directory *add_block(struct tt_track *track, struct tt_arena *arena,
                                            uint64_t first)
{
    uint64_t capacity = first + 2;
    struct tt_track_directory *block =
        tt_arena_words(arena, sizeof *block + (size_t)capacity * sizeof block->entries[0]);
    if (block) {
        block->older = directory_of(track); /* NULL, as `stored`, if it is the first block */
        block->first = first;
        atomic_store_explicit(&track->directory, block, memory_order_release);
    }
    return block;
}

/*
 * Returns room for the entry of chunk `number`; NULL when out of memory. A block is const to
 * readers; the writer owns the entries beyond those they can see.
 */
static struct tt_track_entry *entry_room(struct tt_track *track, struct tt_arena *arena,
                                         uint64_t number, const struct tt_track_directory **block)
{
    const struct tt_track_directory *newest = directory_of(track);
    uint64_t capacity = newest ? newest->first + 2 : 0; /* as many entries as before it, plus 2 */
    if (newest && number - newest->first < capacity) {
        *block = newest;
        return (struct tt_track_entry *)&newest->entries[number - newest->first];
    }
    struct tt_track_directory *more = add_block(track, arena, number);
    *block = more;
    return more ? more->entries : NULL;
}

_Static_assert(sizeof(_Atomic uint32_t) == sizeof(uint32_t), "words can be copied as bytes");

/* Copies memory that is not written meanwhile: by cache lines instead of words. */
static void copy_words(uint32_t *to, const _Atomic uint32_t *words, uint32_t count)
{
    if (count == TT_TRACK_CHUNK) { /* nearly always: a constant size */
        memcpy(to, (const void *)words, TT_TRACK_CHUNK * sizeof *to);
    } else {
        memcpy(to, (const void *)words, count * sizeof *to);
    }
}

/* Packs the tail's items into a chunk. */
static bool pack_tail(struct tt_track *track, struct tt_arena *arena, uint64_t state)
{
    struct tt_pack_items items;
    struct tt_track_entry entry;
    const struct tt_track_directory *block;
    uint8_t packed[TT_PACK_MOST];

    /*
     * Prefetches the entry of the last packed chunk: the next one is usually in the same cache
     * line.
     */
    uint64_t chunks = packed_of(state);
    const struct tt_track_directory *newest = directory_of(track);
    if (chunks > 0 && chunks > newest->first) {
        tt_prefetch(&newest->entries[chunks - 1 - newest->first]);
    }

    const _Atomic uint32_t *words = tail_words(track);
    uint32_t capacity = tt_track_capacity(packed_of(state));
    items.base = atomic_load_explicit(&track->base, memory_order_acquire);
    items.count = tail_of(state);
    items.sum_count = sums_of_chunk(track, packed_of(state));
    items.wide = track->wide;
    copy_words(items.delta, words, items.count);
    copy_words(items.value, words + capacity, items.count);
    copy_words(items.more, words + 2 * capacity, track->wide ? items.count : 0);
    words += track_words_of(track, capacity);
    for (uint32_t i = 0; i < items.sum_count; i++) {
        items.sums[i] = tail_word(words, 2 * i) | (uint64_t)tail_word(words, 2 * i + 1) << 32;
    }
    items.first = count_packed(track, packed_of(state)); /* last: it was prefetched */

    size_t size = tt_pack(&items, packed, &entry);
    struct tt_track_entry *room = entry_room(track, arena, packed_of(state), &block);
    uint8_t *bytes = room ? tt_arena_bytes(arena, size) : NULL;
    if (!bytes) {
        return false;
    }
    memcpy(bytes, packed, size);
    tt_pack_set_distance(&entry, (uint64_t)(uintptr_t)bytes - (uint64_t)(uintptr_t)block);
    *room = entry;
    atomic_store_explicit(&track->state, (packed_of(state) + 1) << 8, memory_order_release);
    return true;
}

bool tt_track_begin_chunk(struct tt_track *track, struct tt_arena *arena, uint64_t time,
                          const uint64_t *sums)
{
    uint64_t state = track_state_of(track);
    if (tail_of(state) > 0 && !pack_tail(track, arena, state)) {
        return false;
    }
    uint64_t number = packed_of(track_state_of(track));
    uint32_t capacity = tt_track_capacity(number), sum_count = sums_of_chunk(track, number);
    if (track->capacity != capacity) {
        size_t words = track_words_of(track, capacity) + 2 * (size_t)sum_count;
        _Atomic uint32_t *tail = tt_arena_words(arena, words * sizeof *tail);
        if (!tail) {
            track->capacity = 0; /* the old tail does not fit this chunk */
            return false;
        }
        atomic_store_explicit(&track->tail, tail, memory_order_release);
        track->capacity = (uint8_t)capacity;
    }
    _Atomic uint32_t *words = tail_words(track) + track_words_of(track, capacity);
    for (uint32_t i = 0; i < sum_count; i++) {
        set_word(words, 2 * i, (uint32_t)sums[i]);
        set_word(words, 2 * i + 1, (uint32_t)(sums[i] >> 32));
    }
    atomic_store_explicit(&track->base, time, memory_order_release);
    return true;
}

void tt_track_set_more(struct tt_track *track, uint32_t more)
{
    uint32_t count = tail_of(atomic_load_explicit(&track->state, memory_order_relaxed));
    if (count > 0) {
        set_word(tail_words(track), 2u * track->capacity + count - 1, more);
    }
}

/* ---- reading ------------------------------------------------------------------------------ */

uint64_t tt_track_count(const struct tt_track *track)
{
    uint64_t state = track_state_of(track);
    return count_packed(track, packed_of(state)) + tail_of(state);
}

bool tt_track_find(const struct tt_track *track, uint64_t time, struct tt_track_place *place)
{
    uint64_t state = track_state_of(track), chunk;
    uint32_t slot;
    while (tail_of(state) > 0) {
        /* False if no item of the tail is at or before `time`. */
        uint64_t base = atomic_load_explicit(&track->base, memory_order_acquire);
        const _Atomic uint32_t *words = tail_words(track);
        uint32_t low = 0, high = tail_of(state);
        while (base <= time && low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (tail_word(words, middle) <= time - base) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        slot = low - 1;
        bool found = low > 0;

        if (is_same_tail(track, state)) {
            if (!found) {
                break;
            }
            *place = (struct tt_track_place){(uint32_t)packed_of(state), slot};
            return true;
        }
        state = track_state_of(track);
    }
    if (!find_packed(track, packed_of(state), time, &chunk)) {
        return false;
    }
    *place = (struct tt_track_place){(uint32_t)chunk, find_slot(packed_at(track, chunk), time)};
    return true;
}

#define CACHE_LINE 64u

static inline void prefetch(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t at = 0; at < count; at += CACHE_LINE) {
        tt_prefetch(bytes + at);
    }
}

void tt_track_prefetch(const struct tt_track *track, const uint64_t *times, uint32_t count)
{
    uint64_t packed = packed_of(track_state_of(track)), chunk, last = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (find_packed(track, packed, times[i], &chunk) && chunk != last) {
            struct packed p = packed_at(track, chunk);
            uint32_t sums = track->sum_count * 4u; /* usual size of the sums in bytes */
            uint32_t distinct = p.entry->distinct * 2u;
            prefetch(p.bytes, tt_pack_distinct_at(p.entry) + distinct + sums + CACHE_LINE);
            last = chunk;
        }
    }
}

bool tt_track_first(const struct tt_track *track, struct tt_track_place *place)
{
    place->chunk = 0;
    place->slot = 0;
    return !tt_track_is_empty(track);
}

/* Returns at least 1: a chunk of a truncated index cache may have a count of 0. */
static uint32_t packed_items(const struct tt_track_entry *entry)
{
    uint32_t count = tt_pack_count(entry);
    return count > 0 ? count : 1;
}

/* Returns the number of items of a chunk that existed when the state was read. */
static uint32_t chunk_items(const struct tt_track *track, uint64_t state, uint32_t chunk)
{
    return chunk < packed_of(state) ? packed_items(track_entry_at(track, chunk)) : tail_of(state);
}

static uint64_t chunk_count(uint64_t state)
{
    return packed_of(state) + (tail_of(state) > 0);
}

bool tt_track_last(const struct tt_track *track, struct tt_track_place *place)
{
    uint64_t state = track_state_of(track);
    if (state == 0) {
        return false;
    }
    place->chunk = (uint32_t)chunk_count(state) - 1;
    place->slot = chunk_items(track, state, place->chunk) - 1;
    return true;
}

bool tt_track_next(const struct tt_track *track, struct tt_track_place *place)
{
    uint64_t state = track_state_of(track);
    if (place->slot + 1 < chunk_items(track, state, place->chunk)) {
        place->slot++;
        return true;
    }
    if (place->chunk + UINT64_C(1) < chunk_count(state)) {
        place->chunk++;
        place->slot = 0;
        return true;
    }
    return false;
}

bool tt_track_value_at(const struct tt_track *track, uint64_t time, uint32_t *value,
                       uint64_t *until)
{
    struct tt_track_place place;
    bool found = tt_track_find(track, time, &place);
    if (found) {
        *value = tt_track_item(track, place).value;
    }
    if (found ? tt_track_next(track, &place) : tt_track_first(track, &place)) {
        *until = tt_track_item(track, place).time;
    }
    return found;
}

bool tt_track_skip(const struct tt_track *track, struct tt_track_place *place, uint32_t count)
{
    uint64_t state = track_state_of(track);
    uint64_t slot = place->slot + (uint64_t)count, chunk = place->chunk;
    for (; chunk < chunk_count(state); chunk++) {
        uint64_t items = chunk_items(track, state, (uint32_t)chunk);
        if (slot < items) {
            *place = (struct tt_track_place){(uint32_t)chunk, (uint32_t)slot};
            return true;
        }
        slot -= items;
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
        place->slot = packed_items(track_entry_at(track, place->chunk)) - 1;
        return true;
    }
    return false;
}

bool tt_track_has(const struct tt_track *track, struct tt_track_place place)
{
    uint64_t state = track_state_of(track);
    return place.chunk < chunk_count(state) && place.slot < chunk_items(track, state, place.chunk);
}

struct tt_track_item tt_track_item(const struct tt_track *track, struct tt_track_place place)
{
    uint64_t state = track_state_of(track);
    if (place.chunk >= packed_of(state)) {
        uint32_t slot = place.slot;
        const _Atomic uint32_t *words = tail_words(track);
        uint32_t capacity = tt_track_capacity(packed_of(state));
        struct tt_track_item item = {atomic_load_explicit(&track->base, memory_order_acquire) +
                                         tail_word(words, slot),
                                     tail_word(words, capacity + slot)};

        if (is_same_tail(track, state)) {
            return item;
        }
    }
    struct packed p = packed_at(track, place.chunk);
    struct tt_track_item item = {p.entry->base + tt_pack_delta(p.entry, p.bytes, place.slot),
                                 tt_pack_value(p.entry, p.bytes, place.slot)};
    return item;
}

uint32_t tt_track_more(const struct tt_track *track, struct tt_track_place place)
{
    uint64_t state = track_state_of(track);
    if (place.chunk >= packed_of(state)) {
        uint32_t capacity = tt_track_capacity(packed_of(state));
        uint32_t more = tail_word(tail_words(track), 2 * capacity + place.slot);
        if (is_same_tail(track, state)) {
            return more;
        }
    }
    struct packed p = packed_at(track, place.chunk);
    return tt_pack_more(p.entry, p.bytes, place.slot);
}

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns false if the tail was packed meanwhile. */
static bool load_tail(const struct tt_track *track, uint64_t state, uint32_t limit,
                      struct tt_track_page *page)
{
    const _Atomic uint32_t *words = tail_words(track);
    uint32_t capacity = tt_track_capacity(packed_of(state));
    page->base = atomic_load_explicit(&track->base, memory_order_acquire);
    page->first = count_packed(track, packed_of(state));
    page->count = tail_of(state);
    page->has_next = false;
    uint32_t count = min(limit, page->count);
    for (uint32_t i = 0; i < count; i++) {
        page->delta[i] = tail_word(words, i);
        page->value[i] = tail_word(words, capacity + i);
    }
    return is_same_tail(track, state);
}

void tt_track_load(const struct tt_track *track, uint32_t chunk, uint32_t limit,
                   struct tt_track_page *page)
{
    uint64_t state = track_state_of(track);
    page->chunk = chunk;
    while (chunk >= packed_of(state)) {
        if (load_tail(track, state, limit, page)) {
            return;
        }
        state = track_state_of(track);
    }
    struct packed p = packed_at(track, chunk);
    const struct tt_track_entry entry = *p.entry;
    uint32_t count = min(limit, tt_pack_count(&entry));
    page->base = entry.base;
    page->first = tt_pack_first(&entry);
    page->count = tt_pack_count(&entry);
    tt_unpack_numbers(p.bytes, count, entry.delta_bits, page->delta);
    tt_unpack_values(&entry, p.bytes, count, page->value);

    /* Finds the item after a packed chunk: its time is in the directory or the tail. */
    uint64_t next = page->chunk + UINT64_C(1);
    page->has_next = next < chunk_count(state);
    if (next == packed_of(state) && page->has_next) {
        page->next = atomic_load_explicit(&track->base, memory_order_acquire);
        if (is_same_tail(track, state)) {
            return;
        }
    }
    page->next = page->has_next ? track_entry_at(track, next)->base : 0;
}

void tt_track_load_more(const struct tt_track *track, const struct tt_track_page *page,
                        uint32_t limit, uint32_t more[TT_TRACK_CHUNK])
{
    uint64_t state = track_state_of(track);
    uint32_t count = min(limit, page->count);
    if (page->chunk >= packed_of(state)) {
        const _Atomic uint32_t *words = tail_words(track);
        uint32_t capacity = tt_track_capacity(packed_of(state));
        for (uint32_t i = 0; i < count; i++) {
            more[i] = tail_word(words, 2 * capacity + i);
        }
        if (is_same_tail(track, state)) {
            return;
        }
    }
    struct packed p = packed_at(track, page->chunk);
    tt_unpack_numbers(p.bytes + tt_pack_more_at(p.entry), count, p.entry->more_bits, more);
}

void tt_track_sums(const struct tt_track *track, struct tt_track_place place, uint64_t *sums)
{
    uint64_t state = track_state_of(track);
    if (place.chunk == 0) {
        memset(sums, 0, track->sum_count * sizeof *sums);
        return;
    }
    if (place.chunk >= packed_of(state)) {
        const _Atomic uint32_t *words =
            tail_words(track) + track_words_of(track, tt_track_capacity(packed_of(state)));
        for (uint32_t i = 0; i < track->sum_count; i++) {
            sums[i] = tail_word(words, 2 * i) | (uint64_t)tail_word(words, 2 * i + 1) << 32;
        }
        if (is_same_tail(track, state)) {
            return;
        }
    }
    struct packed p = packed_at(track, place.chunk);
    tt_pack_sums(p.entry, p.bytes, track->sum_count, sums);
}

uint64_t tt_track_index(const struct tt_track *track, struct tt_track_place place)
{
    uint64_t packed = packed_of(track_state_of(track));
    uint64_t before = place.chunk < packed ? tt_pack_first(track_entry_at(track, place.chunk))
                                           : count_packed(track, packed);
    return before + place.slot;
}

/* ---- keeping ------------------------------------------------------------------------------ */

uint64_t tt_track_chunks(const struct tt_track *track)
{
    return chunk_count(track_state_of(track));
}

void tt_track_restore(struct tt_track *track, const struct tt_track_directory *directory,
                      uint64_t chunks)
{
    atomic_store_explicit(&track->directory, directory, memory_order_release);
    atomic_store_explicit(&track->state, chunks << 8, memory_order_release);
}
