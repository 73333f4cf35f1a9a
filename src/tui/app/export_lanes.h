/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export_lanes: writes the lanes of Threads or CPUs as CSV, a line per interval:
 *
 *      thread,state,from_s,to_s,cpu,waker,cause
 *
 * The lanes are those that pass the filters; the intervals those that overlap the selection, or
 * else the visible range, with their whole duration. In Threads waker and cause are those of the
 * wake that ends the interval, in CPUs those of the wake that led to the run. One thread.
 */
#ifndef TRACETUI_TUI_APP_EXPORT_LANES_H
#define TRACETUI_TUI_APP_EXPORT_LANES_H

#include <stdio.h>

#include "tracetui/status.h"

struct tt_app;
struct tt_text;

/* More intervals are refused: the program would not answer while it writes them. */
#define TT_EXPORT_INTERVALS 500000u

/* Writes the lanes of the current view, and their number to `what`. */
struct tt_status tt_export_lanes(struct tt_app *app, FILE *file, struct tt_text *what);

#endif
