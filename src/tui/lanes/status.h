/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status: what is under the cursor, in words.
 *
 *       1.204 831 s  fusion/1  MUTEX for 229 µs of 418 µs, last on CPU 1
 *       after RUNNING 31.2 µs, then READY 782 ns  held by fusion/2 log
 *
 * and, where there is room, the states around it, one a line. Nothing is said that the capture does
 * not tell: without a clock there are ticks, what began before the capture lasts "at least".
 */
#ifndef TRACETUI_TUI_LANES_STATUS_H
#define TRACETUI_TUI_LANES_STATUS_H

#include "tui/lanes/lanes.h"

/* The time of the cursor, with its unit. */
void tt_lanes_status_time(const struct tt_workspace *ws, struct tt_text *text);
/* "MUTEX for 229 us of 418 us"; `at` lies in the interval. */
void tt_lanes_status_interval(const struct tt_workspace *ws, const struct tt_interval *interval,
                              uint64_t at, struct tt_text *text);
/* The format's own name of a state. */
const char *tt_lanes_state_name(const struct tt_workspace *ws, unsigned state);

/*
 * Who had a part in it (lanes/cause.h), else the event with which the interval began, as text;
 * nothing where there is none. `args` is used.
 */
void tt_lanes_status_event(const struct tt_workspace *ws, const struct tt_interval *interval,
                           struct tt_args *args, struct tt_text *text);

/* All of it, into the lines of the layout. */
void tt_lanes_status_thread(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                            struct tt_area area, uint32_t thread, struct tt_args *args);
/* The same two lines of what is no thread: the cursor's time, a name and words; and more words. */
void tt_lanes_status_lines(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                           struct tt_area area, const struct tt_text *name,
                           const struct tt_text *first, const struct tt_text *second);
/* The selection's numbers; false where there is none. */
bool tt_lanes_status_selection(const struct tt_workspace *ws, uint32_t thread,
                               struct tt_text *text);

#endif
