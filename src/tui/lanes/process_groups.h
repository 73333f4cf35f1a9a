/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_groups: computes the lanes of folded processes: the sums of the cells of all their
 * threads, in time slices. Keeps results until the window changes.
 *
 * Owns its arrays; one thread.
 */
#ifndef TRACETUI_TUI_LANES_PROCESS_GROUPS_H
#define TRACETUI_TUI_LANES_PROCESS_GROUPS_H

#include "tracetui/capture.h"
#include "tui/lanes/cell.h"

#define TT_LANE_GROUPS 128 /* maximum of folded processes on the screen */

struct tt_lane_group {
    struct tt_thread_cell *sums; /* one per column */
    uint32_t process;
    uint32_t next;  /* threads below this number are added */
    unsigned frame; /* last frame that requested it */
};

struct tt_lane_groups {
    struct tt_lane_group groups[TT_LANE_GROUPS];
    unsigned count;
    struct tt_thread_cell *scratch;
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing computed */
    const struct tt_capture *c;
    const uint64_t *edges; /* borrowed from the view */
    uint64_t from, to, end;
    unsigned columns, room;
    unsigned frame;
};

/* Starts a frame with these columns. False when out of memory. */
bool tt_lane_groups_begin(struct tt_lane_groups *groups, const struct tt_timelines *timelines,
                          const struct tt_capture *capture, const uint64_t *edges,
                          unsigned columns);
/*
 * Returns the sums of a process, computing until `deadline` (tt_now_ns); NULL if they are not
 * complete yet or there are too many groups.
 */
const struct tt_thread_cell *tt_lane_groups_get(struct tt_lane_groups *groups, uint32_t process,
                                                uint64_t deadline);
/* Returns the sums of a process if they are complete; computes nothing. */
const struct tt_thread_cell *tt_lane_groups_peek(const struct tt_lane_groups *groups,
                                                 uint32_t process);
/* Continues with all groups requested in this frame; true when they are complete. */
bool tt_lane_groups_work(struct tt_lane_groups *groups, uint64_t deadline);
void tt_lane_groups_free(struct tt_lane_groups *groups);

#endif
