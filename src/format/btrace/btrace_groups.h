/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_groups: multipart traces put together again (class BTrace, enum TMultiPart).
 *
 *      first                 other records   middle                      last
 *      | N | A | D[0..79] |  ...             | N | 80 | D[80..159] | ... | N | 160 | D[160..N-1] |
 *      Extra = id            Extra differs   Extra = id                  Extra = id
 *
 * The parts of a trace carry the same Extra; parts of other traces and whole records may stand
 * between them. A part belongs to an open trace if it says the same N, goes on exactly where the
 * one before it ended, and comes at most BTRACE_GROUP_GAP records after it, with nothing
 * unreadable in between. The trace is whole when its last part brings the data to N bytes.
 *
 * The same rule in two places: struct btrace_groups counts for the health of the capture while
 * the stream goes by, at O(1) a part; btrace_gather walks on from a first part and finds what
 * belongs to it.
 */
#ifndef BTRACE_GROUPS_H
#define BTRACE_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "format/btrace/btrace_record.h"
#include "tracetui/event.h"

#define BTRACE_GROUP_GAP 4096u

/* ---- walking the parts of one trace ------------------------------------------------------- */

struct btrace_gather {
    struct tt_bytes bytes;
    uint64_t next;   /* where to look for the next part */
    uint32_t id;     /* Extra */
    uint32_t total;  /* N */
    uint32_t filled; /* bytes of D so far */
    bool whole;      /* the last part was there */
    bool over;       /* nothing more will come */
};

/* Starts behind the first part `first`. */
void btrace_gather_start(struct btrace_gather *gather, struct tt_bytes bytes,
                         const struct btrace_record *first);
/* The next part, or false. O(BTRACE_GROUP_GAP). */
bool btrace_gather_next(struct btrace_gather *gather, struct btrace_record *part);

/* Bytes of D in a part: all but the two words before them. */
static inline uint32_t btrace_part_bytes(const struct btrace_record *part)
{
    return part->length > 8 ? part->length - 8u : 0;
}

/* ---- the open traces of a stream ---------------------------------------------------------- */

struct btrace_group {
    uint64_t first_pos; /* of the first part */
    uint64_t record;    /* number of the record that held the last part seen */
    uint32_t id;
    uint32_t total;
    uint32_t filled;
    uint32_t next;  /* in its bucket */
    uint32_t newer; /* by age of the last part */
    uint32_t older;
};

struct btrace_groups; /* about 300 KB */

struct btrace_groups *btrace_groups_new(void);
void btrace_groups_free(struct btrace_groups *groups);

enum btrace_part_fate {
    BTRACE_PART_TAKEN,    /* it belongs to an open trace */
    BTRACE_PART_FINISHED, /* it was the last one: *closed is whole */
    BTRACE_PART_ORPHAN,   /* there is no such trace */
    BTRACE_PART_MISFIT,   /* it does not go on where its trace ended: *closed stays unfinished */
};

/* Opens a trace; true if one with the same id was open: *closed stays unfinished. */
bool btrace_groups_open(struct btrace_groups *groups, const struct btrace_record *first,
                        uint64_t record_number, struct btrace_group *closed);
/* A middle or last part. */
enum btrace_part_fate btrace_groups_part(struct btrace_groups *groups,
                                         const struct btrace_record *part, uint64_t record_number,
                                         struct btrace_group *closed);
/*
 * Takes out a trace whose last part lies more than BTRACE_GROUP_GAP before `record_number`; false
 * if there is none. UINT64_MAX takes out any.
 */
bool btrace_groups_expire(struct btrace_groups *groups, uint64_t record_number,
                          struct btrace_group *closed);

#endif
