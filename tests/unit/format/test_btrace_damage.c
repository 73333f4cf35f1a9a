/* SPDX-License-Identifier: Apache-2.0 */
/* Streams that are damaged, truncated or still growing; and bytes that are not a stream. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btrace_build.h"

enum { A = 0x1000, PROC = 0x9000 };

/* Makes a stream of about 90 records of all kinds: names, switches, parts, counters. */
static struct stream sample(uint32_t seed)
{
    struct stream s = {0};
    uint8_t data[400];
    memset(data, 'x', sizeof data);
    uint32_t ts = 1000;
    stream_words(&s, 15, 0, ts, (const uint32_t[]){0xd58637bd, 0xe0431bde, 0}, 3);
    stream_words(&s, 3, 7, ts, (const uint32_t[]){PROC}, 1);
    for (uint32_t i = 0; i < 5; i++) {
        stream_name(&s, 3, 5, ts, A + i * 256, PROC, "app.exe[1]0001");
        stream_name(&s, 3, 4, ts, A + i * 256, PROC, "Worker");
    }
    for (uint32_t i = 0; i < 12; i++) {
        seed = seed * 1103515245u + 12345u;
        stream_switch(&s, ts += 10, A + (seed >> 16) % 5 * 256);
        stream_words(&s, 14, 2, ts += 3, (const uint32_t[]){0xaa, i * 16, 16, 12}, 4);
        stream_words(&s, 4, 0, ts += 1, NULL, 0);
        stream_words(&s, 4, 1, ts += 1, NULL, 0);
        if (i % 4 == 0) {
            stream_parts(&s, 194, 1, ts, i, 99, data, 100 + i * 20);
            ts += 10;
        }
        stream_name(&s, 0, 0, ts, 7, 0x6c6c6568, "o world");
    }
    return s;
}

static void touch_all(const struct reading *r)
{
    struct tt_part parts[8];
    for (uint32_t i = 0; i < r->count; i++) {
        args_line(r, i);
        tt_format_btrace.parts(r->capture, &r->events[i], r->capture->bytes.size, parts, 8);
    }
}

/* Counts the events of `whole` that are also in `damaged`, moved by `shift` after `from`. */
static uint32_t common(const struct reading *whole, const struct reading *damaged, uint64_t from,
                       int64_t shift)
{
    uint32_t found = 0, at = 0;
    for (uint32_t i = 0; i < whole->count; i++) {
        uint64_t pos = whole->events[i].pos;
        pos = pos < from ? pos : pos + (uint64_t)shift;
        while (at < damaged->count && damaged->events[at].pos < pos) {
            at++;
        }
        found += at < damaged->count && damaged->events[at].pos == pos;
    }
    return found;
}

Test(btrace_damage, impossible_sizes)
{
    static const uint8_t sizes[] = {0, 1, 3, 117, 200, 255};
    struct stream good = sample(1);
    struct reading whole = read_stream(&good);
    for (unsigned i = 0; i < sizeof sizes; i++) {
        struct stream s = sample(1);
        uint64_t pos = whole.events[20].pos;
        s.bytes[pos] = sizes[i];
        struct reading r = read_stream(&s);
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 1);
        struct tt_health_record health = tt_health_at(r.capture, 0);
        cr_expect_eq(health.kind, TT_HEALTH_DAMAGED);
        cr_expect_eq(health.offset, pos);
        cr_expect_eq(health.value, whole.events[21].pos - pos);
        cr_expect_eq(r.count, whole.count - 1, "all but the one are there");
        cr_expect_eq(common(&whole, &r, 0, 0), whole.count - 1);
        cr_expect(tt_health_damaged(r.capture));
        cr_expect_geq(action_total(&r, TT_ACTION_LOST), 1);
        reading_free(&r);
        stream_free(&s);
    }
    reading_free(&whole);
    stream_free(&good);
}

