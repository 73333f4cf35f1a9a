/* SPDX-License-Identifier: Apache-2.0 */
/* map: maps a file at an address that never moves, with reserved space to grow. */
#include "tracetui/map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pipe_spool.h"
#include "base/platform.h"
#include "base/remote.h"
#include "base/sigbus_guard.h"
#include "base/spool.h"
#include "base/user_file.h"

struct tt_map {
    int fd;
    int source; /* the file that `fd` is a copy of, or -1 */
    struct tt_pipe_spool *pump;
    struct tt_remote *remote;          /* source of `pump`, or NULL */
    struct tt_growing_spool *arriving; /* the file may not be complete; NULL: it is */
    bool own;                          /* `fd` is a private file */
    bool over;                         /* no more data will arrive */
    uint8_t *base;
    size_t reserved;
    size_t mapped;         /* whole pages of the file that are mapped */
    _Atomic uint64_t size; /* bytes of the file that are mapped */
    size_t page;
    struct tt_damage damage; /* of the compressed source */
    uint64_t from;           /* of the bytes that are used, see tt_map_restrict */
    uint64_t part;           /* their number, 0: all */
    struct tt_map **parts;   /* of joined files, which the map owns */
    uint64_t *starts;        /* position of each part */
    unsigned part_count;
};

static struct tt_status open_plain(const char *path, const struct tt_map_options *options, int *fd)
{
    if (path[0] == '-' && path[1] == '\0') {
        *fd = dup(STDIN_FILENO);
        return *fd < 0 ? tt_error_errno(errno, "open") : tt_ok();
    }
    return tt_user_file_open(path, options->kinds, options->follow, fd);
}

/* The watch of a copy that the opening waits for. */
static struct tt_spool_watch watch_of(const char *path, const struct tt_map_options *options)
{
    return (struct tt_spool_watch){options->kinds == TT_MAP_ANY ? options->watch : NULL, path};
}

/* Replaces map->fd by an unlinked copy of its remaining data. */
static struct tt_status replace_by_spool(struct tt_map *map, const char *path,
                                         enum tt_compression compression,
                                         const struct tt_map_options *options)
{
    const struct tt_spool_watch watch = watch_of(path, options);
    int spooled = -1;
    struct tt_status status =
        tt_spool(map->fd, compression, options->spool_limit, &watch, &spooled, &map->damage);
    if (!tt_failed(&status)) {
        close(map->fd);
        map->fd = spooled;
    }
    return status;
}

#define HEAD_MS 200 /* time to wait for the first bytes of a pipe */

/* Maps the spool of a pipe from now on. */
static struct tt_status use_pump(struct tt_map *map)
{
    tt_pipe_spool_wait(map->pump, TT_MAGIC_BYTES, HEAD_MS);
    map->fd = dup(tt_pipe_spool_file(map->pump));
    map->own = true;
    return map->fd < 0 ? tt_error_errno(errno, "temporary file") : tt_ok();
}

/* Waits for the first bytes of map->arriving, as the options say, and makes map->fd its file. */
static struct tt_status await(struct tt_map *map, const struct tt_map_options *options,
                              const struct tt_spool_watch *watch)
{
    struct tt_status status;
    const struct tt_spool_enough enough = {options->early, options->early_few, options->early_ms};
    tt_growing_spool_wait_first(map->arriving, &enough, watch);
    if (tt_growing_spool_ended(map->arriving, &status, &map->damage) && tt_failed(&status)) {
        return status;
    }
    map->fd = dup(tt_growing_spool_file(map->arriving));
    return map->fd < 0 ? tt_error_errno(errno, "temporary file") : tt_ok();
}

/* Continues with an unlinked file that receives the copied or unpacked data in the background. */
static struct tt_status receive(struct tt_map *map, const char *path,
                                const struct tt_map_options *options)
{
    const struct tt_spool_watch watch = watch_of(path, options);
    int from = map->fd;
    map->fd = -1;
    map->own = true;
    struct tt_status status = tt_growing_spool_start(from, options->spool_limit, &map->arriving);
    if (tt_failed(&status)) {
        return status;
    }
    return await(map, options, &watch);
}

