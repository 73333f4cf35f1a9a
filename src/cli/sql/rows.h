/* SPDX-License-Identifier: Apache-2.0 */
/* rows: prints the rows of a query as a table, csv or jsonl. */
#ifndef TT_CLI_SQL_ROWS_H
#define TT_CLI_SQL_ROWS_H

#include "cli/output.h"
#include "sql/sql.h"

/* Prints all rows; `format`: enum tt_output_format. Rows before an error are printed. */
struct tt_status tt_sql_print(struct tt_sql_query *query, int format, struct tt_output *out);

#endif
