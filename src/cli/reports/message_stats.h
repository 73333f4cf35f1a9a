/* SPDX-License-Identifier: Apache-2.0 */
/* message_stats: `stats --by message`, server, client, channel and imposed (docs/messages.md). */
#ifndef TT_CLI_REPORTS_MESSAGE_STATS_H
#define TT_CLI_REPORTS_MESSAGE_STATS_H

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/reports/stat_table.h"
#include "tracetui/message_stats.h"

/* The number of --by object, after those of the rows of messages. */
#define TT_BY_OBJECT (TT_STATS_BY_COUNT + TT_MESSAGES_BY_COUNT)

/* Returns whether --by selects rows of messages. */
bool tt_is_by_message(const struct tt_options *options);
/* Computes the rows that `stats` prints for the options, and passes them to `use`. */
struct tt_status tt_message_stats_use(const struct tt_options *options, struct tt_input *input,
                                      tt_report_use *use, void *arg);
/* Prints the statistics of each file. */
enum tt_exit tt_command_message_stats(const struct tt_options *options);

#endif
