/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of a ThreadX buffer: order, time, contexts, priorities, cores, names, actions. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_of.h"
#include "format/trx/trx_tables.h"
#include "same_action.h"
#include "tracetui/object_kind.h"
#include "trx_build.h"

#define A    0x1000u
#define B    0x2000u
#define C    0x3000u
#define ISR  0xffffffffu
#define INIT 0xf0f0f0f0u

static const struct trx_kit_object threads[] = {
    {.type = TRX_OBJECT_THREAD, .address = A, .parameters = {0x100, 512}, .name = "alpha"},
    {.type = TRX_OBJECT_THREAD, .address = B, .parameters = {0x300, 512}, .name = "beta"},
};

#define BUFFER(list, ...)                                                                          \
    {                                                                                              \
        .mask = UINT32_MAX, .objects = threads, .object_count = 2, .entries = list,                \
        .entry_count = sizeof(list) / sizeof(list)[0], __VA_ARGS__                                 \
    }

static void check_ticks(const struct trx_kit *kit, const uint64_t *ticks, uint32_t count)
{
    cr_assert_eq(kit->count, count);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(kit->events[i].ticks, ticks[i], "event %u: %llu", i,
                     (unsigned long long)kit->events[i].ticks);
    }
}

/* ---- order and time --------------------------------------------------------------------- */

Test(trx_buffer, circular_order_begins_at_the_oldest)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 40}}, {{A, 5, 103, 50}}, {{A, 5, 103, 10}},
        {{A, 5, 103, 20}}, {{A, 5, 103, 30}},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 2);
    static const uint64_t ticks[] = {0, 10, 20, 30, 40};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 5);
    for (uint32_t i = 0; i < 5; i++) {
        cr_assert_eq(kit.events[i].pos, 32 * i);
        cr_assert_eq(tt_capture_offset(kit.capture, kit.events[i].pos),
                     48 + 2 * 48 + 32 * ((i + 2) % 5));
    }
    trx_kit_close(&kit);
}

Test(trx_buffer, partial_buffer_ends_at_the_first_unused_entry)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 10}}, {{B, 5, 103, 20}}, {{0}}, {{A, 5, 103, 99}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 2);
    static const uint64_t ticks[] = {0, 10};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 2);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_COUNT_MISMATCH), 0);
    cr_assert_not(tt_health_damaged(kit.capture));
    trx_kit_close(&kit);
}

Test(trx_buffer, unused_entry_in_a_full_ring_is_reported)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 10}}, {{0}}, {{A, 5, 103, 3}}, {{A, 5, 103, 5}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 2);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.count, 1);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_COUNT_MISMATCH), 1);
    trx_kit_close(&kit);
}

Test(trx_buffer, masked_stamps_count_up_and_wrap)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 0xabcdfff0}},
                                                   {{A, 5, 103, 0x1111fff8}},
                                                   {{A, 5, 103, 0x77770004}},
                                                   {{A, 5, 103, 0x00000004}},
                                                   {{A, 5, 103, 0xffff0014}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    buffer.mask = 0xffff;
    static const uint64_t ticks[] = {0, 8, 20, 20, 36};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 5);
    cr_assert_str_eq(trx_kit_fact(&kit, "clock", "timer counts"), "up");
    trx_kit_close(&kit);
}

Test(trx_buffer, stamps_count_down_and_wrap)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 0x20}},
                                                   {{A, 5, 103, 0x10}},
                                                   {{A, 5, 103, 0x05}},
                                                   {{A, 5, 103, 0xfff5}},
                                                   {{A, 5, 103, 0xffe5}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    buffer.mask = 0xffff;
    static const uint64_t ticks[] = {0, 0x10, 0x1b, 0x2b, 0x3b};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 5);
    cr_assert_str_eq(trx_kit_fact(&kit, "clock", "timer counts"), "down");
    trx_kit_close(&kit);
}

Test(trx_buffer, direction_of_few_events_is_the_shorter_one)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 0xfffffff0}}, {{A, 5, 103, 5}}, {{A, 5, 103, 0x10}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    static const uint64_t ticks[] = {0, 0x15, 0x20};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 3);
    trx_kit_close(&kit);
}

