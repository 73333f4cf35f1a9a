/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals: what comes from outside, turned into bytes in a pipe that the loop polls; and the
 * terminal put back when the program crashes.
 *
 *      kill, resize, fg ---> handler --\
 *                                       pipe ---> poll() in the loop ---> tt_signals_take
 *      the indexer ---> tt_signals_wake-/
 *
 * Fatal signals cannot wait for the loop: their handler writes a prepared string to the terminal,
 * sets its modes back by tcsetattr, and lets the signal do what it would have done.
 *
 * A signal handler can only reach file-level state: here it is. tt_signals_wake may be called by
 * any thread and by handlers, all else by the thread of the screen.
 */
#ifndef TRACETUI_TUI_SIGNALS_H
#define TRACETUI_TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "tracetui/status.h"

/* Installs the handlers. Fatal ones stand before a mapping's own, so open captures after this. */
struct tt_status tt_signals_open(void);
/* Puts the handlers back that were there before. */
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

/* Keeps the caller's new threads from taking signals: around the start of a worker. */
void tt_signals_block(bool block);

#define TT_RESET_BYTES 256

/* From now on a crash writes `text` to fd and sets `modes`. The text is copied. */
void tt_signals_arm(int fd, const char *text, size_t length, const struct termios *modes);
void tt_signals_disarm(void);

#endif
