/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort_actions: sorts actions by (ticks, pos), stably: the actions of one event keep their order.
 *
 * Files are nearly in order, so the input consists of a few ascending stretches. They are merged in
 * pairs, as keys of half an action's size: one pass for two stretches, two for four. Then each
 * action moves once.
 */
#ifndef TRACETUI_TRACE_INDEX_SORT_ACTIONS_H
#define TRACETUI_TRACE_INDEX_SORT_ACTIONS_H

#include <stddef.h>

#include "trace/timeline/timeline.h"

/* Returns false when out of memory. O(count * log(stretches)). */
bool tt_sort_actions(struct tt_action *actions, size_t count);

/* Returns the end of the ascending stretch that begins at `from`. */
static inline size_t tt_stretch_end(const struct tt_action *actions, size_t count, size_t from)
{
    size_t end = from + 1;
    while (end < count && (actions[end - 1].ticks < actions[end].ticks ||
                           (actions[end - 1].ticks == actions[end].ticks &&
                            actions[end - 1].pos <= actions[end].pos))) {
        end++;
    }
    return end;
}

#endif
