/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history: the lines entered at one kind of prompt, oldest first. Keeps the newest
 * TT_HISTORY_LINES, without empty lines or duplicates.
 *
 * Owns copies of its lines; tt_history_free frees them. One thread.
 */
#ifndef TT_EDIT_HISTORY_H
#define TT_EDIT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#define TT_HISTORY_LINES 100

struct tt_history {
    char *lines[TT_HISTORY_LINES];
    unsigned count;
    unsigned typed; /* number of newest lines typed in this session, not read from a file */
};

/* Adds `line` as the newest, moving an existing duplicate. False if out of memory. */
bool tt_history_add(struct tt_history *history, const char *line);
/* Same as tt_history_add, for a line typed in this session. */
bool tt_history_type(struct tt_history *history, const char *line);
/* Returns the index of the newest line before `at` that contains `part`, or `at` if none does. */
unsigned tt_history_find(const struct tt_history *history, unsigned at, const char *part);
void tt_history_free(struct tt_history *history);

#endif
