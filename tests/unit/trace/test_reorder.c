/* SPDX-License-Identifier: Apache-2.0 */
/* The reorder buffer returns actions in time order, whatever stretches they arrive in. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trace/index/reorder.h"
#include "trace/index/sort_actions.h"

#define MOST 4000u

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

static int compare(const void *x, const void *y)
{
    const struct tt_action *a = x, *b = y;
    if (a->ticks != b->ticks) {
        return a->ticks < b->ticks ? -1 : 1;
    }
    if (a->pos != b->pos) {
        return a->pos < b->pos ? -1 : 1;
    }
    return (a->value > b->value) - (a->value < b->value);
}

/* Each stretch begins up to `back` before the end of the previous one; positions ascend. */
static size_t put_stretch(struct tt_reorder *hold, uint64_t *state, uint64_t back, size_t count,
                          struct tt_action *all, size_t had)
{
    static uint64_t last;
    last = had == 0 ? 1000000 : last;
    uint64_t ticks = last - draw(state, back + 1);
    /* Half of the stretches arrive in arrays. */
    const size_t from = draw(state, 20), capacity = count + from + draw(state, 50);
    struct tt_action *array = draw(state, 2) ? malloc(capacity * sizeof *array) : NULL;
    struct tt_action *room = array ? array + from : tt_reorder_reserve(hold, capacity);
    cr_assert(room);
    for (size_t i = 0; i < count; i++) {
        /* Two actions of one event share its key. */
        bool same = i > 0 && draw(state, 4) == 0;
        ticks += same ? 0 : draw(state, 5);
        room[i] = (struct tt_action){.ticks = ticks, .pos = same ? room[i - 1].pos : had + i};
        room[i].value = had + i;
    }
    memcpy(all + had, room, count * sizeof *all);
    if (array) {
        cr_assert(tt_reorder_adopt(hold, &array, capacity, from));
        memset(array, 0xa5, capacity * sizeof *array);
        free(array);
    }
    cr_assert(tt_reorder_add(hold, count));
    last = ticks;
    return count;
}

/* Removes `count` actions and compares them with the sorted ones. */
static void take_and_compare(struct tt_reorder *hold, size_t count, const struct tt_action *want)
{
    while (count > 0) {
        const struct tt_action *given;
        struct tt_key first;
        size_t some = tt_reorder_next(hold, count, &given);
        cr_assert(some > 0 && some <= count);
        cr_assert(tt_reorder_first(hold, &first) && first.ticks == want->ticks &&
                  first.pos == want->pos);
        cr_assert_eq(memcmp(given, want, some * sizeof *given), 0);
        tt_reorder_pass(hold, some);
        want += some;
        count -= some;
    }
}

static void check_seed(uint64_t seed)
{
    static struct tt_action all[MOST];
    struct tt_reorder hold = {0};
    uint64_t state = seed, back = draw(&state, 3) * draw(&state, 2000);
    size_t held = 0;
    /* Removed actions must precede all later ones: only half of them are removed in between. */
    while (held < MOST - 300) {
        held += put_stretch(&hold, &state, back, 1 + draw(&state, 300), all, held);
    }
    qsort(all, held, sizeof *all, compare);
    cr_assert_eq(hold.count, held);
    size_t middle = held / 2;
    uint64_t ticks = all[middle].ticks;
    size_t before = 0;
    while (all[before].ticks < ticks) {
        before++;
    }
    cr_assert_eq(tt_reorder_before(&hold, ticks), before);
    cr_assert_eq(tt_reorder_before(&hold, 0), 0);
    take_and_compare(&hold, before, all);
    cr_assert_eq(tt_reorder_before(&hold, ticks), 0);
    cr_assert_eq(tt_reorder_before(&hold, UINT64_MAX), held - before);
    take_and_compare(&hold, held - before, all + before);
    const struct tt_action *none;
    cr_assert_eq(tt_reorder_next(&hold, 1, &none), 0);
    tt_reorder_free(&hold);
}

Test(reorder, stretches_of_any_sort)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        check_seed(seed);
    }
}

Test(reorder, removal_while_it_is_filled)
{
    struct tt_reorder hold = {0};
    uint64_t given = 0;
    /* Two alternating streams; the half that is final is removed each time. */
    struct tt_action *array = malloc(10 * sizeof *array);
    cr_assert(array);
    for (uint64_t i = 0; i < 3000; i++) {
        bool adopts = i % 5 < 3;
        struct tt_action *room = adopts ? array : tt_reorder_reserve(&hold, 10);
        cr_assert(room);
        for (uint64_t k = 0; k < 10; k++) {
            room[k] = (struct tt_action){.ticks = (i / 2 * 10 + k) * 2 + i % 2, .pos = i};
        }
        cr_assert(!adopts || tt_reorder_adopt(&hold, &array, 10, 0));
        cr_assert(tt_reorder_add(&hold, 10));
        cr_assert(hold.run_count <= 3);
        for (size_t due = i % 2 ? hold.count / 2 : 0; due > 0;) {
            const struct tt_action *at;
            size_t some = tt_reorder_next(&hold, due, &at);
            for (size_t k = 0; k < some; k++) {
                cr_assert_eq(at[k].ticks, given++);
            }
            tt_reorder_pass(&hold, some);
            due -= some;
        }
    }
    cr_assert_eq(given + hold.count, 30000);
    tt_reorder_clear(&hold);
    cr_assert_eq(hold.count, 0);
    tt_reorder_free(&hold);
    free(array);
}

Test(reorder, sorting_keeps_actions_of_one_event)
{
    static struct tt_action got[1000], want[1000];
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed, step = 1 + draw(&state, 40);
        size_t count = draw(&state, 1000);
        uint64_t ticks = 100000;
        for (size_t i = 0; i < count; i++) {
            bool same = i > 0 && draw(&state, 3) == 0;
            ticks = same                      ? ticks
                    : draw(&state, step) == 0 ? ticks - draw(&state, 500)
                                              : ticks + draw(&state, 9);
            got[i] = (struct tt_action){.ticks = ticks, .pos = same ? got[i - 1].pos : i};
            got[i].value = i;
        }
        memcpy(want, got, sizeof got);
        qsort(want, count, sizeof *want, compare);
        cr_assert(tt_sort_actions(got, count));
        cr_assert_eq(memcmp(got, want, count * sizeof *got), 0, "seed %d", (int)seed);
    }
}
