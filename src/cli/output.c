/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_units.h"

#define BUFFER_BYTES ((size_t)256 * 1024)
#define LINE_ROOM    4096 /* minimum free space of the buffer before a line is begun */

struct tt_status tt_output_open(struct tt_output *out, const char *path)
{
    memset(out, 0, sizeof *out);
    out->file = tt_atomic_none();
    out->path = path && strcmp(path, "-") != 0 ? path : NULL;
    out->status = tt_ok();
    out->buffer = malloc(BUFFER_BYTES);
    if (!out->buffer) {
        out->status = tt_error_memory();
        return out->status;
    }
    out->capacity = BUFFER_BYTES;
    return tt_ok();
}

struct tt_status tt_output_open_memory(struct tt_output *out, size_t most)
{
    struct tt_status status = tt_output_open(out, NULL);
    out->most = most;
    return status;
}

static void output_fail(struct tt_output *out, struct tt_status status)
{
    if (!tt_failed(&out->status)) {
        out->status = status;
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Opens the file for the first bytes; returns -1 on failure. */
static int descriptor(struct tt_output *out)
{
    if (!out->path) {
        return STDOUT_FILENO;
    }
    if (out->file.fd < 0 && !tt_failed(&out->status)) {
        const unsigned flags = TT_ATOMIC_REPLACE | TT_ATOMIC_SYNC | TT_ATOMIC_IN_PLACE;
        int error = tt_atomic_open(&out->file, out->path, flags);
        if (error != 0) {
            output_fail(out, error == ENOMEM ? tt_error_memory() : tt_error_errno(error, "open"));
        }
    }
    return out->file.fd;
}

/* Writes bytes directly; the buffer is empty. */
static void output_write_all(struct tt_output *out, const char *bytes, size_t length)
{
    int fd = descriptor(out);
    bool go_on = tt_output_is_open(out);
    for (size_t done = 0; go_on && done < length;) {
        ssize_t n = write(fd, bytes + done, length - done);
        if (n > 0) {
            done += (size_t)n;
        } else {
            /* Handles a write without progress. */
            int error = n == 0 ? EIO : errno;
            if (error == EAGAIN) { /* another process made standard output non-blocking */
                struct pollfd room = {fd, POLLOUT, 0};
                poll(&room, 1, -1);
            } else if (error == EPIPE) {
                out->closed = true;
            } else if (error != EINTR) {
                output_fail(out, tt_error_errno(error, "write"));
            }
            go_on = tt_output_is_open(out);
        }
    }
}

void tt_output_flush(struct tt_output *out)
{
    if (out->most > 0) {
        return;
    }
    output_write_all(out, out->buffer, out->used);
    out->used = 0;
}

struct tt_text tt_output_begin(struct tt_output *out)
{
    if (out->capacity - out->used < LINE_ROOM && out->most == 0) {
        tt_output_flush(out);
    }
    return out->buffer ? tt_text_of(out->buffer + out->used, out->capacity - out->used)
                       : tt_text_of(NULL, 0);
}

/* Enlarges the buffer, which is empty unless it is the output. */
static void output_grow(struct tt_output *out)
{
    /* Without a buffer the capacity is 0, for which realloc would free. */
    bool can = out->capacity > 0 && out->capacity <= SIZE_MAX / 2;
    char *larger = can ? realloc(out->buffer, out->capacity * 2) : NULL;
    if (!larger) {
        output_fail(out, tt_error_memory());
        return;
    }
    out->buffer = larger;
    out->capacity *= 2;
}

bool tt_output_end(struct tt_output *out, const struct tt_text *text)
{
    if (!text->truncated) {
        struct tt_text line = *text;
        if (out->ascii) {
            tt_text_ascii_units(&line, 0);
        }
        out->begun = true;
        out->used += line.used;
        out->closed |= out->most > 0 && out->used >= out->most;
        return true;
    }
    if (out->used > 0 && out->most == 0) {
        tt_output_flush(out);
    } else {
        output_grow(out);
    }
    return tt_failed(&out->status) || out->closed;
}

bool tt_output_write(struct tt_output *out, const char *bytes, size_t length)
{
    if (out->most > 0) {
        while (out->capacity - out->used < length && tt_output_is_open(out)) {
            output_grow(out);
        }
        if (tt_output_is_open(out)) {
            memcpy(out->buffer + out->used, bytes, length);
            out->used += length;
            out->begun = true;
            out->closed = out->used >= out->most;
        }
        return tt_output_is_open(out);
    }
    if (out->ascii) {
        TT_PRINT_LINE(out, tt_text_bytes(&text, bytes, length));
        return tt_output_is_open(out);
    }
    if (length >= out->capacity / 2) { /* already large: write without copying */
        if (out->used > 0) {
            tt_output_flush(out);
        }
        out->begun = true;
        output_write_all(out, bytes, length);
        return tt_output_is_open(out);
    }
    while (length > 0 && tt_output_is_open(out)) {
        size_t room = out->capacity - out->used;
        size_t part = length < room ? length : room;
        memcpy(out->buffer + out->used, bytes, part);
        out->used += part;
        bytes += part;
        length -= part;
        out->begun = true;
        if (out->used == out->capacity) {
            tt_output_flush(out);
        }
    }
    return tt_output_is_open(out);
}

static bool output_write_part(void *arg, const char *bytes, size_t length)
{
    return tt_output_write(arg, bytes, length) && tt_output_is_open(arg);
}

struct tt_sink tt_output_sink(struct tt_output *out)
{
    return (struct tt_sink){.write = output_write_part, .arg = out};
}

bool tt_output_is_open(const struct tt_output *out)
{
    return !out->closed && !tt_failed(&out->status);
}

struct tt_status tt_output_close(struct tt_output *out, bool keep)
{
    if (out->buffer && (keep || !out->path)) {
        tt_output_flush(out);
    }
    if (out->file.fd >= 0 && keep && tt_output_is_open(out)) {
        int error = tt_atomic_commit(&out->file);
        if (error != 0) {
            output_fail(out, tt_error_errno(error, "write"));
        }
    }
    tt_atomic_abandon(&out->file);
    free(out->buffer);
    out->buffer = NULL;
    return out->path ? tt_status_context(out->status, out->path)
                     : tt_status_context(out->status, "standard output");
}

struct tt_status tt_output_finish(struct tt_output *out, struct tt_status status, bool keep)
{
    struct tt_status closed = tt_output_close(out, keep && !tt_failed(&status));
    return tt_failed(&status) ? status : closed;
}
