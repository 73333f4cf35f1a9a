/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feeder: timelines fed by a thread of their own, behind the one that decodes.
 *
 *      indexer    decode k+2 | put ->  [k+1][ k ]  -> merge, feed | timelines
 *                                      actions, in order           feeder's thread
 *
 * Decoding and feeding cost about the same, so that two processors do nearly twice as much. What
 * comes out is what comes out of one thread, bit for bit: the queue keeps the order, the parts
 * are cut the same, and the timelines are changed by the feeder's thread alone. Two things would
 * depend on how far ahead the decoder is:
 *
 * - Health that timelines note. It is kept back (see held_health.h) and added at the end.
 * - What timelines ask the capture about a thread: whose it is, whether it idles. Only formats that
 *   say so (`lanes_stay`) have a feeder.
 *
 * The indexer's own: one thread calls all of this.
 */
#ifndef TT_TRACE_FEEDER_H
#define TT_TRACE_FEEDER_H

#include "trace/feed.h"

struct tt_feeder;

/*
 * Begins to feed `feed`, which is the feeder's until it is stopped, but for feed->timelines, to be
 * set before the first put. NULL where there is one processor or no thread to be had: whoever asks
 * then feeds as he decodes.
 */
struct tt_feeder *tt_feeder_start(struct tt_feed *feed);

/*
 * As tt_feed_take; may wait. The part is one of the batch's actions, and their array is exchanged
 * for another one of the same size: what it held is gone. False when out of memory, now or in what
 * was put before.
 */
bool tt_feeder_put(struct tt_feeder *feeder, struct tt_batch *batch,
                   const struct tt_feed_part *part);

/* Waits until all is fed and frees the feeder. False when out of memory. NULL: true. */
bool tt_feeder_stop(struct tt_feeder *feeder);

#endif
