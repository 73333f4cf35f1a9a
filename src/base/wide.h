/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wide: 128-bit products for compilers without a 128-bit integer. Pure functions; any thread.
 */
#ifndef TT_BASE_WIDE_H
#define TT_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct tt_wide {
    uint64_t high;
    uint64_t low;
};

struct tt_wide tt_wide_mul(uint64_t a, uint64_t b);
/* floor(value / div); false if div is 0 or the quotient needs more than 64 bits. */
bool tt_wide_div(struct tt_wide value, uint64_t div, uint64_t *quotient);

#endif
