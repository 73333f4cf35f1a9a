/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_set: a hash table of 32-bit numbers only, 8 to 16 bytes each. The owner of the table has the
 * keys: it compares them, and recomputes their hashes when the table grows:
 *
 *      struct tt_hash_set_probe probe;
 *      for (uint32_t n = tt_numbers_first(&table, hash, &probe); n != TT_NUMBERS_NONE;
 *           n = tt_numbers_next(&table, &probe)) { if (is_it(n)) ... }
 *
 * For tables with too many keys for hash.h, which uses more memory. A probe also returns neighbours
 * with other hashes: compare the whole key. One writer; readers only while it does not write.
 */
#ifndef TRACETUI_BASE_HASH_SET_H
#define TRACETUI_BASE_HASH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_NUMBERS_NONE UINT32_MAX

struct tt_numbers {
    uint32_t *slots; /* TT_NUMBERS_NONE: free */
    size_t capacity; /* a power of two, or 0 */
    size_t used;
};

struct tt_hash_set_probe {
    size_t at;
};

/* Returns the hash of a number's key. */
typedef uint64_t tt_numbers_hash(const void *owner, uint32_t number);

/* Makes room for one more number. Returns false if out of memory. */
bool tt_numbers_reserve(struct tt_numbers *table, tt_numbers_hash *hash_of, const void *owner);
/* Adds a number; tt_numbers_reserve must have succeeded. */
void tt_numbers_put(struct tt_numbers *table, uint64_t hash, uint32_t number);
/* Replaces `number` by `by`. */
void tt_numbers_replace(struct tt_numbers *table, uint64_t hash, uint32_t number, uint32_t by);
void tt_numbers_free(struct tt_numbers *table);

static inline uint32_t tt_numbers_first(const struct tt_numbers *table, uint64_t hash,
                                        struct tt_hash_set_probe *probe)
{
    probe->at = table->capacity > 0 ? (size_t)hash & (table->capacity - 1) : 0;
    return table->capacity > 0 ? table->slots[probe->at] : TT_NUMBERS_NONE;
}

static inline uint32_t tt_numbers_next(const struct tt_numbers *table,
                                       struct tt_hash_set_probe *probe)
{
    probe->at = (probe->at + 1) & (table->capacity - 1);
    return table->slots[probe->at];
}

#endif
