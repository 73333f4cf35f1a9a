/* SPDX-License-Identifier: Apache-2.0 */
/* Running threads, the thread of an event, processes and threads, actions, the dump of states. */
#include <criterion/criterion.h>
#include <string.h>

#include "event_of.h"
#include "format/kev/kev_internal.h"
#include "kev_build.h"

static void check_thread(const struct kev_read *r, uint32_t event, const char *thread,
                         bool inferred)
{
    cr_assert_str_eq(kev_read_thread(r, r->events[event].thread), thread, "event %u: %s", event,
                     kev_read_thread(r, r->events[event].thread));
    cr_assert_eq((r->events[event].flags & TT_EVENT_INFERRED) != 0, inferred, "event %u", event);
}

/*
 * Returns the number of threads that were created, announced or listed again, by the flags of the
 * action.
 */
static unsigned creations(const struct kev_read *r, unsigned flags)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < r->action_count; i++) {
        const struct tt_action *action = &r->actions[i];
        count += action->kind == TT_ACTION_THREAD_CREATE && action->flags == flags;
    }
    return count;
}

/* The event of the only creation that is a real one. */
static uint32_t real_creation(const struct kev_read *r)
{
    cr_assert_eq(creations(r, TT_ACTION_MAY_EXIST), 1);
    for (uint32_t i = 0;; i++) {
        if (r->actions[i].kind == TT_ACTION_THREAD_CREATE &&
            r->actions[i].flags == TT_ACTION_MAY_EXIST) {
            return event_of(&r->actions[i], r->events, r->event_count);
        }
    }
}

static const char *state_name(const struct kev_read *r, uint16_t state)
{
    cr_assert_lt(state, r->capture->format->state_count);
    return r->capture->format->states[state].name;
}

