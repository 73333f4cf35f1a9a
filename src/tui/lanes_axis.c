/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_axis: round times. */
#include "tui/lanes_axis.h"

#include "tracetui/time.h"
#include "tui/units.h"

/* Ticks from the origin to ns, or as they are; cut to what fits. */
static int64_t value_of(uint64_t ticks, uint64_t origin, uint64_t hz)
{
    uint64_t magnitude = ticks < origin ? origin - ticks : ticks - origin;
    int64_t value = magnitude < INT64_MAX ? (int64_t)magnitude : INT64_MAX;
    if (hz && !tt_ticks_to_ns(magnitude, hz, &value)) {
        value = INT64_MAX;
    }
    return ticks < origin ? -value : value;
}

/* The first tick at or after a value; false if there is none in 64 bits. */
static bool ticks_at(int64_t value, uint64_t origin, uint64_t hz, uint64_t *ticks)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, away = magnitude;
    if (hz && !tt_mul_div(magnitude, hz, TT_NS_PER_S, &away)) {
        return false;
    }
    if (value < 0) {
        *ticks = origin - away;
        return away <= origin;
    }
    int64_t back;
    away += hz && tt_ticks_to_ns(away, hz, &back) && back < value ? 1 : 0;
    *ticks = origin + away;
    return away <= UINT64_MAX - origin;
}

/* The least round number that is not below `least`. */
static uint64_t round_up(uint64_t least)
{
    uint64_t power = 1;
    while (power <= UINT64_MAX / 100 && power * 10 <= least) {
        power *= 10;
    }
    return least <= power       ? power
           : least <= power * 2 ? power * 2
           : least <= power * 5 ? power * 5
                                : power * 10;
}

void tt_axis_make(struct tt_axis *axis, const struct tt_viewport *v, unsigned columns,
                  uint64_t origin, uint64_t hz, unsigned apart)
{
    int64_t first = value_of(v->from, origin, hz), last = value_of(v->to - 1, origin, hz);
    uint64_t span = (uint64_t)last - (uint64_t)first;
    uint64_t least;
    axis->count = 0;
    axis->step = 1;
    if (columns == 0 || !tt_mul_div(span, apart, columns, &least)) {
        return;
    }
    axis->step = round_up(least + 1 < apart ? 1 : least + 1);
    if (axis->step > INT64_MAX / 2) {
        return;
    }
    int64_t step = (int64_t)axis->step;
    int64_t value = first / step * step - (first < 0 && first % step != 0 ? step : 0);
    while (axis->count < TT_AXIS_TICKS && value <= last) {
        uint64_t ticks;
        if (value >= first && ticks_at(value, origin, hz, &ticks) && ticks >= v->from &&
            ticks < v->to) {
            axis->ticks[axis->count].column = tt_viewport_column(v, columns, ticks);
            axis->ticks[axis->count].value = value;
            axis->count++;
        }
        if (value > INT64_MAX - step) {
            break;
        }
        value += step;
    }
}

void tt_axis_label(struct tt_text *text, const struct tt_axis *axis, unsigned tick, bool clock)
{
    int64_t value = axis->ticks[tick].value;
    if (!clock) {
        tt_units_spaced(text, value);
        return;
    }
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0) {
        tt_text_char(text, '-');
    }
    tt_text_u64(text, magnitude / TT_NS_PER_S);
    uint64_t power = TT_NS_PER_S, rest = magnitude % TT_NS_PER_S;
    if (axis->step < power) {
        tt_text_char(text, '.');
    }
    while (power > axis->step) {
        /* One decimal after the other, down to that of the steps. */
        power /= 10;
        tt_text_char(text, (char)('0' + rest / power % 10));
    }
}
