/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker: a thread that takes no signals. They are their owner's: a worker that took one would
 * leave its poll() asleep. Faults are for the thread that they happen in: they are not blocked.
 */
#ifndef TT_BASE_WORKER_H
#define TT_BASE_WORKER_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* 0, or the error number. */
static inline int tt_worker_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    static const int faults[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};
    sigset_t all, old;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sigdelset(&all, faults[i]);
    }
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int error = pthread_create(thread, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

#endif
