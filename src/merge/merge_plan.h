/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_plan: puts several captures on one time line (docs/merge.md).
 *
 * A plan maps the clock of each capture to a common clock. The first capture is the reference; the common
 * clock has the highest rate of all captures but logs, and its tick 0 precedes tick 0 of each of them. The time
 * of another capture is found, in this order, by
 *
 *      one_system   all captures have the same clock
 *      alignments   pairs of events that happened at the same time: one pair for the offset, two or more
 *                   pairs for the drift
 *      offsets      the distance from the first event of the reference to the first event of the capture
 *      dates        the dates in both headers, to a second
 *      boot         of a log with times since the start of the system: tick 0 of the reference
 *      start        the first events
 *
 * Events and first events are looked up in the captures, which are opened and, if needed, indexed for it.
 *
 * The caller owns a plan and frees it. One thread.
 */
#ifndef TRACETUI_MERGE_MERGE_PLAN_H
#define TRACETUI_MERGE_MERGE_PLAN_H

#include "tracetui/merge.h"
#include "tracetui/trace.h"

struct tt_merge_request {
    const char *const *paths;
    unsigned count;     /* 2 to TT_MERGE_MOST */
    unsigned log_count; /* the last of them are logs */
    /*
     * Texts "[N:]TIME": capture N (from 1; without N the second) begins TIME after the first one; TIME as
     * in time_spec.h, in ns or ticks.
     */
    const char *const *offsets;
    unsigned offset_count;
    /*
     * Pairs of texts "[N:]EVENT": an event of the reference or of another capture, without N of the first
     * and the second. EVENT is #NUMBER, a time of the capture, or a filter, which means the first match.
     */
    const char *const *alignments;
    unsigned alignment_count; /* of pairs */
    bool one_system;
    struct tt_trace_options options; /* for opening the captures; `merge` is NULL */
};

/*
 * Makes a plan. TT_ERR_USAGE for requests that contradict each other or the captures; errors of opening and
 * indexing, with the capture's name.
 */
struct tt_status tt_merge_plan_make(const struct tt_merge_request *request,
                                    struct tt_merge_plan **plan);
/* Frees a plan and its sources; NULL is allowed. No trace opened with it may be left. */
void tt_merge_plan_free(struct tt_merge_plan *plan);

/* The events of a capture on the common time line. */
struct tt_merge_extent {
    uint64_t events;
    uint64_t first_ticks; /* of its first and last events; 0 without events */
    uint64_t last_ticks;
};

/*
 * Computes the extent of each member of a merged trace that is indexed; `extents` has room for all of
 * them. Reads all events.
 */
void tt_merge_extents(struct tt_trace *trace, struct tt_events *events,
                      struct tt_merge_extent *extents);

#endif
