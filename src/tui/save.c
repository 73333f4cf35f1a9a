/* SPDX-License-Identifier: Apache-2.0 */
/* save: files that appear whole. */
#define _XOPEN_SOURCE 700
#include "tui/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folders.h"

static struct tt_status is_there(const struct tt_save *save)
{
    return tt_error(TT_ERR_USAGE, "there already; write! replaces it: %.140s", save->path);
}

static bool set_path(struct tt_save *save, const char *path)
{
    const char *home = getenv("HOME");
    bool in_home = path[0] == '~' && path[1] == '/' && home && home[0] == '/';
    int length = snprintf(save->path, sizeof save->path, "%s%s", in_home ? home : "",
                          in_home ? path + 1 : path);
    return length > 0 && (size_t)length < sizeof save->path;
}

/* The reason first: the status line may have no room for all of a long path. */
static struct tt_status cannot(int error, const char *path)
{
    char reason[128];
    if (strerror_r(error, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", error);
    }
    return tt_error(TT_ERR_IO, "%s: %s", reason, path);
}

struct tt_status tt_save_open(struct tt_save *save, const char *path, bool overwrite)
{
    struct stat old;
    save->file = NULL;
    save->overwrite = overwrite;
    if (path[0] == '\0' || !set_path(save, path)) {
        return tt_error(TT_ERR_USAGE, "%.100s: no name of a file", path);
    }
    bool there = stat(save->path, &old) == 0;
    if (there && !S_ISREG(old.st_mode)) {
        return tt_error(TT_ERR_USAGE, "%.120s is no plain file", save->path);
    }
    if (there && !overwrite) {
        return is_there(save);
    }
    snprintf(save->temporary, sizeof save->temporary, "%s.XXXXXX", save->path);
    int fd = mkstemp(save->temporary);
    if (fd < 0) {
        return cannot(errno, save->path);
    }
    fchmod(fd, tt_folder_file_mode(there ? &old : NULL));
    save->file = fdopen(fd, "w");
    if (!save->file) {
        close(fd);
        unlink(save->temporary);
        return tt_error_memory();
    }
    return tt_ok();
}

/* Gives the temporary file its name; what has appeared there meanwhile stays, unless told. */
static bool name_it(const struct tt_save *save)
{
    if (!save->overwrite) {
        if (link(save->temporary, save->path) == 0) {
            unlink(save->temporary);
            return true;
        }
        if (errno == EEXIST || access(save->path, F_OK) == 0) {
            errno = EEXIST;
            return false;
        }
        /* Some file systems have no links. */
    }
    return rename(save->temporary, save->path) == 0;
}

struct tt_status tt_save_commit(struct tt_save *save)
{
    errno = 0;
    bool ok = !ferror(save->file);
    ok = fclose(save->file) == 0 && ok;
    save->file = NULL;
    ok = ok && name_it(save);
    if (ok) {
        return tt_ok();
    }
    int error = errno ? errno : EIO;
    unlink(save->temporary);
    return error == EEXIST ? is_there(save) : cannot(error, save->path);
}

void tt_save_abandon(struct tt_save *save)
{
    if (save->file) {
        fclose(save->file);
        unlink(save->temporary);
        save->file = NULL;
    }
}
