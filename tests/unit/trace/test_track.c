/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks return the appended items, packed or not, also while they grow. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace/track/track.h"
#include "trace/track/track_pack.h"

#define SUMS 5u

static uint64_t dice(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 11;
}

struct model {
    struct tt_track track;
    struct tt_arena arena;
    size_t count;
    uint64_t *times;
    uint32_t *values;
    uint32_t *more;
    uint64_t (*sums)[SUMS]; /* at the time of the item */
};

/* Parameters of random times and values; some of them end chunks early. */
struct kind {
    uint64_t step; /* below this, mostly */
    uint32_t distinct;
    uint64_t growth; /* of the sums */
    bool jumps;
};

static struct model make(size_t count, bool wide, struct kind kind, uint64_t seed)
{
    struct model m = {.count = count};
    m.times = malloc(count * sizeof *m.times);
    m.values = malloc(count * sizeof *m.values);
    m.more = malloc(count * sizeof *m.more);
    m.sums = malloc(count * sizeof *m.sums);
    (wide ? tt_track_init_wide : tt_track_init)(&m.track, SUMS);
    uint64_t sums[SUMS] = {0}, now = dice(&seed) % 1000;
    for (size_t i = 0; i < count; i++) {
        uint64_t jump = kind.jumps && dice(&seed) % 50 == 0 ? UINT64_C(5000000000) : 0;
        now += kind.step ? dice(&seed) % kind.step + jump : 0;
        m.times[i] = now;
        m.values[i] = (uint32_t)(dice(&seed) % kind.distinct * UINT32_C(2654435761));
        m.more[i] = (uint32_t)dice(&seed) >> dice(&seed) % 32;
        memcpy(m.sums[i], sums, sizeof sums);
        if (wide) {
            cr_assert(tt_track_append_wide(&m.track, &m.arena, now, m.values[i], 7, sums));
            tt_track_set_more(&m.track, m.more[i]);
        } else {
            cr_assert(tt_track_append(&m.track, &m.arena, now, m.values[i], sums));
        }
        for (unsigned k = 1; kind.growth && k < SUMS; k++) {
            sums[k] += dice(&seed) % (kind.growth << 8 * (k - 1));
        }
    }
    return m;
}

static void free_model(struct model *m)
{
    tt_arena_free(&m->arena);
    free(m->times);
    free(m->values);
    free(m->more);
    free(m->sums);
}

/* The last item at or before `time`, or -1. */
static long last_before(const struct model *m, uint64_t time)
{
    long found = -1;
    for (size_t i = 0; i < m->count && m->times[i] <= time; i++) {
        found = (long)i;
    }
    return found;
}

static void check_walk(const struct model *m)
{
    const struct tt_track *track = &m->track;
    struct tt_track_place place, first = {0, 0};
    uint64_t sums[SUMS];
    size_t n = 0;
    for (bool more = tt_track_first(track, &place); more; more = tt_track_next(track, &place)) {
        struct tt_track_item item = tt_track_item(track, place);
        cr_assert_eq(item.time, m->times[n]);
        cr_assert_eq(item.value, m->values[n]);
        cr_assert_eq(tt_track_index(track, place), n);
        cr_assert(tt_track_has(track, place));
        if (track->wide) {
            cr_assert_eq(tt_track_more(track, place), m->more[n]);
        }
        tt_track_sums(track, place, sums);
        if (place.chunk > 0) {
            cr_assert_eq(memcmp(sums, m->sums[n - place.slot], sizeof sums), 0);
        } else {
            cr_assert_eq(sums[SUMS - 1], 0);
        }
        n++;
    }
    cr_assert_eq(n, m->count);
    cr_assert(tt_track_last(track, &place));
    cr_assert_eq(tt_track_index(track, place), m->count - 1);
    while (tt_track_previous(track, &place)) {
        n--;
        cr_assert_eq(tt_track_item(track, place).time, m->times[n - 1]);
    }
    cr_assert_eq(n, 1);
    cr_assert(place.chunk == first.chunk && place.slot == first.slot);
}

