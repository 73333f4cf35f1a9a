/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of the Fuchsia trace format in combination: providers, clocks, changing registrations,
 * objects.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "fxt_decoded.h"
#include "tracetui/event_line.h"
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

/* Writes an event whose category, name and thread are references. */
static void ref_event(struct fxt_out *out, uint64_t ticks, uint64_t thread, uint64_t category,
                      uint64_t name)
{
    size_t at = fxt_begin(out, fxt_event(0, 0, thread, category, name));
    fxt_word(out, ticks);
    fxt_end(out, at);
}

static void switch_to(struct fxt_out *out, uint64_t ticks, uint64_t cpu, uint64_t from, uint64_t to)
{
    size_t at = fxt_begin(out, fxt_switch(cpu, 3, 0));
    fxt_word(out, ticks);
    fxt_word(out, from);
    fxt_word(out, to);
    fxt_end(out, at);
}

static void name_object(struct fxt_out *out, uint64_t type, uint64_t koid, const char *name,
                        uint64_t process)
{
    size_t at = fxt_begin(out, fxt_kernel_object(type, FXT_INLINE(strlen(name)), process != 0));
    fxt_word(out, koid);
    fxt_text(out, name);
    if (process != 0) {
        fxt_arg_long(out, 8, "process", process);
    }
    fxt_end(out, at);
}

/* ---- providers -------------------------------------------------------------------------- */

Test(fxt_model, each_provider_has_its_tables)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "one");
    fxt_string(&out, 1, "first of one");
    fxt_thread(&out, 1, 10, 11);
    fxt_provider_info(&out, 2, "two");
    fxt_string(&out, 1, "first of two");
    fxt_thread(&out, 1, 20, 21);
    ref_event(&out, 1, 1, 0, 1);
    fxt_section(&out, 1);
    ref_event(&out, 2, 1, 0, 1);
    fxt_section(&out, 2);
    ref_event(&out, 3, 1, 0, 1);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 3);
    cr_assert_str_eq(fxt_name(&r, 0), "first of two");
    cr_assert_str_eq(fxt_name(&r, 1), "first of one");
    cr_assert_str_eq(fxt_name(&r, 2), "first of two");
    cr_assert_eq(fxt_tid(&r, r.events[0].thread), 21);
    cr_assert_eq(fxt_tid(&r, r.events[1].thread), 11);
    cr_assert_eq(fxt_pid(&r, r.events[2].thread), 20);
    release(&r, &out);
}

Test(fxt_model, a_repeated_provider_starts_with_empty_tables)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "one");
    fxt_init(&out, 1000000000);
    fxt_string(&out, 1, "old");
    ref_event(&out, 1, 0, 0, 1); /* an inline thread without its two words */
    fxt_provider_info(&out, 1, "one");
    fxt_thread(&out, 1, 10, 11);
    ref_event(&out, 2, 1, 0, 1);
    fxt_string(&out, 1, "new");
    ref_event(&out, 3, 1, 0, 1);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 2, "the first event lacks its thread");
    cr_assert_str_eq(fxt_name(&r, 0), "<string 1>");
    cr_assert_str_eq(fxt_name(&r, 1), "new");
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 1);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_MALFORMED), 1);
    release(&r, &out);
}

Test(fxt_model, a_section_of_an_unknown_provider_is_read)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_section(&out, 99);
    fxt_simple_event(&out, 0, 5, 1, 2, "c", "n");
    fxt_section(&out, 0); /* the implicit provider is always known */
    fxt_simple_event(&out, 0, 6, 1, 2, "c", "m");
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 2);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 1);
    cr_assert_eq(tt_health_at(r.c, 0).value, 99);
    cr_assert_eq(tt_health_at(r.c, 0).offset, 8);
    cr_assert(!tt_health_damaged(r.c));
    release(&r, &out);
}

