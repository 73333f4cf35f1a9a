/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_counters: execution time by context, and operations on the instances of FileX and NetX, by
 * TraceX's rules (docs/metrics.md).
 */
#ifndef TRACETUI_FORMAT_TRX_TRX_COUNTERS_H
#define TRACETUI_FORMAT_TRX_TRX_COUNTERS_H

#include "format/trx/trx_internal.h"
#include "tracetui/tool_rows.h"

/*
 * Calls `take` for each row of a table, in the order of the registry, until it returns false. Objects
 * without events have no row, but all threads have one in the profile. Reads the ring once. Returns false if out of memory.
 */
bool trx_tool_rows(const struct tt_capture *capture, const struct tt_tool_query *query,
                   uint64_t limit, bool (*take)(void *arg, const struct tt_tool_row *row),
                   void *arg);

#endif
