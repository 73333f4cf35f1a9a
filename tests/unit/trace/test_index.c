/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, keys and numbers of the index, compared with a plain sort of the same records. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fake_format.h"
#include "trace/events.h"
#include "trace/index/build.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* The expected rows: all events, sorted. */
struct truth {
    struct tt_event *events;
    uint64_t count;
};

static int compare(const void *a, const void *b)
{
    return tt_event_compare(a, b);
}

static struct truth truth_of(const struct fake_record *records, size_t count)
{
    struct truth truth = {calloc(2 * count + 1, sizeof *truth.events), 0};
    for (size_t i = 0; i < count; i++) {
        struct tt_event e = {.ticks = records[i].ticks, .pos = i * sizeof *records};
        truth.events[truth.count++] = e;
        if (records[i].flags & 1) {
            e.pos++;
            e.flags = TT_EVENT_DERIVED;
            truth.events[truth.count++] = e;
        }
    }
    qsort(truth.events, truth.count, sizeof *truth.events, compare);
    return truth;
}

static void check_rows(struct tt_events *e, const struct truth *truth)
{
    enum { PIECE = 700 };
    static struct tt_event out[PIECE];
    cr_assert_eq(tt_events_rows(e), truth->count);
    for (uint64_t row = 0; row < truth->count; row += PIECE) {
        uint32_t got = tt_events_read(e, row, PIECE, out);
        uint64_t left = truth->count - row;
        cr_assert_eq(got, left < PIECE ? left : PIECE);
        for (uint32_t i = 0; i < got; i++) {
            cr_assert_eq(out[i].ticks, truth->events[row + i].ticks, "row %zu", (size_t)row + i);
            cr_assert_eq(out[i].pos, truth->events[row + i].pos, "row %zu", (size_t)row + i);
        }
    }
    cr_assert_eq(tt_events_read(e, truth->count, 1, out), 0);
}

static uint64_t truth_row(const struct truth *truth, uint64_t ticks, uint64_t pos)
{
    struct tt_event key = {.ticks = ticks, .pos = pos};
    uint64_t row = 0;
    while (row < truth->count && tt_event_compare(&truth->events[row], &key) < 0) {
        row++;
    }
    return row;
}

static void check_random_access(struct tt_events *e, const struct truth *truth, uint64_t seed,
                                int times)
{
    for (int i = 0; i < times && truth->count > 0; i++) {
        uint64_t row = next_random(&seed) % truth->count;
        const struct tt_event *want = &truth->events[row];
        struct tt_event got;
        cr_assert_eq(tt_events_read(e, row, 1, &got), 1);
        cr_assert_eq(got.pos, want->pos);
        cr_assert_eq(tt_events_row_at_key(e, want->ticks, want->pos), row);
        uint64_t ticks = want->ticks + next_random(&seed) % 3 - 1;
        cr_assert_eq(tt_events_row_at_time(e, ticks), truth_row(truth, ticks, 0));
    }
}

/* Reads of a few rows near each other, in both directions, between searches for keys. */
static void check_short_reads(struct tt_events *e, const struct truth *truth, uint64_t seed,
                              int times)
{
    enum { MOST = 1300 };
    static struct tt_event out[MOST];
    uint64_t row = 0;
    for (int i = 0; i < times && truth->count > 0; i++) {
        uint32_t count = 1 + (uint32_t)(next_random(&seed) % (i % 8 == 0 ? MOST : 20));
        row += next_random(&seed) % 600 + truth->count - 300;
        row %= truth->count;
        uint32_t got = tt_events_read(e, row, count, out);
        cr_assert_eq(got, truth->count - row < count ? truth->count - row : count);
        for (uint32_t k = 0; k < got; k++) {
            cr_assert_eq(out[k].pos, truth->events[row + k].pos, "row %zu", (size_t)row + k);
        }
        uint64_t ticks = out[got - 1].ticks, pos = out[got - 1].pos + (i % 2 != 0);
        cr_assert_eq(tt_events_row_at_key(e, ticks, pos), truth_row(truth, ticks, pos));
    }
}

