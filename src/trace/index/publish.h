/* SPDX-License-Identifier: Apache-2.0 */
/*
 * publish: what becomes of events once they are decoded. They are counted by type, their keys are
 * measured, their block gets its place in the list and in the order, and their actions are fed to
 * the timelines.
 *
 *      decoded   |==== block k ====|==== block k+1 ===|== block k+2, ... |
 *      parts     [ begins          ][ begins          ][ begins  ][      ]
 *                                                                 ^ goes on
 *
 * A block mostly comes at once; in parts it comes where the bytes ended.
 *
 * One thread at a time: the one that decodes, or one behind it (index/publish_thread.h), which touches nothing
 * that the other one does but what others may read while it grows.
 */
#ifndef TRACETUI_TRACE_INDEX_PUBLISH_H
#define TRACETUI_TRACE_INDEX_PUBLISH_H

#include "trace/index/feed.h"
#include "trace/index/index.h"
#include "trace/index/watermark.h"
#include "trace/timeline/deferred_health.h"

struct tt_publisher {
    struct tt_index *index;
    uint64_t *counts; /* by type, not yet published */
    uint32_t count_capacity;
    uint32_t uncounted; /* parts since they were */
    struct tt_feed feed;
    struct tt_deferred_health held;
    bool holds_health;           /* health of the timelines is kept back there */
    struct tt_watermark streams; /* when it follows */
    uint64_t final_ticks;        /* when it follows: all events before have come, */
    uint64_t late;               /* but for so many */
    /* The block at hand. */
    struct tt_key first;
    struct tt_key last;
    uint64_t sum;       /* of its events, where the file may change */
    uint32_t published; /* its events that readers have */
    uint32_t derived;   /* of these */
};

/* What was decoded at once, of one block. Nothing of it is kept. */
struct tt_decoded {
    const struct tt_event *events; /* those that are new */
    uint32_t count;                /* none: only the tape went on */
    const struct tt_action *actions;
    uint32_t action_count;
    bool begins;         /* they are the first of a block, */
    uint64_t block_pos;  /* which lies there */
    const uint8_t *blob; /* and begins in this state; it lives as long as the index */
    uint32_t blob_size;
    bool goes_on;     /* more of the block will come */
    uint64_t pos;     /* up to there the tape is decoded */
    uint64_t records; /* that were read */
    uint64_t reached; /* latest time (ticks) of a record without an event; 0: none */
};

void tt_publisher_init(struct tt_publisher *p, struct tt_index *index);
void tt_publisher_free(struct tt_publisher *p);

/* False when out of memory. */
bool tt_publisher_take(struct tt_publisher *p, const struct tt_decoded *part);
/* Makes the counts of types seen, which happens by itself from time to time. False as above. */
bool tt_publisher_show_counts(struct tt_publisher *p);
/* Health that timelines meet is kept back from now on, until it is told. */
void tt_publisher_hold_health(struct tt_publisher *p);
void tt_publisher_tell_health(struct tt_publisher *p);

#endif