/* One known writer registers first and names its provider afterwards. */
Test(fxt_model, definitions_before_the_provider_are_found)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_init(&out, 24000000);
    fxt_string(&out, 1, "early");
    fxt_string(&out, 2, "early too");
    fxt_thread(&out, 5, 1, 86);
    fxt_provider_info(&out, 1, "late");
    fxt_string(&out, 2, "its own");
    ref_event(&out, 24000000, 5, 1, 2);
    struct fxt_reading r = done(&out);
    cr_assert_str_eq(fxt_class(&r, 0), "early");
    cr_assert_str_eq(fxt_name(&r, 0), "its own");
    cr_assert_eq(fxt_tid(&r, r.events[0].thread), 86);
    cr_assert_eq(r.c->clock_hz, 24000000);
    cr_assert_eq(r.events[0].ticks, 24000000, "the rate applies to the provider, too");
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 0);
    release(&r, &out);
}

/* Definitions that another provider falls back on may change in a section of the implicit one. */
Test(fxt_model, the_implicit_provider_continues)
{
    struct fxt_out out = {0};
    static const char *const names[] = {"first", "second", "third"};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "p");
    for (uint64_t i = 0; i < 3; i++) {
        fxt_section(&out, 0);
        fxt_string(&out, 1, names[i]);
        fxt_thread(&out, 1, 10, 20 + i);
        fxt_section(&out, 1);
        for (uint64_t n = 0; n < 3; n++) {
            ref_event(&out, 3 * i + n, 1, 0, 1);
        }
    }
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 9);
    for (size_t i = 0; i < 9; i++) {
        cr_assert_str_eq(fxt_name(&r, i), names[i / 3]);
        cr_assert_eq(fxt_tid(&r, r.events[i].thread), 20 + i / 3);
    }
    release(&r, &out);
}

/* ---- clocks ----------------------------------------------------------------------------- */

Test(fxt_model, one_clock_counts_in_ticks)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t id = 1; id <= 2; id++) {
        fxt_provider_info(&out, id, "p");
        fxt_init(&out, 24000000);
        fxt_simple_event(&out, 0, 100 + id, 1, 2, "c", "n");
    }
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.c->clock_hz, 24000000);
    cr_assert_eq(r.events[0].ticks, 101);
    cr_assert_eq(r.events[1].ticks, 102);
    release(&r, &out);
}

Test(fxt_model, different_clocks_count_in_nanoseconds)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "slow");
    fxt_init(&out, 24000000);
    fxt_provider_info(&out, 2, "plain"); /* no initialization: a tick is a nanosecond */
    fxt_simple_event(&out, 0, 7, 1, 2, "c", "plain");
    fxt_section(&out, 1);
    /* Splitting the product at 32 bits gives 1,341 ns less. */
    fxt_simple_event(&out, 0, UINT64_C(8640000000000), 1, 2, "c", "exact");
    fxt_simple_event(&out, 0, 1, 1, 2, "c", "floor");
    size_t at = fxt_begin(&out, fxt_event(4, 0, 0, FXT_INLINE(1), FXT_INLINE(8)));
    fxt_word(&out, 2); /* 83 ns */
    fxt_word(&out, 1);
    fxt_word(&out, 2);
    fxt_text(&out, "c");
    fxt_text(&out, "duration");
    fxt_word(&out, 4); /* 166 ns */
    fxt_end(&out, at);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.c->clock_hz, 1000000000);
    cr_assert_eq(r.events[fxt_find(&r, "plain")].ticks, 7);
    cr_assert_eq(r.events[fxt_find(&r, "exact")].ticks, UINT64_C(360000000000000));
    cr_assert_eq(r.events[fxt_find(&r, "floor")].ticks, 41);
    size_t duration = fxt_find(&r, "duration");
    cr_assert_eq(r.events[duration].ticks, 83);
    cr_assert_eq(fxt_action_of(&r, duration, 0)->value, 166 - 83);
    release(&r, &out);
}

