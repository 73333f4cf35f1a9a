/* SPDX-License-Identifier: Apache-2.0 */
/* messages: `dump --messages`, one line per message with its parts (docs/messages.md). */
#ifndef TT_CLI_REPORTS_MESSAGES_H
#define TT_CLI_REPORTS_MESSAGES_H

#include "cli/commands.h"

/* Prints the messages of each file in the selected range and of the selected threads. */
enum tt_exit tt_command_messages(const struct tt_options *options);

#endif
