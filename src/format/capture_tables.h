/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_tables: the tables of a capture, filled while it is read (see capture.h).
 *
 *  One writer adds; readers use published columns without a lock. Hash tables are changed under
 * `lock`; readers look up under `lock`, the writer without it, so that the writer's hot path
 * (finding a known entry) never locks.
 */
#ifndef TRACETUI_FORMAT_CAPTURE_TABLES_H
#define TRACETUI_FORMAT_CAPTURE_TABLES_H

#include <pthread.h>

#include "base/arena.h"
#include "base/column.h"
#include "base/hash.h"
#include "base/hash_set.h"
#include "tracetui/capture.h"

struct tt_string_entry {
    const char *bytes; /* NUL-terminated, in the arena */
    size_t length;
};

/* Former process of a thread that was moved to another process. */
struct tt_move {
    uint32_t thread;
    uint32_t from;
};

/* Marks the number of a move among the values of `lanes`. */
#define TT_MOVE (UINT32_C(1) << 31)

struct tt_tables {
    pthread_mutex_t lock;
    struct tt_arena arena; /* texts; writer only */

    struct tt_column strings; /* struct tt_string_entry; number 0 is "" */
    struct tt_hash string_hash;

    struct tt_column types;   /* struct tt_event_type */
    struct tt_column classes; /* const char * */
    struct tt_hash type_hash;
    struct tt_hash class_hash; /* writer only */

    struct tt_column processes;       /* struct tt_process */
    struct tt_column threads;         /* struct tt_thread */
    struct tt_hash process_hash;      /* pid -> newest process */
    struct tt_column moves;           /* struct tt_move; locked like the hash tables */
    struct tt_numbers lanes;          /* (process, tid) -> lane, or TT_MOVE | number of a move */
    void (*before_change)(void *arg); /* format/registry_watch.h; or NULL; writer only */
    void *before_change_arg;

    struct tt_column series; /* struct tt_series */
    struct tt_column facts;  /* struct tt_fact */
    struct tt_column health; /* struct tt_health_record */
    _Atomic uint64_t health_counts[TT_HEALTH_COUNT];
    _Atomic bool incomplete; /* an allocation failed */
};

/*
 * The types of a member of a merged capture. A decoder numbers its types itself, and looks them up by the
 * codes of its format, which have other meanings in other members.
 */
struct tt_own_types {
    struct tt_column whole;  /* uint32_t, by own number: number in the merged capture */
    struct tt_column number; /* _Atomic uint32_t, by that number: own number + 1; 0: none */
};

struct tt_own_types *tt_own_types_new(void);
void tt_own_types_free(struct tt_own_types *own); /* NULL is allowed */

/* Records a failed allocation; returns `kept`. Writer only. */
static inline bool tt_tables_saved(struct tt_tables *tables, bool kept)
{
    if (!kept) {
        atomic_store_explicit(&tables->incomplete, true, memory_order_relaxed);
    }
    return kept;
}

struct tt_tables *tt_tables_new(void);
void tt_tables_free(struct tt_tables *tables);
/* Fills `lanes` from threads and moves. Returns false when out of memory or for a duplicate key. */
bool tt_tables_find_lanes(struct tt_tables *tables);

#endif
