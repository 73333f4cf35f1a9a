/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuchsia traces that are truncated, have wrong sizes, or flipped bits: damage is reported with its
 * offset, decoding continues at the next sound record, nothing is read beyond the end, memory is
 * proportional to the file.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "fxt_decoded.h"
#include "tracetui/trace.h"

static void write_head(struct fxt_out *out)
{
    fxt_magic(out);
    fxt_simple_event(out, 0, 1, 1, 2, "c", "first");
}

static void write_tail(struct fxt_out *out)
{
    fxt_simple_event(out, 0, 2, 1, 2, "c", "second");
    fxt_simple_event(out, 2, 3, 1, 2, "c", "third");
    fxt_simple_event(out, 3, 4, 1, 2, "c", "third");
    fxt_string(out, 1, "text");
    fxt_simple_event(out, 0, 5, 1, 2, "c", "last");
}

/* Decodes head, the bytes of `out`, tail: expects damage of a kind at `offset` only, and all events
 * of the tail. */
static void check_between(struct fxt_out *out, uint64_t offset, enum tt_health_kind kind)
{
    write_tail(out);
    struct fxt_reading r = fxt_read(out->bytes, out->size, false);
    cr_assert_eq(r.count, 5);
    cr_assert_str_eq(fxt_name(&r, 0), "first");
    cr_assert_str_eq(fxt_name(&r, 1), "second");
    cr_assert_str_eq(fxt_name(&r, 4), "last");
    cr_assert_eq(tt_health_count(r.c, kind), 1);
    cr_assert_eq(tt_health_kept(r.c), 1);
    cr_assert_eq(tt_health_at(r.c, 0).offset, offset);
    cr_assert(tt_health_damaged(r.c));
    fxt_reading_free(&r);
    free(out->bytes);
}

Test(fxt_damage, size_zero)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    fxt_word(&out, 4);
    check_between(&out, offset, TT_HEALTH_DAMAGED);
}

Test(fxt_damage, a_page_of_zeros)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    for (unsigned i = 0; i < 512; i++) {
        fxt_word(&out, 0);
    }
    check_between(&out, offset, TT_HEALTH_DAMAGED);
}

Test(fxt_damage, a_large_record_of_32_gigabytes)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    fxt_word(&out, UINT64_C(0xfffffffff)); /* size 2^32 - 1 words */
    fxt_word(&out, 0);
    check_between(&out, offset, TT_HEALTH_DAMAGED);
}

Test(fxt_damage, a_size_beyond_the_rest)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    fxt_simple_event(&out, 0, 1, 1, 2, "c", "liar");
    uint64_t header = fxt_get_word(out.bytes + offset, false);
    fxt_put_word(out.bytes + offset, header | 0x7ff0, false);
    check_between(&out, offset, TT_HEALTH_DAMAGED);
}

/* The size is inside the file, but ends in the middle of a record. */
Test(fxt_damage, a_size_that_ends_inside_another_record)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    fxt_string(&out, 5, "liar");
    uint64_t header = fxt_get_word(out.bytes + offset, false);
    fxt_put_word(out.bytes + offset, header + (3 << 4), false);
    check_between(&out, offset, TT_HEALTH_DAMAGED);
}

Test(fxt_damage, a_payload_of_exabytes)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    size_t at = fxt_begin(&out, 15 | UINT64_C(1) << 40);
    fxt_word(&out, 0);
    fxt_word(&out, UINT64_MAX);
    fxt_stream(&out, "abc", 3);
    fxt_end(&out, at);
    check_between(&out, offset, TT_HEALTH_MALFORMED);
}

