/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/option_values.h"

#include <string.h>

#include "base/digits.h"

bool tt_option_parse_scaled(const char *p, uint64_t factor, uint64_t *value)
{
    static const char letters[] = "kMG";
    if (!tt_digits_pass(&p, value)) {
        return false;
    }
    if (*p == '\0') {
        return true;
    }
    const char *letter = strchr(letters, *p == 'K' ? 'k' : *p);
    if (!letter || p[1] != '\0') {
        return false;
    }
    for (const char *l = letters; l <= letter; l++) {
        if (*value > UINT64_MAX / factor) {
            return false;
        }
        *value *= factor;
    }
    return true;
}

bool tt_option_parse_span(const char *p, uint64_t *ms)
{
    uint64_t whole, part = 0, scale = 1, unit = 1000;
    if (!tt_digits_pass(&p, &whole) || whole > UINT32_MAX) {
        return false;
    }
    if (*p == '.') {
        const char *digits = ++p;
        if (!tt_digits_pass(&p, &part) || p - digits > 6) {
            return false;
        }
        for (; digits < p; digits++) {
            scale *= 10;
        }
    }
    if (strcmp(p, "ms") == 0) {
        unit = 1;
    } else if (strcmp(p, "m") == 0) {
        unit = 60000;
    } else if (*p != '\0' && strcmp(p, "s") != 0) {
        return false;
    }
    *ms = whole * unit + part * unit / scale;
    return *ms > 0;
}

bool tt_option_parse_count(const char *p, uint64_t *count)
{
    return tt_digits_pass(&p, count) && *p == '\0' && *count > 0 && *count <= 1000000000;
}

bool tt_option_parse_vector(const char *text, uint64_t *vector)
{
    return tt_digits_parse(text, strlen(text), vector);
}

bool tt_option_parse_size(const char *p, struct tt_screen_size *size)
{
    uint64_t columns;
    uint64_t rows;
    if (!tt_digits_pass(&p, &columns) || *p++ != 'x' || !tt_digits_pass(&p, &rows) || *p != '\0' ||
        columns == 0 || columns > 1000 || rows == 0 || rows > 1000) {
        return false;
    }
    size->columns = (uint16_t)columns;
    size->rows = (uint16_t)rows;
    return true;
}

bool tt_option_parse_share(const char *p, uint64_t *share)
{
    const uint64_t unit = UINT64_C(1000000000);
    uint64_t whole = 0, part = 0, scale = 1;
    const char *digits = p;
    bool any = tt_digits_pass(&p, &whole);
    if ((!any && *p != '.') || whole > 100000) {
        return false;
    }
    if (*p == '.') {
        digits = ++p;
        if (!tt_digits_pass(&p, &part) || p - digits > 9) {
            return false;
        }
        for (; digits < p; digits++) {
            scale *= 10;
        }
    }
    bool percent = *p == '%';
    *share = whole * unit + part * (unit / scale);
    *share /= percent ? 100 : 1;
    return p[percent] == '\0' && *share <= 1000 * unit;
}

bool tt_option_parse_cpus(const char *p, struct tt_cpu_set *set)
{
    for (;;) {
        uint64_t first;
        if (!tt_digits_pass(&p, &first)) {
            return false;
        }
        uint64_t last = first;
        if (*p == '-') {
            p++;
            if (!tt_digits_pass(&p, &last)) {
                return false;
            }
        }
        if (last < first || last >= TT_CPU_LIMIT) {
            return false;
        }
        for (uint64_t cpu = first; cpu <= last; cpu++) {
            set->bits[cpu / 64] |= UINT64_C(1) << (cpu % 64);
        }
        if (*p == '\0') {
            set->given = true;
            return true;
        }
        if (*p++ != ',') {
            return false;
        }
    }
}

bool tt_option_parse_find(const char *text, int *number)
{
    uint64_t value;
    *number = text ? 0 : -1;
    if (text && tt_digits_pass(&text, &value) && value < 100000 && *text == '\0') {
        *number = (int)value;
    }
    return *number != 0;
}
