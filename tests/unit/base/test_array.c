/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow: what was in them stays, and what cannot be had changes nothing. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Never touched: realloc is not to be reached with it. Not a constant, so that no compiler says so.
 */
static char somewhere;
static char *volatile nowhere = &somewhere;

Test(array, grows_by_twice_and_keeps_what_was_in_it)
{
    uint64_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t count = 0; count < 1000; count++) {
        size_t before = capacity;
        uint64_t *room = tt_array_room(items, count, &capacity, sizeof *items);
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

Test(array, as_many_as_are_wanted_at_once)
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

Test(array, more_bytes_than_can_be_counted_are_refused)
{
    size_t most = SIZE_MAX / 16, capacity = most;
    cr_expect_null(tt_array_room(nowhere, most, &capacity, 16));
    cr_expect_eq(capacity, most);
    capacity = 10;
    cr_expect_null(tt_array_reserve(nowhere, most + 1, &capacity, 16));
    cr_expect_eq(capacity, 10);
    capacity = SIZE_MAX;
    cr_expect_eq(tt_array_reserve(nowhere, SIZE_MAX, &capacity, 1), nowhere, "it has them");
}

Test(array, no_more_than_the_most)
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

Test(array, numbers_of_32_bits_end_before_they_wrap)
{
    uint32_t capacity = UINT32_MAX;
    cr_expect_null(tt_array_room_32(nowhere, UINT32_MAX, &capacity, 1));
    cr_expect_eq(capacity, UINT32_MAX);
    cr_expect_eq(tt_array_room_32(nowhere, UINT32_MAX - 1, &capacity, 1), nowhere);
    capacity = 0;
    uint32_t *items = tt_array_room_32(NULL, 0, &capacity, sizeof *items);
    cr_expect_eq(capacity, TT_ARRAY_FIRST);
    items[7] = 5;
    items = tt_array_room_32(items, 8, &capacity, sizeof *items);
    cr_expect_eq(capacity, 16);
    cr_expect_eq(items[7], 5);
    free(items);
}
