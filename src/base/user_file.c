/* SPDX-License-Identifier: Apache-2.0 */
#include "base/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spool.h"

static int open_plain(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "is a directory"
           : S_ISFIFO(mode) ? "is a FIFO"
           : S_ISSOCK(mode) ? "is a socket"
                            : "is a device";
}

/* Waits for data or the end of file; ms: -1 without limit. */
static bool await_bytes(int fd, int ms)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int count;
    do {
        count = poll(&ready, 1, ms);
    } while (count < 0 && errno == EINTR);
    return count > 0;
}

/* Makes a FIFO or a device readable, or rejects it. */
static struct tt_status take_other(int fd, mode_t mode, enum tt_map_kinds kinds, bool follow)
{
    if (S_ISDIR(mode) || kinds == TT_MAP_FILES || (kinds == TT_MAP_READY && follow)) {
        return tt_error(TT_ERR_IO, "%s", kind_of(mode));
    }
    if (follow) {
        return tt_ok();
    }
    if (!await_bytes(fd, kinds == TT_MAP_READY ? 0 : -1)) {
        return tt_error(TT_ERR_IO, "%s with no data to read yet", kind_of(mode));
    }
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0) {
        return tt_error_errno(errno, "open");
    }
    return tt_ok();
}

struct tt_status tt_user_file_open(const char *path, enum tt_map_kinds kinds, bool follow, int *fd)
{
    struct stat info;
    *fd = open_plain(path);
    if (*fd < 0) {
        int error = errno;
        bool socket = stat(path, &info) == 0 && S_ISSOCK(info.st_mode);
        return socket ? tt_error(TT_ERR_IO, "%s", kind_of(info.st_mode))
                      : tt_error_errno(error, "open");
    }
    struct tt_status status = tt_ok();
    if (fstat(*fd, &info) != 0) {
        status = tt_error_errno(errno, "stat");
    } else if (!S_ISREG(info.st_mode) && !S_ISBLK(info.st_mode)) {
        status = take_other(*fd, info.st_mode, kinds, follow);
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
        if (!await_bytes(from, TT_USER_FILE_WAIT_MS)) {
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
    struct tt_status status = tt_spool_file(&copy);
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