Test(trx_buffer, wide_stamps_of_64_bits)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, UINT64_MAX - 1}},
                                                   {{A, 5, 103, 3}},
                                                   {{A, 5, 103, 0x100000003}},
                                                   {{A, 5, 103, 0x100000004}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .wide = true, .oldest = 0);
    buffer.mask = UINT64_MAX;
    static const uint64_t ticks[] = {0, 5, 0x100000005, 0x100000006};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 4);
    cr_assert_eq(kit.events[1].length, 64);
    trx_kit_close(&kit);
}

Test(trx_buffer, mask_0_keeps_the_order)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 7}}, {{B, 5, 103, 5}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    buffer.mask = 0;
    static const uint64_t ticks[] = {0, 0};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_ticks(&kit, ticks, 2);
    cr_assert_str_eq(trx_kit_thread(&kit, 1), "beta");
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_HEADER), 1);
    trx_kit_close(&kit);
}

Test(trx_buffer, clock_from_the_user)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 7}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_bytes bytes = trx_kit_make(&buffer);
    struct tt_capture_options options = {.clock_hz = 1000000};
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, &options);
    cr_assert_not(tt_failed(&status));
    cr_assert_eq(kit.capture->clock_hz, 1000000);
    trx_kit_close(&kit);
    status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert_eq(kit.capture->clock_hz, 0);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

/* ---- contexts, priorities, cores -------------------------------------------------------- */

Test(trx_buffer, contexts_and_priorities)
{
    static struct tt_args args;
    static const struct trx_kit_entry entries[] = {
        {{INIT, 0, 100, 1, A, 16, 0x100, 512}},
        {{A, 0x800c0010, 103, 2}},
        {{A, 16, 103, 3}},
        {{ISR, A, 3, 4, 0x140, 9, 1, 0}},
        {{ISR, 0, 4, 5, 0x140, 9, 1, 0}},
        {{C, 0x83ff03ff, 103, 6}},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_str_eq(trx_kit_thread(&kit, 0), "Initialize");
    cr_assert(tt_thread_at(kit.capture, kit.events[0].thread)->pseudo);
    cr_assert(trx_kit_describe(&kit, 0, &args));
    cr_assert_null(trx_kit_arg(&args, "threshold"));
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "thread"), "alpha"));

    cr_assert_str_eq(trx_kit_thread(&kit, 1), "alpha");
    cr_assert(trx_kit_describe(&kit, 1, &args));
    cr_assert_eq(trx_kit_arg(&args, "priority")->value.u, 16);
    cr_assert_eq(trx_kit_arg(&args, "threshold")->value.u, 12);
    cr_assert(trx_kit_describe(&kit, 2, &args));
    cr_assert_eq(trx_kit_arg(&args, "priority")->value.u, 16);
    cr_assert_null(trx_kit_arg(&args, "threshold"));

    cr_assert_str_eq(trx_kit_thread(&kit, 3), "Interrupt");
    cr_assert(trx_kit_describe(&kit, 3, &args));
    const struct tt_arg *interrupted = trx_kit_arg(&args, "interrupted");
    cr_assert(trx_kit_labelled(interrupted, "alpha") && !interrupted->hidden);
    cr_assert(trx_kit_describe(&kit, 4, &args));
    cr_assert(trx_kit_arg(&args, "interrupted")->hidden);

    /* Not in the registry: it has no name, which is reported. */
    cr_assert_str_eq(trx_kit_thread(&kit, 5), "");
    cr_assert_eq(tt_thread_at(kit.capture, kit.events[5].thread)->tid, C);
    cr_assert(trx_kit_describe(&kit, 5, &args));
    cr_assert_eq(trx_kit_arg(&args, "priority")->value.u, 1023);
    cr_assert_eq(trx_kit_arg(&args, "threshold")->value.u, 1023);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_UNKNOWN_REFERENCE), 1);
    trx_kit_close(&kit);
}

Test(trx_buffer, core_in_the_top_byte)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}}, {{B, 5, 0x03000067, 2}}, {{A, 5, 0x1f000067, 3}}, {{A, 5, 0x67, 4}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.capture->cpu_count, 32);
    static const uint16_t cores[] = {0, 3, 31, 0};
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert_eq(kit.events[i].cpu, cores[i]);
        cr_assert_str_eq(tt_types_at(kit.capture, kit.events[i].type)->name, "THREAD_IDENTIFY");
    }
    trx_kit_close(&kit);
}

