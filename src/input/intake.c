/* SPDX-License-Identifier: Apache-2.0 */
#include "input/intake.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

struct tt_status tt_read_fd(int fd, int stop, uint8_t *buffer, size_t size, size_t *length)
{
    ssize_t got;
    *length = 0;
    do {
        struct pollfd fds[2] = {{.fd = stop, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
        while (poll(fds, 2, -1) < 0 && errno == EINTR) {
        }
        if (fds[0].revents != 0) {
            return tt_error(TT_ERR_CANCELLED, "reading stopped");
        }
        got = read(fd, buffer, size);
    } while (got < 0 && (errno == EINTR || errno == EAGAIN));
    if (got < 0) {
        return tt_error_errno(errno, "read");
    }
    *length = (size_t)got;
    return tt_ok();
}

/* ---- a descriptor as a source: `arg` is its number ------------------------------------------- */

static int fd_of(void *arg)
{
    return (int)(intptr_t)arg;
}

static struct tt_status fd_read(void *arg, int stop, uint8_t *buffer, size_t size, size_t *length)
{
    return tt_read_fd(fd_of(arg), stop, buffer, size, length);
}

static void fd_describe(void *arg, struct tt_arrival *arrival)
{
    struct stat info;
    arrival->is_file = fstat(fd_of(arg), &info) == 0 && S_ISREG(info.st_mode);
    arrival->total = arrival->is_file && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    arrival->connected = arrival->read > 0;
}

static void fd_close(void *arg)
{
    close(fd_of(arg));
}

struct tt_source tt_source_of_fd(int fd, bool endless)
{
    return (struct tt_source){.intake = {(void *)(intptr_t)fd, fd_read},
                              .endless = endless,
                              .describe = fd_describe,
                              .close = fd_close};
}
