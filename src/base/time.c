/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time: exact conversions through a 128-bit product. 32-bit compilers have no 128-bit type, so
 * multiplication and division are also written by hand; a unit test compares the two.
 */
#include "tracetui/time.h"

#include "base/u128.h"

struct tt_wide tt_u128_mul(uint64_t a, uint64_t b)
{
    uint64_t a_lo = a & 0xffffffffu, a_hi = a >> 32;
    uint64_t b_lo = b & 0xffffffffu, b_hi = b >> 32;
    uint64_t low = a_lo * b_lo;
    uint64_t mid = a_hi * b_lo + (low >> 32);
    uint64_t mid_carry = mid >> 32;
    mid = (mid & 0xffffffffu) + a_lo * b_hi;
    struct tt_wide wide;
    wide.high = a_hi * b_hi + mid_carry + (mid >> 32);
    wide.low = (mid << 32) | (low & 0xffffffffu);
    return wide;
}

bool tt_u128_div(struct tt_wide value, uint64_t div, uint64_t *quotient)
{
    if (div == 0 || value.high >= div) {
        return false;
    }
    uint64_t rest = value.high, result = 0;
    for (int bit = 63; bit >= 0; bit--) {
        bool carry = rest >> 63;
        rest = (rest << 1) | ((value.low >> bit) & 1);
        result <<= 1;
        if (carry || rest >= div) {
            rest -= div;
            result |= 1;
        }
    }
    *quotient = result;
    return true;
}

bool tt_mul_div(uint64_t value, uint64_t mul, uint64_t div, uint64_t *result)
{
#if defined(__SIZEOF_INT128__)
    if (div == 0) {
        return false;
    }
    __extension__ typedef unsigned __int128 wide;
    wide quotient = (wide)value * mul / div;
    *result = (uint64_t)quotient;
    return quotient <= UINT64_MAX;
#else
    return tt_u128_div(tt_u128_mul(value, mul), div, result);
#endif
}

bool tt_ticks_to_ns(uint64_t ticks, uint64_t hz, int64_t *ns)
{
    uint64_t value;
    if (hz != 0 && hz <= UINT64_MAX / TT_NS_PER_S) { /* all real clocks: no 128-bit division */
        uint64_t seconds = ticks / hz;
        if (seconds < INT64_MAX / TT_NS_PER_S) {
            *ns = (int64_t)(seconds * TT_NS_PER_S + ticks % hz * TT_NS_PER_S / hz);
            return true;
        }
    }
    if (!tt_mul_div(ticks, TT_NS_PER_S, hz, &value) || value > INT64_MAX) {
        return false;
    }
    *ns = (int64_t)value;
    return true;
}

bool tt_ns_to_ticks(uint64_t ns, uint64_t hz, uint64_t *ticks)
{
    return tt_mul_div(ns, hz, TT_NS_PER_S, ticks);
}
