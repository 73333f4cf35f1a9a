/* SPDX-License-Identifier: Apache-2.0 */
/* Threads on CPUs: contexts, interrupts and their nesting, switches, losses, locks. */
#include <string.h>

#include "btrace_build.h"
#include "event_of.h"

enum { A = 0x1000, B = 0x2000, PROC = 0x9000, NULL_THREAD = 0x3000 };

static void two_threads(struct stream *s)
{
    stream_name(s, 3, 5, 1, A, PROC, "app.exe[1]0001");
    stream_name(s, 3, 4, 2, A, PROC, "Alpha");
    stream_name(s, 3, 4, 3, B, PROC, "Beta");
    stream_name(s, 3, 4, 4, NULL_THREAD, PROC, "Null");
}

static uint64_t plain(struct stream *s, uint32_t ts)
{
    return stream_words(s, 14, 5, ts, (const uint32_t[]){1, 2}, 2);
}

static uint64_t in_context(struct stream *s, uint32_t ts, uint32_t context)
{
    return stream_record(
        s,
        &(struct rec){.flags = TS | CTX, .category = 10, .sub = 1, .ts = ts, .context = context});
}

static uint32_t lane(const struct reading *r, const char *name)
{
    for (uint32_t i = 0; i < tt_thread_count(r->capture); i++) {
        if (strcmp(thread_name(r, i), name) == 0) {
            return i;
        }
    }
    return TT_NO_THREAD;
}

