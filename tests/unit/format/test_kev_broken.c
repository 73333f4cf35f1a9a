/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures truncated at every length and damaged at random: no crash, no hang, readable events are
 * read. Bytes are in a block of exactly their size, so that a sanitizer reports a read past them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kev_build.h"
#include "style/style.h"

struct sum {
    uint64_t events;
    uint64_t args;
};

static bool swallow(void *arg, const char *bytes, size_t length)
{
    uint64_t *total = arg;
    *total += length;
    for (size_t i = 0; i < length; i++) {
        unsigned char ch = (unsigned char)bytes[i];
        cr_assert(ch == '\n' || (ch >= ' ' && ch != 0x7f), "byte %02x in print", ch);
    }
    return true;
}

/* Calls every query of a capture. */
static struct sum ask_all(const struct kev_read *r, size_t size)
{
    static struct tt_args args;
    struct sum sum = {r->event_count, 0};
    const struct tt_format *format = r->capture->format;
    for (uint32_t i = 0; i < r->event_count; i++) {
        struct tt_part parts[2];
        cr_assert(format->describe(r->capture, &r->events[i], size, &args));
        cr_assert_geq(format->parts(r->capture, &r->events[i], size, parts, 2), 1);
        sum.args += args.count;
    }
    uint64_t printed = 0;
    struct tt_sink sink = {.write = swallow, .arg = &printed};
    tt_style_find(format, "traceprinter")->print(r->capture, &sink, NULL, NULL);
    tt_style_find(format, "traceprinter7")->print(r->capture, &sink, NULL, NULL);
    return sum;
}

/* Opens a copy of the bytes; true if it is a capture. */
static bool try_capture(const uint8_t *bytes, size_t size, struct sum *sum, bool *damaged)
{
    uint8_t *copy = malloc(size ? size : 1);
    cr_assert_not_null(copy);
    memcpy(copy, bytes, size);
    struct tt_capture *c = NULL;
    struct tt_capture_options options = {0};
    cr_assert_eq(tt_capture_new(tt_bytes_of(copy, size), &c).code, TT_OK);
    struct tt_status status = tt_capture_open(c, "x.kev", &options);
    bool good = status.code == TT_OK;
    if (good) {
        struct kev_read r = kev_read_capture(c);
        *sum = ask_all(&r, size);
        *damaged = tt_health_damaged(r.capture);
        kev_read_free(&r);
    } else {
        cr_assert(status.code == TT_ERR_NOT_CAPTURE || status.code == TT_ERR_FORMAT, "%s",
                  status.text);
        cr_assert_gt(strlen(status.text), 0);
        cr_assert_null(strchr(status.text, '\n'), "one line: %s", status.text);
        tt_capture_free(c);
    }
    free(copy);
    return good;
}

static size_t slots_offset(const uint8_t *bytes, size_t size, size_t syspage)
{
    static const char end[] = "TRACE_HEADER_END::";
    for (size_t i = 0; i + sizeof end <= size; i++) {
        if (memcmp(bytes + i, end, sizeof end - 1) == 0) {
            return i + sizeof end - 1 + syspage;
        }
    }
    cr_assert_fail("no end of the header");
    return 0;
}

/* `every`: step in the body; around the header and at the end every length is tried. */
static void cut_everywhere(const uint8_t *bytes, size_t size, size_t syspage, size_t every)
{
    size_t slots = slots_offset(bytes, size, syspage);
    uint64_t events = 0;
    for (size_t length = 0; length <= size;) {
        struct sum sum = {0, 0};
        bool damaged = false;
        bool good = try_capture(bytes, length, &sum, &damaged);
        cr_assert_eq(good, length >= slots - syspage, "length %zu", length);
        if (good && length < slots) {
            cr_assert(damaged);
            cr_assert_eq(sum.events, 0);
        } else if (good) {
            cr_assert_eq(damaged, (length - slots) % 16 != 0, "length %zu", length);
            cr_assert_geq(sum.events, events, "length %zu: what is there is shown", length);
            events = sum.events;
        }
        length += length < slots + 256 || length + 64 >= size ? 1 : every;
    }
    cr_assert_gt(events, 0);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    long end = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc((size_t)end);
    cr_assert_not_null(bytes);
    cr_assert_eq(fread(bytes, 1, (size_t)end, file), (size_t)end);
    fclose(file);
    *size = (size_t)end;
    return bytes;
}

