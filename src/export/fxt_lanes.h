/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_lanes: the lanes that the user defines (lane/lane.h) as tracks of a process `lanes`, one for each lane and key:
 *
 *      states, queries    a complete event for each, named after the state, or the lane
 *      intervals          a pair of asynchronous events, since they may overlap
 *      values             a counter
 *
 * They follow the other records, in the order of their ends. What has no end ends with the range. One thread.
 */
#ifndef TRACETUI_EXPORT_FXT_LANES_H
#define TRACETUI_EXPORT_FXT_LANES_H

#include "export/export.h"
#include "export/fxt_time.h"
#include "export/fxt_tracks.h"
#include "lane/lane.h"

struct tt_fxt_lane_track {
    uint32_t lane, key;
    uint32_t koid;
};

struct tt_fxt_lanes {
    const struct tt_export_request *request;
    struct tt_fxt_writer *w;
    struct tt_fxt_clock clock;
    struct tt_lane_walk *walk; /* NULL: no lanes */
    struct tt_fxt_lane_track *tracks;
    size_t count, capacity;
    uint32_t process, next_koid;
    uint64_t next_id;
    uint64_t limit; /* the end of what has none */
    bool no_memory;
};

/* Errors: TT_ERR_MEMORY. */
struct tt_status tt_fxt_lanes_open(struct tt_fxt_lanes *lanes,
                                   const struct tt_export_request *request,
                                   struct tt_events *events, const struct tt_fxt_tracks *tracks);
/* Writes what up to 1,024 events define; false at the end. */
bool tt_fxt_lanes_step(struct tt_fxt_lanes *lanes);
void tt_fxt_lanes_close(struct tt_fxt_lanes *lanes);

#endif
