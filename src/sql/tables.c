/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/tables.h"

#include <string.h>

#include "sql/functions.h"
#include "tracetui/sql.h"

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

bool tt_sql_table_at(unsigned index, struct tt_sql_table_info *info)
{
    if (index >= TABLE_COUNT) {
        return false;
    }
    const struct sql_table *table = sql_tables[index];
    *info = (struct tt_sql_table_info){table->name, table->doc, table->group, table->column_count};
    return true;
}

bool tt_sql_column_at(unsigned table, unsigned column, struct tt_sql_column_info *info)
{
    if (table >= TABLE_COUNT || column >= sql_tables[table]->column_count) {
        return false;
    }
    const struct sql_column *c = &sql_tables[table]->columns[column];
    *info = (struct tt_sql_column_info){c->name, kinds[c->kind].type, kinds[c->kind].unit, c->doc,
                                        c->bound != SQL_UNBOUND};
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
