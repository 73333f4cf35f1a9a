/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch: waits until a file may have changed, or somebody wants the waiting one.
 *
 *      writer --inotify, kqueue--> |
 *      pipe's pump ------ fd ----> | tt_file_watch_wait --> look again
 *      owner ----- tt_file_watch_wake-> |
 *      clock: polling with back-off|   5 ms, 10 ms ... TT_WATCH_LONGEST_MS
 *
 * The system's word is a hint only: a network file system, or a writer that maps the file, gives
 * none. So whoever waits always gets back after at most TT_WATCH_LONGEST_MS, sooner while there was
 * something lately.
 *
 * One thread waits; any thread may wake.
 */
#ifndef TRACETUI_BASE_FILE_WATCH_H
#define TRACETUI_BASE_FILE_WATCH_H

#include <stdbool.h>

#include "tracetui/status.h"

#define TT_WATCH_LONGEST_MS 100

struct tt_file_watch {
    int wake[2]; /* a pipe */
    int told;    /* from tt_platform_watch, or -1 */
    int other;   /* another descriptor to wait for, borrowed, or -1 */
    int nap_ms;  /* how long the next wait is at most */
};

/* `path`: NULL for what has no name. `other`: a descriptor that is readable when there is more. */
struct tt_status tt_file_watch_open(struct tt_file_watch *watch, const char *path, int other);
void tt_file_watch_close(struct tt_file_watch *watch);

/* Waits for a sign, or `most_ms`, or the back-off's time. `idle`: nothing had changed. */
void tt_file_watch_wait(struct tt_file_watch *watch, bool idle, int most_ms);
void tt_file_watch_wake(struct tt_file_watch *watch);

#endif
