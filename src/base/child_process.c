/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TT_PORTABLE
#define _GNU_SOURCE /* POSIX_SPAWN_SETSID */
#endif
#include "base/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/signal_set.h"

extern char **environ;

#define STEP_MS 5u

#ifdef POSIX_SPAWN_SETSID
#define OWN_SESSION POSIX_SPAWN_SETSID
#else
#define OWN_SESSION POSIX_SPAWN_SETPGROUP
#endif

static void close_one(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* Creates a pipe whose ends are above standard error and closed in programs that are started. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/* Resets to the default action all signals that end a process. */
static int set_signals(posix_spawnattr_t *attributes, bool detached)
{
    sigset_t none, defaults;
    sigemptyset(&none);
    tt_signal_set_endings(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    error = error ? error : posix_spawnattr_setsigdefault(attributes, &defaults);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (detached ? OWN_SESSION : 0);
    return error ? error : posix_spawnattr_setflags(attributes, (short)flags);
}

static int spawn(pid_t *pid, char *const argv[], const int theirs[3], bool detached)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_signals(&attributes, detached);
        for (int i = 0; i < 3 && error == 0; i++) {
            error = posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
        }
        error = error ? error : posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

struct tt_status tt_child_start(struct tt_child *child, char *const argv[], bool detached)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
    *child = (struct tt_child){0, -1, -1, -1};
    int error = 0;
    if (!open_pipe(in) || !open_pipe(out) || !open_pipe(err)) {
        error = errno;
    }
    const int theirs[3] = {in[0], out[1], err[1]};
    error = error ? error : spawn(&child->pid, argv, theirs, detached);
    close_one(&in[0]);
    close_one(&out[1]);
    close_one(&err[1]);
    if (error != 0) {
        close_one(&in[1]);
        close_one(&out[0]);
        close_one(&err[0]);
        child->pid = 0;
        return tt_error(TT_ERR_USAGE, "cannot run %.80s: %s", argv[0],
                        tt_error_errno(error, "start").text);
    }
    child->in = in[1];
    child->out = out[0];
    child->err = err[0];
    return tt_ok();
}

/* Waits for the process until it has ended or `ms` have passed. */
static bool reap(pid_t pid, unsigned ms, int *state)
{
    uint64_t until = tt_now_ms() + ms;
    for (;;) {
        pid_t done = waitpid(pid, state, WNOHANG);
        if (done == pid || (done < 0 && errno != EINTR)) {
            *state = done == pid ? *state : -1;
            return true;
        }
        if (tt_now_ms() >= until) {
            return false;
        }
        const struct timespec step = {0, STEP_MS * 1000000};
        nanosleep(&step, NULL);
    }
}

int tt_child_end(struct tt_child *child, unsigned grace_ms)
{
    int state = -1;
    close_one(&child->in);
    close_one(&child->out);
    close_one(&child->err);
    if (child->pid == 0) {
        return -1;
    }
    bool ended = reap(child->pid, grace_ms, &state);
    if (!ended) {
        kill(child->pid, SIGTERM);
        ended = reap(child->pid, 500, &state);
    }
    while (!ended) {
        kill(child->pid, SIGKILL);
        ended = reap(child->pid, 500, &state);
    }
    child->pid = 0;
    return state == -1          ? -1
           : WIFEXITED(state)   ? WEXITSTATUS(state)
           : WIFSIGNALED(state) ? 128 + WTERMSIG(state)
                                : -1;
}
