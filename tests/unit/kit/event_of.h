/* SPDX-License-Identifier: Apache-2.0 */
/* event_of: finds the event of an action by its key. */
#ifndef TRACETUI_TESTS_EVENT_OF_H
#define TRACETUI_TESTS_EVENT_OF_H

#include <stdint.h>

#include "tracetui/action.h"
#include "tracetui/event.h"

#define NOTES (UINT64_C(1) << TT_ACTION_NOTE) /* notes, which tests of decoders leave out */

/* Returns its index among `count` events; `count` if there is none. O(count). */
static inline uint32_t event_of(const struct tt_action *action, const struct tt_event *events,
                                uint32_t count)
{
    uint32_t i = 0;
    while (i < count && (events[i].ticks != action->ticks || events[i].pos != action->pos)) {
        i++;
    }
    return i;
}

#endif
