/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_subset: the events of some threads and CPUs, and of some rows. Plain data; what it points to
 * is borrowed.
 */
#ifndef TRACETUI_TRACE_EVENT_SUBSET_H
#define TRACETUI_TRACE_EVENT_SUBSET_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/event.h"

struct tt_event_subset {
    const uint64_t *threads; /* one bit per thread; NULL: all, and events without a thread */
    uint32_t thread_count;
    const uint64_t *cpus; /* one bit per CPU; NULL: all */
    uint32_t cpu_count;
    bool (*wanted)(void *arg, uint64_t row); /* NULL: all rows */
    void *wanted_arg;
};

/* Returns whether the event of a row is in the subset. */
bool tt_event_subset_has(const struct tt_event_subset *subset, const struct tt_event *event,
                         uint64_t row);

#endif