/* Unpacking whole chunks, or their first items, gives the same items. */
static void check_pages(const struct model *m, uint64_t seed)
{
    struct tt_track_page page = {.has_next = true};
    uint32_t more[TT_TRACK_CHUNK];
    size_t n = 0;
    for (uint32_t chunk = 0; page.has_next; chunk++) {
        uint32_t limit = dice(&seed) % 2 ? TT_TRACK_CHUNK : (uint32_t)(dice(&seed) % 70);
        tt_track_load(&m->track, chunk, limit, &page);
        cr_assert_eq(page.first, n);
        cr_assert_eq(page.chunk, chunk);
        for (uint32_t i = 0; i < page.count && i < limit; i++) {
            cr_assert_eq(tt_page_time(&page, i), m->times[n + i]);
            cr_assert_eq(page.value[i], m->values[n + i]);
            bool known = i + 1 < limit || i + 1 == page.count;
            uint64_t end = n + i + 1 < m->count ? m->times[n + i + 1] : 99;
            cr_assert(!known || tt_page_end(&page, i, 99) == end);
        }
        if (m->track.wide) {
            tt_track_load_more(&m->track, &page, limit, more);
            cr_assert_eq(
                memcmp(more, m->more + n, (limit < page.count ? limit : page.count) * sizeof *more),
                0);
        }
        n += page.count;
    }
    cr_assert_eq(n, m->count);
}

static void check_finding(const struct model *m, uint64_t seed)
{
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t time = m->times[dice(&seed) % m->count] + dice(&seed) % 3 - 1;
        struct tt_track_place place;
        long expected = last_before(m, time);
        cr_assert_eq(tt_track_find(&m->track, time, &place), expected >= 0);
        if (expected >= 0) {
            cr_assert_eq(tt_track_index(&m->track, place), (uint64_t)expected);
        }
    }
}

Test(track, returns_the_appended_items)
{
    static const struct kind kinds[] = {
        {1000, 3, 1, false},     {UINT64_C(1) << 31, 60, 200, true},
        {0, 1, 0, false},        {2, UINT32_MAX, 1, false},
        {100000, 17, 255, true}, {1, 2, 100, false},
    };
    static const size_t counts[] = {1, 3, 4, 5, 19, 20, 21, 84, 85, 1000, 5000};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            for (unsigned wide = 0; wide < 2; wide++) {
                struct model m = make(counts[i], wide, kinds[kind], kind * 100 + i);
                cr_assert_eq(tt_track_count(&m.track), counts[i]);
                check_walk(&m);
                check_finding(&m, i);
                check_pages(&m, i);
                free_model(&m);
            }
        }
    }
}

Test(track, is_empty_at_first)
{
    struct tt_track track;
    struct tt_track_place place;
    tt_track_init(&track, SUMS);
    cr_assert(tt_track_is_empty(&track));
    cr_assert_eq(tt_track_count(&track), 0);
    cr_assert_not(tt_track_find(&track, UINT64_MAX, &place));
    cr_assert_not(tt_track_first(&track, &place));
    cr_assert_not(tt_track_last(&track, &place));
    cr_assert_not(tt_track_has(&track, (struct tt_track_place){0, 0}));
}

Test(track, takes_times_at_both_ends)
{
    static const uint64_t times[] = {
        0, 0, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX};
    struct tt_arena arena = {0};
    struct tt_track track;
    tt_track_init(&track, 0);
    for (uint32_t i = 0; i < 7; i++) {
        cr_assert(tt_track_append(&track, &arena, times[i], i, NULL));
    }
    struct tt_track_place place;
    for (uint32_t i = 0; i < 7; i++) {
        cr_assert(tt_track_find(&track, times[i], &place));
        cr_assert_eq(tt_track_item(&track, place).time, times[i]);
        cr_assert_eq(tt_track_index(&track, place), i == 0 ? 1 : i == 5 ? 6 : i);
    }
    tt_arena_free(&arena);
}

