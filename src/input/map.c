/* SPDX-License-Identifier: Apache-2.0 */
/* map: maps an input at an address that never moves, with reserved space to grow. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform.h"
#include "input/map_internal.h"
#include "input/sigbus_guard.h"

#define ROOM_MOST     (UINT64_C(1) << 36)
#define ROOM_ARRIVING (UINT64_C(1) << 40) /* more than a temporary file has */

struct tt_map *tt_map_new(void)
{
    struct tt_map *map = calloc(1, sizeof *map);
    if (map) {
        long page = sysconf(_SC_PAGESIZE);
        map->page = page > 0 ? (size_t)page : 4096;
        map->fd = -1;
    }
    return map;
}

int tt_map_fd(const struct tt_map *map)
{
    return map->spool ? tt_spool_fd(map->spool) : map->fd;
}

struct tt_status tt_map_reserve(struct tt_map *map, uint64_t size, uint64_t room)
{
    const uint64_t rooms[] = {room, UINT64_C(1) << 30, UINT64_C(1) << 24, 0};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        if (size > SIZE_MAX / 2 || rooms[i] > SIZE_MAX / 2 || rooms[i] > room) {
            continue;
        }
        size_t want = ((size_t)size + (size_t)rooms[i]) / map->page * map->page + map->page;
        void *base = tt_platform_reserve(want);
        if (base) {
            map->base = base;
            map->reserved = want;
            return tt_ok();
        }
    }
    return tt_error(TT_ERR_MEMORY, "no address space for a file of %llu bytes",
                    (unsigned long long)size);
}

/* Maps the file up to `size`, from the last page that was only partly filled. */
static struct tt_status map_up_to(struct tt_map *map, uint64_t size)
{
    size_t want = ((size_t)size + map->page - 1) / map->page * map->page;
    if (want > map->mapped) {
        void *at = mmap(map->base + map->mapped, want - map->mapped, PROT_READ,
                        MAP_SHARED | MAP_FIXED, tt_map_fd(map), (off_t)map->mapped);
        if (at == MAP_FAILED) {
            return tt_error_errno(errno, "map");
        }
        map->mapped = want;
    }
    map->size = size;
    return tt_ok();
}

/* Maps what is there of an input that is open. */
static struct tt_status map_input(struct tt_map *map)
{
    struct tt_status status = map->copies ? tt_spool_copy_more(map->spool) : tt_ok();
    struct stat info;
    if (tt_failed(&status)) {
        return status;
    }
    if (!map->spool && (fstat(map->fd, &info) != 0 || info.st_size < 0)) {
        return tt_error_errno(errno, "stat");
    }
    const uint64_t room = map->is_early ? ROOM_ARRIVING : ROOM_MOST;
    uint64_t size = tt_map_file_size(map);
    status = tt_map_reserve(map, size, room);
    if (!tt_failed(&status) && map->is_early && (uint64_t)map->reserved < room) {
        /* The room may not suffice: waits for all bytes. */
        munmap(map->base, map->reserved);
        map->base = NULL;
        tt_map_wait(map, UINT64_MAX, UINT64_MAX, NULL, NULL);
        size = tt_map_file_size(map);
        status = tt_spool_arrival(map->spool).status;
        status = tt_failed(&status) ? status : tt_map_reserve(map, size, room);
    }
    if (!tt_failed(&status) &&
        (!tt_sigbus_guard_install() || !tt_sigbus_guard_add(map->base, map->reserved))) {
        status = tt_error(TT_ERR_IO, "too many files are mapped");
    }
    return tt_failed(&status) ? status : map_up_to(map, size);
}

struct tt_status tt_map_open(const char *path, const struct tt_map_options *options,
                             struct tt_map **result)
{
    static const struct tt_map_options defaults;
    struct tt_map *map;
    struct stat info;
    options = options ? options : &defaults;
    *result = NULL;
    if (options->folders && options->metadata && strcmp(path, "-") == 0) {
        return tt_map_open_folder(path, options, result);
    }
    if (options->folders && !(options->remote && tt_remote_is(path)) && stat(path, &info) == 0 &&
        (S_ISDIR(info.st_mode) || options->metadata || tt_map_is_part(path))) {
        return tt_map_open_folder(path, options, result);
    }
    struct tt_status status = tt_map_open_input(path, options, &map);
    if (tt_failed(&status)) {
        return status;
    }
    status = map_input(map);
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *result = map;
    }
    return status;
}

struct tt_status tt_map_of_own(uint64_t limit, struct tt_map **result)
{
    struct tt_map *map = tt_map_new();
    struct tt_status status = map ? tt_spool_of_file(-1, limit, &map->spool) : tt_error_memory();
    if (!tt_failed(&status)) {
        status = map_input(map);
    }
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *result = map;
    }
    return status;
}

struct tt_status tt_map_append(struct tt_map *map, const uint8_t *bytes, size_t length)
{
    return tt_spool_append(map->spool, bytes, length);
}

void tt_map_close(struct tt_map *map)
{
    if (!map) {
        return;
    }
    if (map->base) {
        tt_sigbus_guard_remove(map->base);
        munmap(map->base, map->reserved);
    }
    tt_spool_release(map->spool);
    if (map->fd >= 0) {
        close(map->fd);
    }
    tt_map_files_free(map->files);
    free(map);
}

