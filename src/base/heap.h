/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap: a binary heap in an array of its owner.
 *
 *      items   | 0 | 1 | 2 | 3 | 4 | ...       item i comes before items 2i + 1 and 2i + 2
 *
 * `before` is the order of the heap, `size` the bytes of an item. All functions are inline: with a
 * constant size and order, the compiler generates code for that type. O(log n) unless stated.
 */
#ifndef TRACETUI_BASE_HEAP_H
#define TRACETUI_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns whether item `a` comes before item `b`. */
typedef bool tt_heap_before(const void *a, const void *b);

static inline void tt_heap_swap(void *a, void *b, size_t size)
{
    char *x = a, *y = b;
    size_t at = 0;
    for (uint64_t kept; at + sizeof kept <= size; at += sizeof kept) {
        memcpy(&kept, x + at, sizeof kept);
        memcpy(x + at, y + at, sizeof kept);
        memcpy(y + at, &kept, sizeof kept);
    }
    for (; at < size; at++) {
        char kept = x[at];
        x[at] = y[at];
        y[at] = kept;
    }
}

/* Moves item `at` down to its place, after it was replaced by a later one. */
static inline void tt_heap_down(void *items, size_t count, size_t size, size_t at,
                                tt_heap_before *before)
{
    char *base = items;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(base + (child + 1) * size, base + child * size)) {
            child++;
        }
        if (!before(base + child * size, base + at * size)) {
            return;
        }
        tt_heap_swap(base + at * size, base + child * size, size);
    }
}

/* Moves item `at` up to its place, after it was added as the last one. */
static inline void tt_heap_up(void *items, size_t size, size_t at, tt_heap_before *before)
{
    char *base = items;
    for (size_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!before(base + at * size, base + parent * size)) {
            return;
        }
        tt_heap_swap(base + at * size, base + parent * size, size);
    }
}

/* Makes a heap of an array in any order. O(n). */
static inline void tt_heap_make(void *items, size_t count, size_t size, tt_heap_before *before)
{
    for (size_t i = count / 2; i-- > 0;) {
        tt_heap_down(items, count, size, i, before);
    }
}

/* The state of a sort in steps, initially {0}: the heap is items [0, added - placed). */
struct tt_heap_sort {
    size_t added;
    size_t placed; /* items at the end of the array that are sorted */
};

/*
 * Continues sorting by at most `steps` steps of O(log n) each; returns true when the items are sorted.
 * The item that `after` puts first in the heap is the last one of the sorted array.
 */
static inline bool tt_heap_sort_step(void *items, size_t count, size_t size,
                                     struct tt_heap_sort *sort, size_t steps, tt_heap_before *after)
{
    char *base = items;
    for (; sort->added < count && steps > 0; steps--) {
        tt_heap_up(items, size, sort->added++, after);
    }
    for (; sort->placed < count && steps > 0; steps--) {
        size_t end = count - ++sort->placed;
        tt_heap_swap(base, base + end * size, size);
        tt_heap_down(items, end, size, 0, after);
    }
    return sort->placed == count;
}

/*
 * Keeps those `limit` items of a sequence that come last in the order of the heap, which has room
 * for `limit`. Returns the new number of items.
 */
static inline size_t tt_heap_keep(void *items, size_t count, size_t limit, size_t size,
                                  const void *item, tt_heap_before *before)
{
    char *base = items;
    if (count < limit) {
        memcpy(base + count * size, item, size);
        tt_heap_up(items, size, count, before);
        return count + 1;
    }
    if (limit > 0 && before(items, item)) {
        memcpy(items, item, size);
        tt_heap_down(items, count, size, 0, before);
    }
    return count;
}

#endif