Test(btrace_damage, extensions_that_do_not_fit)
{
    struct stream good = sample(2), s = sample(2);
    struct reading whole = read_stream(&good);
    s.bytes[whole.events[30].pos] = 12;
    s.bytes[whole.events[30].pos + 1] = 0x3f;
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 1);
    cr_expect_eq(common(&whole, &r, 0, 0), whole.count - 1);
    reading_free(&r);
    reading_free(&whole);
    stream_free(&s);
    stream_free(&good);
}

/* Inserts and removes bytes, also such that the rest is no longer aligned. */
Test(btrace_damage, inserted_and_removed_bytes)
{
    struct stream good = sample(3);
    struct reading whole = read_stream(&good);
    for (uint32_t event = 5; event < whole.count - 10; event += 7) {
        for (int change = -9; change <= 33; change += 3) {
            uint64_t pos = whole.events[event].pos;
            uint64_t gone = change < 0 ? (uint64_t)-change : 0;
            struct stream s = {0};
            stream_bytes(&s, good.bytes, pos);
            for (int i = 0; i < change; i++) {
                stream_bytes(&s, "\xee", 1);
            }
            stream_bytes(&s, good.bytes + pos + gone, good.size - pos - gone);
            struct reading r = read_stream(&s);
            touch_all(&r);
            uint32_t same = common(&whole, &r, pos, change);
            cr_expect_geq(same + 6, whole.count, "event %u, %+d bytes: %u of %u", event, change,
                          same, whole.count);
            if (change != 0) {
                cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 1,
                             "event %u, %+d bytes", event, change);
            }
            reading_free(&r);
            stream_free(&s);
        }
    }
    reading_free(&whole);
    stream_free(&good);
}

Test(btrace_damage, cut_at_every_byte)
{
    struct stream good = sample(4);
    struct reading whole = read_stream(&good);
    for (size_t size = 0; size < good.size; size++) {
        uint8_t *cut = malloc(size + 1); /* a separate block: the sanitizer finds reads beyond it */
        memcpy(cut, good.bytes, size);
        struct reading r = read_bytes(cut, size);
        touch_all(&r);
        uint32_t expected = 0;
        while (expected < whole.count &&
               whole.events[expected].pos + whole.events[expected].length <= size) {
            expected++;
        }
        cr_assert_eq(r.count, expected, "%zu bytes: %u events, %u expected", size, r.count,
                     expected);
        reading_free(&r);
        free(cut);
    }
    reading_free(&whole);
    stream_free(&good);
}

Test(btrace_damage, half_a_record_at_the_end_is_damage)
{
    struct stream s = sample(5);
    struct reading whole = read_stream(&s);
    uint64_t last = whole.events[whole.count - 1].pos;
    struct reading r = read_bytes(s.bytes, last + 6);
    cr_expect_eq(r.count, whole.count - 1);
    cr_assert_eq(tt_health_count(r.capture, TT_HEALTH_TRUNCATED), 1);
    cr_expect_eq(tt_health_at(r.capture, tt_health_kept(r.capture) - 1).value, 6);
    reading_free(&r);
    reading_free(&whole);
    stream_free(&s);
}

Test(btrace_damage, records_of_future_categories_are_shown)
{
    struct stream s = sample(6);
    for (uint32_t i = 0; i < 20; i++) {
        stream_words(&s, (uint8_t)(40 + i), (uint8_t)i, 2000 + i, (const uint32_t[]){1, 2}, 2);
    }
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNKNOWN_EVENT), 20);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 0);
    cr_expect_str_eq(class_name(&r, r.count - 1), "Category59");
    cr_expect_str_eq(type_name(&r, r.count - 1), "Sub19");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_damage, cut_by_the_writer)
{
    struct stream s = sample(7);
    stream_record(&s, &(struct rec){.flags = TS | CUT,
                                    .category = 1,
                                    .ts = 3000,
                                    .data = "\x01\0\0\0some text",
                                    .length = 13});
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_CUT_BY_WRITER), 1);
    cr_expect(!tt_health_damaged(r.capture));
    cr_expect(strstr(args_line(&r, r.count - 1), "text=\"some text\" record=\"truncated\""));
    reading_free(&r);
    stream_free(&s);
}