/* Records too short for their contents are skipped by their size. */
Test(fxt_damage, records_cut_short_by_their_size)
{
    static const uint64_t headers[] = {
        1,                                           /* init without its word */
        2 | 1 << 16 | UINT64_C(9) << 32,             /* string */
        3 | 1 << 16,                                 /* thread */
        4 | 4 << 16,                                 /* complete event */
        5 | UINT64_C(100) << 32 | UINT64_C(1) << 48, /* blob */
        6,                                           /* userspace object */
        7,                                           /* kernel object */
        8,                                           /* legacy switch */
        8 | UINT64_C(1) << 60,                       /* switch */
        8 | UINT64_C(2) << 60,                       /* wakeup */
        9 | 100 << 16,                               /* log */
        10 | UINT64_C(9) << 44,                      /* module */
        10 | 1 << 16,                                /* mmap */
        10 | 2 << 16 | UINT64_C(255) << 28,          /* backtrace */
        15,                                          /* large */
        1 << 16 | UINT64_C(99) << 52,                /* provider info */
    };
    for (unsigned i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        struct fxt_out out = {0};
        write_head(&out);
        uint64_t offset = out.size;
        fxt_end(&out, fxt_begin(&out, headers[i]));
        check_between(&out, offset, TT_HEALTH_MALFORMED);
    }
}

/* An event with broken arguments has its time, thread and name. */
Test(fxt_damage, broken_arguments_leave_the_event)
{
    struct fxt_out out = {0};
    write_head(&out);
    uint64_t offset = out.size;
    size_t at = fxt_begin(&out, fxt_event(4, 2, 0, 0, FXT_INLINE(5)));
    fxt_word(&out, 7);
    fxt_word(&out, 1);
    fxt_word(&out, 2);
    fxt_text(&out, "event");
    fxt_arg_short(&out, 1, "good", 5);
    fxt_word(&out, 1); /* an argument of size 0 */
    fxt_word(&out, 8);
    fxt_end(&out, at);
    at = fxt_begin(&out, fxt_switch(1, 3, 1));
    fxt_word(&out, 8);
    fxt_word(&out, 10);
    fxt_word(&out, 11);
    fxt_word(&out, 1 | 200 << 4); /* larger than its record */
    fxt_end(&out, at);
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, 3);
    cr_assert_eq(r.events[1].flags, TT_EVENT_MALFORMED);
    cr_assert_eq(r.events[1].ticks, 7);
    cr_assert_str_eq(fxt_name(&r, 1), "event");
    cr_assert_eq(fxt_describe(&r, 1)->count, 1);
    cr_assert_null(fxt_action_of(&r, 1, 0), "where it ends is not known");
    cr_assert_eq(r.events[2].flags, TT_EVENT_MALFORMED);
    cr_assert_eq(fxt_action_of(&r, 2, 0)->kind, TT_ACTION_SWITCH);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_MALFORMED), 2);
    cr_assert_eq(tt_health_at(r.c, 0).offset, offset);
    fxt_reading_free(&r);
    free(out.bytes);
}

/* Undefined types are skipped and are not damage. */
Test(fxt_damage, unknown_types_are_not_damage)
{
    struct fxt_out out = {0};
    write_head(&out);
    for (uint64_t type = 11; type < 15; type++) {
        size_t at = fxt_begin(&out, type | UINT64_C(0x123456789abc) << 16);
        fxt_word(&out, UINT64_MAX);
        fxt_end(&out, at);
    }
    fxt_end(&out, fxt_begin(&out, 5 << 16));                /* metadata type */
    fxt_end(&out, fxt_begin(&out, 4 << 16 | 3 << 20));      /* trace info type */
    fxt_end(&out, fxt_begin(&out, 8 | UINT64_C(9) << 60));  /* scheduling */
    fxt_end(&out, fxt_begin(&out, 10 | 9 << 16));           /* profiler */
    fxt_end(&out, fxt_begin(&out, 15 | UINT64_C(3) << 36)); /* large */
    write_tail(&out);
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, 5);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_EVENT), 9);
    cr_assert(!tt_health_damaged(r.c));
    fxt_reading_free(&r);
    free(out.bytes);
}

