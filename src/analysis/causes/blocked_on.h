/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocked_on: the thread that a blocked thread waits for, from the events before the wait ends: the
 * server that received its message, the holder of its mutex, the thread that it joins.
 */
#ifndef TT_ANALYSIS_CAUSES_BLOCKED_ON_H
#define TT_ANALYSIS_CAUSES_BLOCKED_ON_H

#include "analysis/causes/wakes.h"

struct tt_blocked_on {
    uint64_t object;  /* mutex, rcvid; 0: none */
    uint32_t thread;  /* or TT_NO_THREAD */
    uint32_t process; /* that a message was sent to, or UINT32_MAX */
    bool message;     /* it waits for the answer to a message */
};

/* Returns the beginning of the consecutive blocked intervals of which `at` is one. */
uint64_t tt_wait_begin(const struct tt_timelines *timelines, struct tt_interval_at at);

/* Returns false if nothing is known. Reads at most TT_WAKE_REACH events in either direction. */
bool tt_blocked_on_find(struct tt_wakes *wakes, const struct tt_interval *blocked,
                        struct tt_blocked_on *on);

#endif