/* A late clock is converted to the one chosen at open. */
Test(fxt_model, a_late_clock_is_converted)
{
    struct fxt_out out = {0};
    static char filler[32000];
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "p");
    fxt_init(&out, 24000000);
    fxt_simple_event(&out, 0, 1000, 1, 2, "c", "early");
    for (unsigned i = 0; i < 40; i++) {
        fxt_string_bytes(&out, 1, filler, sizeof filler);
    }
    fxt_provider_info(&out, 2, "q");
    fxt_simple_event(&out, 0, 1000, 1, 2, "c", "late"); /* in ns: 24 ticks */
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.c->clock_hz, 24000000);
    cr_assert_eq(r.events[0].ticks, 1000);
    cr_assert_eq(r.events[1].ticks, 24);
    release(&r, &out);
}

Test(fxt_model, a_clock_of_zero_is_rejected)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_init(&out, 0);
    fxt_simple_event(&out, 0, 1000, 1, 2, "c", "z");
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.c->clock_hz, 1000000000);
    cr_assert_eq(r.events[0].ticks, 1000);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_HEADER), 1);
    release(&r, &out);
}

Test(fxt_model, an_initialization_applies_from_its_position)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_init(&out, 1000);
    fxt_simple_event(&out, 0, 5, 1, 2, "c", "ms");
    fxt_init(&out, 1000000);
    fxt_simple_event(&out, 0, 5, 1, 2, "c", "us");
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.c->clock_hz, 1000000000);
    cr_assert_eq(r.events[0].ticks, 5000000);
    cr_assert_eq(r.events[1].ticks, 5000);
    release(&r, &out);
}

Test(fxt_model, times_out_of_range_are_kept_and_reported)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_simple_event(&out, 0, UINT64_MAX, 1, 2, "c", "big");
    fxt_simple_event(&out, 0, INT64_MAX, 1, 2, "c", "max");
    fxt_simple_event(&out, 0, 5, 1, 2, "c", "ok");
    fxt_init(&out, 1);
    fxt_simple_event(&out, 0, UINT64_C(1) << 62, 1, 2, "c", "overflow");
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 4);
    cr_assert_eq(r.events[0].ticks, UINT64_MAX);
    cr_assert_eq(r.events[1].ticks, INT64_MAX);
    cr_assert_eq(r.events[3].ticks, UINT64_MAX);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_TIME_RANGE), 2);
    cr_assert(!tt_health_damaged(r.c));
    release(&r, &out);
}

/* ---- registrations ---------------------------------------------------------------------- */

Test(fxt_model, a_registration_applies_until_the_next)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_string(&out, 0, "not to be seen");
    fxt_thread(&out, 0, 98, 99);
    char text[16];
    for (unsigned i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "text %u", i);
        fxt_string(&out, 1, text);
        fxt_thread(&out, 7, 1000, 2000 + i);
        ref_event(&out, i, 7, 0, 1);
    }
    fxt_string(&out, 1, "");
    ref_event(&out, 100, 7, 0, 1);
    ref_event(&out, 101, 7, 0, FXT_INLINE(0));
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 102);
    for (unsigned i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "text %u", i);
        cr_assert_str_eq(fxt_name(&r, i), text);
        cr_assert_str_eq(fxt_class(&r, i), "");
        cr_assert_eq(fxt_tid(&r, r.events[i].thread), 2000 + i);
    }
    cr_assert_str_eq(fxt_name(&r, 100), "");
    cr_assert_eq(r.events[101].type, r.events[100].type, "both are the empty string");
    cr_assert_eq(tt_health_kept(r.c), 0);
    release(&r, &out);
}

