/* SPDX-License-Identifier: Apache-2.0 */
/* Damage in the ring stays local: entries after it are found, at whatever byte they are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trx_build.h"

enum { THREADS = 5, ENTRIES = 400, OLDEST = 150, STEP = 100, SIZE = 32, A = 0x1000, AT = 250 };

/* Makes a ring that was overwritten, of five registered threads; the registry has an unused slot. */
static struct trx_bytes ring(size_t *begin)
{
    static struct trx_kit_object objects[THREADS + 1];
    static struct trx_kit_entry entries[ENTRIES];
    for (uint32_t i = 0; i < THREADS; i++) {
        objects[i] = (struct trx_kit_object){0, 1, {0, 0}, A + i * 0x100, {0x8000, 0x400}, "t"};
    }
    objects[THREADS] = (struct trx_kit_object){.available = 1};
    for (uint32_t i = 0; i < ENTRIES; i++) {
        uint32_t age = (i + ENTRIES - OLDEST) % ENTRIES;
        entries[i] = (struct trx_kit_entry){
            {A + age % THREADS * 0x100, 5, 103, 7000 + (uint64_t)age * STEP, age, 0, 0, 0}};
    }
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .oldest = OLDEST,
                                    .objects = objects,
                                    .object_count = THREADS + 1,
                                    .entries = entries,
                                    .entry_count = ENTRIES};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    *begin = bytes.size - (size_t)ENTRIES * SIZE;
    return bytes;
}

/* Puts `length` bytes of 0xa5 in place of `gone` ones. */
static struct trx_bytes replaced(const struct trx_bytes *from, size_t at, size_t gone,
                                 size_t length)
{
    struct trx_bytes made = {malloc(from->size - gone + length + 1), from->size - gone + length};
    cr_assert(made.data);
    memcpy(made.data, from->data, at);
    memset(made.data + at, 0xa5, length);
    memcpy(made.data + at + length, from->data + at + gone, from->size - at - gone);
    return made;
}

/* Expects all entries but `lost`, at the times that they have, and a loss. */
static void expect_local(struct trx_bytes *bytes, uint32_t lost, const char *what)
{
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 64));
    uint32_t entries = 0, losses = 0;
    for (uint32_t i = 0; i < kit.count; i++) {
        if (!(kit.events[i].flags & TT_EVENT_DERIVED)) {
            cr_expect_eq(kit.events[i].ticks % STEP, 0, "%s", what);
            entries++;
        }
    }
    /* Everything is unknown from the entry before the loss on; the first thread after it is set running. */
    for (uint32_t i = 0; i < kit.action_count; i++) {
        const struct tt_action *action = &kit.actions[i];
        if (action->kind == TT_ACTION_LOST) {
            losses++;
            cr_expect_eq(action->cpu, TT_NO_CPU, "%s", what);
            cr_expect(action->value < action->ticks && action->value % STEP == 0, "%s", what);
            cr_expect_leq(action->ticks - action->value, (lost + 1) * STEP, "%s", what);
            cr_assert_lt(i + 1, kit.action_count);
            cr_expect_eq(kit.actions[i + 1].kind, TT_ACTION_STATE, "%s", what);
            cr_expect_eq(kit.actions[i + 1].ticks, action->ticks, "%s", what);
        }
    }
    cr_expect_geq(entries + lost, ENTRIES, "%s: %u entries", what, entries);
    cr_expect_eq(kit.events[kit.count - 1].ticks, (ENTRIES - 1) * STEP, "%s", what);
    cr_expect_eq(tt_thread_count(kit.capture), THREADS, "%s", what);
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_DAMAGED), 1, "%s", what);
    cr_expect_eq(losses, 1, "%s", what);
    trx_kit_close(&kit);
    trx_bytes_free(bytes);
}

Test(trx_local, overwritten_inserted_and_deleted_bytes)
{
    static const size_t sizes[] = {33, 75, 333};
    size_t begin;
    struct trx_bytes good = ring(&begin);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t shift = 0; shift < SIZE; shift += 5) {
            const size_t size = sizes[i], at = begin + (size_t)AT * SIZE + shift;
            const uint32_t lost = (uint32_t)(size / SIZE) + 3;
            struct trx_bytes over = replaced(&good, at, size, size);
            struct trx_bytes more = replaced(&good, at, 0, size);
            struct trx_bytes less = replaced(&good, at, size, 0);
            expect_local(&over, lost, "overwritten");
            expect_local(&more, 3, "inserted");
            expect_local(&less, lost, "deleted");
        }
    }
    trx_bytes_free(&good);
}

