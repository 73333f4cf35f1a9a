/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of a mapped file that are gone when they are read: a file that shrank is not one that has
 * an I/O error. The error is a page of an empty file in place of one of the capture's: an access
 * raises the same signal, and the capture keeps its size.
 */
#define _XOPEN_SOURCE 700 /* mkstemp, truncate */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

static char path[] = "/tmp/tracetui-missing-XXXXXX";
static size_t page;

static void copy_sample(void)
{
    static uint8_t bytes[1 << 18];
    FILE *from = fopen("tests/filter/small.kev", "rb");
    cr_assert(from);
    size_t size = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    cr_assert_lt(size, sizeof bytes);
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
    page = (size_t)sysconf(_SC_PAGESIZE);
    cr_assert(size > 8 * page, "%zu", size);
}

static void remove_sample(void)
{
    unlink(path);
}

TestSuite(missing_bytes, .init = copy_sample, .fini = remove_sample, ALONE);

static struct tt_trace *open_sample(void)
{
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

/* Replaces the pages from number `first` on by pages that cannot be read. */
static void break_pages(struct tt_trace *trace, size_t first)
{
    char name[] = "/tmp/tracetui-empty-XXXXXX";
    struct tt_bytes bytes = tt_trace_capture(trace)->bytes;
    int fd = mkstemp(name);
    cr_assert(fd >= 0);
    unlink(name);
    uint8_t *at = (uint8_t *)(uintptr_t)bytes.data + first * page;
    size_t length = (size_t)bytes.size - first * page;
    cr_assert_eq(mmap(at, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0), (void *)at);
    close(fd);
}

static uint64_t count(struct tt_trace *trace, enum tt_health_kind kind)
{
    return tt_health_count(tt_trace_capture(trace), kind);
}

static void make_index(struct tt_trace *trace)
{
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
}

Test(missing_bytes, an_io_error_is_no_truncation)
{
    struct tt_trace *trace = open_sample();
    break_pages(trace, 4);
    make_index(trace);
    cr_expect_eq(count(trace, TT_HEALTH_SHRUNK), 0);
    cr_expect_eq(count(trace, TT_HEALTH_UNREADABLE), 1);
    struct tt_status damage = tt_health_damage(tt_trace_capture(trace));
    cr_expect_eq(damage.code, TT_ERR_FORMAT);
    cr_expect(damage.offset <= 4 * page, "%llu", (unsigned long long)damage.offset);
    cr_expect(strstr(damage.text, "could not be read"), "%s", damage.text);
    cr_expect(strstr(tt_trace_missing_text(trace), "could not be read"));
    tt_trace_close(trace);
}

Test(missing_bytes, a_truncation_is_no_io_error)
{
    struct tt_trace *trace = open_sample();
    cr_assert_eq(truncate(path, (off_t)(4 * page)), 0);
    make_index(trace);
    cr_expect_eq(count(trace, TT_HEALTH_SHRUNK), 1);
    cr_expect_eq(count(trace, TT_HEALTH_UNREADABLE), 0);
    struct tt_status damage = tt_health_damage(tt_trace_capture(trace));
    cr_expect_eq(damage.offset, 4 * page);
    cr_expect(strstr(damage.text, "shrank"), "%s", damage.text);
    cr_expect(strstr(tt_trace_missing_text(trace), "shrank"));
    tt_trace_close(trace);
}

Test(missing_bytes, a_sound_capture_has_no_damage)
{
    struct tt_trace *trace = open_sample();
    make_index(trace);
    struct tt_status damage = tt_health_damage(tt_trace_capture(trace));
    cr_expect_eq(damage.code, TT_OK, "%s", damage.text);
    tt_trace_close(trace);
}

/* The damage nearest to the start is named, that of the container before all; others are counted. */
Test(missing_bytes, the_first_damage_is_named)
{
    struct tt_trace *trace = open_sample();
    struct tt_capture *c = tt_trace_capture(trace);
    tt_health_add(c, TT_HEALTH_LOST, 3, 3, 1, "not damage");
    tt_health_add(c, TT_HEALTH_MALFORMED, 0x90, 0x90, 0, "late");
    cr_expect_str_eq(tt_health_damage(c).text, "malformed record: late");
    tt_health_add(c, TT_HEALTH_MALFORMED, 0x40, 0x40, 0, NULL);
    cr_expect_eq(tt_health_damage(c).offset, 0x40);
    cr_expect_str_eq(tt_health_damage(c).text, "malformed record (and 1 more: see tracetui info)");
    tt_health_add(c, TT_HEALTH_CONTAINER, 0x1000, 0, 0, "sum");
    tt_health_count_more(c, TT_HEALTH_TRUNCATED, 1000);
    cr_expect_eq(tt_health_damage(c).offset, 0x1000);
    cr_expect_str_eq(tt_health_damage(c).text,
                     "damaged container: sum (and 1,002 more: see tracetui info)");
    tt_trace_close(trace);
}

/* More problems than are kept: there is damage, and its place is unknown. */
Test(missing_bytes, damage_that_was_only_counted)
{
    struct tt_trace *trace = open_sample();
    struct tt_capture *c = tt_trace_capture(trace);
    tt_health_count_more(c, TT_HEALTH_TRUNCATED, 1);
    cr_expect_eq(tt_health_damage(c).offset, TT_NO_OFFSET);
    cr_expect_str_eq(tt_health_damage(c).text, "damaged");
    tt_trace_close(trace);
}

/* ---- contents of events ------------------------------------------------------------------- */

enum { EVENTS_MOST = 20000 };

struct indexed {
    struct tt_trace *trace;
    struct tt_events *reader;
    struct tt_event *events;
    uint32_t count;
};

static struct indexed read_all(const char *name)
{
    struct indexed s = {0};
    struct tt_status status = tt_trace_open(name, NULL, &s.trace);
    cr_assert(!tt_failed(&status), "%s: %s", name, status.text);
    make_index(s.trace);
    s.reader = tt_events_new(s.trace);
    s.events = calloc(EVENTS_MOST, sizeof *s.events);
    cr_assert(s.reader && s.events);
    s.count = tt_events_read(s.reader, 0, EVENTS_MOST, s.events);
    cr_assert_gt(s.count, 200, "%s: %u", name, s.count);
    return s;
}

static void end_all(struct indexed *s)
{
    free(s->events);
    tt_events_free(s->reader);
    tt_trace_close(s->trace);
}

/* Checks an event of which all bytes are gone, or none. */
static void check_event(const struct indexed *s, const struct tt_event *event, bool gone)
{
    static struct tt_args args;
    struct tt_part part;
    struct tt_edge edges[TT_EDGES_PER_EVENT];
    const struct tt_capture *c = tt_trace_capture(s->trace);
    uint8_t byte;
    bool whole;
    cr_assert_eq(tt_events_describe(s->reader, event, &args), !gone, "%s", c->format->name);
    cr_assert_leq(tt_events_parts(s->reader, event, &part, 1), gone ? 1 : 64);
    cr_assert_eq(tt_events_copy_bytes(s->reader, tt_capture_offset(c, event->pos), &byte, 1),
                 !gone);
    uint32_t count = tt_events_edges(s->reader, event, 1, TT_EDGES_ALL, edges, &whole);
    cr_assert(whole || gone, "%s: the edges of a whole event", c->format->name);
    cr_assert(whole || count == 0);
}

Test(missing_bytes, contents_of_events)
{
    static const char *const names[] = {"samples/demo.kev", "samples/demo.fxt",
                                        "samples/demo.btrace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct indexed s = read_all(names[i]);
        const struct tt_capture *c = tt_trace_capture(s.trace);
        size_t first = (size_t)c->bytes.size / page / 2;
        break_pages(s.trace, first);
        uint32_t gone = 0, intact = 0;
        for (uint32_t k = 0; k < s.count; k++) {
            uint64_t at = tt_capture_offset(c, s.events[k].pos);
            bool derived = s.events[k].flags & (TT_EVENT_DERIVED | TT_EVENT_MULTIPART);
            if (!derived && at >= first * page) {
                check_event(&s, &s.events[k], true);
                gone++;
            } else if (!derived && at + 4096 < first * page) {
                check_event(&s, &s.events[k], false);
                intact++;
            }
        }
        cr_expect(gone > 50 && intact > 50, "%s: %u, %u", names[i], gone, intact);
        end_all(&s);
    }
}

/* Totals of TraceX and edges of Fuchsia: read from the bytes, over a range of events. */
Test(missing_bytes, totals_and_edges_of_ranges)
{
    const struct tt_key_range all = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX};
    struct tt_totals totals = {0};
    static struct tt_thread_totals threads[256];
    struct indexed trx = read_all("samples/demo.trx"), fxt = read_all("samples/demo.fxt");
    cr_assert_lt(tt_thread_count(tt_trace_capture(trx.trace)), 256);
    cr_expect(tt_events_totals(trx.reader, &all, &totals, threads));
    cr_expect_gt(totals.context_switches, 0);
    cr_expect_not(tt_events_totals(fxt.reader, &all, &totals, threads), "the format has none");
    break_pages(trx.trace, 2);
    cr_expect_not(tt_events_totals(trx.reader, &all, &totals, threads));
    end_all(&trx);

