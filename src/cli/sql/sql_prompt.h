/* SPDX-License-Identifier: Apache-2.0 */
/* sql_prompt: the prompt of sql: a statement per line, with completion and history. */
#ifndef TT_CLI_SQL_PROMPT_H
#define TT_CLI_SQL_PROMPT_H

#include "cli/options.h"
#include "cli/output.h"
#include "edit/line_reader.h"
#include "sql/sql.h"

/* Runs the statements of a text; stops at the first one that fails. */
struct tt_status tt_sql_run(struct tt_sql *sql, const char *text, int format,
                            struct tt_output *out);
/* Reads and runs lines until the input ends. */
struct tt_status tt_sql_ask(struct tt_sql *sql, const struct tt_options *options,
                            struct tt_output *out);
/*
 * Adds the words that can follow `line` up to the caret: after a dot or a table's name its columns, else
 * tables, columns, functions and keywords.
 */
void tt_sql_complete(const char *line, size_t caret, struct tt_line_words *words);

#endif
