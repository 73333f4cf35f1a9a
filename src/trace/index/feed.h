/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: passes the actions of decoded blocks to the timelines in time order.
 *
 * Blocks arrive in record order, and neighbours often overlap a little. So the latest actions stay
 * in a reorder buffer (index/reorder.h), where they merge with the next block:
 *
 *      timelines <- [ reorder buffer ............................... ] <- next block
 *                ^ fed up to here
 *
 * A block that begins before the last fed action is late. Feeding then stops, and once the index is
 * complete the timelines are rebuilt from a merge of the runs (index/rebuild.c).
 *
 * Used by the thread that publishes.
 */
#ifndef TRACETUI_TRACE_INDEX_FEED_H
#define TRACETUI_TRACE_INDEX_FEED_H

#include "trace/index/reorder.h"
#include "trace/index/runs.h"
#include "trace/timeline/timeline.h"

struct tt_index;

/*
 * Capacity of the reorder buffer in actions, small enough for the CPU cache. Fuzz targets set it
 * lower, so that small captures feed lanes too.
 */
#ifndef TT_FEED_WINDOW
#define TT_FEED_WINDOW 8192u
#endif

struct tt_feed {
    struct tt_timelines *timelines; /* NULL before the first block */
    struct tt_reorder reorder;
    struct tt_key fed; /* key of the last action passed to the timelines */
    bool late;         /* a late block arrived: feeding has stopped */
};

void tt_feed_free(struct tt_feed *feed);

/* The actions of one part of a block; usually the whole block. */
struct tt_feed_part {
    struct tt_action **array;        /* of TT_BLOCK_ACTIONS; NULL: only `actions` */
    const struct tt_action *actions; /* in the array, if there is one */
    size_t count;
    bool ascending; /* known to be in time order */
    /* The block is not complete: nothing is fed before it is, so that the order of feeding does not
     * depend on how the file grew. */
    bool incomplete;
};

/*
 * Adds the part to the reorder buffer and feeds what exceeds it. Takes over the array, and replaces it by
 * another one, or copies the actions if there is none. Returns false when out of memory.
 */
bool tt_feed_add(struct tt_feed *feed, const struct tt_feed_part *part);
/* Feeds the actions before `until` (ticks), except the latest `keep`. False when out of memory. */
bool tt_feed_release(struct tt_feed *feed, uint64_t until, size_t keep);
/* Feeds all remaining actions. False when out of memory. */
bool tt_feed_finish(struct tt_feed *feed);

/*
 * Feeds the empty feed->timelines from all blocks of the index in time order, reading the file
 * below `limit`. Actions at or after `until` (ticks; UINT64_MAX: none) stay in the reorder buffer,
 * so that feeding can continue.
 */
struct tt_status tt_feed_rebuild(struct tt_index *index, struct tt_feed *feed, uint64_t until,
                                 uint64_t limit);

#endif