/* Reads the pipe in the background; a compressed one must end before it is unpacked. */
static struct tt_status pump_pipe(struct tt_map *map, uint64_t limit)
{
    int pipe = map->fd;
    map->fd = -1;
    struct tt_status status = tt_pipe_spool_start(pipe, limit, &map->pump);
    return tt_failed(&status) ? status : use_pump(map);
}

static struct tt_status compression_of(int fd, enum tt_compression *compression)
{
    uint8_t head[TT_MAGIC_BYTES];
    ssize_t length;
    do {
        length = pread(fd, head, sizeof head, 0);
    } while (length < 0 && errno == EINTR);
    *compression = length > 0 ? tt_spool_compression(head, (size_t)length) : TT_PLAIN;
    return length < 0 ? tt_error_errno(errno, "read") : tt_ok();
}

static struct tt_status unpack(struct tt_map *map, const char *path,
                               enum tt_compression compression,
                               const struct tt_map_options *options)
{
    struct tt_status status = tt_ok();
    while (map->pump && !tt_pipe_spool_ended(map->pump, &status)) {
        tt_pipe_spool_wait(map->pump, UINT64_MAX, 1000);
    }
    tt_pipe_spool_release(map->pump);
    map->pump = NULL;
    if (tt_failed(&status)) {
        return status;
    }
    if (lseek(map->fd, 0, SEEK_SET) != 0) {
        return tt_error_errno(errno, "seek");
    }
    map->own = map->over = true;
    return replace_by_spool(map, path, compression, options);
}

static struct tt_status unpack_if_compressed(struct tt_map *map, const char *path,
                                             const struct tt_map_options *options)
{
    enum tt_compression compression = TT_PLAIN;
    struct tt_status status = compression_of(map->fd, &compression);
    return compression != TT_PLAIN ? unpack(map, path, compression, options) : status;
}

/* Waits for the bytes of a spool that show its compression. */
static struct tt_status await_compression(struct tt_growing_spool *spool,
                                          enum tt_compression *compression)
{
    struct tt_status status;
    struct tt_damage damage;
    tt_growing_spool_wait(spool, TT_MAGIC_BYTES, NULL);
    bool ended = tt_growing_spool_ended(spool, &status, &damage);
    return ended && tt_failed(&status) ? status
                                       : compression_of(tt_growing_spool_file(spool), compression);
}

/* Makes map->fd a file that receives the bytes of a file on another machine in the background. */
static struct tt_status receive_remote(struct tt_map *map, const char *path,
                                       const struct tt_remote_options *remote,
                                       const struct tt_map_options *options)
{
    struct tt_remote *source;
    struct tt_growing_spool *stored;
    enum tt_compression compression = TT_PLAIN;
    struct tt_status status =
        tt_remote_arrive(path, remote, options->spool_limit, &stored, &source);
    if (tt_failed(&status)) {
        return status;
    }
    map->arriving = stored;
    status = await_compression(stored, &compression);
    if (!tt_failed(&status) && compression != TT_PLAIN) {
        map->arriving = NULL;
        status = tt_growing_spool_start_packed(stored, options->spool_limit, &map->arriving);
    }
    status = tt_failed(&status) ? status : await(map, options, NULL);
    if (!tt_failed(&status)) {
        tt_remote_opened(source);
    }
    return status;
}

