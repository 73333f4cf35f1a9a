/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file_read.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/user_file.h"

enum { FIRST_ROOM = 16 << 10 }; /* bytes; many files are smaller */

/* Reads until `most` bytes are read (EFBIG) or the file ends; returns 0 or an errno value. The text grows. */
static int read_up_to(int fd, char **text, size_t most, size_t *length)
{
    size_t room = 0;
    for (*length = 0; *length < most;) {
        if (*length == room) {
            room = room > 0 ? 2 * room : FIRST_ROOM;
            room = room < most ? room : most;
            char *larger = realloc(*text, room + 1);
            if (!larger) {
                return ENOMEM;
            }
            *text = larger;
        }
        ssize_t got = read(fd, *text + *length, room - *length);
        if (got == 0) {
            return 0;
        }
        if (got < 0 && errno != EINTR) {
            return errno;
        }
        *length += got > 0 ? (size_t)got : 0;
    }
    return EFBIG;
}

int tt_file_text(const char *path, size_t most, char **text, size_t *length)
{
    *text = NULL;
    int fd;
    int error = tt_user_file_text(path, &fd);
    if (error != 0) {
        return error;
    }
    char *read_text = NULL;
    error = read_up_to(fd, &read_text, most, length);
    close(fd);
    if (error != 0) {
        free(read_text);
        return error;
    }
    read_text[*length] = '\0';
    *text = read_text;
    return 0;
}

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
