/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axis: places round time labels on the columns of a viewport.
 *
 *                     1.2040      1.2045      1.2050
 *      ---------------+-----------+-----------+--------
 *
 * A round time is a multiple of 1, 2 or 5 times a power of ten, in nanoseconds or, without a clock,
 * in ticks. Its mark is in the column that contains the first tick at or after that time.
 * Pure functions.
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
    uint64_t step; /* distance between two marks, ns or ticks */
};

/*
 * Computes the marks. `origin`: zero of relative times, in ticks; hz 0: no clock; `apart`: minimum
 * number of columns between two marks.
 */
void tt_axis_make(struct tt_axis *axis, const struct tt_viewport *viewport, unsigned columns,
                  uint64_t origin, uint64_t hz, unsigned apart);

enum tt_axis_unit {
    TT_AXIS_IN_TICKS,   /* 17 500 */
    TT_AXIS_IN_SECONDS, /* 1.2045 */
    TT_AXIS_TIME_OF_DAY /* 14:03:22.2045, UTC */
};

/*
 * Appends the label of a mark, with as many decimals as the step needs. `day_ns`: time of day at
 * the origin of the axis, in ns since midnight; used by TT_AXIS_TIME_OF_DAY.
 */
void tt_axis_label(struct tt_text *text, const struct tt_axis *axis, unsigned tick,
                   enum tt_axis_unit unit, int64_t day_ns);

#endif