/* Makes map->fd a file with the bytes of a file on another machine. */
static struct tt_status copy_remote(struct tt_map *map, const char *path,
                                    const struct tt_map_options *options)
{
    struct tt_remote_options remote = *options->remote;
    remote.quiet = remote.quiet || options->kinds != TT_MAP_ANY;
    map->own = true;
    struct tt_status status = tt_ok();
    if (options->follow) {
        enum tt_compression compression = TT_PLAIN;
        status = tt_remote_follow(path, &remote, options->spool_limit, &map->pump, &map->remote);
        status = tt_failed(&status) ? status : use_pump(map);
        status = tt_failed(&status) ? status : compression_of(map->fd, &compression);
        if (tt_failed(&status) || compression == TT_PLAIN) {
            return status;
        }
        /* A compressed file is unpacked as it is now. */
        tt_pipe_spool_release(map->pump);
        close(map->fd);
        map->pump = NULL;
        map->remote = NULL;
        map->fd = -1;
    }
    if (options->early > 0 && !options->follow && remote.arrives) {
        return receive_remote(map, path, &remote, options);
    }
    status = tt_remote_fetch(path, &remote, options->spool_limit, &map->fd);
    return tt_failed(&status) ? status : unpack_if_compressed(map, path, options);
}

/* Makes map->fd a regular file of uncompressed bytes from its offset 0. */
static struct tt_status make_mappable(struct tt_map *map, const char *path,
                                      const struct tt_map_options *options)
{
    struct stat info;
    if (fstat(map->fd, &info) != 0) {
        return tt_error_errno(errno, "stat");
    }
    if (S_ISDIR(info.st_mode)) {
        return tt_error(TT_ERR_IO, "is a directory");
    }
    struct tt_status status = tt_ok();
    if (!S_ISREG(info.st_mode) || lseek(map->fd, 0, SEEK_CUR) != 0) {
        if (options->follow) {
            status = pump_pipe(map, options->spool_limit);
        } else if (options->early > 0) {
            return receive(map, path, options);
        } else {
            status = replace_by_spool(map, path, TT_PLAIN, options);
            map->own = true;
        }
    }
    enum tt_compression compression = TT_PLAIN;
    if (!tt_failed(&status)) {
        status = compression_of(map->fd, &compression);
    }
    if (compression != TT_PLAIN) {
        return options->early > 0 && !options->follow ? receive(map, path, options)
                                                      : unpack(map, path, compression, options);
    }
    if (!tt_failed(&status) && options->follow && options->copy && !map->own) {
        map->source = map->fd;
        map->own = true;
        status = tt_spool_file(&map->fd);
    }
    return status;
}

/* Appends the bytes by which the source has grown to the copy. */
static struct tt_status copy_more(const struct tt_map *map)
{
    struct stat info;
    static const size_t most = (size_t)256 * 1024;
    if (map->source < 0 || fstat(map->fd, &info) != 0) {
        return tt_ok();
    }
    uint8_t *buffer = malloc(most);
    struct tt_status status = buffer ? tt_ok() : tt_error_memory();
    for (off_t at = info.st_size; !tt_failed(&status);) {
        ssize_t n = pread(map->source, buffer, most, at);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            status = tt_error_errno(errno, "read");
        }
        if (n <= 0) {
            break;
        }
        ssize_t written = pwrite(map->fd, buffer, (size_t)n, at);
        if (written < 0 && errno != EINTR) {
            status = tt_error_errno(errno, "temporary file: write");
        }
        at += written > 0 ? written : 0;
    }
    free(buffer);
    return status;
}

#define ROOM_MOST     (UINT64_C(1) << 36)
#define ROOM_ARRIVING (UINT64_C(1) << 40) /* more than a temporary file has */

static uint64_t room_most(const struct tt_map *map)
{
    return map->arriving ? ROOM_ARRIVING : ROOM_MOST;
}

/* Reserves address space for the file and its growth, less if the system refuses more. */
static struct tt_status reserve(struct tt_map *map, uint64_t size)
{
    const uint64_t room[] = {room_most(map), UINT64_C(1) << 30, UINT64_C(1) << 24, 0};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        if (size > SIZE_MAX / 2 || room[i] > SIZE_MAX / 2) {
            continue;
        }
        size_t want = ((size_t)size + (size_t)room[i]) / map->page * map->page + map->page;
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
                        MAP_SHARED | MAP_FIXED, map->fd, (off_t)map->mapped);
        if (at == MAP_FAILED) {
            return tt_error_errno(errno, "map");
        }
        map->mapped = want;
    }
    map->size = size;
    return tt_ok();
}

