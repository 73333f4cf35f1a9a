/* SPDX-License-Identifier: Apache-2.0 */
/* Open spans by key, compared with one stack per key. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "trace/timeline/open_spans.h"

enum { KEYS = 37, DEEP = 200 };

static uint64_t seed = 5;

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
