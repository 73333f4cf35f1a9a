/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables: the tables of src/table in SQL: raw rows by their name, sums as `stats_thread`. Of sums the arguments
 * range_from_ticks and range_to_ticks, which are hidden columns, select the range.
 *
 * A time has two columns, in ns and in ticks; a thread or process that a column of sums names has its key, too:
 *
 *      thread --> thread, thread_utid      delay_max --> delay_max_ns, delay_max_ticks
 */
#ifndef TT_SQL_TABLES_H
#define TT_SQL_TABLES_H

#include "sql/scan.h"
#include "tracetui/table.h"

/* The cost of a scan. */
enum sql_size {
    SQL_FEW,      /* as many rows as captures or CPUs */
    SQL_THREADS,  /* as threads or types */
    SQL_SUMS,     /* as threads; computed by a walk over the capture */
    SQL_MANY,     /* as intervals or messages */
    SQL_EVENTS,   /* as events */
    SQL_SEARCHED, /* as intervals, each with a search */
};

/* A table of src/table, and what the planner of queries has to know about it. */
struct sql_table {
    const struct tt_table *table;
    const char *name;
    const char *group; /* heading in the document */
    enum sql_size size;
    bool in_time_order;  /* rows of a capture are in the order of its SQL_BY_TICKS column */
    bool by_thread;      /* a bound on a thread saves the work for the others */
    bool has_rows_by_id; /* a bound on the key goes there directly */
};

/* Returns a table, first raw rows in the order of docs/sql.md, then sums; NULL: there are fewer. */
const struct sql_table *sql_table_at(unsigned index);
/* Sets a column; false: there are fewer. `name` has room for SQL_NAME_BYTES of the column's name. */
bool sql_column_at(const struct sql_table *table, unsigned index, struct sql_column *column,
                   char *name);

/* ---- rows --------------------------------------------------------------------------------- */

/* The state of a scan, sql_scan_bytes() large, is zero before it begins. */
size_t sql_scan_bytes(void);
/* Begins before the first row of scan->c. Errors in scan->status. */
void sql_scan_begin(struct sql_scan *scan);
/* Moves to the next row, at first to the first one; false at the end, or after an error. */
bool sql_scan_next(struct sql_scan *scan);
/* Returns the row's number in the capture: the same in each scan. */
uint64_t sql_scan_row(const struct sql_scan *scan);
/* Sets a value of the row; it is NULL at first. */
void sql_scan_value(struct sql_scan *scan, unsigned index, struct sql_value *value);
/* Frees what the state owns, also after an error. */
void sql_scan_end(struct sql_scan *scan);

#endif
