/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors that move through a track give the same results as visiting every item. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "trace/timeline/irq_walk.h"
#include "trace/timeline/timeline.h"

#define ITEMS 3000u

struct items {
    struct tt_track track;
    struct tt_arena arena;
    uint64_t times[ITEMS];
    uint32_t values[ITEMS];
};

static uint64_t dice(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* ---- counting ----------------------------------------------------------------------------- */

/* Many items with the same time: more than a chunk has, and few. */
static struct items *items_of_few_times(void)
{
    static struct items x;
    uint64_t seed = 5, now = 100, left = 0;
    tt_track_init(&x.track, 0);
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (left == 0) {
            left = dice(&seed) % 4 == 0 ? 1 + dice(&seed) % (3 * TT_TRACK_CHUNK) : 1;
            now += 1 + dice(&seed) % 3;
        }
        left--;
        x.times[i] = now;
        cr_assert(tt_track_append(&x.track, &x.arena, now, i % 7, NULL));
    }
    return &x;
}

static uint64_t count_before(const struct items *x, uint64_t time)
{
    uint64_t count = 0;
    while (count < ITEMS && x->times[count] < time) {
        count++;
    }
    return count;
}

Test(track_cursor, counts_items_before_a_time_that_many_items_have)
{
    struct items *x = items_of_few_times();
    struct tt_track_cursor m = {.track = &x->track};
    struct tt_track_place place;
    for (uint64_t time = x->times[0]; time <= x->times[ITEMS - 1] + 1; time++) {
        cr_assert(tt_track_find(&x->track, time, &place));
        tt_track_cursor_set(&m, place, false);
        cr_assert_eq(tt_track_cursor_count_before(&m, time), count_before(x, time), "at %llu",
                     (unsigned long long)time);
    }
    tt_arena_free(&x->arena);
}

Test(track_cursor, counts_the_same_when_it_moves)
{
    struct items *x = items_of_few_times();
    struct tt_track_cursor m = {.track = &x->track};
    for (uint64_t time = 0; time <= x->times[ITEMS - 1] + 1; time++) {
        while (tt_track_cursor_step(&m, time)) {
        }
        cr_assert_eq(tt_track_cursor_count_before(&m, time), count_before(x, time), "at %llu",
                     (unsigned long long)time);
    }
    tt_arena_free(&x->arena);
}

/* ---- interrupts --------------------------------------------------------------------------- */

/* The interrupt track of a CPU: depths, with the ticks so far. */
static struct items *interrupts(void)
{
    static struct items x;
    uint64_t seed = 11, now = 1000, sums[IRQ_SUMS] = {0};
    tt_track_init(&x.track, IRQ_SUMS);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint64_t length = 1 + dice(&seed) % (dice(&seed) % 20 == 0 ? 5000 : 40);
        x.times[i] = now;
        x.values[i] = (uint32_t)(dice(&seed) % 3);
        cr_assert(tt_track_append(&x.track, &x.arena, now, x.values[i], sums));
        sums[IRQ_TICKS] += x.values[i] > 0 ? length : 0;
        now += length;
    }
    return &x;
}

/* Adds the interrupt ticks from `*item` on that are before `time`, and moves to the item that `time` is in. */
static uint64_t ticks_before(const struct items *x, uint64_t time, uint64_t end, uint32_t *item,
                             uint64_t *whole)
{
    for (; *item + 1 < ITEMS && x->times[*item + 1] <= time; ++*item) {
        *whole += x->values[*item] > 0 ? x->times[*item + 1] - x->times[*item] : 0;
    }
    uint64_t to = time < end ? time : end;
    return *whole + (x->values[*item] > 0 && to > x->times[*item] ? to - x->times[*item] : 0);
}

/* Moves to later times: a few items away, in the next chunk, many chunks away. */
static void walk_interrupts(const struct items *x, uint64_t stride, uint64_t seed)
{
    uint64_t end = x->times[ITEMS - 1] + 20, whole = 0;
    uint32_t item = 0;
    struct tt_irq_walk w = {.cursor.track = &x->track, .end = end};
    for (uint64_t time = dice(&seed) % 2000; time < end + 3 * stride;
         time += 1 + dice(&seed) % stride) {
        cr_assert_eq(tt_irq_walk_to(&w, time), ticks_before(x, time, end, &item, &whole),
                     "at %llu by %llu", (unsigned long long)time, (unsigned long long)stride);
    }
}

Test(track_cursor, interrupt_ticks_at_any_distance)
{
    struct items *x = interrupts();
    for (uint64_t stride = 10; stride < 200000; stride *= 3) {
        for (uint64_t seed = 1; seed < 4; seed++) {
            walk_interrupts(x, stride, seed);
        }
    }
    tt_arena_free(&x->arena);
}

Test(track_cursor, interrupt_ticks_from_any_time_on)
{
    struct items *x = interrupts();
    uint64_t end = x->times[ITEMS - 1] + 20, seed = 3;
    for (unsigned i = 0; i < 500; i++) {
        uint64_t time = dice(&seed) % (end + 100);
        struct tt_irq_walk w = {.cursor.track = &x->track, .end = end};
        uint32_t item = 0;
        uint64_t whole = 0;
        tt_irq_walk_find(&w, time);
        cr_assert_eq(tt_irq_walk_to(&w, time), ticks_before(x, time, end, &item, &whole), "at %llu",
                     (unsigned long long)time);
    }
    tt_arena_free(&x->arena);
}