/* Words after a record's own are an extension. */
Test(fxt_damage, words_after_a_record_are_ignored)
{
    struct fxt_out out = {0};
    write_head(&out);
    size_t at = fxt_begin(&out, fxt_event(2, 0, 0, 0, FXT_INLINE(3)));
    fxt_word(&out, 7);
    fxt_word(&out, 1);
    fxt_word(&out, 2);
    fxt_text(&out, "ext");
    fxt_word(&out, UINT64_MAX);
    fxt_word(&out, 0);
    fxt_end(&out, at);
    at = fxt_begin(&out, fxt_event(0, 0, 0, 0, FXT_INLINE(3)));
    fxt_word(&out, 8);
    fxt_word(&out, 1);
    fxt_word(&out, 2);
    fxt_text(&out, "one");
    fxt_word(&out, 12345); /* not a scope */
    fxt_end(&out, at);
    write_tail(&out);
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, 7);
    cr_assert_eq(fxt_describe(&r, 2)->count, 0);
    cr_assert_eq(tt_health_kept(r.c), 0);
    fxt_reading_free(&r);
    free(out.bytes);
}

Test(fxt_damage, texts_of_32_kilobytes)
{
    static char text[32767];
    struct fxt_out out = {0};
    memset(text, 'a', sizeof text);
    write_head(&out);
    for (unsigned i = 0; i < 50; i++) {
        text[0] = (char)('a' + i % 26);
        fxt_string_bytes(&out, 1, text, 32000);
        size_t at = fxt_begin(&out, fxt_event(0, 0, 0, 1, FXT_INLINE(32000)));
        fxt_word(&out, i);
        fxt_word(&out, 1);
        fxt_word(&out, 2);
        fxt_stream(&out, text, 32000);
        fxt_end(&out, at);
    }
    /* The longest reference does not fit a record: 4097 words. */
    uint64_t offset = out.size;
    fxt_word(&out, 2 | 4095 << 4 | 1 << 16 | UINT64_C(32767) << 32);
    fxt_stream(&out, text, sizeof text);
    write_tail(&out);
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, 55);
    cr_assert_eq(strlen(fxt_class(&r, 1)), 32000);
    cr_assert_eq(tt_types_at(r.c, r.events[1].type), tt_types_at(r.c, r.events[27].type));
    cr_assert_geq(tt_health_count(r.c, TT_HEALTH_DAMAGED), 1);
    cr_assert_eq(tt_health_at(r.c, 0).offset, offset);
    fxt_reading_free(&r);
    free(out.bytes);
}

/* ---- cut files -------------------------------------------------------------------------- */

static struct fxt_out small_capture(void)
{
    struct fxt_out out = {0};
    write_head(&out);
    fxt_provider_info(&out, 3, "provider");
    fxt_init(&out, 1000000000);
    fxt_string(&out, 1, "category");
    fxt_thread(&out, 1, 10, 11);
    size_t at = fxt_begin(&out, fxt_event(1, 2, 1, 1, FXT_INLINE(7)));
    fxt_word(&out, 5);
    fxt_text(&out, "counter");
    fxt_arg_long(&out, 4, "series", 7);
    fxt_arg_text(&out, "text", "some text of an argument");
    fxt_word(&out, 99);
    fxt_end(&out, at);
    at = fxt_begin(&out, fxt_switch(1, 3, 2));
    fxt_word(&out, 6);
    fxt_word(&out, 11);
    fxt_word(&out, 12);
    fxt_arg_short(&out, 1, "outgoing_weight", 5);
    fxt_arg_short(&out, 1, "incoming_weight", 6);
    fxt_end(&out, at);
    at = fxt_begin(&out, 9 | 20 << 16 | UINT64_C(1) << 32);
    fxt_word(&out, 7);
    fxt_stream(&out, "twenty bytes of text", 20);
    fxt_end(&out, at);
    at = fxt_begin(&out, 15);
    fxt_word(&out, 1 | UINT64_C(1) << 36);
    fxt_word(&out, 8);
    fxt_word(&out, 30);
    fxt_stream(&out, "thirty bytes of a large payload", 30);
    fxt_end(&out, at);
    at = fxt_begin(&out, fxt_kernel_object(2, FXT_INLINE(6), 1));
    fxt_word(&out, 11);
    fxt_text(&out, "thread");
    fxt_arg_long(&out, 8, "process", 10);
    fxt_end(&out, at);
    return out;
}

