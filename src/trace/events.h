/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events: what a reader of events keeps. events.c finds them, event_details.c tells what they hold.
 *
 * It belongs to one thread; it owns its cursor, the blocks it holds and the heads of its merge.
 */
#ifndef TT_TRACE_EVENTS_H
#define TT_TRACE_EVENTS_H

#include "trace/trace_internal.h"

#define HELD_BLOCKS 8

/* A block that was decoded for somebody and may be asked for again. */
struct held {
    struct tt_event *events;
    uint32_t block;
    uint32_t count; /* 0: nothing held; of a block that grows: as many as there were */
    uint64_t used;
};

/* Where the merge stands in one run. */
struct head {
    struct tt_event *events; /* of the range's block, when loaded */
    struct tt_block_range range;
    size_t run;
    size_t next_range; /* in the run, after `range` */
    uint32_t index;    /* in events */
    bool loaded;
};

struct tt_events {
    uint64_t forgotten; /* up to here pages were last given back */
    struct tt_trace *trace;
    struct tt_cursor *cursor;
    struct held held[HELD_BLOCKS];
    uint64_t clock; /* counts uses, for the choice of what to drop */

    struct head *heads; /* a heap by key; the first head_count are not at their end */
    size_t head_count;
    size_t head_capacity;
    uint64_t merge_row; /* the row that the merge gives next */
    uint64_t merge_changes;
    bool merging;
};

#endif
