/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: brings the actions of decoded blocks to the timelines in the order of time.
 *
 * Blocks come in the order of the file, and neighbours often overlap a little. A window of actions
 * is held back and merged with what comes:
 *
 *      to the timelines <- [ window, sorted ........................ ] <- next block, sorted
 *                      ^ fed up to here
 *
 * A block that begins before what was fed is late. Feeding then stops, and when the index is
 * complete the timelines are built anew from a merge of the runs (feed_again.c).
 *
 * The indexer's own.
 */
#ifndef TT_TRACE_FEED_H
#define TT_TRACE_FEED_H

#include "trace/order.h"
#include "trace/timeline.h"

struct tt_index;

#define TT_FEED_WINDOW 16384u

struct tt_feed {
    struct tt_timelines *timelines; /* made with the first block */
    struct tt_timed_action *window;
    size_t count;
    size_t capacity;
    struct tt_timed_action *block; /* of the block that comes */
    size_t block_count;
    size_t block_capacity;
    struct tt_key fed;
    bool late;
};

void tt_feed_free(struct tt_feed *feed);

/* What of a batch that is still being filled was taken before. */
struct tt_feed_from {
    uint32_t action;
    uint32_t event;
};

/*
 * Takes the actions of a batch, and what its events are by themselves, from `from` on; its events
 * stand as decoded. False when out of memory.
 */
bool tt_feed_batch(struct tt_feed *feed, const struct tt_batch *batch, struct tt_feed_from from);
/* The second half of it: takes what tt_feed_collect has put into feed->block. */
bool tt_feed_take(struct tt_feed *feed);
/* Feeds what is before `until` (ticks), but for the latest `keep`. False when out of memory. */
bool tt_feed_release(struct tt_feed *feed, uint64_t until, size_t keep);
/* Feeds what is still held back. */
bool tt_feed_finish(struct tt_feed *feed);

/*
 * The batch's actions from `from` on with their keys, sorted; stable. False when out of memory.
 */
bool tt_feed_collect(const struct tt_batch *batch, struct tt_feed_from from,
                     struct tt_timed_action **actions, size_t *count, size_t *capacity);

/* Makes room for `need` actions. False when out of memory. */
bool tt_feed_grow(struct tt_timed_action **actions, size_t *capacity, size_t need);

/*
 * Feeds feed->timelines, which are empty, from all blocks of the index in order, reading the file
 * below `limit`. What is not before `until` (ticks; UINT64_MAX: all is) becomes the window, so that
 * the feed can go on.
 */
struct tt_status tt_feed_again(struct tt_index *index, struct tt_feed *feed, uint64_t until,
                               uint64_t limit);

#endif