Test(fxt_model, undefined_references)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    ref_event(&out, 1, 9, 77, 78);
    size_t at = fxt_begin(&out, fxt_event(0, 2, 0, 0, 0));
    fxt_word(&out, 2);
    fxt_word(&out, 1);
    fxt_word(&out, 2);
    fxt_end(&out, fxt_begin(&out, 1 | UINT64_C(79) << 16 | UINT64_C(5) << 32));
    size_t arg = fxt_arg(&out, 6, "text", 80);
    fxt_end(&out, arg);
    fxt_end(&out, at);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 2);
    cr_assert_str_eq(fxt_class(&r, 0), "<string 77>");
    cr_assert_str_eq(fxt_name(&r, 0), "<string 78>");
    char lane[64];
    struct tt_text text = tt_text_of(lane, sizeof lane);
    tt_line_thread(&text, r.c, r.events[0].thread);
    cr_assert_str_eq(tt_text_cstr(&text), "<thread 9>");
    const struct tt_args *args = fxt_describe(&r, 1);
    cr_assert_eq(fxt_arg_named(args, "<string 79>")->value.i, 5);
    cr_assert(fxt_span_is(fxt_arg_named(args, "text")->value.s, "<string 80>"));
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 5);
    cr_assert(!tt_health_damaged(r.c));
    release(&r, &out);
}

/* A lane for each reference of a provider, whose events have the durations of a thread. */
Test(fxt_model, undefined_threads_are_lanes)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t provider = 1; provider <= 2; provider++) {
        fxt_provider_info(&out, provider, "one");
        fxt_string(&out, 1, "s");
        for (uint64_t i = 0; i < 4; i++) {
            ref_event(&out, 10 * provider + i, 3 + i % 2, 1, 1);
        }
    }
    fxt_thread(&out, 3, 10, 11);
    ref_event(&out, 99, 3, 1, 1);
    struct fxt_reading r = done(&out);
    cr_assert_eq(tt_thread_count(r.c), 5);
    cr_assert_eq(r.events[0].thread, r.events[2].thread);
    cr_assert_neq(r.events[0].thread, r.events[1].thread);
    cr_assert_neq(r.events[0].thread, r.events[4].thread);
    cr_assert_eq(fxt_tid(&r, r.events[8].thread), 11);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), 8);
    release(&r, &out);
}

/* ---- threads and objects ---------------------------------------------------------------- */

Test(fxt_model, koids_have_64_bits)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_simple_event(&out, 0, 5, UINT64_C(0x8000000000000005), UINT64_C(0x8000000000000007), "c",
                     "virtual");
    fxt_simple_event(&out, 0, 6, 5, 7, "c", "real");
    struct fxt_reading r = done(&out);
    cr_assert_neq(r.events[0].thread, r.events[1].thread);
    cr_assert_eq(fxt_pid(&r, r.events[0].thread), UINT64_C(0x8000000000000005));
    cr_assert_eq(fxt_tid(&r, r.events[0].thread), UINT64_C(0x8000000000000007));
    cr_assert_eq(tt_thread_count(r.c), 2);
    release(&r, &out);
}

Test(fxt_model, late_names_apply_to_earlier_events)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_simple_event(&out, 0, 5, 1000, 1001, "c", "a");
    name_object(&out, 2, 1001, "late", 1000);
    name_object(&out, 1, 1000, "late process", 0);
    struct fxt_reading r = done(&out);
    uint32_t lane = r.events[0].thread;
    cr_assert_str_eq(fxt_lane_name(&r, lane), "late");
    const struct tt_process *process = tt_process_at(r.c, tt_thread_at(r.c, lane)->process);
    cr_assert_str_eq(tt_capture_text(r.c, process->name, NULL), "late process");
    cr_assert_eq(tt_thread_count(r.c), 1);
    release(&r, &out);
}

