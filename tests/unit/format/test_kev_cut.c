/* SPDX-License-Identifier: Apache-2.0 */
/* QNX captures without their beginning are read from the first slots that agree. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kev_build.h"

#define STEP 1000u
#define MANY 300u

static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};

/* Calls, states and messages on two CPUs. */
static void build_many(struct kev_build *b, const char *release, bool big)
{
    kev_build_begin(b, release, big);
    kev_build_time(b, 0, 500, 7);
    kev_build_time(b, 1, 500, 7);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t stamp = 1000 + i * STEP, cpu = i % 2;
        kev_build_event(b, cpu, KB_CALL, 11, stamp, 2, 3, i);
        kev_build_event(b, cpu, KB_CALL, 11 + 128, stamp + 10, 2, 0, 0);
        kev_build_event(b, cpu, KB_THREAD, 1, stamp + 20, i % 5 == 0 ? 4 : 2, 4099, 1 + i % 3, 10,
                        0);
        kev_build_event(b, cpu, KB_COMM, 0, stamp + 30, 2, 1 + i, 4099);
    }
    kev_build_time(b, 0, 1000 + MANY * STEP, 7);
    kev_build_time(b, 1, 1000 + MANY * STEP, 7);
}

/* Expects the events of the whole capture from the first one on that begins at `place`, in the cut file. */
static void expect_rest(const struct kev_read *whole, const struct kev_read *cut, size_t gone,
                        size_t place)
{
    uint32_t first = 0;
    while (first < whole->event_count && whole->events[first].pos < place) {
        first++;
    }
    cr_assert_eq(whole->event_count - first, cut->event_count);
    for (uint32_t i = 0; i < cut->event_count; i++) {
        const struct tt_event *a = &whole->events[first + i], *b = &cut->events[i];
        cr_assert_eq(a->pos, b->pos + gone);
        cr_assert_eq(a->ticks, b->ticks);
        cr_assert_eq(a->cpu, b->cpu);
        cr_assert_str_eq(kev_read_name(whole, first + i), kev_read_name(cut, i));
    }
}

Test(kev_cut, events_are_those_of_the_whole_capture)
{
    for (unsigned i = 0; i < 2 * sizeof releases / sizeof releases[0]; i++) {
        struct kev_build b;
        build_many(&b, releases[i / 2], i % 2 != 0);
        struct kev_read whole = kev_read_all(&b);
        for (size_t gone = b.slots + 100; gone < b.slots + 100 + 33; gone++) {
            struct kev_read cut = kev_read_bytes(b.bytes + gone, b.size - gone, NULL);
            expect_rest(&whole, &cut, gone, b.slots + (gone - b.slots + 15) / 16 * 16);
            cr_assert(tt_health_damaged(cut.capture));
            cr_assert_eq(tt_health_count(cut.capture, TT_HEALTH_DAMAGED), 0);
            cr_assert_eq(cut.capture->clock_hz, 0);
            cr_assert_eq(cut.capture->cpu_count, 2);
            kev_read_free(&cut);
        }
        kev_read_free(&whole);
        kev_build_free(&b);
    }
}

/* The rest of the header is a stretch of damage. */
Test(kev_cut, the_rest_of_a_header_is_skipped)
{
    struct kev_build b;
    build_many(&b, "7.1.0", false);
    struct kev_read whole = kev_read_all(&b);
    struct kev_read cut = kev_read_bytes(b.bytes + 25, b.size - 25, NULL);
    expect_rest(&whole, &cut, 25, b.slots);
    cr_assert_eq(tt_health_count(cut.capture, TT_HEALTH_DAMAGED), 1);
    cr_assert_eq(tt_health_stretches(cut.capture).bytes, b.slots - 25);
    kev_read_free(&cut);
    kev_read_free(&whole);
    kev_build_free(&b);
}

static void expect_refused(uint8_t *bytes, size_t size)
{
    struct tt_capture *capture;
    struct tt_status status = tt_capture_new(tt_bytes_of(bytes, size), &capture);
    cr_assert_not(tt_failed(&status));
    status = tt_capture_open(capture, "some.kev", NULL);
    cr_assert_eq(status.code, TT_ERR_NOT_CAPTURE);
    tt_capture_free(capture);
}

/* Text, zeros, noise, a table of numbers, and fewer slots than decide are no captures. */
Test(kev_cut, other_bytes_are_refused)
{
    enum { SIZE = 100000 };
    uint8_t *bytes = malloc(SIZE);
    cr_assert_not_null(bytes);
    memset(bytes, 0, SIZE);
    expect_refused(bytes, SIZE);
    memset(bytes, ' ', SIZE);
    expect_refused(bytes, SIZE);
    for (uint32_t i = 0, seed = 1; i < SIZE; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    expect_refused(bytes, SIZE);
    for (uint32_t i = 0; i < SIZE / 4; i++) {
        uint32_t number = 0x800 + i * 8;
        memcpy(bytes + 4 * i, &number, 4);
    }
    expect_refused(bytes, SIZE);
    struct kev_build b;
    build_many(&b, "7.1.0", false);
    expect_refused(b.bytes + b.slots, 16 * 40);
    kev_build_free(&b);
    free(bytes);
}
