/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/zero_pack.h"

#include <stdlib.h>
#include <string.h>

#define WORD 8u

void tt_zero_pack_put(struct tt_section_writer *w, struct tt_bytes bytes)
{
    tt_section_put_u64(w, bytes.size);
    for (uint64_t at = 0; at < bytes.size && !tt_section_failed(w); at += WORD) {
        uint64_t left = bytes.size - at;
        uint8_t out[1 + WORD] = {0};
        uint32_t used = 1;
        for (uint32_t i = 0; i < WORD && i < left; i++) {
            if (bytes.data[at + i] != 0) {
                out[0] |= (uint8_t)(1u << i);
                out[used++] = bytes.data[at + i];
            }
        }
        tt_section_put(w, out, used);
    }
}

/* Unpacks whole words; returns false unless the packed bytes are exactly those of the words. */
static bool unpack(struct tt_bytes packed, uint8_t *words, uint64_t count)
{
    uint64_t at = sizeof(uint64_t);
    for (uint64_t word = 0; word < count; word++, words += WORD) {
        uint8_t mask = at < packed.size ? packed.data[at++] : 0xff;
        for (uint32_t i = 0; i < WORD; i++) {
            if (mask >> i & 1) {
                if (at >= packed.size) {
                    return false;
                }
                words[i] = packed.data[at++];
            }
        }
    }
    return at == packed.size;
}

uint8_t *tt_zero_unpack(struct tt_bytes packed, uint64_t *size)
{
    uint64_t unpacked;
    if (packed.size < sizeof unpacked) {
        return NULL;
    }
    memcpy(&unpacked, packed.data, sizeof unpacked);
    uint64_t count = unpacked / WORD + (unpacked % WORD > 0);
    if (count > packed.size - sizeof unpacked || count > SIZE_MAX / WORD - 1) {
        return NULL;
    }
    uint8_t *words = calloc((size_t)count + 1, WORD);
    if (words && !unpack(packed, words, count)) {
        free(words);
        return NULL;
    }
    *size = unpacked;
    return words;
}
