/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters: draws a counter's values over time as a row of bars.
 *
 *       frames:dropped:7       12 ▁▁▁▁▂▂▂▄▄▄▄▆▆█████▁▁▁▁▁▁
 *
 * The height of a bar is the maximum value in its column, scaled from the minimum of the whole
 * capture (or 0, if no value is negative) to the maximum. One thread.
 */
#ifndef TRACETUI_TUI_LANES_COUNTERS_H
#define TRACETUI_TUI_LANES_COUNTERS_H

#include "tracetui/counters.h"
#include "tui/lanes/lanes.h"

/* Draws the bar of a value among all, with another role if there are several values. */
void tt_lanes_draw_bar(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                       double value, const struct tt_counter_range *all, bool moves);
/* Draws the bars. `cells`: scratch space with one element per column. */
void tt_lanes_draw_counter(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area area, int y, uint32_t series,
                           struct tt_counter_range *cells);
/* Gets the value at a time; false if it is unknown. */
bool tt_lanes_counter_at(const struct tt_timelines *timelines, uint32_t series, uint64_t ticks,
                         double *value);
/* Appends a value in a short form: "12", "4096", "1.25e+09". */
void tt_lanes_counter_text(double value, struct tt_text *text);
/*
 * Writes the status lines: "4096 for 1.2 ms of 3.4 ms", and below it
 * "after 8192, then 6144; shown: 0 to 8192, 17 changes".
 */
void tt_lanes_status_counter(const struct tt_workspace *ws, uint32_t series, struct tt_text *first,
                             struct tt_text *second);
/* Finds the next or previous change of the value; false if there is none. */
bool tt_lanes_counter_edge(const struct tt_timelines *timelines, uint32_t series, uint64_t from,
                           bool forward, uint64_t *to);

#endif
