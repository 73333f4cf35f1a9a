/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays: items are preserved, and a failed growth changes nothing. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* An invalid array that realloc must not receive; volatile, so that compilers do not warn. */
static char target;
static char *volatile invalid = &target;

Test(array, doubles_and_keeps_its_items)
{
    uint64_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t count = 0; count < 1000; count++) {
        size_t before = capacity;
        uint64_t *room = tt_array_grow(items, count, &capacity, sizeof *items);
        cr_assert_not_null(room);
        cr_assert(capacity == before || capacity == (before ? 2 * before : TT_ARRAY_FIRST));
        moves += capacity != before;
        items = room;
        items[count] = count * 3;
    }
    cr_expect_eq(capacity, 1024);
    cr_expect_eq(moves, 8);
    for (size_t i = 0; i < 1000; i++) {
        cr_assert_eq(items[i], i * 3);
    }
    free(items);
}

Test(array, a_tight_one_has_little_unused_room)
{
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t count = 0; count < 500000; count++) {
        size_t before = capacity;
        items = tt_array_grow_tight(items, count, &capacity, sizeof *items);
        cr_assert_not_null(items);
        cr_assert(count < 16384 || capacity - count <= capacity / 64 + 1);
        moves += capacity != before;
        items[count] = count ^ 5;
    }
    cr_expect_lt(moves, 300);
    for (uint32_t i = 0; i < 500000; i++) {
        cr_assert_eq(items[i], i ^ 5);
    }
    free(items);
    capacity = SIZE_MAX / 16;
    cr_expect_null(tt_array_grow_tight(invalid, capacity, &capacity, 16));
    cr_expect_eq(capacity, SIZE_MAX / 16);
}

Test(array, reserves_a_given_capacity)
{
    size_t capacity = 0;
    char *text = tt_array_reserve(NULL, 100, &capacity, 1);
    cr_assert_not_null(text);
    cr_expect_eq(capacity, 100);
    cr_expect_eq(tt_array_reserve(text, 100, &capacity, 1), text, "there is room");
    text = tt_array_reserve(text, 101, &capacity, 1);
    cr_expect_eq(capacity, 200);
    text = tt_array_reserve(text, 1000, &capacity, 1);
    cr_expect_eq(capacity, 1000);
    text = tt_array_more_text(text, &capacity, 64);
    cr_expect_eq(capacity, 2000);
    free(text);
    capacity = 0;
    text = tt_array_more_text(NULL, &capacity, 64);
    cr_expect_eq(capacity, 64);
    free(text);
}

Test(array, a_size_overflow_is_refused)
{
    size_t most = SIZE_MAX / 16, capacity = most;
    cr_expect_null(tt_array_grow(invalid, most, &capacity, 16));
    cr_expect_eq(capacity, most);
    capacity = 10;
    cr_expect_null(tt_array_reserve(invalid, most + 1, &capacity, 16));
    cr_expect_eq(capacity, 10);
    capacity = SIZE_MAX;
    cr_expect_eq(tt_array_reserve(invalid, SIZE_MAX, &capacity, 1), invalid,
                 "capacity is sufficient");
}

Test(array, the_maximum_is_respected)
{
    size_t capacity = 0;
    uint16_t *items = tt_array_reserve_to(NULL, 1, &capacity, sizeof *items, 12);
    cr_expect_eq(capacity, 8);
    items = tt_array_reserve_to(items, 9, &capacity, sizeof *items, 12);
    cr_expect_eq(capacity, 12, "as many as there may be, where twice would be too many");
    cr_expect_null(tt_array_reserve_to(items, 13, &capacity, sizeof *items, 12));
    cr_expect_eq(capacity, 12);
    free(items);
}

Test(array, indexes_of_32_bits_do_not_wrap)
{
    uint32_t capacity = UINT32_MAX;
    cr_expect_null(tt_array_grow_32(invalid, UINT32_MAX, &capacity, 1));
    cr_expect_eq(capacity, UINT32_MAX);
    cr_expect_eq(tt_array_grow_32(invalid, UINT32_MAX - 1, &capacity, 1), invalid);
    capacity = 0;
    uint32_t *items = tt_array_grow_32(NULL, 0, &capacity, sizeof *items);
    cr_expect_eq(capacity, TT_ARRAY_FIRST);
    items[7] = 5;
    items = tt_array_grow_32(items, 8, &capacity, sizeof *items);
    cr_expect_eq(capacity, 16);
    cr_expect_eq(items[7], 5);
    free(items);
}
