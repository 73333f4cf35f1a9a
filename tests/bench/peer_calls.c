/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peer_calls: calls a trivial function CALLS times. Compiled with -pg, it is the program that
 * uftrace records, one line per call; without -pg there is nothing to record.
 */
#include <stdlib.h>

#if defined(__GNUC__)
__attribute__((noinline))
#endif
static unsigned long
call(unsigned long sum, unsigned long n)
{
    return sum ^ n << sum % 7;
}

int main(int argc, char **argv)
{
    unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, sum = 0;
    for (unsigned long n = 0; n < calls; n++) {
        sum = call(sum, n);
    }
    return sum == 1; /* the compiler cannot predict the result, so it keeps the calls */
}
