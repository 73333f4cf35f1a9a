/* SPDX-License-Identifier: Apache-2.0 */
#include "base/growing_spool.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pipe_spool.h"
#include "base/spool.h"
#include "base/worker_thread.h"

#define DRAIN_BYTES 65536u

struct tt_growing_spool {
    /* The thread's. */
    int from;
    bool is_file; /* a regular file, which never blocks */
    uint64_t got; /* bytes read */
    uint8_t head[TT_MAGIC_BYTES];
    size_t head_length;
    size_t head_used;
    struct tt_spool_sink sink;
    int stop[2];
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    /* Under the lock. */
    uint64_t awaited; /* bytes that the owner waits for; 0: it does not wait */
    bool ended;
    struct tt_status status;
    struct tt_damage damage;
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* Waits for data. Returns false if the copying is to end. */
static bool await_data(const struct tt_growing_spool *g)
{
    struct pollfd fds[2] = {{.fd = g->stop[0], .events = POLLIN},
                            {.fd = g->from, .events = POLLIN}};
    while (!g->is_file && poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    return fds[0].revents == 0;
}

static struct tt_status read_some(struct tt_growing_spool *g, uint8_t *buffer, size_t size,
                                  size_t *length)
{
    ssize_t n;
    *length = 0;
    do {
        if (!await_data(g)) {
            return tt_error(TT_ERR_CANCELLED, "reading stopped");
        }
        n = read(g->from, buffer, size);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n < 0) {
        return tt_error_errno(errno, "read");
    }
    *length = (size_t)n;
    g->got += (uint64_t)n;
    /* Without a bound, the input could have no end and no content, such as skippable frames. */
    return g->is_file || g->got <= g->sink.bound.bytes
               ? tt_ok()
               : tt_status_context(tt_spool_full(&g->sink.bound), "unpacked");
}

static struct tt_status get(void *arg, uint8_t *buffer, size_t size, size_t *length)
{
    struct tt_growing_spool *g = arg;
    size_t left = g->head_length - g->head_used;
    if (left == 0) {
        return read_some(g, buffer, size, length);
    }
    *length = left < size ? left : size;
    memcpy(buffer, g->head + g->head_used, *length);
    g->head_used += *length;
    return tt_ok();
}

static struct tt_status put(void *arg, const uint8_t *bytes, size_t length)
{
    struct tt_growing_spool *g = arg;
    struct tt_status status = tt_spool_put(&g->sink, bytes, length);
    pthread_mutex_lock(&g->lock);
    if (g->awaited != 0 && atomic_load(&g->sink.written) >= g->awaited) {
        pthread_cond_signal(&g->arrived);
    }
    pthread_mutex_unlock(&g->lock);
    return status;
}

/* Reads the bytes that show the compression. */
static struct tt_status read_head(struct tt_growing_spool *g)
{
    struct tt_status status = tt_ok();
    for (size_t length = 1; length > 0 && g->head_length < sizeof g->head;) {
        status =
            read_some(g, g->head + g->head_length, sizeof g->head - g->head_length, &length);
        g->head_length += length;
        if (tt_failed(&status)) {
            break;
        }
    }
    return status;
}

static struct tt_status drain(struct tt_growing_spool *g)
{
    uint8_t *buffer = malloc(DRAIN_BYTES);
    struct tt_status status = buffer ? tt_ok() : tt_error_memory();
    for (size_t length = 1; length > 0 && !tt_failed(&status);) {
        status = read_some(g, buffer, DRAIN_BYTES, &length);
    }
    free(buffer);
    return status;
}

static struct tt_status copy(struct tt_growing_spool *g, struct tt_damage *damage)
{
    const struct tt_unpack_ends ends = {get, g, put, g};
    struct tt_status status = read_head(g);
    if (!tt_failed(&status)) {
        status = tt_spool_copy(&ends, tt_spool_compression(g->head, g->head_length), damage);
    }
    if (!tt_failed(&status) && damage->detail && !g->is_file) {
        status = drain(g);
    }
    return tt_failed(&status) ? status : tt_spool_loss(&g->sink, damage);
}

static void *work(void *arg)
{
    struct tt_growing_spool *g = arg;
    struct tt_damage damage = {0};
    struct tt_status status = copy(g, &damage);
    pthread_mutex_lock(&g->lock);
    g->ended = true;
    g->status = status;
    g->damage = damage;
    pthread_cond_signal(&g->arrived);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* ---- the owner ------------------------------------------------------------------------------- */

/* Frees everything except the thread. */
static void dispose(struct tt_growing_spool *g)
{
    const int fds[] = {g->from, g->sink.fd, g->stop[0], g->stop[1]};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    pthread_cond_destroy(&g->arrived);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static struct tt_growing_spool *new_spool(int fd)
{
    struct tt_growing_spool *g = calloc(1, sizeof *g);
    if (!g || pthread_mutex_init(&g->lock, NULL) != 0) {
        free(g);
        return NULL;
    }
    if (pthread_cond_init(&g->arrived, NULL) != 0) {
        pthread_mutex_destroy(&g->lock);
        free(g);
        return NULL;
    }
    g->from = fd;
    g->sink.fd = g->stop[0] = g->stop[1] = -1;
    g->status = tt_ok();
    return g;
}

struct tt_status tt_growing_spool_start(int fd, uint64_t limit, struct tt_growing_spool **spool)
{
    struct tt_growing_spool *g = new_spool(fd);
    struct stat info;
    if (!g) {
        close(fd);
        return tt_error_memory();
    }
    g->is_file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    struct tt_status status = tt_spool_open(limit, &g->sink);
    if (!tt_failed(&status) && !tt_wake_pipe(g->stop)) {
        status = tt_error_errno(errno, "pipe");
    }
    if (tt_failed(&status)) {
        dispose(g);
        return status;
    }
    g->has_thread = tt_worker_start(&g->thread, work, g) == 0;
    if (!g->has_thread) {
        work(g);
    }
    *spool = g;
    return status;
}

void tt_growing_spool_free(struct tt_growing_spool *g)
{
    if (g) {
        if (g->has_thread) {
            tt_wake(g->stop[1]);
            pthread_join(g->thread, NULL);
        }
        dispose(g);
    }
}

int tt_growing_spool_file(const struct tt_growing_spool *g)
{
    return g->sink.fd;
}

uint64_t tt_growing_spool_size(const struct tt_growing_spool *g)
{
    return atomic_load(&g->sink.written);
}

bool tt_growing_spool_ended(struct tt_growing_spool *g, struct tt_status *status,
                            struct tt_damage *damage)
{
    pthread_mutex_lock(&g->lock);
    bool ended = g->ended;
    *status = g->status;
    *damage = g->damage;
    pthread_mutex_unlock(&g->lock);
    return ended;
}

void tt_growing_spool_wait(struct tt_growing_spool *g, uint64_t bytes)
{
    pthread_mutex_lock(&g->lock);
    g->awaited = bytes;
    while (!g->ended && atomic_load(&g->sink.written) < bytes) {
        pthread_cond_wait(&g->arrived, &g->lock);
    }
    g->awaited = 0;
    pthread_mutex_unlock(&g->lock);
}
