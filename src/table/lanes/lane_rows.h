/* SPDX-License-Identifier: Apache-2.0 */
/* lane_rows: the row of the table of lanes (tt_table_lane_rows), for the lines of text of `lanes`. Plain data. */
#ifndef TRACETUI_TABLE_LANES_LANE_ROWS_H
#define TRACETUI_TABLE_LANES_LANE_ROWS_H

#include "lane/lane.h"

struct tt_lane_out {
    struct tt_lane_span span;
    const char *name, *state;
    uint64_t length; /* TT_TABLE_NONE: without an end */
    uint64_t is_open, is_lossy;
};

#endif
