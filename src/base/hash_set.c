/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash_set.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64u

static void hash_set_place(uint32_t *slots, size_t capacity, uint64_t hash, uint32_t number)
{
    size_t at = (size_t)hash & (capacity - 1);
    while (slots[at] != TT_NUMBERS_NONE) {
        at = (at + 1) & (capacity - 1);
    }
    slots[at] = number;
}

bool tt_numbers_reserve(struct tt_numbers *table, tt_numbers_hash *hash_of, const void *owner)
{
    if (table->used < table->capacity / 2) {
        return true;
    }
    size_t capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
    if (capacity > SIZE_MAX / sizeof *table->slots) {
        return false;
    }
    uint32_t *slots = malloc(capacity * sizeof *slots);
    if (!slots) {
        return false;
    }
    memset(slots, 0xff, capacity * sizeof *slots); /* TT_NUMBERS_NONE */
    for (size_t i = 0; i < table->capacity; i++) {
        uint32_t number = table->slots[i];
        if (number != TT_NUMBERS_NONE) {
            hash_set_place(slots, capacity, hash_of(owner, number), number);
        }
    }
    free(table->slots);
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

void tt_numbers_put(struct tt_numbers *table, uint64_t hash, uint32_t number)
{
    hash_set_place(table->slots, table->capacity, hash, number);
    table->used++;
}

void tt_numbers_replace(struct tt_numbers *table, uint64_t hash, uint32_t number, uint32_t by)
{
    struct tt_hash_set_probe probe;
    uint32_t n = tt_numbers_first(table, hash, &probe);
    while (n != TT_NUMBERS_NONE && n != number) {
        n = tt_numbers_next(table, &probe);
    }
    if (n == number) {
        table->slots[probe.at] = by;
    }
}

void tt_numbers_free(struct tt_numbers *table)
{
    free(table->slots);
    *table = (struct tt_numbers){0};
}
