/* SPDX-License-Identifier: Apache-2.0 */
/* Combine events: gathered across other events, CPUs and buffers; incomplete ones. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_internal.h"
#include "kev_build.h"

static void begin(struct kev_build *b, unsigned cpu, uint32_t stamp, uint32_t first)
{
    kev_build_slot(b, cpu, KB_BEGIN, KB_CALL, 11, stamp, first, 2);
}

static void middle(struct kev_build *b, unsigned cpu, uint32_t stamp)
{
    kev_build_slot(b, cpu, KB_MIDDLE, KB_CALL, 11, stamp, 3, 0x64636261);
}

static void end(struct kev_build *b, unsigned cpu, uint32_t stamp)
{
    kev_build_slot(b, cpu, KB_END, KB_CALL, 11, stamp, 0x68676665, 0x6c6b6a69);
}

#define WHOLE(coid)                                                                                \
    "coid=0x0000000" coid " sparts=2 rparts=3 msg[0]=0x64636261(abcdefghijkl) "                    \
    "msg[1]=0x68676665 msg[2]=0x6c6b6a69"

static unsigned health(const struct kev_read *r, enum tt_health_kind kind)
{
    return (unsigned)tt_health_count(r->capture, kind);
}

/* Two events of one CPU and one of another with mixed slots, a buffer between. */
Test(kev_combine, interlaced)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    kev_build_buffer(&b, 0, 10, 33, 7);
    begin(&b, 0, 20, 1);
    begin(&b, 1, 20, 2); /* the same stamp on another CPU */
    begin(&b, 0, 30, 3);
    middle(&b, 0, 20);
    middle(&b, 1, 20);
    end(&b, 1, 20);
    kev_build_buffer(&b, 0, 40, 34, 6);
    kev_build_time(&b, 0, 41, 0);
    middle(&b, 0, 30);
    end(&b, 0, 20);
    kev_build_event(&b, 0, KB_USER, 1, 50, 2, 1, 1);
    end(&b, 0, 30);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 7);
    cr_assert_eq(r.records, 13);
    cr_assert_str_eq(kev_read_args(&r, 1), WHOLE("1"));
    cr_assert_str_eq(kev_read_args(&r, 2), WHOLE("2"));
    cr_assert_str_eq(kev_read_args(&r, 3), WHOLE("3"));
    cr_assert_eq(r.events[1].ticks, 20);
    cr_assert_eq(r.events[3].ticks, 30);
    cr_assert_eq(r.events[2].cpu, 1);
    cr_assert(r.events[1].flags & TT_EVENT_MULTIPART);
    cr_assert_eq(tt_health_kept(r.capture), 0);

    struct tt_part parts[4];
    uint32_t count = r.capture->format->parts(r.capture, &r.events[1], b.size, parts, 4);
    static const unsigned slots[] = {1, 4, 10};
    cr_assert_eq(count, 3);
    for (unsigned i = 0; i < 3; i++) {
        cr_assert_eq(parts[i].offset, b.slots + 16 * slots[i]);
        cr_assert_eq(parts[i].length, 16);
        cr_assert_eq(parts[i].header, 8);
    }
    cr_assert_eq(r.capture->format->parts(r.capture, &r.events[1], b.size, parts, 1), 3);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* The printer prints a combine event at its last slot. */
