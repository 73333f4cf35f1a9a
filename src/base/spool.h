/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool: turns what cannot be mapped (a pipe, a compressed file) into an unlinked temporary file
 * that can. One thread at a time.
 */
#ifndef TT_BASE_SPOOL_H
#define TT_BASE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

enum tt_compression { TT_PLAIN, TT_GZIP, TT_ZSTD };

#define TT_MAGIC_BYTES 4

/* Told by the first bytes of a file (RFC 1952 section 2.3; RFC 8878 section 3.1.1). */
enum tt_compression tt_spool_compression(const uint8_t *head, size_t length);

/*
 * Copies everything that `fd` still has into a new temporary file, unpacking it; the caller owns
 * *spooled, and closes `fd`. More than `limit` bytes (0: no limit) is an error.
 */
struct tt_status tt_spool(int fd, enum tt_compression compression, uint64_t limit, int *spooled);

/* A new, empty temporary file without a name; the caller closes it. */
struct tt_status tt_spool_file(int *fd);

#endif
