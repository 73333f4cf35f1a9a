/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence: shows that the first bytes of a file are those from which an index was made, although
 * the file has grown since. Neither the times of a file nor a change counter can show it: an append
 * changes them like any other write.
 *
 * Of a small capture all bytes are hashed; of a large one evenly spaced pieces, and the file must
 * be the same (inode, time of birth). A byte that was changed in place between the pieces of a
 * large capture that has also grown is not noticed.
 */
#ifndef TRACETUI_TRACE_CACHE_EVIDENCE_H
#define TRACETUI_TRACE_CACHE_EVIDENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tracetui/map.h"

#define TT_EVIDENCE_PIECE (UINT64_C(16) << 10) /* bytes */

/* Saved byte by byte: has no padding. */
struct tt_evidence {
    uint64_t size;     /* bytes of the capture, from its first */
    uint64_t compared; /* bytes that were hashed: all, or some pieces of TT_EVIDENCE_PIECE */
    uint64_t sum;      /* XXH3 of these */
    uint64_t inode;    /* of the file; 0: all bytes were hashed */
    int64_t born_s;    /* time of birth of the file; both 0: unknown, or all bytes were hashed */
    int64_t born_ns;
};

/*
 * Computes the evidence for the first `size` bytes of the map, at least 1, from at most `most` of
 * them (at least two pieces). Returns false if the file is shorter, cannot be read, or *stop (may
 * be NULL) is set. O(bytes read); any thread.
 */
bool tt_evidence_of(struct tt_evidence *evidence, const struct tt_map *map, uint64_t size,
                    uint64_t most, const _Atomic bool *stop);
/* Returns whether the file still has this evidence. The members may come from a damaged file. */
bool tt_evidence_holds(const struct tt_evidence *evidence, const struct tt_map *map);

#endif
