/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/files/child_pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/platform.h"

#define READ_BYTES ((size_t)256 * 1024)
#define PIPE_BYTES ((size_t)1024 * 1024)
#define STREAMS    2 /* standard output, standard error */

struct held {
    char *bytes;
    size_t used;
    size_t capacity;
};

enum state { NOT_STARTED, RUNNING, ENDED };

struct child {
    enum state state;
    pid_t pid;
    int fds[STREAMS]; /* -1: closed */
    struct held held[STREAMS];
    int status;
    int error; /* it could not be started, or its output is incomplete */
};

struct run {
    const struct tt_child_pool *pool;
    struct child *children;
    size_t *running; /* their numbers, in no order */
    size_t running_count;
    size_t current; /* the task whose output is passed on */
    size_t next;    /* the first task that has not been started */
    size_t held;    /* bytes of all tasks after the current one */
    size_t held_most;
    unsigned width;
    char *buffer; /* READ_BYTES */
    bool closed;  /* no more output is needed */
};

/* ---- children ------------------------------------------------------------------------------ */

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* Returns 0 or an errno value. */
static int start_child(struct run *run, size_t task)
{
    struct child *child = &run->children[task];
    int pipes[STREAMS][2] = {{-1, -1}, {-1, -1}};
    int error = 0;
    for (int i = 0; i < STREAMS && error == 0; i++) {
        error = pipe(pipes[i]) == 0 ? 0 : errno;
    }
    child->pid = error == 0 ? fork() : -1;
    if (child->pid == 0) {
        int ends[STREAMS] = {pipes[0][1], pipes[1][1]};
        close(pipes[0][0]);
        close(pipes[1][0]);

        /* Runs the task; `ends`: the writing ends of its pipes. Does not return. */
        for (size_t i = 0; i < run->running_count; i++) {
            close_fd(&run->children[run->running[i]].fds[0]);
            close_fd(&run->children[run->running[i]].fds[1]);
        }
        tt_platform_end_with_parent();
        tt_atomic_disown_all();
        if (dup2(ends[0], STDOUT_FILENO) < 0 || dup2(ends[1], STDERR_FILENO) < 0) {
            _exit(EXIT_FAILURE);
        }
        close(ends[0]);
        close(ends[1]);
        _exit(run->pool->run(run->pool->arg, task));
    }
    error = error == 0 && child->pid < 0 ? errno : error;
    for (int i = 0; i < STREAMS; i++) {
        close_fd(&pipes[i][1]);
        if (error != 0) {
            close_fd(&pipes[i][0]);
        }
        child->fds[i] = pipes[i][0];
    }
    if (error == 0) {
        tt_platform_grow_pipe(child->fds[0], PIPE_BYTES);
        child->state = RUNNING;
        run->running[run->running_count++] = task;
    }
    return error;
}

/* Starts as many children as may run. With too few processes or descriptors, continues with fewer. */
static void start_children(struct run *run)
{
    while (run->next < run->pool->count && run->running_count < run->width &&
           run->held < run->held_most) {
        int error = start_child(run, run->next);
        if (error != 0 && run->running_count > 0) {
            run->width = (unsigned)run->running_count;
            return;
        }
        if (error != 0) {
            run->children[run->next].state = ENDED;
            run->children[run->next].error = error;
        }
        run->next++;
    }
}

/* Removes a child that has ended from the list of running ones. */
static void remove_running(struct run *run, size_t index)
{
    struct child *child = &run->children[run->running[index]];
    while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR) {
    }
    child->state = ENDED;

    run->running[index] = run->running[--run->running_count];
}

/* ---- output -------------------------------------------------------------------------------- */

static void pass_on(struct run *run, int stream, const char *bytes, size_t length)
{
    const struct tt_child_pool *pool = run->pool;
    if (stream == 1) {
        pool->message(pool->arg, run->current, bytes, length);
    } else if (!run->closed) {
        run->closed = !pool->output(pool->arg, run->current, bytes, length);
    }
}

static bool child_pool_hold(struct run *run, struct held *held, const char *bytes, size_t length)
{
    if (held->capacity - held->used < length) {
        size_t capacity = held->capacity > 0 ? held->capacity * 2 : 4096;
        while (capacity - held->used < length) {
            capacity *= 2;
        }
        char *larger = realloc(held->bytes, capacity);
        if (!larger) {
            return false;
        }
        held->bytes = larger;
        held->capacity = capacity;
    }
    memcpy(held->bytes + held->used, bytes, length);
    held->used += length;
    run->held += length;
    return true;
}

