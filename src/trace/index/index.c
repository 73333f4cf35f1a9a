/* SPDX-License-Identifier: Apache-2.0 */
/* Running the index from start to end; decoding its blocks on access. */
#include "trace/index/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trace/index/build.h"

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
    tt_runs_free(&index->order);
    tt_column_free(&index->blocks);
    tt_column_free(&index->type_counts);
    tt_arena_free(&index->blobs);
    free(index->sorted);
    tt_timelines_free(atomic_load_explicit(&index->timelines, memory_order_relaxed));
    pthread_cond_destroy(&index->grown);
    pthread_mutex_destroy(&index->lock);
}

#define MOVES_PER_EVENT 8u /* of an insertion sort, before runs are merged instead */

static bool index_is_after(const struct tt_event *left, const struct tt_event *right)
{
    return left->ticks > right->ticks || (left->ticks == right->ticks && left->pos > right->pos);
}

/* Sorts by insertion, from event `first` on; false after `moves` moves, with all events in place. */
static bool insert_events(struct tt_event *events, uint32_t count, uint32_t first, uint64_t moves)
{
    for (uint32_t i = first; i < count && moves > 0; i++) {
        struct tt_event event = events[i];
        uint32_t at = i;
        for (; at > 0 && moves > 0 && index_is_after(&events[at - 1], &event); at--, moves--) {
            events[at] = events[at - 1];
        }
        events[at] = event;
    }
    return moves > 0;
}

/* Returns the end of the ascending run that begins at `from`. */
static uint32_t run_end(const struct tt_event *events, uint32_t count, uint32_t from)
{
    while (++from < count && !index_is_after(&events[from - 1], &events[from])) {
    }
    return from < count ? from : count;
}

/* Merges [left, middle) and [middle, end) to `out`. */
static void merge_two(const struct tt_event *left, const struct tt_event *middle,
                      const struct tt_event *end, struct tt_event *out)
{
    const struct tt_event *right = middle;
    while (left < middle && right < end) {
        *out++ = index_is_after(left, right) ? *right++ : *left++;
    }
    memcpy(out, left, (size_t)(middle - left) * sizeof *out);
    memcpy(out + (middle - left), right, (size_t)(end - right) * sizeof *out);
}

/* How far events are moved by an insertion sort that is worth beginning. */
#define NEAR_EVENTS 16u

/*
 * Blocks are almost in order, or consist of the buffers of a few CPUs, each in order: an insertion
 * sort or a few merges.
 */
void tt_events_sort(struct tt_event *events, uint32_t count)
{
    uint32_t first = count > 0 ? run_end(events, count, 0) : 0;
    if (first == count) {
        return;
    }
    bool far = first >= NEAR_EVENTS && index_is_after(&events[first - NEAR_EVENTS], &events[first]);
    if (!far && insert_events(events, count, first, (uint64_t)count * MOVES_PER_EVENT)) {
        return;
    }
    struct tt_event *room = malloc(count * (sizeof *room + sizeof(uint32_t)));
    if (room) {
        /*
         * Merges ascending runs, two and two, until one is left. `room` has space for the events,
         * `ends` for their runs.
         */
        uint32_t *ends = (uint32_t *)(void *)(room + count);
        struct tt_event *from = events, *to = room;
        uint32_t runs = 0;
        for (uint32_t at = 0; at < count; at = ends[runs++]) {
            ends[runs] = run_end(events, count, at);
        }
        while (runs > 1) {
            uint32_t merged = 0;
            for (uint32_t run = 0, at = 0; run < runs; run += 2, at = ends[merged++]) {
                uint32_t end = run + 1 < runs ? ends[run + 1] : ends[run];
                merge_two(from + at, from + ends[run], from + end, to + at);
                ends[merged] = end;
            }
            runs = merged;
            struct tt_event *other = from;
            from = to;
            to = other;
        }
        if (from != events) {
            memcpy(events, from, count * sizeof *events);
        }
    } else {
        insert_events(events, count, 1, UINT64_MAX);
    }
    free(room);
}

/* ---- the whole tape ----------------------------------------------------------------------- */

