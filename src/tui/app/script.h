/* SPDX-License-Identifier: Apache-2.0 */
/*
 * script: plays a file as if the user typed it.
 *
 *      # a comment
 *      :zoom 1ms..2ms        a command
 *      jjj<Enter>            keys, in the notation of keys.h
 *      :picture a.svg        the frame so far
 *      :restart              the next part: all is as at the start again
 *
 * Each line and each key, including its searches, completes before the next. One thread.
 */
#ifndef TRACETUI_TUI_APP_SCRIPT_H
#define TRACETUI_TUI_APP_SCRIPT_H

#include <stddef.h>

#include "tracetui/status.h"

struct tt_app;

/* Reads a script and checks its keys; the caller frees *text. Errors: "FILE:LINE: ...". */
struct tt_status tt_script_load(const char *path, char **text);
/*
 * Plays the part of the script that begins at byte `at`, and types the keys of the options after the last
 * one. A part ends before `:restart`, which only `render` has; `quit` ends it, too. Returns where the next
 * part begins; 0: there is none.
 */
size_t tt_script_begin(struct tt_app *app, size_t at);

#endif
