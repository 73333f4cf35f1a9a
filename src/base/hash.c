/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <stdlib.h>

/* Inlined: for a pair of numbers a call takes as long as the hash. */
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t tt_hash_of(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

uint64_t tt_hash_of_pair(uint64_t a, uint64_t b)
{
    uint64_t pair[2] = {a, b};
    return XXH3_64bits(pair, sizeof pair);
}

static uint32_t probe_from(const struct tt_hash *table, struct tt_probe *probe)
{
    size_t mask = table->capacity - 1;
    for (size_t at = probe->at;; at = (at + 1) & mask) {
        const struct tt_hash_slot *slot = &table->slots[at & mask];
        if (slot->number == TT_HASH_NONE) {
            return TT_HASH_NONE;
        }
        if (slot->hash == probe->hash) {
            probe->at = at & mask;
            return slot->number;
        }
    }
}

uint32_t tt_hash_first(const struct tt_hash *table, uint64_t hash, struct tt_probe *probe)
{
    if (table->capacity == 0) {
        return TT_HASH_NONE;
    }
    probe->hash = (uint32_t)hash;
    probe->at = (size_t)hash & (table->capacity - 1);
    return probe_from(table, probe);
}

uint32_t tt_hash_next(const struct tt_hash *table, struct tt_probe *probe)
{
    probe->at = (probe->at + 1) & (table->capacity - 1);
    return probe_from(table, probe);
}

static void hash_put(struct tt_hash_slot *slots, size_t capacity, struct tt_hash_slot slot)
{
    size_t at = (size_t)slot.hash & (capacity - 1);
    while (slots[at].number != TT_HASH_NONE) {
        at = (at + 1) & (capacity - 1);
    }
    slots[at] = slot;
}

static void hash_forget(struct tt_hash_slot *slots, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        slots[i].number = TT_HASH_NONE;
    }
}

static bool hash_grow(struct tt_hash *table)
{
    size_t capacity = table->capacity ? table->capacity * 2 : 64;
    if (capacity > SIZE_MAX / sizeof(struct tt_hash_slot)) {
        return false;
    }
    struct tt_hash_slot *slots = malloc(capacity * sizeof *slots);
    if (!slots) {
        return false;
    }
    hash_forget(slots, capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->slots[i].number != TT_HASH_NONE) {
            hash_put(slots, capacity, table->slots[i]);
        }
    }
    free(table->slots);
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

bool tt_hash_add(struct tt_hash *table, uint64_t hash, uint32_t number)
{
    if (table->used >= table->capacity / 2 && !hash_grow(table)) {
        return false;
    }
    struct tt_hash_slot slot = {(uint32_t)hash, number};
    hash_put(table->slots, table->capacity, slot);
    table->used++;
    return true;
}

void tt_hash_clear(struct tt_hash *table)
{
    hash_forget(table->slots, table->capacity);
    table->used = 0;
}

void tt_hash_free(struct tt_hash *table)
{
    free(table->slots);
    table->slots = NULL;
    table->capacity = table->used = 0;
}
