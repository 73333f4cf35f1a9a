/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/comparison_text.h"

#include <math.h>
#include <string.h>

#define LEAST_SHOWN 0.0005 /* of relative changes */

/* The output form of a scale: a value divided by `divisor` has `decimals` more decimal places. */
static const struct form {
    uint64_t divisor;
    unsigned decimals;
    const char *unit;
    const char *unit_ticks; /* of a capture without a clock */
} files[] = {
    [TT_SCALE_TIME] = {1, 3, "ns", "ticks"},
    [TT_SCALE_SHARE] = {1000, 4, "%", "%"},
    [TT_SCALE_RATE] = {1000, 3, "/s", "/Mtick"},
    [TT_SCALE_NUMBER] = {1, 3, "", ""},
};
static const struct form screens[] = {
    [TT_SCALE_TIME] = {1000, 3, " us", " ticks"},
    [TT_SCALE_SHARE] = {10000, 3, " %", " %"},
    [TT_SCALE_RATE] = {100000, 1, " /s", " /Mtick"},
    [TT_SCALE_NUMBER] = {100, 1, "", ""},
};

/* Appends value / 10^decimals without zeros at its end. */
static void put_trimmed(struct tt_text *text, uint64_t value, unsigned decimals)
{
    while (decimals > 0 && value % 10 == 0) {
        value /= 10;
        decimals--;
    }
    tt_text_decimal(text, value, decimals);
}

/* Returns a value in the last decimal of the screen. */
static uint64_t rounded(bool clock, enum tt_scale scale, uint64_t value)
{
    uint64_t divisor = scale == TT_SCALE_TIME && !clock ? 100 : screens[scale].divisor;
    return value / divisor + (value % divisor >= divisor - value % divisor);
}

/* Appends a value, rounded to the decimals of the screen. */
static void put_shown(struct tt_text *text, bool clock, enum tt_scale scale, uint64_t value)
{
    const struct form *form = &screens[scale];
    tt_text_decimal(text, rounded(clock, scale, value),
                    scale == TT_SCALE_TIME && !clock ? 1 : form->decimals);
    tt_text_str(text, clock ? form->unit : form->unit_ticks);
}

void tt_comparison_put_value(struct tt_text *text, const struct tt_baseline *side,
                             const struct tt_baseline_measure *measure, uint64_t value)
{
    if (value == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
    } else {
        put_shown(text, side->has_clock, measure->scale, value);
    }
}

void tt_comparison_put_short(struct tt_text *text, const struct tt_baseline *side,
                             const struct tt_baseline_measure *measure, uint64_t value,
                             size_t width)
{
    enum tt_scale scale = measure->scale;
    unsigned decimals = scale == TT_SCALE_TIME && !side->has_clock ? 1 : screens[scale].decimals;
    if (value == TT_BASELINE_NONE) {
        tt_text_char(text, '-');
        return;
    }
    uint64_t number = rounded(side->has_clock, scale, value);
    for (;; decimals--) {
        char buffer[32];
        struct tt_text shown = tt_text_of(buffer, sizeof buffer);
        tt_text_decimal(&shown, number, decimals);
        if (shown.used <= width || decimals == 0) {
            tt_text_bytes(text, shown.buffer, shown.used);
            return;
        }
        number = number / 10 + (number % 10 >= 5);
    }
}

const char *tt_comparison_screen_unit(const struct tt_baseline *side,
                                      const struct tt_baseline_measure *measure)
{
    const struct form *form = &screens[measure->scale];
    return side->has_clock ? form->unit : form->unit_ticks;
}

bool tt_comparison_put_number(struct tt_text *text, const struct tt_baseline_measure *measure,
                              uint64_t value)
{
    const struct form *form = &files[measure->scale];
    if (value == TT_BASELINE_NONE) {
        return false;
    }
    put_trimmed(text, value / form->divisor, form->decimals);
    return true;
}

const char *tt_comparison_unit(const struct tt_baseline *side,
                               const struct tt_baseline_measure *measure)
{
    const struct form *form = &files[measure->scale];
    return side->has_clock ? form->unit : form->unit_ticks;
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
    bool shown = rounded(side->has_clock, change->measure->scale, difference) > 0;
    tt_text_str(text, !shown ? "" : less ? "-" : "+");
    put_shown(text, side->has_clock, change->measure->scale, difference);
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

/* Appends a fraction without zeros at its end. */
static void put_short(struct tt_text *text, double value)
{
    put_trimmed(text, (uint64_t)(value * 1e6 + 0.5), 6);
}

static void put_singles(struct tt_text *text, size_t count, const char *word)
{
    if (count > 0) {
        tt_text_str(text, ", ");
        tt_text_u64(text, count);
        tt_text_str(text, word);
    }
}

void tt_comparison_put_summary(struct tt_text *text, const struct tt_comparison_summary *s,
                               double alpha, double min_change)
{
    tt_text_u64(text, s->changed);
    tt_text_str(text, " of ");
    tt_text_u64(text, s->rows);
    tt_text_str(text, s->rows == 1 ? " row changed" : " rows changed");
    put_singles(text, s->new_rows, " new");
    put_singles(text, s->gone, " gone");
    tt_text_str(text, " (p <= ");
    put_short(text, alpha);
    tt_text_str(text, ", change >= ");
    put_short(text, min_change * 100);
    tt_text_str(text, " %)");
    if (s->tests == 0 && s->rows > 0 && !s->identical) {
        tt_text_str(text, s->blocks_a < TT_COMPARISON_FEWEST || s->blocks_b < TT_COMPARISON_FEWEST
                              ? "; not tested: too few blocks"
                              : "; not tested: no value varies");
    }
    if (s->partial) {
        tt_text_str(text, "; formats differ: only what both record");
    }
}
