/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pipe_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/spool.h"
#include "base/worker_thread.h"

#define BUFFER_SIZE ((size_t)256 * 1024)

struct tt_pipe_spool {
    int from; /* the source's, if it has a `close` */
    struct tt_pipe_source source;
    int file;
    struct tt_spool_bound bound;
    int stop[2];
    int more[2];
    _Atomic uint64_t size;
    _Atomic unsigned holders;
    pthread_mutex_t lock;
    bool ended; /* under the lock, like status */
    struct tt_status status;
    pthread_t thread;
    uint8_t *buffer;
};

bool tt_wake_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

void tt_wake(int end)
{
    ssize_t written = write(end, "", 1);
    (void)written; /* a full pipe wakes, too */
}

void tt_wake_drain(int end)
{
    char bytes[64];
    while (read(end, bytes, sizeof bytes) > 0) {
    }
}

/* Waits for data and reads it; returns the result of read(), or 0 and *stopped. */
static ssize_t await_bytes(struct tt_pipe_spool *pump, bool *stopped)
{
    for (;;) {
        struct pollfd fds[2] = {{.fd = pump->stop[0], .events = POLLIN},
                                {.fd = pump->from, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR) {
            return -1;
        }
        *stopped = fds[0].revents != 0;
        if (*stopped) {
            return 0;
        }
        if (fds[1].revents == 0) {
            continue;
        }
        ssize_t n = read(pump->from, pump->buffer, BUFFER_SIZE);
        if (n >= 0 || (errno != EINTR && errno != EAGAIN)) {
            return n;
        }
    }
}

static struct tt_status put(struct tt_pipe_spool *pump, size_t length)
{
    uint64_t size = atomic_load_explicit(&pump->size, memory_order_relaxed);
    size_t done = 0;
    if (length > pump->bound.bytes - size) {
        return tt_spool_full(&pump->bound);
    }
    while (done < length) {
        ssize_t n = pwrite(pump->file, pump->buffer + done, length - done, (off_t)(size + done));
        if (n < 0 && errno != EINTR) {
            return tt_error_errno(errno, "temporary file: write");
        }
        done += n > 0 ? (size_t)n : 0;
    }
    atomic_store_explicit(&pump->size, size + length, memory_order_release);
    return tt_ok();
}

/* Continues with the source's next descriptor; returns false if there is none. */
static bool go_on(struct tt_pipe_spool *pump, struct tt_status *status)
{
    if (pump->source.next) {
        uint64_t size = atomic_load_explicit(&pump->size, memory_order_relaxed);
        pump->from = pump->source.next(pump->source.arg, size, pump->stop[0], status);
        return pump->from >= 0;
    }
    return false;
}

static void *work(void *arg)
{
    struct tt_pipe_spool *pump = arg;
    struct tt_status status = tt_ok();
    for (;;) {
        bool stopped = false;
        ssize_t n = await_bytes(pump, &stopped);
        if (n <= 0 && !stopped && go_on(pump, &status)) {
            continue;
        }
        if (n < 0 && !tt_failed(&status)) {
            status = tt_error_errno(errno, "read");
        }
        if (n > 0) {
            status = put(pump, (size_t)n);
        }
        if (n <= 0 || tt_failed(&status)) {
            break;
        }
        tt_wake(pump->more[1]);
    }
    pthread_mutex_lock(&pump->lock);
    pump->ended = true;
    pump->status = status;
    pthread_mutex_unlock(&pump->lock);
    tt_wake(pump->more[1]);
    return NULL;
}

/* Frees everything except the thread. */
static void dispose(struct tt_pipe_spool *pump)
{
    const int fds[] = {pump->source.close ? -1 : pump->from,
                       pump->file,
                       pump->stop[0],
                       pump->stop[1],
                       pump->more[0],
                       pump->more[1]};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    if (pump->source.close) {
        pump->source.close(pump->source.arg);
    }
    pthread_mutex_destroy(&pump->lock);
    free(pump->buffer);
    free(pump);
}

static struct tt_status start_thread(struct tt_pipe_spool *pump)
{
    int error = tt_worker_start(&pump->thread, work, pump);
    return error != 0 ? tt_error_errno(error, "thread") : tt_ok();
}

struct tt_status tt_pipe_spool_start(int fd, uint64_t limit, struct tt_pipe_spool **result)
{
    const struct tt_pipe_source none = {NULL, NULL, NULL};
    return tt_pipe_spool_start_source(fd, limit, &none, result);
}

struct tt_status tt_pipe_spool_start_source(int fd, uint64_t limit,
                                            const struct tt_pipe_source *source,
                                            struct tt_pipe_spool **result)
{
    struct tt_pipe_spool *pump = calloc(1, sizeof *pump);
    if (!pump || pthread_mutex_init(&pump->lock, NULL) != 0) {
        free(pump);
        if (source->close) {
            source->close(source->arg);
        } else {
            close(fd);
        }
        return tt_error_memory();
    }
    pump->from = fd;
    pump->source = *source;
    pump->file = pump->stop[0] = pump->stop[1] = pump->more[0] = pump->more[1] = -1;
    pump->bound = tt_spool_bound(limit);
    atomic_init(&pump->size, 0);
    atomic_init(&pump->holders, 1);
    pump->status = tt_ok();
    pump->buffer = malloc(BUFFER_SIZE);
    struct tt_status status = tt_ok();
    if (!pump->buffer) {
        status = tt_error_memory();
    } else if (!tt_wake_pipe(pump->stop) || !tt_wake_pipe(pump->more)) {
        status = tt_error_errno(errno, "pipe");
    } else {
        status = tt_spool_file(&pump->file);
    }
    if (!tt_failed(&status)) {
        status = start_thread(pump);
    }
    if (tt_failed(&status)) {
        dispose(pump);
        return status;
    }
    *result = pump;
    return status;
}

void tt_pipe_spool_hold(struct tt_pipe_spool *pump)
{
    atomic_fetch_add(&pump->holders, 1);
}

void tt_pipe_spool_release(struct tt_pipe_spool *pump)
{
    if (pump && atomic_fetch_sub(&pump->holders, 1) == 1) {
        tt_wake(pump->stop[1]);
        pthread_join(pump->thread, NULL);
        dispose(pump);
    }
}

int tt_pipe_spool_file(const struct tt_pipe_spool *pump)
{
    return pump->file;
}

uint64_t tt_pipe_spool_size(const struct tt_pipe_spool *pump)
{
    return atomic_load_explicit(&pump->size, memory_order_acquire);
}

bool tt_pipe_spool_ended(struct tt_pipe_spool *pump, struct tt_status *status)
{
    pthread_mutex_lock(&pump->lock);
    bool ended = pump->ended;
    if (ended) {
        *status = pump->status;
    }
    pthread_mutex_unlock(&pump->lock);
    return ended;
}

int tt_pipe_spool_wake_fd(const struct tt_pipe_spool *pump)
{
    return pump->more[0];
}

void tt_pipe_spool_wait(struct tt_pipe_spool *pump, uint64_t bytes, int ms)
{
    struct tt_status status;
    for (int i = 0;
         i < ms && tt_pipe_spool_size(pump) < bytes && !tt_pipe_spool_ended(pump, &status); i++) {
        const struct timespec nap = {0, 1000000};
        nanosleep(&nap, NULL);
    }
}