Test(kev_combine, printed_at_the_last_slot)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    begin(&b, 0, 0x20, 1);
    kev_build_event(&b, 0, KB_USER, 1, 0x30, 2, 1, 1);
    middle(&b, 0, 0x20);
    kev_build_event(&b, 0, KB_USER, 2, 0x40, 2, 1, 1);
    end(&b, 0, 0x20);
    kev_build_event(&b, 0, KB_USER, 3, 0x50, 2, 1, 1);
    struct kev_read r = kev_read_all(&b);
    char *printed = kev_read_style(&r, "traceprinter");
    const char *events = strstr(printed, "KERNEL EVENTS -- \n") + strlen("KERNEL EVENTS -- \n");
    cr_assert_str_eq(events, "t:0x00000030 CPU:00 USREVENT:EVENT:1, d0:0x00000001 d1:0x00000001\n"
                             "t:0x00000040 CPU:00 USREVENT:EVENT:2, d0:0x00000001 d1:0x00000001\n"
                             "t:0x00000020 CPU:00 KER_CALL:MSG_SENDV/11\n"
                             "                      coid:0x00000001\n"
                             "                    sparts:2\n"
                             "                    rparts:3\n"
                             "                       msg:\"abcdefghijkl\" (0x64636261 "
                             "0x68676665 0x6c6b6a69)\n"
                             "t:0x00000050 CPU:00 USREVENT:EVENT:3, d0:0x00000001 d1:0x00000001\n");
    free(printed);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_combine, orphans_and_unfinished_ones_are_counted)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    middle(&b, 0, 5); /* without a beginning */
    end(&b, 0, 5);
    begin(&b, 0, 20, 1);
    middle(&b, 0, 20);
    end(&b, 1, 20); /* of another CPU, stamp, event: none of them is its end */
    end(&b, 0, 21);
    kev_build_slot(&b, 0, KB_END, KB_CALL, 12, 20, 0, 0);
    kev_build_event(&b, 0, KB_USER, 1, 50, 2, 1, 1);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 2);
    cr_assert_eq(health(&r, TT_HEALTH_ORPHAN_PART), 5);
    cr_assert_eq(health(&r, TT_HEALTH_UNFINISHED), 1);
    cr_assert_eq(tt_health_at(r.capture, 0).offset, b.slots);
    cr_assert_not(tt_health_damaged(r.capture));
    cr_assert_str_eq(kev_read_args(&r, 0),
                     "coid=0x00000001 sparts=2 rparts=3 msg[0]=0x64636261(abcd)");
    /* An incomplete event is printed too. */
    char *printed = kev_read_style(&r, "traceprinter");
    cr_assert_not_null(strstr(printed, "MSG_SENDV/11\n"));
    free(printed);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_combine, second_beginning_is_another_event)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    begin(&b, 0, 20, 1);
    kev_build_event(&b, 0, KB_USER, 1, 50, 2, 1, 1);
    begin(&b, 0, 20, 2);
    middle(&b, 0, 20);
    end(&b, 0, 20);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 3);
    cr_assert_str_eq(kev_read_args(&r, 0), "coid=0x00000001 sparts=2");
    cr_assert_str_eq(kev_read_args(&r, 2), WHOLE("2"));
    cr_assert_eq(health(&r, TT_HEALTH_UNFINISHED), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A CPU that begins event after event and ends none: memory and time stay bounded. */
Test(kev_combine, open_events_are_bounded)
{
    enum { EVENTS = 20000 };
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    for (uint32_t i = 0; i < EVENTS; i++) {
        begin(&b, i % 2, 100 + i, i & 7);
    }
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, EVENTS);
    cr_assert_eq(health(&r, TT_HEALTH_UNFINISHED), EVENTS);
    char *printed = kev_read_style(&r, "traceprinter");
    free(printed);
    kev_read_free(&r);
    kev_build_free(&b);
}

/*
 * A state event, apart from its other slots, of `slots` slots in all, without an end. Health has the
 * number of slots found, at most 255, and the priority in the second slot makes one action.
 */
static void check_long_event(uint32_t slots, uint64_t found)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_slot(&b, 0, KB_BEGIN, KB_THREAD, 1, 20, 4099, 1);
    kev_build_event(&b, 0, KB_USER, 1, 30, 2, 1, 1);
    for (uint32_t i = 1; i < slots; i++) {
        kev_build_slot(&b, 0, KB_MIDDLE, KB_THREAD, 1, 20, 10 + i, 2);
    }
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 2);
    cr_assert_eq(health(&r, TT_HEALTH_UNFINISHED), 1);
    cr_assert_eq(tt_health_at(r.capture, tt_health_kept(r.capture) - 1).value, found, "%u slots",
                 slots);
    cr_assert_eq(kev_read_action_count(&r, TT_ACTION_PRIORITY), slots > 1, "%u slots", slots);
    if (slots > 1) {
        cr_assert_eq(kev_read_action(&r, TT_ACTION_PRIORITY, 0)->priority, 11);
    }
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_combine, slots_of_long_events_are_counted)
{
    static const uint16_t counts[][2] = {
        {1, 1}, {2, 2}, {3, 3}, {254, 254}, {255, 255}, {256, 255}, {257, 255}, {600, 255},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        check_long_event(counts[i][0], counts[i][1]);
    }
}

