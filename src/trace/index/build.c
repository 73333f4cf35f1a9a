/* SPDX-License-Identifier: Apache-2.0 */
/* Indexing block by block along the tape. */
#include "trace/index/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform.h"
#include "format/registry_watch.h"
#include "tracetui/merge.h"

/* ---- life --------------------------------------------------------------------------------- */

struct tt_status tt_builder_init(struct tt_builder *builder, struct tt_index *index)
{
    const struct tt_format *format = index->capture->format;
    memset(builder, 0, sizeof *builder);
    builder->index = index;
    tt_survey_init(&builder->survey, index);
    tt_publisher_init(&builder->publisher, index);
    builder->cursor = format->cursor_new(index->capture, true);
    builder->batch.events = malloc(TT_BLOCK_EVENTS * sizeof *builder->batch.events);
    builder->batch.capacity = TT_BLOCK_EVENTS;
    if (!index->rows_only) {
        builder->batch.actions = malloc(TT_BLOCK_ACTIONS * sizeof *builder->batch.actions);
        builder->batch.action_capacity = TT_BLOCK_ACTIONS;
        builder->batch.unwanted = ~tt_timelines_kinds();
    }
    if (!builder->cursor || !builder->batch.events ||
        (!builder->batch.actions && !index->rows_only)) {
        tt_builder_free(builder);
        return tt_error_memory();
    }
    return tt_ok();
}

/* Ends the publishing thread, if there is one. Returns false when out of memory. */
static bool stop_publishing(struct tt_builder *builder)
{
    bool good = tt_publish_thread_stop(builder->publish_thread);
    builder->publish_thread = NULL;
    tt_registry_watch(builder->index->capture, NULL, NULL);
    return good;
}

void tt_builder_free(struct tt_builder *builder)
{
    tt_cursor_free(builder->index->capture->format, builder->cursor);
    stop_publishing(builder);
    tt_publisher_free(&builder->publisher);
    tt_survey_free(&builder->survey);
    free(builder->batch.events);
    free(builder->batch.actions);
    free(builder->blob);
}

uint64_t tt_builder_pos(const struct tt_builder *builder)
{
    return builder->index->capture->format->cursor_pos(builder->cursor);
}

/* ---- one block ---------------------------------------------------------------------------- */

static void build_decode_guarded(void *arg)
{
    struct tt_builder *builder = arg;
    const struct tt_format *format = builder->index->capture->format;
    builder->result =
        format->decode(builder->cursor, builder->limit, builder->final, &builder->batch);
}

static bool save_state(struct tt_builder *builder)
{
    const struct tt_format *format = builder->index->capture->format;
    builder->blob_size =
        format->cursor_save(builder->cursor, builder->blob, builder->blob_capacity);
    if (builder->blob_size <= builder->blob_capacity) {
        return true;
    }
    uint8_t *blob = realloc(builder->blob, builder->blob_size * 2);
    if (!blob) {
        return false;
    }
    builder->blob = blob;
    builder->blob_capacity = builder->blob_size * 2;
    builder->blob_size =
        format->cursor_save(builder->cursor, builder->blob, builder->blob_capacity);
    return builder->blob_size <= builder->blob_capacity;
}

/* Adds the position and decoder state at the begin of the block. */
static bool add_begin(struct tt_builder *builder, struct tt_decoded *part)
{
    uint8_t *blob =
        tt_arena_alloc(&builder->index->blobs, builder->blob_size ? builder->blob_size : 1);
    if (!blob) {
        return false;
    }
    memcpy(blob, builder->blob, builder->blob_size);
    part->begins = true;
    part->block_pos = builder->block_pos;
    part->blob = blob;
    part->blob_size = (uint32_t)builder->blob_size;
    return true;
}

