/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker: a thread that takes no signals. They are their owner's: a worker that took one would
 * leave its poll() asleep. Faults are for the thread that they happen in: they are not blocked.
 */
#ifndef TRACETUI_BASE_WORKER_THREAD_H
#define TRACETUI_BASE_WORKER_THREAD_H

#include <pthread.h>
#include <signal.h>

#include "base/signal_set.h"

/* 0, or the error number. */
static inline int tt_worker_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    sigset_t all, faults, old;
    sigfillset(&all);
    tt_signal_set_faults(&faults);
    for (int number = 1; number <= TT_SIGNAL_MAX; number++) {
        if (sigismember(&faults, number) == 1) {
            sigdelset(&all, number);
        }
    }
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int error = pthread_create(thread, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error;
}

#endif
