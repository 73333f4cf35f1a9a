/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote_watch: the terminal's side of a transfer from another machine. Messages of the remote shell
 * go to standard error; on a terminal, so does a line of progress, and Esc cancels.
 *
 *      tracetui: board: Warning: Permanently added ...
 *      board: 34.1 MB of 120.0 MB, 12.2 MB/s (Esc cancels)
 *
 * Esc is read only while bytes arrive: before, the remote shell may ask for a password. Signals that
 * end the program restore the terminal first.
 */
#ifndef TT_CLI_REMOTE_REMOTE_WATCH_H
#define TT_CLI_REMOTE_REMOTE_WATCH_H

#include "cli/progress/progress_line.h"
#include "tracetui/remote.h"

struct tt_remote_watch {
    struct tt_remote_options options; /* for tt_map_options; points to this struct */
    struct tt_progress_line line;
    bool reads_keys; /* the terminal passes keys one by one */
};

/* `shell`: as in tt_remote_options; borrowed. */
void tt_remote_watch_init(struct tt_remote_watch *watch, const char *shell);

#endif