Test(trx_buffer, impossible_core_is_damage)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 1}}, {{A, 5, 0xffffffff, 2}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.capture->cpu_count, 1);
    cr_assert_eq(kit.events[1].cpu, TT_NO_CPU);
    cr_assert(kit.events[1].flags & TT_EVENT_MALFORMED);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_MALFORMED), 1);
    trx_kit_close(&kit);
}

Test(trx_buffer, unknown_ids_and_the_users_own)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 130, 1, 1, 2, 3, 4}},
                                                   {{A, 5, 1025, 2, 1, 2, 3, 4}},
                                                   {{A, 5, 4096, 3, B, 2, 3, 4}},
                                                   {{A, 5, 65535, 4, 1, 2, 3, 4}},
                                                   {{A, 5, 103, 5, 0, 0, 0x1234, 0}}};
    static const char *const names[] = {"UNKNOWN_130", "USER_1025", "USER_4096", "USER_65535",
                                        "THREAD_IDENTIFY"};
    static struct tt_args args;
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    for (uint32_t i = 0; i < 5; i++) {
        cr_assert_str_eq(tt_types_at(kit.capture, kit.events[i].type)->name, names[i]);
    }
    cr_assert_eq(kit.events[2].kind, TT_KIND_USER);
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_UNKNOWN_EVENT), 1);
    cr_assert(trx_kit_describe(&kit, 2, &args));
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "info1"), "beta"));
    cr_assert_eq(trx_kit_arg(&args, "info4")->value.u, 4);
    /* An unused word is shown if it is not 0. */
    cr_assert(trx_kit_describe(&kit, 4, &args));
    cr_assert(trx_kit_arg(&args, "info1")->hidden);
    cr_assert_not(trx_kit_arg(&args, "info3")->hidden);
    trx_kit_close(&kit);
}

/* ---- objects ---------------------------------------------------------------------------- */

Test(trx_buffer, reused_addresses)
{
    static const struct trx_kit_object objects[] = {
        {.available = 1, .type = TRX_OBJECT_SEMAPHORE, .address = C, .name = "gone"},
        {.type = TRX_OBJECT_QUEUE, .address = C, .parameters = {64, 1}, .name = "first"},
        {.type = TRX_OBJECT_QUEUE, .address = C, .parameters = {32, 2}, .name = "second"},
        {.type = TRX_OBJECT_NONE, .address = B, .name = "never used"},
        {.type = 17, .address = A, .name = "reserved"},
    };
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 68, 1, C, C, 0, 0}}, {{A, 5, 83, 2, C, 0, 0, 0}}, {{A, 5, 52, 3, C, 0, B, 0}}};
    static struct tt_args args;
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    buffer.objects = objects;
    buffer.object_count = 5;
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert(trx_kit_describe(&kit, 0, &args));
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "queue"), "first"));
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "destination"), "gone"));
    cr_assert(trx_kit_describe(&kit, 1, &args));
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "semaphore"), "gone"));
    cr_assert(trx_kit_describe(&kit, 2, &args));
    cr_assert(trx_kit_labelled(trx_kit_arg(&args, "mutex"), "gone"));
    cr_assert_eq(trx_kit_arg(&args, "owner")->label.length, 0);
    cr_assert_str_eq(trx_kit_fact(&kit, "registry", "objects"), "4 of 5 slots");
    cr_assert_str_eq(trx_kit_fact(&kit, "registry", "semaphore 0x3000"),
                     "name=\"gone\" initial_count=0 deleted");
    cr_assert_str_eq(trx_kit_fact(&kit, "registry", "object 0x1000"),
                     "name=\"reserved\" parameter_1=0x0 parameter_2=0x0 type=17");
    trx_kit_close(&kit);
}

Test(trx_buffer, registry_priority_and_full_names)
{
    static const struct trx_kit_object objects[] = {
        {.type = TRX_OBJECT_THREAD,
         .reserved = {0x83, 0xff},
         .address = A,
         .parameters = {0x100, 512},
         .name = "a name that fills all of its room"},
    };
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 1}}};
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    buffer.objects = objects;
    buffer.object_count = 1;
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_str_eq(trx_kit_thread(&kit, 0), "a name that fills all of its roo");
    cr_assert_str_eq(trx_kit_fact(&kit, "registry", "thread 0x1000"),
                     "name=\"a name that fills all of its roo\" stack_start=0x100 stack_size=512 "
                     "priority=1023");
    trx_kit_close(&kit);
}

