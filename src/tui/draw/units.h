/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units: numbers as a person reads them on the screen. Each appends to a text of the caller.
 */
#ifndef TRACETUI_TUI_DRAW_UNITS_H
#define TRACETUI_TUI_DRAW_UNITS_H

#include <stdint.h>

#include "tracetui/text.h"

/* Seconds with the decimals in groups: 1.204 118 204; negative times have a minus. */
void tt_units_seconds(struct tt_text *text, int64_t ns);
/* A whole number in groups: 1 204 118. */
void tt_units_spaced(struct tt_text *text, int64_t value);
void tt_units_grouped(struct tt_text *text, uint64_t value);
/* Microseconds below 10,000 with three decimals, without unit: 12.868; above: 12.87 ms, 1.234 s. */
void tt_units_delta(struct tt_text *text, uint64_t ns);
/* Four digits with a unit of their own: 731 ns, 21.46 µs, 2.104 ms, 12.40 s; `micro`: of µs. */
void tt_units_duration(struct tt_text *text, uint64_t ns, uint32_t micro);
/* 731, 3,400, 21.5 k, 3.10 M, 1.20 G. */
void tt_units_count(struct tt_text *text, uint64_t value);

#endif
