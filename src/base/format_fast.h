/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format_fast: writes numbers and plain text without bounds checks.
 *
 * Each function writes at `to` and returns the end of what it wrote. The caller checks once that
 * the room is sufficient for everything it writes, and falls back to tt_text, which checks every
 * time. Most lines of `dump` are written this way. Pure functions; any thread.
 */
#ifndef TRACETUI_BASE_FORMAT_FAST_H
#define TRACETUI_BASE_FORMAT_FAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "tracetui/bytes.h"

#define TT_DIGITS_MAX      20u /* of 2^64 - 1 */
#define TT_HEX_DIGITS_MAX  16u
#define TT_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* "00" to "99", and "00" to "ff". */
extern const char tt_decimal_pairs[];
extern const char tt_hex_pairs[];

/* Writes the digits so that they end at `end`, two at a time; returns their start. */
static inline char *tt_digits_before(char *end, uint64_t value)
{
    while (value > UINT32_MAX) {
        end -= 2;
        memcpy(end, tt_decimal_pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    uint32_t low = (uint32_t)value; /* 32-bit divisions take half the time */
    while (low >= 100) {
        end -= 2;
        memcpy(end, tt_decimal_pairs + 2 * (low % 100), 2);
        low /= 100;
    }
    if (low >= 10) {
        end -= 2;
        memcpy(end, tt_decimal_pairs + 2 * low, 2);
        return end;
    }
    *--end = (char)('0' + low);
    return end;
}

#define TT_EIGHT_DIGITS UINT32_C(100000000) /* 10^8: one more than eight digits can represent */

/*
 * Returns the eight digits of a number below 10^8, one per byte, the most significant one in the
 * lowest byte. Halves of four digits are divided at once, then quarters, then single digits:
 * multiplication and shift replace a division by 100 (exact below 43,699) and by 10 (below 179).
 */
static inline uint64_t tt_split_digits(uint32_t value)
{
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = (fours * 10486) >> 20 & UINT64_C(0x0000007f0000007f);
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (twos * 103) >> 10 & UINT64_C(0x000f000f000f000f);
    return tens | (twos - 10 * tens) << 8;
}

/* Stores eight bytes, the lowest byte first. */
static inline void tt_store_lowest_first(char *to, uint64_t bytes)
{
    bytes = tt_host_is_big() ? tt_swap64(bytes) : bytes;
    memcpy(to, &bytes, sizeof bytes);
}

/* Writes eight digits with leading zeros: `value` is less than 10^8. */
static inline char *tt_fast_eight(char *to, uint32_t value)
{
    tt_store_lowest_first(to, tt_split_digits(value) + TT_EACH_BYTE('0'));
    return to + 8;
}

/* Writes nine digits with leading zeros: `value` is less than 10^9. */
static inline char *tt_fast_nine(char *to, uint32_t value)
{
    *to = (char)('0' + value / TT_EIGHT_DIGITS);
    return tt_fast_eight(to + 1, value % TT_EIGHT_DIGITS);
}

/* Returns the number of digits of a number below 10^8. */
static inline unsigned tt_count_digits(uint32_t value)
{
    return 1u + (value >= 10) + (value >= 100) + (value >= 1000) + (value >= 10000) +
           (value >= 100000) + (value >= 1000000) + (value >= 10000000);
}

/*
 * Writes a number below 10^8; changes up to eight bytes. Digits are counted in parallel with their
 * conversion, not from its result: the next number of a line need not wait for this one.
 */
static inline char *tt_fast_below_eight(char *to, uint32_t value)
{
    const unsigned count = tt_count_digits(value);
    const uint64_t digits = tt_split_digits(value) + TT_EACH_BYTE('0');
    tt_store_lowest_first(to, digits >> (64 - 8 * count));
    return to + count;
}

/* Writes a number from 10^8 on: at most TT_DIGITS_MAX digits. */
char *tt_fast_long(char *to, uint64_t value);

static inline char *tt_fast_u64(char *to, uint64_t value)
{
    if (value < 10) { /* the most common: CPUs, priorities, states */
        *to = (char)('0' + value);
        return to + 1;
    }
    return value < TT_EIGHT_DIGITS ? tt_fast_below_eight(to, (uint32_t)value)
                                   : tt_fast_long(to, value);
}

/*
 * A number that is near the previous one of its column, as times and offsets are: all but its last
 * eight digits are kept as text, and so is the number of digits. Zero-initialized; one per column.
 */
struct tt_near_number {
    uint64_t first, count; /* applies to numbers from `first` on */
    uint64_t base;         /* of the last digits: a multiple of 10^8 */
    unsigned prefix;       /* bytes of `text` */
    unsigned last;         /* how many last digits */
    char text[16];
};

/* Sets the range that contains `value`. */
void tt_near_set(struct tt_near_number *near, uint64_t value);

/* Writes at most TT_DIGITS_MAX digits; changes up to 24 bytes. */
static inline char *tt_fast_near(char *to, struct tt_near_number *near, uint64_t value)
{
    if (value - near->first >= near->count) {
        tt_near_set(near, value);
    }
    memcpy(to, near->text, sizeof near->text);
    to += near->prefix;
    const uint64_t digits = tt_split_digits((uint32_t)(value - near->base)) + TT_EACH_BYTE('0');
    tt_store_lowest_first(to, digits >> (64 - 8 * near->last));
    return to + near->last;
}

/* Writes at most TT_DIGITS_MAX bytes and a sign. */
static inline char *tt_fast_i64(char *to, int64_t value)
{
    if (value < 0) {
        *to++ = '-';
        return tt_fast_u64(to, 0 - (uint64_t)value);
    }
    return tt_fast_u64(to, (uint64_t)value);
}

/* The largest number up to which all integers are doubles: JSON readers keep no more bits. */
#define TT_JSON_EXACT (UINT64_C(1) << 53)

/* Write a JSON number, or a string of its digits beyond TT_JSON_EXACT; TT_DIGITS_MAX and 3 bytes. */
static inline char *tt_fast_json_u64(char *to, uint64_t value)
{
    if (value <= TT_JSON_EXACT) {
        return tt_fast_u64(to, value);
    }
    *to = '"';
    to = tt_fast_u64(to + 1, value);
    *to = '"';
    return to + 1;
}

static inline char *tt_fast_json_i64(char *to, int64_t value)
{
    if (value >= 0 || 0 - (uint64_t)value <= TT_JSON_EXACT) {
        return value >= 0 ? tt_fast_json_u64(to, (uint64_t)value) : tt_fast_i64(to, value);
    }
    *to = '"';
    to = tt_fast_i64(to + 1, value);
    *to = '"';
    return to + 1;
}

/* Writes exactly eight hex digits, the most common width, in parallel. */
static inline char *tt_fast_hex8(char *to, uint32_t value)
{
    uint64_t each = (uint64_t)(value & 0xffff0000u) << 16 | (value & 0xffffu); /* one nibble per
                                                                                  byte */
    each = (each & UINT64_C(0x0000ff000000ff00)) << 8 | (each & UINT64_C(0x000000ff000000ff));
    each = (each & UINT64_C(0x00f000f000f000f0)) << 4 | (each & UINT64_C(0x000f000f000f000f));
    uint64_t letters = (each + TT_EACH_BYTE(6)) >> 4 & TT_EACH_BYTE(1);
    uint64_t text = each + TT_EACH_BYTE('0') + letters * ('a' - '0' - 10);
    text = tt_host_is_big() ? text : tt_swap64(text);
    memcpy(to, &text, 8);
    return to + 8;
}

/* Writes at least `digits` digits and at most TT_HEX_DIGITS_MAX. */
static inline char *tt_fast_hex(char *to, uint64_t value, unsigned digits)
{
    if (digits == 8 && value <= UINT32_MAX) {
        return tt_fast_hex8(to, (uint32_t)value);
    }
    unsigned count = value != 0 ? tt_highest_bit(value) / 4 + 1 : 1;
    if (count < digits) {
        count = digits < TT_HEX_DIGITS_MAX ? digits : TT_HEX_DIGITS_MAX;
    }
    char *at = to + count;
    for (; at - to >= 2; value >>= 8) {
        at -= 2;
        memcpy(at, tt_hex_pairs + 2 * (value & 0xff), 2);
    }
    if (at > to) {
        to[0] = tt_hex_pairs[2 * (value & 0x0f) + 1];
    }
    return to + count;
}

/* Returns whether one of eight bytes is a control, a quote, a backslash, DEL or not ASCII. */
static inline bool tt_any_special(uint64_t bytes)
{
    uint64_t quote = bytes ^ TT_EACH_BYTE('"'), slash = bytes ^ TT_EACH_BYTE('\\');
    uint64_t control = (bytes - TT_EACH_BYTE(0x20)) & ~bytes;
    uint64_t quotes = (quote - TT_EACH_BYTE(1)) & ~quote;
    uint64_t slashes = (slash - TT_EACH_BYTE(1)) & ~slash;
    uint64_t beyond = (bytes + TT_EACH_BYTE(1)) | bytes;
    return ((control | quotes | slashes | beyond) & TT_EACH_BYTE(0x80)) != 0;
}

/* Returns whether one of eight bytes may be a control, a quote or a comma, which CSV quotes. */
static inline bool tt_any_csv(uint64_t bytes)
{
    uint64_t quote = bytes ^ TT_EACH_BYTE('"'), comma = bytes ^ TT_EACH_BYTE(',');
    uint64_t control = (bytes - TT_EACH_BYTE(0x20)) & ~bytes;
    uint64_t quotes = (quote - TT_EACH_BYTE(1)) & ~quote;
    uint64_t commas = (comma - TT_EACH_BYTE(1)) & ~comma;
    return ((control | quotes | commas) & TT_EACH_BYTE(0x80)) != 0;
}

/*
 * Copies up to 7 bytes as two halves that may overlap. Returns them as a word padded with blanks.
 */
static inline uint64_t tt_fast_few(char *to, const char *bytes, size_t length)
{
    uint32_t first = 0x20202020, last = first;
    if (length >= 4) {
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + length - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + length - 4, &last, 4);
    } else if (length > 0) {
        uint8_t ends[4] = {(uint8_t)bytes[0], (uint8_t)bytes[length / 2],
                           (uint8_t)bytes[length - 1], ' '};
        to[0] = bytes[0];
        to[length / 2] = bytes[length / 2];
        to[length - 1] = bytes[length - 1];
        memcpy(&first, ends, 4);
    }
    return first | (uint64_t)last << 32;
}

/* Copies bytes that are known to be plain. */
static inline char *tt_fast_bytes(char *to, const char *bytes, size_t length)
{
    if (length < 8) {
        tt_fast_few(to, bytes, length);
        return to + length;
    }
    for (size_t i = 0; i + 8 < length; i += 8) {
        memcpy(to + i, bytes + i, 8);
    }
    memcpy(to + length - 8, bytes + length - 8, 8); /* overlaps the previous eight */
    return to + length;
}

/*
 * Copies `length` bytes if all are printable ASCII except " and \, which no output format escapes.
 * Returns false otherwise; the bytes at `to` are then undefined.
 */
static inline bool tt_fast_plain(char *to, const char *bytes, size_t length)
{
    if (length < 8) {
        return !tt_any_special(tt_fast_few(to, bytes, length));
    }
    uint64_t eight;
    size_t i = 0;
    for (; i + 8 < length; i += 8) {
        memcpy(&eight, bytes + i, 8);
        if (tt_any_special(eight)) {
            return false;
        }
        memcpy(to + i, &eight, 8);
    }
    memcpy(&eight, bytes + length - 8, 8); /* overlaps the previous eight */
    memcpy(to + length - 8, &eight, 8);
    return !tt_any_special(eight);
}

#endif
