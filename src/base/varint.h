/* SPDX-License-Identifier: Apache-2.0 */
/*
 * varint: numbers of 1 to 10 bytes in a section of a section file, 7 bits each, the low ones first;
 * bit 7 of a byte is set if another one follows (LEB128). Plain data; any thread.
 */
#ifndef TRACETUI_BASE_VARINT_H
#define TRACETUI_BASE_VARINT_H

#include "base/section_file.h"

#define TT_VARINT_MOST 10u

/* Writes a number of at most TT_VARINT_MOST bytes; returns its end. */
static inline uint8_t *tt_varint_store(uint8_t *to, uint64_t number)
{
    for (; number > 0x7f; number >>= 7) {
        *to++ = (uint8_t)(number | 0x80);
    }
    *to++ = (uint8_t)number;
    return to;
}

/* Reads a number from bytes of which TT_VARINT_MOST are readable, whatever they are; returns its end. */
static inline const uint8_t *tt_varint_load(const uint8_t *from, uint64_t *number)
{
    uint64_t byte = *from++;
    *number = byte & 0x7f;
    for (uint32_t shift = 7; byte > 0x7f && shift < 64; shift += 7) {
        byte = *from++;
        *number |= (byte & 0x7f) << shift;
    }
    return from;
}

/* Appends a number to the current section. */
static inline void tt_varint_put(struct tt_section_writer *writer, uint64_t number)
{
    uint8_t bytes[TT_VARINT_MOST];
    tt_section_put(writer, bytes, (size_t)(tt_varint_store(bytes, number) - bytes));
}

/* Returns the next number; 0 with `failed` set if there is none of at most 64 bits. */
static inline uint64_t tt_varint_read(struct tt_reader *reader)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; shift < 64 && !reader->failed && reader->pos < reader->bytes.size;
         shift += 7) {
        uint64_t byte = reader->bytes.data[reader->pos++];
        if (shift == 63 && byte > 1) {
            break;
        }
        number |= (byte & 0x7f) << shift;
        if (byte <= 0x7f) {
            return number;
        }
    }
    reader->failed = true;
    return 0;
}

/* Return a signed difference as a small number, and the reverse: 0, -1, 1, -2, 2, ... */
static inline uint64_t tt_varint_fold(uint64_t difference)
{
    return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t tt_varint_unfold(uint64_t number)
{
    return number >> 1 ^ (number & 1 ? UINT64_MAX : 0);
}

#endif
