/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_scan: finds the next or previous event of a thread, a CPU or a type, in time slices so that
 * the keyboard is never blocked. It uses a reader of its own and so does not evict the blocks that
 * the screen's reader has cached. One thread.
 */
#ifndef TRACETUI_TUI_FILTER_EVENT_SCAN_H
#define TRACETUI_TUI_FILTER_EVENT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/trace.h"

enum tt_event_scan_by { TT_EVENT_SCAN_THREAD, TT_EVENT_SCAN_CPU, TT_EVENT_SCAN_TYPE };

struct tt_event_scan {
    bool active;
    enum tt_event_scan_by by;
    uint32_t value;
    bool forward;
    uint64_t start_row; /* for progress */
    uint64_t row;       /* forward: the next row to test; backward: the row after it */
    uint64_t ticks;     /* key of the last event tested: rows may shift between steps */
    uint64_t pos;
    bool from_start; /* the next step starts at the first row */
    bool wrap;       /* continues from the start after reaching the end, once */
    /* Returns whether a row is to be skipped; NULL: no row is. */
    bool (*skips)(const void *arg, uint64_t row);
    const void *skips_arg;
};

enum tt_event_scan_result { TT_EVENT_SCAN_GOING, TT_EVENT_SCAN_FOUND, TT_EVENT_SCAN_NONE };

/* Starts a scan after (or, backward, before) the event `from`, which is at `row`. */
void tt_event_scan_start(struct tt_event_scan *search, enum tt_event_scan_by by, bool forward,
                         const struct tt_event *from, uint64_t row);
/* Continues for about `budget_ns`; on FOUND, sets *found and *row to the event and its row. */
enum tt_event_scan_result tt_event_scan_step(struct tt_event_scan *search, struct tt_events *events,
                                             uint64_t budget_ns, struct tt_event *found,
                                             uint64_t *row);
/* Returns the progress towards the end (or the start) in percent. */
unsigned tt_event_scan_percent(const struct tt_event_scan *search, uint64_t rows);

#endif
