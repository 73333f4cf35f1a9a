/* SPDX-License-Identifier: Apache-2.0 */
/* signal_set: the signals of POSIX and of single systems. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* SIGIO, SIGPWR, SIGSTKFLT */
#include "base/signal_set.h"

#include <stddef.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

static const int endings[] = {
    SIGTERM,   SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
#ifdef SIGVTALRM
    SIGVTALRM,
#endif
#ifdef SIGPROF
    SIGPROF,
#endif
#ifdef SIGPOLL
    SIGPOLL,
#endif
#ifdef SIGIO
    SIGIO,
#endif
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};

void tt_signal_set_faults(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigaddset(set, faults[i]);
    }
}

void tt_signal_set_endings(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        sigaddset(set, endings[i]);
    }
#if defined(SIGRTMIN) && defined(SIGRTMAX)
    for (int number = SIGRTMIN; number <= SIGRTMAX && number <= TT_SIGNAL_MAX; number++) {
        sigaddset(set, number);
    }
#endif
}
