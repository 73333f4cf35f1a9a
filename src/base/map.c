/* SPDX-License-Identifier: Apache-2.0 */
/* A file in memory, at an address that never moves, with room to grow into. */
#include "tracetui/map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map_guard.h"
#include "base/os.h"
#include "base/spool.h"

struct tt_map {
    int fd;
    uint8_t *base;
    size_t reserved;
    size_t mapped; /* whole pages of the file that are mapped */
    uint64_t size; /* bytes of the file that are mapped */
    size_t page;
};

static struct tt_status open_plain(const char *path, int *fd)
{
    if (path[0] == '-' && path[1] == '\0') {
        *fd = dup(STDIN_FILENO);
    } else {
        *fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    return *fd < 0 ? tt_error_errno(errno, "open") : tt_ok();
}

/* Replaces *fd by an unlinked copy of what it still has. */
static struct tt_status replace_by_spool(int *fd, enum tt_compression compression, uint64_t limit)
{
    int spooled = -1;
    struct tt_status status = tt_spool(*fd, compression, limit, &spooled);
    if (!tt_failed(&status)) {
        close(*fd);
        *fd = spooled;
    }
    return status;
}

/* After this *fd is a regular file that holds plain bytes from its offset 0. */
static struct tt_status make_mappable(int *fd, uint64_t limit)
{
    struct stat info;
    if (fstat(*fd, &info) != 0) {
        return tt_error_errno(errno, "stat");
    }
    if (S_ISDIR(info.st_mode)) {
        return tt_error(TT_ERR_IO, "is a directory");
    }
    struct tt_status status = tt_ok();
    if (!S_ISREG(info.st_mode) || lseek(*fd, 0, SEEK_CUR) != 0) {
        status = replace_by_spool(fd, TT_PLAIN, limit);
    }
    uint8_t head[TT_MAGIC_BYTES];
    ssize_t length = tt_failed(&status) ? 0 : pread(*fd, head, sizeof head, 0);
    enum tt_compression compression = tt_spool_compression(head, length > 0 ? (size_t)length : 0);
    if (compression != TT_PLAIN) {
        if (lseek(*fd, 0, SEEK_SET) != 0) {
            return tt_error_errno(errno, "seek");
        }
        status = replace_by_spool(fd, compression, limit);
    }
    return status;
}

/* Takes address space for the file and for its growth; less where the system grants less. */
static struct tt_status reserve(struct tt_map *map, uint64_t size)
{
    const uint64_t room[] = {UINT64_C(1) << 36, UINT64_C(1) << 30, UINT64_C(1) << 24, 0};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        if (size > SIZE_MAX / 2 || room[i] > SIZE_MAX / 2) {
            continue;
        }
        size_t want = ((size_t)size + (size_t)room[i]) / map->page * map->page + map->page;
        void *base = tt_os_reserve(want);
        if (base) {
            map->base = base;
            map->reserved = want;
            return tt_ok();
        }
    }
    return tt_error(TT_ERR_MEMORY, "no address space for a file of %llu bytes",
                    (unsigned long long)size);
}

/* Maps the file from the last page that was only partly filled up to `size`. */
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

static struct tt_status map_file(struct tt_map *map)
{
    uint64_t size = tt_map_file_size(map);
    long page = sysconf(_SC_PAGESIZE);
    map->page = page > 0 ? (size_t)page : 4096;
    struct tt_status status = reserve(map, size);
    if (tt_failed(&status)) {
        return status;
    }
    if (!tt_map_guard_install() || !tt_map_guard_add(map->base, map->reserved)) {
        return tt_error(TT_ERR_IO, "too many files are mapped");
    }
    return map_up_to(map, size);
}

struct tt_status tt_map_open(const char *path, const struct tt_map_options *options,
                             struct tt_map **result)
{
    *result = NULL;
    struct tt_map *map = calloc(1, sizeof *map);
    if (!map) {
        return tt_error_memory();
    }
    map->fd = -1;
    struct tt_status status = open_plain(path, &map->fd);
    if (!tt_failed(&status)) {
        status = make_mappable(&map->fd, options ? options->spool_limit : 0);
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
        tt_map_guard_remove(map->base);
        munmap(map->base, map->reserved);
    }
    if (map->fd >= 0) {
        close(map->fd);
    }
    free(map);
}

struct tt_bytes tt_map_bytes(const struct tt_map *map)
{
    return tt_bytes_of(map->base, map->size);
}

uint64_t tt_map_file_size(const struct tt_map *map)
{
    struct stat info;
    if (fstat(map->fd, &info) != 0 || info.st_size < 0) {
        return 0;
    }
    return (uint64_t)info.st_size;
}

struct tt_status tt_map_grow(struct tt_map *map, bool *grown)
{
    uint64_t size = tt_map_file_size(map);
    *grown = false;
    if (size <= map->size) {
        return tt_ok();
    }
    if (size > map->reserved) {
        return tt_error(TT_ERR_MEMORY, "the file outgrew the address space kept for it");
    }
    struct tt_status status = map_up_to(map, size);
    *grown = !tt_failed(&status);
    return status;
}
