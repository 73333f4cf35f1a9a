/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform: the only file that may use more than POSIX.1-2008. Build with -DTT_PORTABLE to use the
 * fallbacks everywhere.
 */
#define _GNU_SOURCE 1

#include "base/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(TT_PORTABLE)
#include <malloc.h>
#endif
#if defined(__linux__) && !defined(TT_PORTABLE)
#include <sys/prctl.h>
#endif
#if defined(__has_include) && !defined(TT_PORTABLE)
#if __has_include(<sys/inotify.h>)
#define HAS_INOTIFY 1
#include <sys/inotify.h>
#elif __has_include(<sys/event.h>)
#define HAS_KQUEUE 1
#include <sys/event.h>
#include <sys/time.h>
#include <sys/types.h>
#endif
#endif

#if defined(TT_PORTABLE) || !defined(MAP_ANONYMOUS)

void *tt_platform_reserve(size_t size)
{
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    if (zero < 0) {
        return NULL;
    }
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE, zero, 0);
    close(zero);
    return base == MAP_FAILED ? NULL : base;
}

bool tt_platform_zero(void *pages, size_t size)
{
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    if (zero < 0) {
        return false;
    }
    void *base = mmap(pages, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, zero, 0);
    close(zero);
    return base != MAP_FAILED;
}

#else

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

void *tt_platform_reserve(size_t size)
{
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

bool tt_platform_zero(void *pages, size_t size)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return mmap(pages, size, PROT_READ, how, -1, 0) != MAP_FAILED;
}

#endif

/* ---- change notification ------------------------------------------------------------------- */

#if defined(HAS_INOTIFY)

int tt_platform_watch(const char *path)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const uint32_t what = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF;
    if (fd >= 0 && inotify_add_watch(fd, path, what) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

void tt_platform_watch_drain(int fd)
{
    char events[4096];
    while (read(fd, events, sizeof events) > 0) {
    }
}

#elif defined(HAS_KQUEUE)

/*
 * The queue holds a descriptor of the file that closing the queue does not close: one descriptor
 * per followed file is leaked until the program ends.
 */
int tt_platform_watch(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int queue = file >= 0 ? kqueue() : -1;
    struct kevent change;
    EV_SET(&change, (uintptr_t)file, EVFILT_VNODE, EV_ADD | EV_CLEAR,
           NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME, 0, NULL);
    if (queue >= 0 && kevent(queue, &change, 1, NULL, 0, NULL) == 0) {
        return queue;
    }
    if (queue >= 0) {
        close(queue);
    }
    if (file >= 0) {
        close(file);
    }
    return -1;
}

void tt_platform_watch_drain(int fd)
{
    const struct timespec at_once = {0, 0};
    struct kevent events[8];
    while (kevent(fd, NULL, 0, events, 8, &at_once) > 0) {
    }
}

#else

int tt_platform_watch(const char *path)
{
    (void)path;
    return -1;
}

void tt_platform_watch_drain(int fd)
{
    (void)fd;
}

#endif

/* ---- descriptors --------------------------------------------------------------------------- */

bool tt_platform_fill_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) {
            continue;
        }
        /*
         * Opened in the opposite direction, so that reads and writes fail as on a closed
         * descriptor.
         */
        int filler = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        if (filler < 0) {
            filler = open("/", O_RDONLY); /* a chroot may have no /dev */
        }
        if (filler != fd) {
            return false;
        }
    }
    return true;
}

/* ---- processors and memory ---------------------------------------------------------------- */

unsigned tt_platform_cpu_count(void)
{
#if defined(CPU_COUNT) && defined(__linux__) && !defined(TT_PORTABLE)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (unsigned)CPU_COUNT(&set);
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/*
 * Linux has the number of threads that run or are ready in /proc/loadavg, before the slash:
 * 0.72 0.56 0.40 3/89 1671
 */
bool tt_platform_is_one_cpu_left(void)
{
#if defined(__linux__) && !defined(TT_PORTABLE)
    char text[128];
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    if (size <= 0) {
        return false;
    }
    text[size] = '\0';
    const char *slash = strchr(text, '/');
    while (slash && slash > text && slash[-1] != ' ') {
        slash--;
    }
    return slash && strtol(slash, NULL, 10) == sysconf(_SC_NPROCESSORS_ONLN);
#else
    return false;
#endif
}

void tt_platform_end_with_parent(void)
{
#if defined(__linux__) && !defined(TT_PORTABLE)
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

void tt_platform_grow_pipe(int fd, size_t bytes)
{
#if defined(F_SETPIPE_SZ) && !defined(TT_PORTABLE)
    (void)fcntl(fd, F_SETPIPE_SZ, (int)bytes);
#else
    (void)fd;
    (void)bytes;
#endif
}

void tt_platform_lower_priority(void)
{
#if defined(__linux__) && !defined(TT_PORTABLE)
    setpriority(PRIO_PROCESS, 0, 10); /* 0 is the calling thread on Linux; elsewhere the process */
#endif
}

void tt_platform_release_pages(void *pages, size_t size)
{
#if defined(MADV_DONTNEED) && !defined(TT_PORTABLE)
    madvise(pages, size, MADV_DONTNEED);
#else
    (void)pages;
    (void)size;
#endif
}

#if defined(MADV_HUGEPAGE) && !defined(TT_PORTABLE)

static void *map_private(size_t size)
{
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

void *tt_platform_large_pages(size_t count)
{
    const size_t size = count * TT_LARGE_PAGE;
    uint8_t *pages = map_private(size); /* newer systems align it */
    if (pages && (uintptr_t)pages % TT_LARGE_PAGE != 0) {
        munmap(pages, size);

        /* Maps one page more, and unmaps the parts before and after the aligned one. */
        uint8_t *base = map_private(size + TT_LARGE_PAGE);
        if (base) {
            size_t before = TT_LARGE_PAGE - (uintptr_t)base % TT_LARGE_PAGE;
            munmap(base, before);
            base += before;
            if (before < TT_LARGE_PAGE) {
                munmap(base + size, TT_LARGE_PAGE - before);
            }
        }
        pages = base;
    }
    if (pages) {
        madvise(pages, size, MADV_HUGEPAGE);
    }
    return pages;
}

size_t tt_platform_trim_large_page(void *large, size_t used)
{
    long page = sysconf(_SC_PAGESIZE);
    size_t step = page > 0 ? (size_t)page : TT_LARGE_PAGE;
    size_t remains = (used + step - 1) / step * step;
    if (remains >= TT_LARGE_PAGE ||
        madvise((uint8_t *)large + remains, TT_LARGE_PAGE - remains, MADV_DONTNEED) != 0) {
        return TT_LARGE_PAGE;
    }
    return remains;
}

void tt_platform_free_large_pages(void *pages, size_t count)
{
    munmap(pages, count * TT_LARGE_PAGE);
}

#else

void *tt_platform_large_pages(size_t count)
{
    return malloc(count * TT_LARGE_PAGE);
}

size_t tt_platform_trim_large_page(void *large, size_t used)
{
    (void)large;
    (void)used;
    return TT_LARGE_PAGE;
}

void tt_platform_free_large_pages(void *pages, size_t count)
{
    (void)count;
    free(pages);
}

#endif

#define LARGE_BYTES (1 << 20)

void tt_platform_separate_large_allocations(void)
{
#if defined(__GLIBC__) && !defined(TT_PORTABLE)
    /*
     * By default glibc raises the threshold after each large free and then serves large blocks from
     * its heap.
     */
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, 4 * LARGE_BYTES);
#endif
}