Test(kev_combine, end_out_of_reach_is_an_orphan)
{
    for (uint32_t between = KEV_REACH - 1; between <= KEV_REACH; between++) {
        struct kev_build b;
        kev_build_begin(&b, "7.1.0", false);
        begin(&b, 0, 20, 1);
        for (uint32_t i = 0; i < between; i++) {
            kev_build_event(&b, 1, KB_USER, 1, 100 + i, 2, 1, 1);
        }
        end(&b, 0, 20);
        struct kev_read r = kev_read_all(&b);
        bool reached = between < KEV_REACH;
        cr_assert_eq(r.event_count, between + 1);
        cr_assert_eq(health(&r, TT_HEALTH_ORPHAN_PART), reached ? 0 : 1);
        cr_assert_eq(health(&r, TT_HEALTH_UNFINISHED), reached ? 0 : 1);
        cr_assert_eq(r.capture->format->parts(r.capture, &r.events[0], b.size, NULL, 0),
                     reached ? 2 : 1, "argument and cursor keep to the same reach");
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* ---- resuming from a saved state ---------------------------------------------------------- */

/* A capture with an open event at most positions. */
static void build_busy(struct kev_build *b, const char *release)
{
    uint32_t stamp = 1000;
    kev_build_begin(b, release, false);
    kev_build_buffer(b, 0, stamp, 33, 0);
    kev_build_time(b, 0, stamp, 5);
    kev_build_named(b, 0, 192, stamp += 10, 0, 1, "procnto");
    kev_build_event(b, 0, KB_THREAD, 24, stamp += 10, 2, 1, 1);
    kev_build_event(b, 0, KB_THREAD, 1, stamp += 10, 4, 1, 1, 0, 1);
    kev_build_event(b, 0, KB_CALL, 129, stamp += 10, 2, 0, 0);
    for (uint32_t i = 0; i < 60; i++) {
        unsigned cpu = i % 3;
        stamp += 17;
        kev_build_slot(b, cpu, KB_BEGIN, KB_THREAD, 1, stamp, 4099 + i % 5, 1);
        if (i % 4 == 0) {
            kev_build_slot(b, cpu, KB_BEGIN, KB_CALL, 14, stamp + 1, 7, 8);
            kev_build_event(b, (cpu + 1) % 3, KB_USER, i, stamp + 2, 2, i, i);
            kev_build_slot(b, cpu, KB_END, KB_CALL, 14, stamp + 1, 7, 8);
        }
        kev_build_slot(b, cpu, KB_END, KB_THREAD, 1, stamp, 10 + i, 2);
        if (i % 20 == 19) {
            kev_build_buffer(b, cpu, stamp + 3, 33 + i / 10, 0); /* some buffers are missing */
        }
        kev_build_event(b, cpu, KB_CALL, 11, stamp + 4, 6, 1, 2, 3, 4, 5, 6);
    }
}

static void check_again(struct tt_capture *c, struct tt_cursor *again, const void *blob,
                        size_t size, uint64_t limit, const struct tt_batch *first)
{
    static struct tt_event events[64];
    static struct tt_action actions[64 + TT_ACTIONS_PER_EVENT];
    struct tt_batch batch = {.events = events,
                             .capacity = first->capacity,
                             .actions = actions,
                             .action_capacity = 64 + TT_ACTIONS_PER_EVENT};
    c->format->cursor_load(again, blob, size);
    c->format->decode(again, limit, true, &batch);
    cr_assert_eq(batch.count, first->count);
    cr_assert_eq(batch.action_count, first->action_count);
    cr_assert_eq(batch.records, first->records);
    cr_assert_arr_eq(batch.events, first->events, first->count * sizeof *first->events);
    for (uint32_t i = 0; i < first->action_count; i++) {
        cr_assert_arr_eq(&batch.actions[i], &first->actions[i], sizeof batch.actions[i]);
    }
    uint64_t pos = c->format->cursor_pos(again);
    struct tt_batch bare = {.events = events, .capacity = first->capacity};
    memset(events, 0, sizeof events);
    c->format->cursor_load(again, blob, size);
    c->format->decode(again, limit, true, &bare);
    cr_assert_eq(bare.count, first->count);
    cr_assert_eq(bare.records, first->records);
    cr_assert_eq(c->format->cursor_pos(again), pos);
    cr_assert_arr_eq(bare.events, first->events, first->count * sizeof *first->events);
}

Test(kev_combine, resumes_at_any_cut_with_the_same_events)
{
    static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};
    static struct tt_event events[64];
    static struct tt_action actions[64 + TT_ACTIONS_PER_EVENT];
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
        struct kev_build b;
        build_busy(&b, releases[i]);
        struct kev_read whole = kev_read_all(&b); /* learns everything */
        struct tt_capture *c = whole.capture;
        for (uint32_t capacity = 1; capacity <= 7; capacity++) {
            struct tt_cursor *cursor = c->format->cursor_new(c, false);
            struct tt_cursor *again = c->format->cursor_new(c, false);
            uint32_t seen = 0;
            enum tt_decode_result result = TT_DECODE_MORE;
            while (result == TT_DECODE_MORE) {
                uint8_t blob[8192];
                size_t size = c->format->cursor_save(cursor, blob, sizeof blob);
                cr_assert_leq(size, sizeof blob);
                cr_assert_eq(c->format->cursor_save(cursor, NULL, 0), size);
                memset(events, 0, sizeof events);
                struct tt_batch batch = {.events = events,
                                         .capacity = capacity,
                                         .actions = actions,
                                         .action_capacity = 64 + TT_ACTIONS_PER_EVENT};
                result = c->format->decode(cursor, b.size, true, &batch);
                check_again(c, again, blob, size, b.size, &batch);
                cr_assert_arr_eq(events, whole.events + seen, batch.count * sizeof *events);
                seen += batch.count;
            }
            cr_assert_eq(seen, whole.event_count);
            c->format->cursor_free(cursor);
            c->format->cursor_free(again);
        }
        kev_read_free(&whole);
        kev_build_free(&b);
    }
}