Test(kev_context, events_belong_to_the_running_thread_of_their_cpu)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_event(&b, 0, KB_CALL, 14, 10, 2, 1, 1);            /* 0: no thread yet */
    kev_build_event(&b, 0, KB_THREAD, 1, 20, 2, 4099, 2);        /* 1 */
    kev_build_event(&b, 0, KB_CALL, 14, 30, 2, 1, 1);            /* 2 */
    kev_build_event(&b, 1, KB_CALL, 14, 30, 2, 1, 1);            /* 3: another CPU */
    kev_build_event(&b, 0, KB_THREAD, 5, 40, 2, 4099, 2);        /* 4: RECEIVE; CPU in the kernel */
    kev_build_event(&b, 0, KB_INT, 1, 50, 2, 7, 0x1000);         /* 5: the last one to run */
    kev_build_event(&b, 0, KB_THREAD, 2, 60, 2, 5000, 1);        /* 6: READY, of the thread named */
    kev_build_event(&b, 0, KB_SYSTEM, 17, 70, 4, 5000, 3, 1, 2); /* 7: names its thread */
    kev_build_time(&b, 0, 80, 0);                                /* 8: about the trace */
    kev_build_event(&b, 0, KB_THREAD, 27, 90, 2, 5000, 9);       /* 9: a virtual thread */
    struct kev_read r = kev_read_all(&b);
    check_thread(&r, 0, "-", false);
    check_thread(&r, 1, "4099/2", false);
    check_thread(&r, 2, "4099/2", true);
    check_thread(&r, 3, "-", false);
    check_thread(&r, 4, "4099/2", false);
    check_thread(&r, 5, "4099/2", true);
    check_thread(&r, 6, "5000/1", false);
    check_thread(&r, 7, "5000/3", false);
    check_thread(&r, 8, "-", false);
    check_thread(&r, 9, "4099/2", true);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_context, states_with_cpu_and_priority)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_event(&b, 3, KB_THREAD, 1, 10, 4, 4099, 2, 21, 2);
    kev_build_event(&b, 3, KB_THREAD, 13, 20, 2, 4099, 2);
    kev_build_event(&b, 3, KB_THREAD, 2, 30, 6, 4099, 2, 10, 1, 0, 0);
    /* The last slot of a wide state, if not adjacent, has the priority. */
    kev_build_slot(&b, 3, KB_BEGIN, KB_THREAD, 1, 40, 4099, 2);
    kev_build_event(&b, 3, KB_USER, 1, 50, 2, 0, 0);
    kev_build_slot(&b, 3, KB_END, KB_THREAD, 1, 40, 33, 2);
    struct kev_read r = kev_read_all(&b);
    static const struct {
        const char *state;
        int priority;
    } states[] = {
        {"RUNNING", 21}, {"MUTEX", TT_NO_PRIORITY}, {"READY", 10}, {"RUNNING", TT_NO_PRIORITY}};
    for (unsigned i = 0; i < 4; i++) {
        const struct tt_action *action = kev_read_action(&r, TT_ACTION_STATE, i);
        cr_assert_not_null(action);
        cr_assert_str_eq(state_name(&r, action->state), states[i].state);
        cr_assert_eq(action->priority, states[i].priority);
        cr_assert_eq(action->cpu, 3);
        cr_assert_str_eq(kev_read_thread(&r, action->thread), "4099/2");
    }
    const struct tt_action *late = kev_read_action(&r, TT_ACTION_PRIORITY, 0);
    cr_assert_not_null(late);
    cr_assert_eq(late->priority, 33);
    cr_assert_str_eq(kev_read_thread(&r, late->thread), "4099/2");
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_context, state_classes_of_all_releases)
{
    static const struct {
        const char *release;
        unsigned event;
        const char *name;
        unsigned class_;
    } states[] = {
        {"6.4.1", 0, "DEAD", TT_CLASS_DEAD},
        {"6.4.1", 3, "STOPPED", TT_CLASS_STOPPED},
        {"6.4.1", 7, "STACK", TT_CLASS_WAIT},
        {"6.4.1", 12, "NANOSLEEP", TT_CLASS_SLEEP},
        {"7.1.0", 13, "MUTEX", TT_CLASS_LOCK},
        {"7.1.0", 14, "CONDVAR", TT_CLASS_CONDITION},
        {"7.1.0", 17, "SEM", TT_CLASS_CONDITION},
        {"7.1.0", 20, "NET_REPLY", TT_CLASS_IPC},
        {"7.1.0", 21, "unknown", TT_CLASS_UNKNOWN},
        {"8.0.0", 7, "MQ_SEND", TT_CLASS_IPC},
        {"8.0.0", 20, "RWLOCK_WRITE", TT_CLASS_LOCK},
        {"8.0.0", 29, "TIMER_DELEGATE", TT_CLASS_SLEEP},
        {"8.0.0", 30, "SEND_NOTIFY", TT_CLASS_IPC},
        {"8.0.0", 28, "INTR_ATTACH_EV", TT_CLASS_WAIT},
    };
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        struct kev_build b;
        kev_build_begin(&b, states[i].release, false);
        kev_build_event(&b, 0, KB_THREAD, states[i].event, 1, 2, 7, 1);
        struct kev_read r = kev_read_all(&b);
        const struct tt_action *action = kev_read_action(&r, TT_ACTION_STATE, 0);
        cr_assert_not_null(action);
        cr_assert_str_eq(state_name(&r, action->state), states[i].name);
        cr_assert_eq(r.capture->format->states[action->state].class_, states[i].class_);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* The owner in SYNC_MUTEX_LOCK of 32 and 64 bits, in wide and fast mode. */
Test(kev_context, owners_of_mutexes)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_event(&b, 0, KB_THREAD, 1, 10, 2, 4099, 2);
    kev_build_event(&b, 0, KB_CALL, 80, 20, 3, 0x8060000, 1, 0x80030002);
    kev_build_event(&b, 0, KB_CALL, 512 + 80, 30, 4, 0x8060000, 0x10, 1, 0x80030001);
    kev_build_event(&b, 0, KB_CALL, 80, 40, 2, 0x8060000, 0x30002);
    kev_build_event(&b, 0, KB_CALL, 512 + 80, 50, 2, 0x8060000, 0x10);    /* not recorded */
    kev_build_event(&b, 0, KB_CALL, 80, 60, 3, 0x8060000, 1, 0);          /* free */
    kev_build_event(&b, 0, KB_CALL, 80, 70, 3, 0x8060000, 1, 0xffffff00); /* the owner died */
    kev_build_slot(&b, 0, KB_BEGIN, KB_CALL, 80, 80, 0x8060000, 1); /* another CPU's slot between */
    kev_build_event(&b, 1, KB_THREAD, 1, 80, 2, 4099, 3);
    kev_build_slot(&b, 0, KB_END, KB_CALL, 80, 80, 0x30002, 0);
    struct kev_read r = kev_read_all(&b);
    static const uint32_t owners[] = {0x30002,      0x30001,      0x30002,     TT_NO_THREAD,
                                      TT_NO_THREAD, TT_NO_THREAD, TT_NO_THREAD};
    for (unsigned i = 0; i < 7; i++) {
        const struct tt_action *wait = kev_read_action(&r, TT_ACTION_LOCK_WAIT, i);
        cr_assert_not_null(wait);
        cr_expect_eq(wait->other, owners[i], "call %u", i);
    }
    bool (*is_owner)(const struct tt_capture *, uint32_t, uint32_t) =
        r.capture->format->refers.is_owner;
    uint32_t thread = kev_read_action(&r, TT_ACTION_LOCK_WAIT, 0)->thread;
    cr_assert_str_eq(kev_read_thread(&r, thread), "4099/2");
    cr_expect(is_owner(r.capture, thread, 0x30002));
    cr_expect_not(is_owner(r.capture, thread, 0x30001));
    cr_expect_not(is_owner(r.capture, thread, 0x40002));
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_context, messages_locks_interrupts)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_event(&b, 0, KB_THREAD, 1, 10, 2, 4099, 2);
    kev_build_event(&b, 0, KB_COMM, 0, 20, 2, 0x4f, 159762);
    kev_build_event(&b, 0, KB_COMM, 2, 30, 2, 0x4f, 159762);
    kev_build_event(&b, 0, KB_COMM, 10, 40, 2, 3, 5000);
    kev_build_event(&b, 0, KB_COMM, 4, 50, 2, 0x40000002, 1);
    kev_build_event(&b, 0, KB_COMM, 2, 60, 2, UINT32_MAX, UINT32_MAX); /* failed: nothing */
    kev_build_event(&b, 0, KB_COMM, 0, 70, 2, 0x50, 0);                /* to another node */
    kev_build_event(&b, 0, KB_CALL, 80, 80, 2, 0x8060000, 0);
    kev_build_event(&b, 0, KB_CALL, 512 + 81, 90, 2, 0x8060000, 0x10);
    kev_build_event(&b, 0, KB_INT, 1, 100, 2, 0x25, 0x1000);
    kev_build_event(&b, 0, KB_INT, 2, 110, 2, 0x25, 0);
    struct kev_read r = kev_read_all(&b);

    const struct tt_action *send = kev_read_action(&r, TT_ACTION_MESSAGE_SEND, 0);
    cr_assert_str_eq(kev_read_thread(&r, send->thread), "4099/2");
    cr_assert_eq(send->value, 0x4f);
    cr_assert_eq(tt_process_at(r.capture, send->other)->pid, 159762);
    const struct tt_action *pulse = kev_read_action(&r, TT_ACTION_POST, 0);
    cr_assert_eq(pulse->thread, TT_NO_THREAD, "the kernel sent it, not the running thread");
    cr_assert_eq(kev_read_action(&r, TT_ACTION_MESSAGE_SEND, 1)->other, TT_NO_THREAD);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_MESSAGE_SEND), 2);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_MESSAGE_RECEIVE), 1);
    const struct tt_action *reply = kev_read_action(&r, TT_ACTION_MESSAGE_REPLY, 0);
    cr_assert_str_eq(kev_read_thread(&r, reply->other), "5000/3");

    cr_assert_eq(kev_read_action(&r, TT_ACTION_LOCK_WAIT, 0)->value, 0x8060000);
    cr_assert_eq(kev_read_action(&r, TT_ACTION_LOCK_FREE, 0)->value, UINT64_C(0x1008060000));
    cr_assert_eq(kev_read_action(&r, TT_ACTION_INTERRUPT_ENTER, 0)->value, 0x25);
    cr_assert_eq(kev_read_action(&r, TT_ACTION_INTERRUPT_LEAVE, 0)->cpu, 0);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_context, lanes_end_with_their_process)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_event(&b, 0, KB_THREAD, 1, 5, 2, 1, 1);       /* 0 */
    kev_build_named(&b, 0, 192, 10, 1, 4099, "first");      /* 1 */
    kev_build_event(&b, 0, KB_THREAD, 24, 20, 2, 4099, 1);  /* 2: CREATE */
    kev_build_event(&b, 0, KB_THREAD, 25, 30, 2, 4099, 1);  /* 3: DESTROY */
    kev_build_event(&b, 0, KB_THREAD, 0, 40, 2, 4099, 1);   /* 4: DEAD */
    kev_build_event(&b, 0, KB_THREAD, 24, 50, 2, 4099, 1);  /* 5: the tid again */
    kev_build_event(&b, 0, KB_THREAD, 128, 60, 2, 1, 4099); /* 6: PROCDESTROY */
    kev_build_named(&b, 0, 192, 70, 1, 4099, "second");     /* 7: the pid again */
    kev_build_event(&b, 0, KB_THREAD, 24, 80, 2, 4099, 1);  /* 8 */
    kev_build_named(&b, 0, 320, 90, 4099, 1, "worker");     /* 9 */
    struct kev_read r = kev_read_all(&b);
    uint32_t first = r.events[2].thread;
    cr_assert_eq(r.events[3].thread, first);
    cr_assert_eq(r.events[4].thread, first);
    cr_assert_eq(r.events[5].thread, first);
    uint32_t second = r.events[8].thread;
    cr_assert_neq(second, first);
    cr_assert_eq(r.events[9].thread, second);
    const struct tt_thread *lane = tt_thread_at(r.capture, second);
    cr_assert_str_eq(tt_capture_text(r.capture, lane->name, NULL), "worker");
    const struct tt_process *process = tt_process_at(r.capture, lane->process);
    cr_assert_str_eq(tt_capture_text(r.capture, process->name, NULL), "second");
    process = tt_process_at(r.capture, tt_thread_at(r.capture, first)->process);
    cr_assert_str_eq(tt_capture_text(r.capture, process->name, NULL), "first");
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_THREAD_CREATE), 3);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_THREAD_DESTROY), 1);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_PROCESS_CREATE), 2);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_PROCESS_DESTROY), 1);
    cr_assert_eq(creations(&r, TT_ACTION_MAY_EXIST), 3, "no dump: the first event was another");
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_context, one_idle_thread_per_cpu)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false); /* 4 CPUs */
    for (uint32_t tid = 1; tid <= 6; tid++) {
        kev_build_event(&b, 0, KB_THREAD, 2, 10 * tid, 2, 1, tid);
    }
    kev_build_event(&b, 0, KB_THREAD, 2, 100, 2, 2, 1);
    struct kev_read r = kev_read_all(&b);
    for (uint32_t i = 0; i < 7; i++) {
        cr_assert_eq(tt_thread_at(r.capture, r.events[i].thread)->idle, i < 4, "event %u", i);
    }
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A name that is removed, and one whose end follows later. */
Test(kev_context, thread_names)
{
    struct kev_build b;
    uint32_t words[8] = {4099, 2};
    kev_build_begin(&b, "7.1.0", false);
    size_t count = 2 + kev_build_text_words(&b, "watchdog", words + 2, 6);
    kev_build_slot(&b, 0, KB_BEGIN, KB_THREAD, 320, 10, words[0], words[1]);
    kev_build_slot(&b, 0, KB_MIDDLE, KB_THREAD, 320, 10, words[2], words[3]);
    kev_build_event(&b, 1, KB_USER, 1, 20, 2, 0, 0);
    kev_build_slot(&b, 0, KB_END, KB_THREAD, 320, 10, words[4], 0);
    cr_assert_eq(count, 5);
    struct kev_read r = kev_read_all(&b);
    const struct tt_thread *lane = tt_thread_at(r.capture, r.events[0].thread);
    cr_assert_str_eq(tt_capture_text(r.capture, lane->name, NULL), "watchdog");
    cr_assert_str_eq(kev_read_args(&r, 0), "pid=4099 tid=2 name=\"watchdog\"");
    kev_read_free(&r);

    kev_build_named(&b, 0, 320, 30, 4099, 2, "");
    r = kev_read_all(&b);
    lane = tt_thread_at(r.capture, r.events[0].thread);
    cr_assert_eq(lane->name, 0, "an empty name takes it back");
    kev_read_free(&r);
    kev_build_free(&b);
}

