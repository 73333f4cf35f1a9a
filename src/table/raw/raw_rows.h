/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw_rows: the rows of tables that are read and not kept, for the lines of text of `dump`. Plain data.
 */
#ifndef TRACETUI_TABLE_RAW_ROWS_H
#define TRACETUI_TABLE_RAW_ROWS_H

#include "analysis/causes/snapshot_text.h"
#include "analysis/messages/message_walk.h"
#include "tracetui/jobs.h"
#include "tracetui/table.h"

struct tt_message_row {
    struct tt_message m;
    uint64_t begin;
    uint64_t reply; /* the time of the answer */
    uint64_t channel;
    uint64_t error_number;
    const char *kind, *how, *error;
    uint32_t upid; /* the receiver's process where it has one */
    uint32_t zero;
    /* Costly. */
    struct tt_message_parts parts;
    uint64_t has_classes;
    uint64_t other; /* of the service: stopped, dead and unknown */
};

struct tt_job_row {
    struct tt_job job;
    uint64_t response;
    uint64_t startup;
    uint64_t missed; /* TT_TABLE_NONE: the thread has no deadline */
};

/* Makes a row of tt_table_snapshot_rows, which uses `from` and the scene of the run's request. */
void tt_snapshot_row_make(const struct tt_table_run *run, const struct tt_snapshot_row *from,
                          struct tt_table_row *row);

#endif
