/* SPDX-License-Identifier: Apache-2.0 */
/* Making the index: block by block along the tape. */
#include "trace/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* ---- life --------------------------------------------------------------------------------- */

struct tt_status tt_builder_init(struct tt_builder *b, struct tt_index *index)
{
    const struct tt_format *format = index->capture->format;
    memset(b, 0, sizeof *b);
    b->index = index;
    b->cursor = format->cursor_new(index->capture, true);
    b->streams.announced = format->streams ? format->streams(index->capture) : 0;
    b->batch.events = malloc(TT_BLOCK_EVENTS * sizeof *b->batch.events);
    b->batch.capacity = TT_BLOCK_EVENTS;
    b->batch.actions = malloc(TT_BLOCK_ACTIONS * sizeof *b->batch.actions);
    b->batch.action_capacity = TT_BLOCK_ACTIONS;
    b->batch.unwanted = ~tt_timelines_kinds();
    if (!b->cursor || !b->batch.events || !b->batch.actions) {
        tt_builder_free(b);
        return tt_error_memory();
    }
    return tt_ok();
}

void tt_builder_free(struct tt_builder *b)
{
    if (b->cursor) {
        b->index->capture->format->cursor_free(b->cursor);
    }
    tt_feeder_stop(b->feeder);
    if (b->split && b->feed.timelines) {
        b->feed.timelines->held = NULL;
    }
    tt_feed_free(&b->feed);
    tt_held_health_free(&b->held);
    tt_streams_free(&b->streams);
    free(b->batch.events);
    free(b->batch.actions);
    free(b->counts);
    free(b->blob);
}

uint64_t tt_builder_pos(const struct tt_builder *b)
{
    return b->index->capture->format->cursor_pos(b->cursor);
}

/* ---- one block ---------------------------------------------------------------------------- */

static void decode_guarded(void *arg)
{
    struct tt_builder *b = arg;
    const struct tt_format *format = b->index->capture->format;
    b->result = format->decode(b->cursor, b->limit, b->final, &b->batch);
}

static bool save_state(struct tt_builder *b)
{
    const struct tt_format *format = b->index->capture->format;
    b->blob_size = format->cursor_save(b->cursor, b->blob, b->blob_capacity);
    if (b->blob_size <= b->blob_capacity) {
        return true;
    }
    uint8_t *blob = realloc(b->blob, b->blob_size * 2);
    if (!blob) {
        return false;
    }
    b->blob = blob;
    b->blob_capacity = b->blob_size * 2;
    b->blob_size = format->cursor_save(b->cursor, b->blob, b->blob_capacity);
    return b->blob_size <= b->blob_capacity;
}

/* Adds the events from number `from` on to the counts that are not yet published. */
static bool count_types(struct tt_builder *b, uint32_t from)
{
    uint32_t types = tt_types_count(b->index->capture);
    if (types > b->count_capacity) {
        uint32_t capacity = types < 512 ? 1024 : types * 2;
        uint64_t *counts = realloc(b->counts, capacity * sizeof *counts);
        if (!counts) {
            return false;
        }
        memset(counts + b->count_capacity, 0, (capacity - b->count_capacity) * sizeof *counts);
        b->counts = counts;
        b->count_capacity = capacity;
    }
    const struct tt_event *events = b->batch.events;
    uint64_t *of = b->counts;
    for (uint32_t i = from, count = b->batch.count; i < count; i++) {
        uint32_t type = events[i].type;
        if (type < types) {
            of[type]++;
        }
    }
    return true;
}

bool tt_builder_publish_counts(struct tt_builder *b)
{
    struct tt_column *column = &b->index->type_counts;
    for (uint32_t type = 0; type < b->count_capacity; type++) {
        while (tt_column_count(column) <= type) {
            if (!tt_column_next(column)) {
                return false;
            }
            tt_column_publish(column);
        }
        if (b->counts[type] != 0) {
            _Atomic uint64_t *count = tt_column_at(column, type);
            atomic_store_explicit(count, b->counts[type], memory_order_relaxed);
        }
    }
    return true;
}

/* Brings the keys of the block at hand up to date with its events: mostly they ascend. */
static void measure_keys(struct tt_builder *b)
{
    const struct tt_event *events = b->batch.events;
    uint32_t count = b->batch.count, back = 0;
    if (b->published == 0) {
        b->first = b->last = (struct tt_key){events[0].ticks, events[0].pos};
    }
    uint64_t last_ticks = b->last.ticks, last_pos = b->last.pos;
    for (uint32_t i = b->published; i < count; i++) {
        uint64_t ticks = events[i].ticks, pos = events[i].pos;
        if (ticks > last_ticks || (ticks == last_ticks && pos >= last_pos)) {
            last_ticks = ticks;
            last_pos = pos;
        } else {
            struct tt_key key = {ticks, pos};
            b->first = tt_key_before(key, b->first) ? key : b->first;
            back++;
        }
    }
    b->last = (struct tt_key){last_ticks, last_pos};
    b->ascending = back == 0;
}

