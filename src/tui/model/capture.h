/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture: the capture that is shown: its handles, and how far its index and the file itself have
 * come as of the last update. Plain data, owned by the workspace; the screen's thread only.
 */
#ifndef TRACETUI_TUI_MODEL_CAPTURE_H
#define TRACETUI_TUI_MODEL_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"

struct tt_opened {
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_events *events;        /* the screen's reader */
    struct tt_events *search_events; /* the search's, made when first needed */
};

/* Following a capture that grows, see app/live.h. */
struct tt_following {
    struct tt_live live;      /* as of the last update */
    uint64_t end;             /* of time when the window was moved last */
    bool at_end;              /* the cursor and the window stay at the end */
    uint64_t held_rows;       /* rows when following was paused */
    enum tt_file_change said; /* the change of the file that was reported */
    uint32_t tried;           /* live.changes when reopening was tried */
    unsigned window;          /* which part of time is shown while following */
};

/* State of the index, as of the last update. */
struct tt_index_state {
    void (*notify)(void *arg); /* wakes the loop; NULL: index and search synchronously */
    struct tt_progress progress;
    uint64_t rows; /* published */
    enum tt_cache_state kept;
    const struct tt_trace *mended; /* in vain: its index cache was cut short */
    struct tt_following following;
};

#endif