Test(btrace_context, from_the_context_id)
{
    struct stream s = {0};
    two_threads(&s);
    in_context(&s, 10, A);
    in_context(&s, 11, 1);
    in_context(&s, 12, 2);
    in_context(&s, 13, 3);
    in_context(&s, 14, 0);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 9);
    cr_expect_str_eq(thread_name(&r, r.events[4].thread), "Alpha");
    cr_expect_eq(r.events[4].flags & TT_EVENT_INFERRED, 0);
    for (uint32_t i = 5; i < 9; i++) {
        cr_expect_eq(r.events[i].thread, TT_NO_THREAD);
    }
    cr_expect_str_eq(args_line(&r, 5), "context=\"FIQ\"");
    cr_expect_str_eq(args_line(&r, 6), "context=\"IRQ\"");
    cr_expect_str_eq(args_line(&r, 7), "context=\"IDFC\"");
    cr_expect_str_eq(args_line(&r, 8), "");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, inferred_from_the_last_switch)
{
    struct stream s = {0};
    two_threads(&s);
    plain(&s, 10);
    stream_switch(&s, 20, A);
    plain(&s, 21);
    stream_words(&s, 4, 0, 22, NULL, 0); /* IRQ */
    plain(&s, 23);
    stream_words(&s, 4, 1, 24, NULL, 0);
    plain(&s, 25);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 11);
    cr_expect_eq(r.events[4].thread, TT_NO_THREAD);
    cr_expect_str_eq(thread_name(&r, r.events[5].thread), "Alpha");
    cr_expect_eq(r.events[5].flags & TT_EVENT_INFERRED, 0);
    cr_expect_str_eq(thread_name(&r, r.events[6].thread), "Alpha");
    cr_expect_neq(r.events[6].flags & TT_EVENT_INFERRED, 0);
    cr_expect_eq(r.events[8].thread, TT_NO_THREAD, "what comes in an interrupt is no thread's");
    cr_expect_str_eq(thread_name(&r, r.events[10].thread), "Alpha");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, switches_and_idle)
{
    struct stream s = {0};
    two_threads(&s);
    stream_switch(&s, 10, A);
    stream_switch(&s, 20, B);
    stream_switch(&s, 25, B);
    stream_switch(&s, 30, NULL_THREAD);
    struct reading r = read_stream(&s);
    cr_assert_eq(action_total(&r, TT_ACTION_SWITCH), 3);
    const struct tt_action *first = action_at(&r, TT_ACTION_SWITCH, 0);
    const struct tt_action *second = action_at(&r, TT_ACTION_SWITCH, 1);
    const struct tt_action *third = action_at(&r, TT_ACTION_SWITCH, 2);
    cr_expect_eq(first->other, TT_NO_THREAD);
    cr_expect_eq(first->thread, lane(&r, "Alpha"));
    cr_expect_eq(second->other, lane(&r, "Alpha"));
    cr_expect_eq(second->thread, lane(&r, "Beta"));
    cr_expect_eq(second->state, 0, "why it left is not known");
    cr_expect_eq(third->thread, lane(&r, "Null"));
    cr_expect(tt_thread_at(r.capture, lane(&r, "Null"))->idle);
    cr_expect(!tt_thread_at(r.capture, lane(&r, "Alpha"))->idle);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, an_interrupt_without_an_end_ends_at_the_idfc_or_the_switch)
{
    struct stream s = {0};
    stream_switch(&s, 10, A);
    stream_words(&s, 4, 0, 11, NULL, 0); /* IRQ start */
    stream_words(&s, 4, 4, 12, NULL, 0); /* IDFC start: ends it */
    stream_words(&s, 4, 5, 13, NULL, 0); /* IDFC end */
    stream_words(&s, 4, 2, 14, NULL, 0); /* FIQ start */
    stream_switch(&s, 15, B);            /* ends it */
    struct reading r = read_stream(&s);
    static const struct {
        uint8_t kind;
        uint64_t number;
        uint32_t event;
    } wanted[] = {
        {TT_ACTION_SWITCH, 0, 0},
        {TT_ACTION_INTERRUPT_ENTER, 0, 1},
        {TT_ACTION_INTERRUPT_LEAVE, 0, 2},
        {TT_ACTION_INTERRUPT_ENTER, UINT64_C(2) << 32, 2},
        {TT_ACTION_INTERRUPT_LEAVE, UINT64_C(2) << 32, 3},
        {TT_ACTION_INTERRUPT_ENTER, UINT64_C(1) << 32, 4},
        {TT_ACTION_INTERRUPT_LEAVE, UINT64_C(1) << 32, 5},
        {TT_ACTION_SWITCH, 0, 5},
    };
    cr_assert_eq(r.action_count, 8);
    for (unsigned i = 0; i < 8; i++) {
        cr_expect_eq(r.actions[i].kind, wanted[i].kind, "action %u", i);
        cr_expect_eq(event_of(&r.actions[i], r.events, r.count), wanted[i].event, "action %u", i);
        cr_expect_eq(r.actions[i].value, wanted[i].number, "action %u", i);
    }
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_NESTING), 0);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, interrupts_nest)
{
    struct stream s = {0};
    stream_smp(&s, 0, 6, 10, A);
    stream_smp(&s, 0, 0, 11, 5); /* IRQ 5 */
    stream_smp(&s, 0, 0, 12, 9); /*   IRQ 9 */
    stream_smp(&s, 0, 2, 13, 0); /*     FIQ */
    stream_smp(&s, 0, 3, 14, 0);
    stream_smp(&s, 0, 1, 15, 0);
    stream_smp(&s, 0, 1, 16, 0);
    struct reading r = read_stream(&s);
    cr_assert_eq(action_total(&r, TT_ACTION_INTERRUPT_ENTER), 3);
    cr_expect_eq(action_at(&r, TT_ACTION_INTERRUPT_ENTER, 0)->value, 5);
    cr_expect_eq(action_at(&r, TT_ACTION_INTERRUPT_ENTER, 1)->value, 9);
    cr_expect_eq(action_at(&r, TT_ACTION_INTERRUPT_LEAVE, 0)->value, UINT64_C(1) << 32);
    cr_expect_eq(action_at(&r, TT_ACTION_INTERRUPT_LEAVE, 1)->value, 9);
    cr_expect_eq(action_at(&r, TT_ACTION_INTERRUPT_LEAVE, 2)->value, 5);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_NESTING), 0);
    cr_expect_str_eq(args_line(&r, 1), "vector=5");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, impossible_nesting)
{
    struct stream s = {0};
    stream_words(&s, 4, 1, 0, NULL, 0); /* may have started before the capture */
    stream_switch(&s, 1, A);
    stream_words(&s, 4, 1, 1, NULL, 0); /* an end without a start */
    stream_words(&s, 4, 0, 2, NULL, 0);
    stream_words(&s, 4, 0, 3, NULL, 0);
    stream_words(&s, 4, 4, 4, NULL, 0); /* two open at the IDFC */
    stream_words(&s, 4, 4, 5, NULL, 0); /* an IDFC in an IDFC */
    stream_switch(&s, 6, A);            /* and a switch in it */
    for (uint32_t i = 0; i < 100; i++) {
        stream_words(&s, 4, 0, 10 + i, NULL, 0);
    }
    stream_switch(&s, 200, B);
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_NESTING), 4 + 92 + 1);
    cr_expect_eq(action_total(&r, TT_ACTION_INTERRUPT_ENTER),
                 action_total(&r, TT_ACTION_INTERRUPT_LEAVE));
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, each_cpu_is_separate)
{
    struct stream s = {0};
    stream_smp(&s, 0, 6, 10, A);
    stream_smp(&s, 1, 6, 11, B);
    stream_smp(&s, 1, 0, 12, 7);
    stream_record(
        &s,
        &(struct rec){.flags = H2 | TS | TS2, .category = 10, .sub = 1, .header2 = 0, .ts = 13});
    stream_smp(&s, 3, 6, 14, NULL_THREAD);
    stream_smp(&s, 99, 6, 15, A); /* not followed, still shown */
    struct reading r = read_stream(&s);
    cr_expect_eq(r.events[1].cpu, 1);
    cr_expect_eq(r.events[3].thread, r.events[0].thread);
    cr_expect_neq(r.events[3].flags & TT_EVENT_INFERRED, 0);
    cr_expect_eq(r.events[4].cpu, 3);
    cr_expect_eq(r.events[5].cpu, 99);
    cr_expect_eq(r.events[5].thread, r.events[0].thread);
    cr_expect_eq(r.capture->cpu_count, 100);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_HEADER), 1);
    reading_free(&r);
    stream_free(&s);
}

