/* SPDX-License-Identifier: Apache-2.0 */
/*
 * os: what POSIX does not have, with a portable fallback for each. Any thread.
 */
#ifndef TT_BASE_OS_H
#define TT_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>

/* Address space of `size` bytes with nothing behind it, or NULL. Given back by munmap. */
void *tt_os_reserve(size_t size);

/* Whole pages become zeros, whatever is mapped there. For signal handlers too. */
bool tt_os_zero(void *pages, size_t size);

/*
 * A descriptor that becomes readable when something was written to `path`, or it was moved or
 * deleted; -1 where the system has no such thing, and whoever waits has to look by himself. The
 * caller closes it. Stores through a mapping and writes on another machine are not told.
 */
int tt_os_watch(const char *path);
/* Takes what it has to say, so that it is not readable any more. */
void tt_os_watch_drain(int fd);

/*
 * Opens something for each of the descriptors 0, 1 and 2 that is closed, so that no file that is
 * opened later becomes standard output or standard error. Reads of such a 0 fail, and so do writes
 * to such a 1 or 2, as they would without. False: nothing could be opened.
 */
bool tt_os_fill_descriptors(void);

/* How many processors this process may run on; at least 1. */
unsigned tt_os_processors(void);

/*
 * A moment of doing nothing, for a thread that looks again and again for what another one does:
 * some tens of nanoseconds on most processors, none on others.
 */
static inline void tt_os_pause(void)
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
void tt_os_give_way(void);

/*
 * Whole pages of a file mapped for reading are not needed for now: they no longer count as memory
 * of this process, and come back by themselves when they are read. Where the system knows no such
 * thing they stay until it takes them.
 */
void tt_os_forget(void *pages, size_t size);

/*
 * Great allocations get pages of their own from now on, however many there were: they grow without
 * being copied, and what is given back is so at once, piece by piece as it was asked for. Else a
 * heap may copy 32 MB to grow an array, and give back as much when a key waits. To be called before
 * there are threads; nothing where the allocator does so anyway, or knows no such wish.
 */
void tt_os_part_great_memory(void);

#endif