/* ---- next contexts and RUNNING ---------------------------------------------------------- */

static uint64_t next_of(const struct trx_kit *kit, uint32_t index)
{
    static struct tt_args args;
    cr_assert(trx_kit_describe(kit, index, &args));
    return trx_kit_arg(&args, "next_context")->value.u;
}

Test(trx_buffer, running_is_derived_where_it_is_missing)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 2, 100, A, 4, 0x140, B}}, /* B is the next context ... */
        {{C, 5, 103, 200}},               /* ... but C has an event: B ran in between */
        {{C, 5, 2, 205, C, 4, 0x140, 0}}, /* idle ... */
        {{A, 5, 103, 210}},               /* ... less than 12 ticks */
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    static const uint64_t ticks[] = {0, 12, 100, 105, 105, 110};
    static const uint8_t derived[] = {0, 1, 0, 0, 1, 0};
    check_ticks(&kit, ticks, 6);
    cr_assert_eq(kit.records, 4);
    for (uint32_t i = 0; i < 6; i++) {
        cr_assert_eq((kit.events[i].flags & TT_EVENT_DERIVED) != 0, derived[i], "event %u", i);
    }
    cr_assert_str_eq(tt_types_at(kit.capture, kit.events[1].type)->name, "RUNNING");
    cr_assert_str_eq(trx_kit_thread(&kit, 1), "beta");
    cr_assert_eq(kit.events[1].pos, 1);
    cr_assert_eq(kit.events[1].length, 0);
    cr_assert_eq(kit.events[4].thread, TT_NO_THREAD);
    cr_assert_eq(kit.events[4].pos, 2 * 32 + 1);
    trx_kit_touch_all(&kit);
    trx_kit_close(&kit);
}

Test(trx_buffer, old_kernels_do_not_record_the_next_thread)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 1, 1, B, 5, 0x140, 0}},   /* 0 RESUME of B, which has the next event */
        {{ISR, 0, 3, 2, 0x140, 1, 1, 0}}, /* 1 */
        {{ISR, 0, 1, 3, A, 4, 0x140, 0}}, /* 2 RESUME in an interrupt: A precedes B */
        {{ISR, 0, 4, 4, 0x140, 1, 1, 0}}, /* 3 */
        {{A, 5, 109, 5, 0x140, 0}},       /* 4 RELINQUISH: to B */
        {{B, 5, 103, 6}},                 /* 5 */
        {{B, 5, 2, 7, B, 14, 0x140, A}},  /* 6 suspended formally */
        {{B, 5, 103, 8}},                 /* 7 */
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    static const uint64_t next[] = {A, ISR, ISR, A, B, B, B, B};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        cr_assert_eq(next_of(&kit, i), next[i], "event %u: %llx", i,
                     (unsigned long long)next_of(&kit, i));
    }
    trx_kit_close(&kit);
}

Test(trx_buffer, cores_follow_their_own_rules)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 0x00000067, 1}}, {{B, 5, 0x01000067, 2}}, {{A, 5, 0x00000067, 3}},
        {{B, 5, 0x01000067, 4}}, {{A, 5, 0x00000067, 5}}, {{B, 5, 0x01000067, 6}},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    /* With one core each line would be a switch. */
    cr_assert_eq(kit.count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        cr_assert_eq(next_of(&kit, i), i % 2 ? B : A);
    }
    uint32_t switches = 0;
    for (uint32_t i = 0; i < kit.action_count; i++) {
        switches += kit.actions[i].kind == TT_ACTION_SWITCH;
    }
    cr_assert_eq(switches, 0);
    trx_kit_close(&kit);
}

/* ---- actions ---------------------------------------------------------------------------- */

struct expected {
    uint32_t event;
    unsigned kind;
    uint64_t thread; /* address; 0: none */
    uint64_t other;
    unsigned state;
};

