/* SPDX-License-Identifier: Apache-2.0 */
/*
 * column_index: the addresses of a column's items, for its writer. Finding an item in a column
 * (column.h) takes a dozen dependent steps; here it is one load, for code that does so several
 * times per event. Items of a column are contiguous in groups of 64, so one pointer per group
 * suffices.
 *
 * Owns the list, not the items. One thread.
 */
#ifndef TRACETUI_BASE_COLUMN_INDEX_H
#define TRACETUI_BASE_COLUMN_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/column.h"

struct tt_column_index {
    const uint8_t **groups; /* addresses of items 0, 64, 128, ... */
    size_t item_size;
    uint32_t count; /* number of items */
    uint32_t capacity;
};

/* Appends the column's next item. Returns false if out of memory. */
bool tt_column_index_add(struct tt_column_index *pointers, const void *item, size_t item_size);
void tt_column_index_free(struct tt_column_index *pointers);

/* Returns item `number`, or NULL if there are fewer. */
static inline void *tt_column_index_at(const struct tt_column_index *pointers, uint32_t number)
{
    return number < pointers->count
               ? (void *)(uintptr_t)(pointers->groups[number / TT_COLUMN_FIRST] +
                                     number % TT_COLUMN_FIRST * pointers->item_size)
               : NULL;
}

/* Prefetches an item's first cache line, if the item exists. */
static inline void tt_column_index_prefetch(const struct tt_column_index *pointers, uint32_t number)
{
#if defined(__GNUC__)
    /* Whether a number is valid is unpredictable: prefetch item 0 instead of branching. */
    if (pointers->count > 0) {
        number = number < pointers->count ? number : 0;
        __builtin_prefetch(pointers->groups[number / TT_COLUMN_FIRST] +
                               number % TT_COLUMN_FIRST * pointers->item_size,
                           1);
    }
#else
    (void)pointers;
    (void)number;
#endif
}

#endif