/* Builds a name of a thread or process with a slot of another CPU after each of its slots. */
static void build_apart(struct kev_build *b, unsigned event, uint32_t first, uint32_t second,
                        const char *name)
{
    uint32_t words[16] = {first, second};
    size_t count = 2 + kev_build_text_words(b, name, words + 2, 14);
    size_t slots = (count + 1) / 2;
    for (size_t i = 0; i < slots; i++) {
        unsigned structure = i == 0 ? KB_BEGIN : i + 1 == slots ? KB_END : KB_MIDDLE;
        kev_build_slot(b, 0, structure, KB_THREAD, event, 10, words[2 * i], words[2 * i + 1]);
        kev_build_event(b, 1, KB_USER, 1, 20 + (uint32_t)i, 2, 0, 0);
    }
}

/* Names of each length, in slots that are not adjacent. */
Test(kev_context, names_in_slots_apart)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwx";
    for (size_t length = 1; length < sizeof letters; length++) {
        char name[sizeof letters] = "";
        memcpy(name, letters, length);
        for (unsigned big = 0; big < 2; big++) {
            struct kev_build b;
            kev_build_begin(&b, "7.1.0", big != 0);
            build_apart(&b, 320, 4099, 2, name);
            build_apart(&b, 192, 1, 5000, name);
            struct kev_read r = kev_read_all(&b);
            const struct tt_thread *lane = tt_thread_at(r.capture, r.events[0].thread);
            cr_assert_str_eq(tt_capture_text(r.capture, lane->name, NULL), name);
            uint32_t process = tt_registry_find_process(r.capture, 5000, UINT64_MAX);
            cr_assert_neq(process, UINT32_MAX);
            cr_assert_str_eq(
                tt_capture_text(r.capture, tt_process_at(r.capture, process)->name, NULL), name);
            kev_read_free(&r);
            kev_build_free(&b);
        }
    }
}

