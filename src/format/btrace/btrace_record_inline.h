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
static inline void btrace_take_header(struct btrace_record *record, const uint8_t *at)
{
    record->header2 = btrace_take_word(&at, record->flags, BTRACE_HAS_HEADER2);
    record->timestamp = btrace_take_word(&at, record->flags, BTRACE_HAS_TIMESTAMP);
    record->timestamp2 = btrace_take_word(&at, record->flags, BTRACE_HAS_TIMESTAMP2);
    record->context = btrace_take_word(&at, record->flags, BTRACE_HAS_CONTEXT);
    record->pc = record->extra = 0;
    if (record->flags & (BTRACE_HAS_PC | BTRACE_HAS_EXTRA)) {
        record->pc = btrace_take_word(&at, record->flags, BTRACE_HAS_PC);
        record->extra = btrace_take_word(&at, record->flags, BTRACE_HAS_EXTRA);
    }
    record->data = at;
}

static inline enum btrace_read btrace_record_read_inline(struct tt_bytes bytes, uint64_t pos,
                                                         struct btrace_record *record)
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
    record->pos = pos;
    record->size = size;
    record->flags = (uint8_t)(first >> 8);
    record->category = (uint8_t)(first >> 16);
    record->sub = (uint8_t)(first >> 24);
    record->header = (uint8_t)btrace_header_bytes(record->flags);
    if (record->header > size) {
        return BTRACE_READ_BAD;
    }
    if (rest < size) {
        return BTRACE_READ_PARTIAL;
    }
    btrace_take_header(record, start + BTRACE_SIZE_MIN);
    record->length = (uint8_t)(size - record->header);
    record->cpu = (uint16_t)(record->header2 >> BTRACE_CPU_SHIFT);
    record->part = (uint8_t)(record->header2 & BTRACE_PART_MASK);
    record->layout = btrace_sub_of(record->category, record->sub);
    return BTRACE_READ_OK;
}

static inline bool btrace_record_is_known_inline(const struct btrace_record *record)
{
    return record->layout || record->category >= BTRACE_PLATFORM_FIRST;
}

static inline bool btrace_record_is_plausible_inline(const struct btrace_record *record)
{
    if (record->header2 & BTRACE_HEADER2_RESERVED) {
        return false;
    }
    if (record->part != BTRACE_WHOLE &&
        (!(record->flags & BTRACE_HAS_EXTRA) || record->length < 8)) {
        return false;
    }
    return btrace_record_is_known_inline(record);
}

#endif
