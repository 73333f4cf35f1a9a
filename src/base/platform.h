/* SPDX-License-Identifier: Apache-2.0 */
/*
 * os: what POSIX does not have, with a portable fallback for each. Any thread.
 */
#ifndef TRACETUI_BASE_PLATFORM_H
#define TRACETUI_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* Address space of `size` bytes with nothing behind it, or NULL. Given back by munmap. */
void *tt_platform_reserve(size_t size);

/* Whole pages become zeros, whatever is mapped there. For signal handlers too. */
bool tt_platform_zero(void *pages, size_t size);

/*
 * A descriptor that becomes readable when something was written to `path`, or it was moved or
 * deleted; -1 where the system has no such thing, and whoever waits has to look by himself. The
 * caller closes it. Stores through a mapping and writes on another machine are not told.
 */
int tt_platform_watch(const char *path);
/* Takes what it has to say, so that it is not readable any more. */
void tt_platform_watch_drain(int fd);

/*
 * Opens something for each of the descriptors 0, 1 and 2 that is closed, so that no file that is
 * opened later becomes standard output or standard error. Reads of such a 0 fail, and so do writes
 * to such a 1 or 2, as they would without. False: nothing could be opened.
 */
bool tt_platform_fill_descriptors(void);

/* How many processors this process may run on; at least 1. */
unsigned tt_platform_cpu_count(void);

/*
 * A moment of doing nothing, for a thread that looks again and again for what another one does:
 * some tens of nanoseconds on most processors, none on others.
 */
static inline void tt_platform_pause(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/*
 * The calling thread gives way to others from now on: whoever waits for a key is answered first.
 * Nothing where the system cannot say that of a thread alone.
 */
void tt_platform_lower_priority(void);

/*
 * Whole pages of a file mapped for reading are not needed for now: they no longer count as memory
 * of this process, and come back by themselves when they are read. Where the system knows no such
 * thing they stay until it takes them.
 */
void tt_platform_release_pages(void *pages, size_t size);

/*
 * Great allocations get pages of their own from now on, however many there were: they grow without
 * being copied, and what is given back is so at once, piece by piece as it was asked for. Else a
 * heap may copy 32 MB to grow an array, and give back as much when a key waits. To be called before
 * there are threads; nothing where the allocator does so anyway, or knows no such wish.
 */
void tt_platform_separate_large_allocations(void);

#endif
