/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folders.h"
#include "base/signal_set.h"

#define BUFFER_BYTES ((size_t)256 * 1024)
#define LINE_ROOM    4096 /* more is left of the buffer than this before a line is begun */

struct tt_status tt_output_open(struct tt_output *out, const char *path)
{
    memset(out, 0, sizeof *out);
    out->fd = path ? -1 : STDOUT_FILENO;
    out->path = path;
    out->status = tt_ok();
    out->buffer = malloc(BUFFER_BYTES);
    if (!out->buffer) {
        out->status = tt_error_memory();
        return out->status;
    }
    out->capacity = BUFFER_BYTES;
    return tt_ok();
}

static void fail(struct tt_output *out, struct tt_status status)
{
    if (!tt_failed(&out->status)) {
        out->status = status;
    }
}

/* ---- the temporary file ------------------------------------------------------------------- */

/*
 * While a temporary file exists, deadly signals wait; tt_output_wanted looks for them and takes
 * the file away first.
 */
static void hold_signals(struct tt_output *out)
{
    sigset_t held;
    struct sigaction action;
    tt_signal_set_endings(&held);
    for (int number = 1; number <= TT_SIGNAL_MAX; number++) {
        /* One that is ignored (nohup) would wait all the same, and end nothing. */
        if (sigismember(&held, number) == 1 &&
            (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)) {
            sigdelset(&held, number);
        }
    }
    out->signals_held = sigprocmask(SIG_BLOCK, &held, &out->signals_before) == 0;
}

static void let_signals(struct tt_output *out)
{
    if (out->signals_held) {
        out->signals_held = false;
        sigprocmask(SIG_SETMASK, &out->signals_before, NULL);
    }
}

static void drop_temporary(struct tt_output *out)
{
    if (out->temporary) {
        unlink(out->temporary);
        free(out->temporary);
        out->temporary = NULL;
    }
    let_signals(out);
}

static bool signal_waits(const struct tt_output *out)
{
    sigset_t pending, endings;
    if (!out->signals_held || sigpending(&pending) != 0) {
        return false;
    }
    tt_signal_set_endings(&endings);
    for (int number = 1; number <= TT_SIGNAL_MAX; number++) {
        if (sigismember(&endings, number) == 1 && sigismember(&pending, number) == 1 &&
            sigismember(&out->signals_before, number) == 0) {
            return true;
        }
    }
    return false;
}

static struct tt_status make_temporary(struct tt_output *out, mode_t mode)
{
    const char *slash = strrchr(out->target, '/');
    size_t folder = slash ? (size_t)(slash - out->target) + 1 : 0;
    size_t length = strlen(out->target);
    static const char tail[] = ".XXXXXX";
    char *name = malloc(length + 1 + sizeof tail);
    if (!name) {
        return tt_error_memory();
    }
    memcpy(name, out->target, folder);
    name[folder] = '.';
    memcpy(name + folder + 1, out->target + folder, length - folder);
    memcpy(name + length + 1, tail, sizeof tail);

    hold_signals(out);
    out->fd = mkstemp(name);
    if (out->fd < 0) {
        int error = errno;
        let_signals(out);
        free(name);
        return tt_error_errno(error, "make a file");
    }
    out->temporary = name;
    if (fchmod(out->fd, mode) != 0) {
        return tt_error_errno(errno, "set its mode");
    }
    return tt_ok();
}

/* Opens the file when the first bytes are there to be written. */
static struct tt_status open_file(struct tt_output *out)
{
    struct stat old;
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): without a path it was open before */
    bool exists = stat(out->path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        out->fd = open(out->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return out->fd < 0 ? tt_error_errno(errno, "open") : tt_ok();
    }
    out->target = exists ? realpath(out->path, NULL) : strdup(out->path);
    if (!out->target) {
        return errno == ENOMEM ? tt_error_memory() : tt_error_errno(errno, "open");
    }
    return make_temporary(out, tt_folder_file_mode(exists ? &old : NULL));
}

