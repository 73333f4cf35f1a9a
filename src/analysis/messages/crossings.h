/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crossings: what moves from one CPU to another: threads (migrations) and messages.
 *
 *      CPU 0    client ###send|            thread ####|
 *      CPU 1           server |####receive     thread |#####
 *
 * A message crosses if the CPU of its sender at the send differs from the CPU on which the
 * receiving thread ran at the receive or, if it was not running then, ran next. Messages without a
 * known receive, or without a known CPU, do not count. docs/metrics.md defines migrations. Idle
 * threads do not count.
 *
 * A walk passes each crossing to a sink, with length 0 and the time of the send or of the run's
 * begin. One thread; the timelines outlive the walk.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_CROSSINGS_H
#define TRACETUI_ANALYSIS_MESSAGES_CROSSINGS_H

#include "analysis/messages/message_walk.h"
#include "tracetui/stats.h"

enum tt_crossing { TT_CROSSING_MIGRATION, TT_CROSSING_MESSAGE };

struct tt_crossings;

/* Begins a walk over ticks [from, to). Returns NULL if out of memory. */
struct tt_crossings *tt_crossings_new(const struct tt_timelines *timelines,
                                      const struct tt_capture *capture, enum tt_crossing what,
                                      uint64_t from, uint64_t to,
                                      const struct tt_sample_sink *sink);
void tt_crossings_free(struct tt_crossings *crossings);
/*
 * Continues for about *work intervals, which are subtracted; *done at the end. Returns false if the
 * sink is out of memory.
 */
bool tt_crossings_step(struct tt_crossings *crossings, uint64_t *work, bool *done);

#endif
