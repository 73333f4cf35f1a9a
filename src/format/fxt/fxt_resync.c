/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_resync: finds the next sound records after a record with a wrong size. A record is sound if
 * its type is known, the reserved bits are zero, and its atoms fill exactly its words.
 */
#include "format/fxt/fxt_record.h"

#define CHAIN_RECORDS 4
/* A chain that ends with the file may be shorter, but a single small record proves nothing. */
#define CHAIN_WORDS_AT_END 4
/* Records of unknown type in a row that are accepted. */
#define UNKNOWN_STEPS 8

bool tt_fxt_header_plausible(uint64_t header)
{
    const struct tt_fxt_layout *layout = tt_fxt_layout_of(header);
    if (!layout || tt_fxt_claimed_words(header) == 0 || (header & layout->reserved) != 0 ||
        layout->does == TT_FXT_DOES_UNKNOWN_EVENT) {
        return false;
    }
    bool magic = (header & UINT64_C(0xf000f)) == (TT_FXT_MAGIC & UINT64_C(0xf000f));
    return !magic || header == TT_FXT_MAGIC;
}

bool tt_fxt_record_may_follow(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                              bool *guessed)
{
    for (unsigned steps = 0; steps < UNKNOWN_STEPS; steps++) {
        if (limit - pos < 8) {
            *guessed = true;
            break;
        }
        uint64_t header = tt_load_u64(bytes + pos, big);
        uint32_t words = tt_fxt_claimed_words(header);
        if (tt_fxt_layout_of(header)) {
            return tt_fxt_header_plausible(header);
        }
        if (words == 0 || words > (limit - pos) / 8) {
            *guessed = *guessed || words != 0;
            return false;
        }
        pos += (uint64_t)words * 8;
    }
    return true;
}

/* Returns the words of the sound record at `pos`, or 0. */
static uint32_t sound_record(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big)
{
    uint64_t header = tt_load_u64(bytes + pos, big);
    uint32_t words = tt_fxt_claimed_words(header);
    if (!tt_fxt_header_plausible(header) || words > (limit - pos) / 8) {
        return 0;
    }
    struct tt_fxt_record record = {bytes + pos, pos, words, big};
    struct tt_fxt_view view;
    tt_fxt_parse(&record, tt_fxt_layout_of(header), &view);
    return view.whole && view.end == words ? words : 0;
}

uint32_t tt_fxt_count_valid(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                            uint32_t most)
{
    uint32_t count = 0;
    while (count < most && limit - pos >= 8) {
        uint32_t words = sound_record(bytes, pos, limit, big);
        if (words == 0) {
            break;
        }
        pos += (uint64_t)words * 8;
        count++;
    }
    return count;
}

static enum tt_fxt_resync try_chain(const uint8_t *bytes, uint64_t from, uint64_t limit, bool final,
                                    bool big, bool *guessed)
{
    uint64_t pos = from;
    for (uint32_t count = 0; count < CHAIN_RECORDS; count++) {
        if (limit - pos < 8) {
            bool enough = final && pos - from >= CHAIN_WORDS_AT_END * 8;
            return enough  ? TT_FXT_RESYNC_FOUND
                   : final ? TT_FXT_RESYNC_NONE
                           : TT_FXT_RESYNC_UNDECIDED;
        }
        uint64_t header = tt_load_u64(bytes + pos, big);
        bool overruns = tt_fxt_claimed_words(header) > (limit - pos) / 8;
        if (overruns && count > 0 && tt_fxt_header_plausible(header)) {
            bool enough = pos - from >= CHAIN_WORDS_AT_END * 8;
            return !final   ? TT_FXT_RESYNC_UNDECIDED
                   : enough ? TT_FXT_RESYNC_FOUND /* the file ends inside the next record */
                            : TT_FXT_RESYNC_NONE;
        }
        *guessed = *guessed || (overruns && tt_fxt_header_plausible(header));
        uint32_t words = sound_record(bytes, pos, limit, big);
        if (words == 0) {
            return TT_FXT_RESYNC_NONE;
        }
        pos += (uint64_t)words * 8;
    }
    return TT_FXT_RESYNC_FOUND;
}

enum tt_fxt_resync tt_fxt_resync(const uint8_t *bytes, uint64_t *pos, uint64_t limit, bool final,
                                 bool big, bool *guessed)
{
    while (*pos <= limit && limit - *pos >= 8) {
        enum tt_fxt_resync result = try_chain(bytes, *pos, limit, final, big, guessed);
        if (result != TT_FXT_RESYNC_NONE) {
            return result;
        }
        *pos += 8;
    }
    return final ? TT_FXT_RESYNC_NONE : TT_FXT_RESYNC_UNDECIDED;
}
