/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes at a position of a file: whole, cut by its end, and unreadable. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_read.h"

static int file_of(const char *text)
{
    char path[] = "/tmp/tracetui-bytes-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    unlink(path);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

Test(file_bytes, are_those_at_the_position_whatever_was_read_before)
{
    char bytes[8] = "-------";
    int fd = file_of("0123456789");
    cr_expect_eq(tt_file_bytes(fd, 6, bytes, 3), 3);
    cr_expect_str_eq(bytes, "678----");
    cr_expect_eq(tt_file_bytes(fd, 0, bytes, 2), 2);
    cr_expect_str_eq(bytes, "018----");
    cr_expect_eq(tt_file_bytes(fd, 4, bytes, 0), 0);
    close(fd);
}

Test(file_bytes, end_with_the_file_without_an_error)
{
    char bytes[8] = "-------";
    int fd = file_of("0123456789");
    errno = EIO;
    cr_expect_eq(tt_file_bytes(fd, 8, bytes, 5), 2);
    cr_expect_eq(errno, 0);
    cr_expect_str_eq(bytes, "89-----");
    errno = EIO;
    cr_expect_eq(tt_file_bytes(fd, 11, bytes, 5), 0);
    cr_expect_eq(errno, 0);
    close(fd);
}

Test(file_bytes, have_the_cause_of_an_error)
{
    char bytes[8];
    int fd = open("/", O_RDONLY);
    cr_expect_eq(tt_file_bytes(fd, 0, bytes, sizeof bytes), 0);
    cr_expect_eq(errno, EISDIR);
    close(fd);
    cr_expect_eq(tt_file_bytes(fd, 0, bytes, sizeof bytes), 0);
    cr_expect_eq(errno, EBADF);
}