/* What readers of a growing file compare; returns how many of the new events are derived ones. */
static uint32_t measure_events(struct tt_builder *b)
{
    const struct tt_event *events = b->batch.events;
    uint32_t derived = 0;
    measure_keys(b);
    for (uint32_t i = b->published; i < b->batch.count; i++) {
        derived += (events[i].flags & TT_EVENT_UNNUMBERED) != 0;
    }
    for (uint32_t i = b->index->follows ? b->published : b->batch.count; i < b->batch.count; i++) {
        b->sum = tt_event_sum(b->sum, &events[i]);
    }
    return derived;
}

static bool hear_streams(struct tt_builder *b)
{
    const struct tt_capture *c = b->index->capture;
    uint64_t now = tt_now_ms();
    for (uint32_t i = b->published; i < b->batch.count; i++) {
        const struct tt_event *event = &b->batch.events[i];
        b->late += event->ticks < b->final_ticks;
        uint32_t stream = c->format->stream ? c->format->stream(c, event) : 0;
        if (!tt_streams_hear(&b->streams, stream, event->ticks, now)) {
            return false;
        }
    }
    return true;
}

/* The timelines begin with the first events that come. */
static bool feed_actions(struct tt_builder *b)
{
    if (!b->feed.timelines) {
        b->feed.timelines = tt_timelines_new(b->index->capture, b->first.ticks);
        if (!b->feed.timelines) {
            return false;
        }
        b->feed.timelines->held = b->split ? &b->held : NULL;
        atomic_store_explicit(&b->index->timelines, b->feed.timelines, memory_order_release);
    }
    struct tt_feed_part part = {.actions = b->batch.actions + b->fed,
                                .count = b->batch.action_count - b->fed,
                                .ascending = b->ascending,
                                .goes_on = b->result != TT_DECODE_MORE};
    bool fed =
        b->feeder ? tt_feeder_put(b->feeder, &b->batch, &part) : tt_feed_take(&b->feed, &part);
    b->fed = b->batch.action_count;
    return fed;
}

static void publish_progress(const struct tt_builder *b, uint32_t fresh, uint32_t derived)
{
    struct tt_index *index = b->index;
    struct tt_progress *p = &index->progress;
    if (p->events + p->derived == 0 || b->first.ticks < p->first_ticks) {
        p->first_ticks = b->first.ticks;
    }
    if (b->last.ticks > p->last_ticks) {
        p->last_ticks = b->last.ticks;
    }
    p->events += fresh - derived;
    p->derived += derived;
    p->runs = (uint32_t)index->order.run_count;
}

/* The block's place in the list, made with its first events. */
static struct tt_block *block_at_hand(struct tt_builder *b)
{
    struct tt_index *index = b->index;
    uint64_t number = tt_column_count(&index->blocks);
    if (b->published > 0) {
        return tt_column_at(&index->blocks, number - 1);
    }
    struct tt_block *block = number < UINT32_MAX ? tt_column_next(&index->blocks) : NULL;
    uint8_t *blob = tt_arena_alloc(&index->blobs, b->blob_size ? b->blob_size : 1);
    if (!block || !blob) {
        return NULL;
    }
    memcpy(blob, b->blob, b->blob_size);
    block->pos = b->block_pos;
    block->blob = blob;
    block->blob_size = (uint32_t)b->blob_size;
    return block;
}

static bool publish_events(struct tt_builder *b)
{
    struct tt_index *index = b->index;
    uint32_t had = b->published, count = b->batch.count;
    uint32_t derived = measure_events(b);
    struct tt_block *block = block_at_hand(b);
    if (!block || (index->follows && !hear_streams(b)) || !feed_actions(b)) {
        return false;
    }
    atomic_store_explicit(&block->count, count, memory_order_relaxed);
    atomic_store_explicit(&block->derived, b->derived + derived, memory_order_relaxed);
    if (had == 0) {
        tt_column_publish(&index->blocks);
    }
    struct tt_block_range range = {.first = b->first,
                                   .last = b->last,
                                   .block = (uint32_t)(tt_column_count(&index->blocks) - 1),
                                   .rows = count,
                                   .sum = b->sum};
    pthread_mutex_lock(&index->lock);
    bool added =
        had == 0 ? tt_order_put(&index->order, &range) : tt_order_extend(&index->order, &range);
    if (added) {
        block->listed = count;
        block->sum = b->sum;
        publish_progress(b, count - had, derived);
        pthread_cond_broadcast(&index->grown);
    }
    pthread_mutex_unlock(&index->lock);
    b->published = count;
    b->derived += derived;
    return added;
}