/* Priming records the running thread: it ran before. A ring that was overwritten has lost that record. */
Test(btrace_context, the_first_context_of_an_overwritten_ring_is_a_switch)
{
    static const uint8_t flags[] = {0, LOSS};
    for (unsigned i = 0; i < 2; i++) {
        uint8_t flag = flags[i];
        struct stream s = {0};
        stream_record(
            &s, &(struct rec){.flags = (uint8_t)(TS | flag), .category = 15, .sub = 2, .ts = 1});
        stream_switch(&s, 10, A);
        stream_switch(&s, 30, B);
        struct reading r = read_stream(&s);
        cr_assert_eq(action_total(&r, TT_ACTION_SWITCH), 2);
        cr_expect_eq(action_at(&r, TT_ACTION_SWITCH, 0)->flags, flag ? 0 : TT_ACTION_RAN_BEFORE);
        cr_expect_eq(action_at(&r, TT_ACTION_SWITCH, 1)->flags, 0);
        reading_free(&r);
        stream_free(&s);
    }
}

Test(btrace_context, a_loss_makes_everything_unknown)
{
    struct stream s = {0};
    /* On the first record the flag only means that the ring wrapped. */
    stream_record(&s, &(struct rec){.flags = TS | LOSS, .category = 15, .sub = 2, .ts = 1});
    stream_switch(&s, 10, A);
    stream_words(&s, 4, 0, 11, NULL, 0);
    stream_record(&s, &(struct rec){.flags = TS | LOSS, .category = 15, .sub = 2, .ts = 20});
    plain(&s, 21);
    stream_switch(&s, 30, B);
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_LOST), 1);
    cr_expect_eq(tt_health_at(r.capture, tt_health_kept(r.capture) - 1).kind, TT_HEALTH_UNMATCHED);
    cr_assert_eq(action_total(&r, TT_ACTION_LOST), 1);
    cr_expect_eq(event_of(action_at(&r, TT_ACTION_LOST, 0), r.events, r.count), 3);
    cr_expect_eq(action_at(&r, TT_ACTION_LOST, 0)->cpu, TT_NO_CPU);
    cr_expect_eq(action_at(&r, TT_ACTION_LOST, 0)->value, 11, "from the last one before it");
    cr_expect_eq(r.events[4].thread, TT_NO_THREAD, "the running thread is unknown");
    cr_expect_eq(action_at(&r, TT_ACTION_SWITCH, 1)->other, TT_NO_THREAD);
    cr_expect(strstr(args_line(&r, 3), "before=\"records missing\""));
    cr_expect(!tt_health_damaged(r.capture));
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, a_loss_on_a_later_part_is_reported_with_the_next_event)
{
    struct stream s = {0};
    uint8_t data[200] = {0};
    stream_part(&s, 1, 194, 1, 1, 5, 160, 9, data, 80);
    uint64_t last = stream_part(&s, 3, 194, 1, 2, 5, 160, 80, data, 80);
    s.bytes[last + 1] |= LOSS;
    plain(&s, 3);
    plain(&s, 4);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 3);
    cr_assert_eq(action_total(&r, TT_ACTION_LOST), 1);
    cr_expect_eq(event_of(action_at(&r, TT_ACTION_LOST, 0), r.events, r.count), 1);
    reading_free(&r);
    stream_free(&s);
}