static uint64_t address_of(const struct trx_kit *kit, uint32_t thread)
{
    return thread == TT_NO_THREAD ? 0 : tt_thread_at(kit->capture, thread)->tid;
}

static void check_actions(const struct trx_kit *kit, const struct expected *expected,
                          uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < kit->action_count; i++) {
        const struct tt_action *action = &kit->actions[i];
        if (action->kind == TT_ACTION_PRIORITY) {
            continue;
        }
        cr_assert_lt(at, count, "action %u: kind %u too many", at, action->kind);
        const struct expected *e = &expected[at];
        uint32_t event = event_of(action, kit->events, kit->count);
        cr_assert_eq(event, e->event, "action %u: event %u", at, event);
        cr_assert_eq(action->kind, e->kind, "action %u: kind %u", at, action->kind);
        cr_assert_eq(address_of(kit, action->thread), e->thread, "action %u: thread", at);
        cr_assert_eq(address_of(kit, action->other), e->other, "action %u: other", at);
        cr_assert_eq(action->state, e->state, "action %u: state %u", at, action->state);
        at++;
    }
    cr_assert_eq(at, count);
}

#define READY           TRX_STATE_READY
#define CREATE          100u
#define PRIORITY_CHANGE 108u

Test(trx_actions, switches_states_and_wakeups)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 68, 1, C, 0x140, 0xffffffff, 0}},
        {{A, 5, 2, 2, A, 5, 0x140, B}},   /* A waits for a queue, B comes */
        {{B, 9, 1, 3, A, 5, 0x140, A}},   /* B wakes A, which preempts it */
        {{A, 5, 2, 4, A, 4, 0x140, B}},   /* A sleeps, B continues */
        {{B, 9, 2, 5, B, 3, 0x140, 0}},   /* B suspended, idle */
        {{ISR, 0, 1, 6, A, 4, 0x140, A}}, /* an interrupt without enter wakes A */
        {{A, 5, 103, 7}},
    };
    /* Event 5 is the derived RUNNING of the idle system. */
    static const struct expected expected[] = {
        {0, TT_ACTION_STATE, A, 0, TRX_STATE_RUNNING},
        {0, TT_ACTION_LOCK_WAIT, A, 0, TT_OBJECT_QUEUE},
        {1, TT_ACTION_SWITCH, B, A, TRX_STATE_OF(5)},
        {2, TT_ACTION_WAKEUP, A, B, READY},
        {2, TT_ACTION_STATE, A, 0, READY},
        {2, TT_ACTION_SWITCH, A, B, READY},
        {3, TT_ACTION_SWITCH, B, A, TRX_STATE_OF(4)},
        {4, TT_ACTION_SWITCH, 0, B, TRX_STATE_OF(3)},
        {6, TT_ACTION_INTERRUPT_ENTER, 0, 0, 0},
        {6, TT_ACTION_WAKEUP, A, ISR, READY},
        {6, TT_ACTION_STATE, A, 0, READY},
        {6, TT_ACTION_INTERRUPT_LEAVE, 0, 0, 0},
        {6, TT_ACTION_SWITCH, A, 0, READY},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_actions(&kit, expected, sizeof expected / sizeof expected[0]);
    trx_kit_close(&kit);
}

Test(trx_actions, interrupts_nest)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 103, 1}},
        {{ISR, A, 3, 2, 0x140, 7, 1, 0}},
        {{ISR, A, 3, 3, 0x140, 8, 2, 0}},
        {{ISR, A, 4, 4, 0x140, 8, 2, 0}},
        {{ISR, A, 4, 5, 0x140, 7, 1, 0}},
        {{A, 5, 2, 6, A, 4, 0x140, B}},
        {{B, 5, 103, 7}},
    };
    static const struct expected expected[] = {
        {0, TT_ACTION_STATE, A, 0, TRX_STATE_RUNNING}, {1, TT_ACTION_INTERRUPT_ENTER, A, 0, 0},
        {2, TT_ACTION_INTERRUPT_ENTER, A, 0, 0},       {3, TT_ACTION_INTERRUPT_LEAVE, A, 0, 0},
        {4, TT_ACTION_INTERRUPT_LEAVE, A, 0, 0},       {5, TT_ACTION_SWITCH, B, A, TRX_STATE_OF(4)},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_actions(&kit, expected, sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < kit.action_count; i++) {
        if (kit.actions[i].kind == TT_ACTION_INTERRUPT_ENTER) {
            cr_assert_eq(kit.actions[i].value,
                         event_of(&kit.actions[i], kit.events, kit.count) + 6);
        }
    }
    trx_kit_close(&kit);
}

