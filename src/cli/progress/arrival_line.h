/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrival_line: a line of progress on the terminal while an input arrives, and what the remote shell writes:
 *
 *      capture.kev.zst: 34 %, 340.2 MB unpacked (Ctrl-C cancels)       before the first screen
 *      standard input: 34.1 MB, 12.2 MB/s (Ctrl-C cancels)
 *      board: 34.1 MB of 120.0 MB, 12.2 MB/s (Esc cancels)             in all commands
 *      tracetui: board: Warning: Permanently added ...
 *
 * Esc is read only while bytes of another machine arrive: before, the remote shell may ask for a password.
 * Signals that end the program restore the terminal first.
 */
#ifndef TT_CLI_PROGRESS_ARRIVAL_LINE_H
#define TT_CLI_PROGRESS_ARRIVAL_LINE_H

#include "cli/progress/progress_line.h"
#include "tracetui/map.h"

struct tt_arrival_line {
    struct tt_map_watch watch;       /* for tt_map_options; points to this struct, */
    struct tt_remote_options remote; /* and so does this */
    bool shows_local;                /* inputs of this machine are shown, too */
    struct tt_progress_line line;
    bool reads_keys; /* the terminal passes keys one by one */
};

/* `shell`: as in tt_remote_options; borrowed. */
void tt_arrival_line_init(struct tt_arrival_line *line, const char *shell);

#endif
