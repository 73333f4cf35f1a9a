/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock: the monotonic clock in nanoseconds or milliseconds, with an arbitrary origin. Any thread.
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

#endif
