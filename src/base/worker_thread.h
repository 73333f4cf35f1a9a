/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_thread: starts threads that block signals, which belong to the main thread: one taken by a
 * worker would not wake the main thread's poll(). Faults stay unblocked.
 */
#ifndef TRACETUI_BASE_WORKER_THREAD_H
#define TRACETUI_BASE_WORKER_THREAD_H

#include <pthread.h>
#include <signal.h>

#include "base/signal_set.h"

/* Starts a thread; returns 0 or an errno value. */
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
