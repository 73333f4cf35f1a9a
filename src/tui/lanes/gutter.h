/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gutter: the columns to the left of the thread lanes: name, priority at the cursor, run time as a
 * share of the window (without interrupts) and, if there is room, the number of switches to the
 * thread and its state at the cursor. One thread.
 *
 *       thread            pri   %    runs state
 *       ▾ sensor 90123         31
 *           2 isr          45  28      12 SEM
 */
#ifndef TRACETUI_TUI_LANES_GUTTER_H
#define TRACETUI_TUI_LANES_GUTTER_H

#include "tui/lanes/lanes.h"
#include "tui/lanes/row_cache.h"
#include "tui/lanes/rows.h"

struct tt_lanes_gutter {
    int name, name_width;
    int priority; /* -1: no room */
    int percent;
    int state;    /* -1: no room */
    int switches; /* -1: no room */
    int width;
};

/* Returns the layout for a screen of `width` columns. */
struct tt_lanes_gutter tt_lanes_gutter_of(int width);
void tt_lanes_gutter_heads(struct tt_area area, const struct tt_lanes_gutter *gutter, int y);

/* Appends "sensor 90123", or "90123" without a name; of a path only the last component. */
void tt_lanes_process_text(const struct tt_workspace *ws, uint32_t process, bool pid_too,
                           struct tt_text *text);
/* Appends the name of a capture of a merged one. */
void tt_lanes_capture_text(const struct tt_workspace *ws, uint32_t number, struct tt_text *text);
/* Appends the name of a counter, without its process. */
void tt_lanes_series_text(const struct tt_workspace *ws, uint32_t series, struct tt_text *text);
/* Draws the name of a row. */
void tt_lanes_gutter_row(const struct tt_workspace *ws, const struct tt_lane_rows *rows,
                         const struct tt_lane_row *row, struct tt_area area,
                         const struct tt_lanes_gutter *gutter, int y);
/* Draws the value of a counter at the cursor. */
void tt_lanes_gutter_counter(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                             struct tt_area area, const struct tt_lanes_gutter *gutter, int y,
                             uint32_t series);

/* Draws the numbers of a process; nothing while they are being computed. */
void tt_lanes_gutter_process(const struct tt_workspace *ws, const struct tt_row_stats *numbers,
                             struct tt_area area, const struct tt_lanes_gutter *gutter, int y,
                             uint32_t process);
/* Draws the numbers of a thread; `sums` may be NULL: they are being computed. */
void tt_lanes_gutter_thread(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                            struct tt_area area, const struct tt_lanes_gutter *gutter, int y,
                            uint32_t thread, const struct tt_lane_sums *sums);

#endif
