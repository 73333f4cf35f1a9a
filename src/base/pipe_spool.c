/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pipe_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
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

/* ---- unpacking ----------------------------------------------------------------------------- */

#define DRAIN_BYTES 65536u

struct tt_growing_spool {
    /* The thread's. */
    struct tt_growing_source source; /* without `fill`: the bytes of `packed` or `from` */
    struct tt_growing_spool *packed; /* NULL: none */
    int from;
    bool is_file;         /* a regular file, which never blocks */
    uint64_t total;       /* bytes of the regular file, otherwise 0 */
    uint64_t began_ms;    /* time of the start */
    _Atomic uint64_t got; /* bytes read */
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

/* ---- unpacking: the thread ------------------------------------------------------------------- */

/* Waits for data. Returns false if the copying is to end. */
static bool await_data(const struct tt_growing_spool *g)
{
    struct pollfd fds[2] = {{.fd = g->stop[0], .events = POLLIN},
                            {.fd = g->from, .events = POLLIN}};
    while (!g->is_file && poll(fds, 2, -1) < 0 && errno == EINTR) {
    }
    return fds[0].revents == 0;
}

/* Reads bytes of another spool, which has all bytes before its end. */
static struct tt_status read_spool(struct tt_growing_spool *g, uint8_t *buffer, size_t size,
                                   size_t *length)
{
    struct tt_growing_spool *packed = g->packed;
    const uint64_t at = atomic_load(&g->got);
    struct tt_status status = tt_ok();
    struct tt_damage damage;
    ssize_t n;
    *length = 0;
    tt_growing_spool_wait(packed, at + 1, NULL);
    if (tt_growing_spool_size(packed) <= at) {
        tt_growing_spool_ended(packed, &status, &damage);
        return status;
    }
    do {
        n = pread(packed->sink.fd, buffer, size, (off_t)at);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        return tt_error_errno(errno, "temporary file: read");
    }
    *length = (size_t)n;
    atomic_fetch_add(&g->got, (uint64_t)n);
    return status;
}

static struct tt_status read_some(struct tt_growing_spool *g, uint8_t *buffer, size_t size,
                                  size_t *length)
{
    ssize_t n;
    *length = 0;
    if (g->packed) {
        return read_spool(g, buffer, size, length);
    }
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
    uint64_t got = atomic_fetch_add(&g->got, (uint64_t)n) + (uint64_t)n;
    /* Without a bound, the input could have no end and no content, such as skippable frames. */
    return g->is_file || got <= g->sink.bound.bytes
               ? tt_ok()
               : tt_status_context(tt_spool_full(&g->sink.bound), "unpacked");
}

static struct tt_status get_packed(void *arg, uint8_t *buffer, size_t size, size_t *length)
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

static struct tt_status put_unpacked(void *arg, const uint8_t *bytes, size_t length)
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
        status = read_some(g, g->head + g->head_length, sizeof g->head - g->head_length, &length);
        g->head_length += length;
        if (tt_failed(&status)) {
            break;
        }
    }
    return status;
}

static struct tt_status drain_rest(struct tt_growing_spool *g)
{
    uint8_t *buffer = malloc(DRAIN_BYTES);
    struct tt_status status = buffer ? tt_ok() : tt_error_memory();
    for (size_t length = 1; length > 0 && !tt_failed(&status);) {
        status = read_some(g, buffer, DRAIN_BYTES, &length);
    }
    free(buffer);
    return status;
}

static struct tt_status unpack(struct tt_growing_spool *g, struct tt_damage *damage)
{
    const struct tt_unpack_ends ends = {get_packed, g, put_unpacked, g};
    struct tt_status status = read_head(g);
    if (!tt_failed(&status)) {
        status = tt_spool_copy(&ends, tt_spool_compression(g->head, g->head_length), damage);
    }
    if (!tt_failed(&status) && damage->detail && g->packed) {
        tt_growing_spool_cancel(g->packed);
    } else if (!tt_failed(&status) && damage->detail && !g->is_file) {
        status = drain_rest(g);
    }
    return tt_failed(&status) ? status : tt_spool_loss(&g->sink, damage);
}

