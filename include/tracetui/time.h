/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time: ticks inside, nanoseconds at the edges.
 *
 * All conversions go through a 128-bit product, so that a tick count near 2^64 of a 24 MHz
 * clock is still exact to the nanosecond (floor). Pure functions; any thread.
 */
#ifndef TRACETUI_TIME_H
#define TRACETUI_TIME_H

#include <stdbool.h>
#include <stdint.h>

#define TT_NS_PER_S 1000000000u

/* floor(value * mul / div). False if div is 0 or the result does not fit 64 bits. */
bool tt_mul_div(uint64_t value, uint64_t mul, uint64_t div, uint64_t *result);

/* Ticks of a clock of `hz` to nanoseconds, floor; false if hz is 0 or it does not fit 63 bits. */
bool tt_ticks_to_ns(uint64_t ticks, uint64_t hz, int64_t *ns);

/* Nanoseconds to ticks, floor; false if it does not fit. */
bool tt_ns_to_ticks(uint64_t ns, uint64_t hz, uint64_t *ticks);

#endif