/*
 * The file shrank: what was read beyond its end may have been zeros of a last page, without a
 * signal. The part that is still there can be trusted.
 */
static void note_shrunk(struct tt_builder *b, uint64_t size)
{
    struct tt_index *index = b->index;
    atomic_store_explicit(&index->limit, size, memory_order_release);
    b->shrunk = true;
    tt_health_add(index->capture, TT_HEALTH_SHRUNK, size, size, index->capture->bytes.size,
                  "bytes when it was opened");
}

static bool begin_block(struct tt_builder *b)
{
    if (b->open) {
        return true;
    }
    if (!save_state(b)) {
        return false;
    }
    b->block_pos = tt_builder_pos(b);
    b->batch.count = b->batch.action_count = 0;
    b->published = b->derived = b->fed = 0;
    b->sum = 0;
    b->open = true;
    return true;
}

#define FORGET_BYTES (UINT64_C(8) << 20)

/* Pages behind the cursor go back to the system. */
static void forget_behind(struct tt_builder *b)
{
    const struct tt_index *index = b->index;
    uint64_t pos = tt_builder_pos(b);
    if (index->map && !index->capture->format->offset && pos > b->forgotten + FORGET_BYTES) {
        tt_map_forget(index->map, b->forgotten, pos);
        b->forgotten = pos;
    }
}

struct tt_status tt_builder_step(struct tt_builder *b, bool *more)
{
    struct tt_index *index = b->index;
    *more = false;
    if (!begin_block(b)) {
        return tt_error_memory();
    }
    uint64_t from = tt_builder_pos(b);
    uint32_t had = b->batch.count;
    b->batch.records = 0;
    b->batch.byte_budget = TT_BLOCK_BYTES - (from - b->block_pos);
    b->limit = atomic_load_explicit(&index->limit, memory_order_relaxed);
    bool whole = tt_map_guard(decode_guarded, b);
    uint64_t size = index->map ? tt_map_file_size(index->map) : b->limit;
    if (!whole || size < b->limit) {
        note_shrunk(b, size < b->limit ? size : from);
        return tt_ok();
    }
    if (b->result == TT_DECODE_MEMORY || tt_capture_incomplete(index->capture) ||
        !count_types(b, had)) {
        return tt_error_memory();
    }
    if (b->batch.count > b->published && !publish_events(b)) {
        return tt_error_memory();
    }
    pthread_mutex_lock(&index->lock);
    index->progress.bytes_done = tt_builder_pos(b);
    index->progress.records += b->batch.records;
    pthread_mutex_unlock(&index->lock);
    forget_behind(b);
    *more = b->result == TT_DECODE_MORE;
    b->open = !*more;
    return tt_ok();
}

/* ---- a file without any order ------------------------------------------------------------- */

static int compare_events(const void *a, const void *b)
{
    return tt_event_compare(a, b);
}

static struct tt_status sort_everything(struct tt_index *index)
{
    uint64_t rows = index->order.rows;
    struct tt_event *all =
        rows > SIZE_MAX / sizeof *all ? NULL : malloc((size_t)rows * sizeof *all);
    struct tt_event *block_events = malloc(TT_BLOCK_EVENTS * sizeof *block_events);
    const struct tt_format *format = index->capture->format;
    struct tt_cursor *cursor = format->cursor_new(index->capture, false);
    struct tt_status status = tt_ok();
    if (!all || !block_events || !cursor) {
        status = tt_error_memory();
    } else {
        uint64_t at = 0, blocks = tt_column_count(&index->blocks);
        for (uint32_t number = 0; number < blocks; number++) {
            const struct tt_block *block = tt_column_at(&index->blocks, number);
            tt_index_decode(index, cursor, number, block->count, 0, block_events);
            memcpy(all + at, block_events, block->count * sizeof *all);
            at += block->count;
        }
        qsort(all, (size_t)rows, sizeof *all, compare_events);
    }
    if (cursor) {
        format->cursor_free(cursor);
    }
    free(block_events);
    if (tt_failed(&status)) {
        free(all);
        return status;
    }
    pthread_mutex_lock(&index->lock);
    index->sorted = all;
    pthread_mutex_unlock(&index->lock);
    return status;
}

static struct tt_status settle_order(struct tt_index *index)
{
    pthread_mutex_lock(&index->lock);
    bool ok = tt_order_tidy(&index->order);
    bool chaotic = index->order.chaotic;
    index->progress.runs = (uint32_t)index->order.run_count;
    pthread_mutex_unlock(&index->lock);
    if (!ok) {
        return tt_error_memory();
    }
    return chaotic ? sort_everything(index) : tt_ok();
}

/* ---- the timelines ------------------------------------------------------------------------- */

