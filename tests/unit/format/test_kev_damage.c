/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged bytes and wrong times of QNX captures cost their own events and nothing else. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kev_build.h"

#define STEP  1000u       /* ticks between events */
#define FIRST 0x50431000u /* the stamp of the first one */
#define MANY  400u

/* Events on two CPUs, some of four words, each with its number as the first word. */
static void build_many(struct kev_build *b)
{
    kev_build_begin(b, "7.1.0", false);
    kev_build_buffer(b, 0, FIRST - 20, 33, 0);
    kev_build_time(b, 0, FIRST - 10, 7);
    kev_build_time(b, 1, FIRST - 10, 7);
    for (uint32_t i = 0; i < MANY; i++) {
        kev_build_event(b, i / 3 % 2, KB_USER, 10, FIRST + i * STEP, i % 5 == 0 ? 4 : 2, i, 1, 2,
                        3);
    }
}

/* Returns the place of the n-th event's first slot. */
static size_t place_of(const struct kev_read *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->event_count; i++) {
        if (strcmp(kev_read_name(r, i), "EVENT_10") == 0 && number-- == 0) {
            return (size_t)r->events[i].pos;
        }
    }
    cr_assert_fail("no such event");
    return 0;
}

static uint64_t time_of(uint32_t number)
{
    return ((uint64_t)7 << 32) + FIRST + (uint64_t)number * STEP;
}

/* Checks that the events before `first` and from `next` on are there with their times, in order. */
static void check_others(const struct kev_read *r, uint32_t first, uint32_t next)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < r->event_count; i++) {
        const struct tt_event *event = &r->events[i];
        if (strcmp(kev_read_name(r, i), "EVENT_10") != 0 || event->ticks != time_of(number)) {
            continue;
        }
        number++;
        number = number == first ? next : number;
    }
    cr_assert_eq(number, MANY, "event %u", number);
    cr_assert_eq(r->events[r->event_count - 1].ticks, time_of(MANY - 1));
}

static uint64_t health(const struct kev_read *r, enum tt_health_kind kind)
{
    return tt_health_count(r->capture, kind);
}

/* Replaces `gone` bytes inside event 100 by `count` others. */
static struct kev_read read_damaged(size_t gone, size_t count)
{
    struct kev_build b;
    build_many(&b);
    struct kev_read r = kev_read_all(&b);
    const size_t at = place_of(&r, 100) + 5, rest = at + gone;
    kev_read_free(&r);
    uint8_t *bytes = malloc(b.size + count);
    uint32_t seed = 12345;
    memcpy(bytes, b.bytes, at);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[at + i] = (uint8_t)(seed >> 24);
    }
    memcpy(bytes + at + count, b.bytes + rest, b.size - rest);
    r = kev_read_bytes(bytes, b.size - gone + count, NULL);
    free(bytes);
    kev_build_free(&b);
    return r;
}

