/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_rows: packed rows of a sheet. A capture may have a million threads, and most values of most
 * rows equal those of an empty row: a packed row contains only the words that differ.
 *
 *      | groups            | words                 | values                                |
 *      | one bit per group | one bit per word, for | each word that differs from the empty |
 *      | of 8 words        | each group with a bit | row's: 7 bits per byte, low bits      |
 *      |                   |                       | first; a set top bit: more follow     |
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sheet/sheet_internal.h"

#define ROW_WORDS   (sizeof(struct tt_stat_row) / sizeof(uint64_t))
#define GROUPS      ((ROW_WORDS + 7) / 8)
#define MASK_BYTES  ((GROUPS + 7) / 8)
#define PACKED_MOST (MASK_BYTES + GROUPS + ROW_WORDS * WORD_MOST)
#define WORD_MOST   10 /* maximum bytes of a packed word */

_Static_assert(sizeof(struct tt_stat_row) % sizeof(uint64_t) == 0, "rows are words");

void tt_stat_row_clear(struct tt_stat_row *row)
{
    memset(row, 0, sizeof *row);
    row->thread = row->process = row->from = row->to = row->peer = TT_NO_THREAD;
    row->cpu = TT_NO_CPU;
    row->channel = TT_STAT_NONE;
    row->priority = row->priority_min = row->priority_max = TT_NO_PRIORITY;
}

static bool has_bit(const uint8_t *mask, size_t i)
{
    return (unsigned)mask[i / 8] >> (i % 8) & 1u;
}

static size_t pack(const struct tt_stat_row *row, uint8_t *out)
{
    uint64_t words[ROW_WORDS], empty[ROW_WORDS];
    struct tt_stat_row none;
    uint8_t groups[GROUPS] = {0};
    size_t used = MASK_BYTES;
    tt_stat_row_clear(&none);
    memcpy(words, row, sizeof words);
    memcpy(empty, &none, sizeof empty);
    for (size_t i = 0; i < ROW_WORDS; i++) {
        words[i] ^= empty[i];
        groups[i / 8] |= (uint8_t)((words[i] != 0) << (i % 8));
    }
    memset(out, 0, MASK_BYTES);
    for (size_t g = 0; g < GROUPS; g++) {
        if (groups[g] != 0) {
            out[g / 8] |= (uint8_t)(1u << (g % 8));
            out[used++] = groups[g];
        }
    }
    for (size_t i = 0; i < ROW_WORDS; i++) {
        uint64_t word = words[i];
        for (; word > 0x7f; word >>= 7) {
            out[used++] = (uint8_t)(word | 0x80);
        }
        if (has_bit(groups, i)) {
            out[used++] = (uint8_t)word;
        }
    }
    return used;
}

static uint64_t unpack_word(const uint8_t **at)
{
    uint64_t word = 0, byte;
    unsigned shift = 0;
    do {
        byte = *(*at)++;
        word |= (byte & 0x7f) << shift;
        shift += 7;
    } while (byte > 0x7f);
    return word;
}

void tt_stat_row_unpack(const uint8_t *packed, struct tt_stat_row *row)
{
    const uint8_t *at = packed + MASK_BYTES;
    uint8_t groups[GROUPS];
    tt_stat_row_clear(row);
    for (size_t g = 0; g < GROUPS; g++) {
        groups[g] = has_bit(packed, g) ? *at++ : 0;
    }
    for (size_t g = 0; g < GROUPS; g++) {
        char *words = (char *)row + 8 * g * sizeof(uint64_t);
        for (unsigned bits = groups[g]; bits != 0; bits >>= 1, words += sizeof(uint64_t)) {
            if (bits & 1u) {
                uint64_t word;
                memcpy(&word, words, sizeof word);
                word ^= unpack_word(&at);
                memcpy(words, &word, sizeof word);
            }
        }
    }
}

void tt_stat_row_at(const struct tt_stat_sheet *sheet, size_t index, struct tt_stat_row *row)
{
    tt_stat_row_unpack(sheet->rows[index], row);
}

/* Returns a packed copy of a row; NULL if out of memory. */
static const uint8_t *packed_copy(struct tt_arena *arena, const struct tt_stat_row *row)
{
    uint8_t packed[PACKED_MOST];
    size_t size = pack(row, packed);
    uint8_t *kept = tt_arena_bytes(arena, size);
    if (kept) {
        memcpy(kept, packed, size);
    }
    return kept;
}

bool tt_stat_builder_put(struct tt_stat_builder *m, size_t index, const struct tt_stat_row *row)
{
    const uint8_t *kept = packed_copy(&m->packed, row);
    m->sheet->rows[index] = kept ? kept : m->sheet->rows[index];
    return kept != NULL;
}

bool tt_stat_builder_add(struct tt_stat_builder *m, const struct tt_stat_row *row)
{
    return tt_stat_builder_put(m, m->sheet->count, row) && ++m->sheet->count > 0;
}

bool tt_stat_builder_add_new(struct tt_stat_builder *m, const struct tt_stat_row *row)
{
    const uint8_t *kept = packed_copy(&m->new_packed, row);
    m->new_rows[m->new_count] = kept;
    m->new_count += kept != NULL;
    return kept != NULL;
}

bool tt_stat_builder_reserve_new(struct tt_stat_builder *m, size_t count)
{
    m->new_rows = calloc(count ? count : 1, sizeof *m->new_rows);
    m->new_count = 0;
    return m->new_rows != NULL;
}

/* Removes the rows of the sheet; the memory of held ones stays. */
static void retire_rows(struct tt_stat_builder *m)
{
    free(m->sheet->rows);
    m->sheet->rows = NULL;
    m->sheet->count = 0;
    if (m->holds) {
        m->holds = false;
        m->held = m->packed;
        m->packed = (struct tt_arena){0};
    } else {
        tt_arena_free(&m->packed);
    }
}

void tt_stat_sheet_hold(struct tt_stat_sheet *sheet)
{
    tt_arena_free(&sheet->builder->held);
    sheet->builder->held = (struct tt_arena){0};
    sheet->builder->holds = true;
}

void tt_stat_builder_use_new(struct tt_stat_builder *m)
{
    retire_rows(m);
    m->sheet->rows = m->new_rows;
    m->sheet->count = m->new_count;
    m->packed = m->new_packed;
    m->new_packed = (struct tt_arena){0};
    m->new_rows = NULL;
}

void tt_stat_builder_free_new(struct tt_stat_builder *m)
{
    free(m->new_rows);
    m->new_rows = NULL;
    tt_arena_free(&m->new_packed);
}

bool tt_stat_builder_reserve(struct tt_stat_builder *m, size_t count)
{
    retire_rows(m);
    m->sheet->rows = calloc(count ? count : 1, sizeof *m->sheet->rows);
    return m->sheet->rows != NULL;
}

void tt_stat_builder_free_rows(struct tt_stat_builder *m)
{
    m->holds = false;
    retire_rows(m);
    tt_arena_free(&m->held);
}