Test(trx_actions, locks_and_priority_changes)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 52, 1, C, 0xffffffff, 0, 0}}, /* free: no wait */
        {{A, 5, 52, 2, C, 0xffffffff, A, 1}}, /* its own: no wait */
        {{A, 5, 52, 3, C, 0xffffffff, B, 1}}, /* owned by B */
        {{A, 5, 2, 4, A, 14, 0x140, A}},      /* a priority change is not a state */
        {{A, 7, 1, 5, A, 14, 0x140, A}},      {{A, 7, 57, 6, C, A, 2, 0x140}},
        {{A, 7, 57, 7, C, A, 1, 0x140}},
    };
    static const struct expected expected[] = {
        {0, TT_ACTION_STATE, A, 0, TRX_STATE_RUNNING},
        {2, TT_ACTION_LOCK_WAIT, A, B, TT_OBJECT_MUTEX},
        {6, TT_ACTION_LOCK_FREE, A, 0, TT_OBJECT_MUTEX},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_actions(&kit, expected, sizeof expected / sizeof expected[0]);
    uint32_t changes = 0;
    for (uint32_t i = 0; i < kit.action_count; i++) {
        if (kit.actions[i].kind == TT_ACTION_PRIORITY) {
            cr_assert_eq(kit.actions[i].priority, changes == 0 ? 5 : 7);
            cr_assert_eq(event_of(&kit.actions[i], kit.events, kit.count), changes == 0 ? 0 : 4);
            changes++;
        }
        if (kit.actions[i].kind == TT_ACTION_LOCK_WAIT) {
            cr_assert_eq(kit.actions[i].value, C);
        }
    }
    cr_assert_eq(changes, 2);
    trx_kit_close(&kit);
}