    struct tt_edge *edges = calloc((size_t)fxt.count * TT_EDGES_PER_EVENT, sizeof *edges);
    cr_assert_not_null(edges);
    bool whole = false;
    uint32_t before =
        tt_events_edges(fxt.reader, fxt.events, fxt.count, TT_EDGES_ALL, edges, &whole);
    cr_expect(whole && before > 100, "%u", before);
    for (uint32_t i = 0, at = 0; i < fxt.count; i++) { /* each event alone has the same ones */
        struct tt_edge own[TT_EDGES_PER_EVENT];
        uint32_t count = tt_events_edges(fxt.reader, &fxt.events[i], 1, TT_EDGES_ALL, own, &whole);
        for (uint32_t k = 0; k < count; k++, at++) {
            cr_assert(at < before && edges[at].event == i && edges[at].key == own[k].key);
        }
        cr_assert(i + 1 < fxt.count || at == before);
    }
    break_pages(fxt.trace, tt_trace_capture(fxt.trace)->bytes.size / page / 2);
    uint32_t after =
        tt_events_edges(fxt.reader, fxt.events, fxt.count, TT_EDGES_ALL, edges, &whole);
    cr_expect(!whole && after > 0 && after < before, "%u of %u", after, before);
    free(edges);
    end_all(&fxt);
}