/* Describes the part that is not yet published. */
static bool make_part(struct tt_builder *builder, struct tt_decoded *part)
{
    const bool begins = builder->events_out == 0;
    struct tt_surveyed surveyed;
    const bool incomplete = builder->result != TT_DECODE_MORE;
    /* The decoder appends to the actions of an incomplete block. */
    *part = (struct tt_decoded){
        .array = incomplete ? NULL : &builder->batch.actions,
        .count = builder->batch.count - builder->events_out,
        .actions = builder->batch.actions ? builder->batch.actions + builder->actions_out : NULL,
        .action_count = builder->batch.action_count - builder->actions_out,
        .incomplete = incomplete,
        .pos = tt_builder_pos(builder),
        .records = builder->batch.records,
        .reached = builder->batch.reached};
    if (part->count == 0) {
        return true;
    }
    if (!tt_survey_read(&builder->survey, builder->batch.events + builder->events_out, part->count,
                        begins, &surveyed)) {
        return false;
    }
    part->derived = surveyed.derived;
    part->ascending = surveyed.ascending;
    part->first = builder->survey.first;
    part->last = builder->survey.last;
    part->sum = builder->survey.sum;
    return !begins || add_begin(builder, part);
}

/* Continues after the part that was decoded last. */
static void pass_part(struct tt_builder *builder)
{
    builder->events_out = builder->batch.count;
    builder->actions_out = builder->batch.action_count;
    builder->batch.records = builder->batch.reached = 0;
}

static bool publish_part(struct tt_builder *builder)
{
    struct tt_decoded part;
    bool good = make_part(builder, &part) &&
                (builder->publish_thread
                     ? tt_publish_thread_put(builder->publish_thread, &builder->batch, &part)
                     : tt_publisher_publish(&builder->publisher, &part));
    pass_part(builder);
    return good;
}

/*
 * Ends the capture at `end`: the file was truncated to this size, or an I/O error prevents reading
 * the bytes there. Of a truncated file bytes beyond the end may have been read as zeros of the last
 * page, without a signal; the remaining part is valid.
 */
static void note_missing(struct tt_builder *builder, enum tt_health_kind kind, uint64_t end)
{
    struct tt_index *index = builder->index;
    atomic_store_explicit(&index->limit, end, memory_order_release);
    builder->shrunk = true;
    pass_part(builder);
    tt_health_add(index->capture, kind, end, end, index->capture->bytes.size,
                  "bytes when it was opened");
}

static bool begin_block(struct tt_builder *builder)
{
    if (builder->open) {
        return true;
    }
    if (!save_state(builder)) {
        return false;
    }
    builder->block_pos = tt_builder_pos(builder);
    builder->batch.count = builder->batch.action_count = 0;
    builder->events_out = builder->actions_out = 0;
    builder->open = true;
    return true;
}

#define FORGET_BYTES (UINT64_C(8) << 20)
#define AHEAD_BYTES  (UINT64_C(16) << 20) /* some tens of milliseconds of a disk */
#define AHEAD_FIRST  (UINT64_C(1) << 20)
#define AHEAD_STEP   (UINT64_C(1) << 20)

/* Returns whether positions on the tape are those in the file. */
static bool is_file(const struct tt_index *index)
{
    return index->map && !index->capture->format->tape.offset;
}

struct tt_status tt_builder_step(struct tt_builder *builder, bool *more)
{
    struct tt_index *index = builder->index;
    *more = false;
    if (!begin_block(builder)) {
        return tt_error_memory();
    }
    uint64_t from = tt_builder_pos(builder);
    builder->batch.byte_budget = TT_BLOCK_BYTES - (from - builder->block_pos);
    builder->limit = atomic_load_explicit(&index->limit, memory_order_relaxed);

    /*
     * Requests the file's next pages while the cursor decodes the present ones: a page fault reads
     * fewer pages ahead, and only when the cursor has arrived. The distance grows, so that the
     * first blocks of a file need not wait for bytes far after them.
     */
    uint64_t ahead = from + AHEAD_FIRST < AHEAD_BYTES ? from + AHEAD_FIRST : AHEAD_BYTES;
    if (is_file(builder->index) && from + ahead >= builder->wanted + AHEAD_STEP) {
        tt_map_read_ahead(builder->index->map, builder->wanted > from ? builder->wanted : from,
                          from + ahead);
        builder->wanted = from + ahead;
    }

