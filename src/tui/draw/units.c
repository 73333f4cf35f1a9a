/* SPDX-License-Identifier: Apache-2.0 */
/* units: formats numbers for display. */
#include "tui/draw/units.h"

#include <stddef.h>
#include <string.h>

#include "base/text_units.h"
#include "tracetui/time.h"
#include "tui/draw/grid.h"

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void tt_units_seconds(struct tt_text *text, int64_t ns)
{
    uint64_t value = magnitude(ns);
    uint64_t rest = value % TT_NS_PER_S;
    if (ns < 0) {
        tt_text_char(text, '-');
    }
    tt_text_u64(text, value / TT_NS_PER_S);
    tt_text_char(text, '.');
    tt_text_u64_width(text, rest / 1000000, 3, '0');
    tt_text_char(text, ' ');
    tt_text_u64_width(text, rest / 1000 % 1000, 3, '0');
    tt_text_char(text, ' ');
    tt_text_u64_width(text, rest % 1000, 3, '0');
}

void tt_units_spaced(struct tt_text *text, int64_t value)
{
    if (value < 0) {
        tt_text_char(text, '-');
    }
    tt_units_grouped(text, magnitude(value));
}

void tt_units_grouped(struct tt_text *text, uint64_t left)
{
    uint64_t power = 1;
    while (left / power >= 1000) {
        power *= 1000;
    }
    tt_text_u64(text, left / power);
    while (power > 1) {
        power /= 1000;
        tt_text_char(text, ' ');
        /* cppcheck-suppress zerodivcond ; a power of 1000 above 1, divided by 1000 */
        tt_text_u64_width(text, left / power % 1000, 3, '0');
    }
}

/* Writes value / unit with `decimals` decimals, truncated as all times are. */
static void write_scaled(struct tt_text *text, uint64_t value, uint64_t unit, unsigned decimals)
{
    tt_text_u64(text, value / unit);
    uint64_t rest = value % unit;
    if (decimals > 0) {
        tt_text_char(text, '.');
    }
    for (unsigned i = 0; i < decimals; i++) {
        unit /= 10;
        tt_text_char(text, (char)('0' + (unit ? rest / unit % 10 : 0)));
    }
}

/* Returns the number of decimals that gives value / unit four digits. */
static unsigned four_digits(uint64_t value, uint64_t unit)
{
    uint64_t whole = value / unit;
    return whole < 10 ? 3 : whole < 100 ? 2 : whole < 1000 ? 1 : 0;
}

void tt_units_delta(struct tt_text *text, uint64_t ns)
{
    if (ns < 10000000) {
        write_scaled(text, ns, 1000, 3);
    } else if (ns < TT_NS_PER_S) {
        write_scaled(text, ns, 1000000, four_digits(ns, 1000000));
        tt_text_str(text, " ms");
    } else {
        write_scaled(text, ns, TT_NS_PER_S, four_digits(ns, TT_NS_PER_S));
        tt_text_str(text, " s");
    }
}

void tt_units_duration(struct tt_text *text, uint64_t ns, uint32_t micro)
{
    char unit[8] = " ";
    const size_t length = tt_utf8_encode(micro, unit + 1);
    unit[length + 1] = 's';
    tt_text_duration(text, ns, unit);
}

void tt_units_ordinal(struct tt_text *text, uint64_t number)
{
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    const uint64_t last = number % 10;
    tt_text_grouped(text, number);
    tt_text_str(text, number / 10 % 10 == 1 || last > 3 ? "th" : ends[last]);
}

void tt_units_count(struct tt_text *text, uint64_t value)
{
    static const struct {
        uint64_t unit;
        char letter;
    } units[] = {{UINT64_C(1000000000), 'G'}, {1000000, 'M'}, {1000, 'k'}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (value >= units[i].unit && value >= 10000) {
            uint64_t whole = value / units[i].unit;
            write_scaled(text, value, units[i].unit, whole < 10 ? 2 : whole < 100 ? 1 : 0);
            tt_text_char(text, ' ');
            tt_text_char(text, units[i].letter);
            return;
        }
    }
    tt_text_grouped(text, value);
}

void tt_units_adopt(struct tt_text *text, uint32_t micro)
{
    const size_t unit = sizeof TT_MICROSECONDS - 1;
    char glyph[8] = " ";
    const size_t length = tt_utf8_encode(micro, glyph + 1) + 2;
    glyph[length - 1] = 's';
    for (size_t i = 0; i + unit <= text->used; i++) {
        const size_t used = text->used - unit + length;
        if (memcmp(text->buffer + i, TT_MICROSECONDS, unit) == 0 && used <= text->capacity) {
            memmove(text->buffer + i + length, text->buffer + i + unit, text->used - i - unit);
            memcpy(text->buffer + i, glyph, length);
            text->used = used;
        }
    }
}
