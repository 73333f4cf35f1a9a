/* SPDX-License-Identifier: Apache-2.0 */
/* event_preview: numbers of events of a window, while those before the window are still read. */
#ifndef TRACETUI_ANALYSIS_EVENT_PREVIEW_H
#define TRACETUI_ANALYSIS_EVENT_PREVIEW_H

#include "tracetui/stats.h"

/*
 * Begins the walk at the window instead of at the first event. Counts are right, but periods and
 * durations that begin before the window are missing. Call it before the first step.
 */
void tt_event_stats_preview(struct tt_event_stats *stats);

#endif
