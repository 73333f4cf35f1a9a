/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text_units.h"

#include <string.h>

uint64_t tt_time_unit_ns(enum tt_time_unit unit)
{
    static const uint64_t lengths[] = {
        [TT_TIME_NS] = 1, [TT_TIME_US] = 1000, [TT_TIME_MS] = 1000000, [TT_TIME_S] = 1000000000};
    return lengths[unit];
}

enum tt_time_unit tt_time_unit_of(uint64_t max, bool in_ms)
{
    const uint64_t ms = tt_time_unit_ns(TT_TIME_MS), s = tt_time_unit_ns(TT_TIME_S);
    if (max >= 10 * s) {
        return TT_TIME_S;
    }
    if (in_ms) {
        return max < ms && max > 0 ? TT_TIME_US : TT_TIME_MS;
    }
    return max >= 100 * ms ? TT_TIME_MS : TT_TIME_US;
}

void tt_text_duration(struct tt_text *text, uint64_t ns, const char *micro)
{
    const char *const units[] = {" ns", micro, " ms", " s"};
    static const uint64_t powers[] = {1, 10, 100, 1000};
    uint64_t scale = 1;
    unsigned unit = 0, decimals = 0;
    while (unit < 3 && ns / scale >= 1000) {
        scale *= 1000;
        unit++;
    }
    const uint64_t whole = ns / scale;
    if (unit > 0) {
        decimals = whole >= 1000 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : 3;
    }
    tt_text_u64(text, whole);
    if (decimals > 0) {
        tt_text_char(text, '.');
        tt_text_u64_width(text, ns % scale / (scale / powers[decimals]), decimals, '0');
    }
    tt_text_str(text, units[unit]);
}

void tt_text_ascii_units(struct tt_text *text, size_t start)
{
    const size_t length = sizeof TT_MICROSECONDS - 1;
    size_t to = start;
    for (size_t from = start; from < text->used;) {
        const bool is_unit = text->used - from >= length &&
                             memcmp(text->buffer + from, TT_MICROSECONDS, length) == 0;
        if (is_unit) {
            memcpy(text->buffer + to, " us", 3);
            to += 3;
            from += length;
        } else {
            text->buffer[to++] = text->buffer[from++];
        }
    }
    text->used = to;
}
