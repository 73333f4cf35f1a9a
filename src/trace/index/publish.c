/* SPDX-License-Identifier: Apache-2.0 */
/* Publishing: counts, keys, blocks, timelines. */
#include "trace/index/publish.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Parts after which the counts by type are published. */
#define UNCOUNTED_MAX 256u

void tt_publisher_init(struct tt_publisher *p, struct tt_index *index)
{
    const struct tt_capture *c = index->capture;
    *p = (struct tt_publisher){.index = index};
    p->watermark.announced = c->format->streams ? c->format->streams(c) : 0;
}

void tt_publisher_free(struct tt_publisher *p)
{
    if (p->holds_health && p->feed.timelines) {
        p->feed.timelines->held = NULL;
    }
    tt_feed_free(&p->feed);
    tt_deferred_health_free(&p->held);
    tt_watermark_free(&p->watermark);
    free(p->counts);
}

/* ---- health of the timelines -------------------------------------------------------------- */

void tt_publisher_defer_health(struct tt_publisher *p)
{
    p->holds_health = true;
    if (p->feed.timelines) {
        p->feed.timelines->held = &p->held; /* a resumed publisher has moved in memory */
    }
}

void tt_publisher_report_health(struct tt_publisher *p)
{
    if (p->holds_health) {
        if (p->feed.timelines) {
            p->feed.timelines->held = NULL;
        }
        tt_deferred_health_report(&p->held, p->index->capture);
        tt_deferred_health_free(&p->held);
        p->holds_health = false;
    }
}

/* ---- counts by type ----------------------------------------------------------------------- */

/* Makes room for the counts of all known types. */
static bool make_counts(struct tt_publisher *p)
{
    uint32_t types = tt_types_count(p->index->capture);
    if (types > p->count_capacity) {
        uint32_t capacity = types < 512 ? 1024 : types * 2;
        uint64_t *counts = realloc(p->counts, capacity * sizeof *counts);
        if (!counts) {
            return false;
        }
        memset(counts + p->count_capacity, 0, (capacity - p->count_capacity) * sizeof *counts);
        p->counts = counts;
        p->count_capacity = capacity;
    }
    return ++p->uncounted < UNCOUNTED_MAX || tt_publisher_show_counts(p);
}

bool tt_publisher_show_counts(struct tt_publisher *p)
{
    struct tt_column *column = &p->index->type_counts;
    p->uncounted = 0;
    for (uint32_t type = 0; type < p->count_capacity; type++) {
        while (tt_column_count(column) <= type) {
            if (!tt_column_next(column)) {
                return false;
            }
            tt_column_publish(column);
        }
        if (p->counts[type] != 0) {
            _Atomic uint64_t *count = tt_column_at(column, type);
            atomic_store_explicit(count, p->counts[type], memory_order_relaxed);
        }
    }
    return true;
}

/* ---- keys and counts ---------------------------------------------------------------------- */

struct measured {
    uint32_t derived;
    bool ascending;
};

/*
 * Counts the part's events by type and extends the current block's key range by them, in one pass.
 * The keys usually ascend.
 */
static struct measured measure(struct tt_publisher *p, const struct tt_decoded *part)
{
    const struct tt_event *events = part->events;
    uint64_t *counts = p->counts;
    uint32_t types = p->count_capacity, back = 0, derived = 0;
    if (part->begins) {
        p->first = p->last = (struct tt_key){events[0].ticks, events[0].pos};
    }
    uint64_t last_ticks = p->last.ticks, last_pos = p->last.pos;
    for (uint32_t i = 0, count = part->count; i < count; i++) {
        const uint64_t ticks = events[i].ticks, pos = events[i].pos;
        const uint32_t type = events[i].type;
        if (type < types) {
            counts[type]++;
        }
        derived += (events[i].flags & TT_EVENT_UNNUMBERED) != 0;
        if (ticks > last_ticks || (ticks == last_ticks && pos >= last_pos)) {
            last_ticks = ticks;
            last_pos = pos;
        } else {
            struct tt_key key = {ticks, pos};
            p->first = tt_key_before(key, p->first) ? key : p->first;
            back++;
        }
    }
    p->last = (struct tt_key){last_ticks, last_pos};
    return (struct measured){derived, back == 0};
}

/* ---- a file that may change --------------------------------------------------------------- */

