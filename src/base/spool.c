/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spool.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define BUFFER_SIZE ((size_t)256 * 1024)

struct sink {
    int fd;
    uint64_t written;
    uint64_t limit;
};

enum tt_compression tt_spool_compression(const uint8_t *head, size_t length)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 0x08};
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    if (length >= sizeof gzip && memcmp(head, gzip, sizeof gzip) == 0) {
        return TT_GZIP;
    }
    if (length >= sizeof zstd && memcmp(head, zstd, sizeof zstd) == 0) {
        return TT_ZSTD;
    }
    return TT_PLAIN;
}

struct tt_status tt_spool_file(int *fd)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int length =
        snprintf(path, sizeof path, "%s/tracetui-XXXXXX", folder && *folder ? folder : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path) {
        return tt_error(TT_ERR_IO, "TMPDIR is too long");
    }
    *fd = mkstemp(path);
    if (*fd < 0) {
        return tt_error_errno(errno, "temporary file");
    }
    unlink(path);
    return tt_ok();
}

static struct tt_status put(struct sink *sink, const uint8_t *bytes, size_t length)
{
    if (sink->limit != 0 && length > sink->limit - sink->written) {
        return tt_error(TT_ERR_IO, "unpacks to more than the spool limit of %llu bytes",
                        (unsigned long long)sink->limit);
    }
    while (length > 0) {
        ssize_t n = write(sink->fd, bytes, length);
        if (n < 0 && errno != EINTR) {
            return tt_error_errno(errno, "temporary file: write");
        }
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
            sink->written += (uint64_t)n;
        }
    }
    return tt_ok();
}

/* read() that a signal does not end. */
static ssize_t take(int fd, uint8_t *buffer, size_t size)
{
    for (;;) {
        ssize_t n = read(fd, buffer, size);
        if (n >= 0 || errno != EINTR) {
            return n;
        }
    }
}

static struct tt_status copy_plain(int fd, struct sink *sink, uint8_t *buffer)
{
    for (;;) {
        ssize_t n = take(fd, buffer, BUFFER_SIZE);
        if (n < 0) {
            return tt_error_errno(errno, "read");
        }
        if (n == 0) {
            return tt_ok();
        }
        struct tt_status status = put(sink, buffer, (size_t)n);
        if (tt_failed(&status)) {
            return status;
        }
    }
}

static struct tt_status copy_gzip(int fd, struct sink *sink, uint8_t *buffer)
{
    int own = dup(fd);
    gzFile file = own >= 0 ? gzdopen(own, "rb") : NULL;
    if (!file) {
        if (own >= 0) {
            close(own);
        }
        return tt_error_memory();
    }
    struct tt_status status = tt_ok();
    for (;;) {
        int n = gzread(file, buffer, (unsigned)BUFFER_SIZE);
        if (n > 0) {
            status = put(sink, buffer, (size_t)n);
        }
        if (n <= 0 || tt_failed(&status)) {
            /* A stream cut short still gives what it held: what can be read is shown. */
            int error = Z_OK;
            gzerror(file, &error);
            if (n < 0 && sink->written == 0) {
                status = tt_error(TT_ERR_IO, "gzip: damaged");
            }
            break;
        }
    }
    gzclose(file);
    return status;
}

static struct tt_status copy_zstd(int fd, struct sink *sink, uint8_t *buffer)
{
    size_t out_size = ZSTD_DStreamOutSize();
    ZSTD_DStream *stream = ZSTD_createDStream();
    uint8_t *out = malloc(out_size);
    struct tt_status status = stream && out ? tt_ok() : tt_error_memory();
    while (!tt_failed(&status)) {
        ssize_t n = take(fd, buffer, BUFFER_SIZE);
        if (n < 0) {
            status = tt_error_errno(errno, "read");
        }
        if (n <= 0) {
            break;
        }
        ZSTD_inBuffer in = {buffer, (size_t)n, 0};
        bool damaged = false;
        while (in.pos < in.size && !tt_failed(&status) && !damaged) {
            ZSTD_outBuffer piece = {out, out_size, 0};
            damaged = ZSTD_isError(ZSTD_decompressStream(stream, &piece, &in)) != 0;
            status = put(sink, out, piece.pos);
        }
        if (damaged) {
            if (sink->written == 0) {
                status = tt_error(TT_ERR_IO, "zstd: damaged");
            }
            break;
        }
    }
    free(out);
    ZSTD_freeDStream(stream);
    return status;
}

struct tt_status tt_spool(int fd, enum tt_compression compression, uint64_t limit, int *spooled)
{
    struct sink sink = {-1, 0, limit};
    uint8_t *buffer = malloc(BUFFER_SIZE);
    if (!buffer) {
        return tt_error_memory();
    }
    struct tt_status status = tt_spool_file(&sink.fd);
    if (!tt_failed(&status)) {
        switch (compression) {
        case TT_GZIP:
            status = copy_gzip(fd, &sink, buffer);
            break;
        case TT_ZSTD:
            status = copy_zstd(fd, &sink, buffer);
            break;
        case TT_PLAIN:
            status = copy_plain(fd, &sink, buffer);
            break;
        }
        if (tt_failed(&status)) {
            close(sink.fd);
        } else {
            *spooled = sink.fd;
        }
    }
    free(buffer);
    return status;
}
