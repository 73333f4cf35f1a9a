/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/lanes/row_cache.h"

#include <stdlib.h>
#include <string.h>

static bool same_key(const struct tt_lane_cache_key *a, const struct tt_lane_cache_key *b)
{
    return a->from == b->from && a->to == b->to && a->end == b->end && a->rows == b->rows &&
           a->number == b->number && a->columns == b->columns && a->events == b->events;
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

const struct tt_lane_cell *tt_lane_cache_find(const struct tt_lane_cache *cache, uint32_t thread)
{
    for (unsigned i = 0; i < cache->count; i++) {
        if (cache->threads[i] == thread) {
            return cache->cells + i * cache->room;
        }
    }
    return NULL;
}

struct tt_lane_cell *tt_lane_cache_add(struct tt_lane_cache *cache, uint32_t thread)
{
    unsigned at = cache->next;
    cache->next = (at + 1) % TT_LANES_CACHED;
    cache->count = cache->count > at ? cache->count : at + 1;
    cache->threads[at] = thread;
    return cache->cells + at * cache->room;
}

void tt_lane_cache_free(struct tt_lane_cache *cache)
{
    free(cache->cells);
    memset(cache, 0, sizeof *cache);
}
