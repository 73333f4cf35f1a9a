/* SPDX-License-Identifier: Apache-2.0 */
/* open: finds out what an input is, and starts the spool that it needs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_read.h"
#include "base/user_file.h"
#include "input/map_internal.h"
#include "input/remote.h"

#define HEAD_MS 200 /* time to wait for the first bytes of a followed pipe */

/* Makes a FIFO or a device readable, or rejects it. */
static struct tt_status prepare_other(int fd, mode_t mode, const struct tt_map_options *options)
{
    const enum tt_map_kinds kinds = options->kinds;
    if (S_ISDIR(mode) || kinds == TT_MAP_FILES || (kinds == TT_MAP_READY && options->follow)) {
        return tt_error(TT_ERR_IO, "%s", tt_user_file_kind(mode));
    }
    if (options->follow) {
        return tt_ok();
    }
    if (!tt_user_file_await(fd, kinds == TT_MAP_READY ? 0 : -1)) {
        return tt_error(TT_ERR_IO, "%s with no data to read yet", tt_user_file_kind(mode));
    }
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0 ? tt_error_errno(errno, "open")
                                                                     : tt_ok();
}

/* Opens a path of this machine; *info is that of the open file. */
static struct tt_status open_path(const char *path, const struct tt_map_options *options, int *fd,
                                  struct stat *info)
{
    const bool is_input = path[0] == '-' && path[1] == '\0';
    struct tt_status status = tt_ok();
    if (is_input) {
        *fd = dup(STDIN_FILENO);
        status = *fd < 0 ? tt_error_errno(errno, "open") : status;
    } else {
        status = tt_user_file_open(path, fd);
    }
    if (!tt_failed(&status) && fstat(*fd, info) != 0) {
        status = tt_error_errno(errno, "stat");
    }
    if (tt_failed(&status)) {
        return status;
    }
    if (is_input ? S_ISDIR(info->st_mode) : !S_ISREG(info->st_mode) && !S_ISBLK(info->st_mode)) {
        status = prepare_other(*fd, info->st_mode, options);
    }
    return status;
}

/* Waits for as many bytes of the map's spool as the options need. */
static struct tt_status await_first(struct tt_map *map, const char *path,
                                    const struct tt_map_options *options)
{
    struct tt_spool *spool = map->spool;
    const bool is_local = !tt_spool_arrival(spool).host;
    const struct tt_map_watch *watch =
        is_local && options->kinds != TT_MAP_ANY ? NULL : options->watch;
    if (map->is_pipe && is_local) {
        const struct tt_spool_enough head = {.bytes = TT_MAGIC_BYTES};
        tt_spool_wait(spool, &head, HEAD_MS, NULL, path);
    } else if (map->is_pipe) {
        tt_spool_wait_connected(spool, TT_MAGIC_BYTES, HEAD_MS, watch, path);
    } else {
        const struct tt_spool_enough all = {.bytes = UINT64_MAX};
        const struct tt_spool_enough first = {options->early, options->early_few,
                                              options->early_ms};
        tt_spool_wait(spool, map->is_early ? &first : &all, UINT64_MAX, watch, path);
    }
    tt_spool_opened(spool);
    /* A pipe that ends early has its bytes all the same; its status is that of following it. */
    const struct tt_arrival arrival = tt_spool_arrival(spool);
    return map->is_pipe && arrival.bytes > 0 ? tt_ok() : arrival.status;
}

/* Spools the descriptor, which it owns. */
static struct tt_status spool_fd(struct tt_map *map, int fd, bool endless, const char *path,
                                 const struct tt_map_options *options)
{
    const struct tt_source source = tt_source_of_fd(fd, endless);
    map->is_pipe = endless;
    map->is_early = !options->follow && options->early > 0;
    struct tt_status status = tt_spool_start(&source, options->spool_limit, &map->spool);
    return tt_failed(&status) ? status : await_first(map, path, options);
}

/* Spools a file of another machine. */
static struct tt_status spool_remote(struct tt_map *map, const char *path,
                                     const struct tt_map_options *options)
{
    struct tt_remote_options remote = *options->remote;
    struct tt_status status = tt_ok();
    remote.quiet = remote.quiet || options->kinds != TT_MAP_ANY;
    map->is_pipe = options->follow;
    map->is_early = !options->follow && options->early > 0 && remote.arrives;
    for (;;) {
        struct tt_source source;
        status = tt_remote_source(path, &remote, map->is_pipe, &source);
        if (!tt_failed(&status)) {
            status = tt_spool_start(&source, options->spool_limit, &map->spool);
        }
        if (!tt_failed(&status)) {
            status = await_first(map, path, options);
        }
        if (tt_failed(&status) || !map->is_pipe || !tt_spool_is_packed(map->spool)) {
            return status;
        }
        /* A compressed file is unpacked as it is now. */
        tt_spool_release(map->spool);
        map->spool = NULL;
        map->is_pipe = false;
    }
}

/* Decides how the open descriptor is mapped; the map owns it from then on. */
static struct tt_status choose_way(struct tt_map *map, int fd, const struct stat *info,
                                   const char *path, const struct tt_map_options *options)
{
    uint8_t head[TT_MAGIC_BYTES];
    if (!S_ISREG(info->st_mode) || lseek(fd, 0, SEEK_CUR) != 0) {
        return spool_fd(map, fd, options->follow, path, options);
    }
    errno = 0;
    size_t length = tt_file_bytes(fd, 0, head, sizeof head);
    if (length < sizeof head && errno != 0) {
        map->fd = fd;
        return tt_error_errno(errno, "read");
    }
    if (tt_compression_of(head, length) != TT_PLAIN) {
        return spool_fd(map, fd, false, path, options);
    }
    map->fd = fd;
    map->copies = options->follow && options->copy;
    return map->copies ? tt_spool_of_file(fd, options->spool_limit, &map->spool) : tt_ok();
}

struct tt_status tt_map_open_input(const char *path, const struct tt_map_options *options,
                                   struct tt_map **result)
{
    struct tt_map *map = tt_map_new();
    struct tt_status status = tt_ok();
    struct stat info;
    int fd = -1;
    if (!map) {
        return tt_error_memory();
    }
    if (options->remote && tt_remote_is(path)) {
        status = spool_remote(map, path, options);
    } else {
        status = open_path(path, options, &fd, &info);
        if (tt_failed(&status) && fd >= 0) {
            close(fd);
        } else if (!tt_failed(&status)) {
            status = choose_way(map, fd, &info, path, options);
        }
    }
    if (tt_failed(&status)) {
        tt_map_close(map);
    } else {
        *result = map;
    }
    return status;
}
