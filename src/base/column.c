/* SPDX-License-Identifier: Apache-2.0 */
#include "base/column.h"

#include <stdlib.h>

static uint64_t chunk_items(unsigned chunk)
{
    return (uint64_t)TT_COLUMN_FIRST << chunk;
}

void tt_column_init(struct tt_column *column, size_t item_size)
{
    column->item_size = item_size;
    for (unsigned i = 0; i < TT_COLUMN_CHUNKS; i++) {
        atomic_init(&column->chunks[i], NULL);
    }
    atomic_init(&column->count, 0);
}

void tt_column_free(struct tt_column *column)
{
    for (unsigned i = 0; i < TT_COLUMN_CHUNKS; i++) {
        free(atomic_load_explicit(&column->chunks[i], memory_order_relaxed));
        atomic_store_explicit(&column->chunks[i], NULL, memory_order_relaxed);
    }
    atomic_store_explicit(&column->count, 0, memory_order_relaxed);
}

void *tt_column_next(struct tt_column *column)
{
    uint64_t count = atomic_load_explicit(&column->count, memory_order_relaxed);
    unsigned number = tt_highest_bit(count / TT_COLUMN_FIRST + 1);
    if (number >= TT_COLUMN_CHUNKS) {
        return NULL;
    }
    if (!atomic_load_explicit(&column->chunks[number], memory_order_relaxed)) {
        uint64_t items = chunk_items(number);
        if (items > SIZE_MAX / column->item_size) {
            return NULL;
        }
        uint8_t *chunk = calloc((size_t)items, column->item_size);
        if (!chunk) {
            return NULL;
        }
        atomic_store_explicit(&column->chunks[number], chunk, memory_order_release);
    }
    return tt_column_at(column, count);
}

void tt_column_publish(struct tt_column *column)
{
    atomic_fetch_add_explicit(&column->count, 1, memory_order_release);
}

uint64_t tt_column_memory(const struct tt_column *column)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < TT_COLUMN_CHUNKS; i++) {
        if (atomic_load_explicit(&column->chunks[i], memory_order_acquire)) {
            bytes += chunk_items(i) * column->item_size;
        }
    }
    return bytes;
}