/* The ring's oldest entry moves with the bytes that are missing before it. */
Test(trx_local, missing_bytes_before_the_oldest_entry)
{
    size_t begin;
    struct trx_bytes good = ring(&begin);
    struct trx_bytes less = replaced(&good, begin + 20 * SIZE + 4, 133, 0);
    expect_local(&less, 7, "deleted before the oldest entry");
    trx_bytes_free(&good);
}

/* The newest entry and the two oldest ones are missing but for halves, which make one whose time nothing confirms. */
Test(trx_local, missing_bytes_over_the_oldest_entry)
{
    size_t begin;
    struct trx_bytes good = ring(&begin);
    trx_kit_put_word(&good, false, false, begin + (OLDEST + 1) * SIZE + 16, 0xc0c0c0c0);
    struct trx_bytes less = replaced(&good, begin + (OLDEST - 1) * SIZE + 12, 2 * SIZE + 4, 0);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &less, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 64));
    cr_expect_eq(kit.events[0].ticks, 0);
    /* The entry after them is lost with them. */
    cr_expect_eq(kit.events[kit.count - 1].ticks, (ENTRIES - 5) * STEP);
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_DAMAGED), 1);
    trx_kit_close(&kit);
    trx_bytes_free(&less);
    trx_bytes_free(&good);
}

/* Returns the number of threads after one word of entry AT has another value. */
static uint32_t threads_with(unsigned word, uint64_t value, uint32_t *damaged)
{
    size_t begin;
    struct trx_bytes bytes = ring(&begin);
    trx_kit_put_word(&bytes, false, false, begin + (size_t)AT * SIZE + word * 4, value);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 64));
    uint32_t threads = (uint32_t)tt_thread_count(kit.capture);
    *damaged = (uint32_t)tt_health_count(kit.capture, TT_HEALTH_DAMAGED);
    cr_expect_eq(kit.events[kit.count - 1].ticks, (ENTRIES - 1) * STEP);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
    return threads;
}

Test(trx_local, one_word)
{
    uint32_t damaged;
    cr_expect_eq(threads_with(0, 0x12345678, &damaged), THREADS, "a context");
    cr_expect_eq(damaged, 0);
    cr_expect_eq(threads_with(3, 0xf0000000, &damaged), THREADS, "a time");
    cr_expect_eq(damaged, 0);
}

/* Opens the ring with other times of some entries. */
static struct trx_kit open_with(const uint32_t *entries, const uint32_t *stamps, unsigned count,
                                struct trx_bytes *bytes)
{
    size_t begin;
    *bytes = ring(&begin);
    for (unsigned i = 0; i < count; i++) {
        trx_kit_put_word(bytes, false, false, begin + (size_t)entries[i] * SIZE + 12, stamps[i]);
    }
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 7));
    return kit;
}

/* The event stays at its place, at the time of the one before it, and moves no state and no other time. */
Test(trx_local, a_wrong_time_is_that_of_the_event_alone)
{
    /* Far ahead, a little behind, the oldest but one, and the newest but one. */
    static const uint32_t entries[] = {AT, AT + 20, OLDEST + 1, OLDEST - 2};
    static const uint32_t stamps[] = {0x70000000, 7000 + (AT + 18 - OLDEST) * STEP - 40, 5,
                                      0x123456};
    struct trx_bytes bytes;
    struct trx_kit kit = open_with(entries, stamps, 4, &bytes);
    uint32_t age = 0, wrong = 0;
    for (uint32_t i = 0; i < kit.count; i++) {
        const struct tt_event *event = &kit.events[i];
        if (event->flags & TT_EVENT_DERIVED) {
            continue;
        }
        const uint32_t entry = (age + OLDEST) % ENTRIES;
        const bool bad = entry == entries[0] || entry == entries[1] || entry == entries[2] ||
                         entry == entries[3];
        cr_expect_eq((event->flags & TT_EVENT_BAD_TIME) != 0, bad, "entry %u", entry);
        cr_expect_eq(event->ticks, (age - bad) * STEP, "entry %u", entry);
        cr_expect_eq(event->length, SIZE);
        wrong += bad;
        age++;
    }
    cr_expect_eq(age, ENTRIES);
    cr_expect_eq(wrong, 4);
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_BAD_TIME), 4);
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_DAMAGED), 0);
    cr_expect_eq(tt_thread_count(kit.capture), THREADS);
    for (uint32_t i = 0; i < kit.action_count; i++) {
        const struct tt_action *action = &kit.actions[i];
        cr_expect_neq(action->kind, TT_ACTION_LOST);
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t place = (entries[k] + ENTRIES - OLDEST) % ENTRIES;
            cr_expect_neq(action->pos, place * SIZE, "an action of entry %u", entries[k]);
        }
    }
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

