/* SPDX-License-Identifier: Apache-2.0 */
/*
 * array: grows an array whose owner stores its count and capacity.
 *
 * A full array at least doubles, so appending is O(1) amortized, unless it is a tight one. All functions return NULL, with
 * array and capacity unchanged, if out of memory or if the size in bytes would overflow. New items
 * are uninitialized.
 */
#ifndef TT_BASE_ARRAY_H
#define TT_BASE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define TT_ARRAY_FIRST 8 /* initial capacity in items */

/* Returns the array with capacity for `min` items of `size` bytes, limited to `most` items. */
static inline void *tt_array_reserve_to(void *items, size_t min, size_t *capacity, size_t size,
                                        size_t most)
{
    if (min <= *capacity) {
        return items;
    }
    most = most < SIZE_MAX / size ? most : SIZE_MAX / size;
    size_t more = *capacity <= most / 2 ? *capacity * 2 : most;
    more = more < TT_ARRAY_FIRST ? TT_ARRAY_FIRST : more;
    more = more < min ? min : more;
    void *grown = more <= most ? realloc(items, more * size) : NULL;
    if (grown) {
        *capacity = more;
    }
    return grown;
}

/* Returns the array with capacity for `min` items. */
static inline void *tt_array_reserve(void *items, size_t min, size_t *capacity, size_t size)
{
    return tt_array_reserve_to(items, min, capacity, size, SIZE_MAX);
}

/* Returns the array with capacity for item `count`. */
static inline void *tt_array_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    return count < *capacity ? items : tt_array_reserve(items, count + 1, capacity, size);
}

/*
 * Does the same for an array in which unused capacity is costly: from 64 KiB on it grows by a 64th,
 * so appending an item moves up to 64 others.
 */
static inline void *tt_array_grow_tight(void *items, size_t count, size_t *capacity, size_t size)
{
    size_t more = *capacity + *capacity / 64;
    if (count < *capacity || *capacity < 65536 / size || more > SIZE_MAX / size) {
        return tt_array_grow(items, count, capacity, size);
    }
    void *grown = realloc(items, more * size);
    if (grown) {
        *capacity = more;
    }
    return grown;
}

/* Grows an array with 32-bit indexes. */
static inline void *tt_array_grow_32(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    if (count == UINT32_MAX) {
        return NULL; /* one more item would have no index, and would overflow a 32-bit size_t */
    }
    size_t room = *capacity;
    void *grown = tt_array_reserve_to(items, (size_t)count + 1, &room, size, UINT32_MAX);
    *capacity = (uint32_t)room;
    return grown;
}

/*
 * Frees at most *bytes at the end of an array that is no longer used and subtracts what it freed.
 * Returns true if there is more to free. Splits a large free: hundreds of megabytes take a tenth of
 * a second.
 */
static inline bool tt_array_shrink(void **items, size_t *capacity, size_t size, size_t *bytes)
{
    size_t gone = *bytes / size, whole = *capacity * size;
    if (gone < *capacity) {
        void *kept = gone > 0 ? realloc(*items, (*capacity - gone) * size) : *items;
        if (kept) {
            *items = kept;
            *capacity -= gone;
            *bytes = 0;
            return true;
        }
    }
    free(*items);
    *items = NULL;
    *capacity = 0;
    *bytes -= whole < *bytes ? whole : *bytes;
    return false;
}

/* Returns a text buffer with more capacity, `first` bytes if it is empty. */
static inline char *tt_array_more_text(char *text, size_t *capacity, size_t first)
{
    return tt_array_reserve(text, *capacity > 0 ? *capacity + 1 : first, capacity, 1);
}

#endif
