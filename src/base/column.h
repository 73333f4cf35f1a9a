/* SPDX-License-Identifier: Apache-2.0 */
/*
 * column: an append-only array whose items never move, so that other threads may read it while it
 * grows.
 *
 *      chunk 0   chunk 1     chunk 2              each twice as large as the previous one
 *      |64 items|128 items  |256 items       | ...
 *                      ^ count: items below it are published
 *
 * One writer: tt_column_next returns the next item, tt_column_publish makes it visible (release).
 * Any thread reads: an item below tt_column_count (acquire) is complete. Both O(1).
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

/* Returns item `count`, zeroed; NULL if out of memory. */
void *tt_column_next(struct tt_column *column);
void tt_column_publish(struct tt_column *column);

/*
 * Returns item `index`, which must be below a count that the caller has read (writer: or the next).
 */
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

/* Returns the bytes allocated. */
uint64_t tt_column_memory(const struct tt_column *column);

#endif
