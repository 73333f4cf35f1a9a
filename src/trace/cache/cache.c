/* SPDX-License-Identifier: Apache-2.0 */
/* Finding, restoring and writing index caches. */
#include "trace/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/platform.h"
#include "base/worker_thread.h"
#include "base/xdg.h"
#include "format/capture_tables_cache.h"
#include "input/sigbus_guard.h"
#include "trace/cache/save_index.h"
#include "trace/cache/save_timeline.h"
#include "tracetui/format.h"

static void cache_set_state(struct tt_cache *cache, enum tt_cache_state state)
{
    atomic_store_explicit(&cache->state, (int)state, memory_order_release);
}

/* Detects a truncated file: the rest of its last page reads as zeros without a fault. */
static bool cache_is_gone(const struct tt_cache *cache)
{
    struct stat info;
    return atomic_load_explicit(&cache->gone, memory_order_relaxed) ||
           (cache->mapped.data &&
            (fstat(cache->fd, &info) != 0 || (uint64_t)info.st_size < cache->mapped.size));
}

/* ---- finding ------------------------------------------------------------------------------- */

static bool is_worth_it(const struct tt_cache *cache)
{
    return tt_capture_can_save(cache->index->capture) && !tt_map_is_own(cache->index->map) &&
           tt_map_bytes(cache->index->map).size >= TT_CACHE_LEAST;
}

/* Determines the directory of index caches; returns false if there is none. */
static bool find_folder(struct tt_cache *cache, const char *given)
{
    if (!given) {
        return tt_xdg_path(TT_FOLDER_CACHE, "", cache->folder, sizeof cache->folder);
    }
    int length = snprintf(cache->folder, sizeof cache->folder, "%s/", given);
    return length > 0 && (size_t)length < sizeof cache->folder;
}

/* Determines the path of the index cache of this capture; returns false if there is none. */
static bool cache_prepare(struct tt_cache *cache, const struct tt_cache_options *options,
                          const struct tt_capture_options *capture_options)
{
    char name[TT_IDENTITY_NAME + 1];
    if (!options->on || !is_worth_it(cache)) {
        return false;
    }
    cache->limit = options->limit ? options->limit : TT_CACHE_LIMIT;
    cache_set_state(cache, TT_CACHE_NONE);
    if (!find_folder(cache, options->folder) ||
        !tt_identity_of(&cache->identity, cache->index->map, cache->index->capture,
                        capture_options)) {
        return false;
    }
    tt_identity_name(&cache->identity, name);
    return tt_cache_path(cache->folder, name, cache->path);
}

static bool map_file(struct tt_cache *cache, const char *path)
{
    uint64_t size;
    int fd = tt_cache_open(path, &size);
    if (fd < 0) {
        return false;
    }
    void *base =
        size <= SIZE_MAX ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (base == MAP_FAILED) {
        close(fd);
        return false;
    }
    if (!tt_sigbus_guard_install() ||
        !tt_sigbus_guard_add_filled(base, (size_t)size, &cache->gone)) {
        munmap(base, (size_t)size);
        close(fd);
        return false;
    }
    cache->fd = fd;
    cache->mapped = tt_bytes_of(base, size);
    return true;
}

static void unmap_file(struct tt_cache *cache)
{
    if (cache->mapped.data) {
        tt_section_check_stop(&cache->tracks);
        tt_sigbus_guard_remove(cache->mapped.data);
        munmap((void *)(uintptr_t)cache->mapped.data, (size_t)cache->mapped.size);
        close(cache->fd);
        cache->mapped = tt_bytes_of(NULL, 0);
        tt_section_file_free(&cache->file);
    }
}

void tt_cache_remove(struct tt_cache *cache)
{
    unmap_file(cache);
    atomic_store(&cache->gone, false);
    unlink(cache->path);
    cache_set_state(cache, TT_CACHE_PENDING);
}

/* Reads a section of one struct; returns false if it is missing or damaged. */
static bool read_struct(const struct tt_cache *cache, enum tt_section_tag tag, void *to,
                        size_t size)
{
    const struct tt_section *saved = &cache->file.sections[tag];
    if (saved->bytes.size != size || !tt_section_is_valid(saved)) {
        return false;
    }
    memcpy(to, saved->bytes.data, size);
    return true;
}

