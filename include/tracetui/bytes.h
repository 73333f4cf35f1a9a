/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes: bounded access to bytes that come from a file.
 *
 * `struct tt_bytes` is a borrowed span. `struct tt_reader` reads a span sequentially and never past
 * its end: such a read returns zeros and sets `failed`, which stays set, so that a decoder can read
 * a whole record and check once.
 *
 *      data          pos              size
 *       |-------------|----------------|
 *       0   consumed      remaining
 *
 * The plain loads tt_load_* are for offsets whose bounds were just checked (hot loops). Nothing
 * here allocates. Offsets and lengths are bytes. Any thread may use its own reader.
 */
#ifndef TRACETUI_BYTES_H
#define TRACETUI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tt_bytes {
    const uint8_t *data;
    uint64_t size;
};

struct tt_reader {
    struct tt_bytes bytes;
    uint64_t pos;
    bool big_endian;
    bool failed; /* sticky: a read went past the end */
};

static inline struct tt_bytes tt_bytes_of(const void *data, uint64_t size)
{
    struct tt_bytes bytes = {(const uint8_t *)data, size};
    return bytes;
}

/* Returns the part [offset, offset+length) of `bytes`, clipped to its size. Cannot overflow. */
static inline struct tt_bytes tt_bytes_slice(struct tt_bytes bytes, uint64_t offset,
                                             uint64_t length)
{
    if (offset >= bytes.size) {
        return tt_bytes_of(bytes.data, 0);
    }
    uint64_t rest = bytes.size - offset;
    return tt_bytes_of(bytes.data + offset, length < rest ? length : rest);
}

/* Returns whether [offset, offset+length) is inside `bytes`, for any two numbers. */
static inline bool tt_bytes_has(struct tt_bytes bytes, uint64_t offset, uint64_t length)
{
    return offset <= bytes.size && length <= bytes.size - offset;
}

/*
 * Portable swaps compile to about ten operations in every load, so builtins are used if available.
 */
#if defined(__GNUC__)
#define TT_SWAP16(v) __builtin_bswap16(v)
#define TT_SWAP32(v) __builtin_bswap32(v)
#define TT_SWAP64(v) __builtin_bswap64(v)
#else
#define TT_SWAP16(v) ((uint16_t)(((v) << 8) | ((v) >> 8)))
#define TT_SWAP32(v) (((v) << 24) | (((v)&0xff00u) << 8) | (((v) >> 8) & 0xff00u) | ((v) >> 24))
#define TT_SWAP64(v) ((uint64_t)TT_SWAP32((uint32_t)(v)) << 32 | TT_SWAP32((uint32_t)((v) >> 32)))
#endif

static inline uint16_t tt_swap16(uint16_t v)
{
    return TT_SWAP16(v);
}

static inline uint32_t tt_swap32(uint32_t v)
{
    return TT_SWAP32(v);
}

static inline uint64_t tt_swap64(uint64_t v)
{
    return TT_SWAP64(v);
}

/* Returns whether this machine is big-endian; a compile-time constant after optimization. */
static inline bool tt_host_is_big(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/* Load from an address whose bounds the caller has checked; `big` is the file's byte order. */
static inline uint16_t tt_load_u16(const uint8_t *p, bool big)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return big == tt_host_is_big() ? v : tt_swap16(v);
}

static inline uint32_t tt_load_u32(const uint8_t *p, bool big)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return big == tt_host_is_big() ? v : tt_swap32(v);
}

static inline uint64_t tt_load_u64(const uint8_t *p, bool big)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return big == tt_host_is_big() ? v : tt_swap64(v);
}

static inline struct tt_reader tt_reader_of(struct tt_bytes bytes, bool big_endian)
{
    struct tt_reader reader = {bytes, 0, big_endian, false};
    return reader;
}

/* Returns the next `length` bytes; NULL with `failed` set if fewer are left. */
static inline const uint8_t *tt_read_span(struct tt_reader *reader, uint64_t length)
{
    if (reader->failed || !tt_bytes_has(reader->bytes, reader->pos, length)) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *p = reader->bytes.data + reader->pos;
    reader->pos += length;
    return p;
}

static inline uint8_t tt_read_u8(struct tt_reader *reader)
{
    const uint8_t *p = tt_read_span(reader, 1);
    return p ? *p : 0;
}

static inline uint16_t tt_read_u16(struct tt_reader *reader)
{
    const uint8_t *p = tt_read_span(reader, 2);
    return p ? tt_load_u16(p, reader->big_endian) : 0;
}

static inline uint32_t tt_read_u32(struct tt_reader *reader)
{
    const uint8_t *p = tt_read_span(reader, 4);
    return p ? tt_load_u32(p, reader->big_endian) : 0;
}

static inline uint64_t tt_read_u64(struct tt_reader *reader)
{
    const uint8_t *p = tt_read_span(reader, 8);
    return p ? tt_load_u64(p, reader->big_endian) : 0;
}

/* Moves to `pos`; sets `failed` if it is past the end. */
static inline void tt_read_seek(struct tt_reader *reader, uint64_t pos)
{
    if (pos > reader->bytes.size) {
        reader->failed = true;
    } else {
        reader->pos = pos;
    }
}

static inline uint64_t tt_read_left(const struct tt_reader *reader)
{
    return reader->failed ? 0 : reader->bytes.size - reader->pos;
}

#endif
