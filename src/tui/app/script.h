/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script: plays a file as if the user typed it.
 *
 *      # a comment
 *      :zoom 1ms..2ms        a command
 *      jjj<Enter>            keys, in the notation of keys.h
 *
 * Each line, including its searches, completes before the next. One thread.
 */
#ifndef TRACETUI_TUI_APP_SCRIPT_H
#define TRACETUI_TUI_APP_SCRIPT_H

#include "tracetui/status.h"

struct tt_app;

/* Reads a script and checks its keys; the caller frees *text. Errors: "FILE:LINE: ...". */
struct tt_status tt_script_load(const char *path, char **text);
/* Plays the script, then types the keys of the options. */
void tt_script_begin(struct tt_app *app);
/* Plays a script; stops when it quits the program. */
void tt_script_play(struct tt_app *app, const char *text);

#endif