static void check_numbers(struct tt_events *e, const struct truth *truth)
{
    uint64_t n = 0;
    for (uint64_t row = 0; row < truth->count; row++) {
        bool derived = truth->events[row].flags & TT_EVENT_DERIVED;
        if (row % 37 == 0) {
            cr_assert_eq(tt_events_number(e, row), n);
            if (!derived) {
                cr_assert_eq(tt_events_row_of_number(e, n), row);
            }
        }
        n += !derived;
    }
    cr_assert_eq(tt_events_row_of_number(e, n), truth->count);
}

static uint32_t check_shape(const struct fake_record *records, size_t count, bool numbers,
                            int times)
{
    struct truth truth = truth_of(records, count);
    struct tt_trace *trace = fake_trace(records, count);
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    struct tt_progress progress = tt_trace_progress(trace);
    cr_assert(progress.finished);
    cr_assert_eq(progress.events + progress.derived, truth.count);
    cr_assert_eq(progress.records, count);
    if (truth.count > 0) {
        cr_assert_eq(progress.first_ticks, truth.events[0].ticks);
        cr_assert_eq(progress.last_ticks, truth.events[truth.count - 1].ticks);
        cr_assert_eq(tt_trace_type_events(trace, 0), truth.count);
    }
    struct tt_events *e = tt_events_new(trace);
    cr_assert(e);
    check_rows(e, &truth);
    check_random_access(e, &truth, 88172645463325252u, times);
    check_short_reads(e, &truth, 88172645463325252u, times);
    if (numbers) {
        check_numbers(e, &truth);
    }
    tt_events_free(e);
    e = tt_events_new(trace);
    tt_events_keep_many(e);
    check_random_access(e, &truth, 88172645463325252u, times / 4);
    check_short_reads(e, &truth, 88172645463325252u, times / 4);
    tt_events_free(e);
    tt_trace_close(trace);
    free(truth.events);
    return progress.runs;
}

static uint32_t check_all(const struct fake_record *records, size_t count, bool numbers)
{
    return check_shape(records, count, numbers, 200);
}

static struct fake_record *make_records(size_t count)
{
    struct fake_record *records = calloc(count + 1, sizeof *records);
    cr_assert(records);
    return records;
}

Test(index, nothing_at_all)
{
    struct fake_record *records = make_records(0);
    check_all(records, 0, true);
    free(records);
}

Test(index, times_in_order_make_one_run)
{
    size_t count = 10000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = i / 3;
    }
    cr_assert_eq(check_all(records, count, true), 1);
    free(records);
}

Test(index, derived_events_have_rows_and_no_number)
{
    size_t count = 5000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = i * 10;
        records[i].flags = i % 7 == 3;
    }
    check_all(records, count, true);
    free(records);
}

Test(index, a_ring_for_each_cpu_makes_as_many_runs)
{
    /* Four rings, written in rotation, one buffer of 1500 records at a time. */
    size_t count = 60000;
    struct fake_record *records = make_records(count);
    uint64_t now[4] = {0, 7, 3, 5}, seed = 12345;
    for (size_t i = 0; i < count; i++) {
        uint64_t *t = &now[i / 1500 % 4];
        *t += next_random(&seed) % 9;
        records[i].ticks = *t;
    }
    uint32_t runs = check_all(records, count, false);
    cr_assert_leq(runs, 8);
    cr_assert_geq(runs, 2);
    free(records);
}

