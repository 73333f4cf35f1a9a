/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms: the bins contain what the rows count. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "faults/faults.h"
#include "tracetui/sheet.h"
#include "tracetui/time.h"

struct fixture {
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_stat_sheet sheet;
};

static struct fixture open_sheet(const char *path, enum tt_stats_by by)
{
    struct fixture f = {0};
    struct tt_status status = tt_trace_open(path, NULL, &f.trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(f.trace);
    cr_assert(!tt_failed(&status));
    f.events = tt_events_new(f.trace);
    cr_assert_not_null(f.events);
    struct tt_stat_request request = {.by = by, .trace = f.trace, .events = f.events};
    struct tt_key_range keys = {.to_ticks = UINT64_MAX};
    status = tt_job_ends_parse(tt_trace_capture(f.trace)->format, NULL, &request.job_ends);
    cr_assert(!tt_failed(&status));
    tt_stat_request_range(&request, &keys);
    status = tt_stat_sheet_begin(&f.sheet, &request);
    cr_assert(!tt_failed(&status));
    status = tt_stat_sheet_step(&f.sheet, UINT64_MAX);
    cr_assert(!tt_failed(&status) && f.sheet.complete);
    status = tt_stat_sheet_refresh(&f.sheet);
    cr_assert(!tt_failed(&status));
    return f;
}

static void close_sheet(struct fixture *f)
{
    tt_stat_sheet_free(&f->sheet);
    tt_events_free(f->events);
    tt_trace_close(f->trace);
}

static uint64_t in_bins(const struct tt_histogram *h)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < TT_HISTOGRAM_BINS; i++) {
        count += h->bins[i];
    }
    return count;
}

/* Returns the bin of a sample: the last one whose edge is not above it. */
static unsigned bin_of(uint64_t value)
{
    unsigned bin = 0;
    while (bin + 1 < TT_HISTOGRAM_BINS && tt_histogram_edge(bin + 1) <= value) {
        bin++;
    }
    return bin;
}

/* Checks that the sum of all samples is between the sums of their bins' edges. */
static bool sum_fits(const struct tt_histogram *h, uint64_t sum)
{
    uint64_t min = 0, most = 0;
    for (unsigned i = 0; i + 1 < TT_HISTOGRAM_BINS; i++) {
        min += h->bins[i] * tt_histogram_edge(i);
        most += h->bins[i] * tt_histogram_edge(i + 1);
    }
    return min <= sum && sum <= most;
}

static unsigned most_bin(const struct tt_histogram *h)
{
    unsigned bin = TT_HISTOGRAM_BINS - 1;
    while (h->bins[bin] == 0) {
        bin--;
    }
    return bin;
}

/* Converts to nanoseconds; keeps ticks without a clock. */
static uint64_t shown(const struct fixture *f, uint64_t ticks)
{
    int64_t ns;
    return tt_ticks_to_ns(ticks, f->sheet.capture->clock_hz, &ns) ? (uint64_t)ns : ticks;
}

/* Compares every column of a distribution and every row: count, maximum and sum. */
static uint64_t check_distributions(const char *path, enum tt_stats_by by)
{
    struct fixture f = open_sheet(path, by);
    uint64_t all = 0;
    for (size_t c = 0; c < f.sheet.column_count; c++) {
        const struct tt_stat_column *column = &f.sheet.columns[c];
        if (column->distribution == TT_STAT_ALWAYS) {
            continue;
        }
        for (size_t r = 0; r < f.sheet.count; r++) {
            struct tt_stat_row unpacked;
            const struct tt_stat_row *row = &unpacked;
            tt_stat_row_at(&f.sheet, r, &unpacked);
            const struct tt_distribution *d =
                (const void *)((const char *)row + column->distribution);
            struct tt_histogram h = {0};
            tt_histogram_begin(&h, &f.sheet, column, row);
            while (!h.complete) {
                cr_assert(tt_histogram_step(&h, 1000));
            }
            cr_assert_eq(h.count, d->count, "%s: %s of row %zu: %llu, not %llu", path, column->key,
                         r, (unsigned long long)h.count, (unsigned long long)d->count);
            cr_assert_eq(in_bins(&h), d->count);
            if (d->count > 0) {
                cr_assert(sum_fits(&h, shown(&f, d->sum)), "%s", column->key);
                cr_assert_eq(most_bin(&h), bin_of(shown(&f, d->max)), "%s", column->key);
            }
            all += d->count;
            cr_assert(tt_histogram_step(&h, 1000), "an end stays an end");
            cr_assert_eq(in_bins(&h), d->count);
            tt_histogram_free(&h);
        }
    }
    close_sheet(&f);
    return all;
}

