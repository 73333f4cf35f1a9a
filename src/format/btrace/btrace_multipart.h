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
 * belongs to it. So that a trace without an end does not cost each who looks at it a walk over
 * thousands of records, the walk is short, and what lies further off is noted while learning:
 *
 *      part ......... up to BTRACE_GROUP_NEAR records ......... part      found by walking
 *      part ......... up to BTRACE_GROUP_GAP records .......... part      struct btrace_jumps
 *
 * Jumps: one thread adds, any thread looks up. All else belongs to one thread.
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

/* ---- from a part to the next one that is far off ------------------------------------------- */

struct btrace_jump {
    uint64_t from;
    uint64_t to;
};

struct btrace_jumps {
    pthread_mutex_t lock; /* readers look up, the writer adds */
    struct tt_hash hash;
    struct tt_column list; /* struct btrace_jump */
};

bool btrace_jumps_init(struct btrace_jumps *jumps);
void btrace_jumps_free(struct btrace_jumps *jumps);
/* False when out of memory. */
bool btrace_jumps_add(struct btrace_jumps *jumps, uint64_t from, uint64_t to);
/* Where the part after the one at `from` is; UINT64_MAX: nothing is noted. Takes the lock. */
uint64_t btrace_jumps_find(struct btrace_jumps *jumps, uint64_t from);

/* ---- walking the parts of one trace ------------------------------------------------------- */

struct btrace_gather {
    struct tt_bytes bytes;
    struct btrace_jumps *jumps;
    uint64_t at;     /* the last part */
    uint64_t next;   /* where to look for the next one */
    uint32_t id;     /* Extra */
    uint32_t total;  /* N */
    uint32_t filled; /* bytes of D so far */
    bool whole;      /* the last part was there */
    bool over;       /* nothing more will come */
};

/* Starts behind the first part `first`. */
void btrace_gather_start(struct btrace_gather *gather, struct tt_bytes bytes,
                         struct btrace_jumps *jumps, const struct btrace_record *first);
/* The next part, or false. O(BTRACE_GROUP_NEAR). */
bool btrace_gather_next(struct btrace_gather *gather, struct btrace_record *part);

/* Bytes of D in a part: all but the two words before them. */
static inline uint32_t btrace_part_bytes(const struct btrace_record *part)
{
    return part->length > 8 ? part->length - 8u : 0;
}

/* ---- the open traces of a stream ---------------------------------------------------------- */

struct btrace_group {
    uint64_t first_pos; /* of the first part */
    uint64_t last_pos;  /* of the last part seen */
    uint64_t record;    /* number of the record that held it */
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
    BTRACE_PART_FINISHED, /* it was the last one: the trace is whole */
    BTRACE_PART_ORPHAN,   /* there is no such trace */
    BTRACE_PART_MISFIT,   /* it does not go on where its trace ended, which stays unfinished */
};

/* Opens a trace; true if one with the same id was open: *closed stays unfinished. */
bool btrace_groups_open(struct btrace_groups *groups, const struct btrace_record *first,
                        uint64_t record_number, struct btrace_group *closed);
/* A middle or last part. *before: its trace as it stood, if there is one. */
enum btrace_part_fate btrace_groups_part(struct btrace_groups *groups,
                                         const struct btrace_record *part, uint64_t record_number,
                                         struct btrace_group *before);
/*
 * Takes out a trace whose last part lies more than BTRACE_GROUP_GAP before `record_number`; false
 * if there is none. UINT64_MAX takes out any.
 */
bool btrace_groups_expire(struct btrace_groups *groups, uint64_t record_number,
                          struct btrace_group *closed);

struct tt_section_writer;
struct tt_reader;
/* Puts the open traces into the section at hand of a kept file (base/section_file.h), the one longest
 * without a part first, and takes them out again into a new one. False when it makes no sense. */
void btrace_groups_keep(const struct btrace_groups *groups, struct tt_section_writer *w);
bool btrace_groups_restore(struct btrace_groups *groups, struct tt_reader *r);

#endif
