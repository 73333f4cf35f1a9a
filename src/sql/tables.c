/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/tables.h"

#include <string.h>

#include "sql/functions.h"
#include "sql/sums.h"
#include "tracetui/sql.h"
#include "tracetui/table.h"

const struct sql_table *const sql_tables[] = {
#define X(name) &sql_table_##name,
    SQL_TABLE_LIST(X)
#undef X
        NULL};

static const struct {
    const char *type, *unit;
} kinds[] = {
#define X(id, type, unit) {type, unit},
    SQL_KIND_INFO(X)
#undef X
};

#define TABLE_COUNT (sizeof sql_tables / sizeof *sql_tables - 1)

const struct sql_table *sql_table_at(unsigned index)
{
    return index < TABLE_COUNT                         ? sql_tables[index]
           : index - TABLE_COUNT < sql_sum_table_count ? &sql_sum_tables[index - TABLE_COUNT]
                                                       : NULL;
}

bool sql_column_at(const struct sql_table *table, unsigned index, struct sql_column *column,
                   char *name)
{
    if (table->table) {
        return sql_sum_column(table, index, column, name);
    }
    if (index < table->column_count) {
        *column = table->columns[index];
    }
    return index < table->column_count;
}

bool tt_sql_table_at(unsigned index, struct tt_sql_table_info *info)
{
    const struct sql_table *table = sql_table_at(index);
    struct sql_column column;
    char name[SQL_NAME_BYTES];
    if (!table) {
        return false;
    }
    *info = (struct tt_sql_table_info){table->name, table->table ? table->table->doc : table->doc,
                                       table->group, 0, table->table && !table->table->next};
    for (unsigned i = 0; sql_column_at(table, i, &column, name); i++) {
        info->columns += column.bound != SQL_BY_FROM && column.bound != SQL_BY_TO;
    }
    return true;
}

bool tt_sql_column_at(unsigned table, unsigned column, struct tt_sql_column_info *info)
{
    const struct sql_table *of = sql_table_at(table);
    struct sql_column c;
    char name[SQL_NAME_BYTES];
    if (!of || !sql_column_at(of, column, &c, name)) {
        return false;
    }
    *info = (struct tt_sql_column_info){.type = kinds[c.kind].type,
                                        .unit = kinds[c.kind].unit,
                                        .doc = c.doc,
                                        .is_bound = c.bound != SQL_UNBOUND};
    struct tt_text text = tt_text_of(info->name, sizeof info->name);
    tt_text_str(&text, c.name);
    tt_text_cstr(&text);
    return true;
}

bool tt_sql_function_at(unsigned index, struct tt_sql_function_info *info)
{
    static const struct tt_sql_function_info functions[] = {
#define X(name, least, most, call, doc) {call, doc},
        SQL_FUNCTION_INFO(X) SQL_AGGREGATE_INFO(X)
#undef X
    };
    bool is = index < sizeof functions / sizeof *functions;
    if (is) {
        *info = functions[index];
    }
    return is;
}
