/* SPDX-License-Identifier: Apache-2.0 */
/* The indexing thread of a followed capture. */
#include "trace/follow/follow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

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
    index->follows = true;
    *result = f;
    return tt_ok();
}

void tt_follow_free(struct tt_follow *f)
{
    if (f) {
        tt_file_watch_close(&f->watch);
        free(f);
    }
}

/* ---- state for readers --------------------------------------------------------------------- */

static void add_sample(struct tt_follow *f, uint64_t now)
{
    struct tt_sample *s = f->samples;
    if (f->sample_count > 0 && now - s[f->sample_count - 1].ms < SAMPLE_MS) {
        return;
    }
    if (f->sample_count == TT_FOLLOW_SAMPLES) {
        memmove(s, s + 1, (TT_FOLLOW_SAMPLES - 1) * sizeof *s);
        f->sample_count--;
    }
    s[f->sample_count++] = (struct tt_sample){now, f->live.bytes, f->index->progress.events};
}

static void set_rates(struct tt_follow *f, uint64_t now)
{
    const struct tt_sample *s = f->samples;
    f->live.bytes_per_s = f->live.events_per_s = 0;
    if (f->sample_count == 0 || now - f->grown_ms >= RATE_MS) {
        f->sample_count = 0;
        return;
    }
    uint64_t ms = now - s[0].ms;
    if (ms >= SAMPLE_MS) {
        f->live.bytes_per_s = (f->live.bytes - s[0].bytes) * 1000u / ms;
        f->live.events_per_s = (f->index->progress.events - s[0].events) * 1000u / ms;
    }
}

static void notify(struct tt_follow *f)
{
    struct tt_index *index = f->index;
    f->notified_ms = tt_now_ms();
    tt_index_notify(index);
}

/* Updates `live`; `grown`: bytes were decoded in this round. */
static void update_live(struct tt_follow *f, const struct tt_builder *b, bool grown, uint64_t now)
{
    struct tt_index *index = f->index;
    pthread_mutex_lock(&index->lock);
    f->live.bytes = tt_map_bytes(f->index->map).size;
    f->live.final_ticks = f->final_ticks;
    f->live.late = b->survey.late;
    f->live.streams = tt_watermark_count(&b->survey.watermark);
    f->live.changes = f->changes;
    if (grown) {
        f->grown_ms = now;
        if (f->caught_up) {
            f->live.last_wall = (int64_t)time(NULL);
        }
    }
    f->live.caught_up = f->caught_up;
    if (f->caught_up && grown) {
        add_sample(f, now);
    }
    set_rates(f, now);
    index->progress.bytes_total = f->live.bytes;
    pthread_cond_broadcast(&index->grown);
    pthread_mutex_unlock(&index->lock);
}

/* ---- timelines ------------------------------------------------------------------------------ */

/* Advances the watermark, which never goes back. */
static void advance_final(struct tt_follow *f, struct tt_builder *b, uint64_t now)
{
    uint64_t next;
    uint64_t final = tt_watermark_final(&b->survey.watermark, now, f->silence_ms, &next);
    if (final == UINT64_MAX) {
        /* All streams are silent: later events count as late up to the last time so far. */
        f->final_ticks = UINT64_MAX;
        uint64_t last = f->index->progress.last_ticks;
        b->survey.final_ticks = last < UINT64_MAX ? last + 1 : last;
        return;
    }
    if (final > b->survey.final_ticks) {
        b->survey.final_ticks = final;
    }
    f->final_ticks = b->survey.final_ticks;
}

static bool pids_are_shared(const struct tt_capture *c)
{
    for (uint32_t i = 0; i < tt_process_count(c); i++) {
        if (tt_process_at(c, i)->shares_pid) {
            return true;
        }
    }
    return false;
}

/* Returns whether to rebuild the timelines now. */
static bool should_rebuild(const struct tt_follow *f, const struct tt_builder *b, uint64_t now)
{
    const struct tt_index *index = f->index;
    if (index->order.chaotic || index->order.rows == f->rebuilt_rows ||
        now - f->rebuilt_ms < REBUILD_PART * f->rebuild_takes || !tt_builder_is_stale(b)) {
        return false;
    }
    bool lanes_only =
        !b->publisher.feed.late &&
        index->progress.first_ticks >= tt_timelines_begin(b->publisher.feed.timelines) &&
        !tt_timelines_idle_changed(b->publisher.feed.timelines);
    /* The owner of a reused pid may still be resolved: that can wait for a lull. */
    return !lanes_only || (now - f->grown_ms >= f->silence_ms && pids_are_shared(index->capture));
}

