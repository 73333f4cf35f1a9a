/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slow_clock: the monotonic clock as a very slow machine sees it. The program is linked with
 * --wrap=clock_gettime, so that 0.1 ms more pass with each look at the clock, or as many ns as the variable
 * SLOW_CLOCK_NS has: a frame has time for a few steps of its work only, or for none. What the screen shows
 * in the end must not depend on that (tests/screens/slow_clock.sh).
 */
#define _XOPEN_SOURCE 700
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define STEP_NS INT64_C(100000)

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

static _Atomic int64_t ahead; /* ns */

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    int failed = __real_clock_gettime(clock, t);
    if (!failed && clock == CLOCK_MONOTONIC) {
        const char *asked = getenv("SLOW_CLOCK_NS");
        int64_t step = asked ? strtoll(asked, NULL, 10) : STEP_NS;
        int64_t ns = t->tv_nsec + atomic_fetch_add(&ahead, step) + step;
        t->tv_sec += (time_t)(ns / 1000000000);
        t->tv_nsec = (long)(ns % 1000000000);
    }
    return failed;
}
