/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool: turns what cannot be mapped (a pipe, a compressed file) into an unlinked temporary file
 * that can. One thread at a time.
 */
#ifndef TT_BASE_SPOOL_H
#define TT_BASE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unpack.h"
#include "tracetui/status.h"

enum tt_compression { TT_PLAIN, TT_GZIP, TT_ZSTD };

#define TT_MAGIC_BYTES  4
#define TT_DAMAGED_TEXT "container is damaged"

/*
 * Recognizes a compressed file by its first bytes (RFC 1952 section 2.3; RFC 8878 sections 3.1.1
 * and 3.1.2: a zstd file may begin with a skippable frame).
 */
enum tt_compression tt_spool_compression(const uint8_t *head, size_t length);

/* The most bytes that a temporary file may have. */
struct tt_spool_bound {
    uint64_t bytes;
    bool derived; /* from the free space, not from the user */
};

/*
 * `limit` bytes; for 0, half of the space that is available where temporary files are made, or no
 * bound where the system does not report that.
 */
struct tt_spool_bound tt_spool_bound(uint64_t limit);
/* The error of more bytes than that. */
struct tt_status tt_spool_full(const struct tt_spool_bound *bound);

/*
 * Copies everything that `fd` still has into a new temporary file, unpacking it; the caller owns
 * *spooled, and closes `fd`. More than tt_spool_bound(limit) bytes is an error, and so is damage
 * that leaves nothing; else *damage describes what is damaged, and all before it is in the file.
 */
struct tt_status tt_spool(int fd, enum tt_compression compression, uint64_t limit, int *spooled,
                          struct tt_damage *damage);

/* A new, empty temporary file without a name; the caller closes it. */
struct tt_status tt_spool_file(int *fd);

#endif
