/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: makes the index, block by block along the tape, as far as there are bytes.
 *
 *      tape    |==== block k ====|==== block k+1 ===|== block k+2, open ==|· half a record ·|
 *                                                   ^ state saved         ^ cursor          ^ limit
 *
 * Where the bytes end the block at hand stays open: what it has is handed on to be published
 * (publish.h), and the next step goes on in it from where the cursor stopped. So a file that grew
 * in pieces has the very blocks that it would have had if it had been there at once, and no byte is
 * read twice.
 *
 * One thread, which is the one that adds to the capture's tables. Publishing may be another one's
 * meanwhile (index/publish_thread.h).
 */
#ifndef TRACETUI_TRACE_INDEX_BUILD_H
#define TRACETUI_TRACE_INDEX_BUILD_H

#include "trace/index/publish.h"
#include "trace/index/publish_thread.h"

struct tt_builder {
    struct tt_index *index;
    struct tt_cursor *cursor;
    struct tt_batch batch; /* of the block at hand; all of it was handed on */
    enum tt_decode_result result;
    uint64_t limit;
    struct tt_publisher publisher;
    struct tt_publish_thread *relay; /* publishes meanwhile; NULL: nobody does */
    uint8_t *blob;                   /* state at the start of the block at hand */
    size_t blob_capacity;
    size_t blob_size;
    uint64_t block_pos;
    uint64_t forgotten; /* pages up to here were given back */
    bool open;          /* the block at hand goes on */
    bool final;         /* no bytes will be added */
    bool shrunk;        /* bytes that were there are gone */
};

/* On failure there is nothing to free. */
struct tt_status tt_builder_init(struct tt_builder *b, struct tt_index *index);
void tt_builder_free(struct tt_builder *b);

/*
 * Decodes up to the end of a block, or of what is there below index->limit, and hands it on; *more
 * says whether there may be more now.
 */
struct tt_status tt_builder_step(struct tt_builder *b, bool *more);
/* The place on the tape up to which all is decoded. */
uint64_t tt_builder_pos(const struct tt_builder *b);
/*
 * The whole file is there and will not be followed: from now on a thread of its own may publish,
 * until tt_builder_join, which returns false when out of memory.
 */
void tt_builder_split(struct tt_builder *b);
bool tt_builder_join(struct tt_builder *b);
/* All is there: order and timelines are settled. */
struct tt_status tt_builder_settle(struct tt_builder *b);

/* The timelines of an index that is whole but for them. */
struct tt_status tt_builder_restart(struct tt_index *index);

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