/* Makes a capture for the fast path: registered strings and threads, switches. */
static struct fxt_out busy_capture(void)
{
    struct fxt_out out = {0};
    static const char *const names[] = {"cat",    "name", "outgoing_weight", "incoming_weight",
                                        "weight", "waker"};
    fxt_magic(&out);
    for (uint64_t i = 0; i < 6; i++) {
        fxt_string(&out, 1 + i, names[i]);
    }
    fxt_thread(&out, 1, 10, 11);
    fxt_thread(&out, 2, 10, 12);
    for (uint64_t i = 0; i < 12; i++) {
        size_t at = fxt_begin(&out, fxt_event(i, 2, 1 + i % 2, 1, i % 3 ? 2 : FXT_INLINE(5)));
        fxt_word(&out, 100 + i);
        if (i % 3 == 0) {
            fxt_text(&out, "other");
        }
        fxt_end(&out, fxt_begin(&out, 1 | UINT64_C(2) << 16 | i << 32));
        fxt_arg_text(&out, "text", "value");
        if (i == 1 || (i >= 4 && i <= 10)) {
            fxt_word(&out, 200 + i);
        }
        fxt_end(&out, at);
        at = fxt_begin(&out, fxt_switch(i % 2, i % 6, 2));
        fxt_word(&out, 101 + i);
        fxt_word(&out, 11 + i % 2);
        fxt_word(&out, 12 - i % 2);
        fxt_end(&out, fxt_begin(&out, 1 | UINT64_C(3) << 16 | UINT64_C(16) << 32));
        fxt_end(&out, fxt_begin(&out, 1 | UINT64_C(4) << 16 | UINT64_C(18) << 32));
        fxt_end(&out, at);
        at = fxt_begin(&out, fxt_wakeup(i % 2, 2));
        fxt_word(&out, 102 + i);
        fxt_word(&out, 11);
        fxt_end(&out, fxt_begin(&out, 1 | UINT64_C(5) << 16 | UINT64_C(16) << 32));
        size_t arg = fxt_begin(&out, 8 | UINT64_C(6) << 16);
        fxt_word(&out, 12);
        fxt_end(&out, arg);
        fxt_end(&out, at);
    }
    return out;
}

/*
 * Truncated at every length: the complete records before the cut are decoded, the rest is reported.
 */
Test(fxt_damage, every_length)
{
    struct fxt_out out = small_capture();
    struct fxt_reading all = fxt_read(out.bytes, out.size, true);
    for (size_t length = 8; length < out.size; length++) {
        /* A copy of exactly this size: the sanitizer finds reads beyond it. */
        uint8_t *cut = malloc(length);
        memcpy(cut, out.bytes, length);
        struct fxt_reading r = fxt_read(cut, length, true);
        size_t whole = 0, end = 0;
        while (whole < all.count && all.events[whole].pos + all.events[whole].length <= length) {
            end = all.events[whole].pos + all.events[whole].length;
            whole++;
        }
        cr_assert_eq(r.count, whole, "length %zu", length);
        cr_assert_eq(tt_health_damaged(r.c), end != length, "length %zu", length);
        if (end != length) {
            cr_assert_eq(tt_health_count(r.c, TT_HEALTH_TRUNCATED), 1);
            cr_assert_eq(tt_health_at(r.c, 0).offset, end);
        }
        fxt_reading_free(&r);
        free(cut);
    }
    fxt_reading_free(&all);
    free(out.bytes);
}

