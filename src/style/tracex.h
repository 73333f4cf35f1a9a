/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracex: prints a capture as TraceX's "Raw Trace Dump" does (dump --style tracex).
 *
 * TraceX inserts a RUNNING event where the next context of an event differs from the context of the
 * following one, and then counts and prints the list of all events. Here the list is walked three
 * times and never stored:
 *
 *      tracex_events.c    the events with the inserted ones, one after the other
 *      tracex_numbers.c   two walks: statistics of the system and of each object
 *      tracex.c           the last walk: prints
 *
 * The rules are those of TraceX 6.2.1 to 6.4.1, errors included, so that its figures can be compared
 * line by line; the rules of `stats` are in docs/metrics.md. With several cores, for which TraceX
 * has no rules, the next contexts are those of trx_next_context.c.
 */
#ifndef TT_STYLE_TRACEX_H
#define TT_STYLE_TRACEX_H

#include "format/trx/trx_counters.h"
#include "format/trx/trx_internal.h"

#define TRX_TRACEX_NONE UINT32_MAX /* no priority, no threshold */

/*
 * An object of the registry, or after those a thread that the registry lacks, in order of their first
 * events. TraceX finds an object by the first entry with its address.
 */
struct tracex_object {
    const struct trx_object *object; /* NULL: not in the registry */
    uint64_t address;
    bool is_thread;
    uint32_t first_priority; /* the first one in the capture */
    uint32_t first_threshold;
    uint32_t priority; /* that of its last event before the current one */
    uint32_t threshold;
    uint64_t low; /* the largest and the smallest number of its priorities */
    uint64_t high;
    uint64_t threshold_low;
    uint64_t threshold_high;
    uint64_t inserted_low; /* of thresholds of inserted events, which TraceX counts last */
    uint64_t inserted_high;
    uint64_t events;
    uint64_t ticks; /* of execution */
    uint64_t stack_min;
    uint64_t stack_event;
    uint64_t owner_priority; /* as the rule of inversions has it */
    uint64_t blocked;        /* thread that waits for this mutex in an inversion; 0: none */
    uint64_t blocked_priority;
    uint64_t owner;
    uint32_t waiting; /* list of inversions that end with its next event, index + 1 */
    uint32_t twin;    /* next object of the registry with the same address; 0: none */
};

struct tracex_event {
    uint64_t number; /* of all events, inserted ones included */
    uint64_t context;
    uint64_t next;
    uint64_t ticks;
    uint64_t stamp; /* masked */
    uint64_t info[4];
    uint64_t priority; /* of an interrupt the word of the entry */
    uint64_t threshold;
    uint64_t raw_id;
    uint64_t raw_priority;
    uint32_t id;
    uint32_t object; /* of the context; TRX_TRACEX_NONE */
    bool inserted;
    bool has_threshold; /* an event of the thread shows it */
};

/* An inversion that begins at an event and ends at another one. */
struct tracex_inversion {
    uint64_t begin;
    uint64_t end;
    uint32_t sequence;
    uint32_t following; /* in the list of its thread, index + 1 */
    bool bad;           /* non-deterministic */
};

struct tracex_popular {
    uint32_t id;
    uint64_t count;
};

struct tracex {
    const struct trx_decoder *d;
    uint64_t limit;
    struct tracex_object *objects;
    uint32_t object_count;
    uint32_t *unnamed; /* by context: object of a thread that the registry lacks */

    uint64_t events;
    uint64_t ticks;
    uint64_t idle_ticks;
    uint64_t interrupt_ticks;
    uint64_t switches;
    uint64_t preemptions;
    uint64_t slices;
    uint64_t suspensions;
    uint64_t resumptions;
    uint64_t interrupts;
    uint64_t nested;
    uint64_t inversion_count;
    uint64_t bad_count;
    struct tracex_inversion *inversions; /* in order of their begins */
    size_t listed;
    size_t list_capacity;
    struct tracex_popular *popular; /* the most frequent first */
    size_t popular_count;
    uint64_t filex[TT_TOOL_VALUES];
    uint64_t netx[TT_TOOL_VALUES];
};

/* A walk over the events. */
struct tracex_walk {
    struct tracex *x;
    uint32_t index; /* next entry */
    uint64_t number;
    uint64_t ticks;
    uint64_t stamp;
    bool insert; /* the inserted event comes next */
    struct tracex_event before;
};

/* Finds the objects and their first priorities. Returns false if out of memory. */
bool trx_tracex_open(struct tracex *tracex, const struct tt_capture *capture, uint64_t limit);
void trx_tracex_free(struct tracex *tracex);
/* Returns the object at an address; TRX_TRACEX_NONE: none. */
uint32_t trx_tracex_object(const struct tracex *tracex, uint64_t address);
/* Begins a walk; only one at a time. */
void trx_tracex_walk_begin(struct tracex *tracex, struct tracex_walk *walk);
/* Returns the next event; false at the end. */
bool trx_tracex_walk_next(struct tracex_walk *walk, struct tracex_event *event);

/* Computes all numbers. Returns false if out of memory. */
bool trx_tracex_count(struct tracex *tracex, const struct tt_capture *capture);

/* Returns TraceX's name of an event without trailing blanks; NULL: it has none. */
const char *trx_tracex_caption(uint32_t id);

#endif
