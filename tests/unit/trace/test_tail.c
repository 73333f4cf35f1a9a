/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a growing capture, for `dump -f`: each once, in time order as far as possible. Growth
 * is simulated by two traces, before and after, and silence by its duration setting, so that no
 * test depends on time.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_format.h"
#include "trace/tail.h"

#define NOBODY_IS_SILENT    (UINT64_C(1000) * 60 * 60 * 24 * 365)
#define EVERYBODY_IS_SILENT 0

struct given {
    struct tt_event *events;
    size_t count;
    size_t capacity;
    size_t late;
};

static void note(struct given *given, const struct tt_event *events, size_t count)
{
    if (count == 0) {
        return;
    }
    if (given->count + count > given->capacity) {
        given->capacity = 2 * (given->count + count);
        given->events = realloc(given->events, given->capacity * sizeof *events);
        cr_assert_not_null(given->events);
    }
    memcpy(given->events + given->count, events, count * sizeof *events);
    given->count += count;
}

static void check_sorted(const struct tt_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        cr_assert(tt_event_compare(&events[i - 1], &events[i]) < 0, "event %zu", i);
    }
}

/* Reads and returns what is ready; `all`: with the events still held at the end. */
static void take(struct tt_tail *t, bool all, struct given *given)
{
    bool more = true;
    while (more) {
        const struct tt_event *events;
        size_t late;
        cr_assert(tt_tail_update(t, &more));
        size_t held = tt_tail_held(t), count = tt_tail_ready(t, all && !more, &events, &late);
        cr_assert_leq(late, count);
        cr_assert_leq(count, held);
        check_sorted(events, count);
        note(given, events, count);
        given->late += late;
        cr_assert(tt_tail_next(t, count));
        cr_assert_eq(tt_tail_held(t), held - count);
    }
}

static int compare(const void *a, const void *b)
{
    return tt_event_compare(a, b);
}

static int compare_places(const void *a, const void *b)
{
    const struct tt_event *x = a, *y = b;
    return (x->pos > y->pos) - (x->pos < y->pos);
}

/* The rows of a trace. */
static struct given rows_of(struct tt_trace *trace)
{
    enum { PIECE = 1000 };
    static struct tt_event out[PIECE];
    struct given rows = {0};
    struct tt_events *events = tt_events_new(trace);
    for (uint32_t got; (got = tt_events_read(events, rows.count, PIECE, out)) > 0;) {
        note(&rows, out, got);
    }
    tt_events_free(events);
    return rows;
}

/* Expects that each row of the trace was returned exactly once. */
static void check_all_given(struct tt_trace *trace, struct given *given, const char *what)
{
    struct given rows = rows_of(trace);
    cr_assert_eq(given->count, rows.count, "%s: %zu of %zu", what, given->count, rows.count);
    qsort(given->events, given->count, sizeof *given->events, compare);
    for (size_t i = 0; i < rows.count; i++) {
        cr_assert_eq(given->events[i].pos, rows.events[i].pos, "%s: row %zu", what, i);
        cr_assert_eq(given->events[i].ticks, rows.events[i].ticks, "%s: row %zu", what, i);
    }
    free(rows.events);
    free(given->events);
}

/* ---- samples ------------------------------------------------------------------------------- */

static struct tt_trace *indexed(const char *path)
{
    struct tt_trace *trace = NULL;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index(trace);
    }
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    return trace;
}

static const char *const samples[] = {"samples/demo.kev", "samples/wide4.kev", "samples/demo.fxt",
                                      "samples/demo.trx", "samples/demo.btrace"};

#define SAMPLES (sizeof samples / sizeof samples[0])

Test(tail, returns_each_event_of_a_sample_once_in_order)
{
    bool held_back = false;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct tt_trace *trace = indexed(samples[i]);
        struct tt_tail *t = tt_tail_new(trace, NOBODY_IS_SILENT);
        struct given given = {0};
        take(t, false, &given);
        held_back |= tt_tail_held(t) > 0;
        take(t, true, &given);
        cr_expect_eq(given.late, 0, "%s", samples[i]);
        check_sorted(given.events, given.count);
        check_all_given(trace, &given, samples[i]);
        tt_tail_free(t);
        tt_trace_close(trace);
    }
    cr_expect(held_back, "some have streams of which one may bring earlier events");
}

Test(tail, holds_nothing_when_all_streams_are_silent)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        struct tt_trace *trace = indexed(samples[i]);
        struct tt_tail *t = tt_tail_new(trace, EVERYBODY_IS_SILENT);
        struct given given = {0};
        take(t, false, &given);
        cr_expect_eq(tt_tail_held(t), 0);
        check_all_given(trace, &given, samples[i]);
        tt_tail_free(t);
        tt_trace_close(trace);
    }
}

/* Copies the first `size` bytes of a file to a new file; the caller frees the path. */
static void write_beginning(const char *path, size_t size, char *to, size_t room)
{
    snprintf(to, room, "/tmp/take.XXXXXX");
    int fd = mkstemp(to);
    FILE *from = fopen(path, "rb");
    char *bytes = malloc(size);
    cr_assert(fd >= 0 && from && bytes);
    cr_assert_eq(fread(bytes, 1, size, from), size);
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
    free(bytes);
    fclose(from);
    close(fd);
}

