/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filters: all that decides which events and lanes are shown, and which event is looked for.
 */
#ifndef TRACETUI_TUI_MODEL_FILTERS_H
#define TRACETUI_TUI_MODEL_FILTERS_H

#include "tui/filter/event_scan.h"
#include "tui/filter/filter_stack.h"
#include "tui/model/match_nav.h"
#include "tui/model/visible_lanes.h"

struct tt_filters {
    struct tt_filter_stack stack;
    struct tt_visible_lanes lanes; /* of the events that the stack leaves */
    struct tt_find find;           /* the search of the prompt */
    struct tt_event_scan scan;     /* the search for a thread's, CPU's or type's next event */
};

#endif