static void add_sum(struct tt_publisher *p, const struct tt_decoded *part)
{
    for (uint32_t i = 0; i < part->count; i++) {
        p->sum = tt_event_sum(p->sum, &part->events[i]);
    }
}

static bool advance_watermark(struct tt_publisher *p, const struct tt_decoded *part)
{
    const struct tt_capture *c = p->index->capture;
    uint64_t now = tt_now_ms();
    for (uint32_t i = 0; i < part->count; i++) {
        const struct tt_event *event = &part->events[i];
        p->late += event->ticks < p->final_ticks;
        uint32_t stream = c->format->stream ? c->format->stream(c, event) : 0;
        if (!tt_watermark_advance(&p->watermark, stream, event->ticks, now)) {
            return false;
        }
    }
    return true;
}

/* ---- the timelines ------------------------------------------------------------------------ */

/* Feeds the part's actions to the timelines, which are created with the first events. */
static bool feed_actions(struct tt_publisher *p, const struct tt_decoded *part, bool ascending)
{
    if (!p->feed.timelines) {
        p->feed.timelines = tt_timelines_new(p->index->capture, p->first.ticks);
        if (!p->feed.timelines) {
            return false;
        }
        p->feed.timelines->held = p->holds_health ? &p->held : NULL;
        atomic_store_explicit(&p->index->timelines, p->feed.timelines, memory_order_release);
    }
    struct tt_feed_part fed = {.actions = part->actions,
                               .count = part->action_count,
                               .ascending = ascending,
                               .goes_on = part->goes_on};
    return tt_feed_take(&p->feed, &fed);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* The caller holds the lock; also for add_bytes. */
static void add_events(const struct tt_publisher *p, uint32_t fresh, uint32_t derived)
{
    struct tt_index *index = p->index;
    struct tt_progress *progress = &index->progress;
    if (progress->events + progress->derived == 0 || p->first.ticks < progress->first_ticks) {
        progress->first_ticks = p->first.ticks;
    }
    if (p->last.ticks > progress->last_ticks) {
        progress->last_ticks = p->last.ticks;
    }
    progress->events += fresh - derived;
    progress->derived += derived;
    progress->runs = (uint32_t)index->order.run_count;
}

static void add_bytes(struct tt_index *index, const struct tt_decoded *part)
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

static bool list_events(struct tt_publisher *p, const struct tt_decoded *part, uint32_t derived)
{
    struct tt_index *index = p->index;
    struct tt_block *block = current_block(index, part);
    if (!block) {
        return false;
    }
    p->published += part->count;
    p->derived += derived;
    atomic_store_explicit(&block->count, p->published, memory_order_relaxed);
    atomic_store_explicit(&block->derived, p->derived, memory_order_relaxed);
    if (part->begins) {
        tt_column_publish(&index->blocks);
    }
    struct tt_block_range range = {.first = p->first,
                                   .last = p->last,
                                   .block = (uint32_t)(tt_column_count(&index->blocks) - 1),
                                   .rows = p->published,
                                   .sum = p->sum};
    pthread_mutex_lock(&index->lock);
    bool added =
        part->begins ? tt_runs_put(&index->order, &range) : tt_runs_extend(&index->order, &range);
    if (added) {
        block->listed = p->published;
        block->sum = p->sum;
        add_events(p, part->count, derived);
        add_bytes(index, part);
        pthread_cond_broadcast(&index->grown);
    }
    pthread_mutex_unlock(&index->lock);
    return added;
}

static bool publish_events(struct tt_publisher *p, const struct tt_decoded *part)
{
    if (part->begins) {
        p->published = p->derived = 0;
        p->sum = 0;
    }
    struct measured m = measure(p, part);
    if (p->index->follows) {
        add_sum(p, part);
        if (!advance_watermark(p, part)) {
            return false;
        }
    }
    return feed_actions(p, part, m.ascending) && list_events(p, part, m.derived);
}

bool tt_publisher_take(struct tt_publisher *p, const struct tt_decoded *part)
{
    struct tt_index *index = p->index;
    if (part->count > 0) {
        return make_counts(p) && publish_events(p, part);
    }
    pthread_mutex_lock(&index->lock);
    add_bytes(index, part);
    pthread_mutex_unlock(&index->lock);
    return true;
}
