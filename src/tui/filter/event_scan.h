/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_scan: the next or previous event of a thread, a CPU or a type, looked for in slices of time
 * so that the keyboard is never blocked. It reads through a reader of its own, which leaves the
 * screen's blocks where they are. One thread.
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
    uint64_t start_row; /* for the progress */
    uint64_t row;       /* forward: the next row to look at; backward: the row after it */
    uint64_t ticks;     /* key of the last event looked at: rows may shift meanwhile */
    uint64_t pos;
    bool from_start; /* the next step begins at the first row */
    bool wrap;       /* at the end it goes on from the start, once */
    /* Events of this row are passed over; NULL: none is. */
    bool (*skips)(const void *arg, uint64_t row);
    const void *skips_arg;
};

enum tt_event_scan_result { TT_EVENT_SCAN_GOING, TT_EVENT_SCAN_FOUND, TT_EVENT_SCAN_NONE };

/* Looks from behind (or before) `from`, which stands at `row`. */
void tt_event_scan_start(struct tt_event_scan *search, enum tt_event_scan_by by, bool forward,
                         const struct tt_event *from, uint64_t row);
/* Goes on for about `budget_ns`; on FOUND, *found and *row say where. */
enum tt_event_scan_result tt_event_scan_step(struct tt_event_scan *search, struct tt_events *events,
                                             uint64_t budget_ns, struct tt_event *found,
                                             uint64_t *row);
/* Part of the way to the end (or the beginning) that is done, in percent. */
unsigned tt_event_scan_percent(const struct tt_event_scan *search, uint64_t rows);

#endif
