/* SPDX-License-Identifier: Apache-2.0 */
/* File offsets, parts and actions of every event of the samples. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event_of.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

static const char *const samples[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx",
                                      "samples/demo.btrace"};

#define SAMPLES (sizeof samples / sizeof *samples)

struct open {
    struct tt_trace *trace;
    struct tt_events *events;
    const struct tt_capture *capture;
};

static struct open open_sample(const char *path)
{
    struct open o = {0};
    struct tt_status status = tt_trace_open(path, NULL, &o.trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(o.trace);
    cr_assert(!tt_failed(&status));
    o.events = tt_events_new(o.trace);
    cr_assert_not_null(o.events);
    o.capture = tt_trace_capture(o.trace);
    return o;
}

static void close_sample(struct open *o)
{
    tt_events_free(o->events);
    tt_trace_close(o->trace);
}

Test(event_details, the_parts_of_an_event_are_its_bytes)
{
    for (size_t s = 0; s < SAMPLES; s++) {
        struct open o = open_sample(samples[s]);
        uint64_t size = o.capture->bytes.size;
        for (uint64_t row = 0; row < tt_events_rows(o.events); row++) {
            struct tt_event event;
            struct tt_part parts[64];
            cr_assert_eq(tt_events_read(o.events, row, 1, &event), 1);
            uint32_t count = tt_events_parts(o.events, &event, parts, 64);
            if (event.flags & TT_EVENT_DERIVED) {
                continue; /* it may have no bytes of its own */
            }
            cr_assert_gt(count, 0, "%s: row %u", samples[s], (unsigned)row);
            cr_assert_eq(parts[0].offset, tt_capture_offset(o.capture, event.pos), "%s: row %u",
                         samples[s], (unsigned)row);
            cr_assert(count > 1 || !(event.flags & TT_EVENT_MULTIPART));
            for (uint32_t p = 0; p < count; p++) {
                cr_assert_leq(parts[p].header, parts[p].length);
                cr_assert(parts[p].length <= size && parts[p].offset <= size - parts[p].length);
                cr_assert(p == 0 || parts[p].offset >= parts[p - 1].offset + parts[p - 1].length,
                          "%s: row %u: parts are consecutive", samples[s], (unsigned)row);
            }
            struct tt_part first[2] = {{0}, {.length = 77}};
            cr_assert_eq(tt_events_parts(o.events, &event, first, 1), count, "more than fit");
            cr_assert_eq(first[0].offset, parts[0].offset);
            cr_assert_eq(first[1].length, 77);
        }
        close_sample(&o);
    }
}

Test(event_details, found_by_every_byte_of_the_file)
{
    for (size_t s = 0; s < SAMPLES; s++) {
        struct open o = open_sample(samples[s]);
        for (uint64_t row = 0; row < tt_events_rows(o.events); row += 7) {
            struct tt_event event, found;
            struct tt_part part;
            cr_assert_eq(tt_events_read(o.events, row, 1, &event), 1);
            if (event.flags & TT_EVENT_DERIVED ||
                tt_events_parts(o.events, &event, &part, 1) == 0) {
                continue;
            }
            uint64_t last = part.offset + part.length - 1;
            cr_assert(tt_events_at_offset(o.events, part.offset, &found));
            cr_assert_eq(tt_capture_offset(o.capture, found.pos), part.offset, "%s: row %u",
                         samples[s], (unsigned)row);
            cr_assert(tt_events_at_offset(o.events, last, &found));
            uint64_t at = tt_capture_offset(o.capture, found.pos);
            cr_assert(at >= part.offset && at <= last, "%s: the last byte of row %u", samples[s],
                      (unsigned)row);
        }
        /* No event is before the first one: the nearest one is returned. */
        struct tt_event first;
        cr_assert(tt_events_at_offset(o.events, 0, &first), "%s", samples[s]);
        close_sample(&o);
    }
}

enum { AT_ONCE = 16, ACTIONS_MOST = 256 };

/* Returns whether another action at the same time affects the state of the thread. */
static bool is_last_word(const struct tt_action *actions, uint32_t count, uint32_t i)
{
    for (uint32_t j = 0; j < count; j++) {
        bool about = actions[j].thread == actions[i].thread || actions[j].kind == TT_ACTION_SWITCH;
        if (j != i && about && actions[j].ticks == actions[i].ticks) {
            return false;
        }
    }
    return true;
}

/* Returns the number of events whose own state agrees with the timelines. */
static uint32_t check_states(const struct open *o, const struct tt_event *events)
{
    struct tt_action actions[ACTIONS_MOST];
    const struct tt_timelines *t = tt_trace_timelines(o->trace);
    uint32_t checked = 0, last = 0;
    uint32_t count = tt_trace_actions(o->trace, events, AT_ONCE, actions, ACTIONS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_action *a = &actions[i];
        struct tt_interval_at at;
        uint32_t place = event_of(a, events, AT_ONCE);
        cr_assert_lt(place, AT_ONCE);
        cr_assert_geq(place, last, "actions are in the order of their events");
        last = place;
        uint64_t ticks = a->ticks;
        bool at_an_edge = ticks == events[0].ticks || ticks == events[AT_ONCE - 1].ticks;
        if (a->kind != TT_ACTION_STATE || a->thread == TT_NO_THREAD || at_an_edge ||
            !is_last_word(actions, count, i)) {
            continue;
        }
        cr_assert(tt_interval_find(t, a->thread, ticks, &at));
        struct tt_interval interval = tt_interval_get(t, at);
        cr_assert_eq(interval.state, a->state, "thread %u at %llu: %u, not %u", a->thread,
                     (unsigned long long)ticks, interval.state, a->state);
        checked++;
    }
    return checked;
}

