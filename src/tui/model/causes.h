/* SPDX-License-Identifier: Apache-2.0 */
/*
 * causes: wakes, and the threads that other threads wait for, cached between frames.
 *
 * Drawing has a const workspace; it uses the entries that tt_causes_refresh, called in the layout,
 * has validated. Entries are valid for one generation of the timelines. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_CAUSES_H
#define TRACETUI_TUI_MODEL_CAUSES_H

#include "analysis/causes/blocked_on.h"
#include "analysis/causes/wakes.h"
#include "tui/model/capture.h"

struct tt_causes;

/* Creates the reader, or drops the entries of older timelines. O(1). */
void tt_causes_refresh(struct tt_open_capture *opened);
void tt_causes_free(struct tt_causes *causes);
/* Returns the reader, for snapshots; NULL if there is none of the present timelines. */
struct tt_wakes *tt_causes_wakes(const struct tt_open_capture *opened);

/*
 * Finds the wake that ends a blocked interval, or the last of the blocked intervals that directly
 * follow it; false if it has not ended or nothing is known.
 */
bool tt_causes_wake(const struct tt_open_capture *opened, const struct tt_interval *blocked,
                    struct tt_wake *wake);
/*
 * Finds the thread that a blocked interval waits for at `at`; false if it is not known. In a wait
 * for a lock that does not end in the capture, that is the holder at the time; otherwise it does
 * not depend on `at`.
 */
bool tt_causes_blocked_on(const struct tt_open_capture *opened, const struct tt_interval *blocked,
                          uint64_t at, struct tt_blocked_on *on);
/*
 * Finds the blocked interval before `interval`, which is ready or running, and its wake; false if
 * there is none, or if the thread was stopped or unknown in between.
 */
bool tt_causes_wake_before(const struct tt_open_capture *opened, const struct tt_interval *interval,
                           struct tt_wake *wake);
/*
 * Finds the first thread that has the CPU of a ready interval at or after `ticks`. The CPU is the one
 * on which the thread runs next, as in explanations.
 */
bool tt_causes_displacer(const struct tt_open_capture *opened, const struct tt_interval *ready,
                         uint64_t ticks, uint32_t *thread, uint16_t *cpu);

#endif
