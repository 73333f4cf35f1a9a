/* SPDX-License-Identifier: Apache-2.0 */
/* file_text: reads a small file as text: names, configuration, themes, scripts. Any thread. */
#ifndef TT_BASE_FILE_TEXT_H
#define TT_BASE_FILE_TEXT_H

#include <stddef.h>

/*
 * Reads a file, or a pipe up to its end, of less than `most` bytes. Returns 0 or an errno value:
 * EFBIG if there are `most` bytes or more, EISDIR for a directory. The caller frees *text, which
 * has a NUL after its *length bytes; NULL after an error.
 */
int tt_file_text(const char *path, size_t most, char **text, size_t *length);

#endif
