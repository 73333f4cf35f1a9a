/* SPDX-License-Identifier: Apache-2.0 */
/*
 * publish_thread: publishes decoded parts in a second thread.
 *
 *      indexing thread        queue, in order        publishing thread
 *      decode k+2 | put  ->     [k+1][ k ]    ->     count, list, feed | index, timelines
 *
 * Decoding and publishing cost about the same, so two CPUs nearly double the throughput. The result
 * is identical to that of a single thread: the queue preserves the order, the parts are the same,
 * and only the publishing thread modifies what is published. Two things would depend on how far
 * ahead the decoder is:
 *
 * - Problems that the timelines find. They are deferred (timeline/deferred_health.h) and added at
 *   the end.
 * - The owner of a thread, and whether it is an idle thread, which the timelines look up in the
 *   capture. If they can change later (`lanes_final` of the format is not set), the queue is emptied
 *   before each change (format/registry_watch.h).
 *
 * While another program slows down the publishing thread, the indexing thread publishes
 * (index/thread_choice.h).
 *
 * All functions are called by the indexing thread only.
 */
#ifndef TRACETUI_TRACE_INDEX_PUBLISH_THREAD_H
#define TRACETUI_TRACE_INDEX_PUBLISH_THREAD_H

#include "trace/index/publish.h"
#include "trace/index/thread_choice.h"

struct tt_publish_thread;

/*
 * Starts the thread, which owns `publisher` until it is stopped. Returns NULL on a single CPU or if
 * the thread cannot be created; the caller then publishes inline.
 */
struct tt_publish_thread *tt_publish_thread_start(struct tt_publisher *publisher);

/*
 * Queues a part of `batch`; waits while the queue is full. The actions of a completed block's batch
 * are swapped for another array of the same size, with undefined contents. The part of an incomplete
 * block (`incomplete`) is copied, since the decoder appends to it. Returns false when out
 * of memory, also for an earlier part.
 */
bool tt_publish_thread_put(struct tt_publish_thread *thread, struct tt_batch *batch,
                           const struct tt_decoded *part);

/* Counts a wait of the indexing thread for its input, in ns: not for the choice of threads. */
void tt_publish_thread_count_wait(struct tt_publish_thread *thread, uint64_t ns);

/* Waits until all queued parts are published. */
void tt_publish_thread_catch_up(struct tt_publish_thread *thread);

/* Returns the choice between one thread and two, which tests make themselves. */
struct tt_thread_choice *tt_publish_thread_choice(struct tt_publish_thread *thread);

/*
 * Waits until all parts are published, ends the thread and frees it. Returns false when out of
 * memory; true for NULL.
 */
bool tt_publish_thread_stop(struct tt_publish_thread *thread);

#endif
