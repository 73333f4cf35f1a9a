/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/cache/evidence.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/file_read.h"
#include "base/platform.h"

/*
 * Bytes that are read at once. They are read, not mapped: a page fault for each few pages costs more
 * than the hash.
 */
#define STRIDE (UINT64_C(128) << 10)

struct reading {
    int fd;
    const _Atomic bool *stop;
    uint8_t *buffer; /* of STRIDE bytes */
    uint64_t sum;
};

static bool is_stopped(const struct reading *r)
{
    return r->stop && atomic_load_explicit(r->stop, memory_order_relaxed);
}

/* Hashes consecutive bytes into the sum; each stride is seeded by the sum of those before. */
static bool hash_range(struct reading *r, uint64_t from, uint64_t to)
{
    for (uint64_t at = from; at < to; at += STRIDE) {
        uint64_t length = to - at < STRIDE ? to - at : STRIDE;
        if (is_stopped(r) || tt_file_bytes(r->fd, at, r->buffer, length) < length) {
            return false;
        }
        r->sum = XXH3_64bits_withSeed(r->buffer, (size_t)length, r->sum);
    }
    return true;
}

/* Hashes the pieces: the first begins at 0, the last ends at the end, none overlap. */
static bool hash_pieces(struct reading *r, uint64_t size, uint64_t pieces)
{
    uint64_t gap = (size - TT_EVIDENCE_PIECE) / (pieces - 1);
    for (uint64_t i = 0; i < pieces; i++) {
        uint64_t from = i + 1 < pieces ? i * gap : size - TT_EVIDENCE_PIECE;
        if (!hash_range(r, from, from + TT_EVIDENCE_PIECE)) {
            return false;
        }
    }
    return true;
}

/* Sets *sum to the hash of `size` bytes, or of pieces of them unless `pieces` is 0. */
static bool hash_file(const struct tt_map *map, uint64_t size, uint64_t pieces,
                      const _Atomic bool *stop, uint64_t *sum)
{
    struct reading r = {.fd = tt_map_source(map), .stop = stop, .buffer = malloc(STRIDE)};
    bool is_hashed =
        r.buffer && r.fd >= 0 && (pieces ? hash_pieces(&r, size, pieces) : hash_range(&r, 0, size));
    free(r.buffer);
    *sum = r.sum;
    return is_hashed;
}

/* Sets the inode and the time of birth of the file. */
static bool identify_file(struct tt_evidence *evidence, const struct tt_map *map)
{
    struct stat info;
    int fd = tt_map_source(map);
    if (fd < 0 || fstat(fd, &info) != 0) {
        return false;
    }
    evidence->inode = (uint64_t)info.st_ino;
    tt_platform_birth_time(fd, &evidence->born_s, &evidence->born_ns);
    return true;
}

bool tt_evidence_of(struct tt_evidence *evidence, const struct tt_map *map, uint64_t size,
                    uint64_t most, const _Atomic bool *stop)
{
    memset(evidence, 0, sizeof *evidence);
    uint64_t pieces = size > most ? most / TT_EVIDENCE_PIECE : 0;
    if (size == 0 || size > tt_map_bytes(map).size || (size > most && pieces < 2) ||
        !hash_file(map, size, pieces, stop, &evidence->sum)) {
        return false;
    }
    evidence->size = size;
    evidence->compared = pieces ? pieces * TT_EVIDENCE_PIECE : size;
    return pieces == 0 || identify_file(evidence, map);
}

bool tt_evidence_holds(const struct tt_evidence *evidence, const struct tt_map *map)
{
    struct tt_evidence now;
    return evidence->compared <= evidence->size &&
           tt_evidence_of(&now, map, evidence->size, evidence->compared, NULL) &&
           memcmp(&now, evidence, sizeof now) == 0;
}