/* ---- writing ------------------------------------------------------------------------------ */

/* After a write that gave nothing: true to try again. */
static bool write_again(struct tt_output *out, int error)
{
    if (error == EAGAIN) { /* somebody else made our standard output non-blocking */
        struct pollfd room = {out->fd, POLLOUT, 0};
        poll(&room, 1, -1);
    } else if (error == EPIPE) {
        out->closed = true;
    } else if (error != EINTR) {
        fail(out, tt_error_errno(error, "write"));
    }
    return !out->closed && !tt_failed(&out->status) && !signal_waits(out);
}

/* Writes bytes that are not, or no longer, in the buffer's way. */
static void write_all(struct tt_output *out, const char *bytes, size_t length)
{
    if (out->fd < 0 && !tt_failed(&out->status)) {
        struct tt_status status = open_file(out);
        if (tt_failed(&status)) {
            fail(out, status);
        }
    }
    bool go_on = !out->closed && !tt_failed(&out->status);
    for (size_t done = 0; go_on && done < length;) {
        ssize_t n = write(out->fd, bytes + done, length - done);
        if (n > 0) {
            done += (size_t)n;
        } else {
            go_on = write_again(out, n == 0 ? EIO : errno);
        }
    }
}

void tt_output_flush(struct tt_output *out)
{
    write_all(out, out->buffer, out->used);
    out->used = 0;
}

struct tt_text tt_output_begin(struct tt_output *out)
{
    if (out->capacity - out->used < LINE_ROOM) {
        tt_output_flush(out);
    }
    return tt_text_of(out->buffer + out->used, out->capacity - out->used);
}

/* An empty buffer was too small: a larger one. */
static void grow(struct tt_output *out)
{
    char *larger = out->capacity > SIZE_MAX / 2 ? NULL : malloc(out->capacity * 2);
    if (!larger) {
        fail(out, tt_error_memory());
        return;
    }
    free(out->buffer);
    out->buffer = larger;
    out->capacity *= 2;
}

bool tt_output_end(struct tt_output *out, const struct tt_text *text)
{
    if (!text->truncated) {
        out->begun = true;
        out->used += text->used;
        return true;
    }
    if (out->used > 0) {
        tt_output_flush(out);
    } else {
        grow(out);
    }
    return tt_failed(&out->status) || out->closed;
}

bool tt_output_write(struct tt_output *out, const char *bytes, size_t length)
{
    if (length >= out->capacity / 2) { /* large already: not copied once more */
        if (out->used > 0) {
            tt_output_flush(out);
        }
        out->begun = true;
        write_all(out, bytes, length);
        return !out->closed && !tt_failed(&out->status);
    }
    while (length > 0 && !out->closed && !tt_failed(&out->status)) {
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
    return !out->closed && !tt_failed(&out->status);
}

bool tt_output_wanted(struct tt_output *out)
{
    if (signal_waits(out)) {
        fail(out, tt_error(TT_ERR_CANCELLED, "stopped"));
        out->used = 0;
        drop_temporary(out); /* the signal comes through here */
    }
    return !out->closed && !tt_failed(&out->status);
}

struct tt_status tt_output_close(struct tt_output *out, bool keep)
{
    if (keep || !out->path) {
        if (out->buffer) {
            tt_output_flush(out);
        }
    }
    if (out->path && out->fd >= 0 && close(out->fd) != 0) {
        fail(out, tt_error_errno(errno, "write"));
    }
    if (out->temporary) {
        keep = keep && tt_output_wanted(out);
        if (keep && rename(out->temporary, out->target) != 0) {
            fail(out, tt_error_errno(errno, "rename"));
            keep = false;
        }
        if (keep) {
            free(out->temporary);
            out->temporary = NULL;
        }
        drop_temporary(out);
    }
    free(out->target);
    free(out->buffer);
    out->target = NULL;
    out->buffer = NULL;
    out->fd = -1;
    return out->path ? tt_status_context(out->status, out->path)
                     : tt_status_context(out->status, "standard output");
}
