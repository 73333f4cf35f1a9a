/* SPDX-License-Identifier: Apache-2.0 */
/* object_stats: `stats --by object` (docs/messages.md). */
#ifndef TT_CLI_REPORTS_OBJECT_STATS_H
#define TT_CLI_REPORTS_OBJECT_STATS_H

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/reports/stat_table.h"

/* Returns whether --by selects rows of objects. */
bool tt_is_by_object(const struct tt_options *options);
/* Computes the rows that `stats` prints for the options, and passes them to `use`. */
struct tt_status tt_object_stats_use(const struct tt_options *options, struct tt_input *input,
                                     tt_report_use *use, void *arg);
/* Prints the statistics of each file. */
enum tt_exit tt_command_object_stats(const struct tt_options *options);

#endif
