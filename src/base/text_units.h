/* SPDX-License-Identifier: Apache-2.0 */
/* text_units: durations with a unit that suits them. Each function appends to the caller's text. */
#ifndef TT_BASE_TEXT_UNITS_H
#define TT_BASE_TEXT_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/text.h"

#define TT_MICROSECONDS " µs" /* the unit of microseconds with a blank, in UTF-8 */

/* Units of durations in ascending order. */
enum tt_time_unit { TT_TIME_NS, TT_TIME_US, TT_TIME_MS, TT_TIME_S };

/* Returns the nanoseconds of a unit. */
uint64_t tt_time_unit_ns(enum tt_time_unit unit);
/*
 * Returns the unit of a column whose largest value is `max` ns: milliseconds (`in_ms`), which sums have, or
 * microseconds, unless the values are too small or too large for it.
 */
enum tt_time_unit tt_time_unit_of(uint64_t max, bool in_ms);

/* Appends four digits, truncated, and a unit: 731 ns, 21.46 µs, 2.104 ms, 61.33 s; `micro`: " µs" or its like. */
void tt_text_duration(struct tt_text *text, uint64_t ns, const char *micro);
/* Replaces the unit " µs" from `start` on by " us", which has as many columns. */
void tt_text_ascii_units(struct tt_text *text, size_t start);

#endif
