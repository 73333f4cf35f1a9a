/* SPDX-License-Identifier: Apache-2.0 */
#include "input/spool.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/temporary_file.h"
#include "base/wake_pipe.h"
#include "base/worker_thread.h"

#define BUFFER_SIZE  ((size_t)256 * 1024)
#define HEAD_BYTES   4096u /* of the first read */
#define SHOW_MS      100   /* between two calls of a watch */
#define LONGEST_WAIT 100   /* ms between two looks: another thread may have drained the pipe */

struct tt_spool {
    struct tt_source source; /* without `intake`: the owner appends, or copies: */
    int copied;              /* a file that grows, borrowed; -1: none */
    int file;
    uint64_t most;  /* maximum size */
    bool is_likely; /* it is half of the free space, not given by the user */
    uint64_t began_ms;
    int stop[2]; /* ends the thread */
    int more[2];
    pthread_t thread;
    bool has_thread;
    _Atomic unsigned holders;
    _Atomic uint64_t size; /* bytes of the file that are written */
    _Atomic uint64_t got;  /* bytes read from the source */
    _Atomic bool is_packed;
    _Atomic bool ended; /* set after the next two */
    struct tt_status status;
    struct tt_damage damage;
    /* The thread's. */
    uint8_t head[HEAD_BYTES];
    size_t head_length;
    size_t head_used;
    uint8_t *buffer;
};

/* ---- writing --------------------------------------------------------------------------------- */

static struct tt_status spool_full(const struct tt_spool *spool)
{
    return tt_error(TT_ERR_IO, "unpacked: spool limit of %llu bytes exceeded%s",
                    (unsigned long long)spool->most,
                    spool->is_likely ? " (half of the free space; see --spool-limit)" : "");
}