static const char *state_name(unsigned state)
{
    return tt_format_btrace.states[state].name;
}

Test(btrace_context, reasons_for_leaving_a_cpu)
{
    static const struct {
        uint8_t category, sub;
        const char *state;
    } blocks[] = {
        {17, 4, "FAST_MUTEX"}, {23, 0x04, "SEMAPHORE"}, {23, 0x14, "MUTEX"}, {23, 0x22, "CONDVAR"}};
    for (unsigned i = 0; i < 4; i++) {
        struct stream s = {0};
        stream_switch(&s, 10, A);
        stream_words(&s, blocks[i].category, blocks[i].sub, 20, (const uint32_t[]){0x77, 0x78}, 2);
        stream_switch(&s, 30, B);
        stream_switch(&s, 40, A);
        struct reading r = read_stream(&s);
        const struct tt_action *left = action_at(&r, TT_ACTION_SWITCH, 1);
        cr_expect_str_eq(state_name(left->state), blocks[i].state);
        cr_expect(tt_class_is_lock(tt_format_btrace.states[left->state].class_));
        cr_expect_eq(action_at(&r, TT_ACTION_SWITCH, 2)->state, 0);
        cr_expect_eq(action_at(&r, TT_ACTION_LOCK_WAIT, 0)->value, 0x77);
        cr_expect_eq(action_total(&r, TT_ACTION_STATE), 0);
        reading_free(&r);
        stream_free(&s);
    }
}

