/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables: what a capture learns while it is read, behind the functions of capture.h.
 *
 * One writer adds; readers follow published columns without a lock. The hash tables are read by
 * the writer freely, by readers under `lock`, and changed under `lock`, so that the hot path of
 * the writer (finding what it knows already) never locks.
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

/* A thread that belonged to another process when it was met. */
struct tt_move {
    uint32_t thread;
    uint32_t from;
};

/* A number of a move among those of threads. */
#define TT_MOVE (UINT32_C(1) << 31)

struct tt_tables {
    pthread_mutex_t lock;
    struct tt_arena arena; /* texts; the writer's */

    struct tt_column strings; /* struct tt_string_entry; number 0 is "" */
    struct tt_hash string_hash;

    struct tt_column types;   /* struct tt_event_type */
    struct tt_column classes; /* const char * */
    struct tt_hash type_hash;
    struct tt_hash class_hash; /* the writer's alone */

    struct tt_column processes;  /* struct tt_process */
    struct tt_column threads;    /* struct tt_thread */
    struct tt_hash process_hash; /* pid -> newest process */
    struct tt_column moves;      /* struct tt_move; changed and looked at like the hash tables */
    struct tt_numbers lanes;     /* (process, tid) -> lane, or TT_MOVE | a move that has it */

    struct tt_column series; /* struct tt_series */
    struct tt_column facts;  /* struct tt_fact */
    struct tt_column health; /* struct tt_health_record */
    _Atomic uint64_t health_counts[TT_HEALTH_COUNT];
    _Atomic bool incomplete; /* there was no memory for something */
};

/* Notes whether something was kept; hands `kept` through. The writer's. */
static inline bool tt_tables_saved(struct tt_tables *tables, bool kept)
{
    if (!kept) {
        atomic_store_explicit(&tables->incomplete, true, memory_order_relaxed);
    }
    return kept;
}

struct tt_tables *tt_tables_new(void);
void tt_tables_free(struct tt_tables *tables);
/* Makes `lanes` out of threads and moves. False when out of memory, or when two have one key. */
bool tt_tables_find_lanes(struct tt_tables *tables);

#endif
