/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock: the monotonic clock in nanoseconds or milliseconds, with an arbitrary origin, and the
 * processor time of a thread. Any thread.
 */
#ifndef TT_BASE_CLOCK_H
#define TT_BASE_CLOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t tt_ns_of(struct timespec t)
{
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static inline uint64_t tt_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return tt_ns_of(t);
}

static inline uint64_t tt_now_ms(void)
{
    return tt_now_ns() / 1000000u;
}

/* Returns the processor time of this thread in ms; elapsed time where it is not measured. */
static inline uint64_t tt_own_ms(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) {
        return tt_now_ms();
    }
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/*
 * Returns the processor time of a thread that was not joined, in ns; elapsed time where it is not
 * measured: the option TCT of POSIX.1-2008.
 */
static inline uint64_t tt_thread_ns(pthread_t thread)
{
#if defined(_POSIX_THREAD_CPUTIME) && _POSIX_THREAD_CPUTIME >= 0
    struct timespec t;
    clockid_t clock;
    if (pthread_getcpuclockid(thread, &clock) == 0 && clock_gettime(clock, &t) == 0) {
        return tt_ns_of(t);
    }
#endif
    (void)thread;
    return tt_now_ns();
}

#endif
