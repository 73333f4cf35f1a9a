/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_resync: checks whether records are sound: the type is known, the reserved bits are zero, and
 * the atoms fill exactly the words.
 */
#include "format/fxt/fxt_record.h"

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

uint32_t tt_fxt_sound_record(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                             struct tt_fxt_view *view)
{
    uint64_t header = tt_load_u64(bytes + pos, big);
    uint32_t words = tt_fxt_claimed_words(header);
    if (!tt_fxt_header_plausible(header) || words > (limit - pos) / 8) {
        return 0;
    }
    struct tt_fxt_record record = {bytes + pos, pos, words, big};
    tt_fxt_parse(&record, tt_fxt_layout_of(header), view);
    return view->whole && view->end == words ? words : 0;
}

uint32_t tt_fxt_count_valid(const uint8_t *bytes, uint64_t pos, uint64_t limit, bool big,
                            uint32_t most)
{
    uint32_t count = 0;
    while (count < most && limit - pos >= 8) {
        struct tt_fxt_view view;
        uint32_t words = tt_fxt_sound_record(bytes, pos, limit, big, &view);
        if (words == 0) {
            break;
        }
        pos += (uint64_t)words * 8;
        count++;
    }
    return count;
}
