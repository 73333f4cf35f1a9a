/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_record_inline: the functions of btrace_record.h for the loop that decodes. Records are about
 * 20 bytes long, and calls would take as long as the rest.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_RECORD_INLINE_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_RECORD_INLINE_H

#include "format/btrace/btrace_record.h"
#include "format/btrace/btrace_tables.h"

enum {
    BTRACE_FLAG_WORDS = 6,
    BTRACE_PART_MASK = 3,
    BTRACE_CPU_SHIFT = 20,
    /* Header2 has only the part in its low and the CPU in its high bits. */
    BTRACE_HEADER2_RESERVED = 0x000ffffc,
};

/* Returns the bytes of the header: a word, and one for each flag. */
static inline unsigned btrace_header_bytes(uint8_t flags)
{
    unsigned bits = flags & ((1u << BTRACE_FLAG_WORDS) - 1);
    bits = (bits & 0x15u) + (bits >> 1 & 0x15u); /* pairs of bits */
    return 4 * (1 + (bits & 3u) + (bits >> 2 & 3u) + (bits >> 4));
}

static inline uint32_t btrace_take_word(const uint8_t **at, uint8_t flags, uint8_t flag)
{
    if (!(flags & flag)) {
        return 0;
    }
    uint32_t word = tt_load_u32(*at, false);
    *at += 4;
    return word;
}

/* Takes the words of the header, which is inside the bytes. */
static inline void btrace_take_header(struct btrace_record *r, const uint8_t *at)
{
    r->header2 = btrace_take_word(&at, r->flags, BTRACE_HAS_HEADER2);
    r->timestamp = btrace_take_word(&at, r->flags, BTRACE_HAS_TIMESTAMP);
    r->timestamp2 = btrace_take_word(&at, r->flags, BTRACE_HAS_TIMESTAMP2);
    r->context = btrace_take_word(&at, r->flags, BTRACE_HAS_CONTEXT);
    r->pc = r->extra = 0;
    if (r->flags & (BTRACE_HAS_PC | BTRACE_HAS_EXTRA)) {
        r->pc = btrace_take_word(&at, r->flags, BTRACE_HAS_PC);
        r->extra = btrace_take_word(&at, r->flags, BTRACE_HAS_EXTRA);
    }
    r->data = at;
}

static inline enum btrace_read btrace_record_read_inline(struct tt_bytes bytes, uint64_t pos,
                                                         struct btrace_record *r)
{
    if (pos >= bytes.size) {
        return BTRACE_READ_END;
    }
    const uint8_t *start = bytes.data + pos;
    const uint64_t rest = bytes.size - pos;
    const uint8_t size = start[0];
    if (size < BTRACE_SIZE_MIN || size > BTRACE_SIZE_MAX) {
        return BTRACE_READ_BAD;
    }
    if (rest < BTRACE_SIZE_MIN) {
        return BTRACE_READ_PARTIAL;
    }
    const uint32_t first = tt_load_u32(start, false);
    r->pos = pos;
    r->size = size;
    r->flags = (uint8_t)(first >> 8);
    r->category = (uint8_t)(first >> 16);
    r->sub = (uint8_t)(first >> 24);
    r->header = (uint8_t)btrace_header_bytes(r->flags);
    if (r->header > size) {
        return BTRACE_READ_BAD;
    }
    if (rest < size) {
        return BTRACE_READ_PARTIAL;
    }
    btrace_take_header(r, start + BTRACE_SIZE_MIN);
    r->length = (uint8_t)(size - r->header);
    r->cpu = (uint16_t)(r->header2 >> BTRACE_CPU_SHIFT);
    r->part = (uint8_t)(r->header2 & BTRACE_PART_MASK);
    r->layout = btrace_sub_of(r->category, r->sub);
    return BTRACE_READ_OK;
}

static inline bool btrace_record_is_known_inline(const struct btrace_record *r)
{
    return r->layout || r->category >= BTRACE_PLATFORM_FIRST;
}

static inline bool btrace_record_is_plausible_inline(const struct btrace_record *r)
{
    if (r->header2 & BTRACE_HEADER2_RESERVED) {
        return false;
    }
    if (r->part != BTRACE_WHOLE && (!(r->flags & BTRACE_HAS_EXTRA) || r->length < 8)) {
        return false;
    }
    return btrace_record_is_known_inline(r);
}

#endif