/* A thread first seen by koid alone is the same lane after its process is known. */
Test(fxt_model, a_bare_thread_gets_its_process)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    switch_to(&out, 1, 0, 500, 1001);
    name_object(&out, 2, 1002, "without process", 0);
    name_object(&out, 2, 1001, "with process", 1000);
    fxt_simple_event(&out, 0, 5, 1000, 1001, "c", "a");
    fxt_simple_event(&out, 0, 6, 1000, 1002, "c", "b");
    switch_to(&out, 7, 0, 1001, 1002);
    struct fxt_reading r = done(&out);
    const struct tt_action *first = fxt_action_of(&r, 0, 0);
    const struct tt_action *last = fxt_action_of(&r, 3, 0);
    cr_assert_eq(first->thread, r.events[1].thread);
    cr_assert_eq(last->other, r.events[1].thread);
    cr_assert_eq(last->thread, r.events[2].thread);
    cr_assert_eq(fxt_pid(&r, first->thread), 1000);
    cr_assert_str_eq(fxt_lane_name(&r, first->thread), "with process");
    cr_assert_str_eq(fxt_lane_name(&r, last->thread), "without process");
    cr_assert_eq(fxt_pid(&r, first->other), 0, "of thread 500 nothing more is said");
    cr_assert_eq(tt_thread_count(r.c), 3);
    release(&r, &out);
}

/* Other writers number threads within each process: a bare koid is the first one's. */
Test(fxt_model, one_tid_in_two_processes)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_simple_event(&out, 0, 1, 10, 1, "c", "a");
    fxt_simple_event(&out, 0, 2, 20, 1, "c", "b");
    switch_to(&out, 3, 0, 5, 1);
    struct fxt_reading r = done(&out);
    cr_assert_neq(r.events[0].thread, r.events[1].thread);
    cr_assert_eq(fxt_action_of(&r, 2, 0)->thread, r.events[0].thread);
    release(&r, &out);
}

static void write_user_object(struct fxt_out *out, uint64_t pointer, const char *name, bool two)
{
    size_t at = fxt_begin(out, 6 | (uint64_t)FXT_INLINE(strlen(name)) << 24);
    fxt_word(out, pointer);
    fxt_word(out, 1);
    if (two) {
        fxt_word(out, 2);
    }
    fxt_text(out, name);
    fxt_end(out, at);
}

static void pointer_event(struct fxt_out *out, uint64_t ticks, uint64_t pid, uint64_t pointer)
{
    size_t at = fxt_begin(out, fxt_event(0, 1, 0, 0, 0));
    fxt_word(out, ticks);
    fxt_word(out, pid);
    fxt_word(out, 2);
    fxt_arg_long(out, 7, "p", pointer);
    fxt_end(out, at);
}

static const struct tt_arg *only_arg(const struct fxt_reading *r, size_t event)
{
    const struct tt_args *args = fxt_describe(r, event);
    cr_assert_eq(args->count, 1);
    return &args->v[0];
}

Test(fxt_model, pointers_are_resolved_by_position)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    pointer_event(&out, 1, 1, 0xabcd);
    write_user_object(&out, 0xabcd, "first", false);
    pointer_event(&out, 2, 1, 0xabcd);
    pointer_event(&out, 3, 9, 0xabcd);               /* another process */
    write_user_object(&out, 0xabcd, "second", true); /* as Zircon writes it */
    pointer_event(&out, 4, 1, 0xabcd);
    struct fxt_reading r = done(&out);
    cr_assert_eq(only_arg(&r, 0)->label.length, 0);
    cr_assert(fxt_span_is(only_arg(&r, 1)->label, "first"));
    cr_assert_eq(only_arg(&r, 2)->label.length, 0);
    cr_assert(fxt_span_is(only_arg(&r, 3)->label, "second"));
    cr_assert_eq(tt_health_kept(r.c), 0);
    release(&r, &out);
}

