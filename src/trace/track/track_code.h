/* SPDX-License-Identifier: Apache-2.0 */
/*
 * track_code: the code of a chunk in an index cache, about half as long as the packed chunk
 * (track_pack.h), but only readable from its begin.
 *
 *      | sums | values | times | second values |      a stream of bits, little-endian
 *
 *      sums     difference from the previous chunk's: | 0 | or | 1 | length - 1: 6 | the rest |
 *      values   the distinct ones, and the index of each item; or each value
 *      times    ticks since the item before, as a number of variable length: | length | the rest |
 *
 * Most state changes of a thread are changes of a CPU's occupant. A reference (struct tt_code_refs)
 * is shorter than the time: the number of the occupant, counted from the last reference.
 *
 * Plain data; any thread.
 */
#ifndef TRACETUI_TRACE_TRACK_TRACK_CODE_H
#define TRACETUI_TRACE_TRACK_TRACK_CODE_H

#include "trace/track/track_pack.h"
#include "tracetui/bytes.h"

/*
 * Largest code: values with their distinct ones, times and second values of 32 bits with their
 * lengths, sums with theirs, and the heads of the lists.
 */
#define TT_CODE_MOST ((TT_TRACK_CHUNK * (39u + 40u + 38u) + TT_TRACK_SUMS_MAX * 71u) / 8u + 32u)
/* Bytes that must be readable after a code. */
#define TT_CODE_AFTER 8u

/* The complete tracks of each CPU's occupants, to which the times of thread states refer. */
struct tt_code_refs {
    const struct tt_track *const *occupants;
    uint32_t count;
};

/*
 * Codes a chunk; returns the number of bytes. `previous`: the sums of the previous chunk; `refs` may
 * be NULL.
 */
size_t tt_code_put(const struct tt_pack_items *items, const uint64_t *previous,
                   const struct tt_code_refs *refs, uint8_t bytes[TT_CODE_MOST]);
/* Adds the differences of a code that begins at `at` to the sums. Returns false if it is damaged. */
bool tt_code_add_sums(struct tt_bytes codes, uint64_t at, uint32_t sum_count, uint64_t *sums);
/*
 * Reads a code into items whose base, count, sum_count, sums of the previous chunk and `wide` are
 * set. Returns false if it is damaged.
 */
bool tt_code_get(struct tt_bytes codes, uint64_t at, const struct tt_code_refs *refs,
                 struct tt_pack_items *items);

#endif
