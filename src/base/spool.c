/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xdg.h"
#include "tracetui/map.h"

#define BUFFER_SIZE ((size_t)256 * 1024)

enum tt_compression tt_spool_compression(const uint8_t *head, size_t length)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 0x08};
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t skippable[] = {0x2a, 0x4d, 0x18}; /* after 0x50 to 0x5f */
    if (length >= sizeof gzip && memcmp(head, gzip, sizeof gzip) == 0) {
        return TT_GZIP;
    }
    if (length >= sizeof zstd && memcmp(head, zstd, sizeof zstd) == 0) {
        return TT_ZSTD;
    }
    if (length >= 1 + sizeof skippable && head[0] >> 4 == 5 &&
        memcmp(head + 1, skippable, sizeof skippable) == 0) {
        return TT_ZSTD;
    }
    return TT_PLAIN;
}

static const char *spool_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

struct tt_spool_bound tt_spool_bound(uint64_t limit)
{
    if (limit != 0) {
        return (struct tt_spool_bound){limit, false};
    }
    uint64_t available;
    bool known = tt_xdg_directory_available(spool_folder(), &available);
    return (struct tt_spool_bound){known ? available / 2 : UINT64_MAX, known};
}

struct tt_status tt_spool_file(int *fd)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/tracetui-XXXXXX", spool_folder());
    if (length < 0 || (size_t)length >= sizeof path) {
        return tt_error(TT_ERR_IO, "TMPDIR is too long");
    }
    *fd = mkstemp(path);
    if (*fd < 0) {
        return tt_error_errno(errno, "temporary file");
    }
    unlink(path);
    fcntl(*fd, F_SETFD, FD_CLOEXEC); /* a program that outlives this one must not keep the file */
    return tt_ok();
}

struct tt_status tt_spool_full(const struct tt_spool_bound *bound)
{
    return tt_error(TT_ERR_IO, "spool limit of %llu bytes exceeded%s",
                    (unsigned long long)bound->bytes,
                    bound->derived ? " (half of the free space; see --spool-limit)" : "");
}

struct tt_status tt_spool_put(void *arg, const uint8_t *bytes, size_t length)
{
    struct tt_spool_sink *sink = arg;
    if (length > sink->bound.bytes - atomic_load(&sink->written)) {
        return tt_status_context(tt_spool_full(&sink->bound), "unpacked");
    }
    while (length > 0) {
        ssize_t n = write(sink->fd, bytes, length);
        if (n < 0 && errno != EINTR) {
            return tt_error_errno(errno, "temporary file: write");
        }
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
            atomic_fetch_add(&sink->written, (uint64_t)n);
        }
    }
    return tt_ok();
}

static struct tt_status get(void *arg, uint8_t *buffer, size_t size, size_t *length)
{
    const int *fd = arg;
    ssize_t n;
    do {
        n = read(*fd, buffer, size);
    } while (n < 0 && errno == EINTR);
    *length = n > 0 ? (size_t)n : 0;
    return n < 0 ? tt_error_errno(errno, "read") : tt_ok();
}

static struct tt_status copy_plain(const struct tt_unpack_ends *ends)
{
    uint8_t *buffer = malloc(BUFFER_SIZE);
    struct tt_status status = buffer ? tt_ok() : tt_error_memory();
    for (size_t length = 1; length > 0 && !tt_failed(&status);) {
        status = ends->get(ends->source, buffer, BUFFER_SIZE, &length);
        if (!tt_failed(&status) && length > 0) {
            status = ends->put(ends->sink, buffer, length);
        }
    }
    free(buffer);
    return status;
}

struct tt_status tt_spool_copy(const struct tt_unpack_ends *ends, enum tt_compression compression,
                               struct tt_damage *damage)
{
    *damage = (struct tt_damage){0};
    switch (compression) {
    case TT_GZIP:
        return tt_unpack_gzip(ends, damage);
    case TT_ZSTD:
        return tt_unpack_zstd(ends, damage);
    case TT_PLAIN:
        break;
    }
    return copy_plain(ends);
}

