/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status: describes the state under the cursor as text.
 *
 *       1.204 831 s  fusion/1  MUTEX for 229 µs of 418 µs, last on CPU 1
 *       after RUNNING 31.2 µs, then READY 782 ns  held by fusion/2 log
 *
 * and, if there is room, the states around it, one per line. Shows only what the capture contains:
 * ticks without a clock, "at least" for the duration of a state that began before the capture.
 */
#ifndef TRACETUI_TUI_LANES_STATUS_H
#define TRACETUI_TUI_LANES_STATUS_H

#include "tui/lanes/lanes.h"

/* Appends the time of the cursor with its unit. */
void tt_lanes_status_time(const struct tt_workspace *ws, struct tt_text *text);
/* Appends "MUTEX for 229 us of 418 us"; `at` must be inside the interval. */
void tt_lanes_status_interval(const struct tt_workspace *ws, const struct tt_interval *interval,
                              uint64_t at, struct tt_text *text);
/* Returns the name of a state in the terms of the format. */
const char *tt_lanes_state_name(const struct tt_workspace *ws, unsigned state);

/*
 * Appends the cause of the interval (lanes/cause.h), else its first event; nothing if there is
 * neither. `args`: scratch space.
 */
void tt_lanes_status_event(const struct tt_workspace *ws, const struct tt_interval *interval,
                           struct tt_args *args, struct tt_text *text);

/*
 * Draws the status of a thread on the status lines of the layout; `message`: the message that
 * it serves, or "".
 */
void tt_lanes_status_thread(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                            struct tt_area area, uint32_t thread, struct tt_args *args,
                            const struct tt_text *message);
/* Draws the two status lines of other rows: cursor time, name and `first`; below it, `second`. */
void tt_lanes_status_lines(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                           struct tt_area area, const struct tt_text *name,
                           const struct tt_text *first, const struct tt_text *second);
/* Appends the numbers of the selection; false if there is none. */
bool tt_lanes_status_selection(const struct tt_workspace *ws, uint32_t thread,
                               struct tt_text *text);

#endif
