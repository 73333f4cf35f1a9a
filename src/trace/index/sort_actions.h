/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort_actions: puts actions into the order of time; those of one event stay as they are.
 *
 * Files are nearly in order: what comes is a number of ascending stretches, and they are merged two
 * by two, as keys of half an action's size; one pass for two stretches, two for four. Then each
 * action moves once.
 */
#ifndef TRACETUI_TRACE_INDEX_SORT_ACTIONS_H
#define TRACETUI_TRACE_INDEX_SORT_ACTIONS_H

#include <stddef.h>

#include "trace/timeline/timeline.h"

/* False when out of memory. O(count * log(stretches)). */
bool tt_sort_actions(struct tt_action *actions, size_t count);

/* The end of the ascending stretch that begins at `from`. */
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