Test(fxt_model, koids_are_resolved_by_name_or_type)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    size_t at = fxt_begin(&out, fxt_event(0, 3, 0, 0, 0));
    fxt_word(&out, 1);
    fxt_word(&out, 1);
    fxt_word(&out, 2);
    fxt_arg_long(&out, 8, "named", 55);
    fxt_arg_long(&out, 8, "typed", 56);
    fxt_arg_long(&out, 8, "unknown", 57);
    fxt_end(&out, at);
    name_object(&out, 4, 55, "a channel", 0);
    name_object(&out, 4, 56, "", 0);
    struct fxt_reading r = done(&out);
    const struct tt_args *args = fxt_describe(&r, 0);
    cr_assert(fxt_span_is(args->v[0].label, "a channel"));
    cr_assert(fxt_span_is(args->v[1].label, "channel"));
    cr_assert_eq(args->v[2].label.length, 0);
    release(&r, &out);
}

/* The older profiler records have the process only. */
Test(fxt_model, profiler_records_of_both_versions)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (unsigned two = 0; two < 2; two++) {
        size_t at = fxt_begin(&out, 10 | 1 << 16 | UINT64_C(7) << 28);
        fxt_word(&out, 1);
        fxt_word(&out, 42);
        if (two) {
            fxt_word(&out, 0);
        }
        fxt_word(&out, 0x1000);
        fxt_word(&out, 0x2000);
        fxt_word(&out, 0x3000);
        fxt_end(&out, at);
        at = fxt_begin(&out, 10 | UINT64_C(7) << 28 | UINT64_C(4) << 44 | UINT64_C(8) << 52);
        fxt_word(&out, 2);
        fxt_word(&out, 42);
        if (two) {
            fxt_word(&out, 0);
        }
        fxt_text(&out, "name");
        fxt_stream(&out, "12345678", 8);
        fxt_end(&out, at);
    }
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct tt_args *args = fxt_describe(&r, i);
        cr_assert_eq(fxt_pid(&r, r.events[i].thread), 42);
        if (i % 2 == 0) {
            cr_assert_eq(fxt_arg_named(args, "start")->value.u, 0x1000);
            cr_assert_eq(fxt_arg_named(args, "vaddr")->value.u, 0x3000);
        } else {
            cr_assert(fxt_span_is(fxt_arg_named(args, "name")->value.s, "name"));
            cr_assert(fxt_span_is(fxt_arg_named(args, "build_id")->value.s, "12345678"));
        }
    }
    cr_assert_eq(tt_health_kept(r.c), 0);
    release(&r, &out);
}

/* ---- slices and counters ---------------------------------------------------------------- */

Test(fxt_model, counters_are_series)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t pid = 1; pid <= 2; pid++) {
        for (unsigned twice = 0; twice < 2; twice++) {
            size_t at = fxt_begin(&out, fxt_event(1, 6, 0, FXT_INLINE(1), FXT_INLINE(3)));
            fxt_word(&out, 1);
            fxt_word(&out, pid);
            fxt_word(&out, 9);
            fxt_text(&out, "c");
            fxt_text(&out, "ctr");
            fxt_arg_short(&out, 1, "a", (uint32_t)-5);
            fxt_arg_short(&out, 2, "b", 4000000000u);
            fxt_arg_long(&out, 3, "c", (uint64_t)-1);
            fxt_arg_long(&out, 4, "d", UINT64_MAX);
            fxt_arg_long(&out, 5, "e", UINT64_C(0x4004000000000000));
            fxt_arg_text(&out, "text", "x");
            fxt_word(&out, 77);
            fxt_end(&out, at);
        }
    }
    struct fxt_reading r = done(&out);
    static const double values[5] = {-5, 4e9, -1, 18446744073709551616.0, 2.5};
    cr_assert_eq(tt_series_count(r.c), 10, "five a process, the text is none");
    cr_assert_eq(r.action_count, 20);
    for (size_t i = 0; i < 20; i++) {
        double value;
        memcpy(&value, &r.actions[i].value, sizeof value);
        cr_assert_eq(r.actions[i].kind, TT_ACTION_COUNTER);
        cr_assert_eq(value, values[i % 5]);
        cr_assert_eq(r.actions[i].other, i / 10 * 5 + i % 5);
    }
    const struct tt_series *series = tt_series_at(r.c, 6);
    cr_assert_str_eq(tt_capture_text(r.c, series->name, NULL), "ctr:b:77");
    cr_assert_eq(tt_process_at(r.c, series->process)->pid, 2);
    release(&r, &out);
}