Test(trx_actions, a_thread_suspended_by_others)
{
    static const struct trx_kit_entry entries[] = {
        {{A, 5, 0x00000067, 1}},
        {{B, 5, 0x01000067, 2}},
        {{A, 5, 0x00000002, 3, B, 3, 0x140, A}}, /* core 0 suspends the thread on core 1 */
        {{C, 5, 0x01000067, 4}},
    };
    static const struct expected expected[] = {
        {0, TT_ACTION_STATE, A, 0, TRX_STATE_RUNNING},
        {1, TT_ACTION_STATE, B, 0, TRX_STATE_RUNNING},
        {1, TT_ACTION_SWITCH, C, B, READY}, /* the next context of B's entry is C */
        {2, TT_ACTION_STATE, B, 0, TRX_STATE_OF(3)},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_actions(&kit, expected, sizeof expected / sizeof expected[0]);
    trx_kit_close(&kit);
}

/* SUSPEND or RESUME of B, which does not run, while A does: the actions of the entry. */
struct of_waiting {
    uint64_t id;
    uint64_t code; /* of the state: before a RESUME, after a SUSPEND */
    struct expected actions[2];
    uint32_t count;
    uint64_t before; /* value of the STATE action */
};

/* clang-format off */
static const struct of_waiting of_waiting[] = {
    {2, 3, {{1, TT_ACTION_STATE, B, 0, TRX_STATE_OF(3)}}, 1, 0},
    {2, 5, {{1, TT_ACTION_STATE, B, 0, TRX_STATE_OF(5)}}, 1, 0},
    {2, 14, {{0}}, 0, 0}, /* a change of priority is no state */
    {2, 15, {{1, TT_ACTION_STATE, B, 0, 0}}, 1, 0},
    {1, 0, {{1, TT_ACTION_STATE, B, 0, READY}}, 1, READY},
    {1, 5, {{1, TT_ACTION_WAKEUP, B, A, READY}, {1, TT_ACTION_STATE, B, 0, READY}}, 2, TRX_STATE_OF(5)},
    {1, 14, {{0}}, 0, 0},
    {1, 15, {{1, TT_ACTION_WAKEUP, B, A, READY}, {1, TT_ACTION_STATE, B, 0, READY}}, 2, 0},
};
/* clang-format on */

Test(trx_actions, states_of_a_thread_that_does_not_run)
{
    for (size_t i = 0; i < sizeof of_waiting / sizeof of_waiting[0]; i++) {
        const struct of_waiting *row = &of_waiting[i];
        const struct trx_kit_entry entries[] = {
            {{A, 5, 103, 1}},
            {{A, 5, row->id, 2, B, row->code, 0x140, A}},
            {{A, 5, 103, 3}},
        };
        struct expected expected[3] = {{0, TT_ACTION_STATE, A, 0, TRX_STATE_RUNNING}};
        memcpy(expected + 1, row->actions, row->count * sizeof expected[0]);
        struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
        struct trx_kit kit;
        trx_kit_load_buffer(&kit, &buffer);
        check_actions(&kit, expected, 1 + row->count);
        cr_assert_eq(kit.actions[kit.action_count - 1].value, row->before, "row %zu", i);
        trx_kit_close(&kit);
    }
}

/* CREATE and PRIORITY_CHANGE name a thread, which need not run. */
Test(trx_actions, priorities_of_named_threads)
{
    static const struct {
        uint64_t id, thread, priority;
        int16_t wanted; /* TT_NO_PRIORITY: no action */
    } rows[] = {
        {PRIORITY_CHANGE, B, 9, 9},
        {PRIORITY_CHANGE, B, 0, 0},
        {PRIORITY_CHANGE, B, 1023, 1023},
        {PRIORITY_CHANGE, B, 1024 + 3, 3},
        {PRIORITY_CHANGE, C, 9, 9},
        {PRIORITY_CHANGE, 0, 9, TT_NO_PRIORITY},
        {CREATE, B, 12, 12},
        {CREATE, 0, 12, TT_NO_PRIORITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct trx_kit_entry entries[] = {
            {{A, 5, 103, 1}},
            {{A, 5, rows[i].id, 2, rows[i].thread, rows[i].priority, 0x140, 0}},
        };
        struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
        struct trx_kit kit;
        trx_kit_load_buffer(&kit, &buffer);
        uint32_t found = 0;
        for (uint32_t k = 0; k < kit.action_count; k++) {
            const struct tt_action *action = &kit.actions[k];
            if (action->kind == TT_ACTION_PRIORITY &&
                event_of(action, kit.events, kit.count) == 1) {
                cr_expect_eq(address_of(&kit, action->thread), rows[i].thread, "row %zu", i);
                cr_expect_eq(action->priority, rows[i].wanted, "row %zu", i);
                found++;
            }
        }
        cr_expect_eq(found, rows[i].wanted != TT_NO_PRIORITY, "row %zu", i);
        trx_kit_close(&kit);
    }
}

Test(trx_actions, without_internal_events_the_leaving_state_is_unknown)
{
    static const struct trx_kit_entry entries[] = {{{A, 5, 103, 1}}, {{B, 5, 103, 2}}};
    static const struct expected expected[] = {
        {0, TT_ACTION_STATE, A, 0, TRX_STATE_RUNNING},
        {0, TT_ACTION_SWITCH, B, A, 0},
    };
    struct trx_kit_buffer buffer = BUFFER(entries, .oldest = 0);
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    check_actions(&kit, expected, sizeof expected / sizeof expected[0]);
    trx_kit_close(&kit);
}

/* ---- decoding from any position --------------------------------------------------------- */

static struct trx_bytes random_buffer(uint64_t seed, uint32_t count)
{
    static const uint32_t contexts[] = {A, B, C, ISR, INIT};
    static const uint16_t ids[] = {1, 2, 3, 4, 5, 52, 57, 68, 103, 109, 4096};
    struct trx_kit_entry *entries = calloc(count, sizeof *entries);
    cr_assert_not_null(entries);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *words = entries[i].words;
        words[0] = contexts[trx_kit_random(&seed) % 5];
        words[1] = trx_kit_random(&seed) % 3 ? 5 : A;
        words[2] = ids[trx_kit_random(&seed) % 11] | (trx_kit_random(&seed) % 3) << 24;
        words[3] = 20 * i + trx_kit_random(&seed) % 20;
        for (unsigned k = 0; k < 4; k++) {
            uint64_t pick = trx_kit_random(&seed) % 6;
            words[4 + k] = pick < 3 ? contexts[pick] : pick;
        }
    }
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .objects = threads,
                                    .object_count = 2,
                                    .entries = entries,
                                    .entry_count = count,
                                    .oldest = count / 3};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    free(entries);
    return bytes;
}

