/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history_file: the lines of a prompt in a file of the user's state folder, beside the history of the
 * program, oldest first. Errors are ignored: the prompt works without a history. One thread.
 */
#ifndef TT_EDIT_HISTORY_FILE_H
#define TT_EDIT_HISTORY_FILE_H

#include "edit/history.h"

/* Adds the lines of $XDG_STATE_HOME/tracetui/NAME, unless it has more than 1 MB. */
void tt_history_load(struct tt_history *history, const char *name);
/* Replaces the file, readable by its owner alone, by the lines; none: the file stays. */
void tt_history_save(const struct tt_history *history, const char *name);

#endif
