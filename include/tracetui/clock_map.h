/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock_map: ticks of one clock as ticks of another.
 *
 *      to = to_at + (from - from_at) * to_step / from_step        rounded down
 *
 * A map with equal steps is an offset: it is exact in both directions. The ratio of the steps
 * includes the drift of the clocks. Results are limited to 0 and TT_TICKS_LAST; products have 128 bits.
 * Pure functions on plain data; any thread; constant time.
 */
#ifndef TRACETUI_CLOCK_MAP_H
#define TRACETUI_CLOCK_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define TT_TICKS_LAST (UINT64_MAX - 1) /* UINT64_MAX stands for "never" in many places */

struct tt_clock_map {
    uint64_t from_at;   /* an instant in ticks of the first clock */
    uint64_t to_at;     /* the same instant in ticks of the second */
    uint64_t from_step; /* `from_step` ticks of the first clock take as long as */
    uint64_t to_step;   /* `to_step` of the second; neither is 0 */
};

/* The same instant on both clocks. */
struct tt_clock_pair {
    uint64_t from;
    uint64_t to;
};

/* Returns the time `ticks` of the first clock in ticks of the second. */
uint64_t tt_clock_map_ticks(const struct tt_clock_map *map, uint64_t ticks);

/* Returns a duration of the first clock in ticks of the second. */
uint64_t tt_clock_map_span(const struct tt_clock_map *map, uint64_t ticks);

/*
 * Returns the first time of the first clock that is mapped to `ticks` or later. The exact inverse if
 * to_step >= from_step.
 */
uint64_t tt_clock_map_back(const struct tt_clock_map *map, uint64_t ticks);

/*
 * Computes the map that `count` pairs determine, between clocks with these rates in Hz. One pair
 * determines the offset. Two pairs or more determine the drift, too: the map is exact for the first and
 * the last of them in time. *residual is the largest distance of another pair from the map, in ticks of
 * the second clock. Returns false, without a map, if there is no pair, a rate is 0, or the pairs are not
 * in the same order on both clocks.
 */
bool tt_clock_map_fit(const struct tt_clock_pair *pairs, unsigned count, uint64_t from_hz,
                      uint64_t to_hz, struct tt_clock_map *map, uint64_t *residual);

/*
 * Returns the drift of the first clock against the second, relative to the nominal rates, in 10^-9.
 * Positive: the first clock runs fast. Limited to the range of the type.
 */
int64_t tt_clock_map_drift(const struct tt_clock_map *map, uint64_t from_hz, uint64_t to_hz);

#endif
