/* SPDX-License-Identifier: Apache-2.0 */
/*
 * array: room for more items in an array that its owner keeps with count and capacity.
 *
 * A full array gets at least twice the room, so that adding costs O(1) a time. All of these return
 * NULL when out of memory, or when there would be more bytes than can be counted; array and
 * capacity are then what they were. Items that were not there before are not set.
 */
#ifndef TT_BASE_ARRAY_H
#define TT_BASE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define TT_ARRAY_FIRST 8 /* items that there is room for at first */

/* The array with room for `least` items of `size` bytes, and for `most` at most. */
static inline void *tt_array_reserve_to(void *items, size_t least, size_t *capacity, size_t size,
                                        size_t most)
{
    if (least <= *capacity) {
        return items;
    }
    most = most < SIZE_MAX / size ? most : SIZE_MAX / size;
    size_t more = *capacity <= most / 2 ? *capacity * 2 : most;
    more = more < TT_ARRAY_FIRST ? TT_ARRAY_FIRST : more;
    more = more < least ? least : more;
    void *grown = more <= most ? realloc(items, more * size) : NULL;
    if (grown) {
        *capacity = more;
    }
    return grown;
}

/* The array with room for `least` items. */
static inline void *tt_array_reserve(void *items, size_t least, size_t *capacity, size_t size)
{
    return tt_array_reserve_to(items, least, capacity, size, SIZE_MAX);
}

/* The array with room for item `count`. */
static inline void *tt_array_room(void *items, size_t count, size_t *capacity, size_t size)
{
    return count < *capacity ? items : tt_array_reserve(items, count + 1, capacity, size);
}

/* The same for an array whose items have numbers of 32 bits. */
static inline void *tt_array_room_32(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    if (count == UINT32_MAX) {
        return NULL; /* one more than that has no number, and wraps where sizes have 32 bits too */
    }
    size_t room = *capacity;
    void *grown = tt_array_reserve_to(items, (size_t)count + 1, &room, size, UINT32_MAX);
    *capacity = (uint32_t)room;
    return grown;
}

/*
 * Gives back room for at most *bytes at the end of an array that nobody needs any more; they become
 * what is left of them. True: there is more of it. Hundreds of megabytes at once take a tenth of a
 * second.
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

/* A text with more room than it has, and with `first` bytes if it has none. */
static inline char *tt_array_more_text(char *text, size_t *capacity, size_t first)
{
    return tt_array_reserve(text, *capacity > 0 ? *capacity + 1 : first, capacity, 1);
}

#endif
