/* SPDX-License-Identifier: Apache-2.0 */
/*
 * save: a file that appears whole or not at all: written under another name in the same folder,
 * then renamed.
 *
 *      tt_save_open --> fwrite to save.file ... --> tt_save_commit     the file is there
 *                                               \-> tt_save_abandon    nothing is
 *
 * One thread; a save that was opened is ended by one of the two.
 */
#ifndef TRACETUI_TUI_SAVE_H
#define TRACETUI_TUI_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tracetui/status.h"

#define TT_SAVE_PATH 1024

struct tt_save {
    FILE *file; /* NULL: not open */
    bool overwrite;
    char path[TT_SAVE_PATH];
    char temporary[TT_SAVE_PATH + 8];
};

/*
 * A file that is there is replaced only with `overwrite`, and only if it is a plain file. A path
 * that begins with ~/ is in the person's home.
 */
struct tt_status tt_save_open(struct tt_save *save, const char *path, bool overwrite);
struct tt_status tt_save_commit(struct tt_save *save);
void tt_save_abandon(struct tt_save *save);

#endif
