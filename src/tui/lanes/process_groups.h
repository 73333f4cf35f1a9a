/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_groups: the lanes of folded processes: the cells of all their threads, added up in slices
 * of time. What is known is kept until the window changes.
 *
 * Owns its arrays; one thread.
 */
#ifndef TRACETUI_TUI_LANES_PROCESS_GROUPS_H
#define TRACETUI_TUI_LANES_PROCESS_GROUPS_H

#include "tracetui/capture.h"
#include "tui/lanes/cell.h"

#define TT_LANE_GROUPS 128 /* folded processes that can be seen at once */

struct tt_lane_group {
    struct tt_thread_cell *sums; /* columns of them */
    uint32_t process;
    uint32_t next;    /* threads below this number are added */
    unsigned picture; /* when it was asked for last */
};

struct tt_lane_groups {
    struct tt_lane_group groups[TT_LANE_GROUPS];
    unsigned count;
    struct tt_thread_cell *scratch;
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing is known */
    const struct tt_capture *c;
    const uint64_t *edges; /* the view's */
    uint64_t from, to, end;
    unsigned columns, room;
    unsigned picture;
};

/* A new picture, of these columns. False when out of memory. */
bool tt_lane_groups_begin(struct tt_lane_groups *g, const struct tt_timelines *t,
                          const struct tt_capture *c, const uint64_t *edges, unsigned columns);
/*
 * The sums of a process, worked out until `deadline`; NULL where they are not complete yet, or
 * there are too many groups.
 */
const struct tt_thread_cell *tt_lane_groups_get(struct tt_lane_groups *g, uint32_t process,
                                                uint64_t deadline);
/* The same of what is added up by now. */
const struct tt_thread_cell *tt_lane_groups_peek(const struct tt_lane_groups *g, uint32_t process);
/* Goes on with all that this picture asked for; true when they are complete. */
bool tt_lane_groups_work(struct tt_lane_groups *g, uint64_t deadline);
void tt_lane_groups_free(struct tt_lane_groups *g);

#endif
