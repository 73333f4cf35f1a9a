/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_record.h"

#include "format/btrace/btrace_record_inline.h"

enum {
    ALIGNED_CHAIN = 4,
    UNALIGNED_CHAIN = 8,
};

enum btrace_read btrace_record_read(struct tt_bytes bytes, uint64_t pos, struct btrace_record *r)
{
    return btrace_record_read_inline(bytes, pos, r);
}

bool btrace_record_is_known(const struct btrace_record *r)
{
    return btrace_record_is_known_inline(r);
}

bool btrace_record_is_plausible(const struct btrace_record *r)
{
    return btrace_record_is_plausible_inline(r);
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
