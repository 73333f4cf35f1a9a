/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison_text.h"

#include <math.h>
#include <string.h>

#include "base/text_units.h"

#define LEAST_SHOWN 0.0005 /* of relative changes */

/* The output form of a scale: a value divided by `divisor` has `decimals` more decimal places. */
struct form {
    uint64_t divisor;
    unsigned decimals;
    const char *unit;
    const char *unit_ticks; /* of a capture without a clock */
};
static const struct form files[] = {
    [TT_SCALE_TIME] = {1, 3, "ns", "ticks"},
    [TT_SCALE_SHARE] = {1000, 4, "%", "%"},
    [TT_SCALE_RATE] = {1000, 3, "/s", "/Mtick"},
    [TT_SCALE_NUMBER] = {1, 3, "", ""},
};
static const struct form screens[] = {
    [TT_SCALE_TIME] = {1000, 3, TT_MICROSECONDS, " ticks"},
    [TT_SCALE_SHARE] = {10000, 3, " %", " %"},
    [TT_SCALE_RATE] = {100000, 1, " /s", " /Mtick"},
    [TT_SCALE_NUMBER] = {100, 1, "", ""},
};

/* Returns the form of a scale on the screen: ticks have fewer decimals than microseconds. */
static struct form shown_form(const struct tt_baseline *baseline, enum tt_scale scale)
{
    struct form form = screens[scale];
    if (scale == TT_SCALE_TIME && !baseline->has_clock) {
        form.divisor = 100;
        form.decimals = 1;
    }
    return form;
}

/* Appends value / 10^decimals without zeros at its end. */
static void put_trimmed(struct tt_text *text, uint64_t value, unsigned decimals)
{
    while (decimals > 0 && value % 10 == 0) {
        value /= 10;
        decimals--;
    }
    tt_text_decimal(text, value, decimals);
}

/* Returns value / divisor, rounded. */
static uint64_t rounded(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor >= divisor - value % divisor);
}

void tt_comparison_put_value(struct tt_text *text, const struct tt_baseline *side,
                             const struct tt_baseline_measure *measure, uint64_t value)
{
    struct form form = shown_form(side, measure->scale);
    if (value == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
    } else if (measure->scale == TT_SCALE_TIME && side->has_clock) {
        tt_text_duration(text, rounded(value, form.divisor), TT_MICROSECONDS);
    } else {
        tt_text_decimal(text, rounded(value, form.divisor), form.decimals);
        tt_text_str(text, side->has_clock ? form.unit : form.unit_ticks);
    }
}

void tt_comparison_put_short(struct tt_text *text, const struct tt_baseline *side,
                             const struct tt_baseline_measure *measure, uint64_t value,
                             size_t width)
{
    struct form form = shown_form(side, measure->scale);
    char buffer[32];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    if (value == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
        return;
    }
    value = rounded(value, form.divisor);
    tt_text_decimal(&shown, value, form.decimals);
    while (shown.used > width && form.decimals-- > 0) {
        value = rounded(value, 10);
        shown.used = 0;
        tt_text_decimal(&shown, value, form.decimals);
    }
    tt_text_bytes(text, shown.buffer, shown.used);
}

const char *tt_comparison_screen_unit(const struct tt_baseline *baseline,
                                      const struct tt_baseline_measure *measure)
{
    const struct form *form = &screens[measure->scale];
    return baseline->has_clock ? form->unit : form->unit_ticks;
}

void tt_comparison_set_number(struct tt_table_cell *cell, const struct tt_baseline_measure *measure,
                              uint64_t value)
{
    const struct form *form = &files[measure->scale];
    if (value != TT_BASELINE_NONE) {
        cell->kind = TT_CELL_DECIMAL;
        cell->number = value / form->divisor;
        cell->decimals = form->decimals;
        while (cell->decimals > 0 && cell->number % 10 == 0) {
            cell->number /= 10;
            cell->decimals--;
        }
    }
}

const char *tt_comparison_unit(const struct tt_baseline *baseline,
                               const struct tt_baseline_measure *measure)
{
    const struct form *form = &files[measure->scale];
    return baseline->has_clock ? form->unit : form->unit_ticks;
}

void tt_comparison_put_difference(struct tt_text *text, const struct tt_baseline *side,
                                  const struct tt_comparison_change *change)
{
    if (change->a == TT_BASELINE_NONE || change->b == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
        return;
    }
    bool less = change->b < change->a;
    uint64_t difference = less ? change->a - change->b : change->b - change->a;
    bool shown = rounded(difference, shown_form(side, change->measure->scale).divisor) > 0;
    tt_text_str(text, !shown ? "" : less ? "-" : "+");
    tt_comparison_put_value(text, side, change->measure, difference);
}

void tt_comparison_put_fraction(struct tt_text *text, double value, unsigned decimals)
{
    double power = pow(10, decimals);
    double scaled = floor(fabs(value) * power + 0.5);
    tt_text_str(text, value < 0 && scaled > 0 ? "-" : "");
    tt_text_decimal(text, scaled < 1e18 ? (uint64_t)scaled : UINT64_C(1000000000000000000),
                    decimals);
}

void tt_comparison_put_change(struct tt_text *text, const struct tt_comparison_change *change)
{
    if (isnan(change->change) || isinf(change->change)) {
        tt_text_char(text, '-');
    } else if (change->change >= 9) {
        tt_text_str(text, "x ");
        tt_comparison_put_fraction(text, change->change + 1, 1);
    } else {
        tt_text_str(text, change->change >= LEAST_SHOWN ? "+" : "");
        tt_comparison_put_fraction(text, change->change * 100, 1);
        tt_text_str(text, " %");
    }
}

void tt_comparison_put_measure(struct tt_text *text, const struct tt_baseline_measure *measure)
{
    for (const char *p = measure->key; *p; p++) {
        tt_text_char(text, *p == '_' ? ' ' : *p);
    }
}

void tt_comparison_put_summary(struct tt_text *text, const struct tt_comparison_summary *summary,
                               double alpha, double min_change)
{
    tt_text_put(text, "%ju of %ju%s", summary->changed, summary->rows,
                summary->rows == 1 ? " row changed" : " rows changed");
    const size_t singles[] = {summary->new_rows, summary->gone};
    for (unsigned i = 0; i < 2; i++) {
        if (singles[i] > 0) {
            tt_text_put(text, ", %ju%s", singles[i], i == 0 ? " new" : " gone");
        }
    }
    tt_text_str(text, " (p <= ");
    put_trimmed(text, (uint64_t)(alpha * 1e6 + 0.5), 6);
    tt_text_str(text, ", change >= ");
    put_trimmed(text, (uint64_t)(min_change * 100 * 1e6 + 0.5), 6);
    tt_text_str(text, " %)");
    if (summary->tests == 0 && summary->rows > 0 && !summary->identical) {
        tt_text_str(text, summary->blocks_a < TT_COMPARISON_FEWEST ||
                                  summary->blocks_b < TT_COMPARISON_FEWEST
                              ? "; not tested: too few blocks"
                              : "; not tested: no value varies");
    }
    if (summary->partial) {
        tt_text_str(text, "; formats differ: only what both record");
    }
}
