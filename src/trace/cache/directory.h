/* SPDX-License-Identifier: Apache-2.0 */
/*
 * directory: the directory of index caches, and the limit of its size.
 *
 *      index-0123456789abcdef           an index cache; its mtime is the time of its last use
 *      index-0123456789abcdef.Ab3xYz    one that is being written
 *
 * Other files in the directory are not touched. Several processes may use it at once: an index
 * cache appears complete, by a rename, and a removed one remains valid where it is mapped.
 */
#ifndef TRACETUI_TRACE_CACHE_DIRECTORY_H
#define TRACETUI_TRACE_CACHE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

#define TT_CACHE_PATH 1024 /* bytes of a path, with its NUL */

/*
 * Makes the path of the index cache `name`; returns false if it is too long. `folder` ends in a
 * slash, here and below.
 */
bool tt_cache_path(const char *folder, const char *name, char path[TT_CACHE_PATH]);

/*
 * Opens an index cache for reading and updates the time of its last use. Returns -1 if there is
 * none or it is not the user's own file.
 */
int tt_cache_open(const char *path, uint64_t *size);

/*
 * Makes room for `size` more bytes: removes the least recently used index caches, and files that
 * killed processes left, until all caches and the new bytes fit into `limit` bytes and into a
 * quarter of what the file system would have free without them. Returns an error, and removes
 * nothing, if they cannot fit.
 */
struct tt_status tt_cache_make_room(const char *folder, uint64_t size, uint64_t limit);

#endif
