/* SPDX-License-Identifier: Apache-2.0 */
/* members: the captures of a plan while it is made, each opened by itself. */
#ifndef TT_MERGE_MEMBERS_H
#define TT_MERGE_MEMBERS_H

#include "merge/merge_plan.h"

struct merge_capture {
    const char *name;
    struct tt_trace *trace;
    struct tt_events *events; /* NULL until it is indexed */
    uint64_t first_ticks;     /* of its first event, once it is indexed */
    bool has_events;
};

/* Opens a capture. */
struct tt_status merge_capture_open(struct merge_capture *capture, const char *path,
                                    const struct tt_trace_options *options);
void merge_capture_close(struct merge_capture *capture);

/*
 * Sets *ticks to the earliest time among the first events of a file, without indexing it; 0 if it has none.
 */
struct tt_status merge_capture_begin(const char *path, const struct tt_trace_options *options,
                                     uint64_t *ticks);

/* Indexes a capture unless it is indexed already. */
struct tt_status merge_capture_index(struct merge_capture *capture);

/* Finds the time of an event: #NUMBER, a time, or the first match of a filter. */
struct tt_status merge_capture_find(struct merge_capture *capture, const char *event,
                                    uint64_t *ticks);

#endif
