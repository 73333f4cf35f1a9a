/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text_columns.h"

#include <stdint.h>

#include "tracetui/text.h"

/*
 * Ranges of code points that are wide, and of those that combine with the one before them (Unicode
 * 15, EastAsianWidth.txt and the general category Mn); emoji blocks are taken as a whole.
 */
static const struct {
    uint32_t first;
    uint32_t last;
    uint8_t columns;
} ranges[] = {
    {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},   {0x064b, 0x065f, 0},
    {0x0e34, 0x0e3a, 0},   {0x0e47, 0x0e4e, 0},   {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},
    {0x1dc0, 0x1dff, 0},   {0x20d0, 0x20ff, 0},   {0x231a, 0x231b, 2},   {0x2329, 0x232a, 2},
    {0x23e9, 0x23f3, 2},   {0x2614, 0x2615, 2},   {0x2648, 0x2653, 2},   {0x26a1, 0x26a1, 2},
    {0x26bd, 0x26be, 2},   {0x2705, 0x2705, 2},   {0x270a, 0x270b, 2},   {0x2728, 0x2728, 2},
    {0x274c, 0x274e, 2},   {0x2753, 0x2757, 2},   {0x2795, 0x2797, 2},   {0x2b1b, 0x2b1c, 2},
    {0x2b50, 0x2b55, 2},   {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},   {0xa960, 0xa97f, 2},
    {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe10, 0xfe19, 2},   {0xfe20, 0xfe2f, 0},
    {0xfe30, 0xfe6f, 2},   {0xff01, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x16fe0, 0x18aff, 2},
    {0x1b000, 0x1b2ff, 2}, {0x1f004, 0x1f004, 2}, {0x1f18e, 0x1f19a, 2}, {0x1f200, 0x1f64f, 2},
    {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
};

static size_t text_columns_columns_of(uint32_t code_point)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code_point >= ranges[i].first; i++) {
        if (code_point <= ranges[i].last) {
            return ranges[i].columns;
        }
    }
    return 1;
}

/* Returns the bytes of the next character, and its columns. */
static size_t next(const char *bytes, size_t length, size_t *columns)
{
    uint32_t code_point;
    unsigned used = tt_utf8_decode(bytes, length, &code_point);
    *columns = used > 0 ? text_columns_columns_of(code_point) : 1;
    return used > 0 ? used : 1;
}

size_t tt_text_columns(const char *bytes, size_t length)
{
    size_t sum = 0, columns;
    for (size_t i = 0; i < length;) {
        i += next(bytes + i, length - i, &columns);
        sum += columns;
    }
    return sum;
}

size_t tt_text_fitting(const char *bytes, size_t length, size_t width)
{
    size_t sum = 0, columns, i = 0;
    while (i < length) {
        size_t used = next(bytes + i, length - i, &columns);
        sum += columns;
        if (sum > width) {
            break;
        }
        i += used;
    }
    return i;
}

void tt_text_shorten(struct tt_text *text, size_t start, size_t width)
{
    const char *bytes = tt_text_from(text, start);
    size_t length = text->used > start ? text->used - start : 0;
    if (tt_text_columns(bytes, length) > width) {
        text->used = start + tt_text_fitting(bytes, length, width > 0 ? width - 1 : 0);
        tt_text_str(text, "\xe2\x80\xa6");
    }
}
