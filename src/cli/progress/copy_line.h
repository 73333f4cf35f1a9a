/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy_line: a line of progress on the terminal while a pipe or a compressed file is copied, before the
 * first screen:
 *
 *      capture.kev.zst: 34 %, 340.2 MB unpacked (Ctrl-C cancels)
 *      standard input: 34.1 MB, 12.2 MB/s (Ctrl-C cancels)
 */
#ifndef TT_CLI_PROGRESS_COPY_LINE_H
#define TT_CLI_PROGRESS_COPY_LINE_H

#include "cli/progress/progress_line.h"
#include "tracetui/map.h"

struct tt_copy_line {
    struct tt_copy_watch watch; /* for tt_map_options; points to this struct */
    struct tt_progress_line line;
};

void tt_copy_line_init(struct tt_copy_line *line);

#endif
