/* SPDX-License-Identifier: Apache-2.0 */
/* The indexing thread of a followed capture. */
#include "trace/follow/follow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tracetui/merge.h"

#define NOTIFY_MS    16u   /* minimum between two notifications while data arrives */
#define SAMPLE_MS    200u  /* minimum between two samples for the rates */
#define RATE_MS      1200u /* the rates are 0 after this long without bytes */
#define GATHER_NS    2000000
#define SMALL_ROUND  (UINT64_C(256) << 10) /* after a round with fewer bytes, waits for more */
#define REBUILD_PART 10u /* rebuilding takes the processor for at most 1/REBUILD_PART of the time */

/* ---- life --------------------------------------------------------------------------------- */

struct tt_status tt_follow_new(const char *path, struct tt_index *index,
                               const struct tt_follow_options *options, struct tt_follow **result)
{
    struct tt_follow *f = calloc(1, sizeof *f);
    if (!f) {
        return tt_error_memory();
    }
    const struct tt_merge *merge = index->capture->merge;
    path = merge ? merge->members[0].source->path : path;
    const char *watched = strcmp(path, "-") == 0 ? NULL : path;
    struct tt_status status = tt_file_watch_open(&f->watch, watched, tt_map_wake_fd(index->map));
    if (tt_failed(&status)) {
        free(f);
        return status;
    }
    f->path = path;
    f->index = index;
    f->options = *options;
    f->silence_ms = TT_FOLLOW_SILENCE_MS;
    f->live.follows = true;
    f->live.pipe = tt_map_is_pipe(index->map);
    f->live.status = tt_ok();
    f->live.bytes = tt_map_bytes(index->map).size;
    f->opening.size = f->live.bytes;
    f->opening.facts = tt_facts_count(index->capture);
    f->opening.settled = merge != NULL; /* the plan is made of complete headers */
    index->follows = true;
    *result = f;
    return tt_ok();
}

void tt_follow_free(struct tt_follow *follow)
{
    if (follow) {
        tt_file_watch_close(&follow->watch);
        free(follow);
    }
}

/* ---- state for readers --------------------------------------------------------------------- */

static void follow_follow_add_sample(struct tt_follow *follow, uint64_t now)
{
    struct tt_sample *sample = follow->samples;
    if (follow->sample_count > 0 && now - sample[follow->sample_count - 1].ms < SAMPLE_MS) {
        return;
    }
    if (follow->sample_count == TT_FOLLOW_SAMPLES) {
        memmove(sample, sample + 1, (TT_FOLLOW_SAMPLES - 1) * sizeof *sample);
        follow->sample_count--;
    }
    sample[follow->sample_count++] =
        (struct tt_sample){now, follow->live.bytes, follow->index->progress.events};
}

static void set_rates(struct tt_follow *follow, uint64_t now)
{
    const struct tt_sample *sample = follow->samples;
    follow->live.bytes_per_s = follow->live.events_per_s = 0;
    if (follow->sample_count == 0 || now - follow->grown_ms >= RATE_MS) {
        follow->sample_count = 0;
        return;
    }
    uint64_t ms = now - sample[0].ms;
    if (ms >= SAMPLE_MS) {
        follow->live.bytes_per_s = (follow->live.bytes - sample[0].bytes) * 1000u / ms;
        follow->live.events_per_s =
            (follow->index->progress.events - sample[0].events) * 1000u / ms;
    }
}

static void notify(struct tt_follow *follow)
{
    struct tt_index *index = follow->index;
    follow->notified_ms = tt_now_ms();
    tt_index_notify(index);
}

/* Updates `live`; `grown`: bytes were decoded in this round. */
static void update_live(struct tt_follow *follow, const struct tt_builder *builder, bool grown,
                        uint64_t now)
{
    struct tt_index *index = follow->index;
    pthread_mutex_lock(&index->lock);
    follow->live.bytes = tt_map_bytes(follow->index->map).size;
    follow->live.final_ticks = follow->final_ticks;
    follow->live.late = builder->survey.late;
    follow->live.streams = tt_watermark_count(&builder->survey.watermark);
    follow->live.changes = follow->changes;
    if (grown) {
        follow->grown_ms = now;
        if (follow->caught_up) {
            follow->live.last_wall = (int64_t)time(NULL);
        }
    }
    follow->live.caught_up = follow->caught_up;
    if (follow->caught_up && grown) {
        follow_follow_add_sample(follow, now);
    }
    set_rates(follow, now);
    index->progress.bytes_total = follow->live.bytes;
    pthread_cond_broadcast(&index->grown);
    pthread_mutex_unlock(&index->lock);
}

/* ---- timelines ------------------------------------------------------------------------------ */

/* Advances the watermark, which never goes back. */
static void advance_final(struct tt_follow *follow, struct tt_builder *builder, uint64_t now)
{
    uint64_t next;
    uint64_t final = tt_watermark_final(&builder->survey.watermark, now, follow->silence_ms, &next);
    if (final == UINT64_MAX) {
        /* All streams are silent: later events count as late up to the last time so far. */
        follow->final_ticks = UINT64_MAX;
        uint64_t last = follow->index->progress.last_ticks;
        builder->survey.final_ticks = last < UINT64_MAX ? last + 1 : last;
        return;
    }
    if (final > builder->survey.final_ticks) {
        builder->survey.final_ticks = final;
    }
    follow->final_ticks = builder->survey.final_ticks;
}

