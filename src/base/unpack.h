/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unpack: decodes gzip (RFC 1952) and zstd (RFC 8878) files with several members or frames, zstd's
 * skippable frames, and zeros after the last gzip member, as gzip and zstd accept them.
 *
 *      source --get--> decoder --put--> sink
 *
 * Damage ends the decoding; everything decoded before it has been written to the sink. Its offset
 * is in bytes of the compressed input. One thread at a time.
 */
#ifndef TT_BASE_UNPACK_H
#define TT_BASE_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

/* Damage of a compressed file. */
struct tt_damage {
    const char *detail; /* constant text; NULL: no damage */
    uint64_t offset;    /* position of the error, in bytes of the compressed input */
};

/*
 * Reads up to `size` bytes; *length is their number, 0 at the end. A failure ends the decoding and is
 * its result.
 */
typedef struct tt_status tt_unpack_get(void *arg, uint8_t *buffer, size_t size, size_t *length);
/* Receives decoded bytes; a failure ends the decoding and is its result. */
typedef struct tt_status tt_unpack_put(void *arg, const uint8_t *bytes, size_t length);

struct tt_unpack_ends {
    tt_unpack_get *get;
    void *source; /* argument of `get` */
    tt_unpack_put *put;
    void *sink; /* argument of `put` */
};

/*
 * Decode the rest of the source. The status is lack of memory or an error of the source or the sink;
 * damage is not an error and is returned in *damage.
 */
struct tt_status tt_unpack_gzip(const struct tt_unpack_ends *ends, struct tt_damage *damage);
struct tt_status tt_unpack_zstd(const struct tt_unpack_ends *ends, struct tt_damage *damage);

#endif
