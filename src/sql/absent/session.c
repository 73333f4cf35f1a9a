/* SPDX-License-Identifier: Apache-2.0 */
/* session: of a program that was built without SQLite (make SQL=0). */
#include "sql/sql.h"

static struct tt_status no_sql(void)
{
    return tt_error(TT_ERR_USAGE, "this program was built without SQL (SQLite)");
}

bool tt_sql_is_built_in(void)
{
    return false;
}

const char *tt_sql_library(void)
{
    return NULL;
}

struct tt_status tt_sql_open(const struct tt_sql_source *sources, size_t count,
                             const struct tt_sql_limits *limits, struct tt_sql **sql)
{
    (void)sources;
    (void)count;
    (void)limits;
    *sql = NULL;
    return no_sql();
}

void tt_sql_close(struct tt_sql *sql)
{
    (void)sql;
}

struct tt_status tt_sql_define(struct tt_sql *sql, const struct tt_sql_definition *definition)
{
    (void)sql;
    (void)definition;
    return no_sql();
}

void tt_sql_interrupt(struct tt_sql *sql)
{
    (void)sql;
}

struct tt_status tt_sql_expand(struct tt_sql *sql, const char *text, char **expanded)
{
    (void)sql;
    (void)text;
    *expanded = NULL;
    return no_sql();
}

struct tt_status tt_sql_prepare(struct tt_sql *sql, const char *text, struct tt_sql_query **query,
                                const char **rest, int *at)
{
    (void)sql;
    (void)at;
    *query = NULL;
    *rest = text;
    return no_sql();
}

struct tt_status tt_sql_step(struct tt_sql_query *query, bool *row)
{
    (void)query;
    *row = false;
    return no_sql();
}

void tt_sql_query_free(struct tt_sql_query *query)
{
    (void)query;
}

unsigned tt_sql_column_count(const struct tt_sql_query *query)
{
    (void)query;
    return 0;
}

const char *tt_sql_column_name(const struct tt_sql_query *query, unsigned column)
{
    (void)query;
    (void)column;
    return "";
}

struct tt_sql_value tt_sql_value_of(struct tt_sql_query *query, unsigned column)
{
    (void)query;
    (void)column;
    return (struct tt_sql_value){.type = TT_SQL_NULL, .text = ""};
}

bool tt_sql_row_time(struct tt_sql_query *query, size_t *source, uint64_t *ticks)
{
    (void)query;
    (void)source;
    (void)ticks;
    return false;
}

struct tt_status tt_sql_copy(struct tt_sql *sql, const char *query, const char *path)
{
    (void)sql;
    (void)query;
    (void)path;
    return no_sql();
}
