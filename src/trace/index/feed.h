/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: brings the actions of decoded blocks to the timelines in the order of time.
 *
 * Blocks come in the order of the file, and neighbours often overlap a little. So the latest
 * actions are held back, and what comes is merged with them (index/reorder.h):
 *
 *      to the timelines <- [ held back ............................. ] <- next block
 *                      ^ fed up to here
 *
 * A block that begins before what was fed is late. Feeding then stops, and when the index is
 * complete the timelines are built anew from a merge of the runs (index/rebuild.c).
 *
 * The indexer's own.
 */
#ifndef TRACETUI_TRACE_INDEX_FEED_H
#define TRACETUI_TRACE_INDEX_FEED_H

#include "trace/index/reorder.h"
#include "trace/index/runs.h"
#include "trace/timeline/timeline.h"

struct tt_index;

/* Actions held back once there are so many: what they take goes round in the processor's cache. A
 * fuzzer has fewer, so that lanes are fed by small captures too. */
#ifndef TT_FEED_WINDOW
#define TT_FEED_WINDOW 8192u
#endif

struct tt_feed {
    struct tt_timelines *timelines; /* made with the first block */
    struct tt_reorder hold;
    struct tt_key fed;
    bool late;
};

void tt_feed_free(struct tt_feed *feed);

/* What of a block comes at once: mostly all of it. */
struct tt_feed_part {
    const struct tt_action *actions;
    size_t count;
    bool ascending; /* they are known to be in the order of time */
    /* More of the block will come: it is held back until then, so that what is fed when does not
     * depend on how the file grew. */
    bool goes_on;
};

/* Takes actions, which the caller keeps. False when out of memory. */
bool tt_feed_take(struct tt_feed *feed, const struct tt_feed_part *part);
/* Feeds what is before `until` (ticks), but for the latest `keep`. False when out of memory. */
bool tt_feed_release(struct tt_feed *feed, uint64_t until, size_t keep);
/* Feeds what is still held back. */
bool tt_feed_finish(struct tt_feed *feed);

/*
 * Feeds feed->timelines, which are empty, from all blocks of the index in order, reading the file
 * below `limit`. What is not before `until` (ticks; UINT64_MAX: all is) is held back, so that the
 * feed can go on.
 */
struct tt_status tt_feed_rebuild(struct tt_index *index, struct tt_feed *feed, uint64_t until,
                                 uint64_t limit);

#endif
