/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointers: where the items of a column are, for its one writer. Finding an item in a column (see
 * column.h) is a dozen steps that wait for each other, here it is one load; who asks several times
 * an event keeps these beside. Items stand together by 64 in a column, so there is one pointer for
 * each 64.
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
    const uint8_t **groups; /* where item 0, 64, 128, ... is */
    size_t item_size;
    uint32_t count; /* of items */
    uint32_t capacity;
};

/* Adds the column's next item. False when out of memory. */
bool tt_column_index_add(struct tt_column_index *pointers, const void *item, size_t item_size);
void tt_column_index_free(struct tt_column_index *pointers);

/* Item `number`, or NULL when there are not so many. */
static inline void *tt_column_index_at(const struct tt_column_index *pointers, uint32_t number)
{
    return number < pointers->count
               ? (void *)(uintptr_t)(pointers->groups[number / TT_COLUMN_FIRST] +
                                     number % TT_COLUMN_FIRST * pointers->item_size)
               : NULL;
}

/* Asks for an item's first line of memory ahead of time, if there is such an item. */
static inline void tt_column_index_prefetch(const struct tt_column_index *pointers, uint32_t number)
{
#if defined(__GNUC__)
    /* Which number is one of an item cannot be foreseen: the first one is asked for then. */
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
