/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing, and the indexing worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/worker_thread.h"
#include "trace/trace_internal.h"

struct open_job {
    const struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_status status;
};

static void open_guarded(void *arg)
{
    struct open_job *job = arg;
    const struct tt_trace_options *options = &job->trace->options;
    const struct tt_merge_plan *plan = options->merge;
    job->status = plan ? tt_merge_open(job->capture, plan, job->trace->map, &options->capture)
                       : tt_capture_open(job->capture, job->trace->path, &options->capture);
}

struct tt_status tt_trace_open_capture(const struct tt_trace *trace, struct tt_capture **capture)
{
    struct tt_status status = tt_capture_new(tt_map_bytes(trace->map), capture);
    if (tt_failed(&status)) {
        return status;
    }
    const bool is_folder = !trace->options.merge && tt_map_file_count(trace->map) > 0;
    (*capture)->files = is_folder ? trace->map : NULL;
    (*capture)->lanes = trace->options.capture.lanes;
    const struct tt_arrival arrival = tt_map_arrival(trace->map);
    if (arrival.damage) {
        tt_health_add(*capture, TT_HEALTH_CONTAINER, arrival.damage_at, (*capture)->bytes.size, 0,
                      arrival.damage);
    }
    struct open_job job = {trace, *capture, tt_ok()};
    if (!tt_sigbus_guard(open_guarded, &job)) {
        return tt_error(TT_ERR_IO, "%s", tt_trace_missing_text(trace));
    }
    if (arrival.damage && tt_failed(&job.status) && job.status.code != TT_ERR_MEMORY) {
        return tt_error_at(TT_ERR_FORMAT, arrival.damage_at, "%s: %s; what it holds before: %s",
                           tt_health_text(TT_HEALTH_CONTAINER), arrival.damage, job.status.text);
    }
    return job.status;
}

/* Reopens a snapshot as a copy, since it may be rewritten at any time. */
static struct tt_status copy_snapshot(struct tt_trace *trace,
                                      const struct tt_trace_options *options)
{
    if (!options->map.follow || !tt_capture_is_snapshot(trace->capture) ||
        tt_map_is_own(trace->map)) {
        return tt_ok();
    }
    struct tt_map_options map = options->map;
    map.copy = true;
    tt_capture_free(trace->capture);
    tt_map_close(trace->map);
    trace->capture = NULL;
    trace->map = NULL;
    struct tt_status status = tt_map_open(trace->path, &map, &trace->map);
    return tt_failed(&status) ? status : tt_trace_open_capture(trace, &trace->capture);
}

struct tt_status tt_trace_make_index(struct tt_trace *trace)
{
    struct tt_status status = tt_index_init(&trace->index, trace->capture, trace->map);
    trace->has_index = !tt_failed(&status);
    return status;
}

/* Restores the index from a valid index cache of the file. Otherwise leaves the trace as it was. */
static struct tt_status restore_cached(struct tt_trace *trace,
                                       const struct tt_trace_options *options)
{
    if (options->map.follow ||
        !tt_cache_find(&trace->cache, &trace->index, &options->cache, &options->capture) ||
        tt_cache_restore(&trace->cache)) {
        return tt_ok();
    }
    tt_index_free(&trace->index);
    trace->has_index = false;
    tt_capture_free(trace->capture);
    trace->capture = NULL;
    tt_cache_remove(&trace->cache);
    struct tt_status status = tt_trace_open_capture(trace, &trace->capture);
    return tt_failed(&status) ? status : tt_trace_make_index(trace);
}

