/* SPDX-License-Identifier: Apache-2.0 */
/* A filter's run: from a row in the middle, resumed, and the owners of its rows. */
#include <criterion/criterion.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fake_format.h"
#include "filter/row_owners.h"
#include "tracetui/filter.h"

enum { ROWS = 5 * TT_PIECE_ROWS + 123, CPUS = 70 };

/* A trace of ROWS events on alternating CPUs, filtered for those of CPU 3. */
struct run {
    struct fake_record *records;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_result *result;
};

static bool wanted(uint64_t row)
{
    return row % CPUS == 3;
}

static struct run prepare(void)
{
    struct run r = {.records = malloc(ROWS * sizeof *r.records)};
    cr_assert_not_null(r.records);
    for (uint64_t i = 0; i < ROWS; i++) {
        uint32_t cpu = (uint32_t)(i % CPUS);
        r.records[i] = (struct fake_record){i * 10, 0, (cpu + 1) << 16};
    }
    r.trace = fake_trace(r.records, ROWS);
    struct tt_status status = tt_trace_index(r.trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    r.events = tt_events_new(r.trace);
    struct tt_filter_error error;
    cr_assert(tt_filter_parse("cpu = 3", &r.filter, &error), "%s", error.status.text);
    cr_assert(tt_filter_plan_new(r.filter, r.trace, r.events, &r.plan, &error), "%s",
              error.status.text);
    return r;
}

static void begin(struct run *r, uint64_t row, void (*notify)(void *arg), void *arg)
{
    struct tt_status status = tt_filter_start_at(r->plan, 2, row, notify, arg, &r->result);
    cr_assert(!tt_failed(&status), "%s", status.text);
}

static void go_on(struct run *r, bool keep, uint64_t row, bool expected)
{
    bool kept = !expected;
    struct tt_status status = tt_filter_resume(r->result, keep, row, &kept);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_expect_eq(kept, expected);
}

/* Runs to the end and checks the result, which must not depend on the origin. */
static void check_all(struct run *r)
{
    struct tt_status status = tt_filter_wait(r->result);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert(tt_filter_result_ended(r->result));
    uint64_t count = 0;
    for (uint64_t row = 0; row < ROWS; row++) {
        cr_assert_eq(tt_filter_result_has(r->result, row), wanted(row), "row %u", (unsigned)row);
        cr_assert_eq(tt_filter_result_rank(r->result, row), count);
        count += wanted(row);
    }
    cr_expect_eq(tt_filter_result_count(r->result), count);
    cr_expect_eq(tt_filter_result_rows(r->result), (uint64_t)ROWS);
    cr_expect_eq(tt_filter_result_undecided(r->result), 0);
}

static void clean_up(struct run *r)
{
    tt_filter_result_free(r->result);
    tt_filter_plan_free(r->plan);
    tt_filter_free(r->filter);
    tt_events_free(r->events);
    tt_trace_close(r->trace);
    free(r->records);
}

static void count_calls(void *arg)
{
    atomic_uint *calls = arg;
    atomic_fetch_add(calls, 1);
}

Test(filter_run, the_result_does_not_depend_on_the_origin)
{
    struct run r = prepare();
    static const uint64_t from[] = {0, 1, TT_PIECE_ROWS, ROWS / 2, ROWS - 1};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        atomic_uint calls = 0;
        begin(&r, from[i], count_calls, &calls);
        check_all(&r);
        cr_expect_geq(atomic_load(&calls), 2, "both threads notify at their end");
        if (i + 1 < sizeof from / sizeof *from) {
            tt_filter_result_free(r.result);
        }
    }
    clean_up(&r);
}

Test(filter_run, continues_after_the_known_rows)
{
    struct run r = prepare();
    begin(&r, ROWS / 2, NULL, NULL);
    check_all(&r);
    go_on(&r, true, 0, true);
    check_all(&r);
    /* Discards the results and starts from another row. */
    go_on(&r, false, ROWS - 1, false);
    check_all(&r);
    clean_up(&r);
}

/* The screen continues a result as soon as it has ended, without a wait. */
Test(filter_run, continues_without_a_wait_after_the_end)
{
    struct run r = prepare();
    begin(&r, 0, NULL, NULL);
    for (unsigned i = 0; i < 3; i++) {
        while (!tt_filter_result_ended(r.result)) {
            sched_yield();
        }
        go_on(&r, false, ROWS / 2, false);
    }
    check_all(&r);
    clean_up(&r);
}

Test(filter_run, resumes_after_cancelling)
{
    struct run r = prepare();
    begin(&r, ROWS / 3, NULL, NULL);
    tt_filter_cancel(r.result);
    tt_filter_wait(r.result);
    uint64_t known = tt_filter_result_rows(r.result);
    cr_expect_leq(known, (uint64_t)ROWS);
    go_on(&r, true, 0, true);
    check_all(&r);
    clean_up(&r);
}