Test(histogram, edges_are_1_2_5_and_increase)
{
    static const uint64_t first[] = {0, 1, 2, 5, 10, 20, 50, 100};
    for (unsigned i = 0; i < sizeof first / sizeof *first; i++) {
        cr_expect_eq(tt_histogram_edge(i), first[i]);
    }
    for (unsigned i = 1; i < TT_HISTOGRAM_BINS; i++) {
        uint64_t before = tt_histogram_edge(i - 1), edge = tt_histogram_edge(i);
        cr_expect(edge > before || edge == UINT64_MAX, "bin %u", i);
    }
    cr_expect_eq(tt_histogram_edge(1000), UINT64_MAX, "beyond what 64 bits hold");
}

Test(histogram, threads_agree_with_their_rows)
{
    cr_expect_gt(check_distributions("samples/demo.kev", TT_STATS_BY_THREAD), 1000);
    cr_expect_gt(check_distributions("samples/demo.trx", TT_STATS_BY_THREAD), 10);
}

Test(histogram, events_agree_with_their_rows)
{
    cr_expect_gt(check_distributions("samples/demo.kev", TT_STATS_BY_EVENT), 1000);
    cr_expect_gt(check_distributions("samples/demo.fxt", TT_STATS_BY_EVENT), 1000);
    cr_expect_gt(check_distributions("samples/demo.kev", TT_STATS_BY_INTERRUPT), 300);
    cr_expect_gt(check_distributions("samples/demo.kev", TT_STATS_BY_JOB), 500);
}

/* No step does more than its work, so that a time slice ends on time. */
Test(histogram, a_step_ends_with_its_work)
{
    static const enum tt_stats_by of[] = {TT_STATS_BY_EVENT, TT_STATS_BY_THREAD};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct fixture f = open_sheet("samples/demo.kev", of[i]);
        unsigned steps = 0;
        for (size_t c = 0; c < f.sheet.column_count; c++) {
            struct tt_histogram h = {0};
            for (size_t r = 0; r < f.sheet.count; r++) {
                struct tt_stat_row row;
                tt_stat_row_at(&f.sheet, r, &row);
                tt_histogram_begin(&h, &f.sheet, &f.sheet.columns[c], &row);
                for (uint64_t before = 0; !h.complete; before = h.count, steps++) {
                    cr_assert(tt_histogram_step(&h, 16));
                    cr_assert_leq(h.count - before, 16, "%s", f.sheet.columns[c].key);
                }
            }
            tt_histogram_free(&h);
        }
        cr_expect_gt(steps, 200);
        close_sheet(&f);
    }
}

/* A histogram that is abandoned after a few steps, for another row or the same. */
Test(histogram, begun_again_it_is_that_of_its_row)
{
    static const enum tt_stats_by of[] = {TT_STATS_BY_EVENT, TT_STATS_BY_THREAD};
    unsigned abandoned = 0;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct fixture f = open_sheet("samples/demo.kev", of[i]);
        for (size_t c = 0; c < f.sheet.column_count; c++) {
            const struct tt_stat_column *column = &f.sheet.columns[c];
            struct tt_histogram h = {0};
            for (size_t r = 0; r < f.sheet.count; r++) {
                struct tt_stat_row other, row;
                tt_stat_row_at(&f.sheet, f.sheet.count - 1 - r, &other);
                tt_stat_row_at(&f.sheet, r, &row);
                tt_histogram_begin(&h, &f.sheet, column, &other);
                for (unsigned steps = 0; steps < 1 + r % 5 && !h.complete; steps++) {
                    cr_assert(tt_histogram_step(&h, 1 + r % 7));
                }
                abandoned += !h.complete;
                tt_histogram_begin(&h, &f.sheet, column, &row);
                cr_assert_eq(in_bins(&h), 0);
                cr_assert(tt_histogram_step(&h, UINT64_MAX) && h.complete);

                struct tt_histogram fresh = {0};
                tt_histogram_begin(&fresh, &f.sheet, column, &row);
                cr_assert(tt_histogram_step(&fresh, UINT64_MAX));
                cr_assert_eq(h.count, fresh.count, "%s of row %zu", column->key, r);
                cr_assert_arr_eq(h.bins, fresh.bins, sizeof h.bins, "%s of row %zu", column->key,
                                 r);
                tt_histogram_free(&fresh);
            }
            tt_histogram_free(&h);
        }
        close_sheet(&f);
    }
    cr_expect_gt(abandoned, 100);
}

