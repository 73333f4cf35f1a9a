/* SPDX-License-Identifier: Apache-2.0 */
/* message_stats: `stats --by message`, server, client, channel and imposed (docs/messages.md). */
#ifndef TT_CLI_REPORTS_MESSAGE_STATS_H
#define TT_CLI_REPORTS_MESSAGE_STATS_H

#include "cli/commands.h"

/* Returns whether --by selects rows of messages. */
bool tt_is_by_message(const struct tt_options *options);
/* Prints the statistics of each file. */
enum tt_exit tt_command_message_stats(const struct tt_options *options);

#endif
