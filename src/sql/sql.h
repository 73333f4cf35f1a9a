/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sql: queries in SQL over indexed captures, by SQLite. Nothing is copied: each table is a cursor over
 * the index. docs/sql.md describes the tables, functions and limits.
 *
 *      struct tt_sql         a session: tables, functions, views and macros over some captures
 *        struct tt_sql_query   a statement of it: prepare, step to the next row, read its values
 *
 * Read only: a statement that would write, attach a file or change a setting fails when it is
 * prepared. A step ends early, with TT_ERR_CANCELLED, if tt_sql_interrupt was called or a time limit
 * is over; with TT_ERR_USAGE if the memory limit of the session is reached.
 *
 * Ownership. The caller owns the traces, which are indexed completely and outlive the session, and
 * frees session and queries, queries first. Texts that functions return belong to the session or
 * query and are valid as documented there.
 *
 * Threads. A session and its queries are used by one thread at a time, not necessarily the one that
 * opened it. tt_sql_interrupt may be called by any thread. Several sessions may read the same
 * traces at once.
 *
 * In a program that was built without SQLite (make SQL=0), tt_sql_is_built_in returns false and
 * tt_sql_open fails with TT_ERR_USAGE; the tables can still be listed.
 */
#ifndef TRACETUI_SQL_SQL_H
#define TRACETUI_SQL_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"
#include "tracetui/text.h"

struct tt_trace;
struct tt_sql;
struct tt_sql_query;

/* Returns whether queries can be run. */
bool tt_sql_is_built_in(void);
/* Returns the version of SQLite that runs, or NULL. A constant. */
const char *tt_sql_library(void);

/* ---- sessions ------------------------------------------------------------------------------ */

/* A capture and its name in the column `capture`. */
struct tt_sql_source {
    const char *name;
    struct tt_trace *trace;
    bool without_queries; /* its lanes that are queries have no rows: for such a query */
};

/* 0: the default. */
struct tt_sql_limits {
    uint64_t time_ms; /* of one query, from its first step on; 0: none */
    uint64_t memory;  /* bytes that SQLite may hold, in all sessions of the process together: the
                         largest limit of any of them applies (TT_SQL_MEMORY) */
    uint64_t length;  /* maximum length of a text in bytes (TT_SQL_LENGTH) */
};

#define TT_SQL_MEMORY (UINT64_C(1) << 30)
#define TT_SQL_LENGTH (UINT64_C(1) << 18)

/* A view, or a macro with parameters: see docs/sql.md. */
struct tt_sql_definition {
    const char *name; /* "late_jobs"; of a macro "late_jobs(limit)" */
    const char *text; /* a SELECT; of a macro any text, with $limit for a parameter */
    bool is_macro;
};

/*
 * Opens a session over `count` captures. The array is copied, its names too. Errors: TT_ERR_MEMORY,
 * TT_ERR_USAGE (built without SQLite); nothing is left to free then.
 */
struct tt_status tt_sql_open(const struct tt_sql_source *sources, size_t count,
                             const struct tt_sql_limits *limits, struct tt_sql **sql);
/* Frees a session without queries; NULL is allowed. */
void tt_sql_close(struct tt_sql *sql);
/* Adds a view or a macro. TT_ERR_USAGE: the name or the text is invalid. */
struct tt_status tt_sql_define(struct tt_sql *sql, const struct tt_sql_definition *definition);
/* Stops the query that is being stepped, or that was prepared last. Any thread. */
void tt_sql_interrupt(struct tt_sql *sql);

/* ---- queries ------------------------------------------------------------------------------- */

/*
 * Replaces the calls of macros in `text`: *expanded is the result, which the caller frees, or NULL if there
 * are none. TT_ERR_USAGE, TT_ERR_MEMORY.
 */
struct tt_status tt_sql_expand(struct tt_sql *sql, const char *text, char **expanded);
/*
 * Prepares the first statement of `text`, which is NUL-terminated; *rest is the text after it. *query is
 * NULL if there is only space or a comment. TT_ERR_USAGE: not valid, or not permitted; *at, if not
 * NULL, is then the offset of the mistake in `text`, or -1. The caller frees *query.
 */
struct tt_status tt_sql_prepare(struct tt_sql *sql, const char *text, struct tt_sql_query **query,
                                const char **rest, int *at);
/*
 * Computes the next row; *row is false after the last one. Errors: see above; further steps repeat the
 * query from its begin.
 */
struct tt_status tt_sql_step(struct tt_sql_query *query, bool *row);
void tt_sql_query_free(struct tt_sql_query *query);

/* Returns the number of columns, and the name of one, valid as long as the query. */
unsigned tt_sql_column_count(const struct tt_sql_query *query);
const char *tt_sql_column_name(const struct tt_sql_query *query, unsigned column);

enum tt_sql_type { TT_SQL_NULL, TT_SQL_INTEGER, TT_SQL_REAL, TT_SQL_TEXT, TT_SQL_BLOB };

/*
 * A value of the current row. `text` is not escaped, may contain any bytes, and is valid until the next
 * step.
 */
struct tt_sql_value {
    enum tt_sql_type type;
    int64_t integer;
    double real;
    const char *text;
    size_t length;
};

/* Returns a value; `column` is below the count. */
struct tt_sql_value tt_sql_value_of(struct tt_sql_query *query, unsigned column);
struct tt_fields;
/* Appends a value to a record; bytes are hexadecimal digits. `name` may be NULL in rows of CSV. */
void tt_sql_put_field(struct tt_fields *fields, const char *name, const struct tt_sql_value *value);
/*
 * Finds the time of the current row: the first column whose name ends in ts_ticks; else in ts_ns,
 * at_ticks, at_ns, begin_ticks, begin_ns, from_ticks or from_ns. *source is the number of the capture in
 * its column `capture`, 0 without one. Returns false if the row has no time.
 */
bool tt_sql_row_time(struct tt_sql_query *query, size_t *source, uint64_t *ticks);

/*
 * Copies tables of the session into a new file of SQLite: all of them, or, if `query` is not NULL, its rows
 * into one named result. Fails if the file exists. TT_ERR_IO, TT_ERR_USAGE, TT_ERR_CANCELLED; no file is
 * left then.
 */
struct tt_status tt_sql_copy(struct tt_sql *sql, const char *query, const char *path);

/* ---- the schema ------------------------------------------------------------------------------ */

/* A table, by number; false after the last one. Texts are constants. */
struct tt_sql_table_info {
    const char *name;
    const char *doc;
    const char *group; /* heading in docs/sql.md */
    unsigned columns;  /* without those that are arguments */
    bool is_sums;      /* one of `stats`: its columns are not in docs/sql.md */
};
bool tt_sql_table_at(unsigned index, struct tt_sql_table_info *info);

/* A column of a table, by number; false after the last one. */
struct tt_sql_column_info {
    char name[48];
    const char *type; /* "INTEGER", "REAL", "TEXT" */
    const char *unit; /* "ns", "ticks", "bytes", "key", "0/1" or "" */
    const char *doc;
    bool is_bound; /* comparisons with it limit what is read */
};
bool tt_sql_column_at(unsigned table, unsigned column, struct tt_sql_column_info *info);

/* A function: "percentile(x, p)"; false after the last one. */
struct tt_sql_function_info {
    const char *call;
    const char *doc;
};
bool tt_sql_function_at(unsigned index, struct tt_sql_function_info *info);

/* Writes the reference of docs/sql.md: tables, columns, functions. */
void tt_sql_page(struct tt_text *text);

#endif
