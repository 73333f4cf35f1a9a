/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_cache: lanes of threads as they were worked out for the last pictures: a key that moves the
 * cursor or scrolls a line leaves most of them as they are. What is known is kept while the window
 * and the timelines stay the same.
 *
 *      threads | 12 | 7 | 3 | ... |      the next one takes the place of the oldest
 *      cells   | of 12 | of 7 | of 3 | ...
 *
 * Owns its cells; one thread.
 */
#ifndef TRACETUI_TUI_LANES_ROW_CACHE_H
#define TRACETUI_TUI_LANES_ROW_CACHE_H

#include "tui/lanes/cell.h"

#define TT_LANES_CACHED 128u

/* What the cells are of. */
struct tt_lane_picture {
    uint64_t from, to;
    uint64_t end;    /* of the timelines */
    uint64_t rows;   /* events that there were */
    uint32_t number; /* of the timelines */
    unsigned columns;
};

struct tt_lane_cache {
    struct tt_lane_picture picture;
    struct tt_lane_cell *cells;
    size_t room; /* for so many columns a lane */
    uint32_t threads[TT_LANES_CACHED];
    unsigned count;
    unsigned next;
};

/* Forgets the lanes of another picture. False when out of memory: there is no room for any then. */
bool tt_lane_cache_begin(struct tt_lane_cache *cache, const struct tt_lane_picture *picture);
/* The cells of a thread, or NULL. */
const struct tt_lane_cell *tt_lane_cache_find(const struct tt_lane_cache *cache, uint32_t thread);
/* Room for the cells of a thread that is not there: the caller fills all columns in. */
struct tt_lane_cell *tt_lane_cache_add(struct tt_lane_cache *cache, uint32_t thread);
void tt_lane_cache_free(struct tt_lane_cache *cache);

#endif
