/* SPDX-License-Identifier: Apache-2.0 */
/*
 * column: an array that grows at its end and whose items never move, so that other threads may
 * read it while it grows.
 *
 *      chunk 0   chunk 1     chunk 2              each twice as large as the one before
 *      |64 items|128 items  |256 items       | ...
 *                      ^ count: items below it are published
 *
 * One writer: tt_column_next gives the place of the next item, tt_column_publish makes it visible
 * (release). Any reader: an item below tt_column_count (acquire) is whole. O(1) both.
 */
#ifndef TT_BASE_COLUMN_H
#define TT_BASE_COLUMN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

#define TT_COLUMN_CHUNKS 42
#define TT_COLUMN_FIRST  64u

struct tt_column {
    size_t item_size;
    _Atomic(uint8_t *) chunks[TT_COLUMN_CHUNKS];
    _Atomic uint64_t count;
};

void tt_column_init(struct tt_column *column, size_t item_size);
void tt_column_free(struct tt_column *column);

/* The place of item `count`, zeroed; NULL when out of memory. */
void *tt_column_next(struct tt_column *column);
void tt_column_publish(struct tt_column *column);

/* Item `index`; the caller has seen a count above it (the writer: it was next). */
static inline void *tt_column_at(const struct tt_column *column, uint64_t index)
{
    unsigned chunk = tt_highest_bit(index / TT_COLUMN_FIRST + 1);
    uint64_t first = TT_COLUMN_FIRST * ((UINT64_C(1) << chunk) - 1);
    uint8_t *items = atomic_load_explicit(&column->chunks[chunk], memory_order_acquire);
    return items + (index - first) * column->item_size;
}

static inline uint64_t tt_column_count(const struct tt_column *column)
{
    return atomic_load_explicit(&column->count, memory_order_acquire);
}

/* Bytes allocated. */
uint64_t tt_column_memory(const struct tt_column *column);

#endif