struct tt_status tt_spool_open(uint64_t limit, struct tt_spool_sink *sink)
{
    sink->bound = tt_spool_bound(limit);
    atomic_init(&sink->written, 0);
    return tt_spool_file(&sink->fd);
}

struct tt_status tt_spool_append(int fd, enum tt_compression compression,
                                 struct tt_spool_sink *sink, struct tt_damage *damage)
{
    const struct tt_unpack_ends ends = {get, &fd, tt_spool_put, sink};
    return tt_spool_copy(&ends, compression, damage);
}

struct tt_status tt_spool_loss(const struct tt_spool_sink *sink, const struct tt_damage *damage)
{
    return damage->detail && atomic_load(&sink->written) == 0
               ? tt_error_at(TT_ERR_FORMAT, damage->offset, "%s: %s", TT_DAMAGED_TEXT,
                             damage->detail)
               : tt_ok();
}

/* ---- progress ----------------------------------------------------------------------------- */

static void show(struct tt_spool_shown *s, uint64_t now, uint64_t written, bool ended)
{
    s->progress.bytes = written;
    s->progress.elapsed_ms = now - s->began_ms;
    s->progress.ended = ended;
    s->shown_ms = now;
    s->watch->show(s->watch->arg, &s->progress);
}

void tt_spool_show_if_due(struct tt_spool_shown *s, uint64_t read, uint64_t written)
{
    uint64_t now = tt_now_ms(), last = s->shown_ms ? s->shown_ms : s->began_ms;
    s->progress.read = read;
    if (read > 0 && now - last >= TT_SPOOL_SHOW_MS) {
        show(s, now, written, false);
    }
}

void tt_spool_show_end(struct tt_spool_shown *s, uint64_t written)
{
    if (s->shown_ms != 0) {
        show(s, tt_now_ms(), written, true);
    }
}

/* A copy that is watched: the source of its bytes. */
struct watched {
    int fd;
    const struct tt_spool_sink *sink;
    uint64_t read;
    struct tt_spool_shown shown;
};

/* Reads as get() does; shows the progress now and then, also while a pipe has no bytes. */
static struct tt_status get_watched(void *arg, uint8_t *buffer, size_t size, size_t *length)
{
    struct watched *w = arg;
    struct pollfd input = {.fd = w->fd, .events = POLLIN};
    while (w->read > 0 && poll(&input, 1, TT_SPOOL_SHOW_MS) == 0) {
        tt_spool_show_if_due(&w->shown, w->read, atomic_load(&w->sink->written));
    }
    struct tt_status status = get(&w->fd, buffer, size, length);
    w->read += *length;
    tt_spool_show_if_due(&w->shown, w->read, atomic_load(&w->sink->written));
    return status;
}

/* Appends as tt_spool_append does. */
static struct tt_status append_watched(int fd, enum tt_compression compression,
                                       const struct tt_spool_watch *watch,
                                       struct tt_spool_sink *sink, struct tt_damage *damage)
{
    struct watched w = {.fd = fd,
                        .sink = sink,
                        .shown = {.watch = watch->watch,
                                  .progress = {.path = watch->path},
                                  .began_ms = tt_now_ms()}};
    struct stat info;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        w.shown.progress.total = (uint64_t)info.st_size;
    }
    const struct tt_unpack_ends ends = {get_watched, &w, tt_spool_put, sink};
    struct tt_status status = tt_spool_copy(&ends, compression, damage);
    tt_spool_show_end(&w.shown, atomic_load(&sink->written));
    return status;
}

struct tt_status tt_spool(int fd, enum tt_compression compression, uint64_t limit,
                          const struct tt_spool_watch *watch, int *spooled,
                          struct tt_damage *damage)
{
    struct tt_spool_sink sink;
    *damage = (struct tt_damage){0};
    struct tt_status status = tt_spool_open(limit, &sink);
    if (tt_failed(&status)) {
        return status;
    }
    status = watch && watch->watch ? append_watched(fd, compression, watch, &sink, damage)
                                   : tt_spool_append(fd, compression, &sink, damage);
    status = tt_failed(&status) ? status : tt_spool_loss(&sink, damage);
    if (tt_failed(&status)) {
        close(sink.fd);
    } else {
        *spooled = sink.fd;
    }
    return status;
}
