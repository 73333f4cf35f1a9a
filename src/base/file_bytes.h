/* SPDX-License-Identifier: Apache-2.0 */
/* file_bytes: reads bytes at a position of an open file. Any thread. */
#ifndef TRACETUI_BASE_FILE_BYTES_H
#define TRACETUI_BASE_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads `length` bytes at position `at` of a file that has positions. Returns the number of bytes
 * read: fewer at the end of the file, where errno is 0, or after an error. Continues after signals
 * and short reads.
 */
size_t tt_file_bytes(int fd, uint64_t at, void *to, size_t length);

#endif
