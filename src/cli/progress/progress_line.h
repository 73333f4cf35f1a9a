/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress_line: a line on standard error that is written over itself while the program waits, and
 * erased at the end. The caller makes sure that standard error is a terminal. One thread at a time.
 */
#ifndef TT_CLI_PROGRESS_PROGRESS_LINE_H
#define TT_CLI_PROGRESS_PROGRESS_LINE_H

#include "tracetui/text.h"

struct tt_progress_line {
    bool shown; /* it is on the screen */
};

/* Replaces the line by the text, which is escaped. */
void tt_progress_line_show(struct tt_progress_line *line, const struct tt_text *text);
/* Erases the line, if it is on the screen. */
void tt_progress_line_clear(struct tt_progress_line *line);

/* Appends a number of bytes: "34.1 MB". */
void tt_progress_line_megabytes(struct tt_text *text, uint64_t bytes);

#endif
