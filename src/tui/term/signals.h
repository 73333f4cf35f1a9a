/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals: turns signals into bytes in a pipe that the main loop polls, and restores the terminal
 * when the program crashes.
 *
 *      kill, resize, fg ---> handler --\
 *                                       pipe ---> poll() in the loop ---> tt_signals_pop
 *      the indexer ---> tt_signals_wake-/
 *
 * Fatal signals cannot wait for the loop: their handler writes a prepared string to the terminal,
 * restores its modes with tcsetattr, and re-raises the signal with its previous disposition.
 *
 * A signal handler can only reach file-level state, so this module has some. tt_signals_wake may be
 * called by any thread and by handlers, everything else only by the screen's thread.
 */
#ifndef TRACETUI_TUI_TERM_SIGNALS_H
#define TRACETUI_TUI_TERM_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "tracetui/status.h"

/* Opens the pipe. Signal dispositions are unchanged: opening a file can still be interrupted. */
struct tt_status tt_signals_open(void);
/*
 * Installs handlers for all signals that would end the program, and for those that the loop
 * handles. SIGBUS belongs to input/sigbus_guard.h, which restores the terminal as well.
 */
void tt_signals_catch(void);
/* Restores the previous handlers and closes the pipe. */
void tt_signals_close(void);

/* Returns the read end of the pipe. */
int tt_signals_fd(void);
/* Makes the pipe readable. `unused` matches the index's notify callback. */
void tt_signals_wake(void *unused);

struct tt_signals {
    int end;     /* the terminating signal, or 0 */
    bool resize; /* the terminal's size changed */
    bool stop;   /* SIGTSTP arrived */
    bool resume; /* SIGCONT arrived after a stop */
};

/* Empties the pipe; returns and clears the signals since the last call. */
struct tt_signals tt_signals_pop(void);

/* Ends the process by `signal` as if uncaught. The caller has restored the terminal. */
void tt_signals_die(int signal);
/* Stops the process group as ^Z does; returns when it is continued. */
void tt_signals_stop(void);

#define TT_RESET_BYTES 256

/* Makes a crash write `text` to fd and set `modes`. Copies the text. */
void tt_signals_arm(int fd, const char *text, size_t length, const struct termios *modes);
void tt_signals_disarm(void);

#endif
