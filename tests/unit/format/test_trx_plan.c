/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a ThreadX ring: how much of it the first events need, and the threads that it has. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "format/trx/trx_internal.h"
#include "trx_build.h"

#define A   0x1000u
#define B   0x2000u
#define C   0x3000u
#define ISR 0xffffffffu

#define ENTRIES 100000u
#define SCREEN  24u

/* Decodes the first events; returns the number of entries whose meaning was found for them. */
static uint32_t ready_for_a_screen(const struct trx_kit_entry *entries)
{
    struct trx_kit_buffer buffer = {
        .mask = UINT32_MAX, .entries = entries, .entry_count = ENTRIES, .oldest = 70000};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct trx_kit kit;
    struct tt_event events[SCREEN];
    struct tt_batch batch = {.events = events, .capacity = SCREEN};
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    const struct tt_format *format = kit.capture->format;
    struct tt_cursor *cursor = format->cursor_new(kit.capture, true);
    cr_assert_eq(format->decode(cursor, kit.capture->bytes.size, true, &batch), TT_DECODE_MORE);
    cr_assert_eq(batch.count, SCREEN);
    const struct trx_decoder *decoder = kit.capture->decoder;
    uint32_t ready = atomic_load_explicit(&decoder->ready, memory_order_acquire);
    format->cursor_free(cursor);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
    return ready;
}

/*
 * Core 0 has two threads; an interrupt of core 1 resumes one of them, which never runs there; core 2
 * has a single entry.
 */
Test(trx_plan, the_first_events_do_not_need_the_whole_ring)
{
    struct trx_kit_entry *entries = malloc(ENTRIES * sizeof *entries);
    cr_assert(entries);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        entries[i] = i % 10 == 0 ? (struct trx_kit_entry){{ISR, 0, 0x01000001, i, B, 0, 0, 0}}
                                 : (struct trx_kit_entry){{i % 3 ? A : B, 5, 88, i, C, 0, 0, 0}};
    }
    entries[70001] = (struct trx_kit_entry){{C, 5, 0x02000058, 70001, C, 0, 0, 0}};
    uint32_t ready = ready_for_a_screen(entries);
    free(entries);
    cr_expect_geq(ready, SCREEN);
    cr_expect_lt(ready, 5000, "%u", ready);
}

/* The steps of a large ring are in large pages; the last ones are used, too. */
Test(trx_plan, a_large_ring_has_steps_for_all_entries)
{
    const uint32_t count = 600001;
    struct trx_kit_entry *entries = malloc(count * sizeof *entries);
    cr_assert(entries);
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = (struct trx_kit_entry){{i % 3 == 0 ? A : B, 5, 88, 1 + i, 0x5000, 0, 0, 0}};
    }
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX, .entries = entries, .entry_count = count};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.count, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = kit.events[i % 3 == 0 ? 0 : 1].thread;
        cr_assert(kit.events[i].thread == thread && kit.events[i].ticks == i, "%u", i);
    }
    trx_kit_close(&kit);
    free(entries);
}

/*
 * Returns the number of messages in a queue, plus 1, of the second of two sends to it; `between`: an entry
 * of the first one's core after it.
 */
static unsigned second_send(const struct trx_kit_entry *between)
{
    const struct trx_kit_entry entries[] = {{{A, 5, 69, 1, C, 0, 0, 0}},
                                            *between,
                                            {{B, 5, 0x01000000 | 69, 3, C, 0, 0, 0}},
                                            {{A, 5, 1, 4, 0x4000, 5, 0, A}}};
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX, .entries = entries, .entry_count = 4};
    struct trx_kit kit;
    unsigned posts = 0, state = 0;
    trx_kit_load_buffer(&kit, &buffer);
    for (uint32_t i = 0; i < kit.action_count; i++) {
        if (kit.actions[i].kind == TT_ACTION_POST) {
            posts++;
            state = kit.actions[i].state;
        }
    }
    cr_expect_eq(posts, 2);
    trx_kit_close(&kit);
    return state;
}

/* The message of a send that resumes its receiver is on its way: another send does not count it. */
Test(trx_plan, a_message_that_is_handed_over_is_not_gone)
{
    const struct trx_kit_entry of_its_core = {{A, 5, 88, 2, 0x5000, 0, 0, 0}};
    const struct trx_kit_entry of_another = {{B, 5, 0x01000000 | 88, 2, 0x5000, 0, 0, 0}};
    cr_expect_eq(second_send(&of_another), 2);
    cr_expect_eq(second_send(&of_its_core), 1);
}

/* The owner of a mutex is a thread, also if it has no entry and is not in the registry. */
Test(trx_plan, the_owner_of_a_mutex_is_a_thread)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 52, 1, C, UINT32_MAX, B, 1}},
                                                   {{A, 5, 2, 2, A, 13, 0, 0}}};
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX, .entries = entries, .entry_count = 2};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    uint32_t waits = 0;
    for (uint32_t i = 0; i < kit.action_count; i++) {
        if (kit.actions[i].kind == TT_ACTION_LOCK_WAIT) {
            cr_assert_neq(kit.actions[i].other, TT_NO_THREAD);
            cr_expect_eq(tt_thread_at(kit.capture, kit.actions[i].other)->tid, B);
            waits++;
        }
    }
    cr_expect_eq(waits, 1);
    cr_expect_eq(tt_thread_count(kit.capture), 2);
    trx_kit_close(&kit);
}