Test(kev_damage, overwritten_inserted_and_deleted_bytes_cost_their_events)
{
    static const struct {
        size_t gone, count;
    } cases[] = {{200, 200}, {0, 1}, {0, 8},  {0, 333}, {1, 0},
                 {4, 0},     {8, 0}, {12, 0}, {150, 0}, {77, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kev_read r = read_damaged(cases[i].gone, cases[i].count);
        check_others(&r, 100, 100 + (uint32_t)(cases[i].gone / 16) + 3);
        /* A slot whose CPU does not exist may be a stretch of its own. */
        const uint64_t stretches = health(&r, TT_HEALTH_DAMAGED);
        cr_assert(stretches == 1 || stretches == 2, "case %zu", i);
        cr_assert(tt_health_damaged(r.capture));
        /* States from before the damage are unknown after it. */
        const struct tt_action *lost = kev_read_action(&r, TT_ACTION_LOST, 0);
        cr_assert_eq(kev_read_action_count(&r, TT_ACTION_LOST), 1);
        cr_assert_eq(lost->cpu, TT_NO_CPU);
        cr_assert_leq(lost->value, time_of(100));
        cr_assert_geq(lost->value, time_of(98));
        kev_read_free(&r);
    }
}

/* The event stays at its place, at the time of its CPU's last one, and moves no state. */
Test(kev_damage, a_wrong_time_is_that_of_the_event_alone)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, FIRST - 10, 7);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t stamp = FIRST + i * STEP;
        kev_build_event(&b, 0, KB_THREAD, 1 + i % 2, i == 100 ? stamp + (1u << 31) : stamp, 2, 4099,
                        1 + i / 2 % 3);
    }
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, MANY + 1);
    cr_assert_eq(health(&r, TT_HEALTH_BAD_TIME), 1);
    cr_assert_eq(health(&r, TT_HEALTH_DAMAGED), 0);
    for (uint32_t i = 0; i < MANY; i++) {
        const struct tt_event *event = &r.events[i + 1];
        cr_assert_eq(event->ticks, time_of(i == 100 ? 99 : i), "event %u", i);
        cr_assert_eq((event->flags & TT_EVENT_BAD_TIME) != 0, i == 100);
    }
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_STATE), MANY - 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* Its CPU's next TIME agrees with the time before, not with this one. */
Test(kev_damage, a_wrong_high_half_moves_no_time)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, FIRST - 10, 7);
    for (uint32_t i = 0; i < MANY; i++) {
        if (i == 100 || i == 200) {
            kev_build_time(&b, 0, FIRST + i * STEP - 10, i == 100 ? 0x12345678 : 7);
        }
        kev_build_event(&b, 0, KB_USER, 10, FIRST + i * STEP, 2, i, 1);
    }
    struct kev_read r = kev_read_all(&b);
    check_others(&r, MANY + 1, 0);
    cr_assert_eq(health(&r, TT_HEALTH_BAD_TIME), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A pause of all CPUs, a CPU that was idle, a CPU that the header does not count, a TIME after hours. */
Test(kev_damage, what_is_legal_is_read_as_it_is)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, FIRST - 10, 7);
    kev_build_time(&b, 1, FIRST - 10, 7);
    kev_build_time(&b, 9, FIRST - 10, 7);
    uint32_t stamp = FIRST;
    for (uint32_t i = 0; i < MANY; i++) {
        stamp += i % 100 == 50 ? 1u << 30 : STEP;
        if (i == 300) {
            kev_build_time(&b, 0, stamp, 5000);
            kev_build_time(&b, 1, stamp, 5000);
            kev_build_time(&b, 9, stamp, 5000);
        }
        kev_build_event(&b,
                        i % 40 < 2    ? 9
                        : i % 90 == 0 ? 1
                                      : 0,
                        KB_USER, i % 7, stamp + 5, 2, i, 1);
    }
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, MANY + 6);
    cr_assert_eq(health(&r, TT_HEALTH_DAMAGED) + health(&r, TT_HEALTH_BAD_TIME), 0);
    cr_assert_eq(r.events[r.event_count - 1].ticks >> 32, 5000);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A damaged number of a process is none: processes are in the dump or created. */
