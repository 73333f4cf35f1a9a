/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash: a table from 64-bit hashes (XXH3) to 32-bit numbers; open addressing, without removal.
 *
 * The table stores only half of the hash and the number: numbers of other keys are found as well,
 * and the caller compares the key of the number:
 *
 *      struct tt_probe probe;
 *      for (uint32_t n = tt_hash_first(&table, hash, &probe); n != TT_HASH_NONE;
 *           n = tt_hash_next(&table, &probe)) { if (equal(n)) ... }
 *
 * Lookups are O(1). One writer; readers only while it does not write (callers lock).
 */
#ifndef TT_BASE_HASH_H
#define TT_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_HASH_NONE UINT32_MAX

struct tt_hash_slot {
    uint32_t hash;   /* low half of the key's hash */
    uint32_t number; /* TT_HASH_NONE: free */
};

struct tt_hash {
    struct tt_hash_slot *slots;
    size_t capacity; /* a power of two, or 0 */
    size_t used;
};

struct tt_probe {
    uint32_t hash;
    size_t at;
};

uint64_t tt_hash_of(const void *bytes, size_t length);
uint64_t tt_hash_of_pair(uint64_t a, uint64_t b);

uint32_t tt_hash_first(const struct tt_hash *table, uint64_t hash, struct tt_probe *probe);
uint32_t tt_hash_next(const struct tt_hash *table, struct tt_probe *probe);
/* Adds a number. Returns false if out of memory. */
bool tt_hash_add(struct tt_hash *table, uint64_t hash, uint32_t number);
/* Removes all entries and keeps the memory. */
void tt_hash_clear(struct tt_hash *table);
void tt_hash_free(struct tt_hash *table);

#endif
