/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workspace: the state that views and lanes work on: the open capture, the positions in it, its
 * filters and the terminal state. Views take the workspace and not the app, which has the prompt,
 * the session, the files and the views themselves.
 *
 *      capture.h      handles, progress, following
 *      navigation.h   view, cursor, marks, window, lane
 *      trail.h        the places that jumps have left
 *      host.h         prompts, files and history, which the application has
 *      terminal.h     theme, keymap, grid, requests to the terminal
 *      why.h          the explanation of the Why pane
 *      comparing.h    the comparison of the Diff pane, whose sides the Align pane shows
 *      definitions.h  views and macros of SQL in the configuration
 *      jobs.h         deadlines, job-ending states, missed deadlines
 *      own_lanes.h    lanes that the user defines
 *      remote_files.h captures on other machines
 *
 * One thread.
 */
#ifndef TRACETUI_TUI_MODEL_WORKSPACE_H
#define TRACETUI_TUI_MODEL_WORKSPACE_H

#include "tracetui/text.h"
#include "tui/filter/event_scan.h"
#include "tui/filter/filter_stack.h"
#include "tui/model/capture.h"
#include "tui/model/comparing.h"
#include "tui/model/definitions.h"
#include "tui/model/host.h"
#include "tui/model/jobs.h"
#include "tui/model/match_nav.h"
#include "tui/model/message.h"
#include "tui/model/navigation.h"
#include "tui/model/own_lanes.h"
#include "tui/model/remote_files.h"
#include "tui/model/terminal.h"
#include "tui/model/time_label.h"
#include "tui/model/trail.h"
#include "tui/model/visible_lanes.h"
#include "tui/model/why.h"

/* The state that determines the shown events and lanes, and the search. */
struct tt_filters {
    struct tt_filter_stack stack;
    struct tt_visible_lanes lanes; /* lanes of the events that pass the stack */
    struct tt_find find;           /* the search typed at the prompt */
    struct tt_event_scan scan;     /* the scan for the next event of a thread, CPU or type */
};

struct tt_workspace {
    struct tt_host host;
    struct tt_open_capture opened;
    struct tt_index_state index;
    struct tt_navigation nav;
    struct tt_trail trail;
    struct tt_filters filters;
    struct tt_terminal term;
    struct tt_notices message;
    struct tt_why why;
    struct tt_job_settings jobs;
    struct tt_own_lanes own;
    struct tt_comparing *comparing; /* NULL: nothing was compared yet */
    struct tt_remote_files remote;
    struct tt_query_definitions query_definitions; /* of the configuration */
};

#endif
