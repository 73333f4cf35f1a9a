/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_multipart: joins multipart traces (class BTrace, enum TMultiPart).
 *
 *       first                 other records   middle                      last
 *       | N | A | D[0..79] |  ...             | N | 80 | D[80..159] | ... | N | 160 | D[160..N-1] |
 *       Extra = id            Extra differs   Extra = id                  Extra = id
 *
 *  The parts of a trace have the same Extra; other records may be between them. A part belongs to
 * an open trace if it has the same N, continues exactly where the previous part ended, and comes at
 * most BTRACE_GROUP_GAP records after it, with no unreadable bytes in between. The trace is
 * complete when its last part completes N bytes.
 *
 *  Two implementations of this rule: struct btrace_groups checks all traces for the capture's
 * health, at O(1) per part; btrace_gather walks from a first part and finds the others. To keep a
 * trace without an end from costing a walk over thousands of records each time, the walk is short,
 * and the learning cursor records longer distances:
 *
 *       part ......... up to BTRACE_GROUP_NEAR records ......... part      found by walking
 *       part ......... up to BTRACE_GROUP_GAP records .......... part      struct btrace_jumps
 *
 *  Jumps: one thread adds, any thread looks up. Everything else belongs to one thread.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_MULTIPART_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_MULTIPART_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/column.h"
#include "base/hash.h"
#include "format/btrace/btrace_record.h"
#include "tracetui/event.h"

#define BTRACE_GROUP_GAP  4096u
#define BTRACE_GROUP_NEAR 64u

/* ---- jumps to distant parts ------------------------------------------------------------- */

struct btrace_jump {
    uint64_t from;
    uint64_t to;
};

struct btrace_jumps {
    pthread_mutex_t lock; /* held by readers that look up and the writer that adds */
    struct tt_hash hash;
    struct tt_column list; /* struct btrace_jump */
};

bool btrace_jumps_init(struct btrace_jumps *jumps);
void btrace_jumps_free(struct btrace_jumps *jumps);
/* Returns false when out of memory. */
bool btrace_jumps_add(struct btrace_jumps *jumps, uint64_t from, uint64_t to);

/* ---- parts of one trace ----------------------------------------------------------------- */

struct btrace_gather {
    struct tt_bytes bytes;
    struct btrace_jumps *jumps;
    uint64_t at;     /* the last part */
    uint64_t next;   /* where the search for the next one starts */
    uint32_t id;     /* Extra */
    uint32_t total;  /* N */
    uint32_t filled; /* bytes of D so far */
    bool whole;      /* the last part was found */
    bool over;       /* there are no more parts */
};

/* Starts after the first part `first`. */
void btrace_gather_start(struct btrace_gather *gather, struct tt_bytes bytes,
                         struct btrace_jumps *jumps, const struct btrace_record *first);
/* Finds the next part; returns false if there is none. O(BTRACE_GROUP_NEAR). */
bool btrace_gather_next(struct btrace_gather *gather, struct btrace_record *part);

/* Returns the bytes of D in a part: all but the two words before them. */
static inline uint32_t btrace_part_bytes(const struct btrace_record *part)
{
    return part->length > 8 ? part->length - 8u : 0;
}

/* ---- open traces of a stream ------------------------------------------------------------ */

struct btrace_group {
    uint64_t first_pos; /* of the first part */
    uint64_t last_pos;  /* of the last part seen */
    uint64_t record;    /* number of the record with it */
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
    BTRACE_PART_TAKEN,    /* belongs to an open trace */
    BTRACE_PART_FINISHED, /* was the last one: the trace is complete */
    BTRACE_PART_ORPHAN,   /* there is no such trace */
    BTRACE_PART_MISFIT,   /* does not continue its trace, which remains unfinished */
};

/* Opens a trace. Returns true if one with the same id was open: *closed remains unfinished. */
bool btrace_groups_open(struct btrace_groups *groups, const struct btrace_record *first,
                        uint64_t record_number, struct btrace_group *closed);
/* Handles a middle or last part. *before: the previous state of its trace, if there is one. */
enum btrace_part_fate btrace_groups_part(struct btrace_groups *groups,
                                         const struct btrace_record *part, uint64_t record_number,
                                         struct btrace_group *before);
/* Returns whether a multipart trace is open. */
bool btrace_groups_any(const struct btrace_groups *groups);
/*
 * Removes a trace whose last part is more than BTRACE_GROUP_GAP before `record_number`; returns
 * false if there is none. UINT64_MAX removes any.
 */
bool btrace_groups_expire(struct btrace_groups *groups, uint64_t record_number,
                          struct btrace_group *closed);

#endif