static void write_complete(struct fxt_out *out, uint64_t from, uint64_t to)
{
    size_t at = fxt_begin(out, fxt_event(4, 0, 0, 0, 0));
    fxt_word(out, from);
    fxt_word(out, 1);
    fxt_word(out, 2);
    fxt_word(out, to);
    fxt_end(out, at);
}

Test(fxt_model, a_duration_that_ends_before_it_begins)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    write_complete(&out, 50, 40);
    write_complete(&out, 50, 50);
    struct fxt_reading r = done(&out);
    cr_assert_eq(r.count, 2);
    cr_assert_null(fxt_action_of(&r, 0, 0));
    cr_assert_eq(fxt_action_of(&r, 1, 0)->value, 0);
    cr_assert_eq(tt_health_count(r.c, TT_HEALTH_TIME_RANGE), 1);
    release(&r, &out);
}

/* ---- time ------------------------------------------------------------------------------- */

Test(fxt_model, definitions_have_the_time_of_their_stream)
{
    struct fxt_out out = {0};
    fxt_magic(&out); /* before anything: at the first event's time */
    fxt_provider_info(&out, 1, "one");
    fxt_simple_event(&out, 0, 100, 1, 2, "c", "n");
    fxt_string(&out, 1, "a");
    fxt_provider_info(&out, 2, "two");
    fxt_simple_event(&out, 0, 40, 1, 2, "c", "n");
    fxt_section(&out, 1);
    fxt_string(&out, 2, "b");
    fxt_section(&out, 2);
    fxt_string(&out, 2, "c");
    static const uint64_t times[] = {100, 100, 100, 100, 100, 40, 100, 100, 40, 40};
    struct fxt_reading r = fxt_read(out.bytes, out.size, true);
    cr_assert_eq(r.count, 10);
    for (size_t i = 0; i < 10; i++) {
        cr_assert_eq(r.events[i].ticks, times[i], "record %zu", i);
    }
    release(&r, &out);
}

/* ---- file, index, timelines ------------------------------------------------------------- */

Test(fxt_model, unsorted_records_are_rows_in_time_order)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    for (uint64_t i = 0; i < 5000; i++) {
        fxt_simple_event(&out, 0, i * 7919 % 5000, 1, 2, "c", "n");
    }
    struct tt_trace *trace = fxt_index(&out);
    struct tt_events *events = tt_events_new(trace);
    cr_assert_eq(tt_events_rows(events), 5000);
    for (uint64_t row = 0; row < 5000; row++) {
        struct tt_event event;
        cr_assert_eq(tt_events_read(events, row, 1, &event), 1);
        cr_assert_eq(event.ticks, row);
    }
    tt_events_free(events);
    tt_trace_close(trace);
    free(out.bytes);
}

/* Bytes that are not UTF-8 remain unchanged. */
Test(fxt_model, names_are_bytes)
{
    struct fxt_out out = {0};
    fxt_magic(&out);
    name_object(&out, 2, 2, "t\xff", 1);
    fxt_simple_event(&out, 0, 5, 1, 2, "c\xff", "n\xfe");
    struct fxt_reading r = done(&out);
    cr_assert_str_eq(fxt_class(&r, 0), "c\xff");
    cr_assert_str_eq(fxt_name(&r, 0), "n\xfe");
    cr_assert_str_eq(fxt_lane_name(&r, r.events[0].thread), "t\xff");
    release(&r, &out);
}
