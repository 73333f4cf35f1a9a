/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chrome_json: writes a capture of any format as JSON in the Chrome trace event format, with the
 * fields that Fuchsia's `ffx trace` and trace2json write.
 *
 *      {"displayTimeUnit":"ns",
 *       "traceEvents":[          durations, instants, counters, asynchronous events, flows; names
 *       ],
 *       "systemTraceEvents":{"type":"fuchsia","events":[    names, switches (k), wakeups (w)
 *       ]}}
 *
 * The events are the records that tt_export_fxt writes, one JSON object for each, in the same order.
 * Times are microseconds with three decimals; microticks of a capture without a clock.
 *
 * The scheduling is written by a second walk that reads no events, so memory does not depend on the
 * number of events. One thread.
 */
#ifndef TRACETUI_EXPORT_CHROME_JSON_H
#define TRACETUI_EXPORT_CHROME_JSON_H

#include "export/export.h"

/* Exports the request as JSON. Counts and errors are those of tt_export_fxt. */
struct tt_status tt_export_chrome_json(const struct tt_export_request *request,
                                       struct tt_export_counts *counts);

#endif
