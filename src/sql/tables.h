/* SPDX-License-Identifier: Apache-2.0 */
/* tables: the tables of SQL. A new table needs its file, a line here, and a line in tables.c. */
#ifndef TT_SQL_TABLES_H
#define TT_SQL_TABLES_H

#include "sql/scan.h"

/* X(name), in the order of docs/sql.md */
#define SQL_TABLE_LIST(X)                                                                          \
    X(captures)                                                                                    \
    X(facts)                                                                                       \
    X(health)                                                                                      \
    X(processes)                                                                                   \
    X(threads)                                                                                     \
    X(types)                                                                                       \
    X(events)                                                                                      \
    X(args)                                                                                        \
    X(states)                                                                                      \
    X(cpu_time)                                                                                    \
    X(switches)                                                                                    \
    X(wakes)                                                                                       \
    X(messages)                                                                                    \
    X(objects)                                                                                     \
    X(lock_waits)                                                                                  \
    X(lock_releases)                                                                               \
    X(jobs)                                                                                        \
    X(slices)                                                                                      \
    X(counters)                                                                                    \
    X(irqs)

#define X(name) extern const struct sql_table sql_table_##name;
SQL_TABLE_LIST(X)
#undef X

#endif
