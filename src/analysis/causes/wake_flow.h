/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wake_flow: the kind of a wake from the flows that the two threads pass on, in formats whose wakes
 * have no kinds.
 *
 *      client   FLOW 7 |blocked ......................|ready| FLOW 9 ...
 *      server                  FLOW 7   WAKE client           reply: the flow is the client's own
 */
#ifndef TT_ANALYSIS_CAUSES_WAKE_FLOW_H
#define TT_ANALYSIS_CAUSES_WAKE_FLOW_H

#include "analysis/causes/wakes.h"

/*
 * Sets the kind and the object of a wake by a thread; `blocked` is the wait that it ends, `row` the row
 * of its event. Nothing is changed if no flow shows the kind. Reads a bounded number of events.
 */
void tt_wake_flow(struct tt_wakes *wakes, const struct tt_interval *blocked, uint64_t row,
                  struct tt_wake *wake);

#endif