static bool pids_are_shared(const struct tt_capture *capture)
{
    for (uint32_t i = 0; i < tt_process_count(capture); i++) {
        if (tt_process_at(capture, i)->shares_pid) {
            return true;
        }
    }
    return false;
}

/* Returns whether to rebuild the timelines now. */
static bool should_rebuild(const struct tt_follow *follow, const struct tt_builder *builder,
                           uint64_t now)
{
    const struct tt_index *index = follow->index;
    if (index->order.chaotic || index->order.rows == follow->rebuilt_rows ||
        now - follow->rebuilt_ms < REBUILD_PART * follow->rebuild_takes ||
        !tt_builder_is_stale(builder)) {
        return false;
    }
    bool lanes_only =
        !builder->publisher.feed.late &&
        index->progress.first_ticks >= tt_timelines_begin(builder->publisher.feed.timelines) &&
        !tt_timelines_idle_changed(builder->publisher.feed.timelines);
    /* The owner of a reused pid may still be resolved: that can wait for a lull. */
    return !lanes_only ||
           (now - follow->grown_ms >= follow->silence_ms && pids_are_shared(index->capture));
}

static struct tt_status update_timelines(struct tt_follow *follow, struct tt_builder *builder,
                                         uint64_t now)
{
    if (!builder->publisher.feed.timelines) {
        return tt_ok();
    }
    if (should_rebuild(follow, builder, now)) {
        uint64_t begun = tt_own_ms();
        follow->rebuilt_rows = follow->index->order.rows;
        struct tt_status status = tt_builder_rebuild(builder, follow->final_ticks);
        follow->rebuilt_ms = tt_now_ms();
        follow->rebuild_takes = tt_own_ms() - begun;
        if (tt_failed(&status)) {
            return status;
        }
    }
    bool lull = follow->final_ticks == UINT64_MAX || now - follow->grown_ms >= TT_FOLLOW_LULL_MS;
    size_t keep = lull ? 0 : TT_FOLLOW_KEPT;
    uint64_t last = follow->index->progress.last_ticks;
    uint64_t reach = follow->final_ticks < last ? follow->final_ticks : last;
    return tt_builder_release(builder, follow->final_ticks, keep, reach) ? tt_ok()
                                                                         : tt_error_memory();
}

/* ---- rounds --------------------------------------------------------------------------------- */

static bool stopped(const struct tt_follow *follow)
{
    return atomic_load_explicit(&follow->index->stop, memory_order_relaxed);
}

/* Decodes the available bytes; *grown is set if there were any. */
static struct tt_status decode_all(struct tt_follow *follow, struct tt_builder *builder,
                                   bool *grown)
{
    uint64_t from = tt_builder_pos(builder), records = follow->index->progress.records;
    struct tt_status status = tt_ok();
    bool more = true;
    while (more && !tt_failed(&status) && !stopped(follow)) {
        status = tt_builder_step(builder, &more);
        uint64_t now = tt_now_ms();
        if (more && now - follow->notified_ms >= NOTIFY_MS && !tt_failed(&status)) {
            advance_final(follow, builder, now);
            status = update_timelines(follow, builder, now);
            update_live(follow, builder, true, now);
            if (!tt_survey_show_counts(&builder->survey)) {
                status = tt_error_memory();
            }
            notify(follow);
        }
    }
    *grown = tt_builder_pos(builder) != from || follow->index->progress.records != records;
    return status;
}

static struct tt_status map_more(struct tt_follow *follow, bool *mapped)
{
    struct tt_index *index = follow->index;
    *mapped = false;
    if (tt_capture_is_snapshot(index->capture) && !follow->live.pipe) {
        return tt_ok(); /* the copy does not change; the owner opens another one */
    }
    struct tt_status status = tt_map_grow(index->map, mapped);
    if (!tt_failed(&status) && *mapped) {
        atomic_store_explicit(&index->limit, tt_map_bytes(index->map).size, memory_order_release);
    }
    return status;
}

/* Reports a change of the file; returns true if no more of it can be read. */
static bool handle_change(struct tt_follow *follow, enum tt_file_change change)
{
    struct tt_index *index = follow->index;
    pthread_mutex_lock(&index->lock);
    bool news = follow->live.change != change || follow->live.changes != follow->changes;
    follow->live.change = change;
    follow->live.changes = follow->changes;
    pthread_mutex_unlock(&index->lock);
    if (!tt_map_is_own(follow->index->map)) {
        uint64_t size = tt_map_file_size(follow->index->map);
        if (change == TT_CHANGE_REWRITTEN) {
            size = 0; /* all bytes may differ from those that were read */
        }
        if (change >= TT_CHANGE_TRUNCATED && change != TT_CHANGE_OUTGROWN &&
            size < atomic_load(&index->limit)) {
            atomic_store_explicit(&index->limit, size, memory_order_release);
        }
    }
    if (news) {
        notify(follow);
    }
    return change >= TT_CHANGE_TRUNCATED;
}

