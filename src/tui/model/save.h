/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save: a stream to a file that appears complete or not at all (base/atomic_file.h).
 *
 *      tt_save_open --> fwrite to save.file ... --> tt_save_commit     the file appears
 *                                               \-> tt_save_abandon    no file appears
 *
 * Each open save must be ended by one of the two. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_SAVE_H
#define TRACETUI_TUI_MODEL_SAVE_H

#include <stdio.h>

#include "base/atomic_file.h"
#include "tracetui/status.h"

#define TT_SAVE_PATH 1024

struct tt_save {
    FILE *file; /* NULL: not open */
    struct tt_atomic_file atomic;
    char path[TT_SAVE_PATH];
};

/*
 * Opens a file for writing, with the flags of base/atomic_file.h. ~/ at the beginning of a path
 * is the user's home directory.
 */
struct tt_status tt_save_open(struct tt_save *save, const char *path, unsigned flags);
struct tt_status tt_save_commit(struct tt_save *save);
void tt_save_abandon(struct tt_save *save);

#endif
