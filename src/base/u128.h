/* SPDX-License-Identifier: Apache-2.0 */
/*
 * u128: 128-bit products for compilers without a 128-bit integer, and repeated division by the same
 * number. Pure functions; any thread.
 */
#ifndef TRACETUI_BASE_U128_H
#define TRACETUI_BASE_U128_H

#include <stdbool.h>
#include <stdint.h>

struct tt_wide {
    uint64_t high;
    uint64_t low;
};

struct tt_wide tt_u128_mul(uint64_t a, uint64_t b);
/* Computes floor(value / div); false if div is 0 or the quotient exceeds 64 bits. */
bool tt_u128_div(struct tt_wide value, uint64_t div, uint64_t *quotient);

/* Returns the upper 64 bits of a product. */
static inline uint64_t tt_u128_high(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
#else
    return tt_u128_mul(a, b).high;
#endif
}

/* Division by `by` as a multiplication: about a tenth of the time of a 64-bit division. */
struct tt_divider {
    uint64_t by;
    uint64_t factor; /* floor((2^64 - 1) / by) */
};

/* Returns the divider of `by`; for 0 it must not be used. */
static inline struct tt_divider tt_divider_of(uint64_t by)
{
    return (struct tt_divider){by, by ? UINT64_MAX / by : 0};
}

/* Returns floor(value / by) for any value. */
static inline uint64_t tt_divided(uint64_t value, struct tt_divider d)
{
    /* The factor is less than 2^64 / by by at most 1, so the quotient is too small by at most 1. */
    uint64_t quotient = tt_u128_high(value, d.factor);
    uint64_t rest = value - quotient * d.by;
    return quotient + (rest >= d.by);
}

#endif
