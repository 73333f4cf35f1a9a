/* SPDX-License-Identifier: Apache-2.0 */
/* page: the reference of docs/sql.md. */
#include <string.h>

#include "sql/sql.h"

/* Appends the tables of sums, a line each: their columns are those of `stats`. */
static void page_put_sums(struct tt_text *text)
{
    struct tt_sql_table_info table;
    tt_text_str(
        text,
        "\nThe tables of `stats` ([metrics](metrics.md)), with all of their columns: a time has "
        "two, in ns and in\nticks, and a thread or process has its key. `stats_thread(a, b)` "
        "are the rows of the range from a to b ticks.\n\n| table | row |\n|---|---|\n");
    for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
        if (table.is_sums) {
            tt_text_put(text, "| `%s` | %s |\n", table.name, table.doc);
        }
    }
}

static void put_table(struct tt_text *text, unsigned number, const struct tt_sql_table_info *table)
{
    struct tt_sql_column_info column;
    tt_text_put(text, "\n### %s\n\n%s\n\n| column | unit | limits | meaning |\n|---|---|---|---|\n",
                table->name, table->doc);
    for (unsigned i = 0; tt_sql_column_at(number, i, &column); i++) {
        tt_text_put(text, "| `%s` | %s%s%s |\n", column.name, column.unit,
                    column.is_bound ? " | yes | " : " | | ", column.doc);
    }
}

void tt_sql_page(struct tt_text *text)
{
    const char *group = "";
    struct tt_sql_table_info table;
    struct tt_sql_function_info function;
    for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
        if (strcmp(group, table.group) != 0) {
            group = table.group;
            tt_text_put(text, "\n## %s\n", group);
            if (table.is_sums) {
                page_put_sums(text);
            }
        }
        if (!table.is_sums) {
            put_table(text, i, &table);
        }
    }
    tt_text_str(text, "\n## Functions\n\n| function | result |\n|---|---|\n");
    for (unsigned i = 0; tt_sql_function_at(i, &function); i++) {
        tt_text_put(text, "| `%s` | %s |\n", function.call, function.doc);
    }
}
