/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_time: converts the ticks of a capture to the nanoseconds of an exported one. Plain data; any
 * thread.
 */
#ifndef TRACETUI_EXPORT_FXT_TIME_H
#define TRACETUI_EXPORT_FXT_TIME_H

#include <stdint.h>

#include "tracetui/time.h"

struct tt_fxt_clock {
    uint64_t hz;     /* 0: ticks are written unchanged */
    uint64_t origin; /* subtracted from ticks: 0 unless nanoseconds would need more than 63 bits */
};

/* Returns the clock of a capture whose last tick is `last`. */
static inline struct tt_fxt_clock tt_fxt_clock_of(uint64_t hz, uint64_t first, uint64_t last)
{
    int64_t ns;
    hz = hz == TT_NS_PER_S ? 0 : hz;
    bool fits = hz == 0 ? last <= INT64_MAX : tt_ticks_to_ns(last, hz, &ns);
    return (struct tt_fxt_clock){hz, fits ? 0 : first};
}

/* Returns the time of `ticks` in the output; the largest one if it does not fit. */
static inline uint64_t tt_fxt_time_of(struct tt_fxt_clock clock, uint64_t ticks)
{
    int64_t ns = INT64_MAX;
    ticks -= clock.origin;
    if (clock.hz == 0) {
        return ticks < INT64_MAX ? ticks : INT64_MAX;
    }
    return tt_ticks_to_ns(ticks, clock.hz, &ns) ? (uint64_t)ns : INT64_MAX;
}

#endif