/* A file that grows in steps has the same events as the complete one. */
Test(btrace_damage, a_growing_file)
{
    struct stream s = sample(8);
    s.bytes[s.size / 2] ^= 0x5a;
    struct reading whole = read_stream(&s);
    for (size_t step = 1; step < 120; step += 17) {
        struct tt_capture *c;
        struct tt_status status = tt_capture_new(tt_bytes_of(s.bytes, s.size), &c);
        cr_assert(!tt_failed(&status));
        status = tt_format_btrace.open(c, NULL);
        cr_assert(!tt_failed(&status));
        c->format = &tt_format_btrace;
        struct tt_cursor *cursor = tt_format_btrace.cursor_new(c, true);
        static struct tt_event events[256];
        struct tt_batch batch = {.events = events, .capacity = 256};
        for (size_t limit = 0; limit < s.size; limit += step) {
            cr_assert_eq(tt_format_btrace.decode(cursor, limit, false, &batch), TT_DECODE_END);
        }
        cr_assert_eq(tt_format_btrace.decode(cursor, s.size, true, &batch), TT_DECODE_END);
        cr_assert_eq(batch.count, whole.count, "steps of %zu", step);
        for (uint32_t i = 0; i < batch.count; i++) {
            cr_expect_eq(memcmp(&events[i], &whole.events[i], sizeof events[i]), 0);
        }
        cr_expect_eq(tt_health_count(c, TT_HEALTH_DAMAGED),
                     tt_health_count(whole.capture, TT_HEALTH_DAMAGED));
        tt_format_btrace.cursor_free(cursor);
        tt_capture_free(c);
    }
    reading_free(&whole);
    stream_free(&s);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

Test(btrace_damage, mutations)
{
    uint32_t random = 88172645;
    for (uint32_t round = 0; round < 1500; round++) {
        struct stream s = sample(round);
        unsigned changes = 1 + next_random(&random) % 12;
        for (unsigned i = 0; i < changes; i++) {
            size_t at = next_random(&random) % s.size;
            switch (next_random(&random) % 4) {
            case 0:
                s.bytes[at] = (uint8_t)next_random(&random);
                break;
            case 1:
                s.bytes[at] ^= (uint8_t)(1u << next_random(&random) % 8);
                break;
            case 2:
                memset(s.bytes + at, 0xff, s.size - at < 9 ? s.size - at : 9);
                break;
            default:
                memset(s.bytes + at, 0, s.size - at < 40 ? s.size - at : 40);
                break;
            }
        }
        size_t size = round % 3 == 0 ? next_random(&random) % s.size : s.size;
        uint8_t *exact = malloc(size + 1);
        memcpy(exact, s.bytes, size);
        struct reading r = read_bytes(exact, size);
        touch_all(&r);
        /* Only records near a change are lost. */
        cr_expect_leq(r.count, size / 4);
        reading_free(&r);
        free(exact);
        stream_free(&s);
    }
}

/* ---- telling a stream from other bytes -------------------------------------------------- */

static int probe(const void *bytes, size_t size)
{
    return tt_format_btrace.probe(tt_bytes_of(bytes, size), size);
}

Test(btrace_probe, streams_are_recognised)
{
    struct stream s = sample(1);
    cr_expect_geq(probe(s.bytes, s.size), 60);
    for (size_t size = 300; size < s.size; size++) {
        cr_expect_gt(probe(s.bytes, size), 0, "the first %zu bytes", size);
    }
    stream_free(&s);
    /* SMP from the first record on. */
    for (uint32_t i = 0; i < 20; i++) {
        stream_smp(&s, (uint16_t)(i % 3), 6, 100 + i, 0x1000 * i);
    }
    cr_expect_geq(probe(s.bytes, s.size), 60);
    stream_free(&s);
}

Test(btrace_probe, a_very_short_stream_by_its_exact_end)
{
    struct stream s = {0};
    stream_words(&s, 15, 0, 1, (const uint32_t[]){0xd58637bd, 0xe0431bde, 0}, 3);
    stream_switch(&s, 5, A);
    cr_expect_gt(probe(s.bytes, s.size), 0);
    cr_expect_eq(probe(s.bytes, s.size - 1), 0);
    stream_bytes(&s, "\0\0\0\0", 4);
    cr_expect_eq(probe(s.bytes, s.size), 0);
    stream_free(&s);
}

Test(btrace_probe, late_damage_does_not_matter)
{
    struct stream s = {0};
    for (uint32_t i = 0; i < 5; i++) {
        struct stream more = sample(i);
        stream_bytes(&s, more.bytes, more.size);
        stream_free(&more);
    }
    s.bytes[s.size / 2] = 0;
    s.bytes[s.size / 2 + 1] = 0xff;
    memset(s.bytes + s.size - 500, 0, 100);
    cr_expect_gt(probe(s.bytes, s.size), 0);
    stream_free(&s);
}

Test(btrace_probe, random_bytes_are_not)
{
    uint32_t random = 2463534242u;
    uint8_t bytes[512];
    for (uint32_t round = 0; round < 200000; round++) {
        size_t size = next_random(&random) % sizeof bytes;
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(next_random(&random) >> 11);
        }
        if (size < 24) {
            continue; /* a record or two can be anything */
        }
        cr_assert_eq(probe(bytes, size), 0, "round %u: %zu bytes", round, size);
    }
}

