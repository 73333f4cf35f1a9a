/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks: offset, rate, drift, rounding, limits, and the way back. */
#include <criterion/criterion.h>

#include "tracetui/clock_map.h"

static struct tt_clock_map fit(const struct tt_clock_pair *pairs, unsigned count, uint64_t from_hz,
                               uint64_t to_hz, uint64_t *residual)
{
    struct tt_clock_map map = {0, 0, 1, 1};
    cr_assert(tt_clock_map_fit(pairs, count, from_hz, to_hz, &map, residual));
    return map;
}

Test(clock_map, identity_changes_no_time)
{
    struct tt_clock_map map = {0, 0, 1, 1};
    const uint64_t times[] = {0, 1, 1000, UINT64_C(1) << 63, TT_TICKS_LAST};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        cr_assert_eq(tt_clock_map_ticks(&map, times[i]), times[i]);
        cr_assert_eq(tt_clock_map_back(&map, times[i]), times[i]);
    }
}

Test(clock_map, one_pair_is_an_offset_between_equal_rates)
{
    uint64_t residual = 1;
    struct tt_clock_map map =
        fit(&(struct tt_clock_pair){5000, 200}, 1, 1000000, 1000000, &residual);
    cr_assert_eq(residual, 0);
    cr_assert_eq(tt_clock_map_ticks(&map, 5000), 200);
    cr_assert_eq(tt_clock_map_ticks(&map, 5001), 201);
    cr_assert_eq(tt_clock_map_ticks(&map, 4801), 1);
    cr_assert_eq(tt_clock_map_ticks(&map, 4800), 0);
    cr_assert_eq(tt_clock_map_ticks(&map, 1), 0, "times before the second clock's zero are zero");
    cr_assert_eq(tt_clock_map_back(&map, 201), 5001);
    cr_assert_eq(tt_clock_map_span(&map, 77), 77);
}

Test(clock_map, rates_scale_exactly_and_the_way_back_is_exact)
{
    uint64_t residual;
    /* 19.2 MHz to 1 GHz: 625 ns in 12 ticks. */
    struct tt_clock_map map =
        fit(&(struct tt_clock_pair){0, 1000}, 1, 19200000, 1000000000, &residual);
    cr_assert_eq(tt_clock_map_ticks(&map, 12), 1625);
    cr_assert_eq(tt_clock_map_ticks(&map, 1), 1052, "rounded down from 1052.08");
    cr_assert_eq(tt_clock_map_span(&map, 19200000), 1000000000);
    uint64_t last = 0;
    for (uint64_t ticks = 0; ticks < 5000; ticks++) {
        uint64_t to = tt_clock_map_ticks(&map, ticks);
        cr_assert(ticks == 0 || to > last, "%llu", (unsigned long long)ticks);
        cr_assert_eq(tt_clock_map_back(&map, to), ticks);
        last = to;
    }
}

Test(clock_map, times_before_the_pair_are_rounded_down_too)
{
    struct tt_clock_map map = {1000, 1000000, 3, 10};
    uint64_t last = 0;
    for (uint64_t ticks = 0; ticks < 2000; ticks++) {
        uint64_t to = tt_clock_map_ticks(&map, ticks);
        /* to * 3 = 3,000,000 + (ticks - 1000) * 10, rounded down */
        uint64_t exact = 3000000 + ticks * 10 - 10000;
        cr_assert_eq(to, exact / 3);
        cr_assert(ticks == 0 || to > last);
        cr_assert_eq(tt_clock_map_back(&map, to), ticks);
        last = to;
    }
}

