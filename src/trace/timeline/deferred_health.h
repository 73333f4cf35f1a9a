/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deferred_health: problems that the timelines find while a complete file is indexed, collected
 * until indexing is done.
 *
 * Only the indexing thread adds to a capture's health, in an order that does not depend on the
 * number of threads. The owner frees it. One thread at a time.
 */
#ifndef TRACETUI_TRACE_TIMELINE_DEFERRED_HEALTH_H
#define TRACETUI_TRACE_TIMELINE_DEFERRED_HEALTH_H

#include "tracetui/capture.h"

struct tt_deferred_health {
    struct tt_health_record *records; /* the first TT_HEALTH_KEPT */
    size_t count;
    size_t capacity;
    uint64_t more[TT_HEALTH_COUNT]; /* further problems by kind, counted only */
};

void tt_deferred_health_free(struct tt_deferred_health *held);
/* Adds a problem. Returns false when out of memory. */
bool tt_deferred_health_add(struct tt_deferred_health *held, const struct tt_health_record *record);
/* Adds all of them to the capture's health. */
void tt_deferred_health_report(const struct tt_deferred_health *held, struct tt_capture *capture);

#endif
