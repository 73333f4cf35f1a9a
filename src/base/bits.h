/* SPDX-License-Identifier: Apache-2.0 */
/* bits: counts and finds bits of a word; sets of numbers as arrays of words. */
#ifndef TT_BASE_BITS_H
#define TT_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline unsigned tt_bits_in(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_popcountll(word);
#else
    unsigned count = 0;
    for (; word; word &= word - 1) {
        count++;
    }
    return count;
#endif
}

/* Returns the index of the lowest set bit of a non-zero word. */
static inline unsigned tt_lowest_bit(uint64_t word)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned bit = 0;
    for (; !(word & 1u); word >>= 1) {
        bit++;
    }
    return bit;
#endif
}

/* Returns the index of the highest set bit of a non-zero word. */
static inline unsigned tt_highest_bit(uint64_t n)
{
#if defined(__GNUC__)
    return 63u - (unsigned)__builtin_clzll(n);
#else
    unsigned bit = 0;
    while (n >>= 1) {
        bit++;
    }
    return bit;
#endif
}

/* Returns bit `i` of an array of words. */
static inline bool tt_bit_at(const uint64_t *words, uint64_t i)
{
    return words[i / 64] >> (i % 64) & 1u;
}

/* Returns whether a set of `limit` bits has `i`; NULL: all numbers. */
static inline bool tt_bit_selects(const uint64_t *words, uint64_t limit, uint64_t i)
{
    return !words || (i < limit && tt_bit_at(words, i));
}

#endif
