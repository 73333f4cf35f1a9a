/* SPDX-License-Identifier: Apache-2.0 */
/*
 * varint: numbers of 1 to 10 bytes in a section of a section file, 7 bits each, the low ones first;
 * bit 7 of a byte is set if another one follows (LEB128). Plain data; any thread.
 */
#ifndef TRACETUI_BASE_VARINT_H
#define TRACETUI_BASE_VARINT_H

#include "base/section_file.h"

#define TT_VARINT_MOST 10u

/* Appends a number to the current section. */
static inline void tt_varint_put(struct tt_section_writer *w, uint64_t number)
{
    uint8_t bytes[TT_VARINT_MOST];
    size_t size = 0;
    for (; number > 0x7f; number >>= 7) {
        bytes[size++] = (uint8_t)(number | 0x80);
    }
    bytes[size++] = (uint8_t)number;
    tt_section_put(w, bytes, size);
}

/* Returns the next number; 0 with `failed` set if there is none of at most 64 bits. */
static inline uint64_t tt_varint_read(struct tt_reader *r)
{
    uint64_t number = 0;
    for (uint32_t shift = 0; shift < 64 && !r->failed && r->pos < r->bytes.size; shift += 7) {
        uint64_t byte = r->bytes.data[r->pos++];
        if (shift == 63 && byte > 1) {
            break;
        }
        number |= (byte & 0x7f) << shift;
        if (byte <= 0x7f) {
            return number;
        }
    }
    r->failed = true;
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
