/* SPDX-License-Identifier: Apache-2.0 */
/* Making the index: block by block along the tape. */
#include "trace/index.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct tt_status tt_index_init(struct tt_index *index, struct tt_capture *capture,
                               struct tt_map *map)
{
    memset(index, 0, sizeof *index);
    index->capture = capture;
    index->map = map;
    tt_column_init(&index->blocks, sizeof(struct tt_block));
    tt_column_init(&index->type_counts, sizeof(_Atomic uint64_t));
    atomic_init(&index->limit, capture->bytes.size);
    index->progress.bytes_total = capture->bytes.size;
    index->progress.status = tt_ok();
    if (pthread_mutex_init(&index->lock, NULL) != 0) {
        return tt_error_memory();
    }
    if (pthread_cond_init(&index->grown, NULL) != 0) {
        pthread_mutex_destroy(&index->lock);
        return tt_error_memory();
    }
    return tt_ok();
}

void tt_index_free(struct tt_index *index)
{
    tt_order_free(&index->order);
    tt_column_free(&index->blocks);
    tt_column_free(&index->type_counts);
    tt_arena_free(&index->blobs);
    free(index->sorted);
    tt_timelines_free(atomic_load_explicit(&index->timelines, memory_order_relaxed));
    pthread_cond_destroy(&index->grown);
    pthread_mutex_destroy(&index->lock);
}

static int compare_events(const void *a, const void *b)
{
    return tt_event_compare(a, b);
}

void tt_events_sort(struct tt_event *events, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (tt_event_compare(&events[i - 1], &events[i]) > 0) {
            qsort(events, count, sizeof *events, compare_events);
            return;
        }
    }
}

/* ---- one block ---------------------------------------------------------------------------- */

/* What the builder carries from block to block. */
struct builder {
    struct tt_index *index;
    struct tt_cursor *cursor;
    struct tt_batch batch;
    enum tt_decode_result result;
    uint64_t limit;
    uint64_t *counts; /* by type, not yet published */
    uint32_t count_capacity;
    struct tt_feed feed;
    uint8_t *blob; /* state at the block's start */
    size_t blob_capacity;
    size_t blob_size;
};

static void decode_guarded(void *arg)
{
    struct builder *b = arg;
    const struct tt_format *format = b->index->capture->format;
    b->result = format->decode(b->cursor, b->limit, true, &b->batch);
}

static bool save_state(struct builder *b)
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

/* Adds the batch's types to the counts that are not yet published. */
static bool count_types(struct builder *b)
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
    for (uint32_t i = 0; i < b->batch.count; i++) {
        uint32_t type = b->batch.events[i].type;
        if (type < types) {
            b->counts[type]++;
        }
    }
    return true;
}

static bool publish_counts(struct builder *b)
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

static uint32_t count_derived(const struct tt_batch *batch)
{
    uint32_t derived = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        derived += (batch->events[i].flags & TT_EVENT_UNNUMBERED) != 0;
    }
    return derived;
}

static void publish_progress(struct tt_index *index, const struct builder *b, uint32_t derived,
                             struct tt_key first, struct tt_key last)
{
    struct tt_progress *p = &index->progress;
    if (p->events + p->derived == 0 || first.ticks < p->first_ticks) {
        p->first_ticks = first.ticks;
    }
    if (last.ticks > p->last_ticks) {
        p->last_ticks = last.ticks;
    }
    p->events += b->batch.count - derived;
    p->derived += derived;
    p->runs = (uint32_t)index->order.run_count;
}

/* The timelines begin with the first block that comes. */
static bool feed_block(struct builder *b)
{
    if (!b->feed.timelines) {
        uint64_t begin = b->batch.events[0].ticks;
        for (uint32_t i = 1; i < b->batch.count; i++) {
            begin = b->batch.events[i].ticks < begin ? b->batch.events[i].ticks : begin;
        }
        b->feed.timelines = tt_timelines_new(b->index->capture, begin);
        if (!b->feed.timelines) {
            return false;
        }
        atomic_store_explicit(&b->index->timelines, b->feed.timelines, memory_order_release);
    }
    return tt_feed_block(&b->feed, &b->batch);
}

