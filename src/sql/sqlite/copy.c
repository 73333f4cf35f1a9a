/* SPDX-License-Identifier: Apache-2.0 */
/* copy: writes the rows of tables, or of a query, into a database file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sql/sqlite/session.h"
#include "sql/tables.h"

struct copy {
    struct tt_sql *sql;
    sqlite3 *to;
};

static struct tt_status write_error(const struct copy *copy)
{
    return tt_error(TT_ERR_IO, "%s", sqlite3_errmsg(copy->to));
}

/* Runs a statement on the new database and frees its text. */
static struct tt_status copy_run(const struct copy *copy, char *text)
{
    int code = text ? sqlite3_exec(copy->to, text, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(text);
    return code == SQLITE_OK ? tt_ok() : write_error(copy);
}

static struct tt_status create_table(const struct copy *copy, const char *name,
                                     const struct tt_sql_query *query,
                                     const struct sql_table *table)
{
    static const char *const types[] = {
#define X(id, type, unit) type,
        SQL_KIND_INFO(X)
#undef X
    };
    struct sql_column column;
    char key[SQL_NAME_BYTES];
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "CREATE TABLE \"%w\"(", name);
    for (unsigned i = 0; i < tt_sql_column_count(query); i++) {
        bool typed = table && sql_column_at(table, i, &column, key);
        sqlite3_str_appendf(text, "%s\"%w\" %s", i == 0 ? "" : ", ", tt_sql_column_name(query, i),
                            typed ? types[column.kind] : "");
    }
    sqlite3_str_appendall(text, ")");
    return copy_run(copy, sqlite3_str_finish(text));
}

static struct tt_status copy_copy_rows(const struct copy *copy, struct tt_sql_query *query,
                                       sqlite3_stmt *insert)
{
    bool row;
    for (;;) {
        struct tt_status status = tt_sql_step(query, &row);
        if (tt_failed(&status) || !row) {
            return status;
        }
        for (unsigned i = 0; i < tt_sql_column_count(query); i++) {
            struct tt_sql_value value = tt_sql_value_of(query, i);

            int number = (int)i + 1;
            switch (value.type) {
            case TT_SQL_INTEGER:
                sqlite3_bind_int64(insert, number, value.integer);
                break;
            case TT_SQL_REAL:
                sqlite3_bind_double(insert, number, value.real);
                break;
            case TT_SQL_TEXT:
                sqlite3_bind_text(insert, number, value.text, (int)value.length, SQLITE_STATIC);
                break;
            case TT_SQL_BLOB:
                sqlite3_bind_blob(insert, number, value.text, (int)value.length, SQLITE_STATIC);
                break;
            default:
                sqlite3_bind_null(insert, number);
            }
        }
        if (sqlite3_step(insert) != SQLITE_DONE) {
            return write_error(copy);
        }
        sqlite3_reset(insert);
    }
}

static struct tt_status copy_query(const struct copy *copy, const char *name, const char *text,
                                   const struct sql_table *table)
{
    struct tt_sql_query *query;
    const char *rest;
    struct tt_status status = tt_sql_prepare(copy->sql, text, &query, &rest, NULL);
    if (tt_failed(&status) || !query) {
        return status;
    }
    sqlite3_stmt *insert = NULL; /* with a parameter per column */
    status = create_table(copy, name, query, table);
    if (!tt_failed(&status)) {
        sqlite3_str *values = sqlite3_str_new(NULL);
        sqlite3_str_appendf(values, "INSERT INTO \"%w\" VALUES(?", name);
        for (unsigned i = 1; i < tt_sql_column_count(query); i++) {
            sqlite3_str_appendall(values, ",?");
        }
        sqlite3_str_appendall(values, ")");
        char *finished = sqlite3_str_finish(values);
        if (finished) {
            sqlite3_prepare_v2(copy->to, finished, -1, &insert, NULL);
        }
        sqlite3_free(finished);
        status = insert ? copy_copy_rows(copy, query, insert) : write_error(copy);
    }
    sqlite3_finalize(insert);
    tt_sql_query_free(query);
    return status;
}

/* Copies the raw rows, with an index on the columns of keys and times that queries compare. */
static struct tt_status copy_all(const struct copy *copy)
{
    struct tt_status status = tt_ok();
    const struct sql_table *table;
    struct sql_column column;
    char key[SQL_NAME_BYTES];
    for (unsigned i = 0; !tt_failed(&status) && (table = sql_table_at(i)) != NULL; i++) {
        if (!table->table->next) {
            break; /* sums come after raw rows */
        }
        char *text = sqlite3_mprintf("SELECT * FROM \"%w\"", table->name);
        status = text ? copy_query(copy, table->name, text, table) : tt_error_memory();
        sqlite3_free(text);
        for (unsigned k = 0; !tt_failed(&status) && sql_column_at(table, k, &column, key); k++) {
            if (column.bound == SQL_BY_ID || column.bound == SQL_BY_NS ||
                (column.bound == SQL_BY_THREAD && table->by_thread)) {
                status = copy_run(copy, sqlite3_mprintf("CREATE INDEX \"%w_%w\" ON \"%w\"(\"%w\")",
                                                        table->name, column.name, table->name,
                                                        column.name));
            }
        }
    }
    return status;
}

struct tt_status tt_sql_copy(struct tt_sql *sql, const char *query, const char *path)
{
    struct copy copy = {.sql = sql};
    char *part = sqlite3_mprintf("%s.part", path);
    struct tt_status status = part ? tt_ok() : tt_error_memory();
    if (part && access(path, F_OK) == 0) {
        status = tt_error(TT_ERR_USAGE, "the file exists");
    } else if (part && unlink(part) != 0 && errno != ENOENT) {
        status = tt_error_errno(errno, "unlink");
    }
    if (!tt_failed(&status) && sqlite3_open(part, &copy.to) != SQLITE_OK) {
        status = write_error(&copy);
    }
    if (!tt_failed(&status)) {
        status = copy_run(
            &copy, sqlite3_mprintf("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN"));
    }
    if (!tt_failed(&status)) {
        status = query ? copy_query(&copy, "result", query, NULL) : copy_all(&copy);
    }
    if (!tt_failed(&status)) {
        status = copy_run(&copy, sqlite3_mprintf("COMMIT"));
    }
    sqlite3_close(copy.to);
    if (!tt_failed(&status) && rename(part, path) != 0) {
        status = tt_error_errno(errno, "rename");
    }
    if (tt_failed(&status) && copy.to) {
        unlink(part);
    }
    sqlite3_free(part);
    return status;
}