/* Returns the number of actions of a kind for a thread at a time. */
static uint32_t actions_at(const struct trx_kit *kit, uint64_t ticks, unsigned kind,
                           uint64_t address)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kit->action_count; i++) {
        const struct tt_action *a = &kit->actions[i];
        count += a->ticks == ticks && a->kind == kind &&
                 a->thread < tt_thread_count(kit->capture) &&
                 tt_thread_at(kit->capture, a->thread)->tid == address;
    }
    return count;
}

/* A thread that another core took has left its core, which has no entry of that. */
Test(trx_plan, a_thread_is_on_one_core)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 10, 100, 1}},
        {{A, 5, 0x01000000 | 10, 110, 1}},         /* on core 1 now */
        {{A, 5, 0x01000000 | 2, 120, A, 5, 0, B}}, /* waits for a queue */
        {{B, 5, 0x01000000 | 10, 130, 1}},
        {{B, 5, 0x01000000 | 1, 140, A, 5, 0, B}},  /* is resumed */
        {{A, 5, 10, 150, 1}},                       /* on core 0 again */
        {{B, 5, 0x01000000 | 2, 160, A, 11, 0, B}}, /* is suspended by the other core */
        {{B, 5, 0x01000000 | 1, 170, A, 11, 0, B}}, /* and resumed, with no entry of core 0 */
        {{A, 5, 10, 180, 1}},
    };
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX, .entries = entries, .entry_count = 9};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_expect_eq(
        actions_at(&kit, 10, TT_ACTION_SWITCH, A) + actions_at(&kit, 10, TT_ACTION_STATE, A), 1);
    for (uint32_t i = 0; i < kit.action_count; i++) {
        const struct tt_action *a = &kit.actions[i];
        if (a->ticks == 20 && a->kind == TT_ACTION_SWITCH) {
            cr_expect_str_eq(kit.capture->format->states[a->state].name, "QUEUE_SUSP");
        }
    }
    cr_expect_eq(actions_at(&kit, 40, TT_ACTION_WAKEUP, A), 1);
    cr_expect_eq(actions_at(&kit, 50, TT_ACTION_SWITCH, A), 1, "it runs");
    cr_expect_eq(actions_at(&kit, 60, TT_ACTION_STATE, A), 1, "it leaves at once");
    cr_expect_eq(actions_at(&kit, 70, TT_ACTION_WAKEUP, A), 1);
    cr_expect_eq(actions_at(&kit, 80, TT_ACTION_SWITCH, A), 1, "it runs again");
    trx_kit_close(&kit);
}

/* Returns the context after entry `index`, its steps found in pieces of `piece` entries. */
static uint32_t next_in_pieces(const struct trx_kit_buffer *buffer, uint32_t piece, uint32_t index)
{
    struct trx_bytes bytes = trx_kit_make(buffer);
    struct trx_kit kit;
    struct tt_event events[64];
    struct tt_batch batch = {.events = events, .capacity = 64};
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    const struct tt_format *format = kit.capture->format;
    struct tt_cursor *cursor = format->cursor_new(kit.capture, true);
    struct trx_decoder *decoder = kit.capture->decoder;
    trx_plan_piece(decoder, piece);
    cr_assert_eq(format->decode(cursor, kit.capture->bytes.size, true, &batch), TT_DECODE_END);
    uint32_t next = decoder->plan.steps[index].next;
    uint64_t address = decoder->contexts.items[next].address;
    format->cursor_free(cursor);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
    return (uint32_t)address;
}

/*
 * An interrupt resumes B in the last entry of core 0, which records that the core stays idle. The thread of core 1 has the place of B on core 0 in
 * the table of last entries, which so has an entry after the piece.
 */
Test(trx_plan, the_last_entry_of_a_core_waits_for_no_other)
{
    enum { COUNT = 20, RESUME = 2, SHIFT = 58 };
    struct trx_kit_entry entries[COUNT] = {{{A, 5, 88, 1, 0x5000, 0, 0, 0}},
                                           {{A, 5, 88, 2, 0x5000, 0, 0, 0}},
                                           {{ISR, 0, 1, 3, B, 0, 0, 0}}};
    uint32_t other = C;
    while (trx_pair_place(SHIFT, 1, other) != trx_pair_place(SHIFT, 0, B)) {
        other += 0x100;
    }
    for (uint32_t i = RESUME + 1; i < COUNT; i++) {
        entries[i] = (struct trx_kit_entry){{other, 5, 0x01000000 | 88, 1 + i, 0x5000, 0, 0, 0}};
    }
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX, .entries = entries, .entry_count = COUNT};
    for (uint32_t piece = 1; piece <= COUNT; piece++) {
        cr_expect_eq(next_in_pieces(&buffer, piece, RESUME), 0, "pieces of %u", piece);
    }
}
