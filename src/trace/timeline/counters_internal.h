/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters_internal: the tracks behind tracetui/counters.h, and their builder.
 *
 * A series is a wide track; its two values are the halves of the bits of a double. An unknown value
 * is stored as a NaN. The sums are computed from the values when a chunk is full.
 */
#ifndef TRACETUI_TRACE_TIMELINE_COUNTERS_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_COUNTERS_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "trace/track/track_max.h"
#include "tracetui/counters.h"

enum counter_sum {
    COUNTER_MAX, /* TT_TRACK_MAX_SUMS words */
    COUNTER_MIN =
        COUNTER_MAX + TT_TRACK_MAX_SUMS, /* TT_TRACK_MAX_SUMS words; the key is inverted */
    COUNTER_SUMS = COUNTER_MIN + TT_TRACK_MAX_SUMS
};

struct tt_counter_lane {
    struct tt_track values;
    /* Used by the builder only, from here on. */
    uint32_t series;
    uint16_t stream;
    bool known; /* it is in `known`: its last value is not NaN */
};

struct tt_counter_lanes {
    struct tt_column lanes; /* struct tt_counter_lane, by series */
    /* Used by the builder only, from here on. */
    struct tt_column_index lane_at; /* index of `lanes` */
    uint32_t *known;                /* series with a known last value, which a loss affects */
    size_t known_count;
    size_t known_capacity;
};

void tt_counter_lanes_init(struct tt_counter_lanes *counters);
void tt_counter_lanes_free(struct tt_counter_lanes *counters);

struct tt_action;
struct tt_timelines;

/* Handles one action. Returns false when out of memory. */
bool tt_counters_handle(struct tt_timelines *timelines, const struct tt_action *action);
/* Handles the counters whose numbers are in the list. Returns false when out of memory. */
bool tt_counters_feed(struct tt_timelines *timelines, const struct tt_action *actions,
                      const uint16_t *list, uint32_t count);
/* Makes the series of the stream unknown until their next value. */
bool tt_counters_lost(struct tt_timelines *timelines, const struct tt_action *action);

#endif
