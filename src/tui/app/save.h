/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save: a stream into a file that appears whole or not at all (base/atomic_file.h).
 *
 *      tt_save_open --> fwrite to save.file ... --> tt_save_commit     the file is there
 *                                               \-> tt_save_abandon    nothing is
 *
 * One thread; a save that was opened is ended by one of the two.
 */
#ifndef TRACETUI_TUI_APP_SAVE_H
#define TRACETUI_TUI_APP_SAVE_H

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
 * Opens a file for writing, with the flags of base/atomic_file.h. A path that begins with ~/ is in
 * the person's home.
 */
struct tt_status tt_save_open(struct tt_save *save, const char *path, unsigned flags);
struct tt_status tt_save_commit(struct tt_save *save);
void tt_save_abandon(struct tt_save *save);

#endif