/* Completes a trace that has its path and map. */
static struct tt_status open_trace(struct tt_trace *trace, const struct tt_trace_options *options)
{
    struct tt_status status = tt_trace_open_arriving(trace);
    if (!tt_failed(&status)) {
        status = copy_snapshot(trace, options);
    }
    if (!tt_failed(&status)) {
        status = tt_trace_make_index(trace);
    }
    if (!tt_failed(&status)) {
        status = restore_cached(trace, options);
    }
    if (!tt_failed(&status)) {
        tt_cache_request(&trace->cache);
    }
    if (!tt_failed(&status) && options->map.follow) {
        const struct tt_follow_options how = {options->capture, options->map.copy};
        status = tt_follow_new(trace->path, &trace->index, &how, &trace->follow);
    }
    return status;
}

/* Maps the files of a merged trace. */
static struct tt_status map_merged(const struct tt_trace_options *options, struct tt_map **map)
{
    const struct tt_merge_plan *plan = options->merge;
    const char *paths[TT_MERGE_MOST];
    unsigned failed;
    for (unsigned i = 0; i < plan->count; i++) {
        paths[i] = plan->sources[i].path;
    }
    struct tt_status status = tt_map_open_files(paths, plan->count, &options->map, &failed, map);
    return failed < plan->count ? tt_status_context(status, plan->sources[failed].name) : status;
}

#define FOUND_MOST 256u

struct find_job {
    struct tt_bytes bytes;
    struct tt_found list[FOUND_MOST];
    uint32_t count;
};

static void find_guarded(void *arg)
{
    struct find_job *job = arg;
    job->count = tt_find_captures(job->bytes, job->list, FOUND_MOST);
}

static struct tt_status trace_choose(const struct find_job *job, const struct tt_find_options *find,
                                     uint32_t *chosen)
{
    uint32_t kept = job->count < FOUND_MOST ? job->count : FOUND_MOST;
    *chosen = find->number > 0 ? find->number - 1 : 0;
    if (kept == 0) {
        return tt_error(TT_ERR_NOT_CAPTURE, "contains no trace buffer");
    }
    if (*chosen >= kept) {
        return tt_error(TT_ERR_USAGE, "--find=%u: contains %u", find->number, kept);
    }
    if (find->number > 0 || job->count == 1) {
        return tt_ok();
    }
    for (uint32_t i = 0; find->list && i < kept; i++) {
        find->list(find->arg, i + 1, &job->list[i]);
    }
    return tt_error(TT_ERR_USAGE, "contains %u trace buffers; choose one: --find=NUMBER",
                    job->count);
}

/* Restricts the map to a capture inside the file. */
static struct tt_status find_capture(struct tt_trace *trace)
{
    struct find_job *job = calloc(1, sizeof *job);
    if (!job) {
        return tt_error_memory();
    }
    uint32_t chosen = 0;
    job->bytes = tt_map_bytes(trace->map);
    struct tt_status status = tt_sigbus_guard(find_guarded, job)
                                  ? trace_choose(job, &trace->options.find, &chosen)
                                  : tt_error(TT_ERR_IO, "file changed or could not be read");
    if (!tt_failed(&status)) {
        trace->found = job->list[chosen];
        tt_map_restrict(trace->map, trace->found.offset, trace->found.size);
    }
    free(job);
    return status;
}

/* Adds a fact with the place of the capture inside the file. */
static struct tt_status trace_add_place(struct tt_trace *trace)
{
    char text[80];
    int length =
        snprintf(text, sizeof text, "offset 0x%llx, %llu bytes%s",
                 (unsigned long long)trace->found.offset, (unsigned long long)trace->found.size,
                 trace->found.cut ? ", cut at the end of the file" : "");
    return tt_facts_add(trace->capture, "file", "found at", text, (size_t)length)
               ? tt_ok()
               : tt_error_memory();
}

