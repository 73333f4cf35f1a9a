/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track/track_pack.h"

#include <string.h>

#include "base/bits.h"

static uint32_t bits_of(uint32_t number)
{
    return number > 0 ? tt_highest_bit(number) + 1 : 0;
}

static uint8_t track_pack_bytes_of(uint64_t number)
{
    return (uint8_t)(number > 0 ? tt_highest_bit(number) / 8 + 1 : 0);
}

/* Compiles to one store on a little-endian machine. */
static inline void put_eight(uint8_t *out, uint64_t number)
{
    out[0] = (uint8_t)number;
    out[1] = (uint8_t)(number >> 8);
    out[2] = (uint8_t)(number >> 16);
    out[3] = (uint8_t)(number >> 24);
    out[4] = (uint8_t)(number >> 32);
    out[5] = (uint8_t)(number >> 40);
    out[6] = (uint8_t)(number >> 48);
    out[7] = (uint8_t)(number >> 56);
}

static inline void put_four(uint8_t *out, uint32_t number)
{
    out[0] = (uint8_t)number;
    out[1] = (uint8_t)(number >> 8);
    out[2] = (uint8_t)(number >> 16);
    out[3] = (uint8_t)(number >> 24);
}

/*
 * Lists are written eight bytes at a time, so up to eight bytes after a list change; the next list
 * overwrites them.
 */
#define GROUP 8u /* numbers of any width that together fill whole bytes */

/*
 * Appends two numbers to the pending bits, less than a byte, of those before. `bits` and `pair` are
 * constants at every call.
 */
static inline uint64_t track_pack_put_pair(uint8_t *out, const uint32_t *n, uint32_t bits,
                                           uint32_t pair, uint64_t held)
{
    uint32_t filled = pair * 2 * bits % 8;
    held |= (n[2 * pair] | (uint64_t)n[2 * pair + 1] << bits) << filled;
    put_eight(out + pair * 2 * bits / 8, held);
    return held >> (filled + 2 * bits) / 8 * 8;
}

/* Writes a group of numbers of at most 28 bits. */
static inline void put_group(uint8_t *out, const uint32_t *n, uint32_t bits)
{
    uint64_t held = track_pack_put_pair(out, n, bits, 0, 0);
    held = track_pack_put_pair(out, n, bits, 1, held);
    held = track_pack_put_pair(out, n, bits, 2, held);
    track_pack_put_pair(out, n, bits, 3, held);
}

/* Each width has its own loop, in which offsets and shifts are constants. */
#define GROUPS(bits)                                                                               \
    case bits:                                                                                     \
        for (; groups > 0; groups--, out += (bits), numbers += GROUP) {                            \
            put_group(out, numbers, bits);                                                         \
        }                                                                                          \
        break;
#define GROUPS_4(bits) GROUPS(bits) GROUPS((bits) + 1) GROUPS((bits) + 2) GROUPS((bits) + 3)

static void put_groups(uint8_t *out, const uint32_t *numbers, uint32_t groups, uint32_t bits)
{
    switch (bits) {
        GROUPS_4(9)
        GROUPS_4(13)
        GROUPS_4(17)
        GROUPS_4(21)
        GROUPS_4(25)
    default:
        for (; groups > 0; groups--, out += bits, numbers += GROUP) {
            /* Writes a group of numbers of at most 8 bits. */
            uint64_t a = numbers[0] | (uint64_t)numbers[1] << bits,
                     b = numbers[2] | (uint64_t)numbers[3] << bits;
            uint64_t c = numbers[4] | (uint64_t)numbers[5] << bits,
                     d = numbers[6] | (uint64_t)numbers[7] << bits;
            put_eight(out, (a | b << 2 * bits) | (c | d << 2 * bits) << 4 * bits);
        }
        break;
    }
}

/* Writes numbers of more than 28 bits, which are rare. */
static uint8_t *put_large(uint8_t *out, const uint32_t *numbers, uint32_t count, uint32_t bits)
{
    uint64_t held = 0;
    uint32_t filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        held |= (uint64_t)numbers[i] << filled;
        filled += bits;
        if (filled >= 32) {
            put_four(out, (uint32_t)held);
            out += 4;
            held >>= 32;
            filled -= 32;
        }
    }
    put_four(out, (uint32_t)held);
    return out + tt_pack_bytes_of(filled);
}

