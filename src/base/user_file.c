/* SPDX-License-Identifier: Apache-2.0 */
#include "base/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary_file.h"

static int open_plain(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

const char *tt_user_file_kind(mode_t mode)
{
    return S_ISDIR(mode)    ? "is a directory"
           : S_ISFIFO(mode) ? "is a FIFO"
           : S_ISSOCK(mode) ? "is a socket"
                            : "is a device";
}

bool tt_user_file_await(int fd, int ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int count;
    do {
        count = poll(&ready, 1, ms);
    } while (count < 0 && errno == EINTR);
    return count > 0;
}

struct tt_status tt_user_file_open(const char *path, int *fd)
{
    struct stat info;
    *fd = open_plain(path);
    if (*fd >= 0) {
        return tt_ok();
    }
    int error = errno;
    bool socket = stat(path, &info) == 0 && S_ISSOCK(info.st_mode);
    return socket ? tt_error(TT_ERR_IO, "%s", tt_user_file_kind(info.st_mode))
                  : tt_error_errno(error, "open");
}

struct tt_status tt_user_file_regular(const char *path, int *fd)
{
    struct stat info;
    struct tt_status status = tt_user_file_open(path, fd);
    if (tt_failed(&status)) {
        return status;
    }
    if (fstat(*fd, &info) != 0) {
        status = tt_error_errno(errno, "stat");
    } else if (!S_ISREG(info.st_mode) && !S_ISBLK(info.st_mode)) {
        status = tt_error(TT_ERR_IO, "%s", tt_user_file_kind(info.st_mode));
    }
    if (tt_failed(&status)) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

/* Copies everything from `from`; returns 0 or an errno value. */
static int copy_all(int from, int to)
{
    char buffer[16384];
    for (size_t total = 0; total <= TT_USER_FILE_MOST;) {
        if (!tt_user_file_await(from, TT_USER_FILE_WAIT_MS)) {
            return EAGAIN;
        }
        ssize_t n = read(from, buffer, sizeof buffer);
        if (n == 0) {
            return lseek(to, 0, SEEK_SET) == 0 ? 0 : errno;
        }
        if (n < 0 && errno != EINTR && errno != EAGAIN) {
            return errno;
        }
        for (ssize_t done = 0; done < n;) {
            ssize_t written = write(to, buffer + done, (size_t)(n - done));
            if (written < 0 && errno != EINTR) {
                return errno;
            }
            done += written > 0 ? written : 0;
        }
        total += n > 0 ? (size_t)n : 0;
    }
    return EFBIG;
}

/* Replaces *fd by a copy of its data; returns 0 or an errno value. */
static int replace_by_copy(int *fd)
{
    int copy = -1;
    struct tt_status status = tt_temporary_file(&copy);
    int error = tt_failed(&status) ? EIO : copy_all(*fd, copy);
    if (error != 0) {
        if (copy >= 0) {
            close(copy);
        }
        return error;
    }
    close(*fd);
    *fd = copy;
    return 0;
}

int tt_user_file_text(const char *path, int *fd)
{
    struct stat info;
    int error = 0;
    *fd = open_plain(path);
    if (*fd < 0) {
        return errno;
    }
    if (fstat(*fd, &info) != 0) {
        error = errno;
    } else if (S_ISDIR(info.st_mode)) {
        error = EISDIR;
    } else if (!S_ISREG(info.st_mode)) {
        error = replace_by_copy(fd);
    }
    if (error != 0) {
        close(*fd);
        *fd = -1;
    }
    return error;
}
