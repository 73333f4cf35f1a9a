/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane_sums: the durations or values behind a row of the table `lane` (tt_table_lanes), for plots. A walk of its own over the
 * range of the run, which has the row's state and outlives it. One thread.
 */
#ifndef TRACETUI_TABLE_LANES_LANE_SUMS_H
#define TRACETUI_TABLE_LANES_LANE_SUMS_H

#include "tracetui/table.h"

struct tt_lane_samples;

/* Passes values, below 0 none, or else durations, to `sink`, which outlives it. NULL if out of memory. */
struct tt_lane_samples *tt_lane_samples_new(const struct tt_table_run *run, const void *row,
                                            bool values, struct tt_sample_sink *sink);
/* Continues for about *work events, which are subtracted; *done at the end. False if out of memory. */
bool tt_lane_samples_step(struct tt_lane_samples *samples, uint64_t *work, bool *done);
void tt_lane_samples_free(struct tt_lane_samples *samples);

#endif
