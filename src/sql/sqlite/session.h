/* SPDX-License-Identifier: Apache-2.0 */
/* session: the session, for the files that use SQLite. */
#ifndef TT_SQL_SQLITE_SESSION_H
#define TT_SQL_SQLITE_SESSION_H

#include <sqlite3.h>

#include "sql/macros.h"
#include "sql/scan.h"
#include "sql/sql.h"

/* The argument of a module: one per table. */
struct sql_module {
    struct tt_sql *sql;
    const struct sql_table *table;
};

struct tt_sql {
    struct sql_session session;
    sqlite3 *db;
    struct sql_module *modules;
    struct sql_macros macros;
    struct tt_sql_limits limits;
    bool defining;                     /* a view is being created */
    double events, intervals, threads; /* sums over the captures */
};

/* Add the tables, and the functions; a result code of SQLite. */
int sql_module_register(struct tt_sql *sql);
int sql_functions_register(struct tt_sql *sql);

#endif
