/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/clock_map.h"

#include "base/u128.h"
#include "tracetui/time.h"

/* Computes value * mul / div, rounded up or down, limited to TT_TICKS_LAST. */
static uint64_t clock_map_scale(uint64_t value, uint64_t mul, uint64_t div, bool up)
{
    uint64_t result;
    if (mul == div) {
        return value;
    }
    if (!tt_mul_div(value, mul, div, &result)) {
        return TT_TICKS_LAST;
    }
    if (up) {
        struct tt_wide whole = tt_u128_mul(value, mul), rounded = tt_u128_mul(result, div);
        result +=
            (whole.low != rounded.low || whole.high != rounded.high) && result < TT_TICKS_LAST;
    }
    return result < TT_TICKS_LAST ? result : TT_TICKS_LAST;
}

static uint64_t clock_map_add(uint64_t a, uint64_t b)
{
    return b < TT_TICKS_LAST - (a < TT_TICKS_LAST ? a : TT_TICKS_LAST) ? a + b : TT_TICKS_LAST;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

uint64_t tt_clock_map_ticks(const struct tt_clock_map *map, uint64_t ticks)
{
    if (ticks >= map->from_at) {
        return clock_map_add(
            map->to_at, clock_map_scale(ticks - map->from_at, map->to_step, map->from_step, false));
    }
    return subtract(map->to_at,
                    clock_map_scale(map->from_at - ticks, map->to_step, map->from_step, true));
}

uint64_t tt_clock_map_span(const struct tt_clock_map *map, uint64_t ticks)
{
    return clock_map_scale(ticks, map->to_step, map->from_step, false);
}

uint64_t tt_clock_map_back(const struct tt_clock_map *map, uint64_t ticks)
{
    if (ticks >= map->to_at) {
        return clock_map_add(
            map->from_at, clock_map_scale(ticks - map->to_at, map->from_step, map->to_step, true));
    }
    return subtract(map->from_at,
                    clock_map_scale(map->to_at - ticks, map->from_step, map->to_step, false));
}

static uint64_t clock_map_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

bool tt_clock_map_fit(const struct tt_clock_pair *pairs, unsigned count, uint64_t from_hz,
                      uint64_t to_hz, struct tt_clock_map *map, uint64_t *residual)
{
    if (count == 0 || from_hz == 0 || to_hz == 0) {
        return false;
    }
    struct tt_clock_pair first = pairs[0], last = pairs[0];
    for (unsigned i = 1; i < count; i++) {
        first = pairs[i].from < first.from ? pairs[i] : first;
        last = pairs[i].from > last.from ? pairs[i] : last;
    }
    struct tt_clock_map fit = {first.from, first.to, from_hz, to_hz};
    if (count > 1) {
        if (last.from == first.from || last.to <= first.to) {
            return false;
        }
        fit.from_step = last.from - first.from;
        fit.to_step = last.to - first.to;
    }
    *map = fit;

    uint64_t largest = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t apart = clock_map_distance(tt_clock_map_ticks(map, pairs[i].from), pairs[i].to);
        largest = apart > largest ? apart : largest;
    }
    *residual = largest;

    return true;
}

int64_t tt_clock_map_drift(const struct tt_clock_map *map, uint64_t from_hz, uint64_t to_hz)
{
    /* Ticks of the first clock in the time in which the second counts to_step. */
    uint64_t promised, drift;
    if (!tt_mul_div(map->to_step, from_hz, to_hz, &promised) || promised == 0) {
        return 0;
    }
    bool faster = map->from_step >= promised;
    uint64_t apart = clock_map_distance(map->from_step, promised);
    if (!tt_mul_div(apart, TT_NS_PER_S, promised, &drift) || drift > INT64_MAX) {
        drift = INT64_MAX;
    }
    return faster ? (int64_t)drift : -(int64_t)drift;
}
