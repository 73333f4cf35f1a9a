/* SPDX-License-Identifier: Apache-2.0 */
/* record_set: the records of an excerpt, as bits. */
#include "format/record_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#define CHUNK_UNITS 65536u
#define CHUNK_WORDS (CHUNK_UNITS / 64)

void tt_record_set_make(struct tt_record_set *set, uint64_t base, uint32_t unit)
{
    *set = (struct tt_record_set){.base = base, .unit = unit};
}

void tt_record_set_free(struct tt_record_set *set)
{
    for (uint64_t i = 0; i < set->chunk_count; i++) {
        free(set->chunks[i]);
    }
    free(set->chunks);
    set->chunks = NULL;
    set->chunk_count = 0;
    set->count = 0;
}

/* Makes room for a chunk number. */
static bool record_set_has_room(struct tt_record_set *set, uint64_t chunk)
{
    if (chunk < set->chunk_count) {
        return true;
    }
    uint64_t count = chunk + 1 > 2 * set->chunk_count ? chunk + 1 : 2 * set->chunk_count;
    if (count > SIZE_MAX / sizeof *set->chunks) {
        return false;
    }
    uint64_t **chunks = realloc(set->chunks, (size_t)count * sizeof *chunks);
    if (!chunks) {
        return false;
    }
    memset(chunks + set->chunk_count, 0, (size_t)(count - set->chunk_count) * sizeof *chunks);
    set->chunks = chunks;
    set->chunk_count = count;
    return true;
}

/* Returns whether a record can begin at an offset; *index is the number of its unit. */
static bool is_unit(const struct tt_record_set *set, uint64_t offset, uint64_t *index)
{
    *index = offset < set->base ? 0 : (offset - set->base) / set->unit;
    return offset >= set->base && (offset - set->base) % set->unit == 0;
}

bool tt_record_set_add(struct tt_record_set *set, uint64_t offset)
{
    uint64_t index;
    if (!is_unit(set, offset, &index)) {
        return true;
    }
    uint64_t chunk = index / CHUNK_UNITS;
    if (!record_set_has_room(set, chunk)) {
        return false;
    }
    if (!set->chunks[chunk]) {
        set->chunks[chunk] = calloc(CHUNK_WORDS, sizeof **set->chunks);
    }
    uint64_t *words = set->chunks[chunk];
    if (!words) {
        return false;
    }
    uint64_t *word = &words[index % CHUNK_UNITS / 64], bit = UINT64_C(1) << (index % 64);
    set->count += (*word & bit) == 0;
    *word |= bit;
    return true;
}

bool tt_record_set_has(const struct tt_record_set *set, uint64_t offset)
{
    uint64_t index;
    if (!is_unit(set, offset, &index) || index / CHUNK_UNITS >= set->chunk_count) {
        return false;
    }
    const uint64_t *words = set->chunks[index / CHUNK_UNITS];
    return words && tt_bit_at(words, index % CHUNK_UNITS);
}

/* Finds the first bit at or after `unit` of a chunk. */
static bool next_in_chunk(const uint64_t *words, uint32_t unit, uint32_t *found)
{
    for (uint32_t i = unit / 64; i < CHUNK_WORDS; i++) {
        uint64_t word = i == unit / 64 ? words[i] & UINT64_MAX << (unit % 64) : words[i];
        if (word != 0) {
            *found = 64 * i + (uint32_t)tt_lowest_bit(word);
            return true;
        }
    }
    return false;
}

bool tt_record_set_next(const struct tt_record_set *set, uint64_t *offset)
{
    uint64_t index = *offset <= set->base ? 0 : (*offset - set->base + set->unit - 1) / set->unit;
    uint32_t unit = (uint32_t)(index % CHUNK_UNITS), found;
    for (uint64_t chunk = index / CHUNK_UNITS; chunk < set->chunk_count; chunk++, unit = 0) {
        if (set->chunks[chunk] && next_in_chunk(set->chunks[chunk], unit, &found)) {
            *offset = set->base + (chunk * CHUNK_UNITS + found) * set->unit;
            return true;
        }
    }
    return false;
}