/* Few distinct values in a chunk: they are stored as distances from an origin. */
Test(track, takes_distinct_values_of_any_sign)
{
    static const uint32_t sets[][4] = {
        {0, 1, 2, 3},
        {UINT32_MAX, 0, 5, 1000},                         /* no thread, and threads */
        {0xffff0001, 0x00000002, 0x00010003, 0x00030001}, /* no CPU, and CPUs */
        {0xffff0000, 0xffff0001, 0xffff3fff, 0xffffffff}, /* no CPU */
        {0x80000000, 0x7fffffff, 0, UINT32_MAX},          /* both ends */
        {0x80000000, 0x80000001, 0x80000000, 0x80000001},
        {0x80000001, 0xbfffffff, 0xc0000000, 0xc0000001},
        {0x7fffffff, 0x7ffffffe, 0x40000000, 0x7fffffff},
        {1000000, 1000000, 1000000, 1000000},
    };
    enum { ITEMS = 300 };
    for (size_t set = 0; set < sizeof sets / sizeof sets[0]; set++) {
        struct tt_arena arena = {0};
        struct tt_track track;
        tt_track_init(&track, 0);
        for (uint32_t i = 0; i < ITEMS; i++) {
            cr_assert(tt_track_append(&track, &arena, i, sets[set][i * 7 / 3 % 4], NULL));
        }
        struct tt_track_place place = {0, 0};
        struct tt_track_page page = {.chunk = UINT32_MAX};
        for (uint32_t i = 0; i < ITEMS; i++, tt_track_next(&track, &place)) {
            if (page.chunk != place.chunk) {
                tt_track_load(&track, place.chunk, TT_TRACK_CHUNK, &page);
            }
            cr_assert_eq(tt_track_item(&track, place).value, sets[set][i * 7 / 3 % 4]);
            cr_assert_eq(page.value[place.slot], sets[set][i * 7 / 3 % 4]);
        }
        tt_arena_free(&arena);
    }
}

/*
 * Memory of a thread's states: small steps, few values, sums of five bytes. With four million items
 * the unused end of the arena's last page is negligible.
 */
Test(track, takes_few_bytes)
{
    enum { COUNT = 4000000 };
    struct tt_track track;
    struct tt_arena arena = {0};
    uint64_t sums[SUMS] = {0}, now = 0, seed = 1;
    tt_track_init(&track, SUMS);
    for (unsigned i = 0; i < COUNT; i++) {
        now += dice(&seed) % (1 << 20);
        uint32_t value = (uint32_t)(dice(&seed) % 10 * UINT32_C(2654435761));
        cr_assert(tt_track_append(&track, &arena, now, value, sums));
        for (unsigned k = 1; k < SUMS; k++) {
            sums[k] += dice(&seed) % (UINT64_C(1) << 20 << 8 * (k - 1));
        }
    }
    cr_assert_eq(tt_track_count(&track), COUNT);
    cr_assert_lt(tt_arena_memory(&arena), COUNT * 6);
    tt_arena_free(&arena);
}

