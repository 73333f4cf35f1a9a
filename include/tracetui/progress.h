/* SPDX-License-Identifier: Apache-2.0 */
/* progress: how much of a capture is indexed. Plain data, copied from the index; any thread. */
#ifndef TRACETUI_PROGRESS_H
#define TRACETUI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

/* Minimum time between two notifications of an indexer's owner, in ms. */
#define TT_NOTIFY_MS 50

struct tt_progress {
    uint64_t bytes_done;  /* of the tape */
    uint64_t bytes_total; /* 0: unknown */
    uint64_t events;      /* rows published so far, without derived events */
    uint64_t derived;
    uint64_t records;     /* slots, records */
    uint64_t first_ticks; /* smallest and largest time so far; valid if events > 0 */
    uint64_t last_ticks;
    uint32_t runs;
    bool finished;           /* the index is complete */
    struct tt_status status; /* reason if indexing stopped early */
};

#endif
