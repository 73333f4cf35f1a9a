/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls a function that does next to nothing: peer_calls CALLS. Compiled with -pg it is what
 * uftrace records, a line a call; built as the other programs are it is of no use.
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
    return sum == 1; /* a compiler cannot know, and so leaves the calls */
}
