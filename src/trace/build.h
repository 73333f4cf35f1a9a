/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: makes the index, block by block along the tape, as far as there are bytes.
 *
 *      tape    |==== block k ====|==== block k+1 ===|== block k+2, open ==|· half a record ·|
 *                                                   ^ state saved         ^ cursor          ^ limit
 *
 * Where the bytes end the block at hand stays open: it is published with what it has, and the next
 * step goes on in it from where the cursor stopped. So a file that grew in pieces has the very
 * blocks that it would have had if it had been there at once, and no byte is read twice.
 *
 * One thread, which is the one that adds to the capture's tables.
 */
#ifndef TT_TRACE_BUILD_H
#define TT_TRACE_BUILD_H

#include "trace/feeder.h"
#include "trace/held_health.h"
#include "trace/index.h"
#include "trace/streams.h"

struct tt_builder {
    struct tt_index *index;
    struct tt_cursor *cursor;
    struct tt_batch batch; /* of the block at hand */
    enum tt_decode_result result;
    uint64_t limit;
    uint64_t *counts; /* by type, not yet published */
    uint32_t count_capacity;
    struct tt_feed feed;
    struct tt_feeder *feeder; /* feeds meanwhile; NULL: nobody does */
    struct tt_held_health held;
    struct tt_streams streams; /* when it follows */
    uint8_t *blob;             /* state at the block's start */
    size_t blob_capacity;
    size_t blob_size;
    /* The block at hand. */
    uint64_t block_pos;
    struct tt_key first;
    struct tt_key last;
    uint64_t sum;       /* of its events, where the file may change */
    uint32_t published; /* its events that readers have */
    uint32_t derived;   /* of these */
    uint32_t fed;       /* its actions that the feed has */
    uint64_t forgotten; /* pages up to here were given back */
    bool open;
    bool ascending;       /* its last events came in the order of time */
    bool split;           /* health of the timelines is kept back */
    uint64_t final_ticks; /* when it follows: all events before have come, */
    uint64_t late;        /* but for so many */
    bool final;           /* no bytes will be added */
    bool shrunk;          /* bytes that were there are gone */
};

/* On failure there is nothing to free. */
struct tt_status tt_builder_init(struct tt_builder *b, struct tt_index *index);
void tt_builder_free(struct tt_builder *b);

/*
 * Decodes up to the end of a block, or of what is there below index->limit, and publishes it; *more
 * says whether there may be more now.
 */
struct tt_status tt_builder_step(struct tt_builder *b, bool *more);
/* The place on the tape up to which all is decoded. */
uint64_t tt_builder_pos(const struct tt_builder *b);
/* Makes the counts of types seen. False when out of memory. */
bool tt_builder_publish_counts(struct tt_builder *b);
/*
 * The whole file is there and will not be followed: from now on a thread of its own may feed the
 * timelines, until tt_builder_join, which returns false when out of memory.
 */
void tt_builder_split(struct tt_builder *b);
bool tt_builder_join(struct tt_builder *b);
/* All is there: order and timelines are settled. */
struct tt_status tt_builder_settle(struct tt_builder *b);

/* The timelines of an index that is whole but for them. */
struct tt_status tt_builder_again(struct tt_index *index);

/* ---- while it grows -------------------------------------------------------------------------- */

/*
 * Feeds the timelines up to `until` (ticks), but for the latest `keep` actions, and lets them reach
 * to `reach`. False when out of memory.
 */
bool tt_builder_release(struct tt_builder *b, uint64_t until, size_t keep, uint64_t reach);
/* Would other timelines come out if they were built from all that is there? */
bool tt_builder_is_stale(const struct tt_builder *b);
/* Builds the timelines anew from all that is there, up to `until`. */
struct tt_status tt_builder_rebuild(struct tt_builder *b, uint64_t until);

#endif
