/* SPDX-License-Identifier: Apache-2.0 */
#include "base/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xdg.h"

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

struct tt_status tt_temporary_file(int *fd)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/tracetui-XXXXXX", temporary_folder());
    if (length < 0 || (size_t)length >= sizeof path) {
        return tt_error(TT_ERR_IO, "TMPDIR is too long");
    }
    *fd = mkstemp(path);
    if (*fd < 0) {
        return tt_error_errno(errno, "temporary file");
    }
    unlink(path);
    fcntl(*fd, F_SETFD, FD_CLOEXEC); /* a program that outlives this one must not keep the file */
    return tt_ok();
}

bool tt_temporary_space(uint64_t *bytes)
{
    return tt_xdg_directory_available(temporary_folder(), bytes);
}
