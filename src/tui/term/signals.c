/* SPDX-License-Identifier: Apache-2.0 */
/* signals: the handlers, the pipe they write to, and the terminal reset on a crash. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* SIGWINCH */
#include "tui/term/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/signal_set.h"
#include "input/sigbus_guard.h"

static int pipe_ends[2] = {-1, -1};
static volatile sig_atomic_t pending[TT_SIGNAL_MAX + 1]; /* by signal number */
static struct sigaction before[TT_SIGNAL_MAX + 1];
static sigset_t replaced; /* signals whose previous action is in `before` */
static void *fatal_stack;

/* Two, so that one is always complete while the other is written. */
static struct reset {
    int fd;
    size_t length;
    struct termios modes;
    char text[TT_RESET_BYTES];
} resets[2];
static volatile sig_atomic_t armed; /* number of the valid one, from 1; 0: none */

void tt_signals_wake(void *unused)
{
    (void)unused;
    int saved = errno;
    /* A full pipe is readable anyway, so losing this byte does no harm. */
    ssize_t written = write(pipe_ends[1], "", 1);
    (void)written;
    errno = saved;
}

static void note_signal(int signal)
{
    pending[signal] = 1;
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
    sigaction(signal, &before[signal], NULL);
    /* Blocked while this handler runs, so delivered when it returns. */
    raise(signal);
}

struct tt_status tt_signals_open(void)
{
    sigemptyset(&replaced);

    if (pipe(pipe_ends) != 0) {
        return tt_error_errno(errno, "pipe");
    }
    for (int i = 0; i < 2; i++) {
        fcntl(pipe_ends[i], F_SETFL, fcntl(pipe_ends[i], F_GETFL) | O_NONBLOCK);
        fcntl(pipe_ends[i], F_SETFD, FD_CLOEXEC);
    }
    return tt_ok();
}

static void replace(int signal, void (*handler)(int signal), int flags)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = handler;
    action.sa_flags = flags;
    if (sigaction(signal, &action, &before[signal]) == 0) {
        sigaddset(&replaced, signal);
    }
}

static void signals_put_back(int signal)
{
    if (sigismember(&replaced, signal) == 1) {
        sigaction(signal, &before[signal], NULL);
        sigdelset(&replaced, signal);
    }
}

/*
 * Installs the handler, but keeps signals ignored that were ignored at the start (nohup). SIGWINCH and
 * SIGCONT do nothing by default, so that ignoring them has no purpose.
 */
static void signals_note(int signal)
{
    pending[signal] = 0;
    replace(signal, note_signal, SA_RESTART);
    if (before[signal].sa_handler == SIG_IGN && signal != SIGCONT && signal != SIGWINCH) {
        signals_put_back(signal);
    }
}

void tt_signals_catch(void)
{
    sigset_t endings, faults;
    tt_signal_set_endings(&endings);
    tt_signal_set_faults(&faults);

    /* Sets an alternate signal stack, since a stack overflow is one way to crash. */
    enum { STACK_BYTES = 65536 };
    fatal_stack = malloc(STACK_BYTES);
    if (fatal_stack) {
        stack_t stack = {.ss_sp = fatal_stack, .ss_size = STACK_BYTES, .ss_flags = 0};
        sigaltstack(&stack, NULL);
    }

    for (int signal = 1; signal <= TT_SIGNAL_MAX; signal++) {
        if (sigismember(&faults, signal) == 1 && signal != SIGBUS) {
            replace(signal, die_of_fault, SA_ONSTACK);
        } else if (sigismember(&endings, signal) == 1) {
            signals_note(signal);
        }
    }
    signals_note(SIGWINCH);
    signals_note(SIGTSTP);
    signals_note(SIGCONT);
    if (tt_sigbus_guard_install()) {
        tt_sigbus_guard_before_death(put_terminal_back);
    }
}

void tt_signals_close(void)
{
    tt_sigbus_guard_before_death(NULL);
    for (int signal = 1; signal <= TT_SIGNAL_MAX; signal++) {
        signals_put_back(signal);
    }
    if (fatal_stack) {
        stack_t none = {.ss_sp = NULL, .ss_size = 0, .ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        free(fatal_stack);
        fatal_stack = NULL;
    }
    for (int i = 0; i < 2; i++) {
        close(pipe_ends[i]);
        pipe_ends[i] = -1;
    }
}

int tt_signals_fd(void)
{
    return pipe_ends[0];
}

struct tt_signals tt_signals_pop(void)
{
    char drain[64];
    while (read(pipe_ends[0], drain, sizeof drain) > 0) {
    }
    struct tt_signals signals = {0, false, false, false};
    for (int signal = 1; signal <= TT_SIGNAL_MAX; signal++) {
        if (!pending[signal]) {
            continue;
        }
        pending[signal] = 0;
        switch (signal) {
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
            signals.end = signal;
        }
    }
    return signals;
}

static void restore_default(int signal)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, NULL);
}

void tt_signals_die(int signal)
{
    restore_default(signal);
    raise(signal);
}

void tt_signals_stop(void)
{
    struct sigaction ours;
    sigaction(SIGTSTP, NULL, &ours);
    restore_default(SIGTSTP);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
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