/* Returns the number of states of the sample that agree. */
static uint32_t check_sample(const char *path)
{
    struct open o = open_sample(path);
    struct tt_event batch[AT_ONCE];
    uint32_t checked = 0;
    for (uint64_t row = 0; row + AT_ONCE <= tt_events_rows(o.events); row += AT_ONCE) {
        cr_assert_eq(tt_events_read(o.events, row, AT_ONCE, batch), AT_ONCE);
        checked += check_states(&o, batch);
    }
    close_sample(&o);
    return checked;
}

Test(event_details, states_agree_with_the_timelines)
{
    static const char *const with_states[] = {"samples/demo.kev", "samples/wide4.kev"};
    for (size_t s = 0; s < sizeof with_states / sizeof *with_states; s++) {
        uint32_t checked = check_sample(with_states[s]);
        cr_expect_gt(checked, 100, "%s: %u", with_states[s], checked);
    }
}

/* Also where that is not the order of the records. */
Test(event_details, actions_are_in_the_order_of_their_events)
{
    struct open o = open_sample("samples/wide4.kev");
    struct tt_event list[AT_ONCE], reversed[AT_ONCE];
    struct tt_action actions[ACTIONS_MOST];
    cr_assert_eq(tt_events_read(o.events, 0, AT_ONCE, list), AT_ONCE);
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        reversed[i] = list[AT_ONCE - 1 - i];
    }
    uint32_t last = 0, count = tt_trace_actions(o.trace, reversed, AT_ONCE, actions, ACTIONS_MOST);
    cr_assert_gt(count, 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = event_of(&actions[i], reversed, AT_ONCE);
        cr_assert_geq(place, last, "action %u", i);
        last = place;
    }
    close_sample(&o);
}

/* Checks that the actions of some kinds are those of all kinds, without the others. */
static void check_kinds(const struct open *o, uint64_t kinds, uint64_t row, unsigned *counted,
                        unsigned *found)
{
    struct tt_event list[AT_ONCE];
    struct tt_action all[ACTIONS_MOST], some[ACTIONS_MOST];
    uint32_t read = tt_events_read(o->events, row, AT_ONCE, list), at = 0;
    uint32_t count = tt_trace_actions(o->trace, list, read, all, ACTIONS_MOST);
    uint32_t picked = tt_trace_actions_of(o->trace, kinds, list, read, some, ACTIONS_MOST);
    for (uint32_t i = 0; i < count; i++) {
        if (kinds >> all[i].kind & 1) {
            cr_assert_lt(at, picked);
            cr_assert_eq(some[at].kind, all[i].kind);
            cr_assert_eq(some[at].pos, all[i].pos);
            cr_assert_eq(some[at].thread, all[i].thread);
            cr_assert_eq(some[at].value, all[i].value);
            at++;
        }
    }
    cr_assert_eq(at, picked);
    *counted += count;
    *found += picked;
}

Test(event_details, actions_of_some_kinds)
{
    const uint64_t kinds = UINT64_C(1) << TT_ACTION_STATE | UINT64_C(1) << TT_ACTION_SWITCH;
    for (size_t s = 0; s < SAMPLES; s++) {
        struct open o = open_sample(samples[s]);
        unsigned counted = 0, found = 0;
        for (uint64_t row = 0; row < tt_events_rows(o.events); row += 3 * AT_ONCE) {
            check_kinds(&o, kinds, row, &counted, &found);
        }
        cr_assert(found > 0 && found < counted, "%s: %u of %u", samples[s], found, counted);
        close_sample(&o);
    }
}

/* QNX 8.0 has a ring per CPU: the thread of a state is resolved when all is read. */
Test(event_details, states_of_threads_resolved_by_time)
{
    static uint8_t bytes[60000]; /* up to where other rings may have lost records */
    char path[] = "/tmp/tracetui-rings-XXXXXX";
    FILE *from = fopen("samples/demo.kev", "rb");
    int fd = mkstemp(path);
    cr_assert(from && fd >= 0);
    size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    static const char key[] = "TRACE_SYS_RELEASE::";
    bool made = false;
    for (size_t at = 0; at + sizeof key < size && at < 4096 && !made; at++) {
        made = memcmp(bytes + at, key, sizeof key - 1) == 0;
        bytes[at + sizeof key - 1] = made ? '8' : bytes[at + sizeof key - 1];
    }
    cr_assert(made);
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    uint32_t checked = check_sample(path);
    cr_expect_gt(checked, 100, "%u", checked);
    unlink(path);
}
