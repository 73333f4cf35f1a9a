/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events: the state of a reader of events. events.c finds events, event_details.c decodes their
 * contents.
 *
 * A reader belongs to one thread; it owns its cursor, its decoded blocks, the heads of its
 * merge and its merged rows.
 */
#ifndef TT_TRACE_EVENTS_H
#define TT_TRACE_EVENTS_H

#include "trace/trace_internal.h"

#define HELD_WAYS 8u   /* blocks of a set; any 8 blocks stay decoded */
#define HELD_SETS 128u /* of a reader that keeps many blocks: 32 MB */

/* A decoded block in the reader's cache. */
struct held {
    struct tt_event *events;
    uint32_t block;
    uint32_t count; /* 0: unused; of a growing block: the count at that time */
    uint64_t used;
};

#define MERGED_PAGES 8
#define MERGED_ROWS  512u

/* Merged rows [row, row + count) in the reader's cache. */
struct merged {
    struct tt_event *events;
    uint64_t row;
    uint64_t changes; /* of the order of rows, when they were merged */
    uint64_t used;
    uint32_t count; /* 0: unused */
};

/* Position of the merge in one run. */
struct head {
    struct tt_event *events; /* those of the range's block, if loaded */
    struct tt_block_range range;
    size_t run;
    size_t next_range; /* index in the run of the range after `range` */
    uint32_t index;    /* in events */
    bool loaded;
};

/*
 * The order of the events of one system of a merged capture: the blocks of its member, arranged as those of
 * the index.
 */
struct part_order {
    struct tt_runs runs;
    uint64_t changes; /* of the index's order, and its rows, from which it was made */
    uint64_t rows;
};

struct tt_events {
    uint64_t forgotten; /* position up to which pages were released */
    bool is_guarded;    /* the caller has a guard around many events */
    struct tt_trace *trace;
    struct tt_cursor *cursor;
    void (*cursor_free)(struct tt_cursor *cursor);
    struct held *held;  /* sets of HELD_WAYS blocks each; a block is in the set of its number */
    uint32_t held_sets; /* 1, or HELD_SETS */
    uint64_t clock;     /* counts uses, to replace the least recently used block */

    struct head *heads; /* heap by key; the first head_count are not at their end */
    size_t head_count;
    size_t head_capacity;
    uint64_t merge_row; /* row of the next event of the merge */
    uint64_t merge_changes;
    bool merging;
    struct merged merged[MERGED_PAGES]; /* for backward reads of a few rows */

    struct tt_events **parts; /* readers of one system each, or NULL until needed; owned */
    unsigned part_count;
    unsigned system;        /* of a reader of one system, */
    struct part_order *own; /* with its order; NULL: it reads all events */
};

/*
 * Enlarges the reader's cache to HELD_SETS times as many decoded blocks, for reads that return to
 * the same times repeatedly. If out of memory, the cache keeps its usual size. Call it before the
 * first read.
 */
void tt_events_keep_many(struct tt_events *events);

/* Returns the order of the reader's events. The caller holds the lock of the index. */
static inline const struct tt_runs *tt_events_order(const struct tt_events *events)
{
    return events->own ? &events->own->runs : &events->trace->index.order;
}

/* Arranges the blocks of a reader of one system again if there are others since; locked as above. */
void tt_events_refresh(const struct tt_events *events);

/* Finds the block of a row, if the capture has one run. Returns false otherwise. */
bool tt_events_block_of_row(const struct tt_events *events, uint64_t row,
                            struct tt_block_range *range);

#endif
