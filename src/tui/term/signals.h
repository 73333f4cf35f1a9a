/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals: what comes from outside, turned into bytes in a pipe that the loop polls; and the
 * terminal put back when the program crashes.
 *
 *      kill, resize, fg ---> handler --\
 *                                       pipe ---> poll() in the loop ---> tt_signals_take
 *      the indexer ---> tt_signals_wake-/
 *
 * Faults cannot wait for the loop: their handler writes a prepared string to the terminal,
 * sets its modes back by tcsetattr, and lets the signal do what it would have done.
 *
 * A signal handler can only reach file-level state: here it is. tt_signals_wake may be called by
 * any thread and by handlers, all else by the thread of the screen.
 */
#ifndef TRACETUI_TUI_TERM_SIGNALS_H
#define TRACETUI_TUI_TERM_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "tracetui/status.h"

/* Opens the pipe. Signals still have the effect that they had: opening a file can be stopped. */
struct tt_status tt_signals_open(void);
/*
 * Installs the handlers of all signals that would end the program, and of those that the loop
 * answers. SIGBUS stays the mappings' (base/sigbus_guard.h), which puts the terminal back as well.
 */
void tt_signals_catch(void);
/* Puts the handlers back that were there before, and closes the pipe. */
void tt_signals_close(void);

/* The end of the pipe to poll. */
int tt_signals_fd(void);
/* Makes it readable. `unused` fits the notify callback of an index. */
void tt_signals_wake(void *unused);

struct tt_signals {
    int end;     /* the signal that asks us to end, or 0 */
    bool resize; /* the terminal's size changed */
    bool stop;   /* asked to stop (SIGTSTP) */
    bool resume; /* went on after a stop */
};

/* Empties the pipe and takes what has come since the last call. */
struct tt_signals tt_signals_take(void);

/* Ends the process by `signal` as if nobody had caught it. The terminal is back already. */
void tt_signals_die(int signal);
/* Stops the process group as ^Z does; returns when it goes on. */
void tt_signals_stop(void);

#define TT_RESET_BYTES 256

/* From now on a crash writes `text` to fd and sets `modes`. The text is copied. */
void tt_signals_arm(int fd, const char *text, size_t length, const struct termios *modes);
void tt_signals_disarm(void);

#endif
