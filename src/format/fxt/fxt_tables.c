/* SPDX-License-Identifier: Apache-2.0 */
#include "format/fxt/fxt_tables.h"

#include <stdlib.h>

#include "base/hash.h"

#define FIRST_HISTORY  2u
#define LAST_HISTORY   (1u << 24)
#define FIRST_CAPACITY 64u

struct registration {
    uint64_t pos;
    uint64_t value;
};

struct history {
    struct history *older;
    uint32_t capacity;
    _Atomic uint32_t count; /* at least 1 once it can be seen */
    struct registration v[];
};

struct tt_fxt_slot {
    uint64_t a;
    uint64_t b;
    struct registration first;
    _Atomic(struct history *) newest;
};

struct tt_fxt_index {
    struct tt_fxt_index *outgrown;
    uint64_t mask;
    _Atomic uint32_t at[]; /* number of a slot + 1; 0: free */
};

void tt_fxt_table_init(struct tt_fxt_table *table)
{
    tt_column_init(&table->slots, sizeof(struct tt_fxt_slot));
    atomic_init(&table->index, NULL);
}

static void free_slot(struct tt_fxt_slot *slot)
{
    struct history *history = atomic_load_explicit(&slot->newest, memory_order_relaxed);
    while (history) {
        struct history *older = history->older;
        free(history);
        history = older;
    }
}

void tt_fxt_table_free(struct tt_fxt_table *table)
{
    uint64_t count = tt_column_count(&table->slots);
    for (uint64_t i = 0; i < count; i++) {
        free_slot(tt_column_at(&table->slots, i));
    }
    tt_column_free(&table->slots);
    struct tt_fxt_index *index = atomic_load_explicit(&table->index, memory_order_relaxed);
    while (index) {
        struct tt_fxt_index *outgrown = index->outgrown;
        free(index);
        index = outgrown;
    }
    atomic_store_explicit(&table->index, NULL, memory_order_relaxed);
}

static struct tt_fxt_slot *find(const struct tt_fxt_table *table, uint64_t a, uint64_t b)
{
    const struct tt_fxt_index *index = atomic_load_explicit(&table->index, memory_order_acquire);
    if (!index) {
        return NULL;
    }
    for (uint64_t at = tt_hash_of_pair(a, b);; at++) {
        uint32_t n = atomic_load_explicit(&index->at[at & index->mask], memory_order_acquire);
        if (n == 0) {
            return NULL;
        }
        struct tt_fxt_slot *slot = tt_column_at(&table->slots, n - 1);
        if (slot->a == a && slot->b == b) {
            return slot;
        }
    }
}

/* The last registration of `history` at or before `pos`; its first one is. */
static uint64_t value_in(const struct history *history, uint32_t count, uint64_t pos)
{
    uint32_t low = 0;
    uint32_t high = count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (history->v[middle].pos <= pos) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return history->v[low].value;
}

bool tt_fxt_table_get(const struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t *value)
{
    const struct tt_fxt_slot *slot = find(table, a, b);
    if (!slot || slot->first.pos > pos) {
        return false;
    }
    const struct history *history = atomic_load_explicit(&slot->newest, memory_order_acquire);
    for (; history; history = history->older) {
        uint32_t count = atomic_load_explicit(&history->count, memory_order_acquire);
        if (history->v[0].pos <= pos) {
            *value = value_in(history, count, pos);
            return true;
        }
    }
    *value = slot->first.value;
    return true;
}

/* ---- the writer's side -------------------------------------------------------------------- */

static void place(struct tt_fxt_index *index, const struct tt_fxt_slot *slot, uint32_t number)
{
    uint64_t at = tt_hash_of_pair(slot->a, slot->b);
    while (atomic_load_explicit(&index->at[at & index->mask], memory_order_relaxed) != 0) {
        at++;
    }
    atomic_store_explicit(&index->at[at & index->mask], number + 1, memory_order_release);
}

/* Room for one more key, at most half full. */
static bool make_room(struct tt_fxt_table *table)
{
    struct tt_fxt_index *old = atomic_load_explicit(&table->index, memory_order_relaxed);
    uint64_t count = tt_column_count(&table->slots);
    if (old && count < (old->mask + 1) / 2) {
        return true;
    }
    uint64_t capacity = old ? (old->mask + 1) * 2 : FIRST_CAPACITY;
    if (capacity > (SIZE_MAX - sizeof *old) / sizeof old->at[0] || count >= UINT32_MAX - 1) {
        return false;
    }
    struct tt_fxt_index *index = calloc(1, sizeof *index + (size_t)capacity * sizeof index->at[0]);
    if (!index) {
        return false;
    }
    index->outgrown = old;
    index->mask = capacity - 1;
    for (uint64_t i = 0; i < count; i++) {
        place(index, tt_column_at(&table->slots, i), (uint32_t)i);
    }
    atomic_store_explicit(&table->index, index, memory_order_release);
    return true;
}

static bool add_slot(struct tt_fxt_table *table, uint64_t a, uint64_t b,
                     struct registration registration)
{
    struct tt_fxt_slot *slot = make_room(table) ? tt_column_next(&table->slots) : NULL;
    if (!slot) {
        return false;
    }
    uint32_t number = (uint32_t)tt_column_count(&table->slots);
    slot->a = a;
    slot->b = b;
    slot->first = registration;
    atomic_init(&slot->newest, NULL);
    tt_column_publish(&table->slots);
    place(atomic_load_explicit(&table->index, memory_order_relaxed), slot, number);
    return true;
}

static bool add_history(struct tt_fxt_slot *slot, struct registration registration)
{
    struct history *newest = atomic_load_explicit(&slot->newest, memory_order_relaxed);
    uint32_t count = newest ? atomic_load_explicit(&newest->count, memory_order_relaxed) : 0;
    if (newest && count < newest->capacity) {
        newest->v[count] = registration;
        atomic_store_explicit(&newest->count, count + 1, memory_order_release);
        return true;
    }
    uint32_t capacity = newest ? newest->capacity * 2 : FIRST_HISTORY;
    capacity = capacity < LAST_HISTORY ? capacity : LAST_HISTORY;
    struct history *history = malloc(sizeof *history + capacity * sizeof history->v[0]);
    if (!history) {
        return false;
    }
    history->older = newest;
    history->capacity = capacity;
    history->v[0] = registration;
    atomic_init(&history->count, 1);
    atomic_store_explicit(&slot->newest, history, memory_order_release);
    return true;
}

bool tt_fxt_table_put(struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t value)
{
    struct registration registration = {pos, value};
    struct tt_fxt_slot *slot = find(table, a, b);
    if (!slot) {
        return add_slot(table, a, b, registration);
    }
    const struct history *newest = atomic_load_explicit(&slot->newest, memory_order_relaxed);
    struct registration last = slot->first;
    if (newest) {
        last = newest->v[atomic_load_explicit(&newest->count, memory_order_relaxed) - 1];
    }
    return pos <= last.pos || value == last.value || add_history(slot, registration);
}
