/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: indexes the tape block by block, as far as bytes are available.
 *
 *      tape    |==== block k ====|==== block k+1 ===|== block k+2, open ==|· half a record ·|
 *                                                   ^ state saved         ^ cursor          ^ limit
 *
 * Where the bytes end, the current block stays open: its events so far are published
 * (index/publish.h), and the next step continues it from the cursor. So a file that grew in pieces
 * has the same blocks as one that was complete from the start, and no byte is read twice. With
 * `whole_blocks` the events of an open block are published when it is complete, or at the end: what is
 * published is then exactly the same.
 *
 * One thread, the only one that adds to the capture's tables. Another thread may publish meanwhile
 * (index/publish_thread.h).
 */
#ifndef TRACETUI_TRACE_INDEX_BUILD_H
#define TRACETUI_TRACE_INDEX_BUILD_H

#include "trace/index/publish.h"
#include "trace/index/publish_thread.h"
#include "trace/index/survey.h"

struct tt_builder {
    struct tt_index *index;
    struct tt_cursor *cursor;
    struct tt_batch batch; /* the current block */
    uint32_t events_out;   /* published events of it, */
    uint32_t actions_out;  /* and their actions */
    enum tt_decode_result result;
    uint64_t limit;
    struct tt_survey survey;
    struct tt_publisher publisher;
    struct tt_publish_thread *publish_thread; /* NULL: the indexing thread publishes */
    uint8_t *blob;                            /* decoder state at the start of the current block */
    size_t blob_capacity;
    size_t blob_size;
    uint64_t block_pos;
    uint64_t wanted;    /* tape position up to which the system reads ahead */
    uint64_t forgotten; /* the same, up to which pages were released */
    bool open;          /* the current block is not complete */
    bool final;         /* no bytes will be added */
    bool whole_blocks;  /* an open block is not published */
    bool shrunk;        /* the file was truncated or has an I/O error */
};

/* On failure there is nothing to free. */
struct tt_status tt_builder_init(struct tt_builder *builder, struct tt_index *index);
void tt_builder_free(struct tt_builder *builder);

/*
 * Decodes to the end of the current block, or of the bytes below index->limit, and publishes the
 * events. Sets *more if another step may find events now.
 */
struct tt_status tt_builder_step(struct tt_builder *builder, bool *more);
/*
 * Waits for more bytes of a file that has not completely arrived, and makes them readable; sets *over
 * when all are.
 */
struct tt_status tt_builder_receive(struct tt_builder *builder, bool *over);
/* Returns the tape position up to which all is decoded. */
uint64_t tt_builder_pos(const struct tt_builder *builder);
/*
 * Lets a second thread publish, if the format allows it; for a file that is complete and not
 * followed. tt_builder_join ends that; it returns false when out of memory.
 */
void tt_builder_split(struct tt_builder *builder);
bool tt_builder_join(struct tt_builder *builder);
/* Completes the order and the timelines when all events are indexed. */
struct tt_status tt_builder_settle(struct tt_builder *builder);

/* Builds the timelines of an index that is complete except for them. */
struct tt_status tt_builder_restart(struct tt_index *index);

/* ---- while it grows -------------------------------------------------------------------------- */

/*
 * Feeds the timelines up to `until` (ticks), except the latest `keep` actions, and extends them to
 * `reach` (ticks). Returns false when out of memory.
 */
bool tt_builder_release(struct tt_builder *builder, uint64_t until, size_t keep, uint64_t reach);
/* Returns whether a rebuild from all blocks would change the timelines. */
bool tt_builder_is_stale(const struct tt_builder *builder);
/* Rebuilds the timelines from all blocks, up to `until` (ticks). */
struct tt_status tt_builder_rebuild(struct tt_builder *builder, uint64_t until);

#endif
