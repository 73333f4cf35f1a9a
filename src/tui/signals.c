/* SPDX-License-Identifier: Apache-2.0 */
/* signals: handlers, the pipe they write to, and the last words of a crash. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* SIGWINCH */
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

#define CAUGHT_COUNT (sizeof caught / sizeof *caught)
#define FATAL_COUNT  (sizeof fatal / sizeof *fatal)

static int pipe_ends[2] = {-1, -1};
static volatile sig_atomic_t pending[CAUGHT_COUNT];
static struct sigaction old_caught[CAUGHT_COUNT];
static struct sigaction old_fatal[FATAL_COUNT];
static void *fatal_stack;

/* Two, so that one is whole while the other is written. */
static struct reset {
    int fd;
    size_t length;
    struct termios modes;
    char text[TT_RESET_BYTES];
} resets[2];
static volatile sig_atomic_t armed; /* the number of the one that holds, from 1; 0: none */

void tt_signals_wake(void *unused)
{
    (void)unused;
    int saved = errno;
    /* A full pipe is readable already: nothing is lost if this byte is. */
    ssize_t written = write(pipe_ends[1], "", 1);
    (void)written;
    errno = saved;
}

static void note_signal(int signal)
{
    for (size_t i = 0; i < CAUGHT_COUNT; i++) {
        if (caught[i] == signal) {
            pending[i] = 1;
        }
    }
    tt_signals_wake(NULL);
}

static void put_terminal_back(void)
{
    if (armed) {
        const struct reset *reset = &resets[armed - 1];
        armed = 0;
        size_t done = 0;
        while (done < reset->length) {
            ssize_t written = write(reset->fd, reset->text + done, reset->length - done);
            if (written <= 0) {
                break;
            }
            done += (size_t)written;
        }
        tcsetattr(reset->fd, TCSANOW, &reset->modes);
    }
}

static void die_of_fault(int signal)
{
    put_terminal_back();
    for (size_t i = 0; i < FATAL_COUNT; i++) {
        if (fatal[i] == signal) {
            sigaction(signal, &old_fatal[i], NULL);
        }
    }
    /* Blocked while this handler runs: it strikes when the handler returns. */
    raise(signal);
}

static struct tt_status open_pipe(void)
{
    if (pipe(pipe_ends) != 0) {
        return tt_error_errno(errno, "pipe");
    }
    for (int i = 0; i < 2; i++) {
        fcntl(pipe_ends[i], F_SETFL, fcntl(pipe_ends[i], F_GETFL) | O_NONBLOCK);
        fcntl(pipe_ends[i], F_SETFD, FD_CLOEXEC);
    }
    return tt_ok();
}

/* A stack that overflowed is one way to crash: the handler brings its own. */
static void open_fatal_stack(void)
{
    enum { STACK_BYTES = 65536 };
    fatal_stack = malloc(STACK_BYTES);
    if (fatal_stack) {
        stack_t stack = {.ss_sp = fatal_stack, .ss_size = STACK_BYTES, .ss_flags = 0};
        sigaltstack(&stack, NULL);
    }
}

struct tt_status tt_signals_open(void)
{
    struct tt_status status = open_pipe();
    if (tt_failed(&status)) {
        return status;
    }
    open_fatal_stack();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < CAUGHT_COUNT; i++) {
        pending[i] = 0;
        sigaction(caught[i], &action, &old_caught[i]);
        /* What was ignored when we were started (nohup) stays ignored. */
        if (old_caught[i].sa_handler == SIG_IGN && caught[i] != SIGCONT) {
            sigaction(caught[i], &old_caught[i], NULL);
        }
    }
    action.sa_handler = die_of_fault;
    action.sa_flags = SA_ONSTACK;
    for (size_t i = 0; i < FATAL_COUNT; i++) {
        sigaction(fatal[i], &action, &old_fatal[i]);
    }
    return status;
}

void tt_signals_close(void)
{
    for (size_t i = 0; i < CAUGHT_COUNT; i++) {
        sigaction(caught[i], &old_caught[i], NULL);
    }
    for (size_t i = 0; i < FATAL_COUNT; i++) {
        sigaction(fatal[i], &old_fatal[i], NULL);
    }
    stack_t none = {.ss_sp = NULL, .ss_size = 0, .ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(fatal_stack);
    fatal_stack = NULL;
    for (int i = 0; i < 2; i++) {
        close(pipe_ends[i]);
        pipe_ends[i] = -1;
    }
}

int tt_signals_fd(void)
{
    return pipe_ends[0];
}

struct tt_signals tt_signals_take(void)
{
    char drain[64];
    while (read(pipe_ends[0], drain, sizeof drain) > 0) {
    }
    struct tt_signals signals = {0, false, false, false};
    for (size_t i = 0; i < CAUGHT_COUNT; i++) {
        if (!pending[i]) {
            continue;
        }
        pending[i] = 0;
        switch (caught[i]) {
        case SIGWINCH:
            signals.resize = true;
            break;
        case SIGTSTP:
            signals.stop = true;
            break;
        case SIGCONT:
            signals.resume = true;
            break;
        default:
            signals.end = caught[i];
        }
    }
    return signals;
}

static void take_default(int signal)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, NULL);
}

void tt_signals_die(int signal)
{
    take_default(signal);
    raise(signal);
}

void tt_signals_stop(void)
{
    struct sigaction ours;
    sigaction(SIGTSTP, NULL, &ours);
    take_default(SIGTSTP);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

void tt_signals_block(bool block)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < CAUGHT_COUNT; i++) {
        sigaddset(&set, caught[i]);
    }
    pthread_sigmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void tt_signals_arm(int fd, const char *text, size_t length, const struct termios *modes)
{
    int number = armed == 1 ? 2 : 1;
    struct reset *reset = &resets[number - 1];
    reset->fd = fd;
    reset->length = length < TT_RESET_BYTES ? length : TT_RESET_BYTES;
    memcpy(reset->text, text, reset->length);
    reset->modes = *modes;
    armed = number;
}

void tt_signals_disarm(void)
{
    armed = 0;
}
