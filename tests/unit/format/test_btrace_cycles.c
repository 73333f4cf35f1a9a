/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multipart traces with cycles of every kind. The parts of an event are in file order, each
 * continues the previous one, no part belongs to two events, and thousands of cycles cost as much
 * as thousands of records.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "btrace_build.h"

enum { ROUNDS = 20000, PARTS_MOST = ROUNDS + 2 };

/* Far more than required under a sanitizer or emulator, far less than quadratic time. */
#define SECONDS_MOST 60

static uint8_t data[80];

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Decodes and describes all events and checks their parts. Returns the number of parts of multipart
 * traces. */
static uint32_t expect_no_cycle(const struct stream *s, uint32_t events, uint32_t *unfinished,
                                uint32_t *strays)
{
    double begun = processor_seconds();
    struct reading r = read_stream(s);
    struct tt_part *parts = malloc(PARTS_MOST * sizeof *parts);
    uint8_t *taken = calloc(1, s->size + 1);
    uint32_t all = 0;
    cr_assert_eq(r.count, events);
    for (uint32_t i = 0; i < r.count; i++) {
        args_line(&r, i);
        uint32_t count = tt_format_btrace.parts(r.capture, &r.events[i], r.capture->bytes.size,
                                                parts, PARTS_MOST);
        cr_assert_leq(count, PARTS_MOST);
        for (uint32_t p = 0; p < count; p++) {
            cr_assert(p == 0 || parts[p].offset > parts[p - 1].offset, "event %u goes back", i);
            cr_assert_lt(parts[p].offset, s->size);
            cr_assert_not(taken[parts[p].offset], "event %u takes a part of another", i);
            taken[parts[p].offset] = 1;
        }
        all += count;
    }
    *unfinished = (uint32_t)tt_health_count(r.capture, TT_HEALTH_UNFINISHED);
    *strays = (uint32_t)(tt_health_count(r.capture, TT_HEALTH_ORPHAN_PART) +
                         tt_health_count(r.capture, TT_HEALTH_COUNT_MISMATCH));
    cr_expect_lt(processor_seconds() - begun, SECONDS_MOST);
    free(taken);
    free(parts);
    reading_free(&r);
    return all;
}

static void first(struct stream *s, uint32_t id, uint32_t total)
{
    stream_part(s, 1, 1, 0, 1, id, total, 5, data, sizeof data);
}

static void middle(struct stream *s, uint32_t id, uint32_t total, uint32_t offset, size_t length)
{
    stream_part(s, 2, 1, 0, 1, id, total, offset, data, length);
}

static void last(struct stream *s, uint32_t id, uint32_t total, uint32_t offset)
{
    stream_part(s, 3, 1, 0, 1, id, total, offset, data, total - offset);
}

/* 80, 160, 80, 160, ...: repeated offsets. */
Test(btrace_cycles, cyclic_offsets)
{
    struct stream s = {0};
    uint32_t unfinished, strays;
    first(&s, 7, 320);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        middle(&s, 7, 320, i % 2 == 0 ? 80 : 160, sizeof data);
    }
    cr_expect_eq(expect_no_cycle(&s, 1, &unfinished, &strays), 3);
    cr_expect_eq(unfinished, 1);
    cr_expect_eq(strays, ROUNDS - 2); /* the third goes back, and ends it */
    stream_free(&s);
}

/* Each part has the offset of the first. */
Test(btrace_cycles, a_middle_part_at_offset_zero)
{
    struct stream s = {0};
    uint32_t unfinished, strays;
    first(&s, 7, 320);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        middle(&s, 7, 320, 0, sizeof data);
    }
    cr_expect_eq(expect_no_cycle(&s, 1, &unfinished, &strays), 1);
    cr_expect_eq(unfinished, 1);
    cr_expect_eq(strays, ROUNDS);
    stream_free(&s);
}

/* Parts without data. */
Test(btrace_cycles, parts_without_data)
{
    struct stream s = {0};
    uint32_t unfinished, strays;
    first(&s, 7, 320);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        middle(&s, 7, 320, 80, 0);
    }
    cr_expect_eq(expect_no_cycle(&s, 1, &unfinished, &strays), ROUNDS + 1);
    cr_expect_eq(unfinished, 1);
    cr_expect_eq(strays, 0);
    stream_free(&s);
}

/* First parts only. */
Test(btrace_cycles, first_parts_only)
{
    struct stream s = {0};
    uint32_t unfinished, strays;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        first(&s, 7, 160);
    }
    last(&s, 7, 160, 80);
    cr_expect_eq(expect_no_cycle(&s, ROUNDS, &unfinished, &strays), ROUNDS + 1);
    cr_expect_eq(unfinished, ROUNDS - 1);
    cr_expect_eq(strays, 0);
    stream_free(&s);
}

/* The last part precedes the first, which the next round's last part would complete. */
Test(btrace_cycles, ends_before_beginnings)
{
    struct stream s = {0};
    uint32_t unfinished, strays;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        last(&s, 7, 240, 160);
        middle(&s, 7, 240, 80, sizeof data);
        first(&s, 7, 240);
    }
    /* The last part of a round does not fit the first part before it, as the middle is missing. */
    cr_expect_eq(expect_no_cycle(&s, ROUNDS, &unfinished, &strays), ROUNDS);
    cr_expect_eq(unfinished, ROUNDS);
    cr_expect_eq(strays, 2 * ROUNDS);
    stream_free(&s);
}

/* Two traces, each with the middle part of the other. */
Test(btrace_cycles, two_traces_with_swapped_parts)
{
    struct stream s = {0};
    uint32_t unfinished, strays;
    first(&s, 7, 1u << 20);
    first(&s, 8, 1u << 21);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        middle(&s, 7 + i % 2, i % 2 == 0 ? 1u << 21 : 1u << 20, 80 + i * 80, sizeof data);
    }
    cr_expect_eq(expect_no_cycle(&s, 2, &unfinished, &strays), 2);
    cr_expect_eq(unfinished, 2);
    cr_expect_eq(strays, ROUNDS);
    stream_free(&s);
}

/* All ids in sequence: the parts of all traces exist, each after another's first part. */
Test(btrace_cycles, a_ring_of_ids)
{
    enum { RING = 64 };
    struct stream s = {0};
    uint32_t unfinished, strays;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        first(&s, i % RING, 240);
        middle(&s, (i + 1) % RING, 240, 80, sizeof data);
        last(&s, (i + 2) % RING, 240, 160);
    }
    /* The ring ends a trace 62 rounds after its beginning; its last part is found. */
    uint32_t parts = expect_no_cycle(&s, ROUNDS, &unfinished, &strays);
    cr_expect_leq(parts, 3 * ROUNDS);
    cr_expect_eq(parts + strays, 3 * ROUNDS);
    stream_free(&s);
}

/* The data of a trace is the trace itself, which must not be followed. */
Test(btrace_cycles, a_trace_that_contains_itself)
{
    struct stream inner = {0}, s = {0};
    uint32_t unfinished, strays;
    while (inner.size < 8000) {
        stream_part(&inner, 1 + (unsigned)(inner.size / 80) % 3, 1, 0, 1, 7, 8000, 80, data, 44);
    }
    inner.size = 8000;
    stream_parts(&s, 1, 0, 1, 7, 5, inner.bytes, (uint32_t)inner.size);
    cr_expect_eq(expect_no_cycle(&s, 1, &unfinished, &strays), 100);
    cr_expect_eq(unfinished + strays, 0);
    stream_free(&inner);
    stream_free(&s);
}
