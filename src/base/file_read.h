/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_read: reads small files as text (names, configuration, themes, scripts), and bytes at a
 * position of an open file. Continues after signals and short reads. Any thread.
 */
#ifndef TRACETUI_BASE_FILE_READ_H
#define TRACETUI_BASE_FILE_READ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads a file, or a pipe up to its end, of less than `most` bytes. Returns 0 or an errno value:
 * EFBIG if there are `most` bytes or more, EISDIR for a directory. The caller frees *text, which
 * has a NUL after its *length bytes; NULL after an error.
 */
int tt_file_text(const char *path, size_t most, char **text, size_t *length);

/*
 * Reads `length` bytes at position `at` of a file that has positions. Returns the number of bytes
 * read: fewer at the end of the file, where errno is 0, or after an error.
 */
size_t tt_file_bytes(int fd, uint64_t at, void *to, size_t length);

#endif
