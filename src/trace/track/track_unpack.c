/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unpacks many numbers of a packed list. Eight numbers of any width fill whole bytes: each width
 * has its own loop over groups of eight, in which all offsets and shifts are constants.
 */
#include "trace/track/track_pack.h"

/* `bits` is a constant at every call. */
static inline uint32_t track_unpack_number_at(const uint8_t *bytes, uint32_t slot, uint32_t bits)
{
    uint32_t at = slot * bits;
    return (uint32_t)(tt_pack_word(bytes + at / 8) >> at % 8 & ((UINT64_C(1) << bits) - 1));
}

#define EIGHTS(bits)                                                                               \
    case bits:                                                                                     \
        for (; eights > 0; eights--, bytes += (bits), numbers += 8) {                              \
            numbers[0] = track_unpack_number_at(bytes, 0, bits);                                   \
            numbers[1] = track_unpack_number_at(bytes, 1, bits);                                   \
            numbers[2] = track_unpack_number_at(bytes, 2, bits);                                   \
            numbers[3] = track_unpack_number_at(bytes, 3, bits);                                   \
            numbers[4] = track_unpack_number_at(bytes, 4, bits);                                   \
            numbers[5] = track_unpack_number_at(bytes, 5, bits);                                   \
            numbers[6] = track_unpack_number_at(bytes, 6, bits);                                   \
            numbers[7] = track_unpack_number_at(bytes, 7, bits);                                   \
        }                                                                                          \
        break;
#define EIGHTS_4(bits) EIGHTS(bits) EIGHTS((bits) + 1) EIGHTS((bits) + 2) EIGHTS((bits) + 3)

static void unpack_eights(const uint8_t *bytes, uint32_t eights, uint32_t bits, uint32_t *numbers)
{
    switch (bits) {
        EIGHTS_4(0)
        EIGHTS_4(4)
        EIGHTS_4(8)
        EIGHTS_4(12)
        EIGHTS_4(16)
        EIGHTS_4(20)
        EIGHTS_4(24)
        EIGHTS_4(28)
        EIGHTS(32)
    default:
        break;
    }
}

void tt_unpack_numbers(const uint8_t *bytes, uint32_t count, uint32_t bits, uint32_t *numbers)
{
    unpack_eights(bytes, count / 8, bits, numbers);
    for (uint32_t i = count / 8 * 8; i < count; i++) {
        numbers[i] = tt_pack_number(bytes, i, bits);
    }
}

void tt_unpack_values(const struct tt_track_entry *entry, const uint8_t *bytes, uint32_t count,
                      uint32_t *values)
{
    tt_unpack_numbers(bytes + tt_pack_values_at(entry), count, entry->value_bits, values);
    if (entry->distinct == 0) {
        return;
    }
    uint32_t distinct[TT_TRACK_CHUNK] = {0};
    const uint8_t *head = bytes + tt_pack_distinct_at(entry);
    uint32_t origin = tt_pack_origin(head[1]);
    tt_unpack_numbers(head + TT_PACK_DISTINCT_HEAD, entry->distinct,
                      tt_pack_distinct_bits(entry, bytes), distinct);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = values[i] < entry->distinct ? values[i] : 0; /* larger if damaged */
        values[i] = origin + distinct[number];
    }
}
