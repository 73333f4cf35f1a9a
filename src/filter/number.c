/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

#define TEXT_MAX 64

struct tt_number tt_number_of_u64(uint64_t value)
{
    return (struct tt_number){true, false, value, (double)value};
}

struct tt_number tt_number_of_i64(int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return (struct tt_number){true, value < 0, magnitude, (double)value};
}

struct tt_number tt_number_of_double(double value)
{
    bool whole = value == floor(value) && fabs(value) < 0x1p63;
    uint64_t magnitude = whole ? (uint64_t)fabs(value) : 0;
    return (struct tt_number){whole, whole && value < 0, magnitude, value};
}

/* Parses a decimal with a fraction or an exponent; rejects other forms that strtod accepts. */
static bool parse_real(const char *text, size_t length, double *value)
{
    char buffer[TEXT_MAX];
    if (length == 0 || length >= sizeof buffer || strspn(text, "0123456789.eE+-") < length ||
        !strchr("0123456789-", text[0])) {
        return false;
    }
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    char *end;
    *value = strtod(buffer, &end);
    return *end == '\0' && end > buffer && isfinite(*value) && end[-1] != '.';
}

bool tt_number_parse(const char *text, size_t length, struct tt_number *number)
{
    bool negative = length > 0 && text[0] == '-';
    const char *digits = text + negative;
    size_t count = length - negative;
    uint64_t magnitude;
    double real;
    if (tt_digits_parse(digits, count, &magnitude)) {
        *number = tt_number_of_u64(magnitude);
        number->negative = negative && magnitude > 0;
        number->real = negative ? -number->real : number->real;
        return true;
    }
    if (strspn(digits, "0123456789") >= count || !parse_real(text, length, &real)) {
        return false;
    }
    *number = tt_number_of_double(real);
    return true;
}

int tt_number_compare(const struct tt_number *left, const struct tt_number *right)
{
    if (!left->whole || !right->whole) {
        return (left->real > right->real) - (left->real < right->real);
    }
    if (left->negative != right->negative) {
        return left->negative ? -1 : 1;
    }
    int order = (left->magnitude > right->magnitude) - (left->magnitude < right->magnitude);
    return left->negative ? -order : order;
}

bool tt_number_is_nan(const struct tt_number *number)
{
    return isnan(number->real);
}