Test(index, reading_rings_backwards_decodes_few_blocks)
{
    size_t count = 60000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = (i / 6000 * 1500 + i % 1500) * 4 + i / 1500 % 4;
    }
    struct tt_trace *trace = fake_trace(records, count);
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    uint32_t runs = tt_trace_progress(trace).runs;
    cr_assert_geq(runs, 2);
    struct tt_events *e = tt_events_new(trace);
    unsigned long decodes = fake_decodes;
    for (uint64_t row = 30000; row > 20000; row -= 5) {
        struct tt_event out[5];
        cr_assert_eq(tt_events_read(e, row - 5, 5, out), 5);
        cr_assert_eq(tt_events_row_at_key(e, out[2].ticks, out[2].pos), row - 3);
    }
    /* 20 times 512 rows; each start of a merge decodes a block or two of each run. */
    cr_assert_leq(fake_decodes - decodes, 20 * runs * 4);
    tt_events_free(e);
    tt_trace_close(trace);
    free(records);
}

/* Sweeps over all rows in `sweeps` passes, as the wakes of one thread after the other do. */
static unsigned long decodes_of_sweeps(const struct fake_record *records, size_t count, int sweeps)
{
    struct tt_trace *trace = fake_trace(records, count);
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    struct tt_events *e = tt_events_new(trace);
    tt_events_keep_many(e);
    unsigned long decodes = fake_decodes;
    for (int i = 0; i < sweeps; i++) {
        for (uint64_t row = 0; row < count; row += 1500) {
            struct tt_event out;
            cr_assert_eq(tt_events_read(e, row, 1, &out), 1);
            cr_assert_eq(tt_events_row_at_key(e, out.ticks, out.pos), row);
        }
    }
    decodes = fake_decodes - decodes;
    tt_events_free(e);
    tt_trace_close(trace);
    return decodes;
}

Test(index, a_reader_that_keeps_many_blocks_decodes_each_of_them_once)
{
    size_t count = 60000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) { /* one run */
        records[i].ticks = i;
    }
    cr_expect_leq(decodes_of_sweeps(records, count, 20), count / TT_BLOCK_EVENTS + 1);
    for (size_t i = 0; i < count; i++) { /* four rings */
        records[i].ticks = (i / 6000 * 1500 + i % 1500) * 4 + i / 1500 % 4;
    }
    cr_expect_leq(decodes_of_sweeps(records, count, 20), count / TT_BLOCK_EVENTS + 1);
    free(records);
}

Test(index, slight_disorder_between_neighbours)
{
    size_t count = 30000;
    struct fake_record *records = make_records(count);
    uint64_t seed = 99;
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = i * 10 + next_random(&seed) % 200;
    }
    cr_assert_leq(check_all(records, count, false), 3);
    free(records);
}

Test(index, descending_times_become_one_run)
{
    size_t count = 400000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = count - i;
    }
    cr_assert_eq(check_all(records, count, false), 1);
    free(records);
}

Test(index, all_events_at_one_time)
{
    size_t count = 20000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = UINT64_MAX;
    }
    cr_assert_eq(check_all(records, count, false), 1);
    free(records);
}

Test(index, no_order_at_all)
{
    /* Above a number of overlapping blocks the whole file is sorted. */
    size_t count = 1024 * 300;
    struct fake_record *records = make_records(count);
    uint64_t seed = 4711;
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = next_random(&seed);
    }
    check_all(records, count, false);
    free(records);
}

Test(index, many_random_shapes)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t s = seed * 0x9e3779b97f4a7c15u;
        size_t count = next_random(&s) % 9000;
        uint64_t spread = next_random(&s) % 4 == 0 ? count * 20 + 1 : next_random(&s) % 5000 + 1;
        struct fake_record *records = make_records(count);
        for (size_t i = 0; i < count; i++) {
            records[i].ticks = i * (next_random(&s) % 3) + next_random(&s) % spread;
        }
        /* All rows of each shape, and 2400 single rows in total. */
        check_shape(records, count, false, 40);
        free(records);
    }
}

Test(index, offsets_lead_to_events)
{
    size_t count = 5000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = (i * 7919) % 5000;
    }
    struct tt_trace *trace = fake_trace(records, count);
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    struct tt_events *e = tt_events_new(trace);
    struct tt_event event;
    for (size_t i = 0; i < count; i += 13) {
        cr_assert(tt_events_at_offset(e, i * 16 + i % 16, &event));
        cr_assert_eq(event.pos, i * 16);
    }
    tt_events_free(e);
    tt_trace_close(trace);
    free(records);
}

