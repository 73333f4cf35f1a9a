/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_file: reads and writes the files of sessions, and the history of the prompts,
 * one entry per line:
 *
 *      filter cpu%20=%200
 *      ^prompt ^text, a word
 *
 * Several instances may run: each merges its own lines into the file when it ends. One thread.
 */
#ifndef TRACETUI_TUI_APP_SESSION_FILE_H
#define TRACETUI_TUI_APP_SESSION_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tracetui/status.h"

/* Writes a file atomically; creates its parent directories. */
struct tt_status tt_session_store(const char *path, const char *text, size_t length);
/* Reads at most `most` bytes of a file and adds a NUL; the caller frees *text. Returns false if there is none. */
bool tt_session_read(const char *path, size_t most, char **text, size_t *length);

#endif
