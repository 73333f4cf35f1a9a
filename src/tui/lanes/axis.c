/* SPDX-License-Identifier: Apache-2.0 */
/* axis: round time labels. */
#include "tui/lanes/axis.h"

#include "tracetui/time.h"
#include "tui/draw/units.h"

/* Converts ticks since the origin to ns, or keeps them without a clock; saturates. */
static int64_t lane_axis_value_of(uint64_t ticks, uint64_t origin, uint64_t hz)
{
    uint64_t magnitude = ticks < origin ? origin - ticks : ticks - origin;
    int64_t value = magnitude < INT64_MAX ? (int64_t)magnitude : INT64_MAX;
    if (hz && !tt_ticks_to_ns(magnitude, hz, &value)) {
        value = INT64_MAX;
    }
    return ticks < origin ? -value : value;
}

/* Computes the first tick at or after a value; false if it does not fit in 64 bits. */
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

/* Returns the smallest round number >= `min`. */
static uint64_t round_up(uint64_t min)
{
    uint64_t power = 1;
    while (power <= UINT64_MAX / 100 && power * 10 <= min) {
        power *= 10;
    }
    return min <= power       ? power
           : min <= power * 2 ? power * 2
           : min <= power * 5 ? power * 5
                              : power * 10;
}

void tt_axis_make(struct tt_axis *axis, const struct tt_viewport *viewport, unsigned columns,
                  uint64_t origin, uint64_t hz, unsigned apart)
{
    int64_t first = lane_axis_value_of(viewport->from, origin, hz),
            last = lane_axis_value_of(viewport->to - 1, origin, hz);
    uint64_t span = (uint64_t)last - (uint64_t)first;
    uint64_t min;
    axis->count = 0;
    axis->step = 1;
    if (columns == 0 || !tt_mul_div(span, apart, columns, &min)) {
        return;
    }
    axis->step = round_up(min + 1 < apart ? 1 : min + 1);
    if (axis->step > INT64_MAX / 2) {
        return;
    }
    int64_t step = (int64_t)axis->step;
    int64_t value = first / step * step - (first < 0 && first % step != 0 ? step : 0);
    while (axis->count < TT_AXIS_TICKS && value <= last) {
        uint64_t ticks;
        if (value >= first && ticks_at(value, origin, hz, &ticks) && ticks >= viewport->from &&
            ticks < viewport->to) {
            axis->ticks[axis->count].column = tt_viewport_column(viewport, columns, ticks);
            axis->ticks[axis->count].value = value;
            axis->count++;
        }
        if (value > INT64_MAX - step) {
            break;
        }
        value += step;
    }
}

#define DAY_S 86400

static void write_decimals(struct tt_text *text, uint64_t ns, uint64_t step)
{
    uint64_t power = TT_NS_PER_S, rest = ns % TT_NS_PER_S;
    if (step < power) {
        tt_text_char(text, '.');
    }
    while (power > step) {
        power /= 10;
        tt_text_char(text, (char)('0' + rest / power % 10));
    }
}

void tt_axis_label(struct tt_text *text, const struct tt_axis *axis, unsigned tick,
                   enum tt_axis_unit unit, int64_t day_ns)
{
    int64_t value = axis->ticks[tick].value, second = TT_NS_PER_S;
    if (unit == TT_AXIS_IN_TICKS) {
        tt_units_spaced(text, value);
        return;
    }
    if (unit == TT_AXIS_TIME_OF_DAY) {
        int64_t day = DAY_S * second;
        value = (value % day + day_ns % day + day) % day;
        tt_text_u64_width(text, (uint64_t)(value / second / 3600), 2, '0');
        tt_text_char(text, ':');
        tt_text_u64_width(text, (uint64_t)(value / second / 60 % 60), 2, '0');
        tt_text_char(text, ':');
        tt_text_u64_width(text, (uint64_t)(value / second % 60), 2, '0');
        write_decimals(text, (uint64_t)value, axis->step);
        return;
    }
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0) {
        tt_text_char(text, '-');
    }
    tt_text_u64(text, magnitude / TT_NS_PER_S);
    write_decimals(text, magnitude, axis->step);
}
