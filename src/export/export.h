/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export: writes a capture of any format, or a part of it, as a Fuchsia trace (FXT) that Perfetto
 * opens.
 *
 *      timelines  ──switches, wakeups, messages──┐
 *      events     ──durations, instants, counters┴─ by time ──> records ──> write()
 *
 * The output has one provider and one clock of 1 GHz: its times are nanoseconds, or ticks of a
 * capture without a clock. docs/export.md lists what each event becomes and what is lost. Records
 * follow the rules that Perfetto's importer was found to require: koids unique below 2^32, weights
 * of 32 bits, no wakeup of a running thread, no record of more than 4,095 words.
 *
 * Memory: 64 bytes per thread and the names; nothing per event. One thread. The trace is completely
 * indexed and outlives the call.
 */
#ifndef TRACETUI_EXPORT_EXPORT_H
#define TRACETUI_EXPORT_EXPORT_H

#include "base/sink.h"
#include "trace/event_subset.h"
#include "tracetui/trace.h"

struct tt_fxt_form;

struct tt_export_request {
    struct tt_trace *trace;
    uint64_t first_row; /* events: rows [first_row, end_row) */
    uint64_t end_row;
    uint64_t from; /* switches, wakeups and counters: ticks [from, to) */
    uint64_t to;
    struct tt_event_subset subset;  /* scheduling and counters do not depend on its rows */
    struct tt_sink sink;            /* if it stops, the export ends, which is not an error */
    const struct tt_fxt_form *form; /* receives the records instead of `sink`; NULL: none */
};

struct tt_export_counts {
    uint64_t records;  /* FXT records written */
    uint64_t events;   /* events read */
    uint64_t switches; /* records of each kind */
    uint64_t wakeups;
    uint64_t flows; /* messages written as flows */
    bool shrunk;    /* bytes of the capture were gone when they were read again */
};

/*
 * Exports the request as FXT. O(events). `counts` is filled in even after a failure. Errors:
 * TT_ERR_MEMORY; TT_ERR_USAGE if the capture has too many threads for koids of 32 bits.
 */
struct tt_status tt_export_fxt(const struct tt_export_request *request,
                               struct tt_export_counts *counts);

/*
 * Does the same in steps, for a screen:
 *
 *      begin .. step, step ... until it returns false .. end
 *
 * `end` frees the export, also before all steps, and returns the error of any of them. After a
 * failed begin *export_ is NULL. The request is copied; what it points to is borrowed.
 */
struct tt_fxt_export;
struct tt_status tt_fxt_export_begin(const struct tt_export_request *request,
                                     struct tt_fxt_export **export_);
/* Exports up to 1,024 events; false if there are no more, or the export failed or was stopped. */
bool tt_fxt_export_step(struct tt_fxt_export *export);
/* Returns the row of the next event. */
uint64_t tt_fxt_export_row(const struct tt_fxt_export *export);
struct tt_status tt_fxt_export_end(struct tt_fxt_export *export, struct tt_export_counts *counts);

#endif