Test(btrace_probe, other_files_are_not)
{
    uint8_t zeros[4096] = {0}, ones[4096];
    memset(ones, 0xff, sizeof ones);
    cr_expect_eq(probe(zeros, sizeof zeros), 0);
    cr_expect_eq(probe(ones, sizeof ones), 0);
    for (unsigned value = 0; value < 256; value++) {
        memset(ones, (int)value, sizeof ones);
        cr_expect_eq(probe(ones, sizeof ones), 0, "all 0x%02x", value);
    }
    static const char *const paths[] = {"Makefile",
                                        "LICENSE",
                                        "/proc/self/exe",
                                        ".clang-format",
                                        "src/format/btrace/btrace_tables.c",
                                        "/bin/sh"};
    const size_t most = 1 << 20;
    uint8_t *file = malloc(most);
    cr_assert(file);
    for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        FILE *f = fopen(paths[i], "rb");
        if (f) {
            size_t size = fread(file, 1, most, f);
            fclose(f);
            cr_expect_eq(probe(file, size), 0, "%s", paths[i]);
        }
    }
    free(file);
    static const char text[] = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n";
    cr_expect_eq(probe(text, sizeof text - 1), 0);
    cr_expect_eq(probe("", 0), 0);
    cr_expect_eq(probe("\x04", 1), 0);
}

/* Checks every available capture of the other formats. */
Test(btrace_probe, captures_of_other_formats_are_not)
{
    static const char *const starts[] = {
        "TRACE_HEADER_BEGIN::TRACE_FILE_NAME:: x",
        "\x10\0\x04\x46\x16\x54\x78\0\x31\0\0\0\0\0\0\0",
        "BTXT\0\0\0\0\x10\0\0\0\x20\0\0\0\x40\0\0\0",
    };
    static const size_t sizes[] = {39, 16, 20};
    for (unsigned i = 0; i < 3; i++) {
        uint8_t head[256] = {0};
        memcpy(head, starts[i], sizes[i]);
        cr_expect_eq(probe(head, sizeof head), 0);
        cr_expect_eq(probe(head, sizes[i]), 0);
    }
}