/* Where the entry after it cannot be an event, that one is damaged, and not this one's time wrong. */
Test(trx_local, the_entry_before_damage_keeps_its_time)
{
    size_t begin;
    struct trx_bytes bytes = ring(&begin);
    const size_t next = begin + (size_t)(AT + 1) * SIZE;
    trx_kit_put_word(&bytes, false, false, next + 8, 0x3f000034);
    trx_kit_put_word(&bytes, false, false, next + 12, 7000 + (AT - OLDEST) * STEP - 30);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 64));
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_BAD_TIME), 0);
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_DAMAGED), 1);
    cr_expect_eq(tt_health_count(kit.capture, TT_HEALTH_MALFORMED), 0);
    cr_expect_eq(kit.events[kit.count - 1].ticks, (ENTRIES - 1) * STEP);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

/* A word that garbage puts in the place of a thread is none if it is the address of another object. */
Test(trx_local, another_object_is_no_thread)
{
    enum { SEMAPHORE = 0x9000 };
    static struct trx_kit_object objects[3];
    static struct trx_kit_entry entries[ENTRIES];
    objects[0] = (struct trx_kit_object){0, 1, {0, 0}, A, {0x8000, 0x400}, "t"};
    objects[1] = (struct trx_kit_object){0, 4, {0, 0}, SEMAPHORE, {0, 0}, "s"};
    objects[2] = (struct trx_kit_object){.available = 1};
    for (uint32_t i = 0; i < ENTRIES; i++) {
        entries[i] = (struct trx_kit_entry){{A, 5, 103, 7000 + (uint64_t)i * STEP, i, 0, 0, 0}};
    }
    entries[AT].words[2] = 1; /* resumes it */
    entries[AT].words[4] = SEMAPHORE;
    const struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                          .objects = objects,
                                          .object_count = 3,
                                          .entries = entries,
                                          .entry_count = ENTRIES};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 64));
    cr_expect_eq(tt_thread_count(kit.capture), 1);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

/*
 * One entry in nine of a large ring has a context of its own, of which none is registered; the registry is full, so that
 * such threads exist. Without a bound this takes minutes.
 */
Test(trx_local, a_hostile_ring_costs_bounded_work)
{
    enum { MANY = 1 << 19 };
    static const struct trx_kit_object objects[] = {{0, 1, {0, 0}, A, {0x8000, 0x400}, "t"}};
    struct trx_kit_entry *entries = calloc(MANY, sizeof *entries);
    cr_assert_not_null(entries);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint64_t context = i % 9 != 8 ? A : UINT64_C(0x20000000) + i * 8;
        entries[i] =
            (struct trx_kit_entry){{context, 5, 103, 7000 + (uint64_t)i * STEP, i, 0, 0, 0}};
    }
    entries[MANY / 2].words[2] |=
        0x00ff0000; /* an event that cannot be one: the ring is searched */
    const struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                          .oldest = 0,
                                          .objects = objects,
                                          .object_count = 1,
                                          .entries = entries,
                                          .entry_count = MANY};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(trx_kit_decode(&kit, 4096));
    cr_expect_gt(tt_health_count(kit.capture, TT_HEALTH_DAMAGED), 0);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
    free(entries);
}
