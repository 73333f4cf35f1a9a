/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_folder (internal): the folder of kept files, and that they do not fill the disk.
 *
 *      index-0123456789abcdef           a kept file; its mtime says when it was used last
 *      index-0123456789abcdef.Ab3xYz    one that is being written
 *
 * Nothing else in the folder is touched. Several programs may use it at once: a kept file appears
 * whole, by renaming, and one that is removed lives on for those who have it mapped.
 */
#ifndef TRACETUI_TRACE_CACHE_DIRECTORY_H
#define TRACETUI_TRACE_CACHE_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

#define TT_CACHE_PATH 1024 /* bytes of a path, its 0 counted */

/* The path of the kept file of this name (`folder` ends in a slash, here and below); false if it is
 * too long. */
bool tt_cache_path(const char *folder, const char *name, char path[TT_CACHE_PATH]);

/*
 * Opens it for reading, and notes that it was used now. -1: it is not there, or not this person's
 * own file.
 */
int tt_cache_open(const char *path, uint64_t *size);

/*
 * Calls `visit` with the path of each kept file whose name begins as that at `path` does, in as
 * many letters as stay when a capture grows, but for that one; until it returns false.
 */
void tt_cache_family(const char *path, bool (*visit)(void *arg, const char *path), void *arg);

/*
 * Makes room for `size` bytes more: of all kept files and these together no more than `limit` bytes
 * are to stay, nor more than a quarter of what would be free on that file system without them.
 * Those that were used longest ago go first, and what a killed program left behind. An error, with
 * nothing removed, if there cannot be room.
 */
struct tt_status tt_cache_make_room(const char *folder, uint64_t size, uint64_t limit);

#endif
