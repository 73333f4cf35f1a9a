/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guests: threads of a host that run a guest, and times at which a CPU of a guest was not running.
 *
 *      host    vCPU thread | RUNNING, guest | RUNNING |  READY  | RUNNING, guest |
 *      guest   CPU         |######## thread ##########|  stolen |### thread #####|
 *
 * A CPU of a guest is known by its vCPU thread (tt_merge_vcpu). Time is stolen while that thread is ready or waits.
 * Times are ticks. Nothing is allocated; any thread.
 */
#ifndef TRACETUI_ANALYSIS_CAUSES_GUESTS_H
#define TRACETUI_ANALYSIS_CAUSES_GUESTS_H

#include "tracetui/slices.h"

/* Returns whether a thread runs its guest at a time; *until is when that may change, at the earliest. O(log n). */
bool tt_guest_runs_at(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                      uint64_t *until);
/* Returns whether a vCPU thread, or TT_NO_THREAD, is off its CPU at a time; *until as above. O(log n). */
bool tt_steal_at(const struct tt_timelines *timelines, uint32_t vcpu, uint64_t ticks,
                 uint64_t *until);
/* Returns the ticks in [from, to) that are stolen from the thread on a CPU of a guest. O(log n). */
uint64_t tt_steal_ticks(const struct tt_timelines *timelines, uint32_t vcpu, uint64_t from,
                        uint64_t to);

#endif
