/* SPDX-License-Identifier: Apache-2.0 */
#include "format/fxt/fxt_references.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/varint.h"

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
    _Atomic uint32_t count; /* at least 1 once published */
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
    _Atomic uint32_t at[]; /* slot number + 1; 0: free */
};

void tt_fxt_table_init(struct tt_fxt_table *table)
{
    tt_column_init(&table->slots, sizeof(struct tt_fxt_slot));
    atomic_init(&table->index, NULL);
}

void tt_fxt_table_free(struct tt_fxt_table *table)
{
    uint64_t count = tt_column_count(&table->slots);
    for (uint64_t i = 0; i < count; i++) {
        struct tt_fxt_slot *slot = tt_column_at(&table->slots, i);
        struct history *history = atomic_load_explicit(&slot->newest, memory_order_relaxed);
        while (history) {
            struct history *older = history->older;
            free(history);
            history = older;
        }
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

static struct tt_fxt_slot *fxt_references_find(const struct tt_fxt_table *table, uint64_t a,
                                               uint64_t b)
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

bool tt_fxt_table_get(const struct tt_fxt_table *table, uint64_t a, uint64_t b, uint64_t pos,
                      uint64_t *value)
{
    const struct tt_fxt_slot *slot = fxt_references_find(table, a, b);
    if (!slot || slot->first.pos > pos) {
        return false;
    }
    const struct history *history = atomic_load_explicit(&slot->newest, memory_order_acquire);
    for (; history; history = history->older) {
        uint32_t count = atomic_load_explicit(&history->count, memory_order_acquire);
        if (history->v[0].pos <= pos) {
            /* The last value of `history` at or before `pos`, which is not before its first one. */
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
            *value = history->v[low].value;

            return true;
        }
    }
    *value = slot->first.value;
    return true;
}

/* ---- writer ----------------------------------------------------------------------------- */

static void fxt_references_place(struct tt_fxt_index *index, const struct tt_fxt_slot *slot,
                                 uint32_t number)
{
    uint64_t at = tt_hash_of_pair(slot->a, slot->b);
    while (atomic_load_explicit(&index->at[at & index->mask], memory_order_relaxed) != 0) {
        at++;
    }
    atomic_store_explicit(&index->at[at & index->mask], number + 1, memory_order_release);
}

/* Ensures space for `more` keys in an index that is at most half full. */
static bool make_room(struct tt_fxt_table *table, uint64_t more)
{
    struct tt_fxt_index *old = atomic_load_explicit(&table->index, memory_order_relaxed);
    uint64_t count = tt_column_count(&table->slots);
    if (old && count + more <= (old->mask + 1) / 2) {
        return true;
    }
    if (more >= UINT32_MAX || count + more >= UINT32_MAX) {
        return false;
    }
    uint64_t capacity = old ? (old->mask + 1) * 2 : FIRST_CAPACITY;
    while (capacity / 2 < count + more) {
        capacity *= 2;
    }
    if (capacity > (SIZE_MAX - sizeof *old) / sizeof old->at[0]) {
        return false;
    }
    struct tt_fxt_index *index = calloc(1, sizeof *index + (size_t)capacity * sizeof index->at[0]);
    if (!index) {
        return false;
    }
    index->outgrown = old;
    index->mask = capacity - 1;
    for (uint64_t i = 0; i < count; i++) {
        fxt_references_place(index, tt_column_at(&table->slots, i), (uint32_t)i);
    }
    atomic_store_explicit(&table->index, index, memory_order_release);
    return true;
}

static bool fxt_references_add_slot(struct tt_fxt_table *table, uint64_t a, uint64_t b,
                                    struct registration registration)
{
    struct tt_fxt_slot *slot = make_room(table, 1) ? tt_column_next(&table->slots) : NULL;
    if (!slot) {
        return false;
    }
    uint32_t number = (uint32_t)tt_column_count(&table->slots);
    slot->a = a;
    slot->b = b;
    slot->first = registration;
    atomic_init(&slot->newest, NULL);
    tt_column_publish(&table->slots);
    fxt_references_place(atomic_load_explicit(&table->index, memory_order_relaxed), slot, number);
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
    struct tt_fxt_slot *slot = fxt_references_find(table, a, b);
    if (!slot) {
        return fxt_references_add_slot(table, a, b, registration);
    }
    const struct history *newest = atomic_load_explicit(&slot->newest, memory_order_relaxed);
    struct registration last = slot->first;
    if (newest) {
        last = newest->v[atomic_load_explicit(&newest->count, memory_order_relaxed) - 1];
    }
    return pos <= last.pos || value == last.value || add_history(slot, registration);
}

/* ---- index cache ------------------------------------------------------------------------ */

/*
 *      keys: 64 | for each: a, b, registrations | for each of these, in their order: position, value
 *
 * All other numbers are varints (base/varint.h). a, b and the first position are differences to those of
 * the key before, a later position that to the position before it; a value is the difference to the
 * value before.
 */
#define KEY_BYTES          5u /* at least */
#define REGISTRATION_BYTES 2u

/* The numbers before the next ones. */
struct previous {
    uint64_t a;
    uint64_t b;
    uint64_t pos; /* of the first registration */
    uint64_t value;
};

static void put_difference(struct tt_section_writer *writer, uint64_t number, uint64_t *previous)
{
    tt_varint_put(writer, tt_varint_fold(number - *previous));
    *previous = number;
}

static uint64_t read_difference(struct tt_reader *reader, uint64_t *previous)
{
    *previous += tt_varint_unfold(tt_varint_read(reader));
    return *previous;
}

/* Returns the history before `newer`, or the oldest for NULL. O(log n), so a walk from the oldest
 * is cheap. */
static const struct history *history_before(const struct tt_fxt_slot *slot,
                                            const struct history *newer)
{
    const struct history *history = atomic_load_explicit(&slot->newest, memory_order_acquire);
    while (history && history->older != newer) {
        history = history->older;
    }
    return history;
}

static void save_slot(const struct tt_fxt_slot *slot, struct previous *previous,
                      struct tt_section_writer *writer)
{
    uint64_t count = 1;
    const struct history *history = atomic_load_explicit(&slot->newest, memory_order_acquire);
    for (; history; history = history->older) {
        count += atomic_load_explicit(&history->count, memory_order_acquire);
    }
    put_difference(writer, slot->a, &previous->a);
    put_difference(writer, slot->b, &previous->b);
    tt_varint_put(writer, count);
    put_difference(writer, slot->first.pos, &previous->pos);
    put_difference(writer, slot->first.value, &previous->value);
    uint64_t pos = slot->first.pos;
    for (history = history_before(slot, NULL); history; history = history_before(slot, history)) {
        uint32_t n = atomic_load_explicit(&history->count, memory_order_acquire);
        for (uint32_t i = 0; i < n; i++) {
            tt_varint_put(writer, history->v[i].pos - pos);
            put_difference(writer, history->v[i].value, &previous->value);
            pos = history->v[i].pos;
        }
    }
}

void tt_fxt_references_save(const struct tt_fxt_table *table, struct tt_section_writer *writer)
{
    uint64_t count = tt_column_count(&table->slots);
    struct previous previous = {0};
    tt_section_put_u64(writer, count);
    for (uint64_t i = 0; i < count && !tt_section_failed(writer); i++) {
        save_slot(tt_column_at(&table->slots, i), &previous, writer);
    }
}

/* Reads `count` registrations after `first`, which may be many, into one history. */
static struct history *read_history(struct tt_reader *reader, uint64_t count, uint64_t first,
                                    struct previous *previous)
{
    /* A size_t may have only 32 bits. */
    bool fits = count <= UINT32_MAX &&
                count <= (SIZE_MAX - sizeof(struct history)) / sizeof(struct registration);
    struct history *history =
        fits ? malloc(sizeof *history + (size_t)count * sizeof history->v[0]) : NULL;
    if (!history) {
        return NULL;
    }
    history->older = NULL;
    history->capacity = (uint32_t)count;
    atomic_init(&history->count, (uint32_t)count);
    bool ascend = true;
    uint64_t after = first;
    for (uint64_t i = 0; i < count; i++) {
        history->v[i].pos = after + tt_varint_read(reader);
        history->v[i].value = read_difference(reader, &previous->value);
        ascend = ascend && history->v[i].pos > after;
        after = history->v[i].pos;
    }
    if (!ascend || reader->failed) {
        free(history);
        return NULL;
    }
    return history;
}

static bool values_valid(const struct tt_fxt_slot *slot, const struct history *history,
                         bool (*is_valid)(const void *arg, uint64_t a, uint64_t value),
                         const void *arg)
{
    bool good = is_valid(arg, slot->a, slot->first.value);
    uint32_t count = history ? atomic_load_explicit(&history->count, memory_order_relaxed) : 0;
    for (uint32_t i = 0; good && i < count; i++) {
        good = is_valid(arg, slot->a, history->v[i].value);
    }
    return good;
}

static struct tt_fxt_slot *newest_slot(const struct tt_fxt_table *table)
{
    return tt_column_at(&table->slots, tt_column_count(&table->slots) - 1);
}

bool tt_fxt_table_restore(struct tt_fxt_table *table, struct tt_reader *reader,
                          bool (*is_valid)(const void *arg, uint64_t a, uint64_t value),
                          const void *arg)
{
    struct previous previous = {0};
    uint64_t keys = tt_section_count(reader, KEY_BYTES);
    bool good = !reader->failed && make_room(table, keys);
    for (uint64_t i = 0; good && i < keys; i++) {
        uint64_t a = read_difference(reader, &previous.a);
        uint64_t b = read_difference(reader, &previous.b);
        uint64_t count = tt_varint_read(reader);
        struct registration first = {.pos = read_difference(reader, &previous.pos)};
        first.value = read_difference(reader, &previous.value);
        good = !reader->failed && count > 0 &&
               count - 1 <= tt_read_left(reader) / REGISTRATION_BYTES &&
               fxt_references_add_slot(table, a, b, first);
        struct history *history = NULL;
        if (good && count > 1) {
            history = read_history(reader, count - 1, first.pos, &previous);
            atomic_store_explicit(&newest_slot(table)->newest, history, memory_order_release);
            good = history != NULL;
        }
        good = good && values_valid(newest_slot(table), history, is_valid, arg);
    }
    return good;
}