static void count_call(void *arg)
{
    atomic_fetch_add((_Atomic unsigned *)arg, 1);
}

/* After each step the progress is that of the events and bytes so far, and no more. */
Test(index, progress_while_indexing)
{
    enum { COUNT = 200000 };
    struct fake_record *records = make_records(COUNT);
    for (uint64_t i = 0; i < COUNT; i++) { /* time goes back and forth by less than a block */
        records[i].ticks = 1000 + (i ^ 63);
        records[i].flags = i % 10 == 0; /* with a derived event */
    }
    struct tt_trace *trace = fake_trace(records, COUNT);
    struct tt_builder *b = malloc(sizeof *b);
    cr_assert(b);
    struct tt_status status = tt_builder_init(b, &trace->index);
    cr_assert(!tt_failed(&status));
    struct tt_progress p = tt_trace_progress(trace);
    cr_expect(p.events == 0 && p.derived == 0 && p.records == 0 && p.bytes_done == 0);
    unsigned steps = 0;
    bool more = true;
    for (b->final = true; more; steps++) {
        status = tt_builder_step(b, &more);
        cr_assert(!tt_failed(&status));
        uint64_t bytes = tt_builder_pos(b), read = bytes / sizeof *records, last = 0;
        for (uint64_t i = read > 100 ? read - 100 : 0; i < read; i++) {
            last = records[i].ticks > last ? records[i].ticks : last;
        }
        p = tt_trace_progress(trace);
        cr_expect_eq(p.bytes_done, bytes);
        cr_expect_eq(p.bytes_total, COUNT * sizeof *records);
        cr_expect_eq(p.records, read);
        cr_expect_eq(p.events, read);
        cr_expect_eq(p.derived, (read + 9) / 10);
        cr_expect_eq(p.first_ticks, 1000);
        cr_expect_eq(p.last_ticks, last);
        cr_expect_eq(trace->index.order.rows, p.events + p.derived);
        cr_expect_not(p.finished);
    }
    cr_expect_geq(steps, 3, "%u", steps);
    tt_builder_free(b);
    free(b);
    tt_trace_close(trace);
    free(records);
}

Test(index, a_reader_works_while_the_worker_runs)
{
    size_t count = 3000000;
    struct fake_record *records = make_records(count);
    for (size_t i = 0; i < count; i++) {
        records[i].ticks = i;
    }
    struct tt_trace *trace = fake_trace(records, count);
    _Atomic unsigned calls = 0;
    struct tt_status status = tt_trace_index_start(trace, count_call, &calls);
    cr_assert(!tt_failed(&status));
    tt_trace_wait_rows(trace, 1);
    struct tt_events *e = tt_events_new(trace);
    bool finished = false;
    while (!finished) {
        finished = tt_trace_progress(trace).finished;
        uint64_t rows = tt_events_rows(e);
        cr_assert_gt(rows, 0);
        struct tt_event event;
        cr_assert_eq(tt_events_read(e, rows - 1, 1, &event), 1);
        cr_assert_eq(event.ticks, rows - 1);
        cr_assert_eq(tt_events_read(e, rows / 2, 1, &event), 1);
        cr_assert_eq(event.ticks, rows / 2);
    }
    cr_assert_eq(tt_events_rows(e), count);
    tt_trace_index_stop(trace); /* the last notification follows the last row */
    cr_assert_geq(calls, 1);
    tt_events_free(e);
    tt_trace_close(trace);
    free(records);
}

Test(index, closing_stops_the_worker)
{
    size_t count = 3000000;
    struct fake_record *records = make_records(count);
    struct tt_trace *trace = fake_trace(records, count);
    struct tt_status status = tt_trace_index_start(trace, NULL, NULL);
    cr_assert(!tt_failed(&status));
    tt_trace_index_stop(trace);
    tt_trace_close(trace);
    free(records);
}
