/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script: a file that is played as if a person typed it.
 *
 *      # a comment
 *      :zoom 1ms..2ms        a command
 *      jjj<Enter>            keys, as keys.h writes them
 *
 * Each line is done, searches and all, before the next. One thread.
 */
#ifndef TRACETUI_TUI_APP_SCRIPT_H
#define TRACETUI_TUI_APP_SCRIPT_H

#include "tracetui/status.h"

struct tt_app;

/* Reads a script and checks its keys; *text is the caller's to free. Errors: "FILE:LINE: ...". */
struct tt_status tt_script_load(const char *path, char **text);
/* Plays the script and types the keys of the options. */
void tt_script_begin(struct tt_app *app);
/* Stops when the person's program ends. */
void tt_script_play(struct tt_app *app, const char *text);

#endif
