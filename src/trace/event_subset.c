/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/event_subset.h"

#include "base/bits.h"

bool tt_event_subset_has(const struct tt_event_subset *subset, const struct tt_event *event,
                         uint64_t row)
{
    return tt_bit_selects(subset->threads, subset->thread_count, event->thread) &&
           tt_bit_selects(subset->cpus, subset->cpu_count, event->cpu) &&
           (!subset->wanted || subset->wanted(subset->wanted_arg, row));
}