struct tt_status tt_spool_append(struct tt_spool *spool, const uint8_t *bytes, size_t length)
{
    uint64_t size = atomic_load_explicit(&spool->size, memory_order_relaxed);
    if (length > spool->most - size) {
        return spool_full(spool);
    }
    for (size_t done = 0; done < length;) {
        ssize_t written = pwrite(spool->file, bytes + done, length - done, (off_t)(size + done));
        if (written < 0 && errno != EINTR) {
            return tt_error_errno(errno, "temporary file: write");
        }
        done += written > 0 ? (size_t)written : 0;
    }
    atomic_store_explicit(&spool->size, size + length, memory_order_release);
    tt_wake(spool->more[1]);
    return tt_ok();
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Reads bytes of the source. */
static struct tt_status read_source(struct tt_spool *spool, uint8_t *buffer, size_t size,
                                    size_t *length)
{
    const struct tt_intake *from = &spool->source.intake;
    struct tt_status status = from->read(from->arg, spool->stop[0], buffer, size, length);
    uint64_t got = atomic_fetch_add(&spool->got, *length) + *length;
    struct tt_arrival arrival = {0};
    if (tt_failed(&status) || got <= spool->most) {
        return status;
    }
    /* The input could have no end and no content, such as skippable frames; a file of this machine has an end. */
    spool->source.describe(from->arg, &arrival);
    return arrival.is_file ? status : spool_full(spool);
}

/* Reads bytes of the source, after those that have shown its compression. */
static struct tt_status read_packed(void *arg, int stop, uint8_t *buffer, size_t size,
                                    size_t *length)
{
    struct tt_spool *spool = arg;
    size_t left = spool->head_length - spool->head_used;
    (void)stop; /* the spool's own */
    if (left == 0) {
        return read_source(spool, buffer, size, length);
    }
    *length = left < size ? left : size;
    memcpy(buffer, spool->head + spool->head_used, *length);
    spool->head_used += *length;
    return tt_ok();
}

/* Copies and unpacks the source to its end. */
static struct tt_status spool_fill(struct tt_spool *spool)
{
    struct tt_status status = tt_ok();
    for (size_t length = 1; length > 0 && spool->head_length < TT_MAGIC_BYTES;) {
        status = read_source(spool, spool->head + spool->head_length,
                             HEAD_BYTES - spool->head_length, &length);
        spool->head_length += length;
        if (tt_failed(&status)) {
            return status;
        }
    }
    const enum tt_compression compression = tt_compression_of(spool->head, spool->head_length);
    const struct tt_intake from = {spool, read_packed};
    struct tt_unpacker *unpacker;
    atomic_store(&spool->is_packed, compression != TT_PLAIN);
    status = tt_unpacker_new(compression, &from, &unpacker);
    if (tt_failed(&status)) {
        return status;
    }
    for (size_t length = 1; length > 0 && !tt_failed(&status);) {
        status = tt_unpacker_read(unpacker, -1, spool->buffer, BUFFER_SIZE, &length);
        if (!tt_failed(&status) && length > 0) {
            status = tt_spool_append(spool, spool->buffer, length);
        }
    }
    spool->damage = tt_unpacker_damage(unpacker);
    tt_unpacker_free(unpacker);
    struct tt_arrival arrival = {0};
    spool->source.describe(spool->source.intake.arg, &arrival);
    bool drains = spool->damage.detail && !arrival.is_file && !arrival.host;
    for (size_t length = 1; drains && length > 0 && !tt_failed(&status);) {
        status = read_source(spool, spool->buffer, BUFFER_SIZE, &length);
    }
    if (!tt_failed(&status) && spool->damage.detail && tt_spool_size(spool) == 0) {
        status = tt_error_at(TT_ERR_FORMAT, spool->damage.offset, TT_DAMAGED_TEXT ": %s",
                             spool->damage.detail);
    }
    return status;
}

static void *spool_run(void *arg)
{
    struct tt_spool *spool = arg;
    spool->status = spool_fill(spool);
    if (spool->source.end) {
        spool->source.end(spool->source.intake.arg);
    }
    atomic_store(&spool->ended, true);
    tt_wake(spool->more[1]);
    return NULL;
}

/* ---- a file that grows ----------------------------------------------------------------------- */

struct tt_status tt_spool_copy_more(struct tt_spool *spool)
{
    struct tt_status status = tt_ok();
    while (!tt_failed(&status)) {
        ssize_t got = pread(spool->copied, spool->buffer, BUFFER_SIZE, (off_t)tt_spool_size(spool));
        if (got < 0 && errno != EINTR) {
            status = tt_error_errno(errno, "read");
        } else if (got > 0) {
            status = tt_spool_append(spool, spool->buffer, (size_t)got);
        } else if (got == 0) {
            break;
        }
    }
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Frees everything except the thread. */
static void spool_free(struct tt_spool *spool)
{
    const int fds[] = {spool->file, spool->stop[0], spool->stop[1], spool->more[0], spool->more[1]};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    if (spool->source.close) {
        spool->source.close(spool->source.intake.arg);
    }
    free(spool->buffer);
    free(spool);
}

/* Creates a spool that owns the source; on failure the source is closed. */
static struct tt_status spool_new(const struct tt_source *source, uint64_t limit,
                                  struct tt_spool **result)
{
    struct tt_spool *spool = calloc(1, sizeof *spool);
    if (!spool) {
        if (source->close) {
            source->close(source->intake.arg);
        }
        return tt_error_memory();
    }
    spool->source = *source;
    spool->copied = spool->file = -1;
    spool->stop[0] = spool->stop[1] = spool->more[0] = spool->more[1] = -1;
    spool->status = tt_ok();
    spool->began_ms = tt_now_ms();
    atomic_init(&spool->holders, 1);
    spool->most = limit;
    uint64_t space;
    if (limit == 0) {
        spool->is_likely = tt_temporary_space(&space);
        spool->most = spool->is_likely ? space / 2 : UINT64_MAX;
    }
    spool->buffer = malloc(BUFFER_SIZE);
    struct tt_status status = tt_ok();
    if (!spool->buffer) {
        status = tt_error_memory();
    } else if (!tt_wake_pipe(spool->stop) || !tt_wake_pipe(spool->more)) {
        status = tt_error_errno(errno, "pipe");
    } else {
        status = tt_temporary_file(&spool->file);
    }
    if (tt_failed(&status)) {
        spool_free(spool);
    } else {
        *result = spool;
    }
    return status;
}

struct tt_status tt_spool_start(const struct tt_source *source, uint64_t limit,
                                struct tt_spool **result)
{
    struct tt_spool *spool;
    struct tt_status status = spool_new(source, limit, &spool);
    if (tt_failed(&status)) {
        return status;
    }
    int error = tt_worker_start(&spool->thread, spool_run, spool);
    spool->has_thread = error == 0;
    if (error != 0 && source->endless) {
        spool_free(spool);
        return tt_error_errno(error, "thread");
    }
    if (error != 0) {
        spool_run(spool);
    }
    *result = spool;
    return status;
}

struct tt_status tt_spool_of_file(int fd, uint64_t limit, struct tt_spool **result)
{
    const struct tt_source none = {.close = NULL};
    struct tt_status status = spool_new(&none, limit, result);
    if (!tt_failed(&status)) {
        (*result)->copied = fd;
    }
    return status;
}

void tt_spool_hold(struct tt_spool *spool)
{
    atomic_fetch_add(&spool->holders, 1);
}

void tt_spool_release(struct tt_spool *spool)
{
    if (spool && atomic_fetch_sub(&spool->holders, 1) == 1) {
        tt_spool_cancel(spool);
        if (spool->has_thread) {
            pthread_join(spool->thread, NULL);
        }
        spool_free(spool);
    }
}

/* ---- state ----------------------------------------------------------------------------------- */

int tt_spool_fd(const struct tt_spool *spool)
{
    return spool->file;
}

uint64_t tt_spool_size(const struct tt_spool *spool)
{
    return atomic_load_explicit(&spool->size, memory_order_acquire);
}

bool tt_spool_ended(const struct tt_spool *spool)
{
    return atomic_load(&spool->ended);
}

bool tt_spool_is_packed(const struct tt_spool *spool)
{
    return atomic_load(&spool->is_packed);
}

struct tt_arrival tt_spool_arrival(const struct tt_spool *spool)
{
    /* The end is read first: the size that follows is then final. */
    const bool ended = tt_spool_ended(spool);
    struct tt_arrival arrival = {.read = atomic_load(&spool->got),
                                 .bytes = tt_spool_size(spool),
                                 .elapsed_ms = tt_now_ms() - spool->began_ms,
                                 .more = !ended && spool->source.intake.read,
                                 .over = ended,
                                 .status = tt_ok()};
    if (spool->source.describe) {
        spool->source.describe(spool->source.intake.arg, &arrival);
    }
    if (ended) {
        arrival.status = spool->status;
        arrival.damage = spool->damage.detail;
        arrival.damage_at = spool->damage.offset;
    }
    return arrival;
}

int tt_spool_wake_fd(const struct tt_spool *spool)
{
    return spool->more[0];
}

void tt_spool_cancel(struct tt_spool *spool)
{
    tt_wake(spool->stop[1]);
}

void tt_spool_opened(struct tt_spool *spool)
{
    if (spool->source.opened) {
        spool->source.opened(spool->source.intake.arg);
    }
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* A wait that is watched. */
struct wait {
    struct tt_spool *spool;
    const struct tt_map_watch *watch; /* NULL: none */
    const char *path;
    uint64_t shown_ms; /* time of the last call; 0: none */
};

/* Sleeps until there are more bytes, at most `ms`; shows the arrival when that is due. */
static void wait_once(struct wait *wait, uint64_t ms)
{
    struct pollfd more = {.fd = wait->spool->more[0], .events = POLLIN};
    if (poll(&more, 1, ms < LONGEST_WAIT ? (int)ms : LONGEST_WAIT) > 0) {
        tt_wake_drain(wait->spool->more[0]);
    }
    uint64_t now = tt_now_ms(), last = wait->shown_ms ? wait->shown_ms : wait->spool->began_ms;
    if (!wait->watch || now - last < SHOW_MS || tt_spool_ended(wait->spool)) {
        return;
    }
    struct tt_arrival arrival = tt_spool_arrival(wait->spool);
    arrival.path = wait->path;
    /* Before the first byte a program at the other end of a pipe may use the same terminal. */
    if (arrival.host || arrival.connected) {
        wait->shown_ms = now;
        if (!wait->watch->show(wait->watch->arg, &arrival)) {
            tt_spool_cancel(wait->spool);
        }
    }
}

static void wait_end(const struct wait *wait)
{
    if (wait->shown_ms != 0) {
        struct tt_arrival arrival = tt_spool_arrival(wait->spool);
        arrival.path = wait->path;
        arrival.last = true;
        wait->watch->show(wait->watch->arg, &arrival);
    }
}

/* Returns for how many ms to wait; 0: no longer. */
static uint64_t wait_left(const struct tt_spool *spool, const struct tt_spool_enough *enough,
                          uint64_t since, uint64_t most_ms)
{
    const bool ended = tt_spool_ended(spool);
    const uint64_t size = tt_spool_size(spool), now = tt_now_ms();
    if (ended || !spool->source.intake.read || size >= enough->bytes || now - since >= most_ms) {
        return 0;
    }
    uint64_t left = most_ms - (now - since);
    if (enough->ms > 0 && size >= enough->few) {
        const uint64_t age = now - spool->began_ms;
        const uint64_t few = age < enough->ms ? enough->ms - age : 0;
        left = few < left ? few : left;
    }
    return left;
}

void tt_spool_wait(struct tt_spool *spool, const struct tt_spool_enough *enough, uint64_t most_ms,
                   const struct tt_map_watch *watch, const char *path)
{
    struct wait wait = {spool, watch, path, 0};
    const uint64_t since = tt_now_ms();
    for (uint64_t left; (left = wait_left(spool, enough, since, most_ms)) > 0;) {
        wait_once(&wait, left);
    }
    wait_end(&wait);
}

void tt_spool_wait_connected(struct tt_spool *spool, uint64_t bytes, uint64_t most_ms,
                             const struct tt_map_watch *watch, const char *path)
{
    struct wait wait = {spool, watch, path, 0};
    while (!tt_spool_ended(spool) && !tt_spool_arrival(spool).connected) {
        wait_once(&wait, UINT64_MAX);
    }
    wait_end(&wait);
    const struct tt_spool_enough enough = {.bytes = bytes};
    tt_spool_wait(spool, &enough, most_ms, NULL, path);
}