static size_t size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return (size_t)size;
}

/* Events that are complete in the first part of the file; the whole file has the same ones. */
static void check_again(const char *path, struct tt_trace *now, size_t size, uint64_t silence_ms)
{
    char beginning[64], what[128];
    snprintf(what, sizeof what, "%s, %zu bytes and then the rest", path, size);
    write_beginning(path, size, beginning, sizeof beginning);
    struct tt_trace *before = indexed(beginning);
    struct tt_tail *t = tt_tail_new(before, silence_ms);
    struct given given = {0};
    take(t, false, &given);
    size_t first = given.count;
    cr_assert(tt_tail_restart(t, now));
    tt_trace_close(before);
    take(t, false, &given);
    cr_assert(tt_tail_restart(t, now), "a second time");
    take(t, true, &given);
    cr_expect(first > 0 || silence_ms != EVERYBODY_IS_SILENT, "%s", what);
    struct given rows = rows_of(now);
    cr_assert_eq(given.count, rows.count, "%s: %zu of %zu", what, given.count, rows.count);
    qsort(given.events, given.count, sizeof *given.events, compare_places);
    qsort(rows.events, rows.count, sizeof *rows.events, compare_places);
    for (size_t i = 0; i < rows.count; i++) {
        cr_assert_eq(given.events[i].pos, rows.events[i].pos, "%s: place %zu", what, i);
    }
    free(given.events);
    free(rows.events);
    tt_tail_free(t);
    unlink(beginning);
}

/*
 * An emulator of another machine counts the pages of all reserved addresses, so a test opens only a
 * few traces.
 */
static void check_parts(const char *path)
{
    struct tt_trace *now = indexed(path);
    size_t eighth = size_of(path) / 64 * 8;
    check_again(path, now, 4 * eighth, EVERYBODY_IS_SILENT);
    check_again(path, now, 5 * eighth, NOBODY_IS_SILENT);
    check_again(path, now, 7 * eighth, EVERYBODY_IS_SILENT);
    check_again(path, now, 7 * eighth, NOBODY_IS_SILENT);
    tt_trace_close(now);
}

Test(tail, returns_nothing_twice_after_reopening_a_kev)
{
    check_parts("samples/demo.kev");
}

Test(tail, returns_nothing_twice_after_reopening_a_wide_kev)
{
    check_parts("samples/wide4.kev");
}

Test(tail, returns_nothing_twice_after_reopening_an_fxt)
{
    check_parts("samples/demo.fxt");
}

Test(tail, returns_nothing_twice_after_reopening_a_btrace)
{
    check_parts("samples/demo.btrace");
}

/* ---- synthetic ----------------------------------------------------------------------------- */

static struct tt_trace *indexed_fake(const struct fake_record *records, size_t count)
{
    struct tt_trace *trace = fake_trace(records, count);
    struct tt_status status = tt_index_run(&trace->index);
    cr_assert(!tt_failed(&status));
    return trace;
}

Test(tail, returns_late_events_after_the_others)
{
    enum { RECORDS = 50 };
    static struct fake_record records[RECORDS];
    for (size_t i = 0; i < RECORDS; i++) {
        records[i].ticks = i < 40 ? 100 + i : 90 + i - 40;
    }
    struct tt_trace *before = indexed_fake(records, 40), *now = indexed_fake(records, RECORDS);
    struct tt_tail *t = tt_tail_new(before, EVERYBODY_IS_SILENT);
    struct given given = {0};
    take(t, false, &given);
    cr_expect_eq(given.count, 40);
    cr_assert(tt_tail_restart(t, now));
    take(t, false, &given);
    cr_expect_eq(given.late, 10);
    cr_expect_eq(given.events[40].ticks, 90);
    check_all_given(now, &given, "late");
    tt_tail_free(t);
    tt_trace_close(before);
    tt_trace_close(now);
}

/*
 * More events than are listed individually, and more than are held at once; a few are held when the
 * file is reopened.
 */
Test(tail, returns_nothing_twice_of_more_than_a_million)
{
    enum { RECORDS = (1 << 20) + 60000, HELD_FROM = RECORDS - 500 };
    struct fake_record *records = calloc(RECORDS, sizeof *records);
    cr_assert_not_null(records);
    for (size_t i = 0; i < RECORDS; i++) {
        records[i].ticks = 10 * i;
    }
    records[RECORDS - 1].ticks =
        10 * (uint64_t)HELD_FROM; /* the watermark is not past it: twice the disorder */
    struct tt_trace *trace = indexed_fake(records, RECORDS);
    struct tt_tail *t = tt_tail_new(trace, NOBODY_IS_SILENT);
    struct given given = {0};
    take(t, false, &given);
    cr_expect_gt(given.count, 1u << 20);
    cr_expect_lt(given.count, RECORDS);
    size_t first = given.count;
    cr_assert(tt_tail_restart(t, trace));
    take(t, false, &given);
    cr_expect_eq(given.count, first, "what was given is not given again");
    take(t, true, &given);
    check_all_given(trace, &given, "a million");
    tt_tail_free(t);
    tt_trace_close(trace);
    free(records);
}
