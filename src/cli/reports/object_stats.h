/* SPDX-License-Identifier: Apache-2.0 */
/* object_stats: `stats --by object` (docs/messages.md). */
#ifndef TT_CLI_REPORTS_OBJECT_STATS_H
#define TT_CLI_REPORTS_OBJECT_STATS_H

#include "cli/commands.h"

/* Returns whether --by selects rows of objects. */
bool tt_is_by_object(const struct tt_options *options);
/* Prints the statistics of each file. */
enum tt_exit tt_command_object_stats(const struct tt_options *options);

#endif