/* Decodes `length` events from a saved state and compares them with the whole. */
static void check_from(const struct trx_kit *kit, struct tt_cursor *cursor, const void *blob,
                       size_t blob_size, uint32_t from, uint32_t length)
{
    struct tt_event events[8];
    struct tt_action actions[8 * TT_ACTIONS_PER_EVENT];
    struct tt_batch batch = {.events = events,
                             .capacity = length,
                             .actions = actions,
                             .action_capacity = 8 * TT_ACTIONS_PER_EVENT,
                             .unwanted = NOTES};
    const struct tt_format *format = kit->capture->format;
    format->cursor_load(cursor, blob, blob_size);
    format->decode(cursor, kit->capture->bytes.size, true, &batch);
    uint32_t left = kit->count - from;
    cr_assert_eq(batch.count, left < length ? left : length);
    for (uint32_t i = 0; i < batch.count; i++) {
        cr_assert_eq(memcmp(&events[i], &kit->events[from + i], sizeof events[i]), 0, "event %u",
                     from + i);
    }
    uint32_t first = 0;
    while (first < kit->action_count &&
           event_of(&kit->actions[first], kit->events, kit->count) < from) {
        first++;
    }
    for (uint32_t i = 0; i < batch.action_count; i++) {
        cr_assert(same_action(&actions[i], &kit->actions[first + i]), "action %u from event %u on",
                  i, from);
    }
}

Test(trx_cursor, continues_from_any_position)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct trx_bytes bytes = random_buffer(seed, 300);
        struct trx_kit kit;
        trx_kit_load(&kit, &bytes);
        const struct tt_format *format = kit.capture->format;
        struct tt_cursor *walk = format->cursor_new(kit.capture, false);
        struct tt_cursor *again = format->cursor_new(kit.capture, false);
        struct tt_event event;
        struct tt_action actions[TT_ACTIONS_PER_EVENT + 1];
        uint8_t blob[1024];
        for (uint32_t i = 0; i < kit.count; i++) {
            cr_assert_eq(format->cursor_pos(walk), kit.events[i].pos);
            size_t size = format->cursor_save(walk, blob, sizeof blob);
            cr_assert(size <= sizeof blob);
            check_from(&kit, again, blob, size, i, 1 + i % 8);
            struct tt_batch batch = {.events = &event,
                                     .capacity = 1,
                                     .actions = actions,
                                     .action_capacity = TT_ACTIONS_PER_EVENT + 1};
            format->decode(walk, kit.capture->bytes.size, true, &batch);
            cr_assert_eq(batch.count, 1);
        }
        format->cursor_free(walk);
        format->cursor_free(again);
        trx_kit_close(&kit);
        trx_bytes_free(&bytes);
    }
}

Test(trx_cursor, a_growing_file_is_read_when_complete)
{
    struct trx_bytes bytes = random_buffer(9, 50);
    struct trx_kit kit;
    struct tt_status status = trx_kit_open(&kit, &bytes, NULL);
    cr_assert_not(tt_failed(&status));
    const struct tt_format *format = kit.capture->format;
    struct tt_event events[200];
    struct tt_batch batch = {.events = events, .capacity = 200};
    struct tt_cursor *cursor = format->cursor_new(kit.capture, true);
    struct tt_cursor *reader = format->cursor_new(kit.capture, false);
    cr_assert_eq(format->decode(cursor, bytes.size - 1, false, &batch), TT_DECODE_END);
    cr_assert_eq(batch.count, 0);
    cr_assert_eq(format->decode(reader, bytes.size, false, &batch), TT_DECODE_END);
    cr_assert_eq(batch.count, 0);
    cr_assert_eq(format->decode(cursor, bytes.size, false, &batch), TT_DECODE_END);
    cr_assert_geq(batch.count, 50);
    cr_assert_eq(batch.records, 50);
    format->cursor_free(cursor);
    format->cursor_free(reader);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}