Test(kev_damage, a_process_that_only_one_slot_names_does_not_exist)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, FIRST - 10, 7);
    kev_build_named(&b, 0, 192, FIRST - 9, 0, 1, "procnto");
    kev_build_event(&b, 0, KB_THREAD, 24, FIRST - 8, 2, 1, 1);
    kev_build_event(&b, 0, KB_THREAD, 1, FIRST - 7, 2, 1, 1);
    for (uint32_t i = 0; i < 8 * MANY; i++) {
        kev_build_event(&b, 0, KB_THREAD, 1 + i % 2, FIRST + i * STEP, 2, i == 100 ? 4099 : 1, 1);
    }
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(tt_thread_count(r.capture), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* Neither does such a thread of a process that does, not even shortly before the end, or after damage. */
Test(kev_damage, a_thread_that_only_one_slot_names_does_not_exist)
{
    for (unsigned damaged = 0; damaged < 2; damaged++) {
        struct kev_build b;
        kev_build_begin(&b, "7.1.0", false);
        kev_build_time(&b, 0, FIRST - 10, 7);
        kev_build_named(&b, 0, 192, FIRST - 9, 0, 1, "procnto");
        kev_build_event(&b, 0, KB_THREAD, 24, FIRST - 8, 2, 1, 1);
        kev_build_event(&b, 0, KB_THREAD, 1, FIRST - 7, 2, 1, 1);
        for (uint32_t i = 0; i < 8 * MANY; i++) {
            const uint32_t tid = i % 600 == 400 ? 1000 + i : 1 + i / 2000;
            /* A thread that is created needs no other event. */
            kev_build_event(&b, 0, KB_THREAD, i == 999 ? 24 : 1 + i % 2, FIRST + i * STEP, 2, 1,
                            i == 999 ? 77 : tid);
        }
        uint32_t seed = 7;
        for (size_t i = 0; damaged && i < 300; i++) {
            seed = seed * 1664525 + 1013904223;
            b.bytes[b.slots + 200 * 16 + 3 + i] = (uint8_t)(seed >> 24);
        }
        struct kev_read r = kev_read_all(&b);
        cr_expect_eq(health(&r, TT_HEALTH_DAMAGED) > 0, damaged);
        cr_expect_eq(tt_thread_count(r.capture), 3, "%u", damaged);
        cr_expect_neq(tt_registry_find_thread(r.capture, 1, 77, UINT64_MAX), UINT32_MAX);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* Bytes inserted into a TIME: no other one is found after it, but its neighbours tell that it is wrong. */
Test(kev_damage, a_wrong_time_before_damage_moves_no_time)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, FIRST - 10, 7);
    for (uint32_t i = 0; i < MANY; i++) {
        if (i == 100) {
            kev_build_time(&b, 0, FIRST + i * STEP - 10, 0x35f8b103);
            kev_build_bytes(&b, (const uint8_t *)"\xaf\xb5\x01", 3);
        }
        kev_build_event(&b, 0, KB_USER, 10, FIRST + i * STEP, 2, i, 1);
    }
    struct kev_read r = kev_read_all(&b);
    check_others(&r, 100, 102);
    cr_expect_eq(health(&r, TT_HEALTH_BAD_TIME), 1);
    cr_expect_eq(health(&r, TT_HEALTH_DAMAGED), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* Eight slots between two damages are read. */
Test(kev_damage, a_few_slots_between_two_damages)
{
    struct kev_build b;
    uint8_t junk[700];
    uint32_t seed = 3;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, FIRST - 10, 7);
    for (uint32_t i = 0; i < MANY; i++) {
        if (i == 100 || i == 109) {
            for (size_t k = 0; k < sizeof junk; k++) {
                seed = seed * 1664525 + 1013904223;
                junk[k] = (uint8_t)(seed >> 24);
            }
            kev_build_bytes(&b, junk, i == 100 ? 677 : 333);
        }
        kev_build_event(&b, 0, KB_USER, 10, FIRST + i * STEP, 2, i, 1);
    }
    struct kev_read r = kev_read_all(&b);
    check_others(&r, MANY + 1, 0);
    cr_expect_geq(health(&r, TT_HEALTH_DAMAGED), 2);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* ---- while the file grows ----------------------------------------------------------------- */

/* Decodes with a limit that grows by `step`, then the end; counts the events and their sums. */
struct grown {
    uint64_t events, sum, health, threads;
};

static struct grown read_grown(const struct kev_build *b, size_t step)
{
    static struct tt_event events[512];
    static struct tt_action actions[16384];
    struct tt_capture *capture;
    struct tt_status status = tt_capture_new(tt_bytes_of(b->bytes, b->size), &capture);
    cr_assert_not(tt_failed(&status));
    status = tt_capture_open(capture, NULL, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    const struct tt_format *format = capture->format;
    struct tt_cursor *cursor = format->cursor_new(capture, true);
    struct grown grown = {0};
    for (size_t limit = b->slots; limit <= b->size;) {
        const bool final = limit == b->size;
        struct tt_batch batch = {
            .events = events, .capacity = 512, .actions = actions, .action_capacity = 16384};
        const enum tt_decode_result result = format->decode(cursor, limit, final, &batch);
        for (uint32_t i = 0; i < batch.count; i++) {
            const struct tt_event *e = &events[i];
            grown.sum = (grown.sum ^ e->ticks ^ e->pos ^ e->thread ^ e->flags) * 0x100000001b3u;
        }
        grown.events += batch.count;
        if (result == TT_DECODE_END) {
            limit = final ? limit + 1 : b->size - limit > step ? limit + step : b->size;
        }
    }
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        grown.health = grown.health * 31 + tt_health_count(capture, (enum tt_health_kind)kind);
    }
    grown.threads = tt_thread_count(capture);
    format->cursor_free(cursor);
    tt_capture_free(capture);
    return grown;
}

/* A dump, then states of its threads. */
static void build_dumped(struct kev_build *b)
{
    kev_build_begin(b, "7.1.0", false);
    kev_build_time(b, 0, FIRST - 10, 7);
    kev_build_named(b, 0, 192, FIRST - 9, 0, 1, "procnto");
    kev_build_event(b, 0, KB_THREAD, 24, FIRST - 8, 2, 1, 1);
    kev_build_event(b, 0, KB_THREAD, 1, FIRST - 7, 2, 1, 1);
    for (uint32_t i = 0; i < 8 * MANY; i++) {
        kev_build_event(b, 0, KB_THREAD, 1 + i % 2, FIRST + i * STEP, 2, 1, 1 + i % 3);
    }
}

/* Garbage of all kinds, at each alignment, is decided as in the complete file, wherever that ends meanwhile. */
Test(kev_damage, a_growing_file_is_read_as_the_complete_one)
{
    static const size_t steps[] = {1, 7, 16, 333};
    struct kev_build b;
    build_dumped(&b);
    uint32_t seed = 99;
    for (size_t at = 5000; at + 3000 < b.size; at += 3001) {
        for (size_t i = 0; i < 40 + at % 300; i++) {
            seed = seed * 1664525 + 1013904223;
            b.bytes[at + i] = (uint8_t)(seed >> 24);
        }
    }
    b.bytes[b.slots + 60 * 16 + 9] =
        0x40; /* another process, and another time, of one event each */
    b.bytes[b.slots + 90 * 16 + 7] ^= 0x20;
    const struct grown whole = read_grown(&b, b.size);
    cr_assert_gt(whole.events, MANY);
    cr_assert_eq(whole.threads, 3);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct grown grown = read_grown(&b, steps[i]);
        cr_expect_eq(grown.events, whole.events, "pieces of %zu", steps[i]);
        cr_expect_eq(grown.sum, whole.sum, "pieces of %zu", steps[i]);
        cr_expect_eq(grown.health, whole.health, "pieces of %zu", steps[i]);
        cr_expect_eq(grown.threads, whole.threads, "pieces of %zu", steps[i]);
    }
    kev_build_free(&b);
}

/* The end of a growing file is garbage: what was searched is not searched again, byte by byte. */
Test(kev_damage, a_growing_end_of_garbage_costs_linear_time)
{
    struct kev_build b;
    build_many(&b);
    uint32_t seed = 5;
    for (size_t i = 0; i < 600000; i++) {
        seed = seed * 1664525 + 1013904223;
        const uint8_t byte = (uint8_t)(seed >> 24);
        kev_build_bytes(&b, &byte, 1);
    }
    const struct grown whole = read_grown(&b, b.size), grown = read_grown(&b, 16);
    cr_expect_eq(grown.events, whole.events);
    kev_build_free(&b);
}
