/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling records of the Fuchsia trace format, from the record to the timelines: switches,
 * wakeups, idle threads, weights, losses.
 */
#include <criterion/criterion.h>
#include <unistd.h>

#include "format/fxt/fxt_sched.h"
#include "fxt_decoded.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

static struct fxt_reading done(struct fxt_out *out)
{
    return fxt_read(out->bytes, out->size, false);
}

static void release(struct fxt_reading *r, struct fxt_out *out)
{
    fxt_reading_free(r);
    free(out->bytes);
}

static void switch_to(struct fxt_out *out, uint64_t ticks, uint64_t cpu, uint64_t from, uint64_t to)
{
    size_t at = fxt_begin(out, fxt_switch(cpu, 3, 0));
    fxt_word(out, ticks);
    fxt_word(out, from);
    fxt_word(out, to);
    fxt_end(out, at);
}

static void weighted_switch(struct fxt_out *out, uint64_t ticks, uint64_t from, uint64_t to,
                            int32_t from_weight, int32_t to_weight)
{
    size_t at = fxt_begin(out, fxt_switch(0, 1, 2));
    fxt_word(out, ticks);
    fxt_word(out, from);
    fxt_word(out, to);
    fxt_arg_short(out, 1, "outgoing_weight", (uint32_t)from_weight);
    fxt_arg_short(out, 1, "incoming_weight", (uint32_t)to_weight);
    fxt_end(out, at);
}

/* The same with registered names, 1 and 2, as most writers have it. */
static void usual_switch(struct fxt_out *out, uint64_t ticks, uint64_t from, uint64_t to,
                         int32_t from_weight, int32_t to_weight)
{
    size_t at = fxt_begin(out, fxt_switch(0, 1, 2));
    fxt_word(out, ticks);
    fxt_word(out, from);
    fxt_word(out, to);
    fxt_word(out, 1 | 1 << 4 | 1 << 16 | (uint64_t)(uint32_t)from_weight << 32);
    fxt_word(out, 1 | 1 << 4 | 2 << 16 | (uint64_t)(uint32_t)to_weight << 32);
    fxt_end(out, at);
}

/* ---- records and actions ---------------------------------------------------------------- */

Test(fxt_sched, idle_threads)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    weighted_switch(&out, 1, 500, 1001, INT32_MIN, 10);
    weighted_switch(&out, 2, 1001, 501, 10, INT32_MIN);
    /* Legacy: process 0 with priority 0 is idle, with another priority it is not. */
    size_t at = fxt_begin(&out, 8 | UINT64_C(9) << 52);
    fxt_word(&out, 3);
    fxt_word(&out, 0);
    fxt_word(&out, 502);
    fxt_word(&out, 0);
    fxt_word(&out, 503);
    fxt_end(&out, at);
    struct fxt_reading r = done(&out);
    const struct tt_action *first = fxt_action_of(&r, 0, 0);
    cr_assert_eq(first->kind, TT_ACTION_SWITCH, "idle has no priority");
    cr_assert(tt_thread_at(r.c, first->other)->idle);
    cr_assert(!tt_thread_at(r.c, first->thread)->idle);
    cr_assert_eq(r.c->format->states[first->state].class_, TT_CLASS_READY, "left while running");
    cr_assert_eq(tt_action_left_priority(first->value), TT_NO_PRIORITY);
    const struct tt_action *second = fxt_action_of(&r, 1, 0);
    cr_assert_eq(tt_action_left_priority(second->value), 10);
    cr_assert_eq(second->kind, TT_ACTION_SWITCH);
    cr_assert(tt_thread_at(r.c, second->thread)->idle);
    const struct tt_action *third = fxt_action_of(&r, 2, 0);
    cr_assert_eq(third->kind, TT_ACTION_SWITCH);
    cr_assert(tt_thread_at(r.c, third->other)->idle);
    cr_assert(!tt_thread_at(r.c, third->thread)->idle);
    release(&r, &out);
}

Test(fxt_sched, states_of_the_outgoing_thread)
{
    static const unsigned classes[16] = {TT_CLASS_READY, TT_CLASS_READY, TT_CLASS_STOPPED,
                                         TT_CLASS_WAIT,  TT_CLASS_DEAD,  TT_CLASS_DEAD};
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t state = 0; state < 16; state++) {
        size_t at = fxt_begin(&out, fxt_switch(0, state, 0));
        fxt_word(&out, state);
        fxt_word(&out, 1);
        fxt_word(&out, 2);
        fxt_end(&out, at);
    }
    struct fxt_reading r = done(&out);
    for (size_t i = 0; i < 16; i++) {
        cr_assert_eq(r.c->format->states[fxt_action_of(&r, i, 0)->state].class_, classes[i]);
    }
    release(&r, &out);
}

