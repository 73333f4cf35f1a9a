/* SPDX-License-Identifier: Apache-2.0 */
/* platform: what POSIX does not have. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform.h"

/* Creates an empty file that has no name when the test ends; returns its descriptor. */
static int open_temporary(char *path)
{
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    return fd;
}

static bool is_readable(int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    return poll(&one, 1, 0) == 1 && (one.revents & POLLIN);
}

Test(platform, a_watch_reports_a_write_until_drained)
{
    char path[] = "/tmp/tracetui-platform-XXXXXX";
    int fd = open_temporary(path);
    int watch = tt_platform_watch(path);
    if (watch >= 0) { /* else the system has none */
        cr_expect_not(is_readable(watch));
        cr_assert_eq(write(fd, "x", 1), 1);
        cr_expect(is_readable(watch));
        tt_platform_watch_drain(watch);
        cr_expect_not(is_readable(watch));
        close(watch);
    }
    unlink(path);
    close(fd);
}

Test(platform, a_missing_file_cannot_be_watched)
{
    int before = dup(0);
    cr_expect_eq(tt_platform_watch("/tmp/tracetui-missing/file"), -1);
    int after = dup(0);
    cr_expect_eq(after, before + 1, "a descriptor is left open");
    close(before);
    close(after);
}

/* Saves and closes 0, 1 and 2; what the tests print goes nowhere until they are restored. */
static void close_standard(int saved[3])
{
    for (int fd = 0; fd < 3; fd++) {
        saved[fd] = fcntl(fd, F_DUPFD, 10);
        cr_assert(saved[fd] >= 10);
    }
    for (int fd = 0; fd < 3; fd++) {
        close(fd);
    }
}

static void restore_standard(const int saved[3])
{
    for (int fd = 0; fd < 3; fd++) {
        dup2(saved[fd], fd);
        close(saved[fd]);
    }
}

Test(platform, closed_descriptors_are_filled_and_still_fail)
{
    int saved[3], errors[3];
    char byte = 0;
    close_standard(saved);
    bool filled = tt_platform_fill_descriptors();
    errors[0] = read(0, &byte, 1) < 0 ? errno : 0;
    errors[1] = write(1, &byte, 1) < 0 ? errno : 0;
    errors[2] = write(2, &byte, 1) < 0 ? errno : 0;
    int next = open("/dev/null", O_RDONLY);
    restore_standard(saved);
    cr_expect(filled);
    cr_expect(next > 2, "%d", next);
    for (int fd = 0; fd < 3; fd++) {
        cr_expect_eq(errors[fd], EBADF, "%d", fd);
    }
    close(next);
}

Test(platform, descriptors_that_are_open_stay)
{
    struct stat before[3], after[3];
    for (int fd = 0; fd < 3; fd++) {
        cr_assert_eq(fstat(fd, &before[fd]), 0);
    }
    cr_expect(tt_platform_fill_descriptors());
    for (int fd = 0; fd < 3; fd++) {
        cr_assert_eq(fstat(fd, &after[fd]), 0);
        cr_expect(before[fd].st_dev == after[fd].st_dev && before[fd].st_ino == after[fd].st_ino);
    }
}

Test(platform, descriptors_that_cannot_be_filled_are_reported)
{
    int saved[3];
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
    close_standard(saved);
    bool limited = setrlimit(RLIMIT_NOFILE, &none) == 0;
    bool filled = tt_platform_fill_descriptors();
    setrlimit(RLIMIT_NOFILE, &limit);
    restore_standard(saved);
    cr_assert(limited);
    cr_expect_not(filled);
}

Test(platform, reserved_pages_become_zeros)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = tt_platform_reserve(4 * page);
    cr_assert(pages);
    cr_assert(tt_platform_zero(pages + page, page));
    for (size_t i = 0; i < page; i++) {
        cr_assert_eq(pages[page + i], 0);
    }
    cr_expect_eq(munmap(pages, 4 * page), 0);
}

/* Released pages of a file have the file's bytes again on the next access. */
Test(platform, released_pages_are_read_again)
{
    char path[] = "/tmp/tracetui-platform-XXXXXX";
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int fd = open_temporary(path);
    unlink(path);
    cr_assert_eq(ftruncate(fd, (off_t)(2 * page)), 0);
    cr_assert_eq(pwrite(fd, "first", 5, 0), 5);
    cr_assert_eq(pwrite(fd, "second", 6, (off_t)page), 6);
    char *pages = mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);
    cr_assert_neq(pages, MAP_FAILED);
    cr_expect_eq(memcmp(pages + page, "second", 6), 0);
    tt_platform_release_pages(pages, 2 * page);
    cr_expect_eq(memcmp(pages, "first", 5), 0);
    cr_expect_eq(memcmp(pages + page, "second", 6), 0);
    munmap(pages, 2 * page);
    close(fd);
}

Test(platform, at_least_one_processor)
{
    cr_expect(tt_platform_cpu_count() >= 1);
}

/* Growth keeps the content. */
Test(platform, large_blocks_stay_usable)
{
    tt_platform_separate_large_allocations();
    for (int round = 0; round < 3; round++) {
        size_t size = (size_t)8 << 20;
        char *block = malloc(size);
        cr_assert(block);
        memset(block, 'x', size);
        block = realloc(block, 2 * size);
        cr_assert(block);
        cr_expect(block[0] == 'x' && block[size - 1] == 'x');
        free(block);
    }
}

Test(platform, large_pages_are_side_by_side)
{
    const size_t count = 3, size = count * TT_LARGE_PAGE;
    for (int round = 0; round < 3; round++) {
        unsigned char *pages = tt_platform_large_pages(count);
        cr_assert(pages);
        memset(pages, 'x', size);
        cr_expect(pages[0] == 'x' && pages[TT_LARGE_PAGE] == 'x' && pages[size - 1] == 'x');
        tt_platform_free_large_pages(pages, count);
    }
}

Test(platform, counting_busy_processors_leaves_no_descriptor)
{
    int before = dup(0);
    for (int round = 0; round < 3; round++) {
        tt_platform_is_one_cpu_left(); /* the result depends on other programs */
    }
    int after = dup(0);
    cr_expect_eq(after, before + 1);
    close(before);
    close(after);
}
