/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user_file: opens a path that the user gave, whatever its type. A plain open() of a FIFO waits for
 * its writer, and a terminal or another device may never have data; neither may block the screen.
 * Any thread.
 */
#ifndef TT_BASE_USER_FILE_H
#define TT_BASE_USER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tracetui/status.h"

#define TT_USER_FILE_WAIT_MS 2000 /* for the next bytes of a FIFO or a device */
/* maximum bytes read as text from a FIFO or a device */
#define TT_USER_FILE_MOST ((size_t)16 << 20)

/*
 * Opens a path for reading without waiting: a FIFO or a device may have no data yet, and its descriptor does
 * not block. Rejects sockets. TT_ERR_IO.
 */
struct tt_status tt_user_file_open(const char *path, int *fd);
/* Does the same, and rejects what is not a regular file. */
struct tt_status tt_user_file_regular(const char *path, int *fd);
/* Returns a text for what is not a regular file: "is a directory". */
const char *tt_user_file_kind(mode_t mode);
/* Waits for data or the end of file; `ms`: -1: without limit. Returns whether there are any. */
bool tt_user_file_await(int fd, int ms);

/*
 * Opens a text file: names, theme, configuration, script, session. Reads a FIFO or a device to its
 * end first. Returns 0 or an errno value: EISDIR for a directory, EAGAIN if no data arrived for
 * TT_USER_FILE_WAIT_MS, EFBIG for more than TT_USER_FILE_MOST. The caller closes *fd.
 */
int tt_user_file_text(const char *path, int *fd);

#endif
