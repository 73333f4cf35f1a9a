/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_cache: caches the cells and sums of thread lanes between frames: most lanes stay the same when a
 * key moves the cursor or scrolls by a line. Entries are valid while window and timelines are the same.
 *
 *      threads | 12 | 7 | 3 | ... |      a new entry replaces the oldest
 *      cells   | of 12 | of 7 | of 3 | ...
 *      sums    | of 12 | of 7 | of 3 | ...
 *
 * Owns its cells; one thread.
 */
#ifndef TRACETUI_TUI_LANES_ROW_CACHE_H
#define TRACETUI_TUI_LANES_ROW_CACHE_H

#include "tui/lanes/cell.h"

#define TT_LANES_CACHED 256u

/* Key of the cache: window, timelines and columns that the cells were computed for. */
struct tt_lane_cache_key {
    uint64_t from, to;
    uint64_t end;    /* of the timelines */
    uint64_t rows;   /* number of indexed events */
    uint32_t number; /* of the timelines */
    unsigned columns;
    uint32_t events; /* of the axis of sequence; from and to are then positions of events */
};

/* Sums of a thread over the window. */
struct tt_lane_sums {
    uint64_t run; /* ticks, without interrupts */
    uint64_t in;  /* context switches to it */
};

struct tt_lane_cache {
    struct tt_lane_cache_key key;
    struct tt_lane_cell *cells;
    size_t room; /* capacity of a lane, in columns */
    uint32_t threads[TT_LANES_CACHED];
    struct tt_lane_sums sums[TT_LANES_CACHED];
    unsigned count;
    unsigned next;
};

/* Drops the lanes if the key has changed. False when out of memory: the cache is then empty. */
bool tt_lane_cache_begin(struct tt_lane_cache *cache, const struct tt_lane_cache_key *key);
/* Returns the cells of a thread, or NULL. */
const struct tt_lane_cell *tt_lane_cache_find(const struct tt_lane_cache *cache, uint32_t thread);
/* Returns the sums of a thread, or NULL. */
const struct tt_lane_sums *tt_lane_cache_sums(const struct tt_lane_cache *cache, uint32_t thread);
/* Adds an entry for a thread that has none; the caller fills in the cells of all columns. */
struct tt_lane_cell *tt_lane_cache_add(struct tt_lane_cache *cache, uint32_t thread);
/* Computes the sums over [from, to) of the entry that was added last. */
void tt_lane_cache_sum(struct tt_lane_cache *cache, const struct tt_timelines *timelines,
                       uint64_t from, uint64_t to);
void tt_lane_cache_free(struct tt_lane_cache *cache);

#endif
