/* SPDX-License-Identifier: Apache-2.0 */
/*
 * missing: what was not recorded in a capture, what that costs, and how to record it.
 *
 * The answer depends only on the capture's tables and timelines. It is final when the index is
 * complete; before that, records that follow later may be reported as missing. Any thread.
 */
#ifndef TRACETUI_ANALYSIS_MISSING_H
#define TRACETUI_ANALYSIS_MISSING_H

#include "tracetui/format.h"
#include "tracetui/trace.h"

/*
 * Returns a set, one bit (1 << enum tt_missing) for each kind of record that the capture lacks
 * although its target can record it; 0 for an empty capture. Kinds that depend on scheduling are
 * reported only if there is scheduling. O(threads + CPUs + types), and at most TT_MISSING_INTERVALS
 * intervals are read.
 */
uint32_t tt_missing_find(struct tt_trace *trace);
#define TT_MISSING_INTERVALS 65536u

/* Return the key ("wakeups") and the cost of an enum tt_missing. */
const char *tt_missing_key(unsigned missing);
const char *tt_missing_cost(unsigned missing);
/* Returns how to record it on the target of a capture; NULL: the target cannot record it. */
const char *tt_missing_remedy(const struct tt_capture *capture, unsigned missing);

#endif
