/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats: computes a table of one capture (tracetui/table.h) for the options of the command
 * line, and prints it as a table, CSV or JSON lines. One thread.
 */
#ifndef TT_CLI_STATS_H
#define TT_CLI_STATS_H

#include "cli/input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "print/print.h"

typedef struct tt_status tt_stat_use(void *arg, const struct tt_table_run *sheet);
/* Computes the sheet that `stats` prints for the options, and passes it to `use`. */
struct tt_status tt_stats_compute(const struct tt_options *options, struct tt_input *input,
                                  tt_stat_use *use, void *arg);

/* Returns the form of an enum tt_output_format; TT_OUTPUT_TEXT is the table. */
enum tt_print_form tt_stats_form(int format);

#endif
