/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signal_set: which signals end a process that does nothing about them. Any thread.
 */
#ifndef TT_BASE_SIGNAL_SET_H
#define TT_BASE_SIGNAL_SET_H

#include <signal.h>

/* A signal's number is from 1 to this, on every system that is known. */
#define TT_SIGNAL_MAX 127

/* Makes `set` those that a fault of the running thread raises. */
void tt_signal_set_faults(sigset_t *set);

/*
 * Makes `set` those that come from outside, a timer or a limit and end the process by default, with
 * all real-time signals that the C library leaves to programs. SIGKILL cannot be caught; SIGPIPE
 * and SIGXFSZ are left out: the program ignores them, and the write fails.
 */
void tt_signal_set_endings(sigset_t *set);

#endif