/* No read goes beyond TT_PACK_MOST bytes of a chunk, whatever it and its entry contain. */
Test(track, damaged_chunks_are_read_within_bounds)
{
    uint64_t seed = 7;
    for (unsigned round = 0; round < 20000; round++) {
        struct tt_track_entry entry = {.where = dice(&seed) % 80,
                                       .delta_bits = (uint8_t)(dice(&seed) % 40),
                                       .value_bits = (uint8_t)(dice(&seed) % 40),
                                       .distinct = (uint8_t)(dice(&seed) % 80),
                                       .more_bits = (uint8_t)(dice(&seed) % 40)};
        if (!tt_pack_is_possible(&entry)) {
            continue;
        }
        uint8_t *bytes = malloc(TT_PACK_MOST);
        uint64_t sums[TT_TRACK_SUMS_MAX], sink = 0;
        for (size_t i = 0; i < TT_PACK_MOST; i++) {
            bytes[i] = (uint8_t)(round % 3 ? dice(&seed) : 0xff);
        }
        for (uint32_t slot = 0; slot < tt_pack_count(&entry); slot++) {
            sink += tt_pack_delta(&entry, bytes, slot) + tt_pack_value(&entry, bytes, slot) +
                    tt_pack_more(&entry, bytes, slot);
        }
        uint32_t numbers[TT_TRACK_CHUNK], count = tt_pack_count(&entry);
        tt_unpack_numbers(bytes, count, entry.delta_bits, numbers);
        for (uint32_t slot = 0; slot < count; slot++) {
            cr_assert_eq(numbers[slot], tt_pack_delta(&entry, bytes, slot));
        }
        tt_unpack_values(&entry, bytes, count, numbers);
        for (uint32_t slot = 0; slot < count; slot++) {
            cr_assert_eq(numbers[slot], tt_pack_value(&entry, bytes, slot));
        }
        tt_pack_sums(&entry, bytes, TT_TRACK_SUMS_MAX, sums);
        cr_assert_leq(tt_pack_size(&entry, bytes, TT_TRACK_SUMS_MAX), TT_PACK_MOST);
        cr_assert_neq(sink, UINT64_MAX);
        free(bytes);
    }
}

/* ---- while it grows ----------------------------------------------------------------------- */

#define GROWN 200000u

struct growing {
    struct tt_track track;
    struct tt_arena arena;
    _Atomic bool done;
};

/* Item i: time 3 i, value i, more ~i; sums of a chunk: i of its first item. */
static void *grow(void *state)
{
    struct growing *g = state;
    for (uint32_t i = 0; i < GROWN; i++) {
        uint64_t sums[SUMS] = {i, i, i, i, i};
        cr_assert(tt_track_append_wide(&g->track, &g->arena, 3 * (uint64_t)i, i, ~i, sums));
    }
    atomic_store(&g->done, true);
    return NULL;
}

static void check_growing(const struct growing *g, uint64_t *seed)
{
    uint64_t count = tt_track_count(&g->track), n = count ? dice(seed) % count : 0;
    /* Mostly near the end, where chunks are being packed. */
    n = count > 100 && dice(seed) % 4 ? count - 1 - dice(seed) % 100 : n;
    struct tt_track_place place;
    uint64_t sums[SUMS];
    if (count == 0) {
        return;
    }
    cr_assert(tt_track_find(&g->track, 3 * n, &place));
    cr_assert_eq(tt_track_index(&g->track, place), n);
    cr_assert_eq(tt_track_item(&g->track, place).value, n);
    cr_assert_eq(tt_track_item(&g->track, place).time, 3 * n);
    cr_assert_eq(tt_track_more(&g->track, place), (uint32_t)~n);
    tt_track_sums(&g->track, place, sums);
    cr_assert_eq(sums[SUMS - 1], place.chunk ? n - place.slot : 0);
    struct tt_track_page page;
    uint32_t more[TT_TRACK_CHUNK];
    tt_track_load(&g->track, place.chunk, TT_TRACK_CHUNK, &page);
    tt_track_load_more(&g->track, &page, place.slot + 1, more);
    cr_assert_gt(page.count, place.slot);
    cr_assert_eq(page.first + place.slot, n);
    cr_assert_eq(page.value[place.slot], n);
    cr_assert_eq(more[place.slot], (uint32_t)~n);
    cr_assert(!page.has_next || page.next == 3 * (page.first + page.count));
    if (tt_track_next(&g->track, &place)) {
        cr_assert_eq(tt_track_item(&g->track, place).value, n + 1);
    }
}

Test(track, is_read_while_it_grows)
{
    struct growing g = {.done = false};
    pthread_t writer;
    uint64_t seed = 3;
    tt_track_init_wide(&g.track, SUMS);
    cr_assert_eq(pthread_create(&writer, NULL, grow, &g), 0);
    while (!atomic_load(&g.done)) {
        check_growing(&g, &seed);
    }
    pthread_join(writer, NULL);
    cr_assert_eq(tt_track_count(&g.track), GROWN);
    check_growing(&g, &seed);
    tt_arena_free(&g.arena);
}