Test(fxt_sched, an_impossible_cpu)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    switch_to(&out, 1, 1023, 1, 2);
    switch_to(&out, 2, 1024, 1, 2);
    switch_to(&out, 3, 0xffff, 1, 2);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.events[0].cpu, 1023);
    cr_assert_eq(r.events[1].cpu, TT_NO_CPU);
    cr_assert_eq(r.events[2].cpu, TT_NO_CPU);
    cr_assert_eq(r.c->cpu_count, 1024);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 2);
    release(&r, &out);
}

Test(fxt_sched, weights_beyond_priorities)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    weighted_switch(&out, 1, 1, 2, 1000000, -1000000);
    size_t at = fxt_begin(&out, fxt_switch(0, 3, 2));
    fxt_word(&out, 2);
    fxt_word(&out, 2);
    fxt_word(&out, 1);
    fxt_arg_text(&out, "outgoing_weight", "heavy"); /* not a number: ignored, nothing lost */
    fxt_arg_long(&out, 3, "incoming_weight", 12);
    fxt_end(&out, at);
    struct fxt_reading r = done(&out);
    cr_assert_eq(tt_action_left_priority(fxt_action_of(&r, 0, 0)->value), TT_FXT_FAIR_MOST);
    cr_assert_eq(fxt_action_of(&r, 0, 0)->priority, INT16_MIN + 1);
    cr_assert_null(fxt_action_of(&r, 0, 1));
    cr_assert_eq(fxt_action_of(&r, 1, 0)->kind, TT_ACTION_SWITCH);
    cr_assert_eq(fxt_action_of(&r, 1, 0)->priority, 12);
    cr_assert_eq(tt_action_left_priority(fxt_action_of(&r, 1, 0)->value), TT_NO_PRIORITY);
    release(&r, &out);
}

/* Capacity and deadline in a weight: the thread is more urgent than all fair ones. */
Test(fxt_sched, weights_with_a_deadline)
{
    static const struct {
        int32_t weight;
        int16_t priority;
    } cases[] = {
        {-(100 * 10000 + 1000), INT16_MAX - 1000}, /* 1 ms of 10 ms */
        {-(1 * 10000 + 1), INT16_MAX - 1},
        {-(9999 * 10000 + 9999), INT16_MAX - 9999},
        {-10000, -10000}, /* no deadline */
        {-(5 * 10000), INT16_MIN + 1},
        {-(10000 * 10000 + 1), INT16_MIN + 1}, /* no capacity of four digits */
        {-9999, -9999},
        {32767, TT_FXT_FAIR_MOST},
        {TT_FXT_FAIR_MOST, TT_FXT_FAIR_MOST},
        {10, 10},
    };
    enum { CASES = sizeof cases / sizeof *cases, ROUNDS = 3 };
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_string(&out, 1, "outgoing_weight");
    fxt_string(&out, 2, "incoming_weight");
    for (unsigned i = 0; i < ROUNDS * CASES; i++) { /* inline names; learnt; known */
        (i < CASES ? weighted_switch : usual_switch)(&out, 1 + i, 1, 2, 10,
                                                     cases[i % CASES].weight);
    }
    struct fxt_reading r = done(&out);
    for (unsigned i = 0; i < ROUNDS * CASES; i++) {
        const struct tt_action *action = fxt_action_of(&r, i, 0);
        int32_t weight = cases[i % CASES].weight;
        cr_expect_eq(action->priority, cases[i % CASES].priority, "%d", weight);
        if (tt_fxt_is_deadline(weight)) {
            cr_expect_eq(tt_fxt_weight(r.c, action->thread, action->priority), weight);
        }
    }
    release(&r, &out);
}

Test(fxt_sched, a_wakeup_from_idle_has_no_waker)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    size_t at = fxt_begin(&out, fxt_wakeup(2, 1));
    fxt_word(&out, 1);
    fxt_word(&out, 7);
    fxt_arg_short(&out, 1, "weight", 5);
    fxt_end(&out, at);
    struct fxt_reading r = done(&out);
    const struct tt_action *action = fxt_action_of(&r, 0, 0);
    cr_assert_eq(action->kind, TT_ACTION_WAKEUP);
    cr_assert_eq(action->other, TT_NO_THREAD);
    cr_assert_eq(fxt_tid(&r, action->thread), 7);
    release(&r, &out);
}