/* Decodes up to `limit`; returns the priority actions, the last one in *last. */
static unsigned priorities_until(const struct tt_capture *c, struct tt_cursor *cursor, size_t limit,
                                 bool final, struct tt_action *last)
{
    static struct tt_event events[8];
    static struct tt_action actions[8 * TT_ACTIONS_PER_EVENT];
    struct tt_batch batch = {.events = events,
                             .capacity = 8,
                             .actions = actions,
                             .action_capacity = 8 * TT_ACTIONS_PER_EVENT};
    unsigned count = 0;
    cr_assert_eq(c->format->decode(cursor, limit, final, &batch), TT_DECODE_END);
    for (uint32_t i = 0; i < batch.action_count; i++) {
        if (actions[i].kind == TT_ACTION_PRIORITY) {
            *last = actions[i];
            count++;
        }
    }
    return count;
}

/* A priority that waits for the next event is part of the state of a cursor. */
Test(kev_combine, a_priority_before_a_checkpoint_is_reported_after_it)
{
    struct kev_build b;
    uint8_t blob[8192];
    kev_build_begin(&b, "7.1.0", false);
    kev_build_slot(&b, 0, KB_BEGIN, KB_THREAD, 1, 20, 4099, 1);
    kev_build_event(&b, 0, KB_USER, 1, 30, 2, 1, 1);
    kev_build_slot(&b, 0, KB_MIDDLE, KB_THREAD, 1, 20, 11, 2);
    size_t cut = b.size;
    kev_build_event(&b, 0, KB_USER, 1, 40, 2, 1, 1);
    struct kev_read r = kev_read_all(&b);
    const struct tt_capture *c = r.capture;
    struct tt_cursor *cursor = c->format->cursor_new(r.capture, false);
    struct tt_cursor *again = c->format->cursor_new(r.capture, false);
    struct tt_action want = {0}, got = {0};
    cr_assert_eq(priorities_until(c, cursor, cut - 16, false, &want), 0);
    cr_assert_eq(priorities_until(c, cursor, cut, false, &want), 0);
    size_t size = c->format->cursor_save(cursor, blob, sizeof blob);
    cr_assert_leq(size, sizeof blob);
    c->format->cursor_load(again, blob, size);
    cr_assert_eq(priorities_until(c, cursor, b.size, true, &want), 1);
    cr_assert_eq(want.priority, 11);
    cr_assert_eq(priorities_until(c, again, b.size, true, &got), 1);
    cr_expect_eq(got.priority, 11);
    cr_expect_eq(got.thread, want.thread);
    cr_expect_eq(got.cpu, want.cpu);
    c->format->cursor_free(cursor);
    c->format->cursor_free(again);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A file that grows by any pieces gives the same events as the whole file. */
Test(kev_combine, growing_file)
{
    struct kev_build b;
    build_busy(&b, "7.1.0");
    struct kev_read whole = kev_read_all(&b);
    for (size_t piece = 1; piece < 200; piece += 13) {
        struct tt_capture *c = NULL;
        cr_assert_eq(tt_capture_new(tt_bytes_of(b.bytes, b.size), &c).code, TT_OK);
        struct tt_capture_options options = {0};
        cr_assert_eq(tt_capture_open(c, "x.kev", &options).code, TT_OK);
        struct tt_cursor *cursor = c->format->cursor_new(c, true);
        static struct tt_event events[1024];
        static struct tt_action actions[4096];
        uint32_t seen = 0;
        uint32_t priorities = 0;
        for (size_t limit = b.slots; seen < whole.event_count; limit += piece) {
            bool final = limit >= b.size;
            struct tt_batch batch = {.events = events + seen,
                                     .capacity = 1024 - seen,
                                     .actions = actions,
                                     .action_capacity = 4096};
            cr_assert_eq(c->format->decode(cursor, final ? b.size : limit, final, &batch),
                         TT_DECODE_END);
            for (uint32_t i = 0; i < batch.action_count; i++) {
                priorities += actions[i].priority != TT_NO_PRIORITY;
            }
            seen += batch.count;
            cr_assert(!final || seen == whole.event_count);
        }
        for (uint32_t i = 0; i < seen; i++) {
            cr_assert_eq(events[i].pos, whole.events[i].pos);
            cr_assert_eq(events[i].ticks, whole.events[i].ticks);
            cr_assert_eq(events[i].thread, whole.events[i].thread);
        }
        /* No priority is lost; the last one may wait for an event that never comes. */
        cr_assert_geq(priorities, 60);
        c->format->cursor_free(cursor);
        tt_capture_free(c);
    }
    kev_read_free(&whole);
    kev_build_free(&b);
}

/* One checkpoint per block of about a thousand events: a CPU must cost few bytes. */
Test(kev_combine, states_of_many_cpus_are_small)
{
    static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};
    for (size_t i = 0; i < sizeof releases / sizeof releases[0]; i++) {
        struct kev_build b;
        static struct tt_event events[64 * 64];
        kev_build_begin(&b, releases[i], false);
        for (uint32_t n = 0; n < 64 * 64; n++) {
            unsigned cpu = n % 64;
            if (n < 64) {
                kev_build_buffer(&b, cpu, 1000 + n * 20000, 33 + (i == 2 ? 0 : n), 0);
            } else {
                kev_build_event(&b, cpu, KB_THREAD, 1, 1000 + n * 20000, 2, 4099 + n % 300, 1);
            }
        }
        struct kev_read whole = kev_read_all(&b);
        struct tt_cursor *cursor = whole.capture->format->cursor_new(whole.capture, false);
        struct tt_batch batch = {.events = events, .capacity = 64 * 64};
        whole.capture->format->decode(cursor, b.size, true, &batch);
        cr_assert_eq(batch.count, 64 * 64);
        cr_assert_leq(whole.capture->format->cursor_save(cursor, NULL, 0), 1000);
        whole.capture->format->cursor_free(cursor);
        kev_read_free(&whole);
        kev_build_free(&b);
    }
}