static void cut_sample(const char *path)
{
    size_t size = 0;
    uint8_t *bytes = read_file(path, &size);
    cut_everywhere(bytes, size, 256, 211);
    free(bytes);
}

Test(kev_broken, fast_sample_cut_at_many_lengths)
{
    cut_sample("samples/fast1.kev");
}

Test(kev_broken, wide_sample_cut_at_many_lengths)
{
    cut_sample("samples/wide4.kev");
}

static void build_of_all_sorts(struct kev_build *b, const char *release, bool big)
{
    uint32_t stamp = 100;
    uint32_t words[48];
    kev_build_begin(b, release, big);
    kev_build_buffer(b, 0, stamp, 33, 0);
    kev_build_time(b, 0, stamp, 5);
    kev_build_named(b, 0, 192, stamp += 10, 0, 1, "proc/boot/procnto-smp-instr");
    kev_build_event(b, 0, KB_THREAD, 24, stamp += 10, 2, 1, 1);
    kev_build_event(b, 0, KB_THREAD, 1, stamp += 10, 4, 1, 1, 0, 1);
    kev_build_event(b, 0, KB_CALL, 129, stamp += 10, 2, 0, 0);
    kev_build_event(b, 0, KB_INT, 4, stamp += 10, 5, 3, 4, 1, 2, 3);
    kev_build_event(b, 1, KB_CALL, 142, stamp += 10, 17, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                    14, 15, 16, 17);
    size_t count = kev_build_text_words(b, "a text of some length", words, 48);
    kev_build_words(b, 1, KB_USER, 555, stamp += 10, words, count);
    kev_build_event(b, 0, KB_SYSTEM, 6, stamp += 10, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x62);
    kev_build_event(b, 0, KB_CALL, 512 + 11, stamp += 10, 8, 1, 2, 0, 3, 0, 4, 5, 6);
}

Test(kev_broken, built_captures_cut_at_every_length)
{
    static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};
    for (int i = 0; i < 6; i++) {
        struct kev_build b;
        build_of_all_sorts(&b, releases[i / 2], i % 2);
        cut_everywhere(b.bytes, b.size, 0, 1);
        kev_build_free(&b);
    }
}

/* xorshift: the same damage every time. */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void damage(const uint8_t *bytes, size_t size, size_t from, unsigned rounds, uint32_t seed)
{
    uint8_t *copy = malloc(size);
    cr_assert_not_null(copy);
    for (unsigned i = 0; i < rounds; i++) {
        memcpy(copy, bytes, size);
        unsigned flips = 1 + next_random(&seed) % 8;
        for (unsigned f = 0; f < flips; f++) {
            size_t at = from + next_random(&seed) % (size - from);
            copy[at] = (uint8_t)next_random(&seed);
        }
        struct sum sum;
        bool damaged;
        try_capture(copy, size, &sum, &damaged);
    }
    free(copy);
}

Test(kev_broken, random_damage)
{
    static const char *const releases[] = {"6.4.1", "6.6.0", "7.1.0", "8.0.0"};
    for (uint32_t i = 0; i < 8; i++) {
        struct kev_build b;
        build_of_all_sorts(&b, releases[i / 2], i % 2);
        damage(b.bytes, b.size, 0, 300, 12345 + i);       /* header too */
        damage(b.bytes, b.size, b.slots, 300, 54321 + i); /* slots only */
        kev_build_free(&b);
    }
}

Test(kev_broken, random_bytes)
{
    static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};
    uint32_t seed = 99;
    for (uint32_t i = 0; i < 12; i++) {
        struct kev_build b;
        kev_build_begin(&b, releases[i % 3], i % 2);
        for (uint32_t word = 0; word < 20000; word++) {
            uint32_t noise = next_random(&seed);
            kev_build_bytes(&b, &noise, sizeof noise);
        }
        struct sum sum;
        bool damaged;
        cr_assert(try_capture(b.bytes, b.size, &sum, &damaged));
        cr_assert_lt(sum.events, 100, "noise is no events");
        cr_assert(damaged);
        kev_build_free(&b);
    }
}