bool tt_cache_find(struct tt_cache *cache, struct tt_index *index,
                   const struct tt_cache_options *options,
                   const struct tt_capture_options *capture_options)
{
    cache->index = index;
    cache->enabled = cache_prepare(cache, options, capture_options);
    if (!cache->enabled) {
        return false;
    }
    cache_set_state(cache, TT_CACHE_PENDING);

    /* Maps the index cache of this capture. Returns false if there is none. */
    struct tt_identity saved;
    if (!map_file(cache, cache->path)) {
        unlink(cache->path); /* not a valid index cache, or there is none */
        return false;
    }
    if (!tt_section_file_open(cache->mapped, &cache->file) ||
        !read_struct(cache, TT_SECTION_IDENTITY, &saved, sizeof saved) ||
        memcmp(&saved, &cache->identity, sizeof saved) != 0) {
        tt_cache_remove(cache);
        return false;
    }

    /* By far the largest section: checked in the background while the others are restored. */
    struct tt_section *sections = cache->file.sections;
    tt_section_check_begin(&cache->tracks, &sections[TT_SECTION_TRACKS]);
    if (!tt_section_open(&sections[TT_SECTION_CAPTURE]) ||
        !tt_section_open(&sections[TT_SECTION_DECODER]) ||
        !tt_section_open(&sections[TT_SECTION_INDEX])) {
        tt_cache_remove(cache);
        return false;
    }
    return true;
}

void tt_cache_request(struct tt_cache *cache)
{
    if (!cache->enabled || cache->index->cached) {
        return;
    }
    /* Creates the folder. */
    cache->status = (!tt_xdg_make_directory(cache->path) || access(cache->folder, W_OK | X_OK) != 0)
                        ? tt_error_errno(errno, "folder")
                        : tt_ok();
    if (tt_failed(&cache->status)) {
        cache->enabled = false;
        cache_set_state(cache, TT_CACHE_FAILED);
    }
}

bool tt_cache_restore(struct tt_cache *cache)
{
    cache->index->cached_gone = &cache->gone;
    const struct tt_section *sections = cache->file.sections;
    struct tt_reader capture = tt_section_reader(&sections[TT_SECTION_CAPTURE]);
    struct tt_reader decoder = tt_section_reader(&sections[TT_SECTION_DECODER]);
    struct tt_reader index = tt_section_reader(&sections[TT_SECTION_INDEX]);
    if (!tt_tables_restore(cache->index->capture, &capture) ||
        !tt_capture_restore(cache->index->capture, &decoder) ||
        !tt_index_restore(cache->index, &index)) {
        return false;
    }
    cache->index->cached = &cache->file;
    cache->index->cached_check = &cache->tracks;
    cache_set_state(cache, TT_CACHE_RESTORED);
    return true;
}

/* ---- writing ------------------------------------------------------------------------------- */

void tt_cache_put(struct tt_index *index, struct tt_section_writer *writer)
{
    const struct tt_capture *capture = index->capture;
    tt_section_packed(writer, TT_SECTION_CAPTURE);
    tt_tables_save(capture, writer);
    tt_section_packed(writer, TT_SECTION_DECODER);
    if (capture->format->cache.save) {
        capture->format->cache.save(capture, writer);
    }
    /* The index is used in place: unpacking it would delay the first screen. */
    tt_section(writer, TT_SECTION_INDEX);
    tt_index_save(index, writer);
    tt_timelines_save(atomic_load(&index->timelines), writer);
}

static struct tt_status cache_put_all(struct tt_cache *cache, struct tt_section_writer *writer)
{
    tt_section(writer, TT_SECTION_IDENTITY);
    tt_section_put(writer, &cache->identity, sizeof cache->identity);
    tt_cache_put(cache->index, writer);
    return tt_section_file_finish(writer);
}

static struct tt_status cache_measure(struct tt_cache *cache, uint64_t *size)
{
    struct tt_section_writer *writer = tt_section_writer_counting();
    if (!writer) {
        return tt_error_memory();
    }
    struct tt_status status = cache_put_all(cache, writer);
    *size = tt_section_file_size(writer);
    tt_section_writer_free(writer);
    return status;
}

