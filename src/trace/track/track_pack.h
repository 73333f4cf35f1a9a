/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_pack: packed chunks of tracks (drawn in track.h): packing a full tail, and reading single
 * items.
 *
 * If tt_pack_is_possible holds for its entry, reading a chunk accesses at most TT_PACK_MOST bytes
 * from its start, whatever they contain: a chunk of a file is safe to read where that many bytes
 * are mapped.
 *
 * Bits and bytes are in little-endian order. Plain data; any thread.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_PACK_H
#define TRACETUI_TRACE_TRACK_TRACK_PACK_H

#include "trace/track/track.h"

/* Items to pack. */
struct tt_pack_items {
    uint64_t base;
    uint64_t first; /* items before it */
    uint32_t count; /* 1 to TT_TRACK_CHUNK */
    uint32_t sum_count;
    bool wide;
    uint32_t delta[TT_TRACK_CHUNK];
    uint32_t value[TT_TRACK_CHUNK];
    uint32_t more[TT_TRACK_CHUNK];
    uint64_t sums[TT_TRACK_SUMS_MAX];
};

/*
 * Largest size of a chunk: three lists of 32-bit words, as many distinct values with their head,
 * the sums with their widths, and 8 bytes since numbers are read 8 bytes at a time.
 */
#define TT_PACK_MOST                                                                               \
    (4u * 4u * TT_TRACK_CHUNK + 2u + TT_TRACK_SUMS_MAX / 2 + 8u * TT_TRACK_SUMS_MAX + 8u)

/* Packs into `bytes`; returns their number. Sets the entry except for its distance. */
size_t tt_pack(const struct tt_pack_items *items, uint8_t bytes[TT_PACK_MOST],
               struct tt_track_entry *entry);
/* Returns the size in bytes of a packed chunk. */
size_t tt_pack_size(const struct tt_track_entry *entry, const uint8_t *bytes, uint32_t sum_count);

static inline uint32_t tt_pack_count(const struct tt_track_entry *entry)
{
    return (uint8_t)entry->where;
}

static inline uint64_t tt_pack_first(const struct tt_track_entry *entry)
{
    return entry->first | (entry->where >> 8 & 0xff) << 32;
}

/* Returns the bytes from the entry's block to its chunk, modulo 2^64: most chunks are before it. */
static inline uint64_t tt_pack_distance(const struct tt_track_entry *entry)
{
    const uint64_t sign = UINT64_C(1) << 47;
    return ((entry->where >> 16) ^ sign) - sign;
}

static inline void tt_pack_set_distance(struct tt_track_entry *entry, uint64_t distance)
{
    entry->where = (entry->where & 0xffff) | distance << 16;
}

/* Returns the chunk of an entry in a directory block. */
static inline const uint8_t *tt_pack_bytes(const struct tt_track_directory *block,
                                           const struct tt_track_entry *entry)
{
    return (const uint8_t *)((uintptr_t)block + (uintptr_t)tt_pack_distance(entry));
}

/* Returns whether the layout of an entry is possible. */
static inline bool tt_pack_is_possible(const struct tt_track_entry *entry)
{
    uint32_t count = tt_pack_count(entry);
    return count - 1 < TT_TRACK_CHUNK && entry->delta_bits <= 32 && entry->more_bits <= 32 &&
           entry->value_bits <= (entry->distinct ? 6 : 32) && entry->distinct <= TT_TRACK_CHUNK;
}

/* ---- single items ------------------------------------------------------------------------- */

static inline uint32_t tt_pack_bytes_of(uint32_t bits)
{
    return (bits + 7) / 8;
}

/* Reads 64 bits; compiles to one load. */
static inline uint64_t tt_pack_word(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* Returns number `slot` of a list with `bits` bits each, at most 32. */
static inline uint32_t tt_pack_number(const uint8_t *bytes, uint32_t slot, uint32_t bits)
{
    uint32_t at = slot * bits;
    return (uint32_t)(tt_pack_word(bytes + at / 8) >> at % 8 & ((UINT64_C(1) << bits) - 1));
}

/* Returns the ticks of an item after the base. */
static inline uint32_t tt_pack_delta(const struct tt_track_entry *entry, const uint8_t *bytes,
                                     uint32_t slot)
{
    return tt_pack_number(bytes, slot, entry->delta_bits);
}

/* Return the offset of a list in the chunk. */
static inline uint32_t tt_pack_values_at(const struct tt_track_entry *entry)
{
    return tt_pack_bytes_of(tt_pack_count(entry) * entry->delta_bits);
}

static inline uint32_t tt_pack_more_at(const struct tt_track_entry *entry)
{
    return tt_pack_values_at(entry) + tt_pack_bytes_of(tt_pack_count(entry) * entry->value_bits);
}

static inline uint32_t tt_pack_distinct_at(const struct tt_track_entry *entry)
{
    return tt_pack_more_at(entry) + tt_pack_bytes_of(tt_pack_count(entry) * entry->more_bits);
}

/*
 * Bytes before the distinct values: bits of each one's distance from the origin; the origin: 0, or
 * n for -2^(n - 1), which no value is below as a signed number.
 */
#define TT_PACK_DISTINCT_HEAD 2u

/* Returns the origin of the distinct values modulo 2^32. */
static inline uint32_t tt_pack_origin(uint32_t n)
{
    return 0 - (uint32_t)((UINT64_C(1) << (n & 63)) / 2);
}

/* Returns the bits of each distinct value. */
static inline uint32_t tt_pack_distinct_bits(const struct tt_track_entry *entry,
                                             const uint8_t *bytes)
{
    uint32_t bits = bytes[tt_pack_distinct_at(entry)];
    return bits < 32 ? bits : 32; /* more in a damaged file */
}

static inline uint32_t tt_pack_sums_at(const struct tt_track_entry *entry, const uint8_t *bytes)
{
    uint32_t at = tt_pack_distinct_at(entry);
    return entry->distinct == 0
               ? at
               : at + TT_PACK_DISTINCT_HEAD +
                     tt_pack_bytes_of(entry->distinct * tt_pack_distinct_bits(entry, bytes));
}

static inline uint32_t tt_pack_value(const struct tt_track_entry *entry, const uint8_t *bytes,
                                     uint32_t slot)
{
    uint32_t number = tt_pack_number(bytes + tt_pack_values_at(entry), slot, entry->value_bits);
    if (entry->distinct == 0) {
        return number;
    }
    const uint8_t *distinct = bytes + tt_pack_distinct_at(entry);
    uint32_t bits = tt_pack_distinct_bits(entry, bytes);
    number = number < entry->distinct ? number : 0; /* larger in a damaged file */
    return tt_pack_origin(distinct[1]) +
           tt_pack_number(distinct + TT_PACK_DISTINCT_HEAD, number, bits);
}

static inline uint32_t tt_pack_more(const struct tt_track_entry *entry, const uint8_t *bytes,
                                    uint32_t slot)
{
    return tt_pack_number(bytes + tt_pack_more_at(entry), slot, entry->more_bits);
}

void tt_pack_sums(const struct tt_track_entry *entry, const uint8_t *bytes, uint32_t sum_count,
                  uint64_t *sums);

/* ---- many items: track_unpack.c ------------------------------------------------------------ */

/* Unpacks the first `count` numbers of a list. */
void tt_unpack_numbers(const uint8_t *bytes, uint32_t count, uint32_t bits, uint32_t *numbers);
/* Unpacks the values of the first `count` items of a chunk. */
void tt_unpack_values(const struct tt_track_entry *entry, const uint8_t *bytes, uint32_t count,
                      uint32_t *values);

#endif