/* Bytes of the file by offset and length: as many as there are. */
Test(missing_bytes, copied_bytes)
{
    struct tt_trace *trace = open_sample();
    make_index(trace);
    struct tt_events *reader = tt_events_new(trace);
    const struct tt_bytes bytes = tt_trace_capture(trace)->bytes;
    const uint64_t size = bytes.size;
    const struct {
        uint64_t offset;
        size_t length, wanted;
    } cases[] = {
        {0, 0, 0},        {0, 1, 1},          {0, 100, 100},        {5, 17, 17},
        {size - 1, 1, 1}, {size - 1, 2, 1},   {size - 10, 100, 10}, {size, 1, 0},
        {size + 1, 1, 0}, {UINT64_MAX, 1, 0}, {size - 3, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t copy[200];
        memset(copy, 0xee, sizeof copy);
        size_t got = tt_events_copy_bytes(reader, cases[i].offset, copy, cases[i].length);
        cr_assert_eq(got, cases[i].wanted, "case %zu: %zu", i, got);
        cr_expect(got == 0 || memcmp(copy, bytes.data + cases[i].offset, got) == 0);
        cr_expect_eq(copy[got], 0xee, "case %zu", i);
    }
    tt_events_free(reader);
    tt_trace_close(trace);
}

/* An event without a type, or beyond the end, has no contents. */
Test(missing_bytes, events_that_are_none)
{
    static struct tt_args args;
    struct indexed s = read_all("samples/demo.fxt");
    struct tt_part part;
    struct tt_edge edges[2 * TT_EDGES_PER_EVENT];
    struct tt_clue clue;
    bool whole = false;
    struct tt_event two[2] = {{.type = UINT32_MAX}, {.type = UINT32_MAX}};
    cr_expect_not(tt_events_describe(s.reader, &two[0], &args));
    cr_expect_eq(tt_events_parts(s.reader, &two[0], &part, 1), 0);
    cr_expect_eq(tt_events_edges(s.reader, two, 2, TT_EDGES_ALL, edges, &whole), 0);
    cr_expect(whole);
    tt_events_clue(s.reader, &two[0], true, &clue);
    cr_expect_eq(clue.thread, TT_NO_THREAD);
    cr_expect_eq(clue.other, TT_NO_THREAD);
    struct tt_event beyond = s.events[0];
    cr_expect(tt_events_describe(s.reader, &beyond, &args));
    beyond.pos = tt_trace_capture(s.trace)->bytes.size;
    cr_expect_not(tt_events_describe(s.reader, &beyond, &args));
    end_all(&s);
}
