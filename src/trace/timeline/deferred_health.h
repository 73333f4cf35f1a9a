/* SPDX-License-Identifier: Apache-2.0 */
/*
 * held_health: health that timelines meet while the whole file is indexed, kept back until it is
 * done.
 *
 * Only the indexer adds to a capture's health, and in an order that does not depend on how many
 * threads there are. Whoever owns the held frees it. One thread at a time.
 */
#ifndef TRACETUI_TRACE_TIMELINE_DEFERRED_HEALTH_H
#define TRACETUI_TRACE_TIMELINE_DEFERRED_HEALTH_H

#include "tracetui/capture.h"

struct tt_deferred_health {
    struct tt_health_record *records; /* the first TT_HEALTH_KEPT */
    size_t count;
    size_t capacity;
    uint64_t more[TT_HEALTH_COUNT]; /* not among them: counted only */
};

void tt_deferred_health_free(struct tt_deferred_health *held);
/* False when out of memory. */
bool tt_deferred_health_add(struct tt_deferred_health *held, const struct tt_health_record *record);
/* Adds all to the capture's health. */
void tt_deferred_health_report(const struct tt_deferred_health *held, struct tt_capture *c);

#endif