/* A partial record means "not yet" while the file may grow, at any cut. */
Test(fxt_damage, a_growing_file)
{
    struct fxt_out out = small_capture();
    struct tt_event events[64];
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(tt_bytes_of(out.bytes, out.size), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, "a.fxt", NULL);
    cr_assert(!tt_failed(&status));
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    uint32_t count = 0;
    for (uint64_t limit = 0; limit <= out.size; limit++) {
        struct tt_batch batch = {.events = events, .capacity = 64};
        cr_assert_eq(c->format->decode(cursor, limit, false, &batch), TT_DECODE_END);
        count += batch.count;
    }
    cr_assert_eq(count, 5);
    cr_assert_eq(c->format->cursor_pos(cursor), out.size);
    cr_assert_eq(tt_health_kept(c), 0);
    c->format->cursor_free(cursor);
    tt_capture_free(c);
    free(out.bytes);
}

/*
 * Zeros at the end of a growing file are not written yet; damage before sound records is reported.
 */
Test(fxt_damage, damage_in_a_growing_file)
{
    struct fxt_out out = {0};
    struct tt_event events[64];
    struct tt_capture *c;
    write_head(&out);
    size_t zeros = out.size;
    fxt_word(&out, 0);
    fxt_word(&out, 0);
    size_t tail = out.size;
    write_tail(&out);
    size_t few = out.size;
    write_tail(&out);
    struct tt_status status = tt_capture_new(tt_bytes_of(out.bytes, out.size), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, "a.fxt", NULL);
    cr_assert(!tt_failed(&status));
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    struct tt_batch batch = {.events = events, .capacity = 64};
    c->format->decode(cursor, tail, false, &batch);
    cr_assert_eq(batch.count, 1);
    cr_assert_eq(c->format->cursor_pos(cursor), zeros);
    cr_assert_eq(tt_health_kept(c), 0);
    c->format->decode(cursor, few, false, &batch);
    cr_assert_eq(batch.count, 1, "five records are not enough, more may follow");
    c->format->decode(cursor, out.size, false, &batch);
    cr_assert_eq(batch.count, 9);
    cr_assert_eq(tt_health_count(c, TT_HEALTH_DAMAGED), 1);
    cr_assert_eq(tt_health_at(c, 0).value, 16);
    c->format->cursor_free(cursor);
    tt_capture_free(c);
    free(out.bytes);
}

/* ---- mutations -------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void mutate(uint8_t *bytes, size_t size, uint64_t *state)
{
    for (uint64_t n = 1 + next_random(state) % 4; n > 0; n--) {
        size_t at = 8 + next_random(state) % (size - 8);
        size_t length;
        switch (next_random(state) % 4) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << next_random(state) % 8);
            break;
        case 1:
            bytes[at] = (uint8_t)next_random(state);
            break;
        case 2:
            memset(bytes + at, next_random(state) & 1 ? 0xff : 0, size - at < 8 ? size - at : 8);
            break;
        default:
            length = (size - at) / 2;
            memmove(bytes + at, bytes + 8 + next_random(state) % (size - 8 - length), length);
            break;
        }
    }
}

/* Decoding twice gives the same result (checked by fxt_read), and every event can be described. */
Test(fxt_damage, mutations)
{
    struct fxt_out outs[2] = {small_capture(), busy_capture()};
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (unsigned round = 0; round < 5000; round++) {
        const struct fxt_out *out = &outs[round / 2 % 2];
        uint8_t *bytes = malloc(out->size);
        memcpy(bytes, out->bytes, out->size);
        mutate(bytes, out->size, &state);
        size_t size = round % 3 ? out->size : 8 + next_random(&state) % (out->size - 8);
        struct fxt_reading r = fxt_read(bytes, size, round % 2);
        for (size_t i = 0; i < r.count; i++) {
            const struct tt_args *args = fxt_describe(&r, i);
            for (unsigned a = 0; a < args->count; a++) {
                cr_assert_leq((uint64_t)args->v[a].raw_offset + args->v[a].raw_length,
                              r.events[i].length);
            }
        }
        fxt_reading_free(&r);
        free(bytes);
    }
    free(outs[0].bytes);
    free(outs[1].bytes);
}

