/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters: values over time as a strip of bars.
 *
 *       frames:dropped:7       12 ▁▁▁▁▂▂▂▄▄▄▄▆▆█████▁▁▁▁▁▁
 *
 * A bar is as high as the greatest value in its column, of the way from the least value of the
 * whole capture (or 0, if none is below) to the greatest. One thread.
 */
#ifndef TRACETUI_TUI_LANES_COUNTERS_H
#define TRACETUI_TUI_LANES_COUNTERS_H

#include "tracetui/counters.h"
#include "tui/lanes/lanes.h"

/* `cells` has room for the columns. */
void tt_lanes_draw_counter(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                           struct tt_area area, int y, uint32_t series,
                           struct tt_counter_range *cells);
/* The value at a time; false where it is not known. */
bool tt_lanes_counter_at(const struct tt_timelines *t, uint32_t series, uint64_t ticks,
                         double *value);
/* A value in few characters: "12", "4096", "1.25e+09". */
void tt_lanes_counter_text(double value, struct tt_text *text);
/* "4096 for 1.2 ms of 3.4 ms"; under it "after 8192, then 6144; shown: 0 to 8192, 17 changes". */
void tt_lanes_status_counter(const struct tt_workspace *ws, uint32_t series, struct tt_text *first,
                             struct tt_text *second);
/* The next or previous change of the value; false if there is none. */
bool tt_lanes_counter_edge(const struct tt_timelines *t, uint32_t series, uint64_t from,
                           bool forward, uint64_t *to);

#endif
