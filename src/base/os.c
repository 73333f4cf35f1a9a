/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one file that may use more than POSIX.1-2008. Build with -DTT_PORTABLE to get the fallbacks
 * everywhere.
 */
#define _DEFAULT_SOURCE 1

#include "base/os.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(TT_PORTABLE) || !defined(MAP_ANONYMOUS)

void *tt_os_reserve(size_t size)
{
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    if (zero < 0) {
        return NULL;
    }
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE, zero, 0);
    close(zero);
    return base == MAP_FAILED ? NULL : base;
}

#else

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

void *tt_os_reserve(size_t size)
{
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

#endif