Test(btrace_context, a_lock_acquired_in_time_is_not_a_reason_to_leave)
{
    struct stream s = {0};
    stream_switch(&s, 10, A);
    stream_words(&s, 17, 4, 20, (const uint32_t[]){0x77}, 1);
    stream_words(&s, 17, 0, 21, (const uint32_t[]){0x77}, 1);
    stream_words(&s, 17, 1, 22, (const uint32_t[]){0x77}, 1);
    stream_switch(&s, 30, B);
    struct reading r = read_stream(&s);
    cr_expect_eq(action_at(&r, TT_ACTION_SWITCH, 1)->state, 0);
    cr_expect_eq(action_total(&r, TT_ACTION_LOCK_FREE), 1);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, blocking_without_switches)
{
    struct stream s = {0};
    const uint8_t lock[4] = {0x77, 0, 0, 0};
    stream_record(&s, &(struct rec){.flags = TS | CTX | PC,
                                    .category = 17,
                                    .sub = 4,
                                    .ts = 1,
                                    .context = A,
                                    .pc = 0xf8001234,
                                    .data = lock,
                                    .length = 4});
    stream_record(&s, &(struct rec){.flags = TS | CTX | PC,
                                    .category = 17,
                                    .sub = 0,
                                    .ts = 2,
                                    .context = A,
                                    .pc = 0xf8001238,
                                    .data = lock,
                                    .length = 4});
    struct reading r = read_stream(&s);
    cr_assert_eq(action_total(&r, TT_ACTION_STATE), 2);
    cr_expect_str_eq(state_name(action_at(&r, TT_ACTION_STATE, 0)->state), "FAST_MUTEX");
    cr_expect_str_eq(state_name(action_at(&r, TT_ACTION_STATE, 1)->state), "UNKNOWN");
    cr_expect_str_eq(args_line(&r, 0), "fast_mutex=0x00000077 pc=0xf8001234");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, samples_belong_to_the_thread_they_name)
{
    struct stream s = {0};
    two_threads(&s);
    stream_words(&s, 18, 0, 10, (const uint32_t[]){0xf8000000, A}, 2);
    stream_words(&s, 18, 1, 11, (const uint32_t[]){0xf8000004}, 1);
    stream_words(&s, 18, 2, 12, (const uint32_t[]){0xf8000008}, 1);
    struct reading r = read_stream(&s);
    cr_expect_str_eq(thread_name(&r, r.events[4].thread), "Alpha");
    cr_expect_eq(r.events[4].flags & TT_EVENT_INFERRED, 0);
    cr_expect_str_eq(thread_name(&r, r.events[5].thread), "Alpha");
    cr_expect_neq(r.events[5].flags & TT_EVENT_INFERRED, 0);
    cr_expect_eq(r.events[6].thread, TT_NO_THREAD);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, priorities_messages_and_lifetimes)
{
    struct stream s = {0};
    stream_words(&s, 3, 7, 1, (const uint32_t[]){PROC}, 1);
    stream_words(&s, 3, 0, 2, (const uint32_t[]){A}, 1);
    stream_name(&s, 3, 5, 3, A, PROC, "app.exe[1]0001");
    stream_name(&s, 3, 2, 4, A, PROC, "Main");
    stream_words(&s, 11, 0, 5, (const uint32_t[]){A, 12}, 2);
    stream_words(&s, 11, 1, 6, (const uint32_t[]){A, 3, 20}, 3);
    stream_switch(&s, 7, A);
    stream_words(&s, 6, 4, 8, (const uint32_t[]){0xabc, 5, 0xdef}, 3);
    stream_words(&s, 6, 5, 9, (const uint32_t[]){0xabc}, 1);
    stream_words(&s, 6, 6, 10, (const uint32_t[]){0xabc, 0}, 2);
    stream_words(&s, 3, 3, 11, (const uint32_t[]){A, PROC, 1}, 3);
    stream_words(&s, 3, 1, 12, (const uint32_t[]){A}, 1);
    stream_words(&s, 3, 8, 13, (const uint32_t[]){PROC}, 1);
    stream_switch(&s, 14, B);
    stream_words(&s, 3, 1, 15, (const uint32_t[]){B + 8}, 1);
    struct reading r = read_stream(&s);
    uint32_t main_lane = lane(&r, "Main");
    cr_assert_eq(tt_thread_count(r.capture), 3);
    cr_expect_eq(event_of(action_at(&r, TT_ACTION_PROCESS_CREATE, 0), r.events, r.count), 0);
    cr_expect_eq(action_at(&r, TT_ACTION_THREAD_CREATE, 0)->thread, main_lane);
    cr_assert_eq(action_total(&r, TT_ACTION_PRIORITY), 1);
    cr_expect_eq(action_at(&r, TT_ACTION_PRIORITY, 0)->priority, 12);
    cr_expect_eq(action_at(&r, TT_ACTION_MESSAGE_SEND, 0)->value, 0xabc);
    cr_expect_eq(action_at(&r, TT_ACTION_MESSAGE_SEND, 0)->thread, main_lane);
    cr_expect_eq(action_at(&r, TT_ACTION_MESSAGE_RECEIVE, 0)->value, 0xabc);
    cr_expect_eq(action_at(&r, TT_ACTION_MESSAGE_REPLY, 0)->value, 0xabc);
    /* Destroyed while on the CPU: dead from the switch on, and its process as well. */
    const struct tt_action *left = action_at(&r, TT_ACTION_SWITCH, 1);
    const struct tt_action *ended = action_at(&r, TT_ACTION_PROCESS_DESTROY, 0);
    cr_expect_eq(left->other, main_lane);
    cr_expect_eq(tt_format_btrace.states[left->state].class_, TT_CLASS_DEAD);
    cr_expect_eq(ended->value, tt_thread_at(r.capture, main_lane)->process);
    cr_expect_eq(ended->pos, left->pos);
    /* A thread that is not on a CPU is dead at once. */
    cr_assert_eq(action_total(&r, TT_ACTION_THREAD_DESTROY), 1);
    cr_expect_eq(event_of(action_at(&r, TT_ACTION_THREAD_DESTROY, 0), r.events, r.count),
                 r.count - 1);
    reading_free(&r);
    stream_free(&s);
}

