/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_file: how sessions are written: their words, their files, and the file of what was typed
 * at prompts, a line each:
 *
 *      filter cpu%20=%200
 *      ^prompt ^text, a word
 *
 * Several programs may run: each adds its own lines to those that are there when it ends. One
 * thread.
 */
#ifndef TRACETUI_TUI_APP_SESSION_FILE_H
#define TRACETUI_TUI_APP_SESSION_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/status.h"

struct tt_text;

/* Writes a blank and a text without blanks or controls: %XX for those; an empty one is "%". */
void tt_session_word(struct tt_text *text, const char *word);
/* Takes the escapes out, in place. */
void tt_session_unescape(char *word);

/* Writes a file whole, and the folders above it. */
struct tt_status tt_session_store(const char *path, const char *text, size_t length);
/* Reads at most `most` bytes of a file; *text is the caller's to free. False if there is none. */
bool tt_session_read(const char *path, size_t most, char **text, size_t *length);

#endif
