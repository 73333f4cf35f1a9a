/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Begins and ends of events in each format: side, operation, the lane or CPU whose loss breaks it,
 * duration.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "btrace_build.h"
#include "fxt_decoded.h"
#include "kev_build.h"
#include "tracetui/trace.h"
#include "trx_build.h"

enum place { NOWHERE, ON_THREAD, ON_CPU };

/* An edge of the table; edges of one operation, and no others, have the same key. */
struct wanted {
    uint32_t event;
    unsigned side; /* enum tt_edge_side */
    unsigned operation;
    enum place place; /* of a loss that makes the duration unknown */
    bool alone;
    uint64_t ticks;
};

struct found {
    uint64_t key;
    unsigned operation;
};

static void check_place(const struct wanted *w, const struct tt_event *event,
                        const struct tt_edge *edge)
{
    cr_expect_eq(edge->cpu, w->place == ON_CPU ? event->cpu : TT_NO_CPU, "event %u: cpu", w->event);
    cr_expect_eq(edge->thread != TT_NO_THREAD, w->place == ON_THREAD, "event %u: thread", w->event);
    /* Operations of a CPU are interrupts: no other kind of event may begin or end one. */
    cr_expect(w->place != ON_CPU || (TT_EDGES_OF_INTERRUPTS >> event->kind & 1), "event %u: kind",
              w->event);
}

static void check_edges(const struct tt_capture *c, const struct tt_event *events, uint32_t count,
                        const struct wanted *wanted, uint32_t wanted_count)
{
    struct found found[64];
    uint32_t at = 0;
    for (uint32_t e = 0; e < count; e++) {
        struct tt_edge edges[TT_EDGES_PER_EVENT] = {{0}};
        uint32_t n = c->format->edges(c, &events[e], c->bytes.size, edges);
        for (uint32_t i = 0; i < n; i++, at++) {
            cr_assert(at < wanted_count && at < 64, "event %u: one edge too many", e);
            const struct wanted *w = &wanted[at];
            cr_assert_eq(e, w->event, "edge %u: event %u, not %u", at, e, w->event);
            cr_expect_eq(edges[i].side, w->side, "event %u: side %u", e, edges[i].side);
            cr_expect_eq(edges[i].alone, w->alone, "event %u: alone", e);
            cr_expect_eq(edges[i].ticks, w->ticks, "event %u: ticks", e);
            check_place(w, &events[e], &edges[i]);
            for (uint32_t k = 0; k < at; k++) {
                cr_expect_eq(found[k].key == edges[i].key, found[k].operation == w->operation,
                             "events %u and %u: operation", wanted[k].event, e);
            }
            found[at] = (struct found){edges[i].key, w->operation};
        }
    }
    cr_assert_eq(at, wanted_count);
}

#define COUNT(list) (uint32_t)(sizeof(list) / sizeof(list)[0])

/* clang-format off */
static const struct {
    unsigned cpu, class_, event;
    uint32_t first, second;
} kev_events[] = {
    {0, KB_THREAD, 1, 4099, 1},
    {1, KB_THREAD, 1, 8200, 2},
    {0, KB_CALL, 11, 0, 0},
    {1, KB_CALL, 11, 0, 0},
    {0, KB_CALL, 128 + 11, 0, 0},            /* 4: exit */
    {1, KB_CALL, 256 + 11, 0, 0},            /* interrupted */
    {0, KB_CALL, 12, 0, 0},
    {0, KB_CALL, 512 + 128 + 12, 0, 0},      /* the exit has 64-bit types */
    {0, KB_INT, 1, 33, 0},                   /* 8 */
    {0, KB_INT, 3, 33, 0},
    {0, KB_INT, 4, 33, 0},
    {0, KB_INT, 2, 33, 0},
    {1, KB_INT, 1, 33, 0},                   /* 12 */
    {0, KB_COMM, 0, 5, 8200},                /* SND_MESSAGE of 4099/1 */
    {1, KB_COMM, 2, 5, 4099},
    {1, KB_COMM, 10, 1, 4099},               /* REPLY_MESSAGE to 4099/1 */
    {0, KB_COMM, 11, 2, 8200},               /* 16: MSG_ERROR to 8200/2 */
    {0, KB_COMM, 4, 5, 4099},                /* a pulse */
    {2, KB_CALL, 11, 0, 0},                  /* no thread known */
    {0, KB_USER, 1, 0, 0},
};
static const struct wanted kev_wanted[] = {
    {2, TT_EDGE_BEGIN, 1, ON_THREAD, true, 0},
    {3, TT_EDGE_BEGIN, 2, ON_THREAD, true, 0},
    {4, TT_EDGE_END, 1, ON_THREAD, true, 0},
    {5, TT_EDGE_FORGET, 2, ON_THREAD, true, 0},
    {6, TT_EDGE_BEGIN, 3, ON_THREAD, true, 0},
    {7, TT_EDGE_END, 3, ON_THREAD, true, 0},
    {8, TT_EDGE_BEGIN, 4, ON_CPU, false, 0},
    {9, TT_EDGE_BEGIN, 5, ON_CPU, false, 0},
    {10, TT_EDGE_END, 5, ON_CPU, false, 0},
    {11, TT_EDGE_END, 4, ON_CPU, false, 0},
    {12, TT_EDGE_BEGIN, 6, ON_CPU, false, 0},
    {13, TT_EDGE_BEGIN, 7, ON_THREAD, true, 0},
    {15, TT_EDGE_END, 7, ON_THREAD, true, 0},
    {16, TT_EDGE_END, 8, ON_THREAD, true, 0},
};
/* clang-format on */

