/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of tracks and the store that unpacks them: items and sums are read back, by several threads.
 * Damaged frames give some items, without reads outside them.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/varint.h"
#include "trace/track/track_store.h"

#define TRACKS 3u
#define SUMS   5u
#define ITEMS  4000u

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
    struct tt_track tracks[TRACKS]; /* the last one is wide; the first one has one chunk */
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
    uint64_t time = 1000, sums[TRACKS][SUMS] = {{0}};
    memset(l, 0, sizeof *l);
    for (unsigned i = 0; i < TRACKS; i++) {
        (i + 1 < TRACKS ? tt_track_init : tt_track_init_wide)(&l->tracks[i], SUMS);
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        time += i % 701 == 700 ? UINT64_C(1) << 33 : random_ticks(&seed, 24);
        if (i < 3) {
            append(&l->tracks[0], &l->arena, time, i, sums[0], &seed);
        }
        append(&l->tracks[1], &l->arena, time,
               next_random(&seed) % 3 ? (uint32_t)next_random(&seed) % 7 : UINT32_MAX - 1, sums[1],
               &seed);
        append(&l->tracks[2], &l->arena, time, (uint32_t)random_ticks(&seed, 32), sums[2], &seed);
    }
}

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

/* ---- the store ------------------------------------------------------------------------------ */

struct saved {
    struct tt_section_writer *frames, *directories;
};

static void save(const struct lanes *l, struct saved *s)
{
    s->frames = tt_section_writer_gathering();
    s->directories = tt_section_writer_gathering();
    struct tt_track_saver *saver = tt_track_saver_new(s->frames, s->directories);
    cr_assert_not_null(saver);
    for (unsigned i = 0; i < TRACKS; i++) {
        tt_track_save(saver, &l->tracks[i]);
    }
    cr_assert(!tt_track_saver_failed(saver) && !tt_section_failed(s->frames) &&
              !tt_section_failed(s->directories));
    tt_track_saver_free(saver);
}

static void drop(struct lanes *l, struct saved *s)
{
    tt_section_writer_free(s->frames);
    tt_section_writer_free(s->directories);
    tt_arena_free(&l->arena);
}

/* Restores the saved tracks from bytes that may be damaged; returns how many were accepted. */
static unsigned restore(struct tt_track_store *store, struct tt_bytes directories,
                        struct tt_track tracks[TRACKS])
{
    const struct tt_section section = {.bytes = directories};
    struct tt_reader r = tt_section_reader(&section);
    unsigned count = 0;
    for (; count < TRACKS; count++) {
        (count + 1 < TRACKS ? tt_track_init : tt_track_init_wide)(&tracks[count], SUMS);
        if (!tt_track_restore_from(store, &r, &tracks[count])) {
            break;
        }
    }
    return count;
}

struct reading {
    const struct tt_track *tracks; /* saved */
    const struct tt_track *restored;
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
        unsigned n = (unsigned)(next_random(&r->seed) % TRACKS);
        uint32_t chunk = (uint32_t)(next_random(&r->seed) % tt_track_chunks(&r->tracks[n]));
        r->same = r->same && is_same_chunk(&r->tracks[n], &r->restored[n], chunk);
    }
    return NULL;
}

