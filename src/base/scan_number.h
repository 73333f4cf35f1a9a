/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_number: numbers in a text. Each function reads digits from *at on, at most up to `end`, moves *at
 * after them and returns false, without moving, if there are none or if the number has more than 64 bits.
 * Pure functions; any thread.
 */
#ifndef TT_BASE_SCAN_NUMBER_H
#define TT_BASE_SCAN_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the value of a hexadecimal digit; 16 and more: it is none. */
static inline uint32_t tt_hex_digit(uint8_t ch)
{
    const uint32_t digit = ch - (uint32_t)'0', letter = (ch | 0x20u) - (uint32_t)'a';
    return digit <= 9 ? digit : letter <= 5 ? letter + 10 : 16;
}

static inline bool tt_scan_hex(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *p = *at;
    uint64_t number = 0;
    uint32_t digit;
    while (p < end && (digit = tt_hex_digit(*p)) < 16) {
        if (number >> 60 != 0) {
            return false;
        }
        number = number << 4 | digit;
        p++;
    }
    if (p == *at) {
        return false;
    }
    *at = p;
    *value = number;
    return true;
}

static inline bool tt_scan_decimal(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *p = *at;
    uint64_t number = 0;
    while (p < end && (uint32_t)(*p - '0') <= 9) {
        const uint32_t digit = (uint32_t)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = 10 * number + digit;
        p++;
    }
    if (p == *at) {
        return false;
    }
    *at = p;
    *value = number;
    return true;
}

#endif
