/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz: shared code of the targets. A target is one file with LLVMFuzzerTestOneInput; it is linked
 * with libFuzzer by tests/fuzz/run.sh, and into replay.c for `make test`, which feeds it all inputs
 * that are kept in tests/fuzz/corpus and tests/fuzz/found. One thread.
 */
#ifndef TT_TESTS_FUZZ_H
#define TT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(int condition)
{
    if (!condition) {
        abort();
    }
}

/* Returns a block of exactly that size, so that reads past its end are detected; NUL-terminated if
 * `text`. */
static inline void *fuzz_copy(const uint8_t *data, size_t size, int text)
{
    size_t room = size + (text != 0);
    uint8_t *copy = calloc(room > 0 ? room : 1, 1);
    require(copy != NULL);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    return copy;
}

/* The bytes in an unlinked temporary file, read from its beginning; `path` is a name for it. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[64])
{
    char name[] = "/tmp/tracetui-fuzz-XXXXXX";
    int fd = mkstemp(name);
    require(fd >= 0);
    unlink(name);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, data + done, size - done);
        require(n > 0);
        done += (size_t)n;
    }
    require(lseek(fd, 0, SEEK_SET) == 0);
    static const char folder[] = "/proc/self/fd/";
    memcpy(path, folder, sizeof folder);
    size_t at = sizeof folder - 1;
    for (int unit = 1000000, begun = 0; unit > 0; unit /= 10) {
        begun |= fd / unit > 0 || unit == 1;
        if (begun) {
            path[at++] = (char)('0' + fd / unit % 10);
        }
    }
    path[at] = '\0';
    return fd;
}

#endif
