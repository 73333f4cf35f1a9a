/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_number: numbers with sign and 64 bits, or with a fraction; integers are compared exactly.
 */
#ifndef TRACETUI_FILTER_NUMBER_H
#define TRACETUI_FILTER_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_number {
    bool whole;
    bool negative;      /* integers other than 0 only */
    uint64_t magnitude; /* integers only */
    double real;        /* the nearest double, always set */
};

struct tt_number tt_number_of_u64(uint64_t value);
struct tt_number tt_number_of_i64(int64_t value);
struct tt_number tt_number_of_double(double value);

/*
 * Parses the whole text: 12, -3, 0x4f, 1.5, 2e6. Returns false if it is not a number or too large.
 */
bool tt_number_parse(const char *text, size_t length, struct tt_number *number);

/* Compares two numbers: <0, 0, >0. Not for NaN: see tt_number_is_nan. */
int tt_number_compare(const struct tt_number *left, const struct tt_number *right);
bool tt_number_is_nan(const struct tt_number *number);

#endif