Test(track_store, chunks_are_unpacked_by_several_threads)
{
    struct lanes l;
    struct saved s;
    struct tt_track tracks[TRACKS];
    fill(&l, 7);
    save(&l, &s);
    struct tt_track_store *store = tt_track_store_new(tt_section_gathered(s.frames));
    cr_assert_not_null(store);
    cr_assert_eq(restore(store, tt_section_gathered(s.directories), tracks), TRACKS);
    for (unsigned i = 0; i < TRACKS; i++) {
        cr_assert_eq(tt_track_count(&tracks[i]), tt_track_count(&l.tracks[i]));
    }
    struct reading readings[4];
    pthread_t threads[4];
    for (unsigned i = 0; i < 4; i++) {
        readings[i] = (struct reading){l.tracks, tracks, i + 1, false};
        cr_assert_eq(pthread_create(&threads[i], NULL, read_chunks, &readings[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        cr_expect(readings[i].same, "thread %u", i);
    }
    tt_track_store_free(store);
    drop(&l, &s);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Reads everything; only the sanitizers check. */
static void read_all(struct tt_bytes frames, struct tt_bytes directories)
{
    struct tt_track_store *store = tt_track_store_new(frames);
    struct tt_track tracks[TRACKS];
    unsigned restored = store ? restore(store, directories, tracks) : 0;
    for (unsigned i = 0; i < restored; i++) {
        for (uint64_t chunk = 0; chunk < tt_track_chunks(&tracks[i]); chunk += 3) {
            struct tt_pack_items items;
            take(&tracks[i], (uint32_t)chunk, &items);
            struct tt_track_place place = {(uint32_t)chunk, items.count - 1};
            tt_track_item(&tracks[i], place);
            tt_track_find(&tracks[i], items.base, &place);
        }
    }
    tt_track_store_free(store);
}

/* Returns a copy of the first `size` bytes, in memory of its own, with some bits inverted. */
static struct tt_bytes damaged(struct tt_bytes bytes, uint64_t size, unsigned flips, uint64_t *seed)
{
    uint8_t *copy = malloc(size > 0 ? (size_t)size : 1);
    memcpy(copy, bytes.data, (size_t)size);
    while (size > 0 && flips-- > 0) {
        copy[next_random(seed) % size] ^= (uint8_t)(1u << next_random(seed) % 8);
    }
    return tt_bytes_of(copy, size);
}

Test(track_store, damaged_frames_are_harmless)
{
    struct lanes l;
    struct saved s;
    uint64_t seed = 5;
    fill(&l, 11);
    save(&l, &s);
    struct tt_bytes frames = tt_section_gathered(s.frames);
    struct tt_bytes directories = tt_section_gathered(s.directories);
    for (unsigned i = 0; i < 400; i++) {
        uint64_t cut = i % 4 == 3 ? next_random(&seed) % frames.size : frames.size;
        struct tt_bytes f = damaged(frames, cut, i % 4 == 3 ? 0 : i % 20, &seed);
        struct tt_bytes d = damaged(directories, directories.size, i % 2 ? i % 7 : 0, &seed);
        read_all(f, d);
        free((void *)(uintptr_t)f.data);
        free((void *)(uintptr_t)d.data);
    }
    for (uint64_t size = 0; size < directories.size; size += 1 + size / 50) {
        struct tt_bytes d = damaged(directories, size, 0, &seed);
        read_all(frames, d);
        free((void *)(uintptr_t)d.data);
    }
    drop(&l, &s);
}

/* A frame that unpacks to numbers out of range. The zstd checks nothing that the store does not. */
Test(track_store, frames_of_any_content_are_harmless)
{
    struct lanes l;
    struct saved s;
    uint64_t seed = 3;
    fill(&l, 13);
    save(&l, &s);
    for (unsigned i = 0; i < 200; i++) {
        uint8_t content[4000], frame[8000];
        size_t size = 1 + next_random(&seed) % sizeof content;
        for (size_t k = 0; k < size; k++) {
            content[k] = (uint8_t)(next_random(&seed) % (i % 2 ? 256 : 128));
        }
        size = ZSTD_compress(frame, sizeof frame, content, size, 1);
        struct tt_section_writer *w = tt_section_writer_gathering();
        for (unsigned track = 0; track < TRACKS; track++) {
            tt_varint_put(w, 3);
            tt_varint_put(w, track == 1 ? size : 0);
            for (unsigned chunk = 0; chunk < 3; chunk++) {
                tt_varint_put(w, chunk * 100);
                tt_varint_put(w, 1 + next_random(&seed) % 64);
            }
        }
        read_all(tt_bytes_of(frame, size), tt_section_gathered(w));
        tt_section_writer_free(w);
    }
    drop(&l, &s);
}
