/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index: the blocks of a capture, written by one thread and read by many while it grows.
 *
 *      tape     |........ block k ........|........ block k+1 ......|
 *               ^ state blob k             ^ state blob k+1
 *
 * A block covers up to TT_BLOCK_EVENTS events. It stores its position, its numbers of events and
 * derived events, and the decoder's state. Its events are decoded again on access.
 *
 * Locking: `lock` guards order and progress. Blocks and type counts are published without it.
 */
#ifndef TRACETUI_TRACE_INDEX_INDEX_H
#define TRACETUI_TRACE_INDEX_INDEX_H

#include <pthread.h>

#include "base/arena.h"
#include "base/column.h"
#include "trace/index/feed.h"
#include "trace/index/runs.h"
#include "tracetui/map.h"
#include "tracetui/progress.h"

/* Fuzz targets set it lower, so that small captures have several blocks. */
#ifndef TT_BLOCK_EVENTS
#define TT_BLOCK_EVENTS 1024u
#endif
/* A block ends after this many bytes even if it has fewer events (definitions, long records). */
#define TT_BLOCK_BYTES (UINT64_C(1) << 18)

/* Capacity for a block's actions: four per event, and the most that one event may have. */
#define TT_BLOCK_ACTIONS (4 * TT_BLOCK_EVENTS + TT_ACTIONS_PER_EVENT)

struct tt_block {
    uint64_t pos; /* tape position at which decoding begins */
    const uint8_t *blob;
    uint32_t blob_size;
    _Atomic uint32_t count;   /* events; grows in the last block, ahead of its range in `order` */
    _Atomic uint32_t derived; /* derived events among them */
    /* Copies of its range's `sum` and `rows`; guarded by `lock`. */
    uint64_t sum;
    uint32_t listed;
};

struct tt_section_file;
struct tt_section_check;

struct tt_index {
    struct tt_capture *capture;
    struct tt_map *map;
    struct tt_column blocks;      /* struct tt_block */
    struct tt_column type_counts; /* _Atomic uint64_t, by type */
    struct tt_arena blobs;        /* decoder states; the indexing thread's */
    _Atomic uint64_t limit;       /* readable bytes of the file */

    _Atomic(struct tt_timelines *) timelines;

    pthread_mutex_t lock;
    pthread_cond_t grown; /* rows were added, or the index is finished */
    struct tt_runs order;
    struct tt_progress progress;
    unsigned readers;        /* threads that use the timelines on their own */
    struct tt_event *sorted; /* all events in time order if `order` is chaotic, else NULL */

    pthread_t worker;
    bool has_worker;
    _Atomic bool stop;
    void (*notify)(void *arg);
    void *notify_arg;
    bool always_two; /* a second thread publishes even if that is slower: for measurements */
    bool follows;    /* the file may change while it is read (follow/follow.h) */
    bool receives;   /* more bytes may arrive (tt_map_wait): they are waited for */
    bool rows_only;  /* no timelines are made */
    /* Index cache that the index, but not its timelines, was restored from; NULL: none. */
    struct tt_section_file *cached;
    const _Atomic bool *cached_gone; /* set when the index cache has been truncated; or NULL */
    struct tt_section_check *cached_check;             /* pending check of its tracks; or NULL */
    bool (*restore_timelines)(struct tt_index *index); /* from `cached`; set with it */
    bool cached_damaged;                               /* that failed: the timelines were rebuilt */
};

struct tt_status tt_index_init(struct tt_index *index, struct tt_capture *capture,
                               struct tt_map *map);
void tt_index_free(struct tt_index *index);

/*
 * Indexes the tape to its end, or restores the timelines from the index cache. One thread. tt_index_run
 * then marks the index as finished.
 */
struct tt_status tt_index_make(struct tt_index *index);
struct tt_status tt_index_run(struct tt_index *index);
/* Notifies the owner that the index has grown. */
static inline void tt_index_notify(const struct tt_index *index)
{
    if (index->notify) {
        index->notify(index->notify_arg);
    }
}
/* Marks the index as finished and wakes all waiting threads. */
void tt_index_finish(struct tt_index *index, struct tt_status status);

/*
 * Decodes the first `count` events of block `number` in record order with `cursor`, which is not
 * the indexing cursor, and sorts them into `events`. Events that the file no longer has become
 * malformed ones, so that rows keep their numbers. `sum` is that of the block's range, or 0; if the
 * events have another sum now, the file was rewritten and all of them become malformed.
 */
void tt_index_decode(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                     uint32_t count, uint64_t sum, struct tt_event *events);

/* The same in record order. */
void tt_index_decode_tape(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                          uint32_t count, uint64_t sum, struct tt_event *events);

/* Adds an event to the checksum of a block, in record order; never 0. */
static inline uint64_t tt_event_sum(uint64_t sum, const struct tt_event *event)
{
    sum = (sum ^ event->ticks ^ event->pos << 24) * UINT64_C(0x9e3779b97f4a7c15);
    sum ^= (sum >> 29) + event->type + event->length;
    return sum ? sum : 1;
}

/* Sorts events by (ticks, pos); one pass if they are sorted already. */
void tt_events_sort(struct tt_event *events, uint32_t count);

#endif
