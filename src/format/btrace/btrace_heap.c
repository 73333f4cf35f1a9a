/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/section_file.h"

/* ---- map with deletion: open addressing, linear probing --------------------------------- */

struct slot {
    uint64_t key;
    int64_t number;
    bool used;
};

struct btrace_map {
    size_t capacity; /* a power of two */
    size_t used;
    struct slot *slots;
};

enum { FIRST_CAPACITY = 256 };

static struct btrace_map *map_new(size_t capacity)
{
    struct btrace_map *map = calloc(1, sizeof *map);
    if (map) {
        map->slots = calloc(capacity, sizeof *map->slots);
        map->capacity = capacity;
        if (!map->slots) {
            free(map);
            map = NULL;
        }
    }
    return map;
}

static void map_free(struct btrace_map *map)
{
    if (map) {
        free(map->slots);
        free(map);
    }
}

static size_t home_of(const struct btrace_map *map, uint64_t key)
{
    return (size_t)tt_hash_of_pair(key, 0) & (map->capacity - 1);
}

static struct slot *btrace_heap_slot_of(const struct btrace_map *map, uint64_t key)
{
    size_t at = home_of(map, key);
    while (map->slots[at].used && map->slots[at].key != key) {
        at = (at + 1) & (map->capacity - 1);
    }
    return &map->slots[at];
}

/* Returns the number of a key, 0 if new; NULL when out of memory. */
static int64_t *map_at(struct btrace_map **where, uint64_t key)
{
    if (!*where && !(*where = map_new(FIRST_CAPACITY))) {
        return NULL;
    }
    struct btrace_map *map = *where;
    struct slot *slot = btrace_heap_slot_of(map, key);
    if (!slot->used) {
        if (map->used * 4 >= map->capacity * 3) {
            struct btrace_map bigger = {map->capacity * 2, map->used,
                                        calloc(map->capacity * 2, sizeof *map->slots)};
            if (!bigger.slots) {
                return NULL;
            }
            for (size_t i = 0; i < map->capacity; i++) {
                if (map->slots[i].used) {
                    *btrace_heap_slot_of(&bigger, map->slots[i].key) = map->slots[i];
                }
            }
            free(map->slots);
            map->slots = bigger.slots;
            map->capacity = bigger.capacity;

            slot = btrace_heap_slot_of(map, key);
        }
        *slot = (struct slot){key, 0, true};
        map->used++;
    }
    return &slot->number;
}

/* Returns the number of a key, or 0. */
static int64_t map_number(const struct btrace_map *map, uint64_t key)
{
    const struct slot *slot = map ? btrace_heap_slot_of(map, key) : NULL;
    return slot && slot->used ? slot->number : 0;
}

/* Removes a key; returns false if there is none. */
static bool map_remove(struct btrace_map *map, uint64_t key, int64_t *number)
{
    struct slot *slot = map ? btrace_heap_slot_of(map, key) : NULL;
    if (!slot || !slot->used) {
        return false;
    }
    *number = slot->number;
    size_t mask = map->capacity - 1, hole = (size_t)(slot - map->slots);
    for (size_t at = (hole + 1) & mask; map->slots[at].used; at = (at + 1) & mask) {
        /* The item at `at` moves into the hole unless its home is after it. */
        if (((at - home_of(map, map->slots[at].key)) & mask) >= ((at - hole) & mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole].used = false;
    map->used--;
    return true;
}

/* ---- account ---------------------------------------------------------------------------- */

void btrace_ledger_init(struct btrace_ledger *ledger)
{
    memset(ledger, 0, sizeof *ledger);
}

void btrace_ledger_free(struct btrace_ledger *ledger)
{
    map_free(ledger->blocks);
    map_free(ledger->heaps);
    map_free(ledger->births);
    map_free(ledger->chunks);
    btrace_ledger_init(ledger);
}

static uint64_t block_key(uint32_t heap, uint32_t address)
{
    return (uint64_t)heap << 32 | address;
}

/* Returns the size of a block if it belongs to the current heap. */
static uint32_t size_in(const struct btrace_ledger *ledger, uint32_t heap, int64_t block)
{
    uint64_t birth = (uint64_t)map_number(ledger->births, heap);
    return (uint64_t)block >> 32 == birth ? (uint32_t)block : 0;
}

bool btrace_ledger_heap_create(struct btrace_ledger *ledger, uint32_t heap)
{
    int64_t *sum = map_at(&ledger->heaps, heap);
    int64_t *birth = map_at(&ledger->births, heap);
    if (!sum || !birth) {
        return false;
    }
    *sum = 0;
    *birth = ++ledger->created;
    return true;
}

bool btrace_ledger_alloc(struct btrace_ledger *ledger, uint32_t heap, uint32_t address,
                         uint32_t size, int64_t *sum)
{
    int64_t *block = map_at(&ledger->blocks, block_key(heap, address));
    int64_t *total = map_at(&ledger->heaps, heap);
    if (!block || !total) {
        return false;
    }
    *total += (int64_t)size - size_in(ledger, heap, *block);
    /*
     * A block is | birth of its heap 32 | size 32 |: blocks of an earlier heap at the same address
     * do not count. Removing them when the heap is created again would need a walk.
     */
    *block = (int64_t)((uint64_t)map_number(ledger->births, heap) << 32 | size);
    *sum = *total;
    return true;
}

bool btrace_ledger_release(struct btrace_ledger *ledger, uint32_t heap, uint32_t address,
                           int64_t *sum)
{
    int64_t block = 0;
    bool known = map_remove(ledger->blocks, block_key(heap, address), &block);
    int64_t *total = map_at(&ledger->heaps, heap);
    if (!total) {
        return false;
    }
    *total -= known ? size_in(ledger, heap, block) : 0;
    *sum = *total;
    return true;
}

bool btrace_ledger_chunk(struct btrace_ledger *ledger, uint32_t chunk, int64_t change, int64_t *sum)
{
    int64_t *total = map_at(&ledger->chunks, chunk);
    if (!total) {
        return false;
    }
    *total += change;
    ledger->all_chunks += change;
    *sum = *total;
    return true;
}

bool btrace_ledger_chunk_gone(struct btrace_ledger *ledger, uint32_t chunk)
{
    int64_t size = 0;
    bool known = map_remove(ledger->chunks, chunk, &size);
    ledger->all_chunks -= size;
    return known;
}
