/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file_bytes.h"

#include <errno.h>
#include <unistd.h>

size_t tt_file_bytes(int fd, uint64_t at, void *to, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t n = pread(fd, (char *)to + done, length - done, (off_t)(at + done));
        if (n == 0) {
            errno = 0;
            break;
        }
        if (n < 0 && errno != EINTR) {
            break;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return done;
}