/* Opens a trace; it shares the pipe of `like`, unless that is NULL. */
static struct tt_status open_path(const char *path, const struct tt_trace_options *options,
                                  const struct tt_trace *like, struct tt_trace **result)
{
    *result = NULL;
    struct tt_trace *trace = calloc(1, sizeof *trace);
    if (!trace) {
        return tt_error_memory();
    }
    trace->path = strdup(path);
    trace->options = *options;
    trace->options.map.folders = true;
    struct tt_status status =
        trace->path ? tt_programs_open(options->symbols, options->symbol_count, &trace->programs)
                    : tt_error_memory();
    bool finds = options->find.on && !options->merge;
    if (options->merge || finds || options->map.follow || options->capture.names_path) {
        trace->options.map.early =
            0; /* all bytes are searched, or the names can be read only once */
    }
    if (!tt_failed(&status) && options->merge) {
        trace->options.map.follow = options->map.follow && options->merge->follows;
        status = map_merged(&trace->options, &trace->map);
    } else if (!tt_failed(&status)) {
        status = like ? tt_map_reopen(like->map, &trace->map)
                      : tt_map_open(path, &trace->options.map, &trace->map);
    }
    if (!tt_failed(&status) && finds) {
        trace->options.map.follow = false;
        trace->options.cache.on = false;
        status = find_capture(trace);
    }
    if (!tt_failed(&status)) {
        trace->options.capture.whole = trace->options.map.follow;
        status = open_trace(trace, &trace->options);
    }
    if (!tt_failed(&status) && finds) {
        status = trace_add_place(trace);
    }
    if (tt_failed(&status)) {
        tt_trace_close(trace);
    } else {
        *result = trace;
    }
    return status;
}

struct tt_status tt_trace_open(const char *path, const struct tt_trace_options *options,
                               struct tt_trace **result)
{
    static const struct tt_trace_options defaults;
    return open_path(path, options ? options : &defaults, NULL, result);
}

/* Opens the file again; `arrived`: with the bytes that have arrived of a trace that was opened early. */
static struct tt_status open_again(struct tt_trace *trace, const struct tt_trace_options *options,
                                   bool arrived, struct tt_trace **reopened)
{
    const bool is_only_here = tt_map_is_pipe(trace->map) || strcmp(trace->path, "-") == 0;
    const bool shares = (is_only_here && tt_map_arrival(trace->map).change == TT_MAP_SAME) ||
                        (arrived && !options->map.follow && tt_map_is_own(trace->map));
    return open_path(trace->path, options, shares ? trace : NULL, reopened);
}

struct tt_status tt_trace_reopen(struct tt_trace *trace, struct tt_trace **reopened)
{
    struct tt_trace_options options = trace->options;
    options.map.follow = !options.merge && !options.find.on;
    options.map.kinds = TT_MAP_FILES;
    return open_again(trace, &options, false, reopened);
}

struct tt_status tt_trace_restart(struct tt_trace *trace, struct tt_trace **reopened)
{
    return open_again(trace, &trace->options, true, reopened);
}

void tt_trace_close(struct tt_trace *trace)
{
    if (!trace) {
        return;
    }
    if (trace->has_index) {
        tt_trace_index_stop(trace);
        tt_cache_end_writing(&trace->cache);
        tt_index_free(&trace->index);
    }
    tt_follow_free(trace->follow);
    tt_capture_free(trace->capture);
    tt_cache_free(&trace->cache);
    tt_map_close(trace->map);
    tt_programs_free(trace->programs);
    free(trace->path);
    free(trace);
}

struct tt_capture *tt_trace_capture(struct tt_trace *trace)
{
    return trace->capture;
}

const char *tt_trace_path(const struct tt_trace *trace)
{
    return trace->path;
}

static void write_cache(struct tt_trace *trace, const struct tt_status *status, bool waits)
{
    if (tt_failed(status)) {
        tt_cache_abandon(&trace->cache);
    } else {
        tt_cache_start_writing(&trace->cache, waits);
    }
}

struct tt_status tt_trace_index(struct tt_trace *trace)
{
    struct tt_status status =
        trace->early.is_early ? tt_trace_index_early(trace) : tt_index_run(&trace->index);
    write_cache(trace, &status, true);
    return status;
}

