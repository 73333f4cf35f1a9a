/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gutter: what stands left of the lanes of threads: name, priority at the cursor, share of
 * the window that it ran (interrupts taken out), and, where there is room, how often it came to a
 * CPU and its state at the cursor. One thread.
 *
 *       thread            pri   %    came state
 *       ▾ sensor 90123         31
 *           2 isr          45  28      12 SEM
 */
#ifndef TRACETUI_TUI_LANES_GUTTER_H
#define TRACETUI_TUI_LANES_GUTTER_H

#include "tui/lanes/lanes.h"
#include "tui/lanes/rows.h"

struct tt_lanes_gutter {
    int name, name_width;
    int priority; /* -1: no room */
    int percent;
    int state;    /* -1: no room */
    int switches; /* -1: no room */
    int width;
};

/* For a screen of so many columns. */
struct tt_lanes_gutter tt_lanes_gutter_of(int width);
void tt_lanes_gutter_heads(struct tt_area area, const struct tt_lanes_gutter *g, int y);

/* "sensor 90123", or without a name "90123"; of a path its last part. */
void tt_lanes_process_text(const struct tt_workspace *ws, uint32_t process, bool pid_too,
                           struct tt_text *text);
/* The name of a counter, without its process. */
void tt_lanes_series_text(const struct tt_workspace *ws, uint32_t series, struct tt_text *text);
/* The name of a row as its place in the list needs it. */
void tt_lanes_gutter_name(const struct tt_workspace *ws, const struct tt_lane_rows *rows,
                          const struct tt_lane_row *row, struct tt_text *text);
/* The same, drawn. */
void tt_lanes_gutter_row(const struct tt_workspace *ws, const struct tt_lane_rows *rows,
                         const struct tt_lane_row *row, struct tt_area area,
                         const struct tt_lanes_gutter *g, int y);
/* The value of a counter at the cursor. */
void tt_lanes_gutter_counter(const struct tt_workspace *ws, const struct tt_timelines *t,
                             struct tt_area area, const struct tt_lanes_gutter *g, int y,
                             uint32_t series);

/* The numbers of a process; none while they are being worked out. */
void tt_lanes_gutter_process(const struct tt_workspace *ws, const struct tt_row_stats *numbers,
                             struct tt_area area, const struct tt_lanes_gutter *g, int y,
                             uint32_t process);
void tt_lanes_gutter_thread(const struct tt_workspace *ws, const struct tt_timelines *t,
                            struct tt_area area, const struct tt_lanes_gutter *g, int y,
                            uint32_t thread);

#endif
