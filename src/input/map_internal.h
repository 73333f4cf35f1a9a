/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_internal: the parts of a map, for the files of this directory.
 *
 *      open.c     what the input is, and its spool if it needs one
 *      map.c      the address range, and what is mapped in it
 *      files.c    several files at one range
 *      tracing.c  the descriptions of a running kernel as a file
 */
#ifndef TT_INPUT_MAP_INTERNAL_H
#define TT_INPUT_MAP_INTERNAL_H

#include <stdatomic.h>

#include "input/spool.h"

struct tt_map_files;

struct tt_map {
    int fd;                 /* the file; -1: the spool's, or several */
    struct tt_spool *spool; /* NULL: the file itself is mapped */
    bool copies;            /* the spool copies the file `fd`, which grows */
    bool is_pipe;           /* the spool's source may go on for long (follow) */
    bool is_early;          /* it was opened before all bytes had come */
    uint8_t *base;
    size_t reserved;
    size_t mapped;         /* whole pages of the file that are mapped */
    _Atomic uint64_t size; /* bytes that are mapped */
    size_t page;
    uint64_t from;              /* of the bytes that are used, see tt_map_restrict */
    uint64_t part;              /* their number, 0: all */
    struct tt_map_files *files; /* NULL: it is one file */
};

/* Opens the input at a path without mapping it; the caller closes *map. Errors as of tt_map_open. (open.c) */
struct tt_status tt_map_open_input(const char *path, const struct tt_map_options *options,
                                   struct tt_map **map);
/* Creates a map without an input; NULL: no memory. (map.c) */
struct tt_map *tt_map_new(void);
/* Returns the descriptor of the bytes to map. */
int tt_map_fd(const struct tt_map *map);
/* Reserves address space for `size` bytes and `room` more, less room if the system refuses it. */
struct tt_status tt_map_reserve(struct tt_map *map, uint64_t size, uint64_t room);

/* ---- files.c -------------------------------------------------------------------------------- */

/*
 * Opens the files of the directory `path`, or the parts that `path` is one of. TT_ERR_IO: also ("is a directory") if a
 * directory has no file `metadata`.
 */
struct tt_status tt_map_open_folder(const char *path, const struct tt_map_options *options,
                                    struct tt_map **map);
/* Returns whether a file is a part by its name: NAME.cpuNUMBER. */
bool tt_map_is_part(const char *path);
/*
 * Returns the names in a directory that do not begin with a dot, sorted; NULL, with errno, if it cannot be read. The caller frees
 * the list and each name.
 */
char **tt_map_list_folder(const char *path, size_t *count);
void tt_map_files_free(struct tt_map_files *files);
struct tt_status tt_map_files_grow(struct tt_map *map, bool *grown);
/* Returns the size of the map; where a file has shrunk, the position of its new end. */
uint64_t tt_map_files_size(const struct tt_map *map);
/* Returns whether nothing can shrink the files. */
bool tt_map_files_are_own(const struct tt_map *map);

/* ---- tracing.c ------------------------------------------------------------------------------ */

/* Makes a file of the descriptions in a tracing directory; NULL: that of this machine. TT_ERR_IO, TT_ERR_MEMORY. */
struct tt_status tt_map_tracing(const char *folder, struct tt_map **map);

#endif
