/* SPDX-License-Identifier: Apache-2.0 */
/*
 * priority_part: the range of a thread's priorities, in parts: a thread that inherits priorities may
 * change its own a million times.
 */
#ifndef TRACETUI_TRACE_TIMELINE_PRIORITY_PART_H
#define TRACETUI_TRACE_TIMELINE_PRIORITY_PART_H

#include "tracetui/timeline.h"

/*
 * Extends [*min, *max], both TT_NO_PRIORITY at first, by the priorities of a thread in
 * [*reached, to). Returns true when `to` is reached. Returns false, with *reached advanced, after
 * about *work changes, which are subtracted from *work; *work is at least 1.
 */
bool tt_thread_priority_part(const struct tt_timelines *timelines, uint32_t thread, uint64_t to,
                             uint64_t *reached, uint64_t *work, int *min, int *max);

#endif