/* Checks the file and indexes its new bytes; sets *over at its end. */
static struct tt_status one_round(struct tt_follow *follow, struct tt_builder *builder, bool *over)
{
    struct tt_index *index = follow->index;
    uint64_t now = tt_now_ms();
    bool mapped = false, grown = false;
    const struct tt_arrival arrival = tt_map_arrival(follow->index->map);
    bool end = arrival.over || atomic_load(&follow->end_asked);
    if (handle_change(follow, tt_follow_check(follow, now))) {
        *over = true;
        return tt_ok();
    }
    uint64_t had = tt_map_bytes(follow->index->map).size;
    struct tt_status status = map_more(follow, &mapped);
    if (tt_failed(&status)) {
        return status;
    }
    if (tt_follow_is_outgrown(follow, now, end)) {
        handle_change(follow, TT_CHANGE_OUTGROWN);
        *over = true;
        return tt_ok();
    }
    builder->final = end;
    status = decode_all(follow, builder, &grown);
    if (tt_failed(&status) || stopped(follow)) {
        return status;
    }
    if (builder->shrunk) {
        handle_change(follow, TT_CHANGE_TRUNCATED);
        *over = true;
        return tt_ok();
    }
    now = tt_now_ms();
    grown = grown || mapped;
    uint64_t was_final = follow->final_ticks;
    uint64_t was_rate = follow->live.bytes_per_s;
    advance_final(follow, builder, now);
    update_live(follow, builder, grown, now);
    status = update_timelines(follow, builder, now);
    if (!tt_failed(&status) && !tt_survey_show_counts(&builder->survey)) {
        status = tt_error_memory();
    }
    if (grown) {
        tt_follow_update_prints(follow, tt_builder_pos(builder));
    }
    bool news = grown || follow->final_ticks != was_final || !follow->caught_up ||
                (was_rate > 0 && follow->live.bytes_per_s == 0);
    *over = end;
    if (!follow->caught_up) {
        follow->caught_up = true;
        update_live(follow, builder, false, now);
    }
    if (end) {
        if (arrival.damage && tt_health_count(index->capture, TT_HEALTH_CONTAINER) == 0) {
            /* A compressed pipe may turn out to be damaged after it was opened. */
            tt_health_add(index->capture, TT_HEALTH_CONTAINER, arrival.damage_at,
                          index->capture->bytes.size, 0, arrival.damage);
        }
        pthread_mutex_lock(&index->lock);
        follow->live.ended = follow->live.pipe;
        follow->live.status = arrival.status;
        pthread_mutex_unlock(&index->lock);
        return status;
    }
    if (news) {
        notify(follow);
    }
    bool little = tt_map_bytes(follow->index->map).size - had < SMALL_ROUND;
    if (grown && little) {
        const struct timespec gather = {0, GATHER_NS};
        nanosleep(&gather, NULL);
    }
    if (!grown || little) {
        tt_file_watch_wait(&follow->watch, !grown, TT_WATCH_LONGEST_MS);
    }
    return status;
}

/* Completes the index at the end of the file, as for a file that was complete from the start. */
static struct tt_status conclude(struct tt_builder *builder)
{
    struct tt_status status = tt_ok();
    bool more = !builder->shrunk;
    builder->final = true;
    while (more && !tt_failed(&status)) {
        status = tt_builder_step(builder, &more);
    }
    return tt_failed(&status) ? status : tt_builder_settle(builder);
}

struct tt_status tt_follow_run(struct tt_follow *follow)
{
    struct tt_index *index = follow->index;
    struct tt_builder b;
    struct tt_status status = tt_builder_init(&b, index);
    if (tt_failed(&status)) {
        tt_index_finish(index, status);
        return status;
    }
    if (index->capture->files) {
        /* Streams that come in files of their own come apart: a problem may end with bytes that are still missing. */
        tt_publisher_defer_health(&b.publisher);
    }
    bool over = false;
    while (!over && !tt_failed(&status) && !stopped(follow)) {
        status = one_round(follow, &b, &over);
    }
    if (!tt_failed(&status) && follow->live.change >= TT_CHANGE_TRUNCATED &&
        !follow->options.copies) {
        /* Waits until the owner opens another trace, and reports further changes of the file. */
        enum tt_file_change first = follow->live.change;
        while (!stopped(follow) && !atomic_load(&follow->end_asked)) {
            tt_file_watch_wait(&follow->watch, true, TT_WATCH_LONGEST_MS);
            uint32_t had = follow->changes;
            enum tt_file_change now = tt_follow_check(follow, tt_now_ms());
            if (follow->changes != had) {
                handle_change(follow, now > first ? now : first);
            }
        }
    }
    if (!tt_failed(&status) && !stopped(follow)) {
        status = conclude(&b);
    }
    tt_builder_free(&b);
    pthread_mutex_lock(&index->lock);
    follow->live.follows = false;
    follow->live.final_ticks = UINT64_MAX;
    pthread_mutex_unlock(&index->lock);
    tt_index_finish(index, status);
    return status;
}
