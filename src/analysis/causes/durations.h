/* SPDX-License-Identifier: Apache-2.0 */
/*
 * durations: the durations of single events: from a kernel call to its exit, from an interrupt to its
 * end, of a slice. docs/metrics.md ("A duration") has the rules; `stats --by event` has their sums.
 *
 *      rows    ..  begin A   begin B   end B   end A  ..     read in the order of time
 *      open        A         A B       A       -             begins whose end has not come
 *
 * A walk reads rows forward, and reports each wanted begin when its end is reached. It owns its
 * memory, which grows with the open begins. One thread. Times are ticks.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_DURATIONS_H
#define TRACETUI_ANALYSIS_CAUSES_DURATIONS_H

#include "tracetui/format.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

struct tt_duration_sink {
    /* Returns whether the duration of an event is wanted. */
    bool (*wanted)(void *arg, const struct tt_event *event, uint64_t row);
    /* Receives the duration of the event in a row. */
    void (*take)(void *arg, uint64_t row, uint64_t ticks);
    void *arg;
    uint64_t kinds; /* of the events of which durations begin or end: TT_EDGES_ALL */
};

struct tt_duration_walk;

struct tt_duration_walk *tt_duration_walk_new(struct tt_trace *trace); /* NULL: out of memory */
void tt_duration_walk_free(struct tt_duration_walk *walk);
/*
 * Sets the types of events to read: those with edges and those that the caller needs. May be called
 * again between steps. Without this call all types are read.
 */
void tt_duration_walk_types(struct tt_duration_walk *walk, const struct tt_type_set *types);
/* Discards the open begins, so that the walk can continue at another row. */
void tt_duration_walk_clear(struct tt_duration_walk *walk);
/* Returns the number of wanted begins whose end has not been reached. */
uint32_t tt_duration_walk_open(const struct tt_duration_walk *walk);
/*
 * Reads events from `row` on, up to 512 and of at most `rows` rows; returns the number of rows that
 * it passed, 0 at the end. TT_ERR_MEMORY in `*status`.
 */
uint32_t tt_duration_walk_step(struct tt_duration_walk *walk, struct tt_events *events,
                               uint64_t row, uint64_t rows, const struct tt_duration_sink *sink,
                               struct tt_status *status);
/* Returns the events that the last step has read, and their rows, until the next step. */
const struct tt_event *tt_duration_walk_events(const struct tt_duration_walk *walk,
                                               const uint64_t **rows, uint32_t *count);

/*
 * Returns whether a lane or CPU of an edge is unknown between two times, as in a loss: the duration
 * may then belong to two operations.
 */
bool tt_duration_is_cut(const struct tt_timelines *timelines, const struct tt_edge *edge,
                        uint64_t from, uint64_t to);

#endif
