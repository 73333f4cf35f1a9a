/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_record.h"

#include "format/btrace/btrace_tables.h"

enum {
    FLAG_WORDS = 6,
    PART_MASK = 3,
    CPU_SHIFT = 20,
    /* Header2 has only the part in its low and the CPU in its high bits. */
    HEADER2_RESERVED = 0x000ffffc,
    ALIGNED_CHAIN = 4,
    UNALIGNED_CHAIN = 8,
};

static unsigned extension_words(uint8_t flags)
{
    unsigned words = 0;
    for (unsigned bit = 0; bit < FLAG_WORDS; bit++) {
        words += (unsigned)flags >> bit & 1u;
    }
    return words;
}

static uint32_t take_word(const uint8_t **at, uint8_t flags, uint8_t flag)
{
    if (!(flags & flag)) {
        return 0;
    }
    uint32_t word = tt_load_u32(*at, false);
    *at += 4;
    return word;
}

enum btrace_read btrace_record_read(struct tt_bytes bytes, uint64_t pos, struct btrace_record *r)
{
    if (pos >= bytes.size) {
        return BTRACE_READ_END;
    }
    const uint8_t *start = bytes.data + pos;
    if (start[0] < BTRACE_SIZE_MIN || start[0] > BTRACE_SIZE_MAX) {
        return BTRACE_READ_BAD;
    }
    if (!tt_bytes_has(bytes, pos, BTRACE_SIZE_MIN)) {
        return BTRACE_READ_PARTIAL;
    }
    r->pos = pos;
    r->size = start[0];
    r->flags = start[1];
    r->category = start[2];
    r->sub = start[3];
    r->header = (uint8_t)(BTRACE_SIZE_MIN + 4 * extension_words(r->flags));
    if (r->header > r->size) {
        return BTRACE_READ_BAD;
    }
    if (!tt_bytes_has(bytes, pos, r->size)) {
        return BTRACE_READ_PARTIAL;
    }
    const uint8_t *at = start + BTRACE_SIZE_MIN;
    r->header2 = take_word(&at, r->flags, BTRACE_HAS_HEADER2);
    r->timestamp = take_word(&at, r->flags, BTRACE_HAS_TIMESTAMP);
    r->timestamp2 = take_word(&at, r->flags, BTRACE_HAS_TIMESTAMP2);
    r->context = take_word(&at, r->flags, BTRACE_HAS_CONTEXT);
    r->pc = take_word(&at, r->flags, BTRACE_HAS_PC);
    r->extra = take_word(&at, r->flags, BTRACE_HAS_EXTRA);
    r->data = at;
    r->length = (uint8_t)(r->size - r->header);
    r->cpu = (uint16_t)(r->header2 >> CPU_SHIFT);
    r->part = (uint8_t)(r->header2 & PART_MASK);
    r->layout = btrace_sub_of(r->category, r->sub);
    return BTRACE_READ_OK;
}

bool btrace_record_is_known(const struct btrace_record *r)
{
    return r->layout || r->category >= BTRACE_PLATFORM_FIRST;
}

bool btrace_record_is_plausible(const struct btrace_record *r)
{
    if (r->header2 & HEADER2_RESERVED) {
        return false;
    }
    if (r->part != BTRACE_WHOLE && (!(r->flags & BTRACE_HAS_EXTRA) || r->length < 8)) {
        return false;
    }
    return btrace_record_is_known(r);
}

enum chain { CHAIN_BROKEN, CHAIN_GOOD, CHAIN_TOO_SHORT };

/* Checks a chain of `wanted` records; at the end of a file that does not grow, of fewer. */
static enum chain check_chain(struct tt_bytes bytes, uint64_t pos, uint8_t stream_flags,
                              unsigned wanted, bool final)
{
    const unsigned min = wanted / ALIGNED_CHAIN;
    struct btrace_record r;
    for (unsigned i = 0; i < wanted; i++) {
        switch (btrace_record_read(bytes, pos, &r)) {
        case BTRACE_READ_END:
        case BTRACE_READ_PARTIAL:
            return final && i >= min ? CHAIN_GOOD : CHAIN_TOO_SHORT;
        case BTRACE_READ_BAD:
            return CHAIN_BROKEN;
        case BTRACE_READ_OK:
            break;
        }
        if ((r.flags & BTRACE_STREAM_FLAGS) != stream_flags || !btrace_record_is_plausible(&r)) {
            return CHAIN_BROKEN;
        }
        pos = btrace_record_next(&r);
    }
    return CHAIN_GOOD;
}

bool btrace_record_recover(struct tt_bytes bytes, uint64_t from, uint64_t *resume,
                           uint8_t stream_flags, bool final, uint64_t *found)
{
    for (; *resume < bytes.size; (*resume)++) {
        unsigned wanted = (*resume - from) % 4 == 0 ? ALIGNED_CHAIN : UNALIGNED_CHAIN;
        enum chain chain = check_chain(bytes, *resume, stream_flags, wanted, final);
        if (chain == CHAIN_GOOD) {
            *found = *resume;
            return true;
        }
        if (chain == CHAIN_TOO_SHORT && !final) {
            return false; /* undecided without more bytes */
        }
    }
    return false;
}
