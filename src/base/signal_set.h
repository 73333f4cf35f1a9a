/* SPDX-License-Identifier: Apache-2.0 */
/* signal_set: the signals that end a process by default. Any thread. */
#ifndef TT_BASE_SIGNAL_SET_H
#define TT_BASE_SIGNAL_SET_H

#include <signal.h>

/* Largest signal number on all known systems; the first is 1. */
#define TT_SIGNAL_MAX 127

/* Sets `set` to the signals raised by a fault of the running thread. */
void tt_signal_set_faults(sigset_t *set);

/*
 * Sets `set` to the signals from outside, a timer or a limit that end the process by default,
 * including the real-time signals available to programs. SIGKILL cannot be caught; SIGPIPE and
 * SIGXFSZ are excluded because the program ignores them and the write fails.
 */
void tt_signal_set_endings(sigset_t *set);

#endif
