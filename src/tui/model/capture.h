/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture: the open capture: its handles, and the state of its index and its file as of the last
 * update. Plain data, owned by the workspace; only the UI thread uses it.
 */
#ifndef TRACETUI_TUI_MODEL_CAPTURE_H
#define TRACETUI_TUI_MODEL_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"

struct tt_open_capture {
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_events *events;        /* the UI thread's reader */
    struct tt_events *search_events; /* the search's reader, created when first needed */
    struct tt_causes *causes;        /* see model/causes.h; NULL until first needed */
};

/* State of following a growing capture, see app/live.h. */
struct tt_follow_state {
    struct tt_live live;          /* as of the last update */
    uint64_t end;                 /* end of time when the window was last moved */
    bool at_end;                  /* the cursor and the window stay at the end */
    uint64_t held_rows;           /* number of rows when following was paused */
    enum tt_file_change reported; /* the change of the file reported last */
    uint32_t tried_change;        /* live.changes when reopening was last tried */
    unsigned window;              /* the part of time shown while following */
};

/* State of the index, as of the last update. */
struct tt_index_state {
    void (*notify)(void *arg); /* wakes the event loop; NULL: index and search synchronously */
    struct tt_progress progress;
    uint64_t rows; /* published */
    bool arrives;  /* more bytes may arrive (tt_trace_is_arriving), with how many have: */
    struct tt_arrival arrived;
    enum tt_cache_state cache;
    const struct tt_trace *unrepaired; /* the capture that could not be opened again */
    struct tt_follow_state following;
};

#endif
