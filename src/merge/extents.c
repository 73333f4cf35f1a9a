/* SPDX-License-Identifier: Apache-2.0 */
/* extents: the first and last events of the members of a merged capture. */
#include <string.h>

#include "merge/merge_plan.h"

#define STEP 256u

void tt_merge_extents(struct tt_trace *trace, struct tt_events *events,
                      struct tt_merge_extent *extents)
{
    const struct tt_merge *merge = tt_trace_capture(trace)->merge;
    struct tt_event list[STEP];
    uint32_t count;
    memset(extents, 0, merge->count * sizeof *extents);
    for (uint64_t row = 0; (count = tt_events_read(events, row, STEP, list)) > 0; row += count) {
        for (uint32_t i = 0; i < count; i++) {
            struct tt_merge_extent *extent = &extents[tt_merge_at(merge, list[i].pos)];
            extent->first_ticks = extent->events == 0 ? list[i].ticks : extent->first_ticks;
            extent->last_ticks = list[i].ticks;
            extent->events += (list[i].flags & TT_EVENT_UNNUMBERED) == 0;
        }
    }
}
