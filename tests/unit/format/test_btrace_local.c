/* SPDX-License-Identifier: Apache-2.0 */
/* Damage stays local: what is read after it, times that contradict, and what looks like damage but is legal. */
#include <string.h>

#include "btrace_build.h"

enum { A = 0xc8000000, RECORDS = 120, STEP = 50, DAMAGED = 40 };

/* Appends a switch on a CPU, or an interrupt without a context. */
static uint64_t add(struct stream *s, uint16_t cpu, uint32_t ts, uint32_t nthread)
{
    struct rec r = {.flags = H2 | TS, .category = 4, .header2 = (uint32_t)cpu << 20, .ts = ts};
    if (nthread != 0) {
        r.flags |= CTX;
        r.sub = 6;
        r.context = nthread;
    }
    return stream_record(s, &r);
}

/* Makes a stream on CPU 0 with threads 1 to 5, while thread 0 is on CPU 1; `places`: of the records. */
static struct stream switches(uint64_t *places)
{
    struct stream s = {0};
    add(&s, 1, 900, A);
    for (uint32_t i = 0; i < RECORDS; i++) {
        places[i] = add(&s, 0, 1000 + i * STEP, A + (i % 5 + 1) * 0x400);
    }
    add(&s, 1, 1000 + RECORDS * STEP, A + 0x800);
    return s;
}

/* Puts `length` bytes in place of `gone` ones. */
static struct stream replaced(const struct stream *s, uint64_t at, uint64_t gone, const void *bytes,
                              size_t length)
{
    struct stream made = {0};
    stream_bytes(&made, s->bytes, at);
    stream_bytes(&made, bytes, length);
    stream_bytes(&made, s->bytes + at + gone, s->size - at - gone);
    return made;
}

static void junk(uint8_t *bytes, size_t length, uint32_t seed)
{
    for (size_t i = 0; i < length; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
}

/* Expects that all is read but the records of a stretch from record DAMAGED on, `lost` at most. */
static void expect_local(const struct stream *s, uint32_t lost, const char *what)
{
    struct reading r = read_stream(s);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 1);
    cr_expect_geq(r.count, RECORDS + 2 - lost, "%s: %u of %u", what, r.count, RECORDS + 2);
    cr_expect_leq(r.count, RECORDS + 2);
    cr_expect_eq(r.events[r.count - 1].ticks, 1000 + RECORDS * STEP);
    cr_expect_eq(tt_thread_count(r.capture), 6, "%s", what);
    cr_expect_eq(action_total(&r, TT_ACTION_LOST), 1);
    for (uint32_t i = 1; i < r.count; i++) {
        cr_expect_geq(r.events[i].ticks, r.events[i - 1].ticks);
    }
    reading_free(&r);
}

/* After a deletion the record that is joined from two may be one; expects that the rest is read. */
static void expect_rest(const struct stream *s, uint32_t lost)
{
    struct reading r = read_stream(s);
    cr_expect_geq(r.count, RECORDS + 2 - lost, "%u of %u", r.count, RECORDS + 2);
    cr_expect_eq(r.events[r.count - 1].ticks, 1000 + RECORDS * STEP);
    reading_free(&r);
}

Test(btrace_local, overwritten_inserted_and_deleted_bytes)
{
    static const size_t sizes[] = {11, 40, 333};
    uint64_t places[RECORDS];
    struct stream good = switches(places);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (uint32_t seed = 0; seed < 40; seed++) {
            const size_t size = sizes[i];
            const uint32_t records = (uint32_t)size / 16 + 3;
            uint64_t at = places[DAMAGED + seed % 20] + 1;
            uint8_t bytes[400];
            junk(bytes, size, seed * 77 + (uint32_t)size);
            bytes[0] = 0; /* never a size */
            struct stream over = replaced(&good, places[DAMAGED], size, bytes, size);
            struct stream more = replaced(&good, places[DAMAGED], 0, bytes, size);
            struct stream less = replaced(&good, at, size, NULL, 0);
            expect_local(&over, records, "overwritten");
            expect_local(&more, 3, "inserted");
            expect_rest(&less, records + 6);
            stream_free(&over);
            stream_free(&more);
            stream_free(&less);
        }
    }
    stream_free(&good);
}