struct tt_status tt_map_reopen(const struct tt_map *map, struct tt_map **result)
{
    struct tt_map *again = tt_map_new();
    struct tt_status status = tt_ok();
    if (!again) {
        return tt_error_memory();
    }
    if (map->files) {
        tt_map_close(again);
        return tt_error(TT_ERR_IO, "a pipe with descriptions elsewhere is read once");
    }
    if (map->is_early) {
        const struct tt_spool_enough all = {.bytes = UINT64_MAX};
        tt_spool_wait(map->spool, &all, UINT64_MAX, NULL, NULL);
        status = tt_spool_arrival(map->spool).status;
    }
    again->spool = map->spool;
    again->copies = map->copies;
    again->is_pipe = map->is_pipe;
    if (again->spool) {
        tt_spool_hold(again->spool);
    }
    if (!tt_failed(&status) && map->fd >= 0) {
        again->fd = dup(map->fd);
        status = again->fd < 0 ? tt_error_errno(errno, "open again") : status;
    }
    status = tt_failed(&status) ? status : map_input(again);
    if (tt_failed(&status)) {
        tt_map_close(again);
    } else {
        *result = again;
    }
    return status;
}

/* ---- state ----------------------------------------------------------------------------------- */

struct tt_bytes tt_map_bytes(const struct tt_map *map)
{
    return tt_bytes_of(map->base + map->from, map->part > 0 ? map->part : map->size);
}

uint64_t tt_map_file_size(const struct tt_map *map)
{
    struct stat info;
    if (map->files) {
        return tt_map_files_size(map);
    }
    if (map->spool) {
        return tt_spool_size(map->spool);
    }
    if (fstat(map->fd, &info) != 0 || info.st_size < 0) {
        return map->size; /* unknown: an access past the end is caught anyway */
    }
    uint64_t size = (uint64_t)info.st_size;
    if (map->part > 0) {
        size = size > map->from ? size - map->from : 0;
        size = size < map->part ? size : map->part;
    }
    return size;
}

struct tt_arrival tt_map_arrival(const struct tt_map *map)
{
    if (map->spool) {
        return tt_spool_arrival(map->spool);
    }
    const uint64_t size = tt_map_file_size(map);
    return (struct tt_arrival){
        .bytes = size, .read = size, .total = size, .is_file = true, .status = tt_ok()};
}

bool tt_map_is_own(const struct tt_map *map)
{
    return map->files ? tt_map_files_are_own(map) : map->spool != NULL;
}

bool tt_map_is_pipe(const struct tt_map *map)
{
    return map->is_pipe;
}

int tt_map_wake_fd(const struct tt_map *map)
{
    return map->is_pipe ? tt_spool_wake_fd(map->spool) : -1;
}

int tt_map_source(const struct tt_map *map)
{
    return map->spool && !map->copies ? -1 : map->fd;
}

/* ---- more bytes ------------------------------------------------------------------------------ */

void tt_map_wait(struct tt_map *map, uint64_t bytes, uint64_t ms, const struct tt_map_watch *watch,
                 const char *path)
{
    const struct tt_spool_enough enough = {.bytes = bytes};
    if (map->spool && !map->copies) {
        tt_spool_wait(map->spool, &enough, ms, watch, path);
    }
}

struct tt_status tt_map_grow(struct tt_map *map, bool *grown)
{
    *grown = false;
    if (map->files) {
        return tt_map_files_grow(map, grown);
    }
    struct tt_status status = map->copies ? tt_spool_copy_more(map->spool) : tt_ok();
    uint64_t size = tt_map_file_size(map);
    if (tt_failed(&status) || size <= map->size) {
        return status;
    }
    if (size > map->reserved) {
        return tt_error(TT_ERR_MEMORY, "the file outgrew its reserved address space");
    }
    status = map_up_to(map, size);
    *grown = !tt_failed(&status);
    return status;
}

void tt_map_stop(struct tt_map *map)
{
    if (map->spool) {
        tt_spool_cancel(map->spool);
    }
}

/* ---- pages ----------------------------------------------------------------------------------- */

#define SMALL_FILE   (UINT64_C(64) << 20) /* below, keeping all pages in memory is harmless */
#define SMALL_SO_FAR (UINT64_C(16) << 20) /* of a file that may become large */

void tt_map_restrict(struct tt_map *map, uint64_t offset, uint64_t size)
{
    map->from = offset;
    map->part = size;
}

bool tt_map_release_pages(const struct tt_map *map, uint64_t from, uint64_t to)
{
    if (map->size < (map->is_early ? SMALL_SO_FAR : SMALL_FILE) || from >= to) {
        return false;
    }
    from += map->from;
    to += map->from;
    uint64_t end = to < map->mapped ? to : map->mapped;
    size_t first = (size_t)((from + map->page - 1) / map->page * map->page);
    size_t last = (size_t)(end / map->page * map->page);
    if (first < last) {
        tt_platform_release_pages(map->base + first, last - first);
    }
    return true;
}

void tt_map_read_ahead(const struct tt_map *map, uint64_t from, uint64_t to)
{
    from = (from + map->from) / map->page * map->page;
    to += map->from;
    to = to < map->mapped ? to : map->mapped;
    if (from < to) {
        posix_madvise(map->base + from, (size_t)(to - from), POSIX_MADV_WILLNEED);
    }
}
