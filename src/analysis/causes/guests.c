/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/guests.h"

bool tt_guest_runs_at(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                      uint64_t *until)
{
    const struct tt_slice_row *row = tt_guest_row(timelines, thread);
    struct tt_slice_at at;
    *until = UINT64_MAX;
    if (!row || !tt_slice_first(timelines, row, ticks, UINT64_MAX, &at)) {
        return false;
    }
    struct tt_slice slice = tt_slice_get(timelines, at);
    while (slice.end <= ticks) { /* one without duration */
        if (!tt_slice_next(&at)) {
            return false;
        }
        slice = tt_slice_get(timelines, at);
    }
    *until = slice.start > ticks ? slice.start : slice.end;
    return slice.start <= ticks;
}

static bool is_off_cpu(unsigned class_)
{
    return class_ != TT_CLASS_RUNNING && class_ != TT_CLASS_UNKNOWN && class_ != TT_CLASS_DEAD;
}

bool tt_steal_at(const struct tt_timelines *timelines, uint32_t vcpu, uint64_t ticks,
                 uint64_t *until)
{
    struct tt_interval_at at;
    *until = UINT64_MAX;
    if (vcpu == TT_NO_THREAD) {
        return false;
    }
    bool found = tt_interval_find(timelines, vcpu, ticks, &at);
    if (!found && !tt_interval_first(timelines, vcpu, &at)) {
        return false;
    }
    const struct tt_interval interval = tt_interval_get(timelines, at);
    *until = !found ? interval.start : interval.end > ticks ? interval.end : UINT64_MAX;
    return found && interval.end > ticks && is_off_cpu(interval.class_);
}

uint64_t tt_steal_ticks(const struct tt_timelines *timelines, uint32_t vcpu, uint64_t from,
                        uint64_t to)
{
    struct tt_thread_sums sums;
    uint64_t ticks = 0;
    if (vcpu == TT_NO_THREAD || from >= to) {
        return 0;
    }
    tt_thread_sum(timelines, vcpu, from, to, &sums);
    for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
        ticks += is_off_cpu(class_) ? sums.ticks[class_] : 0;
    }
    return ticks;
}
