/* SPDX-License-Identifier: Apache-2.0 */
/*
 * os: what POSIX does not have, with a portable fallback for each. Any thread.
 */
#ifndef TT_BASE_OS_H
#define TT_BASE_OS_H

#include <stddef.h>

/* Address space of `size` bytes with nothing behind it, or NULL. Given back by munmap. */
void *tt_os_reserve(size_t size);

#endif
