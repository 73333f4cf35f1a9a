/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session: the database in memory that holds only virtual tables, its permitted statements, and its
 * limits.
 */
#include "sql/sqlite/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/time.h"

#define PROGRESS_OPS   1000 /* instructions of SQLite between two checks of the limits */
#define MOST_SQL       (1 << 20)
#define MOST_DEPTH     200
#define MOST_COMPOUND  100
#define MOST_ARGUMENTS 20
#define MOST_COLUMNS   500
#define MOST_PATTERN   1000

struct tt_sql_query {
    struct tt_sql *sql;
    sqlite3_stmt *statement;
    bool begun;
    int time_column; /* -1: none; -2: not searched */
    int capture_column;
    bool time_is_ns;
};

bool tt_sql_is_built_in(void)
{
    return true;
}

const char *tt_sql_library(void)
{
    return sqlite3_libversion();
}

/* ---- what is permitted ---------------------------------------------------------------------- */

static int authorize(void *arg, int action, const char *first, const char *second,
                     const char *third, const char *fourth)
{
    /* Pragmas that list tables and columns; they write nothing. */
    static const char *const pragmas[] = {"table_info", "table_xinfo", "table_list",
                                          "function_list", NULL};
    const struct tt_sql *sql = arg;
    (void)third;
    (void)fourth;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second && sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_UPDATE: /* SQLite declares virtual tables by it; a statement cannot change this
                         * table */
        return sql->defining || (first && strcmp(first, "sqlite_master") == 0) ? SQLITE_OK
                                                                               : SQLITE_DENY;
    case SQLITE_PRAGMA:
        for (size_t i = 0; first && pragmas[i]; i++) {
            if (sqlite3_stricmp(first, pragmas[i]) == 0) {
                return SQLITE_OK;
            }
        }
        return SQLITE_DENY;
    default:
        return sql->defining ? SQLITE_OK : SQLITE_DENY;
    }
}

static int progress(void *arg)
{
    struct tt_sql *sql = arg;
    return sql_is_stopped(&sql->session);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Opens the database: "x" is a name, never a text; sorting writes no file; tables; functions; limits. */
static int open_database(struct tt_sql *sql)
{
    static const int limits[][2] = {{SQLITE_LIMIT_SQL_LENGTH, MOST_SQL},
                                    {SQLITE_LIMIT_EXPR_DEPTH, MOST_DEPTH},
                                    {SQLITE_LIMIT_COMPOUND_SELECT, MOST_COMPOUND},
                                    {SQLITE_LIMIT_FUNCTION_ARG, MOST_ARGUMENTS},
                                    {SQLITE_LIMIT_COLUMN, MOST_COLUMNS},
                                    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MOST_PATTERN},
                                    {SQLITE_LIMIT_ATTACHED, 0},
                                    {SQLITE_LIMIT_WORKER_THREADS, 0}};
    sqlite3_int64 memory = (sqlite3_int64)sql->limits.memory, old = sqlite3_hard_heap_limit64(-1);
    int code =
        sqlite3_open_v2(":memory:", &sql->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(sql->db, 0);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
        sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        code = sqlite3_exec(sql->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = sql_module_register(sql);
    }
    if (code == SQLITE_OK) {
        code = sql_functions_register(sql);
    }
    if (code == SQLITE_OK) {
        if (memory > old) {
            sqlite3_hard_heap_limit64(memory);
        }
        sqlite3_limit(sql->db, SQLITE_LIMIT_LENGTH, (int)sql->limits.length);
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            sqlite3_limit(sql->db, limits[i][0], limits[i][1]);
        }
        sqlite3_progress_handler(sql->db, PROGRESS_OPS, progress, sql);
        code = sqlite3_set_authorizer(sql->db, authorize, sql);
    }
    return code;
}

struct tt_status tt_sql_open(const struct tt_sql_source *sources, size_t count,
                             const struct tt_sql_limits *limits, struct tt_sql **out)
{
    struct tt_sql *sql = calloc(1, sizeof *sql);
    *out = NULL;
    if (!sql) {
        return tt_error_memory();
    }
    sql->limits = limits ? *limits : (struct tt_sql_limits){0};
    sql->limits.memory = sql->limits.memory ? sql->limits.memory : TT_SQL_MEMORY;
    sql->limits.length =
        sql->limits.length && sql->limits.length < INT32_MAX ? sql->limits.length : TT_SQL_LENGTH;
    struct tt_status status = sql_session_open(&sql->session, sources, count);
    if (!tt_failed(&status) && open_database(sql) != SQLITE_OK) {
        status = tt_error(TT_ERR_USAGE, "SQLite: %s", sqlite3_errmsg(sql->db));
    }
    if (tt_failed(&status)) {
        tt_sql_close(sql);
        return status;
    }
    *out = sql;
    return tt_ok();
}

