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
            tt_text_str(text, "| `");
            tt_text_str(text, table.name);
            tt_text_str(text, "` | ");
            tt_text_str(text, table.doc);
            tt_text_str(text, " |\n");
        }
    }
}

static void put_table(struct tt_text *text, unsigned number, const struct tt_sql_table_info *table)
{
    struct tt_sql_column_info column;
    tt_text_str(text, "\n### ");
    tt_text_str(text, table->name);
    tt_text_str(text, "\n\n");
    tt_text_str(text, table->doc);
    tt_text_str(text, "\n\n| column | unit | limits | meaning |\n|---|---|---|---|\n");
    for (unsigned i = 0; tt_sql_column_at(number, i, &column); i++) {
        tt_text_str(text, "| `");
        tt_text_str(text, column.name);
        tt_text_str(text, "` | ");
        tt_text_str(text, column.unit);
        tt_text_str(text, column.is_bound ? " | yes | " : " | | ");
        tt_text_str(text, column.doc);
        tt_text_str(text, " |\n");
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
            tt_text_str(text, "\n## ");
            tt_text_str(text, group);
            tt_text_char(text, '\n');
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
        tt_text_str(text, "| `");
        tt_text_str(text, function.call);
        tt_text_str(text, "` | ");
        tt_text_str(text, function.doc);
        tt_text_str(text, " |\n");
    }
}
