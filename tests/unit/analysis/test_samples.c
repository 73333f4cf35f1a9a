/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: percentiles and contents equal those of a sorted list, however the samples are stored. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "faults/faults.h"
#include "tracetui/stats.h"

#define MOST 400000u

static int compare(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Returns the nearest rank of a percentile in a sorted list. */
static uint64_t percentile(const uint64_t *sorted, size_t count, size_t percent)
{
    return sorted[(count * percent + 99) / 100 - 1];
}

/* Compares the samples with the values, which are sorted. */
static void check(struct tt_samples *s, uint64_t *values, size_t count, uint64_t step)
{
    uint64_t *found = malloc(count * sizeof *found), value, times, work = step;
    size_t n = 0;
    struct tt_selection selection = {0};
    struct tt_distribution d;
    cr_assert_not_null(found);
    qsort(values, count, sizeof *values, compare);
    for (size_t next = 0; tt_samples_next(s, &next, &value, &times);) {
        for (; times > 0 && n < count; times--) {
            found[n++] = value;
        }
        cr_assert_eq(times, 0);
    }
    cr_assert_eq(n, count);
    qsort(found, count, sizeof *found, compare);
    cr_assert_arr_eq(found, values, count * sizeof *found);
    while (!tt_samples_distribution_step(s, &selection, &work, &d)) {
        work = step;
    }
    cr_assert_eq(d.count, count);
    cr_assert_eq(d.p50, percentile(values, count, 50));
    cr_assert_eq(d.p95, percentile(values, count, 95));
    cr_assert_eq(d.p99, percentile(values, count, 99));
    cr_assert_eq(d.max, values[count - 1]);
    free(found);
}

/* Short values, 32-bit ones and one that needs more, below and above the number that is counted. */
Test(samples, percentiles_are_those_of_a_sorted_list)
{
    static const struct {
        size_t count;
        unsigned bits; /* of the values */
        uint64_t large;
    } cases[] = {
        {1, 8, 0},       {5000, 16, 0},   {5000, 20, UINT64_C(1) << 32},
        {131072, 17, 0}, {131073, 17, 0}, {MOST, 12, 0},
        {MOST, 16, 0},   {MOST, 17, 0},   {MOST, 18, UINT64_C(1) << 40},
        {MOST, 28, 0},
    };
    uint64_t *values = malloc(MOST * sizeof *values), state = 3;
    cr_assert_not_null(values);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_samples s = {0};
        uint64_t sum = 0, last = 0;
        for (size_t n = 0; n < cases[i].count; n++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            values[n] = state >> 33 & ((UINT64_C(1) << cases[i].bits) - 1);
            values[n] += n == cases[i].count / 2 ? cases[i].large : 0;
            last = n == 0 || values[n] > values[last] ? n : last;
            sum += values[n];
            cr_assert(tt_samples_add(&s, values[n], n));
        }
        cr_assert_eq(s.sum, sum);
        cr_assert_eq(s.max_at, last);
        cr_assert_eq(s.wide, cases[i].large > 0);
        check(&s, values, cases[i].count, i % 2 ? 5000 : UINT64_MAX);
        tt_samples_clear(&s);
        cr_assert(tt_samples_add(&s, 7, 1));
        values[0] = 7;
        check(&s, values, 1, UINT64_MAX);
        tt_samples_free(&s);
    }
    free(values);
}

/* The array does not grow with short values once there are many. */
Test(samples, many_short_values_take_no_more_memory)
{
    struct tt_samples s = {0};
    size_t capacity = 0, bytes = 1000;
    for (size_t n = 0; n < 10 * TT_SAMPLES_MANY; n++) {
        cr_assert(tt_samples_add(&s, n * 7919 % TT_SAMPLES_SHORT, n));
        capacity = n == TT_SAMPLES_MANY ? s.capacity : capacity;
    }
    cr_expect_eq(s.capacity, capacity);
    cr_expect_leq(s.capacity, TT_SAMPLES_MANY + TT_SAMPLES_MANY / 64);
    cr_expect(tt_samples_shrink(&s, &bytes));
    while (tt_samples_shrink(&s, &bytes)) {
        bytes = 100000;
    }
    tt_samples_free(&s);
}

/* A sample that is not stored for lack of memory can be added again. */
Test(samples, a_failed_allocation_loses_nothing)
{
    for (uint64_t nth = 1;; nth++) {
        const struct fault no_memory = {.call = FAULT_MEMORY, .nth = nth};
        struct tt_samples s = {0};
        size_t failed = 0, count = TT_SAMPLES_MANY + 5;
        faults_arm(&no_memory);
        for (size_t n = 0; n < count; n++) {
            if (!tt_samples_add(&s, n, n)) {
                failed++;
                cr_assert(tt_samples_add(&s, n, n));
                count = (n + 6) | 1; /* a few more, and a sample in the middle */
            }
        }
        faults_disarm();
        cr_assert_eq(failed, faults_struck());
        cr_assert_eq(tt_samples_distribution(&s).p50, count / 2);
        tt_samples_free(&s);
        if (failed == 0) {
            cr_assert_gt(nth, 10);
            break;
        }
    }
}