void tt_sql_close(struct tt_sql *sql)
{
    if (sql) {
        sqlite3_close(sql->db);
        free(sql->modules);
        sql_macros_free(&sql->macros);
        sql_session_close(&sql->session);
        free(sql);
    }
}

void tt_sql_interrupt(struct tt_sql *sql)
{
    sql->session.interrupted = true;
}

/* ---- errors --------------------------------------------------------------------------------- */

static struct tt_status error_of(const struct tt_sql *sql, int code)
{
    if (code == SQLITE_INTERRUPT || sql->session.late || sql->session.interrupted) {
        return sql->session.late
                   ? tt_error(TT_ERR_CANCELLED, "stopped after the time limit of %llu ms",
                              (unsigned long long)sql->limits.time_ms)
                   : tt_error(TT_ERR_CANCELLED, "stopped");
    }
    if (code == SQLITE_NOMEM) {
        uint64_t limit = (uint64_t)sqlite3_hard_heap_limit64(-1);
        return (uint64_t)sqlite3_memory_highwater(0) >= limit / 2
                   ? tt_error(TT_ERR_USAGE, "the query needs more memory than the limit of %llu MB",
                              (unsigned long long)(limit >> 20))
                   : tt_error_memory();
    }
    if (code == SQLITE_TOOBIG) {
        return tt_error(TT_ERR_USAGE, "a text is longer than the limit of %llu bytes",
                        (unsigned long long)sql->limits.length);
    }
    return code == SQLITE_AUTH ? tt_error(TT_ERR_USAGE, "not permitted: queries only read (%s)",
                                          sqlite3_errmsg(sql->db))
                               : tt_error(TT_ERR_USAGE, "%s", sqlite3_errmsg(sql->db));
}

/* ---- views and macros ----------------------------------------------------------------------- */

struct tt_status tt_sql_define(struct tt_sql *sql, const struct tt_sql_definition *definition)
{
    if (definition->is_macro) {
        return sql_macros_add(&sql->macros, definition->name, definition->text);
    }
    const char *name = definition->name;
    bool is_name = isalpha((unsigned char)*name) || *name == '_';
    for (; *name; name++) {
        is_name = is_name && (isalnum((unsigned char)*name) || *name == '_');
    }
    if (!is_name) {
        return tt_error(TT_ERR_USAGE, "view '%s': expected a name of letters, digits and _",
                        definition->name);
    }
    char *select = NULL;
    struct tt_status status = sql_macros_expand(&sql->macros, definition->text, &select);
    if (tt_failed(&status)) {
        return tt_status_context(status, definition->name);
    }
    char *text = sqlite3_mprintf("CREATE TEMP VIEW \"%w\" AS %s", definition->name,
                                 select ? select : definition->text);
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    sql->defining = true;
    int code = text ? sqlite3_prepare_v2(sql->db, text, -1, &statement, &rest) : SQLITE_NOMEM;
    if (code == SQLITE_OK && rest[strspn(rest, " \t\r\n;")] != '\0') {
        status = tt_error(TT_ERR_USAGE, "view '%s': more than one statement", definition->name);
    } else if (code == SQLITE_OK) {
        code = sqlite3_step(statement) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
    }
    sql->defining = false;
    if (code != SQLITE_OK && !tt_failed(&status)) {
        status = tt_status_context(error_of(sql, code), definition->name);
    }
    sqlite3_finalize(statement);
    sqlite3_free(text);
    free(select);
    return status;
}

/* ---- queries -------------------------------------------------------------------------------- */

struct tt_status tt_sql_prepare(struct tt_sql *sql, const char *text, struct tt_sql_query **out,
                                const char **rest, int *at)
{
    struct tt_sql_query *query = calloc(1, sizeof *query);
    *out = NULL;
    *rest = text;
    if (at) {
        *at = -1;
    }
    if (!query) {
        return tt_error_memory();
    }
    sql->session.interrupted = false;
    sql->session.late = false;
    sql->session.deadline_ns = 0;
    sqlite3_memory_highwater(1);
    query->sql = sql;
    query->time_column = -2;
    const char *end = text;
    int code = sqlite3_prepare_v2(sql->db, text, -1, &query->statement, &end);
    if (code != SQLITE_OK) {
        struct tt_status status = error_of(sql, code);
        if (at) {
            *at = sqlite3_error_offset(sql->db);
        }
        free(query);
        return status;
    }
    *rest = end;
    if (query->statement && !sqlite3_stmt_readonly(query->statement)) {
        tt_sql_query_free(query);
        return tt_error(TT_ERR_USAGE, "not permitted: queries only read");
    }
    if (!query->statement) {
        free(query);
        query = NULL;
    }
    *out = query;
    return tt_ok();
}

struct tt_status tt_sql_expand(struct tt_sql *sql, const char *text, char **expanded)
{
    return sql_macros_expand(&sql->macros, text, expanded);
}

