/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes cached between frames: only those of the same key, the newest ones. */
#include <criterion/criterion.h>

#include "tui/lanes/row_cache.h"

static void add(struct tt_lane_cache *cache, uint32_t thread)
{
    struct tt_lane_cell *cells = tt_lane_cache_add(cache, thread);
    for (unsigned i = 0; i < cache->key.columns; i++) {
        cells[i] = (struct tt_lane_cell){.class_ = (uint8_t)(thread + i)};
    }
}

static bool has(const struct tt_lane_cache *cache, uint32_t thread)
{
    const struct tt_lane_cell *cells = tt_lane_cache_find(cache, thread);
    for (unsigned i = 0; cells && i < cache->key.columns; i++) {
        cr_assert_eq(cells[i].class_, (uint8_t)(thread + i));
    }
    return cells != NULL;
}

Test(lanes_cache, keeps_the_newest_lanes_of_a_frame)
{
    struct tt_lane_cache cache = {.count = 0};
    struct tt_lane_cache_key key = {.from = 1, .to = 100, .rows = 7, .number = 1, .columns = 50};
    cr_assert(tt_lane_cache_begin(&cache, &key));
    for (uint32_t thread = 0; thread < TT_LANES_CACHED + 10; thread++) {
        cr_assert_not(has(&cache, thread));
        add(&cache, thread);
        cr_assert(has(&cache, thread));
    }
    for (uint32_t thread = 0; thread < TT_LANES_CACHED + 10; thread++) {
        cr_assert_eq(has(&cache, thread), thread >= 10);
    }
    cr_assert(tt_lane_cache_begin(&cache, &key));
    cr_assert(has(&cache, 10));
    tt_lane_cache_free(&cache);
}

Test(lanes_cache, drops_lanes_of_another_frame)
{
    struct tt_lane_cache cache = {.count = 0};
    const struct tt_lane_cache_key first = {
        .from = 1, .to = 100, .rows = 7, .number = 1, .columns = 50};
    struct tt_lane_cache_key others[] = {first, first, first, first, first, first};
    others[0].from = 2;
    others[1].to = 101;
    others[2].rows = 8;
    others[3].number = 2;
    others[4].columns = 80;
    others[5].end = 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_assert(tt_lane_cache_begin(&cache, &first));
        cr_assert_not(has(&cache, 3));
        add(&cache, 3);
        cr_assert(tt_lane_cache_begin(&cache, &others[i]));
        cr_assert_not(has(&cache, 3));
        add(&cache, 4);
        cr_assert(has(&cache, 4));
    }
    tt_lane_cache_free(&cache);
}