    bool whole = tt_sigbus_guard(build_decode_guarded, builder);
    uint64_t size = index->map ? tt_map_file_size(index->map) : builder->limit;
    if (size < builder->limit) {
        note_missing(builder, TT_HEALTH_SHRUNK, size);
        return tt_ok();
    }
    if (!whole) {
        note_missing(builder, TT_HEALTH_UNREADABLE, from);
        return tt_ok();
    }
    bool waits = builder->whole_blocks && !builder->final && builder->result == TT_DECODE_END;
    if (builder->result == TT_DECODE_MEMORY || tt_capture_out_of_memory(index->capture) ||
        (!waits && !publish_part(builder))) {
        return tt_error_memory();
    }

    /* Releases the pages that the cursor has passed. */
    uint64_t pos = tt_builder_pos(builder);
    if (is_file(builder->index) && pos > builder->forgotten + FORGET_BYTES &&
        tt_map_release_pages(builder->index->map, builder->forgotten, pos)) {
        builder->forgotten = pos;
    }

    *more = builder->result == TT_DECODE_MORE;
    builder->open = !*more;
    return tt_ok();
}

struct tt_status tt_builder_receive(struct tt_builder *builder, bool *over)
{
    struct tt_index *index = builder->index;
    struct tt_map *map = index->map;
    const uint64_t had = tt_map_bytes(map).size;
    if (builder->publish_thread && tt_map_file_size(map) <= had) {
        /* The wait may be long: others read what is decoded. */
        tt_publish_thread_catch_up(builder->publish_thread);
    }
    uint64_t since = tt_now_ns();
    tt_map_wait(map, had + 1, UINT64_MAX, NULL, NULL);
    const struct tt_arrival arrival = tt_map_arrival(map);
    bool grown;
    struct tt_status status = tt_map_grow(map, &grown);
    *over = !arrival.more;
    status = tt_failed(&arrival.status) ? arrival.status : status;
    if (builder->publish_thread) {
        tt_publish_thread_count_wait(builder->publish_thread, tt_now_ns() - since);
    }
    struct tt_bytes bytes = tt_map_bytes(map);
    atomic_store_explicit(&index->limit, bytes.size, memory_order_release);
    if (*over) {
        index->capture->bytes.size = bytes.size; /* other threads may read the address */
    }
    pthread_mutex_lock(&index->lock);
    index->progress.bytes_total = bytes.size;
    pthread_mutex_unlock(&index->lock);
    return status;
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
    tt_cursor_free(format, cursor);
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
    bool ok = tt_runs_compact(&index->order);
    bool chaotic = index->order.chaotic;
    index->progress.runs = (uint32_t)index->order.run_count;
    pthread_mutex_unlock(&index->lock);
    if (!ok) {
        return tt_error_memory();
    }
    return chaotic ? sort_everything(index) : tt_ok();
}

/* ---- the timelines ------------------------------------------------------------------------- */

/* Returns whether a member of a merged capture ended in a later block than its latest event. */
static bool ends_late(const struct tt_capture *capture)
{
    return capture->merge && atomic_load_explicit(&capture->merge->ends_late, memory_order_relaxed);
}

/*
 * Reasons for a rebuild: late blocks, an earlier first event, pids whose processes were resolved
 * later, threads that were recognised as idle threads later, ends of members found later.
 */
bool tt_builder_is_stale(const struct tt_builder *builder)
{
    return builder->publisher.feed.timelines &&
           (builder->publisher.feed.late || builder->index->capture->lanes_by_time ||
            ends_late(builder->index->capture) ||
            builder->index->progress.first_ticks <
                tt_timelines_begin(builder->publisher.feed.timelines) ||
            tt_timelines_idle_changed(builder->publisher.feed.timelines));
}

/* Where the tape is the file, reads no further than before: the rest may be half a record. */
static uint64_t rebuild_limit(const struct tt_builder *builder)
{
    uint64_t limit = atomic_load_explicit(&builder->index->limit, memory_order_relaxed);
    if (builder->final || builder->index->capture->format->tape.offset) {
        return limit;
    }
    uint64_t pos = tt_builder_pos(builder);
    return pos < limit ? pos : limit;
}

