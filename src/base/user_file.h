/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user_file: opens what a path of the user names, whatever it is by now. A plain open() of a FIFO
 * waits for its writer, and a terminal or another device may never have anything to read: neither
 * may hold up a screen. Any thread.
 */
#ifndef TT_BASE_USER_FILE_H
#define TT_BASE_USER_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/map.h"
#include "tracetui/status.h"

#define TT_USER_FILE_WAIT_MS 2000 /* for the next bytes of a FIFO or a device */
#define TT_USER_FILE_MOST                                                                          \
    ((size_t)16                                                                                    \
     << 20) /* bytes of a FIFO or a device that is read as text                         \
                        */

/*
 * Opens a capture for reading. A regular file is opened as it is. A FIFO or a device is refused, or
 * waited for until it can be read, as `kinds` says; with `follow` it is not waited for, and its
 * descriptor does not block. A directory and a socket are refused.
 */
struct tt_status tt_user_file_open(const char *path, enum tt_map_kinds kinds, bool follow, int *fd);

/*
 * Opens a file of text: names, theme, configuration, script, session. A FIFO or a device is read to
 * its end first. Returns 0 or errno: EISDIR for a directory, EAGAIN when nothing came for
 * TT_USER_FILE_WAIT_MS, EFBIG for more than TT_USER_FILE_MOST. The caller closes *fd.
 */
int tt_user_file_text(const char *path, int *fd);

#endif
