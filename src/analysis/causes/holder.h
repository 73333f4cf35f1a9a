/* SPDX-License-Identifier: Apache-2.0 */
/*
 * holder: the thread that holds a lock during a wait for it, where the lock passes from thread to
 * thread during the wait.
 */
#ifndef TT_ANALYSIS_CAUSES_HOLDER_H
#define TT_ANALYSIS_CAUSES_HOLDER_H

#include "analysis/causes/wakes.h"

/*
 * Returns the thread that holds at `at` the lock for which `blocked` waits, or TT_NO_THREAD if it is not
 * known: `thread` held it when the wait began (TT_NO_THREAD: not known), and each release passes it on.
 * *until is the time after `at` at which the holder may change, or UINT64_MAX. Returns `thread` if the
 * wait is not for a lock that the capture names. Times are ticks. O(objects log n + releases during the
 * wait), and one search for a wake.
 */
uint32_t tt_holder_at(struct tt_wakes *wakes, const struct tt_interval *blocked, uint32_t thread,
                      uint64_t at, uint64_t *until);

#endif
