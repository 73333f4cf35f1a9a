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

struct tt_status tt_builder_init(struct tt_builder *b, struct tt_index *index)
{
    const struct tt_format *format = index->capture->format;
    memset(b, 0, sizeof *b);
    b->index = index;
    tt_survey_init(&b->survey, index);
    tt_publisher_init(&b->publisher, index);
    b->cursor = format->cursor_new(index->capture, true);
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

/* Ends the publishing thread, if there is one. Returns false when out of memory. */
static bool stop_publishing(struct tt_builder *b)
{
    bool good = tt_publish_thread_stop(b->publish_thread);
    b->publish_thread = NULL;
    tt_registry_watch(b->index->capture, NULL, NULL);
    return good;
}

void tt_builder_free(struct tt_builder *b)
{
    tt_cursor_free(b->index->capture->format, b->cursor);
    stop_publishing(b);
    tt_publisher_free(&b->publisher);
    tt_survey_free(&b->survey);
    free(b->batch.events);
    free(b->batch.actions);
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

/* Adds the position and decoder state at the begin of the block. */
static bool add_begin(struct tt_builder *b, struct tt_decoded *part)
{
    uint8_t *blob = tt_arena_alloc(&b->index->blobs, b->blob_size ? b->blob_size : 1);
    if (!blob) {
        return false;
    }
    memcpy(blob, b->blob, b->blob_size);
    part->begins = true;
    part->block_pos = b->block_pos;
    part->blob = blob;
    part->blob_size = (uint32_t)b->blob_size;
    return true;
}

/* Describes the part that is not yet published. */
static bool make_part(struct tt_builder *b, struct tt_decoded *part)
{
    const bool begins = b->events_out == 0;
    struct tt_surveyed surveyed;
    const bool incomplete = b->result != TT_DECODE_MORE;
    /* The decoder appends to the actions of an incomplete block. */
    *part = (struct tt_decoded){.array = incomplete ? NULL : &b->batch.actions,
                                .count = b->batch.count - b->events_out,
                                .actions = b->batch.actions + b->actions_out,
                                .action_count = b->batch.action_count - b->actions_out,
                                .incomplete = incomplete,
                                .pos = tt_builder_pos(b),
                                .records = b->batch.records,
                                .reached = b->batch.reached};
    if (part->count == 0) {
        return true;
    }
    if (!tt_survey_take(&b->survey, b->batch.events + b->events_out, part->count, begins,
                        &surveyed)) {
        return false;
    }
    part->derived = surveyed.derived;
    part->ascending = surveyed.ascending;
    part->first = b->survey.first;
    part->last = b->survey.last;
    part->sum = b->survey.sum;
    return !begins || add_begin(b, part);
}

/* Continues after the part that was decoded last. */
static void pass_part(struct tt_builder *b)
{
    b->events_out = b->batch.count;
    b->actions_out = b->batch.action_count;
    b->batch.records = b->batch.reached = 0;
}

static bool publish_part(struct tt_builder *b)
{
    struct tt_decoded part;
    bool good = make_part(b, &part) &&
                (b->publish_thread ? tt_publish_thread_put(b->publish_thread, &b->batch, &part)
                                   : tt_publisher_take(&b->publisher, &part));
    pass_part(b);
    return good;
}

/*
 * Ends the capture at `end`: the file was truncated to this size, or an I/O error prevents reading
 * the bytes there. Of a truncated file bytes beyond the end may have been read as zeros of the last
 * page, without a signal; the remaining part is valid.
 */
static void note_missing(struct tt_builder *b, enum tt_health_kind kind, uint64_t end)
{
    struct tt_index *index = b->index;
    atomic_store_explicit(&index->limit, end, memory_order_release);
    b->shrunk = true;
    pass_part(b);
    tt_health_add(index->capture, kind, end, end, index->capture->bytes.size,
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
    b->events_out = b->actions_out = 0;
    b->open = true;
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

/*
 * Requests the file's next pages while the cursor decodes the present ones: a page fault reads
 * fewer pages ahead, and only when the cursor has arrived. The distance grows, so that the first
 * blocks of a file need not wait for bytes far after them.
 */
static void read_ahead(struct tt_builder *b, uint64_t pos)
{
    uint64_t ahead = pos + AHEAD_FIRST < AHEAD_BYTES ? pos + AHEAD_FIRST : AHEAD_BYTES;
    if (is_file(b->index) && pos + ahead >= b->wanted + AHEAD_STEP) {
        tt_map_read_ahead(b->index->map, b->wanted > pos ? b->wanted : pos, pos + ahead);
        b->wanted = pos + ahead;
    }
}

/* Releases the pages that the cursor has passed. */
static void forget_passed(struct tt_builder *b)
{
    uint64_t pos = tt_builder_pos(b);
    if (is_file(b->index) && pos > b->forgotten + FORGET_BYTES &&
        tt_map_release_pages(b->index->map, b->forgotten, pos)) {
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
    b->batch.byte_budget = TT_BLOCK_BYTES - (from - b->block_pos);
    b->limit = atomic_load_explicit(&index->limit, memory_order_relaxed);
    read_ahead(b, from);
    bool whole = tt_sigbus_guard(decode_guarded, b);
    uint64_t size = index->map ? tt_map_file_size(index->map) : b->limit;
    if (size < b->limit) {
        note_missing(b, TT_HEALTH_SHRUNK, size);
        return tt_ok();
    }
    if (!whole) {
        note_missing(b, TT_HEALTH_UNREADABLE, from);
        return tt_ok();
    }
    bool waits = b->whole_blocks && !b->final && b->result == TT_DECODE_END;
    if (b->result == TT_DECODE_MEMORY || tt_capture_out_of_memory(index->capture) ||
        (!waits && !publish_part(b))) {
        return tt_error_memory();
    }
    forget_passed(b);
    *more = b->result == TT_DECODE_MORE;
    b->open = !*more;
    return tt_ok();
}

struct tt_status tt_builder_receive(struct tt_builder *b, bool *over)
{
    struct tt_index *index = b->index;
    struct tt_map *map = index->map;
    const uint64_t had = tt_map_bytes(map).size;
    if (b->publish_thread && tt_map_file_size(map) <= had) {
        /* The wait may be long: others read what is decoded. */
        tt_publish_thread_catch_up(b->publish_thread);
    }
    uint64_t since = tt_now_ns();
    tt_map_wait(map, had + 1, UINT64_MAX, NULL, NULL);
    const struct tt_arrival arrival = tt_map_arrival(map);
    bool grown;
    struct tt_status status = tt_map_grow(map, &grown);
    *over = !arrival.more;
    status = tt_failed(&arrival.status) ? arrival.status : status;
    if (b->publish_thread) {
        tt_publish_thread_count_wait(b->publish_thread, tt_now_ns() - since);
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
static bool ends_late(const struct tt_capture *c)
{
    return c->merge && atomic_load_explicit(&c->merge->ends_late, memory_order_relaxed);
}

/*
 * Reasons for a rebuild: late blocks, an earlier first event, pids whose processes were resolved
 * later, threads that were recognised as idle threads later, ends of members found later.
 */
bool tt_builder_is_stale(const struct tt_builder *b)
{
    return b->publisher.feed.timelines &&
           (b->publisher.feed.late || b->index->capture->lanes_by_time ||
            ends_late(b->index->capture) ||
            b->index->progress.first_ticks < tt_timelines_begin(b->publisher.feed.timelines) ||
            tt_timelines_idle_changed(b->publisher.feed.timelines));
}

static void show_timelines(struct tt_index *index, struct tt_timelines *rebuilt)
{
    pthread_mutex_lock(&index->lock);
    rebuilt->older = atomic_load_explicit(&index->timelines, memory_order_relaxed);
    rebuilt->number = rebuilt->older ? rebuilt->older->number + 1 : rebuilt->number;
    atomic_store_explicit(&index->timelines, rebuilt, memory_order_release);
    pthread_mutex_unlock(&index->lock);
}

/* Where the tape is the file, reads no further than before: the rest may be half a record. */
static uint64_t rebuild_limit(const struct tt_builder *b)
{
    uint64_t limit = atomic_load_explicit(&b->index->limit, memory_order_relaxed);
    if (b->final || b->index->capture->format->tape.offset) {
        return limit;
    }
    uint64_t pos = tt_builder_pos(b);
    return pos < limit ? pos : limit;
}

struct tt_status tt_builder_rebuild(struct tt_builder *b, uint64_t until)
{
    struct tt_index *index = b->index;
    struct tt_timelines *rebuilt = tt_timelines_new(index->capture, index->progress.first_ticks);
    if (!rebuilt) {
        return tt_error_memory();
    }
    rebuilt->quiet = !tt_publisher_renew_health(&b->publisher, rebuilt);
    b->publisher.feed.timelines = rebuilt;
    struct tt_status status = tt_feed_rebuild(index, &b->publisher.feed, until, rebuild_limit(b));
    if (tt_failed(&status)) {
        b->publisher.feed.timelines = atomic_load_explicit(&index->timelines, memory_order_relaxed);
        tt_timelines_free(rebuilt);
        return status;
    }
    rebuilt->quiet = false;
    show_timelines(index, rebuilt);
    return status;
}

bool tt_builder_release(struct tt_builder *b, uint64_t until, size_t keep, uint64_t reach)
{
    if (!b->publisher.feed.timelines || b->publisher.feed.late) {
        return true;
    }
    if (!tt_feed_release(&b->publisher.feed, until, keep)) {
        return false;
    }
    struct tt_key first;
    if (tt_reorder_first(&b->publisher.feed.reorder, &first) && first.ticks < reach) {
        reach = first.ticks;
    }
    tt_timelines_reach(b->publisher.feed.timelines, reach);
    return true;
}

static void catch_up(void *arg)
{
    tt_publish_thread_catch_up(arg);
}

void tt_builder_split(struct tt_builder *b)
{
    struct tt_capture *c = b->index->capture;
    tt_publisher_defer_health(&b->publisher);
    if (c->merge) {
        return;
    }
    b->publish_thread = tt_publish_thread_start(&b->publisher);
    if (b->publish_thread) {
        tt_thread_choice_start(tt_publish_thread_choice(b->publish_thread), b->index->always_two,
                               tt_platform_is_one_cpu_left());
    }
    if (b->publish_thread && tt_format_has(c->format, TT_FORMAT_LATE_LANES)) {
        tt_registry_watch(c, catch_up, b->publish_thread);
    }
}

bool tt_builder_join(struct tt_builder *b)
{
    bool good = stop_publishing(b);
    return tt_survey_show_counts(&b->survey) && good;
}

static struct tt_status end_timelines(struct tt_builder *b)
{
    struct tt_timelines *built = b->publisher.feed.timelines;
    tt_timelines_reach(built, b->index->progress.last_ticks);
    atomic_store_explicit(&built->provisional, false, memory_order_release);
    tt_arena_trim(&built->arena);
    /* There may have been no memory for a problem that the timelines found. */
    return tt_capture_out_of_memory(b->index->capture) ? tt_error_memory() : tt_ok();
}

static struct tt_status settle_timelines(struct tt_builder *b)
{
    struct tt_index *index = b->index;
    if (!b->publisher.feed.timelines) {
        return tt_ok();
    }
    if (!tt_feed_finish(&b->publisher.feed)) {
        return tt_error_memory();
    }
    struct tt_status status = tt_builder_is_stale(b) && !index->order.chaotic
                                  ? tt_builder_rebuild(b, UINT64_MAX)
                                  : tt_ok();
    tt_publisher_report_health(&b->publisher);
    return tt_failed(&status) ? status : end_timelines(b);
}

struct tt_status tt_builder_settle(struct tt_builder *b)
{
    struct tt_status status =
        tt_survey_show_counts(&b->survey) ? settle_order(b->index) : tt_error_memory();
    return tt_failed(&status) ? status : settle_timelines(b);
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