/*
 * Its process was unknown when the process ended, and is known when the records are decoded again.
 */
Test(btrace_context, a_thread_whose_process_is_known_after_its_end)
{
    struct stream s = {0};
    const uint32_t process = PROC;
    stream_words(&s, 3, 7, 1, &process, 1); /* EProcessCreate */
    stream_switch(&s, 10, A);
    uint64_t end = stream_words(&s, 3, 8, 11, &process, 1); /* EProcessDestroy */
    stream_name(&s, 3, 4, 12, A, PROC, "Alpha");
    stream_switch(&s, 20, B);
    struct reading r = read_stream(&s);
    cr_assert_eq(action_total(&r, TT_ACTION_PROCESS_DESTROY), 1);
    cr_expect_eq(action_at(&r, TT_ACTION_PROCESS_DESTROY, 0)->pos, end);
    cr_expect_eq(tt_process_at(r.capture, tt_thread_at(r.capture, lane(&r, "Alpha"))->process)->pid,
                 PROC);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, measurements_are_slices)
{
    struct stream s = {0};
    two_threads(&s);
    stream_switch(&s, 10, A);
    stream_name(&s, 15, 1, 20, 7, 8, "copy");
    stream_name(&s, 15, 1, 21, 7, 9, "inner");
    stream_switch(&s, 25, B);
    stream_words(&s, 15, 2, 30, (const uint32_t[]){7, 9}, 2);
    stream_words(&s, 15, 2, 31, (const uint32_t[]){7, 8}, 2);
    stream_words(&s, 15, 2, 32, (const uint32_t[]){7, 8}, 2);
    struct reading r = read_stream(&s);
    cr_assert_eq(action_total(&r, TT_ACTION_SLICE_BEGIN), 2);
    cr_assert_eq(action_total(&r, TT_ACTION_SLICE_END), 2);
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(action_at(&r, TT_ACTION_SLICE_BEGIN, i)->thread, lane(&r, "Alpha"));
        cr_expect_eq(action_at(&r, TT_ACTION_SLICE_END, i)->thread, lane(&r, "Alpha"));
    }
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNMATCHED), 1);
    reading_free(&r);
    stream_free(&s);
}

