/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unpack: decodes gzip (RFC 1952) and zstd (RFC 8878) files with several members or frames, zstd's
 * skippable frames, and zeros after the last gzip member, as gzip and zstd accept them.
 *
 *      fd --read--> decoder --put--> sink
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

/* Receives decoded bytes; a failure ends the decoding and is its result. */
typedef struct tt_status tt_unpack_put(void *arg, const uint8_t *bytes, size_t length);

/*
 * Decode the rest of `fd`. The status is a read error, lack of memory or an error of the sink;
 * damage is not an error and is returned in *damage.
 */
struct tt_status tt_unpack_gzip(int fd, tt_unpack_put *put, void *arg, struct tt_damage *damage);
struct tt_status tt_unpack_zstd(int fd, tt_unpack_put *put, void *arg, struct tt_damage *damage);

/* Reads like read(), and repeats the call after a signal. */
int64_t tt_unpack_read(int fd, uint8_t *buffer, size_t size);

#endif
