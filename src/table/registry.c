/* SPDX-License-Identifier: Apache-2.0 */
#include "table/registry.h"

#include <string.h>

#include "base/nearest_word.h"

static const struct tt_table *const tables[] = {
#define X(name, word) &tt_table_##name,
    TT_TABLE_LIST(X)
#undef X
};

#define TABLE_COUNT (sizeof tables / sizeof *tables)

const struct tt_table *tt_table_at(size_t index)
{
    return index < TABLE_COUNT ? tables[index] : NULL;
}

const struct tt_table *tt_table_raw_at(size_t index)
{
    static const struct tt_table *const raw[] = {
#define X(name, word) &tt_table_##name,
        TT_RAW_TABLE_LIST(X)
#undef X
    };
    return index < sizeof raw / sizeof *raw ? raw[index] : NULL;
}

const struct tt_table *tt_table_find(const char *name, const char **nearest)
{
    struct tt_nearest_word search = tt_nearest_word_of(name, strlen(name));
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (strcmp(tables[i]->name, name) == 0) {
            return tables[i];
        }
        tt_nearest_word_try(&search, tables[i]->name);
    }
    if (nearest) {
        *nearest = search.nearest;
    }
    return NULL;
}

const struct tt_table_column *tt_table_column_of(const struct tt_table *table, const char *key)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].key, key) == 0) {
            return &table->columns[i];
        }
    }
    return NULL;
}

const char *tt_table_head(const struct tt_table *table, const char *key)
{
    const struct tt_table_column *column = tt_table_column_of(table, key);
    const struct tt_table_screen *screen = column ? &column->screen : NULL;
    return !screen || !screen->head ? "" : screen->head[0] ? screen->head : screen->group;
}