static struct tt_status run_blocks(struct tt_builder *builder, bool final)
{
    struct tt_index *index = builder->index;
    struct tt_status status = tt_ok();
    uint64_t notified = tt_now_ms();
    bool more = true;
    builder->final = final;
    while (more && !tt_failed(&status)) {
        if (atomic_load_explicit(&index->stop, memory_order_relaxed)) {
            return tt_error(TT_ERR_CANCELLED, "indexing stopped");
        }
        status = tt_builder_step(builder, &more);
        uint64_t now = tt_now_ms();
        if (now - notified >= TT_NOTIFY_MS && more) {
            notified = now;
            tt_index_notify(index);
        }
    }
    return status;
}

void tt_index_finish(struct tt_index *index, struct tt_status status)
{
    pthread_mutex_lock(&index->lock);
    index->progress.finished = true;
    index->progress.status = status;
    if (!tt_failed(&status)) {
        index->progress.bytes_done = index->progress.bytes_total;
    }
    pthread_cond_broadcast(&index->grown);
    pthread_mutex_unlock(&index->lock);
    tt_index_notify(index);
}

/* Adds the timelines to a restored index. */
static struct tt_status index_complete(struct tt_index *index)
{
    if (index->order.rows == 0 || index->rows_only || index->restore_timelines(index)) {
        return tt_ok();
    }
    index->cached_damaged = true;
    return tt_builder_restart(index);
}

/* Indexes the bytes as they arrive. The incomplete block at the end is not yet published. */
static struct tt_status run_arriving(struct tt_builder *builder)
{
    struct tt_status status = tt_ok();
    builder->whole_blocks = true;
    for (bool over = false; !over && !tt_failed(&status);) {
        status = run_blocks(builder, false);
        if (!tt_failed(&status)) {
            status = tt_builder_receive(builder, &over);
        }
    }
    builder->whole_blocks = false;
    return status;
}

/* Indexes to the end of the file. */
static struct tt_status index_build(struct tt_index *index)
{
    struct tt_builder b;
    struct tt_status status = tt_builder_init(&b, index);
    if (tt_failed(&status)) {
        return status;
    }
    tt_builder_split(&b);
    if (index->receives) {
        status = run_arriving(&b);
    }
    if (!tt_failed(&status)) {
        status = run_blocks(&b, true);
    }
    if (!tt_builder_join(&b) && !tt_failed(&status)) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        status = tt_builder_settle(&b);
    }
    tt_builder_free(&b);
    return status;
}

struct tt_status tt_index_make(struct tt_index *index)
{
    return index->cached ? index_complete(index) : index_build(index);
}

struct tt_status tt_index_run(struct tt_index *index)
{
    struct tt_status status = tt_index_make(index);
    tt_index_finish(index, status);
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

/* Returns whether the events have the sum that the block had when it was indexed. */
static bool is_unchanged(const struct tt_event *events, uint32_t count, uint64_t sum)
{
    uint64_t now = 0;
    for (uint32_t i = 0; i < count; i++) {
        now = tt_event_sum(now, &events[i]);
    }
    return now == sum;
}

void tt_index_decode_tape(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                          uint32_t count, uint64_t sum, struct tt_event *events)
{
    const struct tt_block *block = tt_column_at(&index->blocks, number);
    struct block_job job = {
        .format = index->capture->format,
        .cursor = cursor,
        .batch = {.events = events, .capacity = count, .byte_budget = TT_BLOCK_BYTES},
        .limit = atomic_load_explicit(&index->limit, memory_order_acquire),
    };
    job.format->cursor_load(cursor, block->blob, block->blob_size);
    uint32_t have = 0;
    if (tt_sigbus_guard(decode_again, &job)) {
        have = job.batch.count < count ? job.batch.count : count;
    }
    if (sum != 0 && (have < count || !is_unchanged(events, count, sum))) {
        have = 0; /* the file was rewritten: old and new events are never mixed */
    }
    for (uint32_t i = have; i < count; i++) {
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
}

void tt_index_decode(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                     uint32_t count, uint64_t sum, struct tt_event *events)
{
    tt_index_decode_tape(index, cursor, number, count, sum, events);
    tt_events_sort(events, count);
}
