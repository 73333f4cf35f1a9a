/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress: how far a capture is indexed. Plain data, copied out of the index; any thread.
 */
#ifndef TRACETUI_PROGRESS_H
#define TRACETUI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

/* Least time between two notifications of an indexer's owner, in ms. */
#define TT_NOTIFY_MS 50

struct tt_progress {
    uint64_t bytes_done;  /* of the tape */
    uint64_t bytes_total; /* 0: not known */
    uint64_t events;      /* rows published so far, derived ones not counted */
    uint64_t derived;
    uint64_t records;     /* slots, records */
    uint64_t first_ticks; /* least and greatest time so far; good when events > 0 */
    uint64_t last_ticks;
    uint32_t runs;
    bool finished;           /* nothing more will come */
    struct tt_status status; /* why it stopped early, if it did */
};

#endif
