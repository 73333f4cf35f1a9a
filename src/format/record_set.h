/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_set: the records of a file that are part of an excerpt: one bit per possible beginning of a
 * record, in chunks that exist where a record was added.
 *
 *      offset     base     base + unit ...
 *      bits       1 0 0 1 1 0 0 0 | no chunk | 0 0 1 1 ...
 *
 * Memory: 8 KB per 65,536 units that have a record. One thread at a time.
 */
#ifndef FORMAT_RECORD_SET_H
#define FORMAT_RECORD_SET_H

#include <stdbool.h>
#include <stdint.h>

struct tt_record_set {
    uint64_t base; /* file offset of the first unit */
    uint32_t unit; /* bytes */
    uint64_t **chunks;
    uint64_t chunk_count;
    uint64_t count; /* of records */
};

/* Makes an empty set. The caller frees it with tt_record_set_free. */
void tt_record_set_make(struct tt_record_set *set, uint64_t base, uint32_t unit);
void tt_record_set_free(struct tt_record_set *set);
/*
 * Adds the record at a file offset; an offset below the base or between two units is ignored. False
 * if out of memory.
 */
bool tt_record_set_add(struct tt_record_set *set, uint64_t offset);
bool tt_record_set_has(const struct tt_record_set *set, uint64_t offset);
/* Moves *offset to the first record at or after it; false if there is none. */
bool tt_record_set_next(const struct tt_record_set *set, uint64_t *offset);

#endif
