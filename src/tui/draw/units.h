/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units: formats numbers for display. Each function appends to the caller's text.
 */
#ifndef TRACETUI_TUI_DRAW_UNITS_H
#define TRACETUI_TUI_DRAW_UNITS_H

#include <stdint.h>

#include "tracetui/text.h"

/* Appends seconds with grouped decimals: 1.204 118 204; negative times have a minus. */
void tt_units_seconds(struct tt_text *text, int64_t ns);
/* Appends an integer in groups of three digits: 1 204 118. */
void tt_units_spaced(struct tt_text *text, int64_t value);
void tt_units_grouped(struct tt_text *text, uint64_t value);
/* Appends microseconds below 10,000 as 12.868 without unit; above: 12.87 ms, 1.234 s. */
void tt_units_delta(struct tt_text *text, uint64_t ns);
/* Appends four digits and a unit: 731 ns, 21.46 µs, 2.104 ms, 12.40 s; `micro`: the µ glyph. */
void tt_units_duration(struct tt_text *text, uint64_t ns, uint32_t micro);
/* Replaces the unit " µs" of a text that commands print, too, by that of the screen. */
void tt_units_adopt(struct tt_text *text, uint32_t micro);
/* Appends 1st, 12th, 1,023rd. */
void tt_units_ordinal(struct tt_text *text, uint64_t number);
/* Appends a rounded count: 731, 3,400, 21.5 k, 3.10 M, 1.20 G. */
void tt_units_count(struct tt_text *text, uint64_t value);

#endif