/* Writes a list and returns the start of the next one. */
static uint8_t *put_numbers(uint8_t *out, const uint32_t *numbers, uint32_t count, uint32_t bits)
{
    if (bits > 28) {
        return put_large(out, numbers, count, bits);
    }
    uint8_t *end = out + tt_pack_bytes_of(count * bits);
    if (bits == 0) {
        return end;
    }
    uint32_t whole = count / GROUP * GROUP;
    put_groups(out, numbers, count / GROUP, bits);
    if (whole < count) {
        uint32_t last[GROUP] = {0};
        memcpy(last, numbers + whole, (count - whole) * sizeof *last);
        put_groups(out + whole / GROUP * bits, last, 1, bits);
    }
    return end;
}

/* ---- values ------------------------------------------------------------------------------- */

#define HASH_BITS 7u

struct distinct {
    uint32_t values[TT_TRACK_CHUNK];
    uint32_t number[TT_TRACK_CHUNK]; /* of each item */
    uint32_t count;
    uint32_t origin; /* see TT_PACK_DISTINCT_HEAD */
    uint32_t bits;
};

/*
 * Returns the bits of all values as indexes into `distinct` values of `bits` bits, with those and
 * their head.
 */
static uint32_t bits_with(uint32_t count, uint32_t distinct, uint32_t bits)
{
    return count * bits_of(distinct - 1) + bits * distinct + 8 * TT_PACK_DISTINCT_HEAD;
}

/*
 * Returns false if that takes `direct` bits or more.
 */
static bool find_distinct(const uint32_t *values, uint32_t count, uint32_t direct,
                          struct distinct *distinct)
{
    uint8_t table[1u << HASH_BITS]; /* number + 1; 0: free */
    memset(table, 0, sizeof table);
    distinct->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = values[i] * UINT32_C(2654435761) >> (32 - HASH_BITS), number;
        while ((number = table[at]) != 0 && distinct->values[number - 1] != values[i]) {
            at = (at + 1) % (1u << HASH_BITS);
        }
        if (number == 0) {
            if (bits_with(count, distinct->count + 1, distinct->bits) >= direct) {
                return false;
            }
            distinct->values[distinct->count] = values[i];
            number = ++distinct->count;
            table[at] = (uint8_t)number;
        }
        distinct->number[i] = number - 1;
    }
    return true;
}

/* The range of the values as signed numbers, and the bits that any of them has. */
struct bounds {
    int32_t least;
    int32_t most;
    uint32_t all;
};

static inline struct bounds track_pack_bounds_of(const uint32_t *values, uint32_t count)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t number = (int32_t)values[i];
        least = number < least ? number : least;
        most = number > most ? number : most;
        all |= values[i];
    }
    return (struct bounds){least, most, all};
}

/*
 * Writes the values directly, or as indexes into the distinct values, which follow `more`. Numbers
 * with a meaning of their own, such as "no CPU", are the largest: as signed numbers they are close
 * to the others.
 */
static uint8_t *put_values(uint8_t *out, const struct tt_pack_items *items,
                           struct tt_track_entry *entry, struct distinct *distinct)
{
    /* A constant count lets compilers use vectors. */
    struct bounds b = items->count == TT_TRACK_CHUNK
                          ? track_pack_bounds_of(items->value, TT_TRACK_CHUNK)
                          : track_pack_bounds_of(items->value, items->count);
    uint32_t direct = bits_of(b.all);
    /* The largest origin that is not above `b.least`. */
    distinct->origin = b.least < 0 ? bits_of(0 - (uint32_t)b.least - 1) + 1 : 0;
    distinct->bits = bits_of((uint32_t)b.most - tt_pack_origin(distinct->origin));
    if (find_distinct(items->value, items->count, items->count * direct, distinct)) {
        entry->value_bits = (uint8_t)bits_of(distinct->count - 1);
        return put_numbers(out, distinct->number, items->count, entry->value_bits);
    }
    distinct->count = 0;
    entry->value_bits = (uint8_t)direct;
    return put_numbers(out, items->value, items->count, direct);
}

static uint8_t *put_distinct(uint8_t *out, struct distinct *distinct)
{
    if (distinct->count == 0) {
        return out;
    }
    for (uint32_t i = 0; i < distinct->count; i++) {
        distinct->values[i] -= tt_pack_origin(distinct->origin);
    }
    out[0] = (uint8_t)distinct->bits;
    out[1] = (uint8_t)distinct->origin;
    return put_numbers(out + TT_PACK_DISTINCT_HEAD, distinct->values, distinct->count,
                       distinct->bits);
}

