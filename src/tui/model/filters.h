/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filters: the state that determines the shown events and lanes, and the search.
 */
#ifndef TRACETUI_TUI_MODEL_FILTERS_H
#define TRACETUI_TUI_MODEL_FILTERS_H

#include "tui/filter/event_scan.h"
#include "tui/filter/filter_stack.h"
#include "tui/model/match_nav.h"
#include "tui/model/visible_lanes.h"

struct tt_filters {
    struct tt_filter_stack stack;
    struct tt_visible_lanes lanes; /* lanes of the events that pass the stack */
    struct tt_find find;           /* the search typed at the prompt */
    struct tt_event_scan scan;     /* the scan for the next event of a thread, CPU or type */
};

#endif
