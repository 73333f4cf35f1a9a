/* SPDX-License-Identifier: Apache-2.0 */
/*
 * publish: makes decoded events visible to readers. Adds their block to the block list and to the runs,
 * and feeds their actions to the timelines. The events themselves were read before (index/survey.h).
 *
 *      decoded   |==== block k ====|==== block k+1 ===|== block k+2, ... |
 *      parts     [ begins          ][ begins          ][ begins  ][      ]
 *                                                                 ^ continues
 *
 * A block usually arrives as one part; it arrives in several where the available bytes ended.
 *
 * One thread at a time: the indexing thread, or the publishing thread (index/publish_thread.h). The
 * latter shares with the indexing thread only what readers may access while the index grows.
 */
#ifndef TRACETUI_TRACE_INDEX_PUBLISH_H
#define TRACETUI_TRACE_INDEX_PUBLISH_H

#include "trace/index/feed.h"
#include "trace/index/index.h"
#include "trace/timeline/deferred_health.h"

struct tt_publisher {
    struct tt_index *index;
    struct tt_feed feed;
    struct tt_deferred_health held;
    bool holds_health;  /* problems that the timelines find go to `held` */
    uint32_t published; /* events of the current block that are visible to readers */
    uint32_t derived;   /* derived events among them */
};

/* One decoded part of a block; borrowed for the call, except the blob. */
struct tt_decoded {
    uint32_t count;      /* events; 0: only the position advanced, and the next five are invalid */
    uint32_t derived;    /* derived events among them */
    bool ascending;      /* as in struct tt_surveyed */
    struct tt_key first; /* of the block so far, with this part, as are the next two */
    struct tt_key last;
    uint64_t sum; /* as in struct tt_survey */
    /* The actions are in an array of TT_BLOCK_ACTIONS, which is replaced by another one; NULL: they are copied. */
    struct tt_action **array;
    const struct tt_action *actions;
    uint32_t action_count;
    bool begins;         /* the part is the first of its block */
    uint64_t block_pos;  /* tape position of the block; if `begins`, as are the next two */
    const uint8_t *blob; /* decoder state at block_pos; lives as long as the index */
    uint32_t blob_size;
    bool incomplete;  /* the block continues after it */
    uint64_t pos;     /* tape position up to which all is decoded */
    uint64_t records; /* records read for this part */
    uint64_t reached; /* latest time (ticks) of a record without an event; 0: none */
};

void tt_publisher_init(struct tt_publisher *publisher, struct tt_index *index);
void tt_publisher_free(struct tt_publisher *publisher);

/* Publishes a part. Returns false when out of memory. */
bool tt_publisher_publish(struct tt_publisher *publisher, const struct tt_decoded *part);
/* Defers the problems that the timelines find until tt_publisher_report_health. */
void tt_publisher_defer_health(struct tt_publisher *publisher);
void tt_publisher_report_health(struct tt_publisher *publisher);
/*
 * Drops the deferred problems, found in another order than that of time, for those of the rebuilt
 * timelines. Returns false if problems are not deferred.
 */
bool tt_publisher_renew_health(struct tt_publisher *publisher, struct tt_timelines *rebuilt);

#endif
