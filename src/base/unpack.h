/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unpack: decodes gzip (RFC 1952) and zstd (RFC 8878) files: several members or frames, zstd's
 * skippable frames, and zeros after the last gzip member, as gzip and zstd accept them.
 *
 *      fd --read--> decoder --put--> sink
 *
 * Damage ends the decoding; the sink has received everything that was decoded before it. The offset
 * of a damage counts bytes of the compressed input. One thread at a time.
 */
#ifndef TT_BASE_UNPACK_H
#define TT_BASE_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

/* Damage of a compressed file. */
struct tt_damage {
    const char *detail; /* const text; NULL: no damage */
    uint64_t offset;    /* where the decoder noticed it, in bytes of the compressed input */
};

/* Receives decoded bytes; a failure ends the decoding and is returned by it. */
typedef struct tt_status tt_unpack_put(void *arg, const uint8_t *bytes, size_t length);

/*
 * Decode all that `fd` still has. A status is a failed read, memory, or the sink's; damage is none
 * and is returned in *damage.
 */
struct tt_status tt_unpack_gzip(int fd, tt_unpack_put *put, void *arg, struct tt_damage *damage);
struct tt_status tt_unpack_zstd(int fd, tt_unpack_put *put, void *arg, struct tt_damage *damage);

/* Reads as read() does, and again where a signal interrupted it. */
int64_t tt_unpack_read(int fd, uint8_t *buffer, size_t size);

#endif