#define WEIGHTS 4

/* Registers the names of weights as 1 to WEIGHTS: those of fxt_decode_fast.c are refs. */
static void register_weights(struct fxt_out *out)
{
    static const char *const names[] = {"outgoing_weight", "incoming_weight", "weight", "waker"};
    for (uint64_t i = 0; i < WEIGHTS; i++) {
        fxt_string(out, 1 + i, names[i]);
    }
}

/* Writes an argument with a registered name: a weight of 32 bits, or for the name 4 a koid. */
static void registered_arg(struct fxt_out *out, uint64_t name, uint32_t value)
{
    if (name == WEIGHTS) {
        fxt_word(out, 8 | 2 << 4 | name << 16);
        fxt_word(out, value);
    } else {
        fxt_word(out, 1 | 1 << 4 | name << 16 | (uint64_t)value << 32);
    }
}

/* Writes a record with two arguments, three times: the fast path reads the later ones. */
static void repeated(struct fxt_out *out, bool is_switch, const uint64_t names[2],
                     const uint32_t values[2])
{
    for (uint64_t i = 0; i < 3; i++) {
        size_t at = fxt_begin(out, is_switch ? fxt_switch(0, 3, 2) : fxt_wakeup(0, 2));
        fxt_word(out, out->size);
        fxt_word(out, 7);
        if (is_switch) {
            fxt_word(out, 8);
        }
        registered_arg(out, names[0], values[0]);
        registered_arg(out, names[1], values[1]);
        fxt_end(out, at);
    }
}

/* Every pair of names and weights: fxt_read compares the paths. */
Test(fxt_sched, weights_in_any_order)
{
    static const uint32_t numbers[] = {(uint32_t)INT32_MIN, 12, (uint32_t)-70000};
    struct fxt_out out = {0};
    fxt_magic(&out);
    register_weights(&out);
    for (uint64_t pair = 0; pair < 2 * 25; pair++) {
        const uint64_t names[2] = {1 + pair % 5, 1 + pair / 5 % 5}; /* 5 is not registered */
        const uint32_t values[2] = {numbers[pair % 3], numbers[pair / 3 % 3]};
        repeated(&out, pair < 25, names, values);
    }
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 2 * 25 * 3);
    release(&r, &out);
}

Test(fxt_sched, a_weight_of_the_thread_that_a_wakeup_does_not_have)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    register_weights(&out);
    repeated(&out, false, (const uint64_t[]){1, 3}, (const uint32_t[]){(uint32_t)INT32_MIN, 12});
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(fxt_action_of(&r, i, 0)->other, TT_NO_THREAD);
        cr_assert_eq(fxt_action_of(&r, i, 0)->priority, 12);
    }
    cr_assert(!tt_thread_at(r.c, fxt_action_of(&r, 0, 0)->thread)->idle);
    release(&r, &out);
}

Test(fxt_sched, a_waker_in_a_switch_is_not_the_outgoing_thread)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    register_weights(&out);
    repeated(&out, false, (const uint64_t[]){3, 4}, (const uint32_t[]){12, 9});
    repeated(&out, true, (const uint64_t[]){2, 4}, (const uint32_t[]){12, 9});
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 6);
    for (size_t i = 3; i < 6; i++) {
        cr_assert_eq(fxt_tid(&r, fxt_action_of(&r, i, 0)->other), 7);
    }
    release(&r, &out);
}

/* The type of an event is cached with its name: the name, then the category, gets another text. */
Test(fxt_sched, a_cached_type_ends_with_its_texts)
{
    static const char *const texts[3][2] = {{"read", "disk"}, {"write", "disk"}, {"write", "net"}};
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_thread(&out, 1, 5, 7);
    for (size_t i = 0; i < 3; i++) {
        fxt_string(&out, 1, texts[i][0]);
        fxt_string(&out, 2, texts[i][1]);
        for (uint64_t k = 0; k < 3; k++) {
            size_t at = fxt_begin(&out, fxt_event(2, 0, 1, 2, 1));
            fxt_word(&out, out.size);
            fxt_end(&out, at);
        }
    }
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 9);
    for (size_t i = 0; i < 9; i++) {
        cr_assert_str_eq(fxt_name(&r, i), texts[i / 3][0]);
        cr_assert_str_eq(fxt_class(&r, i), texts[i / 3][1]);
    }
    release(&r, &out);
}