static struct tt_status update_timelines(struct tt_follow *f, struct tt_builder *b, uint64_t now)
{
    if (!b->publisher.feed.timelines) {
        return tt_ok();
    }
    if (should_rebuild(f, b, now)) {
        uint64_t begun = tt_own_ms();
        f->rebuilt_rows = f->index->order.rows;
        struct tt_status status = tt_builder_rebuild(b, f->final_ticks);
        f->rebuilt_ms = tt_now_ms();
        f->rebuild_takes = tt_own_ms() - begun;
        if (tt_failed(&status)) {
            return status;
        }
    }
    bool lull = f->final_ticks == UINT64_MAX || now - f->grown_ms >= TT_FOLLOW_LULL_MS;
    size_t keep = lull ? 0 : TT_FOLLOW_KEPT;
    uint64_t last = f->index->progress.last_ticks;
    uint64_t reach = f->final_ticks < last ? f->final_ticks : last;
    return tt_builder_release(b, f->final_ticks, keep, reach) ? tt_ok() : tt_error_memory();
}

/* ---- rounds --------------------------------------------------------------------------------- */

static bool stopped(const struct tt_follow *f)
{
    return atomic_load_explicit(&f->index->stop, memory_order_relaxed);
}

/* Decodes the available bytes; *grown is set if there were any. */
static struct tt_status decode_all(struct tt_follow *f, struct tt_builder *b, bool *grown)
{
    uint64_t from = tt_builder_pos(b), records = f->index->progress.records;
    struct tt_status status = tt_ok();
    bool more = true;
    while (more && !tt_failed(&status) && !stopped(f)) {
        status = tt_builder_step(b, &more);
        uint64_t now = tt_now_ms();
        if (more && now - f->notified_ms >= NOTIFY_MS && !tt_failed(&status)) {
            advance_final(f, b, now);
            status = update_timelines(f, b, now);
            update_live(f, b, true, now);
            if (!tt_survey_show_counts(&b->survey)) {
                status = tt_error_memory();
            }
            notify(f);
        }
    }
    *grown = tt_builder_pos(b) != from || f->index->progress.records != records;
    return status;
}

static struct tt_status map_more(struct tt_follow *f, bool *mapped)
{
    struct tt_index *index = f->index;
    *mapped = false;
    if (tt_capture_is_snapshot(index->capture) && !f->live.pipe) {
        return tt_ok(); /* the copy does not change; the owner opens another one */
    }
    struct tt_status status = tt_map_grow(index->map, mapped);
    if (!tt_failed(&status) && *mapped) {
        atomic_store_explicit(&index->limit, tt_map_bytes(index->map).size, memory_order_release);
    }
    return status;
}

/* Reports a change of the file; returns true if no more of it can be read. */
static bool handle_change(struct tt_follow *f, enum tt_file_change change)
{
    struct tt_index *index = f->index;
    pthread_mutex_lock(&index->lock);
    bool news = f->live.change != change || f->live.changes != f->changes;
    f->live.change = change;
    f->live.changes = f->changes;
    pthread_mutex_unlock(&index->lock);
    if (!tt_map_is_own(f->index->map)) {
        uint64_t size = tt_map_file_size(f->index->map);
        if (change == TT_CHANGE_REWRITTEN) {
            size = 0; /* all bytes may differ from those that were read */
        }
        if (change >= TT_CHANGE_TRUNCATED && change != TT_CHANGE_OUTGROWN &&
            size < atomic_load(&index->limit)) {
            atomic_store_explicit(&index->limit, size, memory_order_release);
        }
    }
    if (news) {
        notify(f);
    }
    return change >= TT_CHANGE_TRUNCATED;
}

/* Waits until the owner opens another trace, and reports further changes of the file. */
static void wait_for_owner(struct tt_follow *f)
{
    enum tt_file_change first = f->live.change;
    while (!stopped(f) && !atomic_load(&f->end_asked)) {
        tt_file_watch_wait(&f->watch, true, TT_WATCH_LONGEST_MS);
        uint32_t had = f->changes;
        enum tt_file_change now = tt_follow_check(f, tt_now_ms());
        if (f->changes != had) {
            handle_change(f, now > first ? now : first);
        }
    }
}