/* Replaces address space that may be too small by that for the complete file. */
static struct tt_status reserve_whole(struct tt_map *map, uint64_t *size)
{
    struct tt_status status;
    tt_growing_spool_wait(map->arriving, UINT64_MAX, NULL);
    tt_growing_spool_ended(map->arriving, &status, &map->damage);
    munmap(map->base, map->reserved);
    map->base = NULL;
    *size = tt_growing_spool_size(map->arriving);
    return tt_failed(&status) ? status : reserve(map, *size);
}

static struct tt_status map_file(struct tt_map *map)
{
    struct tt_status copied = copy_more(map);
    if (tt_failed(&copied)) {
        return copied;
    }
    struct stat info;
    if (fstat(map->fd, &info) != 0 || info.st_size < 0) {
        return tt_error_errno(errno, "stat");
    }
    uint64_t size = map->pump || map->arriving ? tt_map_file_size(map) : (uint64_t)info.st_size;
    long page = sysconf(_SC_PAGESIZE);
    map->page = page > 0 ? (size_t)page : 4096;
    struct tt_status status = reserve(map, size);
    if (!tt_failed(&status) && map->arriving && (uint64_t)map->reserved < room_most(map)) {
        status = reserve_whole(map, &size);
    }
    if (tt_failed(&status)) {
        return status;
    }
    if (!tt_sigbus_guard_install() || !tt_sigbus_guard_add(map->base, map->reserved)) {
        return tt_error(TT_ERR_IO, "too many files are mapped");
    }
    return map_up_to(map, size);
}

struct tt_status tt_map_open(const char *path, const struct tt_map_options *options,
                             struct tt_map **result)
{
    static const struct tt_map_options defaults;
    *result = NULL;
    struct tt_map *map = calloc(1, sizeof *map);
    if (!map) {
        return tt_error_memory();
    }
    map->fd = map->source = -1;
    options = options ? options : &defaults;
    struct tt_status status;
    if (options->remote && tt_remote_is(path)) {
        status = copy_remote(map, path, options);
    } else {
        status = open_plain(path, options, &map->fd);
        status = tt_failed(&status) ? status : make_mappable(map, path, options);
    }
    if (!tt_failed(&status)) {
        status = map_file(map);
    }
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *result = map;
    }
    return status;
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
    if (map->fd >= 0) {
        close(map->fd);
    }
    if (map->source >= 0) {
        close(map->source);
    }
    tt_pipe_spool_release(map->pump);
    tt_growing_spool_free(map->arriving);
    for (unsigned i = 0; i < map->part_count; i++) {
        tt_map_close(map->parts[i]);
    }
    free(map->parts);
    free(map->starts);
    free(map);
}

/* ---- several files -------------------------------------------------------------------------- */

/* Maps the parts at their positions. */
static struct tt_status map_parts(struct tt_map *map, uint64_t size)
{
    struct tt_status status = reserve(map, size);
    if (tt_failed(&status)) {
        return status;
    }
    if (!tt_sigbus_guard_install() || !tt_sigbus_guard_add(map->base, map->reserved)) {
        return tt_error(TT_ERR_IO, "too many files are mapped");
    }
    for (unsigned i = 0; i < map->part_count; i++) {
        const struct tt_map *part = map->parts[i];
        uint8_t *at = map->base + map->starts[i];
        bool mapped = part->mapped == 0 || mmap(at, part->mapped, PROT_READ, MAP_SHARED | MAP_FIXED,
                                                part->fd, 0) != MAP_FAILED;
        if (!mapped || !tt_platform_zero(at + part->mapped, map->page)) {
            return tt_error_errno(errno, "map");
        }
    }
    map->size = map->mapped = size;
    return tt_ok();
}