Test(edges, qnx)
{
    static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};
    for (size_t k = 0; k < 2 * sizeof releases / sizeof releases[0]; k++) {
        struct kev_build b;
        kev_build_begin(&b, releases[k / 2], k % 2 != 0);
        for (uint32_t i = 0; i < COUNT(kev_events); i++) {
            kev_build_event(&b, kev_events[i].cpu, kev_events[i].class_, kev_events[i].event,
                            100 + i, 2, kev_events[i].first, kev_events[i].second);
        }
        struct kev_read r = kev_read_all(&b);
        cr_assert_eq(r.event_count, COUNT(kev_events));
        check_edges(r.capture, r.events, r.event_count, kev_wanted, COUNT(kev_wanted));
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

enum { IRQ_START, IRQ_END, FIQ_START, FIQ_END, IDFC_START, IDFC_END, NEW_THREAD_CONTEXT };

Test(edges, btrace)
{
    enum { CLIENT_SERVER = 6, SEND = 4, RECEIVE = 5, COMPLETE = 6 };
    /* clang-format off */
    static const struct wanted wanted[] = {
        {0, TT_EDGE_END_ALL, 1, ON_CPU, false, 0},
        {0, TT_EDGE_END_ALL, 2, ON_CPU, false, 0},
        {0, TT_EDGE_END_ALL, 3, ON_CPU, false, 0},
        {1, TT_EDGE_BEGIN, 1, ON_CPU, false, 0},
        {2, TT_EDGE_END, 1, ON_CPU, false, 0},
        {3, TT_EDGE_BEGIN, 2, ON_CPU, false, 0},
        {4, TT_EDGE_END, 2, ON_CPU, false, 0},
        {5, TT_EDGE_END_ALL, 1, ON_CPU, false, 0},
        {5, TT_EDGE_END_ALL, 2, ON_CPU, false, 0},
        {5, TT_EDGE_END_ALL, 3, ON_CPU, false, 0},
        {5, TT_EDGE_BEGIN, 3, ON_CPU, false, 0},
        {6, TT_EDGE_END, 3, ON_CPU, false, 0},
        {7, TT_EDGE_BEGIN, 4, ON_CPU, false, 0},
        {8, TT_EDGE_BEGIN, 5, NOWHERE, true, 0},
        {9, TT_EDGE_BEGIN, 6, NOWHERE, true, 0},
        {11, TT_EDGE_END, 5, NOWHERE, true, 0},
    };
    /* clang-format on */
    struct stream s = {0};
    stream_smp(&s, 0, NEW_THREAD_CONTEXT, 100, 0x1000);
    stream_smp(&s, 0, IRQ_START, 110, 7);
    stream_smp(&s, 0, IRQ_END, 120, 0);
    stream_smp(&s, 0, FIQ_START, 130, 0);
    stream_smp(&s, 0, FIQ_END, 140, 0);
    stream_smp(&s, 0, IDFC_START, 150, 0);
    stream_smp(&s, 0, IDFC_END, 160, 0);
    stream_smp(&s, 1, IRQ_START, 170, 7);
    for (unsigned i = 0; i < 4; i++) {
        static const uint8_t subs[] = {SEND, SEND, RECEIVE, COMPLETE};
        const uint32_t words[] = {i == 1 ? 0x2222 : 0x1111, 1, 2};
        stream_record(&s, &(struct rec){.flags = H2 | TS | TS2,
                                        .category = CLIENT_SERVER,
                                        .sub = subs[i],
                                        .ts = 180 + 10 * i,
                                        .data = words,
                                        .length = sizeof words});
    }
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, 12);
    check_edges(r.capture, r.events, r.count, wanted, COUNT(wanted));
    reading_free(&r);
    stream_free(&s);
}