/* Reads what is available from a stream of a child. */
static void child_pool_read_stream(struct run *run, size_t task, int stream)
{
    struct child *child = &run->children[task];
    ssize_t length = read(child->fds[stream], run->buffer, READ_BYTES);
    if (length < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    if (length <= 0) {
        child->error = length < 0 ? errno : child->error;
        close_fd(&child->fds[stream]);
    } else if (task == run->current) {
        pass_on(run, stream, run->buffer, (size_t)length);
    } else if (!child_pool_hold(run, &child->held[stream], run->buffer, (size_t)length)) {
        child->error = ENOMEM;
        kill(child->pid, SIGTERM);
        close_fd(&child->fds[stream]);
    }
}

/* Ends the current task if its child has ended, and passes on what the next ones have written. */
static void child_pool_advance(struct run *run)
{
    const struct tt_child_pool *pool = run->pool;
    while (run->current < run->next && run->children[run->current].state == ENDED && !run->closed) {
        const struct child *child = &run->children[run->current];
        pool->ended(pool->arg, run->current, child->status, child->error);
        run->current++;
        if (run->current < run->next) {
            for (int i = 0; i < STREAMS; i++) {
                struct held *held = &run->children[run->current].held[i];
                if (held->used > 0) {
                    pass_on(run, i, held->bytes, held->used);
                }
                run->held -= held->used;
                free(held->bytes);
                memset(held, 0, sizeof *held);
            }
        }
    }
}

/* ---- the loop ------------------------------------------------------------------------------ */

/* Waits for output of the children, and reads it. */
static void poll_children(struct run *run, struct pollfd *polls)
{
    for (size_t i = 0; i < run->running_count; i++) {
        const struct child *child = &run->children[run->running[i]];
        bool reads = run->running[i] == run->current || run->held < run->held_most;
        for (int s = 0; s < STREAMS; s++) {
            polls[i * STREAMS + (size_t)s] =
                (struct pollfd){.fd = reads ? child->fds[s] : -1, .events = POLLIN};
        }
    }
    if (poll(polls, (nfds_t)(run->running_count * STREAMS), -1) < 0) {
        return; /* a signal */
    }
    for (size_t i = run->running_count; i-- > 0;) {
        size_t task = run->running[i];
        const struct child *child = &run->children[task];
        for (int s = 0; s < STREAMS; s++) {
            if (polls[i * STREAMS + (size_t)s].revents != 0) {
                child_pool_read_stream(run, task, s);
            }
        }
        if (child->fds[0] < 0 && child->fds[1] < 0) {
            remove_running(run, i);
        }
    }
}

int tt_child_pool_run(const struct tt_child_pool *pool)
{
    unsigned width = pool->width < TT_CHILD_WIDTH_MOST ? pool->width : TT_CHILD_WIDTH_MOST;
    struct run r = {.pool = pool,
                    .children = calloc(pool->count, sizeof *r.children),
                    .running = calloc(width, sizeof *r.running),
                    .held_most = pool->held > 0 ? pool->held : TT_CHILD_HELD_MOST,
                    .width = width,
                    .buffer = malloc(READ_BYTES)};
    struct pollfd *polls = calloc((size_t)width * STREAMS, sizeof *polls);
    bool ready = r.children && r.running && r.buffer && polls;
    while (ready && r.current < pool->count && !r.closed) {
        start_children(&r);
        child_pool_advance(&r);
        if (r.running_count > 0 && !r.closed) {
            poll_children(&r, polls);
            child_pool_advance(&r);
        }
    }

    for (size_t i = 0; i < r.running_count; i++) {
        struct child *child = &r.children[r.running[i]];
        kill(child->pid, SIGTERM);
        close_fd(&child->fds[0]);
        close_fd(&child->fds[1]);
    }
    while (r.running_count > 0) {
        remove_running(&r, r.running_count - 1);
    }

    for (size_t i = 0; ready && i < pool->count; i++) {
        free(r.children[i].held[0].bytes);
        free(r.children[i].held[1].bytes);
    }
    free(r.children);
    free(r.running);
    free(r.buffer);
    free(polls);
    return ready ? 0 : ENOMEM;
}