Test(clock_map, two_pairs_determine_the_drift)
{
    /* The first clock counts 50 ppm too fast, over 1000 s. */
    const struct tt_clock_pair pairs[] = {{1000000, 0},
                                          {1000000 + UINT64_C(1000050000), 1000000000}};
    uint64_t residual;
    struct tt_clock_map map = fit(pairs, 2, 1000000, 1000000, &residual);
    cr_assert_eq(residual, 0);
    cr_assert_eq(tt_clock_map_ticks(&map, pairs[1].from), pairs[1].to);
    cr_assert_eq(tt_clock_map_ticks(&map, 1000000 + 500025000), 500000000);
    cr_assert_eq(tt_clock_map_drift(&map, 1000000, 1000000), 50000);
    struct tt_clock_map slow = {0, 0, 999950000, 1000000000};
    cr_assert_eq(tt_clock_map_drift(&slow, 1000000, 1000000), -50000);
    struct tt_clock_map promised = {0, 0, 19200000, 1000000000};
    cr_assert_eq(tt_clock_map_drift(&promised, 19200000, 1000000000), 0);
}

Test(clock_map, the_residual_is_the_largest_distance_from_the_line)
{
    const struct tt_clock_pair pairs[] = {{300, 1300}, {100, 1100}, {200, 1207}, {250, 1246}};
    uint64_t residual;
    struct tt_clock_map map = fit(pairs, 4, 1000, 1000, &residual);
    cr_assert_eq(tt_clock_map_ticks(&map, 100), 1100);
    cr_assert_eq(tt_clock_map_ticks(&map, 300), 1300);
    cr_assert_eq(residual, 7);
}

Test(clock_map, contradicting_pairs_have_no_map)
{
    struct tt_clock_map map;
    uint64_t residual;
    const struct tt_clock_pair back[] = {{100, 1100}, {200, 1000}};
    const struct tt_clock_pair same[] = {{100, 1100}, {100, 1200}};
    cr_assert_not(tt_clock_map_fit(back, 2, 1, 1, &map, &residual));
    cr_assert_not(tt_clock_map_fit(same, 2, 1, 1, &map, &residual));
    cr_assert_not(tt_clock_map_fit(back, 0, 1, 1, &map, &residual));
    cr_assert_not(tt_clock_map_fit(back, 1, 0, 1, &map, &residual));
    cr_assert_not(tt_clock_map_fit(back, 1, 1, 0, &map, &residual));
}

Test(clock_map, results_are_limited)
{
    struct tt_clock_map fast = {0, 1000, 1, 1000000000};
    cr_assert_eq(tt_clock_map_ticks(&fast, UINT64_MAX), TT_TICKS_LAST);
    cr_assert_eq(tt_clock_map_span(&fast, UINT64_C(1) << 60), TT_TICKS_LAST);
    struct tt_clock_map late = {0, UINT64_MAX - 10, 1, 1};
    cr_assert_eq(tt_clock_map_ticks(&late, 5), UINT64_MAX - 5);
    cr_assert_eq(tt_clock_map_ticks(&late, 500), TT_TICKS_LAST);
    struct tt_clock_map early = {UINT64_C(1) << 40, 5, 1, 1000000000};
    cr_assert_eq(tt_clock_map_ticks(&early, 0), 0);
    struct tt_clock_map slow = {UINT64_C(1) << 62, 0, 1000000000, 1};
    cr_assert_eq(tt_clock_map_back(&slow, UINT64_C(1) << 62), TT_TICKS_LAST);
}

Test(clock_map, long_times_of_fast_clocks_do_not_overflow)
{
    /* Near 2^63 ticks of a 3 GHz clock, in ticks of a 24 MHz clock. */
    struct tt_clock_map map = {0, 0, 3000000000u, 24000000};
    uint64_t ticks = UINT64_C(1) << 63;
    cr_assert_eq(tt_clock_map_ticks(&map, ticks), ticks / 125);
    struct tt_clock_map up = {0, 0, 24000000, 3000000000u};
    cr_assert_eq(tt_clock_map_ticks(&up, ticks / 125), ticks / 125 * 125);
    cr_assert_eq(tt_clock_map_back(&up, ticks / 125 * 125), ticks / 125);
}