Test(filter_run, finds_the_owners_of_rows)
{
    struct run r = prepare();
    begin(&r, ROWS / 2, NULL, NULL);
    check_all(&r);
    struct tt_row_set *set = tt_row_set_new(ROWS, ROWS / 2);
    cr_assert_not_null(set);
    /* CPU 7 only, known from the middle in both directions. */
    uint64_t low = ROWS / 2 / TT_PIECE_ROWS, high = low, pieces = tt_row_set_pieces(set);
    struct tt_row_owners owners = {0};
    while (high < pieces || low > 0) {
        uint64_t piece = high < pieces ? high : low - 1;
        uint64_t *bits = tt_row_set_piece(set, piece);
        uint32_t count = 0;
        for (uint64_t row = piece * TT_PIECE_ROWS; row < (piece + 1) * TT_PIECE_ROWS; row++) {
            if (row < ROWS && row % CPUS == 7) {
                bits[row % TT_PIECE_ROWS / 64] |= UINT64_C(1) << row % 64;
                count++;
            }
        }
        if (high < pieces) {
            tt_row_set_publish_high(set, count);
            high++;
        } else {
            tt_row_set_publish_low(set, count);
            low--;
        }
        while (!tt_row_owners_step(&owners, r.events, set, 0, ROWS, 1000)) {
            cr_assert_not(owners.failed);
        }
    }
    cr_expect_eq(owners.from, 0);
    cr_expect_eq(owners.to, (uint64_t)ROWS);
    for (uint32_t cpu = 0; cpu < CPUS + 2; cpu++) {
        cr_expect_eq(tt_row_owners_cpu(&owners, cpu), cpu == 7, "CPU %u", cpu);
    }
    tt_row_owners_free(&owners);
    tt_row_set_free(set);
    clean_up(&r);
}

/* The rows in the set have another CPU in each piece: 20 in the first, 21 in the second. */
static struct tt_row_set *a_cpu_per_piece(uint64_t origin)
{
    struct tt_row_set *set = tt_row_set_new(ROWS, origin);
    cr_assert_not_null(set);
    uint64_t low = origin / TT_PIECE_ROWS, high = low, pieces = tt_row_set_pieces(set);
    while (high < pieces || low > 0) {
        bool up = high < pieces;
        uint64_t piece = up ? high++ : --low;
        uint64_t *bits = tt_row_set_piece(set, piece);
        uint32_t count = 0;
        for (uint64_t row = piece * TT_PIECE_ROWS; row < (piece + 1) * TT_PIECE_ROWS; row++) {
            if (row < ROWS && row % CPUS == 20 + piece) {
                bits[row % TT_PIECE_ROWS / 64] |= UINT64_C(1) << row % 64;
                count++;
            }
        }
        if (up) {
            tt_row_set_publish_high(set, count);
        } else {
            tt_row_set_publish_low(set, count);
        }
    }
    return set;
}

/* The CPUs that are found are those of the rows that are done, in both directions. */
Test(filter_run, finds_the_owners_of_a_range_that_grows)
{
    static const uint64_t ranges[][2] = {{2 * TT_PIECE_ROWS + 100, 2 * TT_PIECE_ROWS + 500},
                                         {2 * TT_PIECE_ROWS, 3 * TT_PIECE_ROWS},
                                         {TT_PIECE_ROWS, 3 * TT_PIECE_ROWS},
                                         {TT_PIECE_ROWS, ROWS},
                                         {0, ROWS}};
    enum { MOST = 700 };
    struct run r = prepare();
    struct tt_row_set *set = a_cpu_per_piece(ROWS / 2);
    struct tt_row_owners owners = {0};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        bool done = false;
        while (!done) {
            uint64_t rows = owners.to - owners.from;
            done = tt_row_owners_step(&owners, r.events, set, ranges[i][0], ranges[i][1], MOST);
            cr_assert_not(owners.failed);
            cr_assert_leq(owners.to - owners.from, rows + MOST);
        }
        cr_assert(owners.from == ranges[i][0] && owners.to == ranges[i][1], "range %zu", i);
        for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
            uint64_t piece = cpu - 20;
            bool found = cpu >= 20 && piece < tt_row_set_pieces(set) &&
                         (piece + 1) * TT_PIECE_ROWS > ranges[i][0] &&
                         piece * TT_PIECE_ROWS < ranges[i][1];
            cr_expect_eq(tt_row_owners_cpu(&owners, cpu), found, "range %zu, CPU %u", i, cpu);
        }
    }
    tt_row_owners_free(&owners);
    tt_row_set_free(set);
    clean_up(&r);
}
