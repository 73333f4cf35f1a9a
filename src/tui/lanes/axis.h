/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axis: round times over the columns of a viewport.
 *
 *                     1.2040      1.2045      1.2050
 *      ---------------+-----------+-----------+--------
 *
 * Round is 1, 2 or 5 times a power of ten, of nanoseconds or, without a clock, of ticks. A tick
 * stands in the column that holds the first moment at or after that time. Pure functions.
 */
#ifndef TRACETUI_TUI_LANES_AXIS_H
#define TRACETUI_TUI_LANES_AXIS_H

#include "tracetui/text.h"
#include "tui/model/viewport.h"

#define TT_AXIS_TICKS 64

struct tt_axis {
    struct {
        unsigned column;
        int64_t value; /* ns or ticks since the origin */
    } ticks[TT_AXIS_TICKS];
    unsigned count;
    uint64_t step; /* between two of them, ns or ticks */
};

/* `origin`: where relative times count from; hz 0: no clock. `apart`: least columns between two. */
void tt_axis_make(struct tt_axis *axis, const struct tt_viewport *v, unsigned columns,
                  uint64_t origin, uint64_t hz, unsigned apart);

enum tt_axis_unit {
    TT_AXIS_IN_TICKS,   /* 17 500 */
    TT_AXIS_IN_SECONDS, /* 1.2045 */
    TT_AXIS_TIME_OF_DAY /* 14:03:22.2045, UTC */
};

/*
 * A value with as many decimals as the steps have. `day_ns`: of the time of day, the time at the
 * axis's origin in ns since midnight.
 */
void tt_axis_label(struct tt_text *text, const struct tt_axis *axis, unsigned tick,
                   enum tt_axis_unit unit, int64_t day_ns);

#endif
