/* SPDX-License-Identifier: Apache-2.0 */
/* platform: functions that POSIX does not have, each with a portable fallback. Any thread. */
#ifndef TRACETUI_BASE_PLATFORM_H
#define TRACETUI_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reserves `size` bytes of address space without access, or returns NULL. Released by munmap. */
void *tt_platform_reserve(size_t size);

/* Replaces whole pages by zeros, whatever is mapped there. Async-signal-safe. */
bool tt_platform_zero(void *pages, size_t size);

/*
 * Returns a descriptor that becomes readable when `path` is written, moved or deleted; -1 if the
 * system has no such facility, so that the caller must poll. The caller closes it. Stores through a
 * mapping and writes on another machine are not reported.
 */
int tt_platform_watch(const char *path);
/* Reads the pending notifications, so that the descriptor is no longer readable. */
void tt_platform_watch_drain(int fd);

/*
 * Opens a file for each of the descriptors 0, 1 and 2 that is closed, so that no later file becomes
 * standard output or standard error. Reads from such a 0, and writes to such a 1 or 2, still fail.
 * Returns false if nothing could be opened.
 */
bool tt_platform_fill_descriptors(void);

/* Returns the number of processors that this process may use; at least 1. */
unsigned tt_platform_cpu_count(void);

/*
 * Returns whether other threads of the system keep all of its CPUs busy except one: at this moment, the
 * calling thread and they are as many as the CPUs. Some microseconds; false where the system does not
 * count such threads.
 */
bool tt_platform_is_one_cpu_left(void);

/*
 * Pauses the CPU briefly in a spin loop: some tens of nanoseconds on most processors, a no-op on
 * others.
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
 * Lowers the priority of the calling thread, so that threads that answer the user run first. Does
 * nothing where the system has no priority per thread.
 */
void tt_platform_lower_priority(void);

/*
 * Returns whole pages of a read-only file mapping to the system: they no longer count as memory of
 * this process and are read again on access. Without such a facility the pages stay until the
 * system reclaims them.
 */
void tt_platform_release_pages(void *pages, size_t size);

/*
 * Size of a large page: one entry of the page tables, and one page fault instead of 512. Where the
 * system has no such pages, it is ordinary memory.
 */
#define TT_LARGE_PAGE ((size_t)2 << 20)
/*
 * Returns `count` large pages of zeros or garbage, aligned for any object; NULL if out of memory. `count` is not
 * 0, and its bytes are at most SIZE_MAX / 2.
 */
void *tt_platform_large_pages(size_t count);
/*
 * Returns the memory after the first `used` bytes of a large page to the system, in whole pages; the
 * address space remains. Returns the number of bytes that remain: TT_LARGE_PAGE without such a facility.
 */
size_t tt_platform_trim_large_page(void *large, size_t used);
void tt_platform_free_large_pages(void *pages, size_t count);

/* Ends the calling child process by SIGTERM when its parent ends; does nothing without such a facility. */
void tt_platform_end_with_parent(void);

/* Enlarges the buffer of a pipe, where the system can; failure is harmless. */
void tt_platform_grow_pipe(int fd, size_t bytes);

/*
 * Makes large allocations use pages of their own: they grow without copying and are returned to the
 * system at once. Otherwise a heap may copy 32 MB to grow an array, or free as much while a key
 * press waits. Call before threads are started; does nothing if the allocator does so anyway or has
 * no such option.
 */
void tt_platform_separate_large_allocations(void);

#endif