/* ---- memory and time -------------------------------------------------------------------- */

static long peak_kilobytes(void)
{
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void decode_all(const struct fxt_out *out)
{
    static struct tt_event events[1024];
    struct tt_capture *c;
    struct tt_status status = tt_capture_new(tt_bytes_of(out->bytes, out->size), &c);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(c, "a.fxt", NULL);
    cr_assert(!tt_failed(&status), "%s", status.text);
    struct tt_cursor *cursor = c->format->cursor_new(c, true);
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE) {
        struct tt_batch batch = {.events = events, .capacity = 1024};
        result = c->format->decode(cursor, out->size, true, &batch);
    }
    cr_assert_eq(result, TT_DECODE_END);
    c->format->cursor_free(cursor);
    tt_capture_free(c);
}

/* The records with the most memory per byte: memory stays within a small multiple of the file. */
Test(fxt_damage, memory_in_proportion)
{
    struct fxt_out out = {0};
    const size_t bytes = 4u << 20;
    fxt_magic(&out);
    for (uint64_t i = 0; out.size < bytes; i++) {
        switch (i % 5) {
        case 0:
            fxt_provider_info(&out, i, "");
            break;
        case 1:
            fxt_string(&out, 1 + i % 0x7fff, i % 2 ? "a" : "");
            break;
        case 2:
            fxt_thread(&out, 1 + i % 255, i, i);
            break;
        case 3:
            fxt_init(&out, 1 + i);
            break;
        default:
            fxt_end(&out, fxt_begin(&out, 0)); /* size 1, metadata of no known type */
            break;
        }
    }
    long before = peak_kilobytes();
    decode_all(&out);
    long used = peak_kilobytes() - before;
    /* Sanitizers pad every allocation, and tables double: a factor of 100 is not allowed. */
    cr_assert_lt(used, (long)(bytes / 1024) * 40, "%ld kB for %zu kB", used, bytes / 1024);
    free(out.bytes);
}

/* Damage in every record takes linear time: 8 MB of it are decoded. */
Test(fxt_damage, time_in_proportion, .timeout = 30)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_simple_event(&out, 0, 1, 1, 2, "c", "n");
    while (out.size < 8u << 20) {
        fxt_word(&out, UINT64_C(0xfffffff0000000ff)); /* a large record beyond the end */
        fxt_word(&out, 4 | 6 << 4);
    }
    decode_all(&out);
    free(out.bytes);
}

/* ---- gzip ------------------------------------------------------------------------------- */

static void write_gzip(const char *path, const void *bytes, size_t size, unsigned times)
{
    gzFile file = gzopen(path, "wb9");
    cr_assert_not_null(file);
    for (unsigned i = 0; i < times; i++) {
        cr_assert_eq(gzwrite(file, bytes, (unsigned)size), (int)size);
    }
    gzclose(file);
}

Test(fxt_damage, gzip_outside)
{
    struct fxt_out out = small_capture();
    char path[] = "/tmp/tt-fxt-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    write_gzip(path, out.bytes, out.size, 1);
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    unlink(path);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert_eq(tt_trace_progress(trace).events, 5);
    tt_trace_close(trace);
    free(out.bytes);
}

Test(fxt_damage, a_gzip_bomb_is_rejected)
{
    const size_t size = 1 << 20;
    uint8_t *zeros = calloc(size, 1);
    cr_assert(zeros);
    char path[] = "/tmp/tt-fxt-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    write_gzip(path, zeros, size, 256);
    free(zeros);
    struct tt_trace *trace;
    struct tt_trace_options options = {.map = {.spool_limit = 8u << 20}};
    struct tt_status status = tt_trace_open(path, &options, &trace);
    unlink(path);
    cr_assert(tt_failed(&status));
    cr_assert_null(trace);
}