static void *trace_work(void *arg)
{
    struct tt_trace *trace = arg;
    if (trace->follow) {
        tt_follow_run(trace->follow);
    } else {
        struct tt_status status =
            trace->early.is_early ? tt_trace_index_arriving(trace) : tt_index_run(&trace->index);
        write_cache(trace, &status, false);
        tt_index_notify(&trace->index);
    }
    return NULL;
}

struct tt_status tt_trace_index_start(struct tt_trace *trace, void (*notify)(void *arg), void *arg)
{
    struct tt_index *index = &trace->index;
    index->notify = notify;
    index->notify_arg = arg;
    int error = tt_worker_start(&index->worker, trace_work, trace);
    if (error != 0) {
        return tt_error_errno(error, "thread");
    }
    index->has_worker = true;
    return tt_ok();
}

void tt_trace_index_stop(struct tt_trace *trace)
{
    struct tt_index *index = &trace->index;
    if (index->has_worker) {
        atomic_store(&index->stop, true);
        if (trace->early.is_early) {
            tt_map_stop(trace->map);
        }
        if (trace->follow) {
            tt_file_watch_wake(&trace->follow->watch);
        }
        pthread_join(index->worker, NULL);
        index->has_worker = false;
    }
}

bool tt_trace_is_arriving(const struct tt_trace *trace, struct tt_arrival *arrival)
{
    if (!trace->early.is_early) {
        return false;
    }
    *arrival = tt_map_arrival(trace->map);
    return arrival->more ||
           arrival->bytes > atomic_load_explicit(&trace->index.limit, memory_order_acquire);
}

bool tt_trace_is_outdated(const struct tt_trace *trace)
{
    return atomic_load(&trace->early.outdated);
}

void tt_trace_wait_rows(struct tt_trace *trace, uint64_t rows)
{
    struct tt_index *index = &trace->index;
    pthread_mutex_lock(&index->lock);
    while (index->order.rows < rows && !index->progress.finished) {
        pthread_cond_wait(&index->grown, &index->lock);
    }
    pthread_mutex_unlock(&index->lock);
}

struct tt_progress tt_trace_progress(const struct tt_trace *trace)
{
    struct tt_index *index = (struct tt_index *)&trace->index;
    pthread_mutex_lock(&index->lock);
    struct tt_progress progress = index->progress;
    pthread_mutex_unlock(&index->lock);
    return progress;
}

uint64_t tt_trace_type_events(const struct tt_trace *trace, uint32_t type)
{
    const struct tt_column *counts = &trace->index.type_counts;
    if (type >= tt_column_count(counts)) {
        return 0;
    }
    _Atomic uint64_t *count = tt_column_at(counts, type);
    return atomic_load_explicit(count, memory_order_relaxed);
}

const struct tt_timelines *tt_trace_timelines(struct tt_trace *trace)
{
    return atomic_load_explicit(&trace->index.timelines, memory_order_acquire);
}

uint64_t tt_trace_memory(const struct tt_trace *trace)
{
    struct tt_index *index = (struct tt_index *)&trace->index;
    pthread_mutex_lock(&index->lock);
    uint64_t bytes = tt_runs_memory(&index->order) + tt_column_memory(&index->blocks) +
                     tt_column_memory(&index->type_counts) + tt_arena_memory(&index->blobs);
    if (index->sorted) {
        bytes += index->order.rows * sizeof *index->sorted;
    }
    pthread_mutex_unlock(&index->lock);
    return bytes;
}

enum tt_cache_state tt_trace_cache(const struct tt_trace *trace, struct tt_status *why)
{
    return tt_cache_state_of(&trace->cache, why);
}

const char *tt_trace_missing_text(const struct tt_trace *trace)
{
    return tt_map_file_size(trace->map) < tt_map_bytes(trace->map).size
               ? tt_health_text(TT_HEALTH_SHRUNK)
               : "file changed or could not be read";
}
