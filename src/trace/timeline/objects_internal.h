/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects_internal: the tracks behind tracetui/objects.h, and their builder.
 *
 *      value of a step   | release 1 | thread 31 |
 *
 * A request (TT_ACTION_LOCK_WAIT) only sets the object that its thread asks for; a step is stored when
 * the thread enters a state of that kind, which most requests do not lead to. A release is stored only
 * if a wait since the last stored one may still be open. Both are frequent for objects without
 * waiters: `recent` has the objects requested last, without a hash of their parts; `awaited` has a
 * count of those with waiters by address, which is nearly always 0 for a release.
 *
 * The indexing thread builds; readers follow the published tracks.
 */
#ifndef TRACETUI_TRACE_TIMELINE_OBJECTS_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_OBJECTS_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "base/hash.h"
#include "trace/track/track.h"
#include "tracetui/objects.h"

#define OBJECT_RELEASE      (UINT32_C(1) << 31)
#define OBJECT_THREAD(step) ((step) & ~OBJECT_RELEASE)

struct tt_object_lane {
    struct tt_track steps;
    struct tt_object object;
    /* Used by the builder only, from here on. */
    uint32_t waits;    /* waits since, less the releases */
    uint32_t owner;    /* as the last request names it; TT_NO_THREAD: it may have changed since */
    uint32_t disputed; /* CPU + 1 on which another thread than `owner` released it last; 0: none */
    uint32_t number;
};

/* The last requests of a thread: numbers of objects + 1; 0: none. */
struct tt_object_request {
    uint32_t loss; /* valid if equal to that of struct tt_object_lanes */
    uint32_t held; /* of a kind that is held */
    uint32_t other;
    uint32_t awaited;   /* the object that the thread waits for, of a kind that is held */
    uint32_t has_owner; /* 1: the request for `held` names the owner */
};

/*
 * A release of an object that has waiters in one other process: that process has mapped it at the same
 * address if the call makes a waiter ready.
 */
struct tt_object_shared {
    uint64_t time;
    uint32_t object; /* TT_NO_OBJECT: none */
    uint32_t thread; /* that releases it */
    uint32_t cpu;
    uint32_t zero;
};

#define TT_OBJECT_SLOTS 256u /* a power of two */

struct tt_object_lanes {
    struct tt_column objects; /* struct tt_object_lane */
    /* Used by the builder only, from here on. */
    struct tt_column requests; /* struct tt_object_request, by thread */
    struct tt_column_index object_at;
    struct tt_column_index request_at;
    struct tt_hash by_id;      /* numbers of objects by (process, kind, id) */
    struct tt_hash by_address; /* the same by (kind, id) */
    struct tt_object_shared shared;
    uint32_t loss; /* losses so far */
    /* By slot of (kind, id): */
    struct tt_object_lane *recent[TT_OBJECT_SLOTS]; /* object that was requested last, or NULL */
    uint32_t awaited[TT_OBJECT_SLOTS];              /* objects of held kinds with waits */
};

struct tt_action;
struct tt_lane;
struct tt_timelines;

void tt_object_lanes_init(struct tt_object_lanes *objects);
void tt_object_lanes_free(struct tt_object_lanes *objects);

/* Handle one action of their kind. Return false when out of memory. */
bool tt_objects_request(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_objects_release(struct tt_timelines *timelines, const struct tt_action *action);
/* Handles a thread that enters a state of a kind of object. */
bool tt_objects_wait(struct tt_timelines *timelines, uint32_t thread, uint64_t time, unsigned kind);
/* Handles the next state of a thread that may become ready by the release in `shared`. */
bool tt_objects_confirm(struct tt_timelines *timelines, const struct tt_lane *waiter,
                        const struct tt_action *action);
/*
 * Handles the end of a wait: counts a release by another thread than the recorded owner
 * (TT_HEALTH_LOCK_OWNER), if this release woke the waiter.
 */
void tt_objects_left(struct tt_timelines *timelines, const struct tt_lane *waiter,
                     const struct tt_action *action);
/* Makes the requests before a loss invalid. */
void tt_objects_lost(struct tt_timelines *timelines);

/* For the index cache: creates an object. NULL: out of memory. */
struct tt_object_lane *tt_object_add(struct tt_object_lanes *objects,
                                     const struct tt_object *object);

#endif
