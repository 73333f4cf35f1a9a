/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock: the monotonic clock in nanoseconds or milliseconds, with an arbitrary origin, and the
 * processor time of the calling thread. Any thread.
 */
#ifndef TT_BASE_CLOCK_H
#define TT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t tt_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
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

#endif
