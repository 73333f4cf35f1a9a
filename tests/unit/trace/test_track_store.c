/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Codes of chunks and the store that unpacks them: items and sums are read back, with references to
 * occupants, by several threads. Damaged codes give some items, without reads outside them.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace/cache/save_track.h"

#define CPUS  3u
#define SUMS  5u
#define ITEMS 3000u

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* Returns a duration of any length up to `bits` bits. */
static uint64_t random_ticks(uint64_t *seed, unsigned bits)
{
    return next_random(seed) & ((UINT64_C(1) << next_random(seed) % (bits + 1)) - 1);
}

struct lanes {
    struct tt_arena arena;
    struct tt_track cpus[CPUS];
    struct tt_track states; /* most of its times are those of an occupant */
    struct tt_track wide;
    const struct tt_track *occupants[CPUS];
};

static void append(struct tt_track *track, struct tt_arena *arena, uint64_t time, uint32_t value,
                   uint64_t *sums, uint64_t *seed)
{
    for (unsigned i = 0; i < SUMS; i++) {
        sums[i] += i < 3 ? random_ticks(seed, 20) : 0;
    }
    sums[4] = next_random(seed) << 33; /* no running sum: it becomes smaller, too */
    cr_assert(track->wide ? tt_track_append_wide(track, arena, time, value,
                                                 (uint32_t)random_ticks(seed, 32), sums)
                          : tt_track_append(track, arena, time, value, sums));
}

static void fill(struct lanes *l, uint64_t seed)
{
    uint64_t time = 1000, sums[CPUS + 2][SUMS] = {{0}};
    memset(l, 0, sizeof *l);
    for (unsigned i = 0; i < CPUS; i++) {
        tt_track_init(&l->cpus[i], SUMS);
        l->occupants[i] = &l->cpus[i];
    }
    tt_track_init(&l->states, SUMS);
    tt_track_init_wide(&l->wide, SUMS);
    for (unsigned i = 0; i < ITEMS; i++) {
        uint32_t cpu = (uint32_t)(next_random(&seed) % CPUS);
        uint32_t other = next_random(&seed) % 4 ? cpu : (uint32_t)next_random(&seed) % (CPUS + 1);
        time += i % 701 == 700 ? UINT64_C(1) << 33 : random_ticks(&seed, 24);
        append(&l->cpus[cpu], &l->arena, time,
               next_random(&seed) % 3 ? (uint32_t)next_random(&seed) % 7 : UINT32_MAX - 1,
               sums[cpu], &seed);
        if (next_random(&seed) % 3 > 0) {
            uint64_t later = next_random(&seed) % 4 ? 0 : 1;
            append(&l->states, &l->arena, time + later, other << 16 | (i & 3), sums[CPUS], &seed);
            time += later;
        }
        append(&l->wide, &l->arena, time, (uint32_t)random_ticks(&seed, 32), sums[CPUS + 1], &seed);
    }
}

/* ---- codes ---------------------------------------------------------------------------------- */

static void take(const struct tt_track *track, uint32_t chunk, struct tt_pack_items *items)
{
    struct tt_track_page page;
    memset(items, 0, sizeof *items);
    tt_track_load(track, chunk, TT_TRACK_CHUNK, &page);
    items->base = page.base;
    items->count = page.count;
    items->wide = track->wide;
    items->sum_count = chunk > 0 ? track->sum_count : 0;
    memcpy(items->delta, page.delta, page.count * sizeof *page.delta);
    memcpy(items->value, page.value, page.count * sizeof *page.value);
    if (track->wide) {
        tt_track_load_more(track, &page, TT_TRACK_CHUNK, items->more);
    }
    tt_track_sums(track, (struct tt_track_place){chunk, 0}, items->sums);
}

/* Codes each chunk and reads it back; returns the size of all codes. */
static size_t check_codes(const struct tt_track *track, const struct tt_code_refs *refs)
{
    uint64_t previous[TT_TRACK_SUMS_MAX] = {0};
    size_t all = 0;
    for (uint64_t chunk = 0; chunk < tt_track_chunks(track); chunk++) {
        struct tt_pack_items items, again = {0};
        uint8_t code[TT_CODE_MOST + TT_CODE_AFTER] = {0};
        take(track, (uint32_t)chunk, &items);
        size_t size = tt_code_put(&items, previous, refs, code);
        cr_assert_leq(size, TT_CODE_MOST);
        again.base = items.base;
        again.count = items.count;
        again.wide = items.wide;
        again.sum_count = items.sum_count;
        memcpy(again.sums, previous, sizeof previous);
        /* In memory of its own, so that the sanitizer detects a read after the end. */
        uint8_t *exact = malloc(size + TT_CODE_AFTER);
        memcpy(exact, code, size + TT_CODE_AFTER);
        cr_assert(tt_code_get(tt_bytes_of(exact, size + TT_CODE_AFTER), 0, refs, &again));
        cr_assert_eq(memcmp(&items, &again, sizeof items), 0, "chunk %u", (unsigned)chunk);
        for (size_t cut = 0; cut < size; cut++) {
            cr_assert_not(tt_code_get(tt_bytes_of(exact, cut + TT_CODE_AFTER), 0, refs, &again));
        }
        memcpy(previous, items.sums, sizeof previous);
        free(exact);
        all += size;
    }
    return all;
}

Test(track_store, codes_are_read_back)
{
    struct lanes l;
    for (uint64_t seed = 1; seed < 4; seed++) {
        fill(&l, seed);
        struct tt_code_refs refs = {l.occupants, CPUS};
        check_codes(&l.cpus[0], NULL);
        check_codes(&l.wide, NULL);
        size_t without = check_codes(&l.states, NULL);
        cr_expect_lt(check_codes(&l.states, &refs), without, "references are shorter");
        tt_arena_free(&l.arena);
    }
}

