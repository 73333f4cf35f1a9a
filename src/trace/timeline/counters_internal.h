/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counter_lanes (internal): the tracks behind tracetui/counters.h, and filling them.
 *
 * A series is a wide track; its two values are the halves of the bits of a double. "Not known" is
 * stored as a NaN.
 */
#ifndef TRACETUI_TRACE_TIMELINE_COUNTERS_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_COUNTERS_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "trace/timeline/track_max.h"
#include "tracetui/counters.h"

enum counter_sum {
    COUNTER_GREATEST, /* TT_TRACK_MAX_SUMS words */
    COUNTER_LEAST =
        COUNTER_GREATEST + TT_TRACK_MAX_SUMS, /* TT_TRACK_MAX_SUMS words; the key is turned */
    COUNTER_SUMS = COUNTER_LEAST + TT_TRACK_MAX_SUMS
};

struct tt_counter_lane {
    struct tt_track values;
    /* The builder's own from here on. */
    uint32_t series;
    uint16_t stream;
    bool known; /* it stands in `known`: its last value is one */
    struct tt_track_maxima greatest;
    struct tt_track_maxima least;
};

struct tt_counter_lanes {
    struct tt_column lanes; /* struct tt_counter_lane, by series */
    /* The builder's own from here on. */
    struct tt_column_index lane_at; /* the items of `lanes` */
    uint32_t *known;                /* what a loss touches */
    size_t known_count;
    size_t known_capacity;
};

void tt_counter_lanes_init(struct tt_counter_lanes *counters);
void tt_counter_lanes_free(struct tt_counter_lanes *counters);

struct tt_action;
struct tt_timelines;

/* As tt_timelines_feed. */
bool tt_counters_take(struct tt_timelines *t, const struct tt_action *a);
/* Of the stream's no value is known until each is told again. */
bool tt_counters_lost(struct tt_timelines *t, const struct tt_action *a);

#endif