struct tt_status tt_builder_rebuild(struct tt_builder *builder, uint64_t until)
{
    struct tt_index *index = builder->index;
    struct tt_timelines *rebuilt = tt_timelines_new(index->capture, index->progress.first_ticks);
    if (!rebuilt) {
        return tt_error_memory();
    }
    rebuilt->quiet = !tt_publisher_renew_health(&builder->publisher, rebuilt);
    builder->publisher.feed.timelines = rebuilt;
    struct tt_status status =
        tt_feed_rebuild(index, &builder->publisher.feed, until, rebuild_limit(builder));
    if (tt_failed(&status)) {
        builder->publisher.feed.timelines =
            atomic_load_explicit(&index->timelines, memory_order_relaxed);
        tt_timelines_free(rebuilt);
        return status;
    }
    rebuilt->quiet = false;

    pthread_mutex_lock(&index->lock);
    rebuilt->older = atomic_load_explicit(&index->timelines, memory_order_relaxed);
    rebuilt->number = rebuilt->older ? rebuilt->older->number + 1 : rebuilt->number;
    atomic_store_explicit(&index->timelines, rebuilt, memory_order_release);
    pthread_mutex_unlock(&index->lock);

    return status;
}

bool tt_builder_release(struct tt_builder *builder, uint64_t until, size_t keep, uint64_t reach)
{
    if (!builder->publisher.feed.timelines || builder->publisher.feed.late) {
        return true;
    }
    if (!tt_feed_release(&builder->publisher.feed, until, keep)) {
        return false;
    }
    struct tt_key first;
    if (tt_reorder_first(&builder->publisher.feed.reorder, &first) && first.ticks < reach) {
        reach = first.ticks;
    }
    tt_timelines_reach(builder->publisher.feed.timelines, reach);
    return true;
}

static void catch_up(void *arg)
{
    tt_publish_thread_catch_up(arg);
}

void tt_builder_split(struct tt_builder *builder)
{
    struct tt_capture *capture = builder->index->capture;
    tt_publisher_defer_health(&builder->publisher);
    if (capture->merge || builder->index->rows_only) {
        return;
    }
    builder->publish_thread = tt_publish_thread_start(&builder->publisher);
    if (builder->publish_thread) {
        tt_thread_choice_start(tt_publish_thread_choice(builder->publish_thread),
                               builder->index->always_two, tt_platform_is_one_cpu_left());
    }
    if (builder->publish_thread && tt_format_has(capture->format, TT_FORMAT_LATE_LANES)) {
        tt_registry_watch(capture, catch_up, builder->publish_thread);
    }
}

bool tt_builder_join(struct tt_builder *builder)
{
    bool good = stop_publishing(builder);
    return tt_survey_show_counts(&builder->survey) && good;
}

static struct tt_status end_timelines(struct tt_builder *builder)
{
    struct tt_timelines *built = builder->publisher.feed.timelines;
    tt_timelines_reach(built, builder->index->progress.last_ticks);
    atomic_store_explicit(&built->provisional, false, memory_order_release);
    tt_arena_trim(&built->arena);
    /* There may have been no memory for a problem that the timelines found. */
    return tt_capture_out_of_memory(builder->index->capture) ? tt_error_memory() : tt_ok();
}

static struct tt_status settle_timelines(struct tt_builder *builder)
{
    struct tt_index *index = builder->index;
    if (!builder->publisher.feed.timelines) {
        return tt_ok();
    }
    if (!tt_feed_finish(&builder->publisher.feed)) {
        return tt_error_memory();
    }
    struct tt_status status = tt_builder_is_stale(builder) && !index->order.chaotic
                                  ? tt_builder_rebuild(builder, UINT64_MAX)
                                  : tt_ok();
    tt_publisher_report_health(&builder->publisher);
    return tt_failed(&status) ? status : end_timelines(builder);
}

struct tt_status tt_builder_settle(struct tt_builder *builder)
{
    struct tt_status status =
        tt_survey_show_counts(&builder->survey) ? settle_order(builder->index) : tt_error_memory();
    return tt_failed(&status) ? status : settle_timelines(builder);
}

struct tt_status tt_builder_restart(struct tt_index *index)
{
    struct tt_builder b = {.index = index, .final = true};
    tt_survey_init(&b.survey, index);
    tt_publisher_init(&b.publisher, index);
    struct tt_status status = tt_builder_rebuild(&b, UINT64_MAX);
    if (!tt_failed(&status)) {
        status = end_timelines(&b);
    }
    tt_builder_free(&b);
    return status;
}