/* Checks the file and indexes its new bytes; sets *over at its end. */
static struct tt_status one_round(struct tt_follow *f, struct tt_builder *b, bool *over)
{
    struct tt_index *index = f->index;
    uint64_t now = tt_now_ms();
    bool mapped = false, grown = false;
    const struct tt_arrival arrival = tt_map_arrival(f->index->map);
    bool end = arrival.over || atomic_load(&f->end_asked);
    if (handle_change(f, tt_follow_check(f, now))) {
        *over = true;
        return tt_ok();
    }
    uint64_t had = tt_map_bytes(f->index->map).size;
    struct tt_status status = map_more(f, &mapped);
    if (tt_failed(&status)) {
        return status;
    }
    if (tt_follow_is_outgrown(f, now, end)) {
        handle_change(f, TT_CHANGE_OUTGROWN);
        *over = true;
        return tt_ok();
    }
    b->final = end;
    status = decode_all(f, b, &grown);
    if (tt_failed(&status) || stopped(f)) {
        return status;
    }
    if (b->shrunk) {
        handle_change(f, TT_CHANGE_TRUNCATED);
        *over = true;
        return tt_ok();
    }
    now = tt_now_ms();
    grown = grown || mapped;
    uint64_t was_final = f->final_ticks;
    uint64_t was_rate = f->live.bytes_per_s;
    advance_final(f, b, now);
    update_live(f, b, grown, now);
    status = update_timelines(f, b, now);
    if (!tt_failed(&status) && !tt_survey_show_counts(&b->survey)) {
        status = tt_error_memory();
    }
    if (grown) {
        tt_follow_update_prints(f, tt_builder_pos(b));
    }
    bool news = grown || f->final_ticks != was_final || !f->caught_up ||
                (was_rate > 0 && f->live.bytes_per_s == 0);
    *over = end;
    if (!f->caught_up) {
        f->caught_up = true;
        update_live(f, b, false, now);
    }
    if (end) {
        if (arrival.damage && tt_health_count(index->capture, TT_HEALTH_CONTAINER) == 0) {
            /* A compressed pipe may turn out to be damaged after it was opened. */
            tt_health_add(index->capture, TT_HEALTH_CONTAINER, arrival.damage_at,
                          index->capture->bytes.size, 0, arrival.damage);
        }
        pthread_mutex_lock(&index->lock);
        f->live.ended = f->live.pipe;
        f->live.status = arrival.status;
        pthread_mutex_unlock(&index->lock);
        return status;
    }
    if (news) {
        notify(f);
    }
    bool little = tt_map_bytes(f->index->map).size - had < SMALL_ROUND;
    if (grown && little) {
        const struct timespec gather = {0, GATHER_NS};
        nanosleep(&gather, NULL);
    }
    if (!grown || little) {
        tt_file_watch_wait(&f->watch, !grown, TT_WATCH_LONGEST_MS);
    }
    return status;
}

/* Completes the index at the end of the file, as for a file that was complete from the start. */
static struct tt_status conclude(struct tt_builder *b)
{
    struct tt_status status = tt_ok();
    bool more = !b->shrunk;
    b->final = true;
    while (more && !tt_failed(&status)) {
        status = tt_builder_step(b, &more);
    }
    return tt_failed(&status) ? status : tt_builder_settle(b);
}

struct tt_status tt_follow_run(struct tt_follow *f)
{
    struct tt_index *index = f->index;
    struct tt_builder b;
    struct tt_status status = tt_builder_init(&b, index);
    if (tt_failed(&status)) {
        tt_index_finish(index, status);
        return status;
    }
    bool over = false;
    while (!over && !tt_failed(&status) && !stopped(f)) {
        status = one_round(f, &b, &over);
    }
    if (!tt_failed(&status) && f->live.change >= TT_CHANGE_TRUNCATED && !f->options.copies) {
        wait_for_owner(f);
    }
    if (!tt_failed(&status) && !stopped(f)) {
        status = conclude(&b);
    }
    tt_builder_free(&b);
    pthread_mutex_lock(&index->lock);
    f->live.follows = false;
    f->live.final_ticks = UINT64_MAX;
    pthread_mutex_unlock(&index->lock);
    tt_index_finish(index, status);
    return status;
}
