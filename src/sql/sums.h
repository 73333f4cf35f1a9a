/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sums: the tables of src/table in SQL: `stats_thread` has the rows of `stats --by thread`. The arguments
 * range_from_ticks and range_to_ticks, which are hidden columns, select the range.
 *
 * A time has two columns, in ns and in ticks; a thread or process that a column names has its key, too:
 *
 *      thread --> thread, thread_utid      delay_max --> delay_max_ns, delay_max_ticks
 */
#ifndef TT_SQL_SUMS_H
#define TT_SQL_SUMS_H

#include "sql/scan.h"
#include "tracetui/table.h"

/* All of them; the table's name is that of the sums behind "stats_". */
extern const struct sql_table sql_sum_tables[];
extern const unsigned sql_sum_table_count;

/* Sets a column of such a table; false: there are fewer. `name` has room for SQL_NAME_BYTES. */
bool sql_sum_column(const struct sql_table *table, unsigned index, struct sql_column *column,
                    char *name);

#endif