/* First slots of the printed events, in printing order. */
static unsigned printed_order(const char *printed, unsigned order[], unsigned most)
{
    static const char key[] = "coid:0x";
    unsigned count = 0;
    for (const char *at = printed; count < most && (at = strstr(at, key)) != NULL; count++) {
        at += sizeof key - 1;
        order[count] = (unsigned)strtoul(at, NULL, 16);
    }
    return count;
}

/* Many wait for their last slots, which come in another order than the first ones. */
Test(kev_combine, pending_events_are_printed_in_order_of_their_last_slots)
{
    enum { MANY = 16 };
    static const unsigned ends[MANY] = {7, 3, 12, 0, 9, 15, 1, 11, 5, 14, 2, 8, 13, 4, 10, 6};
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", false);
    for (unsigned i = 0; i < MANY; i++) {
        begin(&b, i, 0x20 + i, i);
    }
    for (unsigned i = 0; i < MANY; i++) {
        end(&b, ends[i], 0x20 + ends[i]);
        if (i == MANY / 2) { /* those that ended so far are before it */
            kev_build_event(&b, 0, KB_USER, 1, 0x80, 2, 1, 1);
        }
    }
    struct kev_read r = kev_read_all(&b);
    char *printed = kev_read_style(&r, "traceprinter");
    unsigned order[MANY + 1];
    cr_assert_eq(printed_order(printed, order, MANY + 1), MANY);
    for (unsigned i = 0; i < MANY; i++) {
        cr_expect_eq(order[i], ends[i], "number %u is %u", i, order[i]);
    }
    const char *user = strstr(printed, "USREVENT");
    cr_assert_not_null(user);
    cr_expect_eq(printed_order(user, order, MANY), MANY / 2 - 1);
    free(printed);
    kev_read_free(&r);
    kev_build_free(&b);
}