static void *unpack_all(void *arg)
{
    struct tt_growing_spool *g = arg;
    struct tt_damage damage = {0};
    struct tt_status status =
        g->source.fill ? g->source.fill(g->source.arg, &g->sink) : unpack(g, &damage);
    pthread_mutex_lock(&g->lock);
    g->ended = true;
    g->status = status;
    g->damage = damage;
    pthread_cond_signal(&g->arrived);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* ---- unpacking: the owner -------------------------------------------------------------------- */

/* Frees everything except the thread. */
static void dispose_growing(struct tt_growing_spool *g)
{
    const int fds[] = {g->from, g->sink.fd, g->stop[0], g->stop[1]};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    if (g->source.close) {
        g->source.close(g->source.arg);
    }
    tt_growing_spool_free(g->packed);
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

/* Starts the thread of a spool with its source, and frees the spool on failure. */
static struct tt_status start_growing(struct tt_growing_spool *g, uint64_t limit,
                                      struct tt_growing_spool **spool)
{
    g->began_ms = tt_now_ms();
    struct tt_status status = tt_spool_open(limit, &g->sink);
    if (!tt_failed(&status) && !tt_wake_pipe(g->stop)) {
        status = tt_error_errno(errno, "pipe");
    }
    if (tt_failed(&status)) {
        dispose_growing(g);
        return status;
    }
    g->has_thread = tt_worker_start(&g->thread, unpack_all, g) == 0;
    if (!g->has_thread) {
        unpack_all(g);
    }
    *spool = g;
    return status;
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
    g->total = g->is_file && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    return start_growing(g, limit, spool);
}

struct tt_status tt_growing_spool_start_source(const struct tt_growing_source *source,
                                               uint64_t limit, struct tt_growing_spool **spool)
{
    struct tt_growing_spool *g = new_spool(-1);
    if (!g) {
        source->close(source->arg);
        return tt_error_memory();
    }
    g->source = *source;
    return start_growing(g, limit, spool);
}

struct tt_status tt_growing_spool_start_packed(struct tt_growing_spool *packed, uint64_t limit,
                                               struct tt_growing_spool **spool)
{
    struct tt_growing_spool *g = new_spool(-1);
    if (!g) {
        tt_growing_spool_free(packed);
        return tt_error_memory();
    }
    g->packed = packed;
    return start_growing(g, limit, spool);
}

void tt_growing_spool_free(struct tt_growing_spool *g)
{
    if (g) {
        if (g->has_thread) {
            tt_growing_spool_cancel(g);
            pthread_join(g->thread, NULL);
        }
        dispose_growing(g);
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

struct tt_copy_progress tt_growing_spool_progress(const struct tt_growing_spool *g)
{
    const uint64_t written = atomic_load(&g->sink.written);
    const bool is_source = g->source.fill != NULL;
    struct tt_copy_progress progress = {
        .bytes = written,
        .read = is_source ? written : atomic_load(&g->got),
        .total = is_source ? g->source.total(g->source.arg) : g->total,
        .is_file = g->is_file,
        .elapsed_ms = tt_now_ms() - g->began_ms,
    };
    if (g->packed) {
        const struct tt_copy_progress packed = tt_growing_spool_progress(g->packed);
        progress.read = packed.read;
        progress.total = packed.total;
    }
    return progress;
}

void tt_growing_spool_cancel(struct tt_growing_spool *g)
{
    if (g->packed) {
        tt_growing_spool_cancel(g->packed);
    }
    if (g->has_thread && g->source.cancel) {
        g->source.cancel(g->source.arg);
    }
    if (g->has_thread) {
        tt_wake(g->stop[1]);
    }
}

#define SOURCE_NAP_NS  2000000 /* between two looks at a source: its bytes do not end a wait */
#define WATCHED_NAP_NS 500000

static bool is_enough(const struct tt_growing_spool *g, const struct tt_spool_enough *enough)
{
    const uint64_t size = tt_growing_spool_size(g);
    return size >= enough->bytes ||
           (enough->ms > 0 && size >= enough->few && tt_now_ms() - g->began_ms >= enough->ms);
}

/* Waits as tt_growing_spool_wait_first does. `watch`: NULL: none. */
static void wait_in_naps(struct tt_growing_spool *g, const struct tt_spool_enough *enough,
                         const struct tt_spool_watch *watch)
{
    const struct timespec nap = {0, watch ? WATCHED_NAP_NS : SOURCE_NAP_NS};
    struct tt_status status;
    struct tt_damage damage;
    struct tt_spool_shown shown = {
        .watch = watch ? watch->watch : NULL,
        .progress = {.path = watch ? watch->path : NULL, .total = g->total},
        .began_ms = g->began_ms,
    };
    while (!is_enough(g, enough) && !tt_growing_spool_ended(g, &status, &damage)) {
        nanosleep(&nap, NULL);
        if (watch) {
            tt_spool_show_if_due(&shown, atomic_load(&g->got), tt_growing_spool_size(g));
        }
    }
    tt_spool_show_end(&shown, tt_growing_spool_size(g));
}

void tt_growing_spool_wait(struct tt_growing_spool *g, uint64_t bytes,
                           const struct tt_spool_watch *watch)
{
    const struct tt_spool_enough enough = {.bytes = bytes};
    tt_growing_spool_wait_first(g, &enough, watch);
}

void tt_growing_spool_wait_first(struct tt_growing_spool *g, const struct tt_spool_enough *enough,
                                 const struct tt_spool_watch *watch)
{
    const bool is_watched = watch && watch->watch;
    if (is_watched || g->source.fill || enough->ms > 0) {
        wait_in_naps(g, enough, is_watched ? watch : NULL);
        return;
    }
    pthread_mutex_lock(&g->lock);
    g->awaited = enough->bytes;
    while (!g->ended && atomic_load(&g->sink.written) < enough->bytes) {
        pthread_cond_wait(&g->arrived, &g->lock);
    }
    g->awaited = 0;
    pthread_mutex_unlock(&g->lock);
}