static struct tt_status write_file(struct tt_cache *cache, int fd)
{
    struct tt_section_writer *writer = tt_section_writer_new(fd, &cache->stop);
    if (!writer) {
        return tt_error_memory();
    }
    struct tt_status status = cache_put_all(cache, writer);
    tt_section_writer_free(writer);
    if (!tt_failed(&status) && cache_is_gone(cache)) {
        status = tt_error(TT_ERR_IO, "its source was truncated");
    }
    if (!tt_failed(&status) && !tt_identity_holds(&cache->identity, cache->index->map)) {
        status = tt_error(TT_ERR_IO, "the capture changed during the write");
    }
    return status;
}

#define KEPT_FLAGS (TT_ATOMIC_REPLACE | TT_ATOMIC_PRIVATE)

/* The file appears complete or not at all; its checksums detect later damage. */
static struct tt_status keep_file(struct tt_cache *cache)
{
    uint64_t size = 0;
    struct tt_status status = cache_measure(cache, &size);
    if (!tt_failed(&status)) {
        status = tt_cache_make_room(cache->folder, size, cache->limit);
    }
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_atomic_file file;
    int error =
        tt_xdg_make_directory(cache->path) ? tt_atomic_open(&file, cache->path, KEPT_FLAGS) : errno;
    if (error != 0) {
        return tt_error_errno(error, "open");
    }
    status = write_file(cache, file.fd);
    if (!tt_failed(&status) && (error = tt_atomic_commit(&file)) != 0) {
        status = tt_error_errno(error, "write");
    }
    if (tt_failed(&status)) {
        tt_atomic_abandon(&file);
    }
    return status;
}

static void *write_in_background(void *arg)
{
    struct tt_cache *cache = arg;
    tt_platform_lower_priority();
    cache->status = keep_file(cache);
    cache_set_state(cache, tt_failed(&cache->status) ? TT_CACHE_FAILED : TT_CACHE_SAVED);
    tt_index_notify(cache->index);
    return NULL;
}

/* Returns whether the index is complete and its file is unchanged. */
static bool can_be_kept(const struct tt_cache *cache)
{
    const struct tt_index *index = cache->index;
    return !index->order.chaotic && atomic_load(&index->timelines) &&
           !tt_capture_out_of_memory(cache->index->capture) &&
           tt_health_count(cache->index->capture, TT_HEALTH_SHRUNK) == 0 &&
           tt_health_count(cache->index->capture, TT_HEALTH_UNREADABLE) == 0;
}

void tt_cache_start_writing(struct tt_cache *cache, bool waits)
{
    if (!cache->enabled || (cache->index->cached && !cache->index->cached_damaged)) {
        return;
    }
    if (cache->index->cached) {
        unlink(cache->path); /* in case writing a valid one fails */
    }
    if (!can_be_kept(cache)) {
        cache_set_state(cache, TT_CACHE_NONE);
        return;
    }
    cache->waits_for_it = waits;
    cache_set_state(cache, TT_CACHE_WRITING);
    int error = tt_worker_start(&cache->writer, write_in_background, cache);
    cache->has_writer = error == 0;
    if (error != 0) {
        cache->status = tt_error_errno(error, "thread");
        cache_set_state(cache, TT_CACHE_FAILED);
    }
}

void tt_cache_end_writing(struct tt_cache *cache)
{
    if (cache->has_writer) {
        atomic_store(&cache->stop, !cache->waits_for_it);
        pthread_join(cache->writer, NULL);
        cache->has_writer = false;
    }
}

void tt_cache_abandon(struct tt_cache *cache)
{
    if (cache->enabled) {
        cache_set_state(cache, TT_CACHE_NONE);
    }
}

void tt_cache_free(struct tt_cache *cache)
{
    unmap_file(cache);
}

enum tt_cache_state tt_cache_state_of(const struct tt_cache *cache, struct tt_status *why)
{
    enum tt_cache_state state =
        (enum tt_cache_state)atomic_load_explicit(&cache->state, memory_order_acquire);
    state = cache_is_gone(cache) ? TT_CACHE_TRUNCATED : state;
    *why = state == TT_CACHE_FAILED ? cache->status : tt_ok();
    return state;
}