/* Makes the nth allocation of a step fail and begins the histogram again; false: no step failed. */
static bool check_failure(const struct fixture *f, const struct tt_stat_column *column, size_t at,
                          uint64_t nth)
{
    const struct fault no_memory = {.call = FAULT_MEMORY, .nth = nth};
    struct tt_stat_row row;
    struct tt_histogram h = {0}, fresh = {0};
    tt_stat_row_at(&f->sheet, at, &row);
    tt_histogram_begin(&h, &f->sheet, column, &row);
    faults_arm(&no_memory);
    bool failed = !tt_histogram_step(&h, UINT64_MAX);
    faults_disarm();
    cr_assert_eq(failed, faults_struck(), "%s of row %zu", column->key, at);
    tt_histogram_begin(&h, &f->sheet, column, &row);
    cr_assert(tt_histogram_step(&h, UINT64_MAX) && h.complete);
    tt_histogram_begin(&fresh, &f->sheet, column, &row);
    cr_assert(tt_histogram_step(&fresh, UINT64_MAX) && fresh.complete);
    cr_assert_eq(h.count, fresh.count, "%s of row %zu", column->key, at);
    cr_assert_arr_eq(h.bins, fresh.bins, sizeof h.bins, "%s of row %zu", column->key, at);
    tt_histogram_free(&fresh);
    tt_histogram_free(&h);
    return failed;
}

/* A step that fails for lack of memory, at each allocation, leaves no samples for the next row. */
Test(histogram, begun_again_after_a_failure_it_is_that_of_its_row)
{
    struct fixture f = open_sheet("samples/demo.kev", TT_STATS_BY_THREAD);
    uint64_t failures = 0;
    for (size_t c = 0; c < f.sheet.column_count; c++) {
        for (size_t row = 0; row < f.sheet.count; row++) {
            uint64_t nth = 1;
            while (check_failure(&f, &f.sheet.columns[c], row, nth)) {
                nth++;
            }
            failures += nth - 1;
        }
    }
    cr_expect_gt(failures, 100);
    close_sheet(&f);
}

Test(histogram, a_plain_column_covers_all_rows)
{
    struct fixture f = open_sheet("samples/demo.kev", TT_STATS_BY_EVENT);
    const struct tt_stat_column *count = NULL;
    for (size_t c = 0; c < f.sheet.column_count; c++) {
        if (strcmp(f.sheet.columns[c].key, "count") == 0) {
            count = &f.sheet.columns[c];
        }
    }
    cr_assert_not_null(count);
    uint64_t bins[TT_HISTOGRAM_BINS] = {0};
    for (size_t r = 0; r < f.sheet.count; r++) {
        struct tt_stat_row unpacked;
        const struct tt_stat_row *row = &unpacked;
        tt_stat_row_at(&f.sheet, r, &unpacked);
        bins[bin_of(*(const uint64_t *)(const void *)((const char *)row + count->field))]++;
    }
    struct tt_histogram h = {0};
    struct tt_stat_row begun;
    tt_stat_row_at(&f.sheet, 0, &begun);
    tt_histogram_begin(&h, &f.sheet, count, &begun);
    for (size_t r = 1; r <= f.sheet.count; r++) {
        cr_expect(!h.complete);
        cr_assert(tt_histogram_step(&h, 1));
        cr_expect_eq(h.count, r, "a row for the work of one");
    }
    cr_expect(h.complete);
    cr_expect_eq(h.count, f.sheet.count);
    for (unsigned i = 0; i < TT_HISTOGRAM_BINS; i++) {
        cr_expect_eq(h.bins[i], bins[i], "bin %u", i);
    }
    tt_histogram_free(&h);
    close_sheet(&f);
}

/* Samples have 32 bits until one needs more; the percentiles are those of a sorted list. */
Test(histogram, samples_of_more_than_32_bits)
{
    for (uint64_t large = 0; large < 3; large++) {
        struct tt_samples s = {0};
        uint64_t sum = 0;
        for (uint64_t i = 0; i < 100000; i++) {
            uint64_t length = i * 7919 % 100000; /* each of 0 .. 99,999 once */
            length += large == 1 && length >= 50000 ? UINT64_C(1) << 40 : 0;
            length += large == 2 && i == 0 ? UINT64_C(1) << 32 : 0;
            sum += length;
            cr_assert(tt_samples_add(&s, length, i));
            cr_assert_eq(tt_samples_at(&s, i), length);
        }
        cr_expect_eq(s.wide, large > 0);
        uint64_t above = large == 1 ? UINT64_C(1) << 40 : 0;
        struct tt_distribution d = tt_samples_distribution(&s);
        cr_expect_eq(d.sum, sum);
        cr_expect_eq(d.p50, large == 2 ? 50000 : 49999);
        cr_expect_eq(d.p95, (large == 2 ? 95000 : 94999) + above);
        cr_expect_eq(d.max, large == 2 ? UINT64_C(1) << 32 : 99999 + above);
        tt_samples_free(&s);
    }
}
