/* SPDX-License-Identifier: Apache-2.0 */
/*
 * relay: hands what was decoded to a thread of its own, which publishes it.
 *
 *      indexer    decode k+2 | put ->  [k+1][ k ]  -> count, list, feed | index, timelines
 *                                     parts, in order    relay's thread
 *
 * Decoding and all that comes behind it cost about the same, so that two processors do nearly twice
 * as much. What comes out is what comes out of one thread, bit for bit: the queue keeps the order,
 * the parts are the same, and what is published is changed by the relay's thread alone. Two things
 * would depend on how far ahead the decoder is:
 *
 * - Health that timelines note. It is kept back (see timeline/deferred_health.h) and added at the end.
 * - What timelines ask the capture about a thread: whose it is, whether it idles. Only formats that
 *   say so (`lanes_final`) have a relay.
 *
 * The indexer's own: one thread calls all of this.
 */
#ifndef TRACETUI_TRACE_INDEX_PUBLISH_THREAD_H
#define TRACETUI_TRACE_INDEX_PUBLISH_THREAD_H

#include "trace/index/publish.h"

struct tt_publish_thread;

/*
 * Begins to publish, with a publisher that is the relay's until it is stopped. NULL where there is
 * one processor or no thread to be had: whoever asks then publishes as he decodes.
 */
struct tt_publish_thread *tt_publish_thread_start(struct tt_publisher *publisher);

/*
 * As tt_publisher_take; may wait. The part is one of the batch's. Their arrays are exchanged for
 * others of the same sizes, so that what they held is gone; not where more of the block will come,
 * since the decoder may look at its events again. False when out of memory, now or in what was put
 * before.
 */
bool tt_publish_thread_put(struct tt_publish_thread *relay, struct tt_batch *batch,
                           const struct tt_decoded *part);

/* Waits until all is published and frees the relay. False when out of memory. NULL: true. */
bool tt_publish_thread_stop(struct tt_publish_thread *relay);

#endif
