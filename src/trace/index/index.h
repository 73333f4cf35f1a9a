/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index: the blocks of a capture, made by one thread and read by many while it grows.
 *
 *      tape     |........ block k ........|........ block k+1 ......|
 *               ^ state blob k             ^ state blob k+1
 *
 * A block holds up to TT_BLOCK_EVENTS events and knows where it begins, how many events and derived
 * events it has, and the decoder's state. Its events are decoded again when somebody looks.
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

/* A fuzzer has fewer, so that small captures have several. */
#ifndef TT_BLOCK_EVENTS
#define TT_BLOCK_EVENTS 1024u
#endif
/* A block ends after this many bytes even if it has fewer events (definitions, long records). */
#define TT_BLOCK_BYTES (UINT64_C(1) << 18)

/* Room for a block's actions: four an event, and what one event may have. */
#define TT_BLOCK_ACTIONS (4 * TT_BLOCK_EVENTS + TT_ACTIONS_PER_EVENT)

struct tt_block {
    uint64_t pos; /* where decoding begins */
    const uint8_t *blob;
    uint32_t blob_size;
    _Atomic uint32_t count;   /* of the last block it grows; ranges of the order say what is had */
    _Atomic uint32_t derived; /* how many of them */
    /* As its range in the order has them; under the lock. */
    uint64_t sum;
    uint32_t listed;
};

struct tt_builder;
struct tt_section_file;
struct tt_section_check;

struct tt_index {
    struct tt_capture *capture;
    struct tt_map *map;
    struct tt_column blocks;      /* struct tt_block */
    struct tt_column type_counts; /* _Atomic uint64_t, by type */
    struct tt_arena blobs;        /* the writer's */
    _Atomic uint64_t limit;       /* bytes of the file that may be read */

    _Atomic(struct tt_timelines *) timelines;

    pthread_mutex_t lock;
    pthread_cond_t grown; /* rows were added, or it is finished */
    struct tt_runs order;
    struct tt_progress progress;
    unsigned readers;        /* threads that look at timelines by themselves */
    struct tt_event *sorted; /* of a chaotic file: all events in order; NULL otherwise */

    pthread_t worker;
    bool has_worker;
    _Atomic bool stop;
    void (*notify)(void *arg);
    void *notify_arg;
    bool follows; /* the file may change while it is read; see follow.h */
    /* Of what the index was restored, its timelines not yet; NULL: it is made of the file. */
    const struct tt_section_file *kept;
    const _Atomic bool *kept_gone; /* tells whether what was kept was cut short since; or NULL */
    struct tt_section_check *kept_tracks; /* whether they are sound is being found out; or NULL */
    bool (*restore_timelines)(struct tt_index *index); /* from `kept`; set with it */
    bool kept_damaged;                                 /* they could not be, and were made again */
    struct tt_builder *resumed; /* of a file that has grown: it goes on from there; or NULL */
    /*
     * Called once when nothing whole is left in the file, before what is there is taken for all
     * that will come; by the thread that makes the index. NULL: the file is taken for finished at
     * once.
     */
    void (*at_pause)(void *arg, const struct tt_builder *b);
    void *at_pause_arg;
};

struct tt_status tt_index_init(struct tt_index *index, struct tt_capture *capture,
                               struct tt_map *map);
void tt_index_free(struct tt_index *index);

/* Reads the tape to its end, or takes from what was kept what is not there yet. One thread. */
struct tt_status tt_index_run(struct tt_index *index);
/* There is more to see. */
static inline void tt_index_notify(const struct tt_index *index)
{
    if (index->notify) {
        index->notify(index->notify_arg);
    }
}
/* Nothing more will come: says so to those who wait. */
void tt_index_finish(struct tt_index *index, struct tt_status status);

/*
 * Decodes the first `count` events (on the tape) of block `number` with `cursor` (no learning one)
 * into `events`, sorted; what the file no longer has is filled with malformed events so that rows
 * stay what they were. `sum`: of the range in the order, or 0; where it is another now the file was
 * written anew, and all of it counts as gone.
 */
void tt_index_decode(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                     uint32_t count, uint64_t sum, struct tt_event *events);

/* The same in the order of the tape. */
void tt_index_decode_tape(const struct tt_index *index, struct tt_cursor *cursor, uint32_t number,
                          uint32_t count, uint64_t sum, struct tt_event *events);

/* Goes on with a sum over the events of a block in the order of the tape; never 0. */
static inline uint64_t tt_event_sum(uint64_t sum, const struct tt_event *event)
{
    sum = (sum ^ event->ticks ^ event->pos << 24) * UINT64_C(0x9e3779b97f4a7c15);
    sum ^= (sum >> 29) + event->type + event->length;
    return sum ? sum : 1;
}

/* Sorts events by (ticks, pos); costs one pass when they are sorted already. */
void tt_events_sort(struct tt_event *events, uint32_t count);

#endif
