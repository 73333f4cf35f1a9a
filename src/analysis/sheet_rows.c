/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_rows: packed rows of a sheet. A capture may have a million threads, and most values of most
 * rows equal those of an empty row: a packed row contains only the words that differ.
 *
 *      | one bit per word of    | each word that differs from the empty row's: 7 bits per  |
 *      | struct tt_stat_row     | byte, low bits first; a set top bit: more bytes follow   |
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sheet_internal.h"

#define ROW_WORDS  (sizeof(struct tt_stat_row) / sizeof(uint64_t))
#define MASK_BYTES ((ROW_WORDS + 7) / 8)
#define WORD_MOST  10 /* maximum bytes of a packed word */

_Static_assert(sizeof(struct tt_stat_row) % sizeof(uint64_t) == 0, "rows are words");

void tt_stat_row_clear(struct tt_stat_row *row)
{
    memset(row, 0, sizeof *row);
    row->thread = row->process = row->from = row->to = TT_NO_THREAD;
    row->cpu = TT_NO_CPU;
    row->priority = row->priority_min = row->priority_max = TT_NO_PRIORITY;
}

static size_t pack(const struct tt_stat_row *row, uint8_t *out)
{
    uint64_t words[ROW_WORDS], empty[ROW_WORDS];
    struct tt_stat_row none;
    size_t used = MASK_BYTES;
    tt_stat_row_clear(&none);
    memcpy(words, row, sizeof words);
    memcpy(empty, &none, sizeof empty);
    memset(out, 0, MASK_BYTES);
    for (size_t i = 0; i < ROW_WORDS; i++) {
        uint64_t word = words[i] ^ empty[i];
        if (word == 0) {
            continue;
        }
        out[i / 8] |= (uint8_t)(1u << (i % 8));
        for (; word > 0x7f; word >>= 7) {
            out[used++] = (uint8_t)(word | 0x80);
        }
        out[used++] = (uint8_t)word;
    }
    return used;
}

void tt_stat_row_at(const struct tt_stat_sheet *sheet, size_t index, struct tt_stat_row *row)
{
    const uint8_t *mask = sheet->rows[index], *at = mask + MASK_BYTES;
    uint64_t words[ROW_WORDS];
    tt_stat_row_clear(row);
    memcpy(words, row, sizeof words);
    for (size_t i = 0; i < ROW_WORDS; i++) {
        unsigned shift = 0;
        if (!((unsigned)mask[i / 8] >> (i % 8) & 1u)) {
            continue;
        }
        for (; *at > 0x7f; shift += 7) {
            words[i] ^= (*at++ & UINT64_C(0x7f)) << shift;
        }
        words[i] ^= (uint64_t)*at++ << shift;
    }
    memcpy(row, words, sizeof words);
}

bool tt_stat_builder_put(struct tt_stat_builder *m, size_t index, const struct tt_stat_row *row)
{
    uint8_t packed[MASK_BYTES + ROW_WORDS * WORD_MOST];
    size_t size = pack(row, packed);
    uint8_t *kept = tt_arena_bytes(&m->packed, size);
    if (kept) {
        memcpy(kept, packed, size);
        m->sheet->rows[index] = kept;
    }
    return kept != NULL;
}

bool tt_stat_builder_add(struct tt_stat_builder *m, const struct tt_stat_row *row)
{
    return tt_stat_builder_put(m, m->sheet->count, row) && ++m->sheet->count > 0;
}

bool tt_stat_builder_reserve(struct tt_stat_builder *m, size_t count)
{
    tt_stat_builder_free_rows(m);
    m->sheet->rows = calloc(count ? count : 1, sizeof *m->sheet->rows);
    return m->sheet->rows != NULL;
}

void tt_stat_builder_free_rows(struct tt_stat_builder *m)
{
    free(m->sheet->rows);
    m->sheet->rows = NULL;
    m->sheet->count = 0;
    tt_arena_free(&m->packed);
}
