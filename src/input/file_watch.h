/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_watch: waits until a file may have changed or another thread wakes the waiting one.
 *
 *      writer --inotify, kqueue--> |
 *      pipe's spool ----- fd ----> | tt_file_watch_wait --> check the file
 *      owner -- tt_file_watch_wake-> |
 *      clock: polling with back-off|   5 ms, 10 ms ... TT_WATCH_LONGEST_MS
 *
 * Notifications of the system are only hints: a network file system, or a writer that maps the
 * file, produces none. A wait therefore lasts at most TT_WATCH_LONGEST_MS, and less after recent
 * changes.
 *
 * One thread waits; any thread may wake it.
 */
#ifndef TT_INPUT_FILE_WATCH_H
#define TT_INPUT_FILE_WATCH_H

#include <stdbool.h>

#include "tracetui/status.h"

#define TT_WATCH_LONGEST_MS 100

struct tt_file_watch {
    int wake[2]; /* a pipe */
    int notify;  /* from tt_platform_watch, or -1 */
    int other;   /* another descriptor to poll, borrowed, or -1 */
    int nap_ms;  /* maximum time of the next wait */
};

/*
 * Opens a watch. `path`: NULL if the source has no name. `other`: a descriptor that is readable
 * when there is more data. TT_ERR_IO.
 */
struct tt_status tt_file_watch_open(struct tt_file_watch *watch, const char *path, int other);
void tt_file_watch_close(struct tt_file_watch *watch);

/*
 * Waits for a notification, `most_ms`, or the back-off time. `idle`: the last check found no
 * change.
 */
void tt_file_watch_wait(struct tt_file_watch *watch, bool idle, int most_ms);
void tt_file_watch_wake(struct tt_file_watch *watch);

#endif
