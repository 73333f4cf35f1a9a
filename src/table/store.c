/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store: packed rows of a run. A capture may have a million threads, and most values of most
 * rows equal those of an empty row: a packed row contains only the words that differ.
 *
 *      | groups            | words                 | values                                |
 *      | one bit per group | one bit per word, for | each word that differs from the empty |
 *      | of 8 words        | each group with a bit | row's: 7 bits per byte, low bits      |
 *      |                   |                       | first; a set top bit: more follow     |
 */
#include "table/store.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MOST  (sizeof(struct tt_table_row) / sizeof(uint64_t))
#define GROUPS_MOST ((WORDS_MOST + 7) / 8)
#define MASK_MOST   ((GROUPS_MOST + 7) / 8)
#define WORD_MOST   10 /* maximum bytes of a packed word */
#define PACKED_MOST (MASK_MOST + GROUPS_MOST + WORDS_MOST * WORD_MOST)

/* ---- one row ------------------------------------------------------------------------------ */

static size_t groups_of(const struct tt_table *table)
{
    return (table->row_size / sizeof(uint64_t) + 7) / 8;
}

static size_t mask_bytes_of(const struct tt_table *table)
{
    return (groups_of(table) + 7) / 8;
}

void tt_table_clear_row(const struct tt_table *table, void *row)
{
    memset(row, 0, table->row_size);
    if (table->clear) {
        table->clear(row);
    }
}

static bool store_has_bit(const uint8_t *mask, size_t i)
{
    return (unsigned)mask[i / 8] >> (i % 8) & 1u;
}

void tt_table_unpack(const struct tt_table *table, const uint8_t *packed, void *row)
{
    const uint8_t *at = packed + mask_bytes_of(table);
    uint8_t groups[GROUPS_MOST];
    tt_table_clear_row(table, row);
    for (size_t g = 0; g < groups_of(table); g++) {
        groups[g] = store_has_bit(packed, g) ? *at++ : 0;
    }
    for (size_t g = 0; g < groups_of(table); g++) {
        char *words = (char *)row + 8 * g * sizeof(uint64_t);
        for (unsigned bits = groups[g]; bits != 0; bits >>= 1, words += sizeof(uint64_t)) {
            if (bits & 1u) {
                uint64_t word, byte;
                unsigned shift = 0;
                memcpy(&word, words, sizeof word);
                do {
                    byte = *at++;
                    word ^= (byte & 0x7f) << shift;
                    shift += 7;
                } while (byte > 0x7f);
                memcpy(words, &word, sizeof word);
            }
        }
    }
}

void tt_table_row_at(const struct tt_table_run *run, size_t index, void *row)
{
    tt_table_unpack(run->table, run->rows[index], row);
}

/* ---- rows of a run ------------------------------------------------------------------------ */

/* Returns a packed copy of a row; NULL if out of memory. */
static const uint8_t *packed_copy(const struct tt_table *table, struct tt_arena *arena,
                                  const void *row)
{
    uint8_t packed[PACKED_MOST];

    uint64_t words[WORDS_MOST], empty[WORDS_MOST];
    uint8_t groups[GROUPS_MOST] = {0};
    size_t count = table->row_size / sizeof(uint64_t), size = mask_bytes_of(table);
    memcpy(words, row, table->row_size);
    tt_table_clear_row(table, empty);
    for (size_t i = 0; i < count; i++) {
        words[i] ^= empty[i];
        groups[i / 8] |= (uint8_t)((words[i] != 0) << (i % 8));
    }
    memset(packed, 0, size);
    for (size_t g = 0; g < groups_of(table); g++) {
        if (groups[g] != 0) {
            packed[g / 8] |= (uint8_t)(1u << (g % 8));
            packed[size++] = groups[g];
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t word = words[i];
        for (; word > 0x7f; word >>= 7) {
            packed[size++] = (uint8_t)(word | 0x80);
        }
        if (store_has_bit(groups, i)) {
            packed[size++] = (uint8_t)word;
        }
    }

    uint8_t *kept = tt_arena_bytes(arena, size);
    if (kept) {
        memcpy(kept, packed, size);
    }
    return kept;
}

bool tt_table_put(struct tt_table_run *run, size_t index, const void *row)
{
    const uint8_t *kept = packed_copy(run->table, &run->store->packed, row);
    run->rows[index] = kept ? kept : run->rows[index];
    return kept != NULL;
}

bool tt_table_add(struct tt_table_run *run, const void *row)
{
    return tt_table_put(run, run->count, row) && ++run->count > 0;
}

bool tt_table_add_new(struct tt_table_run *run, const void *row)
{
    struct tt_table_store *store = run->store;
    const uint8_t *kept = packed_copy(run->table, &store->new_packed, row);
    store->new_rows[store->new_count] = kept;
    store->new_count += kept != NULL;
    return kept != NULL;
}

bool tt_table_reserve_new(struct tt_table_run *run, size_t count)
{
    run->store->new_rows = calloc(count ? count : 1, sizeof *run->store->new_rows);
    run->store->new_count = 0;
    return run->store->new_rows != NULL;
}

/* Removes the rows of the run; the memory of held ones stays. */
static void retire_rows(struct tt_table_run *run)
{
    struct tt_table_store *store = run->store;
    free(run->rows);
    run->rows = NULL;
    run->count = 0;
    if (store->holds) {
        store->holds = false;
        store->held = store->packed;
        store->packed = (struct tt_arena){0};
    } else {
        tt_arena_free(&store->packed);
    }
}

void tt_table_hold(struct tt_table_run *run)
{
    tt_arena_free(&run->store->held);
    run->store->held = (struct tt_arena){0};
    run->store->holds = true;
}

void tt_table_use_new(struct tt_table_run *run)
{
    struct tt_table_store *store = run->store;
    retire_rows(run);
    run->rows = store->new_rows;
    run->count = store->new_count;
    store->packed = store->new_packed;
    store->new_packed = (struct tt_arena){0};
    store->new_rows = NULL;
}

void tt_table_free_new(struct tt_table_run *run)
{
    free(run->store->new_rows);
    run->store->new_rows = NULL;
    tt_arena_free(&run->store->new_packed);
}

bool tt_table_reserve(struct tt_table_run *run, size_t count)
{
    retire_rows(run);
    run->rows = calloc(count ? count : 1, sizeof *run->rows);
    return run->rows != NULL;
}

void tt_table_store_free(struct tt_table_run *run)
{
    run->store->holds = false;
    retire_rows(run);
    tt_arena_free(&run->store->held);
    tt_table_free_new(run);
    free(run->store);
}
