/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats: computes a sheet of numbers of one capture (tracetui/sheet.h) for the options of the command
 * line, and prints it as a table, CSV or JSON lines. One thread.
 */
#ifndef TT_CLI_STATS_H
#define TT_CLI_STATS_H

#include "cli/input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "tracetui/sheet.h"

typedef struct tt_status tt_stat_use(void *arg, const struct tt_stat_sheet *sheet);
/* Computes the sheet that `stats` prints for the options, and passes it to `use`. */
struct tt_status tt_stats_compute(const struct tt_options *options, struct tt_input *input,
                                  tt_stat_use *use, void *arg);

/* Appends the unit of a column of the table: " us", or nothing. */
void tt_stat_put_unit(struct tt_text *text, const struct tt_stat_sheet *sheet,
                      const struct tt_stat_column *column);
/* Appends a cell of the table, escaped. */
void tt_stat_put_cell(struct tt_text *text, const struct tt_stat_sheet *sheet,
                      const struct tt_stat_column *column, const struct tt_stat_row *row);

/* Prints a sheet in an enum tt_output_format; TT_OUTPUT_TEXT is the table. */
struct tt_status tt_stat_sheet_print(const struct tt_stat_sheet *sheet, int format,
                                     struct tt_output *out);

#endif
