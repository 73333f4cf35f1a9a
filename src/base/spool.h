/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool: copies input that cannot be mapped (a pipe, a compressed file) into an unlinked temporary
 * file. One thread at a time.
 */
#ifndef TT_BASE_SPOOL_H
#define TT_BASE_SPOOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unpack.h"
#include "tracetui/map.h"
#include "tracetui/status.h"

enum tt_compression { TT_PLAIN, TT_GZIP, TT_ZSTD };

#define TT_MAGIC_BYTES  4
#define TT_DAMAGED_TEXT "damaged container"

/*
 * Returns the compression of a file from its first bytes (RFC 1952 section 2.3; RFC 8878 sections
 * 3.1.1 and 3.1.2: a zstd file may begin with a skippable frame).
 */
enum tt_compression tt_spool_compression(const uint8_t *head, size_t length);

/* The maximum size of a temporary file. */
struct tt_spool_bound {
    uint64_t bytes;
    bool derived; /* derived from the free space, not given by the user */
};

/*
 * Returns the bound for `limit` bytes; for 0, half of the free space in the folder of temporary
 * files, or no bound if the system does not report it.
 */
struct tt_spool_bound tt_spool_bound(uint64_t limit);
/* Returns the error for exceeding the bound. */
struct tt_status tt_spool_full(const struct tt_spool_bound *bound);

/* The watch of a copy, or NULL, and the name of the input. */
struct tt_spool_watch {
    const struct tt_copy_watch *watch;
    const char *path;
};

/* The progress of a copy that is watched, and when it was shown. */
struct tt_spool_shown {
    const struct tt_copy_watch *watch;
    struct tt_copy_progress progress;
    uint64_t began_ms;
    uint64_t shown_ms; /* time of the last call; 0: none */
};

#define TT_SPOOL_SHOW_MS 100 /* between two calls */

/*
 * Shows the progress after `read` bytes of the input, `written` bytes of the copy, if that is due. Before
 * the first byte a program at the other end of a pipe may ask for a password on the same terminal.
 */
void tt_spool_show_if_due(struct tt_spool_shown *s, uint64_t read, uint64_t written);
/* Shows the end, if anything was shown. */
void tt_spool_show_end(struct tt_spool_shown *s, uint64_t written);

/*
 * Copies and unpacks the rest of `fd` into a new temporary file. The caller owns *spooled and
 * closes `fd`. Exceeding tt_spool_bound(limit) is an error, and so is damage before the first byte;
 * other damage is described in *damage, and the file contains everything before it. `watch`: NULL if the
 * copy is not watched.
 */
struct tt_status tt_spool(int fd, enum tt_compression compression, uint64_t limit,
                          const struct tt_spool_watch *watch, int *spooled,
                          struct tt_damage *damage);

/* A temporary file that receives bytes of one source after the other. */
struct tt_spool_sink {
    int fd;
    _Atomic uint64_t written; /* any thread may read it */
    struct tt_spool_bound bound;
};

/* Creates the temporary file, which the caller closes. `limit`: as for tt_spool. */
struct tt_status tt_spool_open(uint64_t limit, struct tt_spool_sink *sink);
/* Appends the unpacked rest of `fd`; all bytes before a damage are in the file. */
struct tt_status tt_spool_append(int fd, enum tt_compression compression,
                                 struct tt_spool_sink *sink, struct tt_damage *damage);

/* Appends bytes; `arg` is the sink (tt_unpack_put). */
struct tt_status tt_spool_put(void *arg, const uint8_t *bytes, size_t length);
/* Copies or unpacks from one end to the other, as tt_unpack_gzip does. */
struct tt_status tt_spool_copy(const struct tt_unpack_ends *ends, enum tt_compression compression,
                               struct tt_damage *damage);
/* Returns the error if nothing is left of damaged input, else success. */
struct tt_status tt_spool_loss(const struct tt_spool_sink *sink, const struct tt_damage *damage);

/* Creates an empty temporary file without a name; the caller closes it. */
struct tt_status tt_spool_file(int *fd);

#endif
