/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sql_words: completes a query at its caret: tables and views after FROM and JOIN; elsewhere the columns of the
 * tables in the query (of all tables if it has none), functions, macros and keywords. Main thread.
 */
#ifndef TRACETUI_TUI_PANES_SQL_WORDS_H
#define TRACETUI_TUI_PANES_SQL_WORDS_H

#include "tui/input/completion.h"
#include "tui/model/definitions.h"

/* Offers the words for the query that begins at byte `from` of `text`. */
void tt_query_complete(const struct tt_query_definitions *definitions, const char *text,
                       size_t from, size_t caret, struct tt_completion *out);

#endif
