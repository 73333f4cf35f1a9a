/* SPDX-License-Identifier: Apache-2.0 */
/* array: room for one more item in an array that its owner keeps with count and capacity. */
#ifndef TT_BASE_ARRAY_H
#define TT_BASE_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

/* The array with room for item `count`; NULL when out of memory, with the old one untouched. */
static inline void *tt_array_room(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    uint32_t more = *capacity ? *capacity * 2 : 8;
    void *grown = more > *capacity ? realloc(items, more * size) : NULL;
    if (grown) {
        *capacity = more;
    }
    return grown;
}

#endif
