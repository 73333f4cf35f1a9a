/* SPDX-License-Identifier: Apache-2.0 */
/* Open spans by key, compared with one stack per key. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trace/timeline/open_spans.h"

enum { KEYS = 37, DEEP = 200 };

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 16) % below;
}

/* Keys with the same low bits, so that they share a bucket at any capacity. */
static uint64_t key_of(size_t number)
{
    return number % 2 ? (uint64_t)number << 32 : number;
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 5;
}

TestSuite(open_spans, .init = begin_seed);

Test(open_spans, the_latest_span_ends_first)
{
    static uint32_t stacks[KEYS][DEEP];
    size_t depth[KEYS] = {0}, open_now = 0, most = 0;
    struct tt_open_spans open = {0};
    struct tt_open_edge edge;
    cr_expect_not(tt_open_spans_pop(&open, 1, &edge), "nothing was ever open");
    for (uint32_t i = 0; i < 60000; i++) {
        size_t k = dice(KEYS);
        /* Three begins per two ends: it grows several times, also with free nodes in it. */
        if (dice(5) < 3 && depth[k] < DEEP) {
            cr_assert(tt_open_spans_push(&open, key_of(k), 10 * (uint64_t)i, i));
            stacks[k][depth[k]++] = i;
            open_now++;
        } else {
            bool had = depth[k] > 0;
            cr_assert_eq(tt_open_spans_pop(&open, key_of(k), &edge), had, "step %u", i);
            if (had) {
                uint32_t what = stacks[k][--depth[k]];
                cr_assert_eq(edge.what, what, "step %u", i);
                cr_assert_eq(edge.ticks, 10 * (uint64_t)what);
                cr_assert_eq(edge.key, key_of(k));
                open_now--;
            }
        }
        most = open_now > most ? open_now : most;
    }
    cr_expect_gt(most, 4000, "it grew");
    cr_expect_eq(open.used, most, "memory is that of the most that were open at once");
    for (size_t k = 0; k < KEYS; k++) {
        while (depth[k] > 0) {
            cr_assert(tt_open_spans_pop(&open, key_of(k), &edge));
            cr_assert_eq(edge.what, stacks[k][--depth[k]]);
        }
        cr_assert_not(tt_open_spans_pop(&open, key_of(k), &edge));
    }
    tt_open_spans_free(&open);
}

/* Checks the spans of a key from the oldest to the latest, and back. */
static void expect_list(const struct tt_open_spans *open, uint64_t key, const uint32_t *list,
                        size_t count)
{
    cr_assert_eq(tt_open_spans_count(open, key), count);
    const struct tt_open_edge *edge = tt_open_spans_oldest(open, key), *latest = NULL;
    for (size_t i = 0; i < count; i++) {
        cr_assert(edge && edge->key == key && edge->what == list[i], "span %zu", i);
        latest = edge;
        edge = tt_open_spans_newer(open, edge);
    }
    cr_assert_null(edge);
    cr_assert_eq(tt_open_spans_find(open, key), latest);
    for (size_t i = count; i-- > 0;) {
        cr_assert(latest && latest->what == list[i], "span %zu from the latest on", i);
        latest = tt_open_spans_older(open, latest);
    }
    cr_assert_null(latest);
}

Test(open_spans, of_a_key_are_a_list_in_both_directions)
{
    static uint32_t lists[KEYS][DEEP];
    size_t counts[KEYS] = {0};
    struct tt_open_spans open = {0};
    cr_expect_eq(tt_open_spans_count(&open, 1), 0, "nothing was ever open");
    for (uint32_t i = 0; i < 20000; i++) {
        size_t k = dice(KEYS);
        uint32_t *list = lists[k];
        if (dice(2) == 0 && counts[k] < DEEP) {
            cr_assert(tt_open_spans_push(&open, key_of(k), i, i));
            list[counts[k]++] = i;
        } else if (counts[k] > 0) {
            size_t at = dice(3) == 0 ? dice(counts[k]) : 0; /* mostly the oldest, as in a queue */
            tt_open_spans_remove(&open, key_of(k), list[at]);
            counts[k]--;
            memmove(&list[at], &list[at + 1], (counts[k] - at) * sizeof *list);
        }
        tt_open_spans_remove(&open, key_of(k), UINT32_MAX - 1); /* it has no such span */
        expect_list(&open, key_of(k), list, counts[k]);
    }
    for (size_t k = 0; k < KEYS; k++) {
        expect_list(&open, key_of(k), lists[k], counts[k]);
    }
    tt_open_spans_free(&open);
}
