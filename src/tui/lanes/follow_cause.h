/* SPDX-License-Identifier: Apache-2.0 */
/* follow_cause: the keys about a thread at a time: its causes, its message, and filters of both. */
#ifndef TRACETUI_TUI_LANES_FOLLOW_CAUSE_H
#define TRACETUI_TUI_LANES_FOLLOW_CAUSE_H

#include "tui/model/workspace.h"

/*
 * Adds the filter of TT_DO_ONLY_THREAD, TT_DO_WITHOUT_EVENT or TT_DO_ONLY_MESSAGE, of a thread at a time and the
 * name of an event; NULL: none.
 */
void tt_lanes_act_filter(struct tt_workspace *ws, uint32_t thread, uint64_t ticks,
                         const char *event, enum tt_do action);
/*
 * Handles these, TT_DO_PARTNER, TT_DO_WHY, TT_DO_CAUSE_BLOCKER and TT_DO_CAUSE_WAKER for the state of a thread at a time.
 * TT_DO_WHY explains the selection instead, if there is one and the view is time-based. The other
 * two keep the old position for ''. A cause that is no thread is only reported.
 */
void tt_lanes_act_cause(struct tt_workspace *ws, uint32_t thread, uint64_t ticks,
                        enum tt_do action);

#endif
