/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unpack: decodes gzip (RFC 1952) and zstd (RFC 8878) files with several members or frames, zstd's
 * skippable frames, and zeros after the last gzip member, as gzip and zstd accept them.
 *
 *      intake --> in, 16 KB --> decoder --> the caller's buffer
 *
 * Damage ends the decoding; everything decoded before it has been returned. Its offset is in bytes of the
 * compressed input. One thread at a time.
 */
#ifndef TT_INPUT_UNPACK_H
#define TT_INPUT_UNPACK_H

#include "input/intake.h"

enum tt_compression { TT_PLAIN, TT_GZIP, TT_ZSTD };

#define TT_MAGIC_BYTES 4

/*
 * Returns the compression of a file from its first bytes (RFC 1952 section 2.3; RFC 8878 sections
 * 3.1.1 and 3.1.2: a zstd file may begin with a skippable frame).
 */
enum tt_compression tt_compression_of(const uint8_t *head, size_t length);

/* Damage of a compressed file. */
struct tt_damage {
    const char *detail; /* constant text; NULL: no damage */
    uint64_t offset;    /* position of the error, in bytes of the compressed input */
};

struct tt_unpacker;

/* Creates a decoder of an intake's bytes; TT_PLAIN passes them on. TT_ERR_MEMORY. */
struct tt_status tt_unpacker_new(enum tt_compression compression, const struct tt_intake *from,
                                 struct tt_unpacker **unpacker);
/* Frees it; NULL is allowed. The intake stays. */
void tt_unpacker_free(struct tt_unpacker *unpacker);

/*
 * Reads decoded bytes, as tt_intake_read does. The status is lack of memory or an error of the intake;
 * damage is an end.
 */
struct tt_status tt_unpacker_read(void *unpacker, int stop, uint8_t *buffer, size_t size,
                                  size_t *length);
/* Returns the damage at which the decoding ended. */
struct tt_damage tt_unpacker_damage(const struct tt_unpacker *unpacker);

#endif
