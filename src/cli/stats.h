/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats: prints a sheet of numbers of one capture (tracetui/sheet.h) as a table, CSV or JSON lines.
 * One thread.
 */
#ifndef TT_CLI_STATS_H
#define TT_CLI_STATS_H

#include "cli/options.h"
#include "cli/output.h"
#include "tracetui/sheet.h"

/* Prints a sheet in an enum tt_output_format; TT_OUTPUT_TEXT is the table. */
struct tt_status tt_stat_sheet_print(const struct tt_stat_sheet *sheet, int format,
                                     struct tt_output *out);

#endif