struct tt_status tt_sql_step(struct tt_sql_query *query, bool *row)
{
    struct tt_sql *sql = query->sql;
    if (!query->begun && sql->limits.time_ms > 0) {
        sql->session.deadline_ns = tt_now_ns() + sql->limits.time_ms * 1000000u;
    }
    query->begun = true;
    int code = sqlite3_step(query->statement);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW) {
        return tt_ok();
    }
    struct tt_status status = code == SQLITE_DONE ? tt_ok() : error_of(sql, code);
    sqlite3_reset(query->statement);
    query->begun = false;
    return status;
}

void tt_sql_query_free(struct tt_sql_query *query)
{
    if (query) {
        sqlite3_finalize(query->statement);
        free(query);
    }
}

unsigned tt_sql_column_count(const struct tt_sql_query *query)
{
    return (unsigned)sqlite3_column_count(query->statement);
}

const char *tt_sql_column_name(const struct tt_sql_query *query, unsigned column)
{
    const char *name = sqlite3_column_name(query->statement, (int)column);
    return name ? name : "";
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), ending = strlen(end);
    return length >= ending && strcmp(name + length - ending, end) == 0;
}

struct tt_sql_value tt_sql_value_of(struct tt_sql_query *query, unsigned column)
{
    struct tt_sql_value value = {.type = TT_SQL_NULL, .text = ""};
    int number = (int)column;
    switch (sqlite3_column_type(query->statement, number)) {
    case SQLITE_INTEGER:
        value.type = TT_SQL_INTEGER;
        value.integer = sqlite3_column_int64(query->statement, number);
        break;
    case SQLITE_FLOAT:
        value.type = TT_SQL_REAL;
        value.real = sqlite3_column_double(query->statement, number);
        break;
    case SQLITE_TEXT:
        value.type = TT_SQL_TEXT;
        value.text = (const char *)sqlite3_column_text(query->statement, number);
        break;
    case SQLITE_BLOB:
        value.type = TT_SQL_BLOB;
        value.text = sqlite3_column_blob(query->statement, number);
        break;
    default:
        return value;
    }
    if (value.type == TT_SQL_TEXT || value.type == TT_SQL_BLOB) {
        value.length = (size_t)sqlite3_column_bytes(query->statement, number);
        value.text = value.text ? value.text : "";
    }
    return value;
}

/* ---- the time of a row ---------------------------------------------------------------------- */

/* Names of columns with a time, the best first. */
static const char *const time_endings[] = {"ts_ticks",    "ts_ns",    "at_ticks",   "at_ns",
                                           "begin_ticks", "begin_ns", "from_ticks", "from_ns"};

/* Sets *source to the capture that the row names. Returns false if it names none. */
static bool find_source(struct tt_sql_query *query, size_t *source)
{
    const struct sql_session *session = &query->sql->session;
    *source = 0;
    if (query->capture_column < 0) {
        return session->count > 0;
    }
    struct tt_sql_value name = tt_sql_value_of(query, (unsigned)query->capture_column);
    for (; *source < session->count; ++*source) {
        const struct sql_capture *capture = &session->captures[*source];
        if (name.length == capture->name_length &&
            memcmp(name.text, capture->name, name.length) == 0) {
            return true;
        }
    }
    return false;
}

bool tt_sql_row_time(struct tt_sql_query *query, size_t *source, uint64_t *ticks)
{
    if (query->time_column == -2) {
        query->time_column = query->capture_column = -1;
        for (unsigned i = 0; i < tt_sql_column_count(query); i++) {
            if (strcmp(tt_sql_column_name(query, i), "capture") == 0 && query->capture_column < 0) {
                query->capture_column = (int)i;
            }
        }
        for (size_t e = 0; e < sizeof time_endings / sizeof *time_endings; e++) {
            for (unsigned i = 0; i < tt_sql_column_count(query) && query->time_column < 0; i++) {
                if (ends_with(tt_sql_column_name(query, i), time_endings[e])) {
                    query->time_column = (int)i;
                    query->time_is_ns = ends_with(time_endings[e], "_ns");
                }
            }
        }
    }
    if (query->time_column < 0 || !find_source(query, source)) {
        return false;
    }
    struct tt_sql_value value = tt_sql_value_of(query, (unsigned)query->time_column);
    const struct tt_capture *capture = query->sql->session.captures[*source].capture;
    if (value.type == TT_SQL_TEXT) {
        char *end;
        *ticks = strtoull(value.text, &end, 10);
        return value.length > 0 && *end == '\0' && !query->time_is_ns;
    }
    if (value.type != TT_SQL_INTEGER || value.integer < 0) {
        return false;
    }
    *ticks = (uint64_t)value.integer;
    return !query->time_is_ns || sql_first_tick(capture->clock_hz, value.integer, ticks);
}