/*
 * Late blocks, an earlier beginning than was thought, pids whose processes are settled only now, or
 * threads that turn out to be idle ones: the timelines are built again, from the settled order.
 */
bool tt_builder_is_stale(const struct tt_builder *b)
{
    return b->feed.timelines &&
           (b->feed.late || b->index->capture->lanes_by_time ||
            b->index->progress.first_ticks < tt_timelines_begin(b->feed.timelines) ||
            tt_timelines_idle_changed(b->feed.timelines));
}

static void show_timelines(struct tt_index *index, struct tt_timelines *anew)
{
    pthread_mutex_lock(&index->lock);
    anew->older = atomic_load_explicit(&index->timelines, memory_order_relaxed);
    anew->number = anew->older ? anew->older->number + 1 : anew->number;
    atomic_store_explicit(&index->timelines, anew, memory_order_release);
    pthread_mutex_unlock(&index->lock);
}

/* Where the tape is the file, no more is read than was before: the rest may be half a record. */
static uint64_t limit_for_again(const struct tt_builder *b)
{
    uint64_t limit = atomic_load_explicit(&b->index->limit, memory_order_relaxed);
    if (b->final || b->index->capture->format->offset) {
        return limit;
    }
    uint64_t pos = tt_builder_pos(b);
    return pos < limit ? pos : limit;
}

struct tt_status tt_builder_rebuild(struct tt_builder *b, uint64_t until)
{
    struct tt_index *index = b->index;
    struct tt_timelines *anew = tt_timelines_new(index->capture, index->progress.first_ticks);
    if (!anew) {
        return tt_error_memory();
    }
    anew->quiet = true;
    b->feed.timelines = anew;
    struct tt_status status = tt_feed_again(index, &b->feed, until, limit_for_again(b));
    if (tt_failed(&status)) {
        b->feed.timelines = atomic_load_explicit(&index->timelines, memory_order_relaxed);
        tt_timelines_free(anew);
        return status;
    }
    anew->quiet = false;
    show_timelines(index, anew);
    return status;
}

bool tt_builder_release(struct tt_builder *b, uint64_t until, size_t keep, uint64_t reach)
{
    if (!b->feed.timelines || b->feed.late) {
        return true;
    }
    if (!tt_feed_release(&b->feed, until, keep)) {
        return false;
    }
    struct tt_key first;
    if (tt_hold_first(&b->feed.hold, &first) && first.ticks < reach) {
        reach = first.ticks;
    }
    tt_timelines_reach(b->feed.timelines, reach);
    return true;
}

void tt_builder_split(struct tt_builder *b)
{
    b->split = true;
    if (b->feed.timelines) {
        b->feed.timelines->held = &b->held; /* of a resumed one: moved since */
    }
    if (b->index->capture->format->lanes_stay) {
        b->feeder = tt_feeder_start(&b->feed);
    }
}

bool tt_builder_join(struct tt_builder *b)
{
    bool fed = tt_feeder_stop(b->feeder);
    b->feeder = NULL;
    return fed;
}

/* What was kept back while the feeder ran goes where it belongs. */
static void tell_health(struct tt_builder *b)
{
    if (b->split) {
        b->feed.timelines->held = NULL;
        tt_held_health_tell(&b->held, b->index->capture);
        tt_held_health_free(&b->held);
        b->split = false;
    }
}

static struct tt_status end_timelines(struct tt_builder *b)
{
    struct tt_timelines *built = b->feed.timelines;
    tt_timelines_reach(built, b->index->progress.last_ticks);
    atomic_store_explicit(&built->provisional, false, memory_order_release);
    /* What the timelines found to be wrong was noted, or there was no memory for it. */
    return tt_capture_incomplete(b->index->capture) ? tt_error_memory() : tt_ok();
}

static struct tt_status settle_timelines(struct tt_builder *b)
{
    struct tt_index *index = b->index;
    if (!b->feed.timelines) {
        return tt_ok();
    }
    if (!tt_feed_finish(&b->feed)) {
        return tt_error_memory();
    }
    tell_health(b);
    if (tt_builder_is_stale(b) && !index->order.chaotic) {
        struct tt_status status = tt_builder_rebuild(b, UINT64_MAX);
        if (tt_failed(&status)) {
            return status;
        }
    }
    return end_timelines(b);
}

struct tt_status tt_builder_settle(struct tt_builder *b)
{
    struct tt_status status = settle_order(b->index);
    return tt_failed(&status) ? status : settle_timelines(b);
}

struct tt_status tt_builder_again(struct tt_index *index)
{
    struct tt_builder b = {.index = index, .final = true};
    struct tt_status status = tt_builder_rebuild(&b, UINT64_MAX);
    if (!tt_failed(&status)) {
        status = end_timelines(&b);
    }
    tt_builder_free(&b);
    return status;
}