/* ---- the store ------------------------------------------------------------------------------ */

struct saved {
    struct tt_section_writer *w;
    struct tt_bytes bytes;
    struct tt_track_saved places[CPUS + 2];
};

static void save(const struct lanes *l, struct saved *s)
{
    struct tt_tracks_saved saved = {.refs = {l->occupants, CPUS}};
    saved.w = s->w = tt_section_writer_gathering();
    saved.is_states = true;
    tt_track_save(&saved, &l->states);
    saved.is_states = false;
    for (unsigned i = 0; i < CPUS; i++) {
        tt_track_save(&saved, &l->cpus[i]);
    }
    tt_track_save(&saved, &l->wide);
    tt_tracks_end(&saved);
    cr_assert(!saved.no_memory && saved.count == CPUS + 2 && !tt_section_failed(s->w));
    memcpy(s->places, saved.places, sizeof s->places);
    free(saved.places);
    s->bytes = tt_section_gathered(s->w);
}

/* Restores a saved track from bytes that may be damaged; returns false if it is rejected. */
static bool restore(struct tt_track_store *store, const struct tt_track_saved *saved,
                    struct tt_track *track)
{
    uint64_t chunks = tt_track_chunks(saved->track);
    tt_track_init(track, SUMS);
    track->wide = saved->track->wide;
    const struct tt_track_directory *directory =
        tt_track_store_directory(store, saved->place, chunks, track);
    if (directory) {
        tt_track_restore(track, directory, chunks);
    }
    return directory != NULL;
}

struct reading {
    const struct saved *saved;
    const struct tt_track *tracks; /* restored */
    uint64_t seed;
    bool same;
};

static bool is_same_chunk(const struct tt_track *a, const struct tt_track *b, uint32_t chunk)
{
    struct tt_pack_items x, y;
    take(a, chunk, &x);
    take(b, chunk, &y);
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Compares chunks in any order. */
static void *read_chunks(void *arg)
{
    struct reading *r = arg;
    r->same = true;
    for (unsigned i = 0; i < 2000; i++) {
        unsigned n = (unsigned)(next_random(&r->seed) % (CPUS + 2));
        const struct tt_track *track = r->saved->places[n].track;
        uint32_t chunk = (uint32_t)(next_random(&r->seed) % tt_track_chunks(track));
        r->same = r->same && is_same_chunk(track, &r->tracks[n], chunk);
    }
    return NULL;
}

Test(track_store, chunks_are_unpacked_by_several_threads)
{
    struct lanes l;
    struct saved s;
    struct tt_track tracks[CPUS + 2];
    fill(&l, 7);
    save(&l, &s);
    struct tt_track_store *store = tt_track_store_new(s.bytes, SUMS);
    cr_assert_not_null(store);
    for (unsigned i = 0; i < CPUS + 2; i++) {
        cr_assert(restore(store, &s.places[i], &tracks[i]));
        cr_assert_eq(tt_track_count(&tracks[i]), tt_track_count(s.places[i].track));
    }
    struct reading readings[4];
    pthread_t threads[4];
    for (unsigned i = 0; i < 4; i++) {
        readings[i] = (struct reading){&s, tracks, i + 1, false};
        cr_assert_eq(pthread_create(&threads[i], NULL, read_chunks, &readings[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        cr_expect(readings[i].same, "thread %u", i);
    }
    tt_track_store_free(store);
    tt_section_writer_free(s.w);
    tt_arena_free(&l.arena);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Reads everything; only the sanitizers check. */
static void read_all(struct tt_bytes bytes, const struct saved *s)
{
    struct tt_track_store *store = tt_track_store_new(bytes, SUMS);
    for (unsigned i = 0; store && i < CPUS + 2; i++) {
        struct tt_track track;
        struct tt_pack_items items;
        bool restored = restore(store, &s->places[i], &track);
        for (uint64_t chunk = 0; restored && chunk < tt_track_chunks(&track); chunk += 3) {
            take(&track, (uint32_t)chunk, &items);
            struct tt_track_place place = {(uint32_t)chunk, items.count - 1};
            tt_track_item(&track, place);
            tt_track_find(&track, items.base, &place);
        }
    }
    tt_track_store_free(store);
}

Test(track_store, damaged_codes_are_harmless)
{
    struct lanes l;
    struct saved s;
    uint64_t seed = 5;
    fill(&l, 11);
    save(&l, &s);
    uint8_t *bytes = malloc((size_t)s.bytes.size);
    for (unsigned i = 0; i < 300; i++) {
        memcpy(bytes, s.bytes.data, (size_t)s.bytes.size);
        for (unsigned flips = 0; flips <= i % 20; flips++) {
            /* Mostly codes; every third time the end. */
            uint64_t from = i % 3 ? 0 : s.bytes.size - 72;
            uint64_t at = from + next_random(&seed) % (s.bytes.size - from);
            bytes[at] ^= (uint8_t)(1u << next_random(&seed) % 8);
        }
        read_all(tt_bytes_of(bytes, s.bytes.size), &s);
    }
    free(bytes);
    for (uint64_t size = 0; size < s.bytes.size; size += 1 + size / 50) {
        bytes = malloc((size_t)size + 1);
        memcpy(bytes, s.bytes.data, (size_t)size);
        read_all(tt_bytes_of(bytes, size), &s);
        free(bytes);
    }
    tt_section_writer_free(s.w);
    tt_arena_free(&l.arena);
}
