/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own_lanes: the intervals, states and values of the lanes that the user defines (lane/lane.h), for drawing.
 *
 *      frame          |==|   |=====|  |===|        a row for each lane and key, in the order of the lanes
 *      level  CPU 0   |-| 7 |--- 30 ---| 0 |       spans of a row do not overlap and are in order of time
 *
 * A pass over the events in the background, repeated if the lanes or the capture have changed; while a capture grows, it
 * continues with the events that are final. Intervals that overlap are drawn as one. At most TT_OWN_KEYS
 * keys of a lane have a row. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_OWN_LANES_H
#define TRACETUI_TUI_MODEL_OWN_LANES_H

#include "lane/lane.h"

#define TT_OWN_KEYS 16u

struct tt_workspace;

struct tt_own_span {
    uint64_t begin, end;
    double value;
    uint32_t state;
};

struct tt_own_lane {
    struct tt_lane_span like; /* its lane and key */
    struct tt_own_span *spans;
    size_t count, capacity;
    bool is_open;       /* the last span has no end yet */
    double least, most; /* of the values */
};

struct tt_own_lanes {
    struct tt_trace *trace; /* that was walked; NULL: none */
    const struct tt_lane_set *set;
    struct tt_lane_walk *walk;
    struct tt_events *events;
    struct tt_own_lane *rows;
    size_t count, capacity;
    uint64_t late; /* events that were inserted before those of the walk */
    bool complete;
    bool failed; /* out of memory */
};

/* Continues the pass until `deadline_ns` (tt_now_ns); true when it is complete. */
bool tt_own_lanes_work(struct tt_workspace *ws, uint64_t deadline_ns);
/* Frees the rows; call it before the capture is closed. */
void tt_own_lanes_drop(struct tt_own_lanes *own);
/* Returns the first span of a row that ends after `ticks`; its number of spans: none. */
size_t tt_own_lane_find(const struct tt_own_lane *lane, uint64_t ticks);
/* Adds a lane to the lanes of the program, and marks it to be saved with the session. */
struct tt_status tt_own_lanes_add(struct tt_lane_list *lanes, const char *name, const char *text);
/* Defines a lane, or removes the one whose definition is empty: ":lane NAME =". */
struct tt_status tt_own_lanes_define(struct tt_workspace *ws, const char *text);

#endif
