/* SPDX-License-Identifier: Apache-2.0 */
/* raw_rows: prints the raw rows of a table: `dump --messages`, `dump --jobs`. One thread. */
#ifndef TT_CLI_REPORTS_RAW_ROWS_H
#define TT_CLI_REPORTS_RAW_ROWS_H

#include "cli/event_selection.h"
#include "cli/job_rules.h"
#include "cli/output.h"
#include "table/raw/raw_rows.h"
#include "table/registry.h"
#include "tracetui/event_line.h"

/* Appends a line of text of a row. */
typedef void tt_raw_line(struct tt_text *text, const struct tt_table_run *run, const void *row,
                         const void *arg);

/*
 * Appends the name of a member of a merged capture, or the heading of the names: `member` -1, as a column; nothing if the
 * capture is not merged.
 */
void tt_raw_put_capture(struct tt_text *text, const struct tt_capture *capture, int member);

/* Returns a request for the rows of a selection, which outlives it. */
struct tt_table_request tt_raw_request(const struct tt_table *table,
                                       const struct tt_options *options,
                                       const struct tt_input *input,
                                       const struct tt_event_selection *pick);
/* Prints the rows as lines of text, by `line` with its `arg`, or as CSV or JSON. */
struct tt_status tt_raw_print(const struct tt_table_request *request, int format,
                              struct tt_output *out, tt_raw_line *line, const void *arg);

#endif