struct tt_status tt_map_join(struct tt_map **parts, unsigned count, struct tt_map **joined)
{
    struct tt_map *map = calloc(1, sizeof *map);
    struct tt_map **own = calloc(count, sizeof *own);
    uint64_t *starts = calloc(count, sizeof *starts);
    *joined = NULL;
    if (!map || !own || !starts) {
        free(map);
        free(own);
        free(starts);
        for (unsigned i = 0; i < count; i++) {
            tt_map_close(parts[i]);
        }
        return tt_error_memory();
    }
    uint64_t size = 0;
    map->fd = map->source = -1;
    map->parts = own;
    map->starts = starts;
    map->part_count = count;
    map->own = map->over = true;
    for (unsigned i = 0; i < count; i++) {
        own[i] = parts[i];
        starts[i] = size;
        size += parts[i]->mapped + parts[i]->page; /* zeros between the files */
        map->page = parts[i]->page;
        map->own = map->own && parts[i]->own;
    }
    struct tt_status status = map_parts(map, size);
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *joined = map;
    }
    return status;
}

unsigned tt_map_part_count(const struct tt_map *map)
{
    return map->part_count;
}

uint64_t tt_map_part(const struct tt_map *map, unsigned number, struct tt_bytes *bytes)
{
    *bytes = tt_bytes_of(map->base + map->starts[number], map->parts[number]->size);
    return map->starts[number];
}

const struct tt_map *tt_map_part_file(const struct tt_map *map, unsigned number)
{
    return map->parts[number];
}

/* Returns the size of joined files; where a file has shrunk, the position of its new end. */
static uint64_t size_of_parts(const struct tt_map *map)
{
    for (unsigned i = 0; i < map->part_count; i++) {
        uint64_t size = tt_map_file_size(map->parts[i]);
        if (size < map->parts[i]->size) {
            return map->starts[i] + size;
        }
    }
    return map->size;
}

struct tt_status tt_map_reopen(const struct tt_map *map, struct tt_map **result)
{
    struct tt_map *again = calloc(1, sizeof *again);
    if (!again) {
        return tt_error_memory();
    }
    struct tt_status status = tt_ok();
    again->damage = map->damage;
    if (map->arriving) {
        tt_growing_spool_wait(map->arriving, UINT64_MAX, NULL);
        tt_growing_spool_ended(map->arriving, &status, &again->damage);
    }
    again->fd = dup(map->fd);
    again->source = map->source >= 0 ? dup(map->source) : -1;
    again->own = map->own;
    again->over = map->over || map->arriving;
    again->pump = map->pump;
    again->remote = map->remote;
    if (again->pump) {
        tt_pipe_spool_hold(again->pump);
    }
    if (!tt_failed(&status)) {
        status = again->fd < 0 ? tt_error_errno(errno, "open again") : map_file(again);
    }
    if (tt_failed(&status)) {
        tt_map_close(again);
    } else {
        *result = again;
    }
    return status;
}

const char *tt_map_damage(const struct tt_map *map, uint64_t *offset)
{
    *offset = map->damage.offset;
    return map->damage.detail;
}

void tt_map_restrict(struct tt_map *map, uint64_t offset, uint64_t size)
{
    map->from = offset;
    map->part = size;
}

struct tt_bytes tt_map_bytes(const struct tt_map *map)
{
    return tt_bytes_of(map->base + map->from, map->part > 0 ? map->part : map->size);
}

#define SMALL_FILE   (UINT64_C(64) << 20) /* below, keeping all pages in memory is harmless */
#define SMALL_SO_FAR (UINT64_C(16) << 20) /* of a file that may become large */

