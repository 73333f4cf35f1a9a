/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text: writes numbers and plain text into a bounded buffer without printf. Escaping is in
 * escape.c.
 */
#include "tracetui/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format_fast.h"

const char *tt_text_cstr(struct tt_text *text)
{
    if (text->capacity == 0) {
        return "";
    }
    if (text->used == text->capacity) {
        text->used--;
        text->truncated = true;
    }
    text->buffer[text->used] = '\0';
    return text->buffer;
}

void tt_text_bytes(struct tt_text *text, const char *bytes, size_t length)
{
    size_t room = text->capacity - text->used;
    if (length > room) {
        length = room;
        text->truncated = true;
    }
    if (length > 0) {
        memcpy(text->buffer + text->used, bytes, length);
        text->used += length;
    }
}

void tt_text_str(struct tt_text *text, const char *str)
{
    tt_text_bytes(text, str, strlen(str));
}

void tt_text_char(struct tt_text *text, char c)
{
    if (text->used < text->capacity) {
        text->buffer[text->used++] = c;
    } else {
        text->truncated = true;
    }
}

/* Returns the reference of a character that markup reserves; NULL: none. */
static const char *reference_of(uint32_t code_point)
{
    switch (code_point) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

bool tt_text_reference(struct tt_text *text, uint32_t code_point)
{
    const char *reference = reference_of(code_point);
    if (reference) {
        tt_text_str(text, reference);
    }
    return reference != NULL;
}

void tt_text_fill(struct tt_text *text, char c, size_t count)
{
    size_t room = text->capacity - text->used;
    if (count > room) {
        count = room;
        text->truncated = true;
    }
    if (count > 0) {
        memset(text->buffer + text->used, c, count);
        text->used += count;
    }
}

void tt_text_pad_to(struct tt_text *text, size_t start, size_t column, size_t min)
{
    size_t width = text->used - start;
    size_t count = width < column ? column - width : 0;
    tt_text_fill(text, ' ', count > min ? count : min);
}

const char tt_decimal_pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";

#define SIXTEEN(high)                                                                              \
    high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7" high "8" high "9" high \
         "a" high "b" high "c" high "d" high "e" high "f"

const char tt_hex_pairs[] = SIXTEEN("0") SIXTEEN("1") SIXTEEN("2") SIXTEEN("3") SIXTEEN("4")
    SIXTEEN("5") SIXTEEN("6") SIXTEEN("7") SIXTEEN("8") SIXTEEN("9") SIXTEEN("a") SIXTEEN("b")
        SIXTEEN("c") SIXTEEN("d") SIXTEEN("e") SIXTEEN("f");

char *tt_fast_long(char *to, uint64_t value)
{
    if (value < TT_EIGHT_DIGITS) {
        return tt_fast_below_eight(to, (uint32_t)value);
    }
    const uint64_t high = value / TT_EIGHT_DIGITS;
    const uint32_t low = (uint32_t)(value % TT_EIGHT_DIGITS);
    if (high < TT_EIGHT_DIGITS) {
        to = tt_fast_below_eight(to, (uint32_t)high);
    } else {
        to = tt_fast_below_eight(to, (uint32_t)(high / TT_EIGHT_DIGITS));
        to = tt_fast_eight(to, (uint32_t)(high % TT_EIGHT_DIGITS));
    }
    return tt_fast_eight(to, low);
}

void tt_near_set(struct tt_near_number *near, uint64_t value)
{
    const uint64_t high = value / TT_EIGHT_DIGITS;
    near->first = near->base = high * TT_EIGHT_DIGITS;
    near->count = TT_EIGHT_DIGITS;
    near->prefix = 0;
    near->last = 8;
    if (high > 0) {
        near->prefix = (unsigned)(tt_fast_u64(near->text, high) - near->text);
        return;
    }
    near->last = tt_count_digits((uint32_t)value);
    near->count = 10;
    for (unsigned i = 1; i < near->last; i++) {
        near->first = near->count; /* numbers of as many digits: 10^i to 10^(i + 1) - 1 */
        near->count *= 10;
    }
    near->count -= near->first;
}

void tt_text_u64(struct tt_text *text, uint64_t value)
{
    if (text->capacity - text->used >= TT_DIGITS_MAX) { /* fast path: in place */
        text->used = (size_t)(tt_fast_u64(text->buffer + text->used, value) - text->buffer);
        return;
    }
    char digits[TT_DIGITS_MAX];
    tt_text_bytes(text, digits, (size_t)(tt_fast_u64(digits, value) - digits));
}

void tt_text_i64(struct tt_text *text, int64_t value)
{
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        tt_text_char(text, '-');
        magnitude = 0 - magnitude;
    }
    tt_text_u64(text, magnitude);
}

void tt_text_u64_width(struct tt_text *text, uint64_t value, unsigned width, char fill)
{
    char digits[TT_DIGITS_MAX];
    char *end = digits + sizeof digits, *first = tt_digits_before(end, value);
    size_t length = (size_t)(end - first);
    if (length < width) {
        tt_text_fill(text, fill, width - length);
    }
    tt_text_bytes(text, first, length);
}

void tt_text_hex(struct tt_text *text, uint64_t value, unsigned digits)
{
    char out[TT_HEX_DIGITS_MAX];
    tt_text_bytes(text, out, (size_t)(tt_fast_hex(out, value, digits) - out));
}

void tt_text_double(struct tt_text *text, double value)
{
    if (isnan(value)) {
        tt_text_str(text, "nan");
        return;
    }
    if (isinf(value)) {
        tt_text_str(text, value < 0 ? "-inf" : "inf");
        return;
    }
    char out[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(out, sizeof out, "%.*g", precision, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }
    tt_text_str(text, out);
}

void tt_text_grouped(struct tt_text *text, uint64_t value)
{
    char digits[TT_DIGITS_MAX];
    char *end = digits + sizeof digits;
    for (char *c = tt_digits_before(end, value); c < end; c++) {
        tt_text_char(text, *c);
        if (end - c > 1 && (end - c - 1) % 3 == 0) {
            tt_text_char(text, ',');
        }
    }
}

void tt_text_decimal(struct tt_text *text, uint64_t number, unsigned decimals)
{
    uint64_t parts = 1;
    for (unsigned i = 0; i < decimals; i++) {
        parts *= 10;
    }
    tt_text_u64(text, number / parts);
    if (decimals > 0) {
        tt_text_char(text, '.');
        tt_text_u64_width(text, number % parts, decimals, '0');
    }
}