/* ---- sums --------------------------------------------------------------------------------- */

/*
 * Writes the sums. Reverse order: the first sums are ticks, and the bytes read with them are then in
 * range. Sets *read_end to the end of the bytes that reading the sums accesses.
 */
static uint8_t *track_pack_put_sums(uint8_t *out, const uint64_t *sums, uint32_t count,
                                    uint8_t **read_end)
{
    uint8_t *widths = out;
    uint32_t odd = count % 2;
    out += (count + 1) / 2;
    *read_end = widths + 8 > out ? widths + 8 : out;
    if (odd != 0) {
        uint8_t width = widths[count / 2] = track_pack_bytes_of(sums[count - 1]);
        put_eight(out, sums[count - 1]);
        *read_end = width > 0 ? out + 8 : *read_end;
        out += width;
    }
    for (uint32_t i = count - odd; i > 0; i -= 2) {
        uint8_t high = track_pack_bytes_of(sums[i - 1]), low = track_pack_bytes_of(sums[i - 2]);
        widths[i / 2 - 1] = (uint8_t)(high << 4 | low);
        put_eight(out, sums[i - 1]);
        *read_end = high > 0 && out + 8 > *read_end ? out + 8 : *read_end;
        out += high;
        put_eight(out, sums[i - 2]);
        *read_end = low > 0 && out + 8 > *read_end ? out + 8 : *read_end;
        out += low;
    }
    return out;
}

static uint32_t width_at(const uint8_t *widths, uint32_t number)
{
    uint32_t width = widths[number / 2] >> 4 * (number % 2) & 15;
    return width < 8 ? width : 8; /* larger in a damaged file */
}

void tt_pack_sums(const struct tt_track_entry *entry, const uint8_t *bytes, uint32_t sum_count,
                  uint64_t *sums)
{
    const uint8_t *widths = bytes + tt_pack_sums_at(entry, bytes);
    const uint8_t *at = widths + (sum_count + 1) / 2;
    for (uint32_t i = sum_count; i-- > 0;) {
        uint32_t width = width_at(widths, i);
        sums[i] = width > 0 ? tt_pack_word(at) & UINT64_MAX >> 8 * (8 - width) : 0;
        at += width;
    }
}

/* ---- chunks ------------------------------------------------------------------------------- */

/* Includes the bytes that are read with the last number of a list and the last sum. */
size_t tt_pack_size(const struct tt_track_entry *entry, const uint8_t *bytes, uint32_t sum_count)
{
    const uint8_t *widths = bytes + tt_pack_sums_at(entry, bytes);
    size_t at = tt_pack_sums_at(entry, bytes) + (sum_count + 1) / 2;
    size_t size = tt_pack_sums_at(entry, bytes) + 8;
    size = size > at ? size : at;
    for (uint32_t i = sum_count; i-- > 0;) {
        uint32_t width = width_at(widths, i);
        size_t read = width > 0 ? at + 8 : 0;
        size = size > read ? size : read;
        at += width;
    }
    return size;
}

size_t tt_pack(const struct tt_pack_items *items, uint8_t bytes[TT_PACK_MOST],
               struct tt_track_entry *entry)
{
    struct distinct d;
    uint8_t *out = bytes;
    entry->base = items->base;
    entry->where = (items->first >> 32 & 0xff) << 8 | items->count;
    entry->first = (uint32_t)items->first;
    entry->delta_bits = (uint8_t)bits_of(items->delta[items->count - 1]);
    out = put_numbers(out, items->delta, items->count, entry->delta_bits);
    out = put_values(out, items, entry, &d);

    uint32_t all = 0;
    for (uint32_t i = 0; items->wide && i < items->count; i++) {
        all |= items->more[i];
    }
    entry->more_bits = (uint8_t)bits_of(all);
    out = put_numbers(out, items->more, items->wide ? items->count : 0, entry->more_bits);

    entry->distinct = (uint8_t)d.count;
    out = put_distinct(out, &d);
    uint8_t *read_end;
    out = track_pack_put_sums(out, items->sums, items->sum_count, &read_end);
    if (read_end > out) {
        memset(out, 0, (size_t)(read_end - out));
    }
    return (size_t)(read_end - bytes);
}
