/* SPDX-License-Identifier: Apache-2.0 */
/* save: streams to files that appear complete. */
#include "tui/model/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool set_path(struct tt_save *save, const char *path)
{
    const char *home = getenv("HOME");
    bool in_home = path[0] == '~' && path[1] == '/' && home && home[0] == '/';
    int length = snprintf(save->path, sizeof save->path, "%s%s", in_home ? home : "",
                          in_home ? path + 1 : path);
    return length > 0 && (size_t)length < sizeof save->path;
}

/* Returns an error, reason first: a long path may not fit on the status line. */
static struct tt_status cannot(int error, const char *path)
{
    char reason[128];
    if (strerror_r(error, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", error);
    }
    return tt_error(TT_ERR_IO, "%s: %s", reason, path);
}

static struct tt_status save_answer(const struct tt_save *save, int error)
{
    switch (error) {
    case 0:
        return tt_ok();
    case ENOMEM:
        return tt_error_memory();
    case EEXIST:
        return tt_error(TT_ERR_USAGE, "file exists; write! overwrites it: %.140s", save->path);
    case ENOTSUP:
        return tt_error(TT_ERR_USAGE, "%.120s is not a regular file", save->path);
    default:
        return cannot(error, save->path);
    }
}

struct tt_status tt_save_open(struct tt_save *save, const char *path, unsigned flags)
{
    save->file = NULL;
    if (path[0] == '\0' || !set_path(save, path)) {
        return tt_error(TT_ERR_USAGE, "%.100s: not a file name", path);
    }
    int error = tt_atomic_open(&save->atomic, save->path, flags);
    if (error != 0) {
        return save_answer(save, error);
    }
    /* The stream has its own descriptor: the file is synced and renamed after it is closed. */
    int fd = dup(save->atomic.fd);
    save->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!save->file) {
        if (fd >= 0) {
            close(fd);
        }
        tt_atomic_abandon(&save->atomic);
        return tt_error_memory();
    }
    return tt_ok();
}

struct tt_status tt_save_commit(struct tt_save *save)
{
    errno = 0;
    bool ok = !ferror(save->file);
    ok = fclose(save->file) == 0 && ok;
    save->file = NULL;
    if (!ok) {
        int error = errno ? errno : EIO;
        tt_atomic_abandon(&save->atomic);
        return cannot(error, save->path);
    }
    return save_answer(save, tt_atomic_commit(&save->atomic));
}

void tt_save_abandon(struct tt_save *save)
{
    if (save->file) {
        fclose(save->file);
        save->file = NULL;
        tt_atomic_abandon(&save->atomic);
    }
}