static bool publish_block(struct builder *b, uint64_t pos)
{
    struct tt_index *index = b->index;
    struct tt_event *events = b->batch.events;
    uint32_t count = b->batch.count;
    if (!feed_block(b)) {
        return false;
    }
    tt_events_sort(events, count);
    struct tt_key first = {events[0].ticks, events[0].pos};
    struct tt_key last = {events[count - 1].ticks, events[count - 1].pos};
    uint32_t derived = count_derived(&b->batch);
    uint64_t number = tt_column_count(&index->blocks);
    struct tt_block *block = number < UINT32_MAX ? tt_column_next(&index->blocks) : NULL;
    uint8_t *blob = tt_arena_alloc(&index->blobs, b->blob_size ? b->blob_size : 1);
    if (!block || !blob) {
        return false;
    }
    memcpy(blob, b->blob, b->blob_size);
    block->pos = pos;
    block->blob = blob;
    block->blob_size = (uint32_t)b->blob_size;
    block->count = count;
    block->derived = derived;
    tt_column_publish(&index->blocks);
    pthread_mutex_lock(&index->lock);
    bool added = tt_order_add(&index->order, first, last, (uint32_t)number, count);
    if (added) {
        publish_progress(index, b, derived, first, last);
        pthread_cond_broadcast(&index->grown);
    }
    pthread_mutex_unlock(&index->lock);
    return added;
}

/*
 * The file shrank: what was read beyond its end may have been zeros of a last page, without a
 * signal. The part that is still there can be trusted.
 */
static void note_shrunk(struct tt_index *index, uint64_t size)
{
    atomic_store_explicit(&index->limit, size, memory_order_release);
    tt_health_add(index->capture, TT_HEALTH_SHRUNK, size, size, index->capture->bytes.size,
                  "bytes when it was opened");
}

/* Decodes and publishes the next block; *more says whether to go on. */
static struct tt_status next_block(struct builder *b, bool *more)
{
    struct tt_index *index = b->index;
    const struct tt_format *format = index->capture->format;
    uint64_t pos = format->cursor_pos(b->cursor);
    *more = false;
    if (!save_state(b)) {
        return tt_error_memory();
    }
    b->batch.count = 0;
    b->batch.action_count = 0;
    b->batch.records = 0;
    b->limit = atomic_load_explicit(&index->limit, memory_order_relaxed);
    bool whole = tt_map_guard(decode_guarded, b);
    uint64_t size = index->map ? tt_map_file_size(index->map) : b->limit;
    if (!whole || size < b->limit) {
        note_shrunk(index, size < b->limit ? size : pos);
        return tt_ok();
    }
    if (b->result == TT_DECODE_MEMORY || !count_types(b)) {
        return tt_error_memory();
    }
    if (b->batch.count > 0 && !publish_block(b, pos)) {
        return tt_error_memory();
    }
    pthread_mutex_lock(&index->lock);
    index->progress.bytes_done = format->cursor_pos(b->cursor);
    index->progress.records += b->batch.records;
    pthread_mutex_unlock(&index->lock);
    *more = b->result == TT_DECODE_MORE;
    return tt_ok();
}

/* ---- a file without any order ------------------------------------------------------------- */

static struct tt_status sort_everything(struct tt_index *index)
{
    uint64_t rows = index->order.rows;
    struct tt_event *all = rows > SIZE_MAX / sizeof *all ? NULL : malloc(rows * sizeof *all);
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
            tt_index_decode(index, cursor, number, block_events);
            memcpy(all + at, block_events, block->count * sizeof *all);
            at += block->count;
        }
        qsort(all, rows, sizeof *all, compare_events);
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

/* ---- the timelines when all is read -------------------------------------------------------- */

/*
 * Late blocks, an earlier beginning than was thought, pids whose processes are settled only now, or
 * threads that turn out to be idle ones: the timelines are built again, from the settled order.
 */
static struct tt_status settle_timelines(struct builder *b)
{
    struct tt_index *index = b->index;
    struct tt_timelines *built = b->feed.timelines;
    if (!built) {
        return tt_ok();
    }
    if (!tt_feed_finish(&b->feed)) {
        return tt_error_memory();
    }
    struct tt_progress *p = &index->progress;
    bool again = b->feed.late || index->capture->lanes_by_time ||
                 p->first_ticks < tt_timelines_begin(built) || tt_timelines_idle_changed(built);
    if (again && !index->order.chaotic) {
        struct tt_timelines *anew = tt_timelines_new(index->capture, p->first_ticks);
        if (!anew) {
            return tt_error_memory();
        }
        anew->quiet = true;
        struct tt_status status = tt_feed_again(index, anew);
        if (tt_failed(&status)) {
            tt_timelines_free(anew);
            return status;
        }
        anew->older = built;
        built = anew;
    }
    tt_timelines_reach(built, p->last_ticks);
    atomic_store_explicit(&built->provisional, false, memory_order_release);
    atomic_store_explicit(&index->timelines, built, memory_order_release);
    return tt_ok();
}