Test(edges, threadx)
{
    static const struct trx_kit_entry entries[] = {
        {{0x1000, 5, 103, 1}},
        {{0xffffffff, 0x1000, 3, 2, 0x140, 7, 1, 0}},
        {{0xffffffff, 0x2000, 0x01000003, 3, 0x140, 8, 1, 0}},
        {{0xffffffff, 0x1000, 4, 4, 0x140, 7, 1, 0}},
        {{0x1000, 5, 103, 5}},
    };
    static const struct wanted wanted[] = {
        {1, TT_EDGE_BEGIN, 1, ON_CPU, false, 0},
        {2, TT_EDGE_BEGIN, 2, ON_CPU, false, 0},
        {3, TT_EDGE_END, 1, ON_CPU, false, 0},
    };
    struct trx_kit_buffer buffer = {
        .mask = UINT32_MAX, .entries = entries, .entry_count = COUNT(entries)};
    struct trx_kit kit;
    trx_kit_load_buffer(&kit, &buffer);
    cr_assert_eq(kit.count, COUNT(entries));
    check_edges(kit.capture, kit.events, kit.count, wanted, COUNT(wanted));
    trx_kit_close(&kit);
}

enum { INSTANT, COUNTER, BEGIN, END, WHOLE, ASYNC_BEGIN, ASYNC_STEP, ASYNC_END };

/* An event with a word after it: the end of a WHOLE, the id of an asynchronous one. */
static void add_fxt(struct fxt_out *out, uint64_t type, uint64_t ticks, uint64_t tid, uint64_t name,
                    uint64_t tail)
{
    size_t at = fxt_begin(out, fxt_event(type, 0, 0, 0, name));
    fxt_word(out, ticks);
    fxt_word(out, 1);
    fxt_word(out, tid);
    if (type >= WHOLE) {
        fxt_word(out, tail);
    }
    fxt_end(out, at);
}

Test(edges, fuchsia)
{
    /* clang-format off */
    static const struct wanted wanted[] = {
        {1, TT_EDGE_BEGIN, 1, ON_THREAD, false, 0},
        {2, TT_EDGE_BEGIN, 2, ON_THREAD, false, 0},
        {3, TT_EDGE_END, 1, ON_THREAD, false, 0},
        {4, TT_EDGE_WHOLE, 1, ON_THREAD, false, 30000000}, /* in ns: the rates differ */
        {5, TT_EDGE_WHOLE, 2, ON_THREAD, false, 0},
        {7, TT_EDGE_BEGIN, 3, NOWHERE, false, 0},
        {8, TT_EDGE_BEGIN, 4, NOWHERE, false, 0},   /* another id */
        {9, TT_EDGE_BEGIN, 5, NOWHERE, false, 0},   /* another name */
        {11, TT_EDGE_END, 3, NOWHERE, false, 0},
        {12, TT_EDGE_WHOLE, 1, ON_THREAD, false, 15000000},
    };
    /* clang-format on */
    struct fxt_out out = {0};
    fxt_magic(&out);
    fxt_provider_info(&out, 1, "one");
    fxt_init(&out, 1000);
    fxt_string(&out, 5, "a");
    fxt_string(&out, 6, "b");
    add_fxt(&out, INSTANT, 10, 2, 5, 0);
    add_fxt(&out, BEGIN, 11, 2, 5, 0);
    add_fxt(&out, BEGIN, 12, 3, 5, 0);
    add_fxt(&out, END, 13, 2, 5, 0);
    add_fxt(&out, WHOLE, 50, 2, 5, 80);
    add_fxt(&out, WHOLE, 50, 3, 5, 50);
    add_fxt(&out, WHOLE, 50, 3, 5, 49); /* ends before it begins: no edge */
    add_fxt(&out, ASYNC_BEGIN, 60, 2, 5, 77);
    add_fxt(&out, ASYNC_BEGIN, 61, 2, 5, 78);
    add_fxt(&out, ASYNC_BEGIN, 62, 2, 6, 77);
    add_fxt(&out, ASYNC_STEP, 63, 2, 5, 77);
    add_fxt(&out, ASYNC_END, 64, 3, 5, 77);
    fxt_provider_info(&out, 2, "two");
    fxt_init(&out, 2000);
    fxt_string(&out, 5, "a");
    add_fxt(&out, WHOLE, 200, 2, 5, 230);
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, 13);
    check_edges(r.c, r.events, (uint32_t)r.count, wanted, COUNT(wanted));
    fxt_reading_free(&r);
    free(out.bytes);
}