bool tt_map_release_pages(const struct tt_map *map, uint64_t from, uint64_t to)
{
    if (map->size < (map->arriving ? SMALL_SO_FAR : SMALL_FILE) || from >= to) {
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

uint64_t tt_map_file_size(const struct tt_map *map)
{
    struct stat info;
    if (map->part_count > 0) {
        return size_of_parts(map);
    }
    if (map->pump) {
        return tt_pipe_spool_size(map->pump);
    }
    if (map->arriving) {
        return tt_growing_spool_size(map->arriving);
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

struct tt_status tt_map_grow(struct tt_map *map, bool *grown)
{
    *grown = false;
    struct tt_status copied = copy_more(map);
    if (tt_failed(&copied)) {
        return copied;
    }
    uint64_t size = tt_map_file_size(map);
    if (size <= map->size) {
        return tt_ok();
    }
    if (size > map->reserved) {
        return tt_error(TT_ERR_MEMORY, "the file outgrew its reserved address space");
    }
    struct tt_status status = map_up_to(map, size);
    *grown = !tt_failed(&status);
    return status;
}

/* Waits for `bytes` bytes as tt_map_receive_up_to does; *over as of tt_map_receive. */
static struct tt_status receive_bytes(struct tt_map *map, uint64_t bytes,
                                      const struct tt_spool_watch *watch, bool *over)
{
    struct tt_status status = tt_ok();
    bool grown = true;
    *over = true;
    if (map->arriving) {
        tt_growing_spool_wait(map->arriving, bytes, watch);
        *over = tt_growing_spool_ended(map->arriving, &status, &map->damage);
        status = tt_failed(&status) ? status : tt_map_grow(map, &grown);
    }
    return status;
}

struct tt_status tt_map_receive(struct tt_map *map, bool *over)
{
    return receive_bytes(map, map->size + 1, NULL, over);
}

struct tt_status tt_map_receive_up_to(struct tt_map *map, uint64_t bytes, const char *path,
                                      const struct tt_map_options *options)
{
    const struct tt_spool_watch watch = watch_of(path, options);
    bool over;
    return receive_bytes(map, bytes, &watch, &over);
}

void tt_map_stop_arriving(struct tt_map *map)
{
    if (map->arriving) {
        tt_growing_spool_cancel(map->arriving);
    }
}

bool tt_map_arrived(const struct tt_map *map, struct tt_copy_progress *progress)
{
    if (map->arriving) {
        *progress = tt_growing_spool_progress(map->arriving);
    }
    return map->arriving != NULL;
}

bool tt_map_is_arriving(const struct tt_map *map)
{
    struct tt_status status;
    struct tt_damage damage;
    return map->arriving && !tt_growing_spool_ended(map->arriving, &status, &damage);
}

/* ---- following ------------------------------------------------------------------------------ */

bool tt_map_is_own(const struct tt_map *map)
{
    return map->own;
}

bool tt_map_is_pipe(const struct tt_map *map)
{
    return map->pump != NULL;
}

bool tt_map_ended(const struct tt_map *map, struct tt_status *status)
{
    struct tt_damage damage;
    *status = tt_ok();
    return map->over || (map->pump && tt_pipe_spool_ended(map->pump, status)) ||
           (map->arriving && tt_growing_spool_ended(map->arriving, status, &damage));
}

bool tt_map_remote_changed(const struct tt_map *map, bool *truncated)
{
    enum tt_remote_change change =
        map->remote ? tt_remote_changed(map->remote) : TT_REMOTE_UNCHANGED;
    *truncated = change == TT_REMOTE_WAS_TRUNCATED;
    return change != TT_REMOTE_UNCHANGED;
}

int tt_map_wake_fd(const struct tt_map *map)
{
    return map->pump ? tt_pipe_spool_wake_fd(map->pump) : -1;
}

int tt_map_source(const struct tt_map *map)
{
    if (map->pump || map->arriving || map->over) {
        return -1;
    }
    return map->source >= 0 ? map->source : map->fd;
}

void tt_map_wait(const struct tt_map *map)
{
    if (map->pump) {
        tt_pipe_spool_wait(map->pump, map->size + 1, 100);
    }
}