static double counter(const struct reading *r, const char *series, uint32_t event)
{
    for (uint32_t i = 0; i < r->action_count; i++) {
        const struct tt_action *a = &r->actions[i];
        if (a->kind == TT_ACTION_COUNTER && a->pos == r->events[event].pos &&
            strcmp(tt_capture_text(r->capture, tt_series_at(r->capture, a->other)->name, NULL),
                   series) == 0) {
            double value;
            memcpy(&value, &a->value, sizeof value);
            return value;
        }
    }
    return -1;
}

/* With the largest number of CPUs, a loss changes no sum of the heaps. */
Test(btrace_context, a_loss_with_64_cpus_leaves_the_sums_of_heaps)
{
    struct stream s = {0};
    stream_words(&s, 14, 2, 1, (const uint32_t[]){0xaa, 0x10, 64, 60}, 4);
    stream_smp(&s, 63, 6, 3, A);
    stream_record(&s, &(struct rec){.flags = TS | LOSS, .category = 15, .sub = 2, .ts = 20});
    stream_words(&s, 14, 2, 30, (const uint32_t[]){0xaa, 0x20, 32, 30}, 4);
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 4);
    cr_expect_eq(action_total(&r, TT_ACTION_LOST), 1);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 0), 64);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 3), 96);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_context, memory_as_counters)
{
    struct stream s = {0};
    stream_words(&s, 13, 1, 1, (const uint32_t[]){1 << 20}, 1);
    stream_words(&s, 13, 2, 2, (const uint32_t[]){4096}, 1);
    stream_words(&s, 13, 3, 3, (const uint32_t[]){1024}, 1);
    stream_name(&s, 8, 0, 4, 0xc0, 65536, "$HEAP");
    stream_words(&s, 8, 3, 5, (const uint32_t[]){0xc0, 0, 8192}, 3);
    stream_words(&s, 8, 5, 6, (const uint32_t[]){0xc1, 0, 4096}, 3);
    stream_words(&s, 8, 4, 7, (const uint32_t[]){0xc0, 0, 4096}, 3);
    stream_words(&s, 8, 2, 8, (const uint32_t[]){0xc0}, 1);
    stream_words(&s, 14, 2, 9, (const uint32_t[]){0xaa, 0x10, 100, 90}, 4);
    stream_words(&s, 14, 2, 10, (const uint32_t[]){0xaa, 0x20, 50, 50}, 4);
    stream_words(&s, 14, 3, 11, (const uint32_t[]){0xaa, 0x30, 200, 190, 0x10}, 5);
    stream_words(&s, 14, 4, 12, (const uint32_t[]){0xaa, 0x20}, 2);
    stream_words(&s, 14, 4, 13, (const uint32_t[]){0xaa, 0x99}, 2);
    struct reading r = read_stream(&s);
    cr_expect_eq(counter(&r, "free RAM", 0), 1 << 20);
    cr_expect_eq(counter(&r, "kernel memory, miscellaneous", 1), 4096);
    cr_expect_eq(counter(&r, "kernel memory, miscellaneous", 2), 3072);
    cr_expect_eq(counter(&r, "chunk 0x000000c0 $HEAP", 4), 8192);
    cr_expect_eq(counter(&r, "chunk 0x000000c1", 5), 4096);
    cr_expect_eq(counter(&r, "all chunks", 5), 12288);
    cr_expect_eq(counter(&r, "chunk 0x000000c0 $HEAP", 6), 4096);
    cr_expect_eq(counter(&r, "chunk 0x000000c0 $HEAP", 7), 0);
    cr_expect_eq(counter(&r, "all chunks", 7), 4096);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 8), 100);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 9), 150);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 10), 250);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 11), 200);
    cr_expect_eq(counter(&r, "heap 0x000000aa", 12), 200);
    reading_free(&r);
    stream_free(&s);
}