/*
 * A full buffer of the provider with scheduling records affects its next switch only; one of a
 * provider with slices and counters affects those only.
 */
Test(fxt_sched, a_full_buffer_is_a_loss)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "kernel");
    switch_to(&out, 1, 0, 1, 2);
    fxt_provider_info(&out, 2, "app");
    fxt_provider_event(&out, 2, 0);
    fxt_provider_event(&out, 1, 0);
    fxt_provider_event(&out, 1, 7); /* another event than a full buffer */
    fxt_simple_event(&out, 0, 2, 1, 2, "c", "n");
    fxt_section(&out, 1);
    switch_to(&out, 3, 0, 2, 1);
    switch_to(&out, 4, 0, 1, 2);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 4);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_LOST), 2);
    cr_assert_eq(fxt_action_of(&r, 0, 0)->kind, TT_ACTION_SWITCH);
    cr_assert_eq(fxt_action_of(&r, 1, 0)->kind, TT_ACTION_LOST_SLICES);
    cr_assert_eq(fxt_action_of(&r, 1, 0)->state, 2, "the second provider after the default one");
    cr_assert_null(fxt_action_of(&r, 1, 1));
    cr_assert_eq(fxt_action_of(&r, 2, 0)->kind, TT_ACTION_LOST);
    cr_assert_eq(fxt_action_of(&r, 2, 0)->cpu, TT_NO_CPU);
    cr_assert_eq(fxt_action_of(&r, 2, 0)->value, 1, "since the switch before");
    cr_assert_eq(fxt_action_of(&r, 2, 1)->kind, TT_ACTION_SWITCH);
    cr_assert_eq(fxt_action_of(&r, 3, 0)->kind, TT_ACTION_SWITCH);
    cr_assert(!tt_health_damaged(r.c));
    release(&r, &out);
}

/* ---- file, index, timelines ------------------------------------------------------------- */

/* A switch has the outgoing thread, which counts even if nothing was known of the CPU before. */
Test(fxt_sched, the_first_switch_of_a_cpu_counts)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_simple_event(&out, 0, 5, 1, 3, "c", "n");
    switch_to(&out, 10, 0, 1, 2);
    switch_to(&out, 20, 0, 2, 3);
    switch_to(&out, 30, 0, 3, 2);
    struct tt_trace *trace = fxt_index(&out);
    const struct tt_capture *c = tt_trace_capture(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    static const uint64_t outs[] = {1, 1, 1}, ins[] = {0, 2, 1}, ran[] = {0, 10, 10};
    for (uint64_t tid = 1; tid <= 3; tid++) {
        struct tt_thread_sums sums;
        uint32_t lane = tt_registry_find_thread(c, tid == 3 ? 1 : 0, tid, 0);
        tt_thread_sum(t, lane, 0, 31, &sums);
        cr_assert_eq(sums.out_voluntary, outs[tid - 1], "thread %d", (int)tid);
        cr_assert_eq(sums.in, ins[tid - 1], "thread %d", (int)tid);
        cr_assert_eq(sums.ticks[TT_CLASS_RUNNING], ran[tid - 1], "thread %d", (int)tid);
    }
    struct tt_cpu_sums cpu;
    tt_cpu_sum(t, 0, 0, 31, &cpu);
    cr_assert_eq(cpu.switches, 3);
    cr_assert_eq(cpu.unknown, 5);
    cr_assert_eq(cpu.busy, 20);
    tt_trace_close(trace);
    free(out.bytes);
}

/* Many losses among many threads: each loss costs the actions since the previous one. */
Test(fxt_sched, many_losses_of_many_threads, .timeout = 30)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "k");
    for (uint64_t i = 0; i < 60000; i++) {
        switch_to(&out, i, i % 4, i, i + 1);
        fxt_provider_event(&out, 1, 0);
    }
    struct tt_trace *trace = fxt_index(&out);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    cr_assert_eq(tt_health_count(tt_trace_capture(trace), TT_HEALTH_LOST), 60000);
    struct tt_thread_sums sums;
    tt_thread_sum(t, tt_registry_find_thread(tt_trace_capture(trace), 0, 30000, 0), 0, 60000,
                  &sums);
    cr_assert_eq(sums.ticks[TT_CLASS_RUNNING], 0, "the loss reaches back to its beginning");
    cr_assert_eq(sums.ticks[TT_CLASS_WAIT], 0);
    cr_assert_gt(sums.ticks[TT_CLASS_UNKNOWN], 0);
    tt_trace_close(trace);
    free(out.bytes);
}