/* ---- the dump of states ------------------------------------------------------------------- */

static void build_dump(struct kev_build *b, uint32_t *stamp, bool wide)
{
    kev_build_named(b, 0, 192, *stamp += 10, 0, 1, "procnto");
    kev_build_event(b, 0, KB_THREAD, 24, *stamp += 10, 2, 1, 1);
    kev_build_event(b, 0, KB_THREAD, 2, *stamp += 10, wide ? 4 : 2, 1, 1, 0, 1);
    kev_build_event(b, 0, KB_THREAD, 24, *stamp += 10, 2, 1, 2);
    kev_build_event(b, 2, KB_THREAD, 1, *stamp += 10, wide ? 4 : 2, 1, 2, 10, 1);
    kev_build_named(b, 0, 320, *stamp += 10, 1, 2, "worker");
    kev_build_named(b, 0, 192, *stamp += 10, 1, 4099, "tracer");
    kev_build_event(b, 0, KB_THREAD, 24, *stamp += 10, 2, 4099, 1);
    kev_build_event(b, 0, KB_THREAD, 1, *stamp += 10, wide ? 4 : 2, 4099, 1, 10, 1);
}

Test(kev_context, dump_at_the_start)
{
    for (int wide = 0; wide < 2; wide++) {
        struct kev_build b;
        uint32_t stamp = 100;
        kev_build_begin(&b, "7.1.0", false);
        kev_build_buffer(&b, 0, stamp, 1, 0);
        kev_build_time(&b, 0, stamp, 0);
        build_dump(&b, &stamp, wide);
        kev_build_event(&b, 0, KB_CALL, 129, stamp += 10, 2, 0, 0);
        kev_build_event(&b, 0, KB_THREAD, 24, stamp += 10, 2, 4099, 2);
        struct kev_read r = kev_read_all(&b);
        cr_assert_eq(creations(&r, TT_ACTION_ANNOUNCED), 3);
        cr_assert_eq(creations(&r, TT_ACTION_REPEATED), 0);
        cr_assert_eq(kev_read_action_count(&r, TT_ACTION_STATE), 3);
        cr_assert_eq(kev_read_action_count(&r, TT_ACTION_PROCESS_CREATE), 0);
        cr_assert_eq(real_creation(&r), 12);
        check_thread(&r, 11, "4099/1", true);
        cr_assert_eq(r.events[6].cpu, 2, "where the thread runs");
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* Thread events only, as in the guide's one_class listing; and no TIME. */
Test(kev_context, dump_without_processes)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_event(&b, 0, KB_THREAD, 24, 10, 2, 1, 1);
    kev_build_event(&b, 0, KB_THREAD, 2, 20, 4, 1, 1, 0, 1);
    kev_build_event(&b, 0, KB_THREAD, 24, 30, 2, 2, 1);
    kev_build_event(&b, 0, KB_THREAD, 6, 40, 4, 2, 1, 10, 3);
    kev_build_event(&b, 0, KB_THREAD, 1, 50, 4, 1, 1, 0, 1); /* not the one announced */
    kev_build_event(&b, 0, KB_THREAD, 24, 60, 2, 2, 2);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(creations(&r, TT_ACTION_ANNOUNCED), 2);
    cr_assert_eq(real_creation(&r), 5);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_context, dump_at_the_end)
{
    struct kev_build b;
    uint32_t stamp = 1000;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_time(&b, 0, 100, 0);
    kev_build_event(&b, 0, KB_THREAD, 1, 110, 2, 4099, 1);
    kev_build_event(&b, 0, KB_THREAD, 24, 120, 2, 4099, 7); /* a real one */
    build_dump(&b, &stamp, true);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(creations(&r, TT_ACTION_REPEATED), 3);
    cr_assert_eq(creations(&r, TT_ACTION_ANNOUNCED), 0);
    cr_assert_eq(real_creation(&r), 2);
    /* Its names are those of the whole capture. */
    const struct tt_thread *lane = tt_thread_at(r.capture, r.events[1].thread);
    const struct tt_process *process = tt_process_at(r.capture, lane->process);
    cr_assert_str_eq(tt_capture_text(r.capture, process->name, NULL), "tracer");
    kev_read_free(&r);
    kev_build_free(&b);
}

/* 8.0: the dump is in one CPU's buffers; events in other CPUs' buffers are not part of it. */
Test(kev_context, dump_in_one_ring)
{
    struct kev_build b;
    uint32_t stamp = 1000;
    kev_build_begin(&b, "8.0.0", false);
    kev_build_buffer(&b, 0, stamp, 1, 0);
    build_dump(&b, &stamp, false);
    kev_build_buffer(&b, 1, 500, 1, 0);
    kev_build_event(&b, 1, KB_THREAD, 24, 510, 2, 4099, 9);
    kev_build_event(&b, 1, KB_THREAD, 1, 520, 2, 4099, 9);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(creations(&r, TT_ACTION_ANNOUNCED), 3);
    cr_assert_eq(real_creation(&r), 11);
    cr_assert_eq(tt_health_count(r.capture, TT_HEALTH_TIME_BACK), 0);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* ---- functions ---------------------------------------------------------------------------- */

/* Entries and exits are slices named by the address, in each release's form; a loss ends those that are open. */
Test(kev_functions, slices_of_32_and_64_bits)
{
    static const struct {
        const char *release, *name;
        unsigned class_, bits; /* bits: added to the number of the event */
        uint32_t words[4];
    } forms[] = {{"6.4.0", "0x8048123", 13, 0, {0x8048123, 0x8049000}},
                 {"7.1.0", "0x8048123", KB_SYSTEM, 0, {0x8048123, 0x8049000}},
                 {"8.0.0", "0xffffffff80123456", KB_SYSTEM, 512, {0x80123456, 0xffffffff, 1, 2}}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct kev_build b;
        kev_build_begin(&b, forms[i].release, false);
        kev_build_event(&b, 0, KB_THREAD, 1, 10, 2, 4099, 2);
        kev_build_words(&b, 0, forms[i].class_, 10 + forms[i].bits, 20, forms[i].words,
                        forms[i].bits ? 4 : 2);
        kev_build_words(&b, 0, forms[i].class_, 11 + forms[i].bits, 30, forms[i].words,
                        forms[i].bits ? 4 : 2);
        struct kev_read r = kev_read_all(&b);
        const struct tt_action *begin = kev_read_action(&r, TT_ACTION_SLICE_BEGIN, 0);
        const struct tt_action *end = kev_read_action(&r, TT_ACTION_SLICE_END, 0);
        cr_assert_not_null(begin);
        cr_assert_not_null(end);
        cr_assert_str_eq(tt_types_at(r.capture, begin->other)->name, forms[i].name);
        cr_assert_str_eq(tt_types_at(r.capture, begin->other)->class_name, "function");
        cr_assert_str_eq(kev_read_thread(&r, begin->thread), "4099/2");
        cr_assert_eq(begin->value, end->value);
        cr_assert_eq(end->flags, TT_ACTION_UNWINDS);
        cr_assert_eq(r.events[1].kind, TT_KIND_BEGIN);
        struct tt_edge edge, exit;
        cr_assert_eq(r.capture->format->edges(r.capture, &r.events[1], UINT64_MAX, &edge), 1);
        cr_assert_eq(r.capture->format->edges(r.capture, &r.events[2], UINT64_MAX, &exit), 1);
        cr_assert_eq(edge.key, exit.key);
        cr_assert_neq(edge.side, exit.side);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}
