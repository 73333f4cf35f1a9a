/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history: lines that were typed at one kind of prompt, oldest first. The newest TT_HISTORY_LINES
 * are kept; none is empty, and none stands twice.
 *
 * It owns copies of its lines; tt_history_free frees them. One thread.
 */
#ifndef TRACETUI_TUI_INPUT_HISTORY_H
#define TRACETUI_TUI_INPUT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#define TT_HISTORY_LINES 100

struct tt_history {
    char *lines[TT_HISTORY_LINES];
    unsigned count;
    unsigned typed; /* the last so many were typed now, not read from a file */
};

/* Makes `line` the newest; one that is there already moves. False when out of memory. */
bool tt_history_add(struct tt_history *history, const char *line);
/* The same, of a line that was typed now. */
bool tt_history_type(struct tt_history *history, const char *line);
/* The index of the newest line before `at` that has `part` in it, or `at` if there is none. */
unsigned tt_history_find(const struct tt_history *history, unsigned at, const char *part);
void tt_history_free(struct tt_history *history);

#endif
