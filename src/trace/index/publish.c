/* SPDX-License-Identifier: Apache-2.0 */
/* Publishing: blocks, runs, timelines. */
#include "trace/index/publish.h"

void tt_publisher_init(struct tt_publisher *publisher, struct tt_index *index)
{
    *publisher = (struct tt_publisher){.index = index};
}

void tt_publisher_free(struct tt_publisher *publisher)
{
    if (publisher->holds_health && publisher->feed.timelines) {
        publisher->feed.timelines->held = NULL;
    }
    tt_feed_free(&publisher->feed);
    tt_deferred_health_free(&publisher->held);
}

/* ---- health of the timelines -------------------------------------------------------------- */

void tt_publisher_defer_health(struct tt_publisher *publisher)
{
    publisher->holds_health = true;
}

bool tt_publisher_renew_health(struct tt_publisher *publisher, struct tt_timelines *rebuilt)
{
    if (publisher->holds_health) {
        if (publisher->feed.timelines) {
            publisher->feed.timelines->held = NULL;
        }
        tt_deferred_health_free(&publisher->held);
        rebuilt->held = &publisher->held;
    }
    return publisher->holds_health;
}

void tt_publisher_report_health(struct tt_publisher *publisher)
{
    if (publisher->holds_health) {
        if (publisher->feed.timelines) {
            publisher->feed.timelines->held = NULL;
        }
        tt_deferred_health_report(&publisher->held, publisher->index->capture);
        tt_deferred_health_free(&publisher->held);
        publisher->holds_health = false;
    }
}

/* ---- the timelines ------------------------------------------------------------------------ */

/* Feeds the part's actions to the timelines, which are created with the first events. */
static bool feed_actions(struct tt_publisher *publisher, const struct tt_decoded *part)
{
    if (!publisher->feed.timelines) {
        publisher->feed.timelines = tt_timelines_new(publisher->index->capture, part->first.ticks);
        if (!publisher->feed.timelines) {
            return false;
        }
        publisher->feed.timelines->held = publisher->holds_health ? &publisher->held : NULL;
        atomic_store_explicit(&publisher->index->timelines, publisher->feed.timelines,
                              memory_order_release);
    }
    struct tt_feed_part fed = {.array = part->array,
                               .actions = part->actions,
                               .count = part->action_count,
                               .ascending = part->ascending,
                               .incomplete = part->incomplete};
    return tt_feed_add(&publisher->feed, &fed);
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void publish_add_bytes(struct tt_index *index, const struct tt_decoded *part)
{
    struct tt_progress *progress = &index->progress;
    progress->bytes_done = part->pos;
    progress->records += part->records;
    /* Records without an event extend the capture only after its first event. */
    if (progress->events + progress->derived > 0 && part->reached > progress->last_ticks) {
        progress->last_ticks = part->reached;
    }
}

/* Returns the current block's entry in the block list, created with its first events. */
static struct tt_block *current_block(struct tt_index *index, const struct tt_decoded *part)
{
    uint64_t number = tt_column_count(&index->blocks);
    if (!part->begins) {
        return tt_column_at(&index->blocks, number - 1);
    }
    struct tt_block *block = number < UINT32_MAX ? tt_column_next(&index->blocks) : NULL;
    if (block) {
        block->pos = part->block_pos;
        block->blob = part->blob;
        block->blob_size = part->blob_size;
    }
    return block;
}

static bool list_events(struct tt_publisher *publisher, const struct tt_decoded *part)
{
    struct tt_index *index = publisher->index;
    struct tt_block *block = current_block(index, part);
    if (!block) {
        return false;
    }
    publisher->published += part->count;
    publisher->derived += part->derived;
    atomic_store_explicit(&block->count, publisher->published, memory_order_relaxed);
    atomic_store_explicit(&block->derived, publisher->derived, memory_order_relaxed);
    if (part->begins) {
        tt_column_publish(&index->blocks);
    }
    struct tt_block_range range = {.first = part->first,
                                   .last = part->last,
                                   .block = (uint32_t)(tt_column_count(&index->blocks) - 1),
                                   .rows = publisher->published,
                                   .sum = part->sum};
    pthread_mutex_lock(&index->lock);
    bool added =
        part->begins ? tt_runs_put(&index->order, &range) : tt_runs_extend(&index->order, &range);
    if (added) {
        block->listed = publisher->published;
        block->sum = part->sum;

        /* The caller holds the lock; also for add_bytes. */
        struct tt_progress *progress = &index->progress;
        if (progress->events + progress->derived == 0 ||
            part->first.ticks < progress->first_ticks) {
            progress->first_ticks = part->first.ticks;
        }
        if (part->last.ticks > progress->last_ticks) {
            progress->last_ticks = part->last.ticks;
        }
        progress->events += part->count - part->derived;
        progress->derived += part->derived;
        progress->runs = (uint32_t)index->order.run_count;

        publish_add_bytes(index, part);
        pthread_cond_broadcast(&index->grown);
    }
    pthread_mutex_unlock(&index->lock);
    return added;
}

bool tt_publisher_publish(struct tt_publisher *publisher, const struct tt_decoded *part)
{
    struct tt_index *index = publisher->index;
    if (part->count > 0) {
        if (part->begins) {
            publisher->published = publisher->derived = 0;
        }
        return (index->rows_only || feed_actions(publisher, part)) && list_events(publisher, part);
    }
    pthread_mutex_lock(&index->lock);
    publish_add_bytes(index, part);
    pthread_mutex_unlock(&index->lock);
    return true;
}
