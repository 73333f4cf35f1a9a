/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/lanes/row_cache.h"

#include <stdlib.h>
#include <string.h>

static bool same_key(const struct tt_lane_cache_key *left, const struct tt_lane_cache_key *right)
{
    return left->from == right->from && left->to == right->to && left->end == right->end &&
           left->rows == right->rows && left->number == right->number &&
           left->columns == right->columns && left->events == right->events;
}

bool tt_lane_cache_begin(struct tt_lane_cache *cache, const struct tt_lane_cache_key *key)
{
    if (same_key(&cache->key, key)) {
        return cache->room >= key->columns;
    }
    cache->key = *key;
    cache->count = cache->next = 0;
    if (key->columns > cache->room) {
        struct tt_lane_cell *cells =
            realloc(cache->cells, (size_t)key->columns * TT_LANES_CACHED * sizeof *cells);
        if (!cells) {
            return false;
        }
        cache->cells = cells;
        cache->room = key->columns;
    }
    return true;
}

/* Returns the place of a thread; the number of entries if it has none. */
static unsigned row_cache_place_of(const struct tt_lane_cache *cache, uint32_t thread)
{
    unsigned i = 0;
    while (i < cache->count && cache->threads[i] != thread) {
        i++;
    }
    return i;
}

/* Returns the cells of a place; NULL if rows have no columns. */
static struct tt_lane_cell *cells_at(const struct tt_lane_cache *cache, unsigned at)
{
    return cache->room > 0 ? cache->cells + at * cache->room : NULL;
}

const struct tt_lane_cell *tt_lane_cache_find(const struct tt_lane_cache *cache, uint32_t thread)
{
    unsigned at = row_cache_place_of(cache, thread);
    return at < cache->count ? cells_at(cache, at) : NULL;
}

const struct tt_lane_sums *tt_lane_cache_sums(const struct tt_lane_cache *cache, uint32_t thread)
{
    unsigned at = row_cache_place_of(cache, thread);
    return at < cache->count ? &cache->sums[at] : NULL;
}

struct tt_lane_cell *tt_lane_cache_add(struct tt_lane_cache *cache, uint32_t thread)
{
    unsigned at = cache->next;
    cache->next = (at + 1) % TT_LANES_CACHED;
    cache->count = cache->count > at ? cache->count : at + 1;
    cache->threads[at] = thread;
    cache->sums[at] = (struct tt_lane_sums){0};
    return cells_at(cache, at);
}

void tt_lane_cache_sum(struct tt_lane_cache *cache, const struct tt_timelines *timelines,
                       uint64_t from, uint64_t to)
{
    unsigned at = (cache->next + TT_LANES_CACHED - 1) % TT_LANES_CACHED;
    struct tt_thread_sums sums;
    tt_thread_sum(timelines, cache->threads[at], from, to, &sums);
    cache->sums[at] =
        (struct tt_lane_sums){.run = sums.ticks[TT_CLASS_RUNNING] - sums.irq, .in = sums.in};
}

void tt_lane_cache_free(struct tt_lane_cache *cache)
{
    free(cache->cells);
    memset(cache, 0, sizeof *cache);
}
