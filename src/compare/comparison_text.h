/* SPDX-License-Identifier: Apache-2.0 */
/* comparison_text: the values of a comparison as text, for output files and for the screen. Any thread. */
#ifndef TRACETUI_COMPARE_COMPARISON_TEXT_H
#define TRACETUI_COMPARE_COMPARISON_TEXT_H

#include "compare/comparison.h"
#include "tracetui/text.h"

/* Appends a value with its unit: "203.0 µs", "12.403 %", "250.4 /s"; "-" without one. */
void tt_comparison_put_value(struct tt_text *text, const struct tt_baseline *side,
                             const struct tt_baseline_measure *measure, uint64_t value);
/*
 * Appends a value without a unit, with as many decimals as fit into `width` characters, for a table whose
 * headings have the unit; "-" without one.
 */
void tt_comparison_put_short(struct tt_text *text, const struct tt_baseline *side,
                             const struct tt_baseline_measure *measure, uint64_t value,
                             size_t width);
/* Returns the unit of these numbers after a blank: " µs", " %", " /s"; or "". */
const char *tt_comparison_screen_unit(const struct tt_baseline *baseline,
                                      const struct tt_baseline_measure *measure);
/* Sets a value without a unit for output files: ns or ticks, percent, per second; nothing without one. */
void tt_comparison_set_number(struct tt_table_cell *cell, const struct tt_baseline_measure *measure,
                              uint64_t value);
/* Returns the unit of these numbers: "ns", "ticks", "%", "/s", "/Mtick" or "". */
const char *tt_comparison_unit(const struct tt_baseline *baseline,
                               const struct tt_baseline_measure *measure);
/* Appends b - a with its sign and unit; "-" without one of the values. */
void tt_comparison_put_difference(struct tt_text *text, const struct tt_baseline *side,
                                  const struct tt_comparison_change *change);
/* Appends the relative change: "+20.1 %", "-3.0 %", "x 12.4" from a factor of 10 on; "-" without one. */
void tt_comparison_put_change(struct tt_text *text, const struct tt_comparison_change *change);
/* Appends a fraction with a number of decimals and its sign, if it is negative: 0.0005. */
void tt_comparison_put_fraction(struct tt_text *text, double value, unsigned decimals);
/* Appends the key of a measure with blanks: "delay p99". */
void tt_comparison_put_measure(struct tt_text *text, const struct tt_baseline_measure *measure);
/*
 * Appends what was compared: "3 of 41 rows changed (p <= 0.01, change >= 5 %); 1 new, 2 gone", and if
 * nothing could be tested, the reason.
 */
void tt_comparison_put_summary(struct tt_text *text, const struct tt_comparison_summary *summary,
                               double alpha, double min_change);

#endif