/* ---- the whole tape ----------------------------------------------------------------------- */

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

static struct tt_status run_blocks(struct builder *b)
{
    struct tt_index *index = b->index;
    struct tt_status status = tt_ok();
    uint64_t told = now_ms();
    bool more = true;
    while (more && !tt_failed(&status)) {
        if (atomic_load_explicit(&index->stop, memory_order_relaxed)) {
            return tt_error(TT_ERR_CANCELLED, "indexing was stopped");
        }
        status = next_block(b, &more);
        uint64_t now = now_ms();
        if (now - told >= TT_NOTIFY_MS && more) {
            told = now;
            if (!publish_counts(b)) {
                status = tt_error_memory();
            }
            if (index->notify) {
                index->notify(index->notify_arg);
            }
        }
    }
    return status;
}

static void finish(struct tt_index *index, struct tt_status status)
{
    pthread_mutex_lock(&index->lock);
    index->progress.finished = true;
    index->progress.status = status;
    if (!tt_failed(&status)) {
        index->progress.bytes_done = index->progress.bytes_total;
    }
    pthread_cond_broadcast(&index->grown);
    pthread_mutex_unlock(&index->lock);
    if (index->notify) {
        index->notify(index->notify_arg);
    }
}

struct tt_status tt_index_run(struct tt_index *index)
{
    const struct tt_format *format = index->capture->format;
    struct builder b = {.index = index};
    b.cursor = format->cursor_new(index->capture, true);
    b.batch.events = malloc(TT_BLOCK_EVENTS * sizeof *b.batch.events);
    b.batch.capacity = TT_BLOCK_EVENTS;
    b.batch.actions = malloc(TT_BLOCK_ACTIONS * sizeof *b.batch.actions);
    b.batch.action_capacity = TT_BLOCK_ACTIONS;
    b.batch.byte_budget = TT_BLOCK_BYTES;
    bool ready = b.cursor && b.batch.events && b.batch.actions;
    struct tt_status status = ready ? run_blocks(&b) : tt_error_memory();
    if (!publish_counts(&b) && !tt_failed(&status)) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        status = settle_order(index);
    }
    if (!tt_failed(&status)) {
        status = settle_timelines(&b);
    }
    if (b.cursor) {
        format->cursor_free(b.cursor);
    }
    tt_feed_free(&b.feed);
    free(b.batch.events);
    free(b.batch.actions);
    free(b.counts);
    free(b.blob);
    finish(index, status);
    return status;
}

/* ---- decoding a block again --------------------------------------------------------------- */

struct block_job {
    const struct tt_format *format;
    struct tt_cursor *cursor;
    struct tt_batch batch;
    uint64_t limit;
};

static void decode_again(void *arg)
{
    struct block_job *job = arg;
    job->format->decode(job->cursor, job->limit, true, &job->batch);
}

void tt_index_decode(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                     struct tt_event *events)
{
    const struct tt_block *block = tt_column_at(&index->blocks, number);
    struct block_job job = {
        .format = index->capture->format,
        .cursor = cursor,
        .batch = {.events = events, .capacity = TT_BLOCK_EVENTS, .byte_budget = TT_BLOCK_BYTES},
        .limit = atomic_load_explicit(&index->limit, memory_order_acquire),
    };
    job.format->cursor_load(cursor, block->blob, block->blob_size);
    uint32_t have = 0;
    if (tt_map_guard(decode_again, &job)) {
        have = job.batch.count < block->count ? job.batch.count : block->count;
    }
    for (uint32_t i = have; i < block->count; i++) {
        memset(&events[i], 0, sizeof events[i]);
        events[i].ticks = have > 0 ? events[have - 1].ticks : 0;
        events[i].pos = have > 0 ? events[have - 1].pos + (i - have) + 1 : block->pos + i;
        events[i].thread = TT_NO_THREAD;
        events[i].cpu = TT_NO_CPU;
        events[i].type = UINT32_MAX;
        events[i].flags = TT_EVENT_MALFORMED;
    }
    if (index->capture->lanes_by_time) {
        for (uint32_t i = 0; i < have; i++) {
            events[i].thread =
                tt_registry_settle(index->capture, events[i].thread, events[i].ticks);
        }
    }
    tt_events_sort(events, block->count);
}