/* The thread on the other CPU runs on, because no record contradicts; the one on this CPU does not. */
Test(btrace_local, a_thread_runs_on)
{
    uint64_t places[RECORDS];
    struct stream good = switches(places);
    uint8_t bytes[60] = {0};
    struct stream s = replaced(&good, places[DAMAGED], sizeof bytes, bytes, sizeof bytes);
    struct reading r = read_stream(&s);
    unsigned resumed = 0;
    for (uint32_t i = 0; i < r.action_count; i++) {
        const struct tt_action *action = &r.actions[i];
        if (action->kind == TT_ACTION_SWITCH && action->cpu == 1 && action->pos > places[DAMAGED]) {
            resumed++;
            uint64_t tid = tt_thread_at(r.capture, action->thread)->tid;
            cr_expect_eq(tid, resumed == 1 ? A : A + 0x800);
        }
    }
    cr_expect_eq(resumed, 2);
    reading_free(&r);
    stream_free(&s);
    stream_free(&good);
}

static void set_time(struct stream *s, uint64_t place, uint32_t ts)
{
    for (unsigned i = 0; i < 4; i++) {
        s->bytes[place + 8 + i] = (uint8_t)(ts >> (8 * i));
    }
}

Test(btrace_local, one_time_that_contradicts)
{
    static const uint32_t times[] = {0x7fffffff, 0xffe00000, 0x00600000, 0x80000000};
    uint64_t places[RECORDS];
    for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct stream s = switches(places);
        set_time(&s, places[DAMAGED], times[i]);
        struct reading r = read_stream(&s);
        cr_expect_eq(r.count, RECORDS + 2);
        const struct tt_event *event = &r.events[DAMAGED + 1];
        cr_expect_eq(event->flags, TT_EVENT_BAD_TIME, "0x%x", times[i]);
        cr_expect_eq(event->ticks, 1000 + (DAMAGED - 1) * STEP);
        cr_expect_eq(event[1].ticks, 1000 + (DAMAGED + 1) * STEP);
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_BAD_TIME), 1);
        cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 0);
        for (uint32_t at = 0; at < r.action_count; at++) {
            cr_expect_neq(r.actions[at].pos, places[DAMAGED]);
        }
        reading_free(&r);
        stream_free(&s);
    }
}

static void expect_legal(struct stream *s, uint64_t span, const char *what)
{
    struct reading r = read_stream(s);
    cr_expect_eq(r.count, RECORDS + 2);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_BAD_TIME), 0);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_DAMAGED), 0);
    cr_expect_eq(action_total(&r, TT_ACTION_LOST), 0);
    cr_expect_eq(r.events[r.count - 1].ticks - r.events[0].ticks, span, "%s", what);
    reading_free(&r);
    stream_free(s);
}

Test(btrace_local, pauses_and_clocks_of_their_own_are_legal)
{
    const uint32_t pause = 0x60000000;
    uint64_t places[RECORDS];
    uint64_t end = 100 + RECORDS * STEP;
    struct stream once = switches(places), each = switches(places), clocks = switches(places);
    for (uint32_t i = DAMAGED; i < RECORDS; i++) {
        set_time(&once, places[i], 1000 + i * STEP + pause);
    }
    set_time(&once, once.size - 16, 1000 + RECORDS * STEP + pause);
    expect_legal(&once, end + pause, "a pause");
    const uint32_t step = 1 << 20;
    for (uint32_t i = 0; i < RECORDS; i++) {
        set_time(&each, places[i], 1000 + i * step);
    }
    set_time(&each, each.size - 16, 1000 + RECORDS * step);
    expect_legal(&each, 100 + (uint64_t)RECORDS * step, "pauses");
    for (uint32_t i = 0; i < RECORDS; i += 3) {
        set_time(&clocks, places[i], 1000 + i * STEP + (1 << 19)); /* two clocks, 2^19 apart */
    }
    expect_legal(&clocks, end, "two clocks");
}

/* A thread in one record only is none if no thread is near its address, or if another one is on the CPU. */
Test(btrace_local, a_thread_that_only_damage_mentions)
{
    uint64_t places[RECORDS];
    struct stream s = switches(places);
    s.bytes[places[DAMAGED] + 15] ^= 0x40;
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_thread_count(r.capture), 6);
    cr_expect_eq(r.events[DAMAGED + 1].thread, TT_NO_THREAD);
    cr_expect_eq(r.count, RECORDS + 2);
    reading_free(&r);
    for (uint32_t i = 0; i < 2; i++) {
        s.bytes[places[DAMAGED + i * 7] + 15] = 0x88; /* twice: it exists */
        s.bytes[places[DAMAGED + i * 7] + 13] = 0;
    }
    r = read_stream(&s);
    cr_expect_eq(tt_thread_count(r.capture), 7);
    reading_free(&r);
    stream_free(&s);
}
