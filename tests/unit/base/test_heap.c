/* SPDX-License-Identifier: Apache-2.0 */
/* Heaps against sorting: random sequences with equal keys, items of one word and of many bytes. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/heap.h"

#define MOST 300u

struct small {
    uint32_t key;
};

struct large {
    char before[69];
    uint32_t key;
    char after[64];
};

static bool small_before(const void *a, const void *b)
{
    return ((const struct small *)a)->key < ((const struct small *)b)->key;
}

static bool large_before(const void *a, const void *b)
{
    return ((const struct large *)a)->key < ((const struct large *)b)->key;
}

static int by_key(const void *a, const void *b)
{
    return small_before(b, a) - small_before(a, b);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void fill(struct small *items, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) {
        items[i].key = next_random(&seed) % (1 + (uint32_t)count);
    }
}

Test(heap, gives_items_in_order)
{
    struct small items[MOST], sorted[MOST];
    for (size_t count = 0; count < MOST; count += 1 + count / 4) {
        fill(items, count, (uint32_t)count);
        memcpy(sorted, items, sizeof items);
        qsort(sorted, count, sizeof *sorted, by_key);
        tt_heap_make(items, count, sizeof *items, small_before);
        for (size_t left = count, i = 0; left > 0; i++) {
            cr_assert_eq(items[0].key, sorted[i].key, "%zu of %zu", i, count);
            items[0] = items[--left];
            tt_heap_down(items, left, sizeof *items, 0, small_before);
        }
    }
}

Test(heap, keeps_the_last_items_of_a_sequence)
{
    struct small items[MOST], sorted[MOST], kept[MOST];
    for (size_t limit = 0; limit < 40; limit++) {
        size_t count = 0;
        fill(items, MOST, (uint32_t)limit);
        memcpy(sorted, items, sizeof items);
        qsort(sorted, MOST, sizeof *sorted, by_key);
        for (size_t i = 0; i < MOST; i++) {
            count = tt_heap_keep(kept, count, limit, sizeof *kept, &items[i], small_before);
            cr_assert_eq(count, i + 1 < limit ? i + 1 : limit);
        }
        qsort(kept, count, sizeof *kept, by_key);
        for (size_t i = 0; i < count; i++) {
            cr_assert_eq(kept[i].key, sorted[MOST - limit + i].key, "%zu of %zu", i, limit);
        }
    }
}

Test(heap, moves_whole_items)
{
    struct large items[20];
    for (uint32_t i = 0; i < 20; i++) {
        memset(&items[i], (int)(20 - i), sizeof items[i]);
        items[i].key = 20 - i;
        tt_heap_up(items, sizeof *items, i, large_before);
    }
    for (size_t left = 20; left > 0; left--) {
        struct large expected;
        memset(&expected, (int)items[0].key, sizeof expected);
        expected.key = items[0].key;
        cr_assert_eq(items[0].key, 21 - left);
        cr_assert_arr_eq(&items[0], &expected, sizeof expected);
        items[0] = items[left - 1];
        tt_heap_down(items, left - 1, sizeof *items, 0, large_before);
    }
}

static bool small_after(const void *a, const void *b)
{
    return small_before(b, a);
}

Test(heap, sorts_in_steps)
{
    enum { COUNT = MOST };
    static struct small items[COUNT];
    for (uint32_t step = 1; step < 700; step = step * 3 + 1) {
        struct tt_heap_sort sort = {0};
        uint32_t calls = 1;
        for (uint32_t i = 0; i < COUNT; i++) {
            items[i].key = i * 7919u % COUNT; /* every number once: 7919 is prime */
        }
        while (!tt_heap_sort_step(items, COUNT, sizeof *items, &sort, step, small_after)) {
            calls++;
        }
        cr_assert_eq(calls, (2 * COUNT + step - 1) / step);
        for (uint32_t i = 0; i < COUNT; i++) {
            cr_assert_eq(items[i].key, i, "step %u", step);
        }
    }
}
