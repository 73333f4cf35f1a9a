/* SPDX-License-Identifier: Apache-2.0 */
/* sql_commands: lines that begin with a dot, at the prompt, as QUERY and in a file of statements. */
#ifndef TRACETUI_CLI_SQL_SQL_COMMANDS_H
#define TRACETUI_CLI_SQL_SQL_COMMANDS_H

#include <stddef.h>

#include "cli/output.h"
#include "tracetui/status.h"

/* Prints the list of these commands. */
void tt_sql_print_help(struct tt_output *out);
/* Runs a command of `length` bytes: .tables, .schema [TABLE], .help. TT_ERR_USAGE if it is none. */
struct tt_status tt_sql_command(const char *line, size_t length, struct tt_output *out);

#endif
