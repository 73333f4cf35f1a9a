/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_types: for many filters that are tested on the same events. Most filters require one type of
 * event, so that a table of types excludes most filters for an event without testing them; the type and
 * the thread of an event decide many filters completely.
 */
#ifndef TRACETUI_FILTER_TYPES_H
#define TRACETUI_FILTER_TYPES_H

#include "tracetui/filter.h"

/*
 * Returns the number of types that tt_filter_plan_may_be_type decides: those that the capture had when
 * the plan was made. UINT32_MAX: the filter has no term on types.
 */
uint32_t tt_filter_plan_types(const struct tt_filter_plan *plan);
/* Returns whether events of a type may match: false if the terms on types alone exclude it. */
bool tt_filter_plan_may_be_type(const struct tt_filter_plan *plan, uint32_t type);

enum tt_filter_match { TT_FILTER_NEVER, TT_FILTER_SOMETIMES, TT_FILTER_ALWAYS };

/*
 * Returns whether the terms on types and threads alone decide events of a type and a thread, as they
 * were when the plan was made. The thread may be TT_NO_THREAD.
 */
enum tt_filter_match tt_filter_plan_match(const struct tt_filter_plan *plan, uint32_t type,
                                          uint32_t thread);
/*
 * Does the same as tt_filter_test for the events whose bits are set in `need`; the bits of the others
 * are 0. Bits of `need` beyond `count` must be 0.
 */
void tt_filter_test_some(struct tt_filter_worker *worker, const struct tt_event *events,
                         uint64_t row, uint32_t count, const uint64_t *need, uint64_t *bits);

#endif
