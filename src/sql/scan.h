/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan: the captures of a session, and the limits of a scan over the rows of a table.
 *
 * The virtual tables of SQLite (sql/sqlite/module.c) walk the captures and read the rows of each in order,
 * straight from the index (sql/tables.h); nothing here depends on SQLite.
 *
 *      filter:  bounds from the query --> for each capture: begin, next, value..., next, ... end
 *
 * Bounds. Comparisons with some columns (enum sql_bound) limit what a scan reads. A scan may return
 * rows outside its bounds: SQLite checks each condition again.
 *
 * Keys are unique in a session: number of the capture << SQL_KEY_BITS | number in the capture.
 *
 * Rows. SQLite identifies a row by its rowid where it joins the rows of several scans (OR, FULL JOIN).
 * A row of a capture has a number that does not depend on the bounds of the scan (tt_table.number).
 *
 * One thread; times are ticks unless a name says otherwise.
 */
#ifndef TT_SQL_SCAN_H
#define TT_SQL_SCAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/capture.h"
#include "tracetui/status.h"
#include "tracetui/table.h"
#include "tracetui/text.h"
#include "tracetui/trace.h"

#define SQL_KEY_BITS    40
#define SQL_NAME_BYTES  48u   /* of a column's name */
#define SQL_SUM_COLUMNS 240u  /* of a table of sums, at most */
#define SQL_SINGLE_MOST 1000u /* rows of stats_single */

/* ---- columns ------------------------------------------------------------------------------- */

/* Kinds of values. X(id, type in SQL, unit) */
#define SQL_KIND_INFO(X)                                                                           \
    X(SQL_NUMBER, "INTEGER", "")                                                                   \
    X(SQL_KEY, "INTEGER", "key")                                                                   \
    X(SQL_NS, "INTEGER", "ns")                                                                     \
    X(SQL_TICKS, "INTEGER", "ticks")                                                               \
    X(SQL_BYTES, "INTEGER", "bytes")                                                               \
    X(SQL_HZ, "INTEGER", "Hz")                                                                     \
    X(SQL_FLAG, "INTEGER", "0/1")                                                                  \
    X(SQL_DECIMAL, "REAL", "")                                                                     \
    X(SQL_PERCENT, "REAL", "%")                                                                    \
    X(SQL_TEXT, "TEXT", "")

enum sql_kind {
#define X(id, type, unit) id,
    SQL_KIND_INFO(X)
#undef X
        SQL_KINDS
};

/* The properties that a comparison with a column limits. */
enum sql_bound {
    SQL_UNBOUND = TT_BOUND_NONE,
    SQL_BY_CAPTURE = TT_BOUND_CAPTURE, /* the name of the capture */
    SQL_BY_ID = TT_BOUND_ID,           /* key of the row */
    SQL_BY_TICKS = TT_BOUND_TIME,      /* the time at which the row begins, or is */
    SQL_BY_THREAD = TT_BOUND_THREAD,   /* key of a thread */
    SQL_BY_PROCESS = TT_BOUND_PROCESS, /* key of a process */
    SQL_BY_PID = TT_BOUND_PID,         /* number of its process */
    SQL_BY_TID = TT_BOUND_TID,         /* number of its thread in the process */
    SQL_BY_CPU = TT_BOUND_CPU,
    SQL_BY_TYPE = TT_BOUND_TYPE,     /* key of a type of events */
    SQL_BY_EVENT = TT_BOUND_EVENT,   /* name of the event */
    SQL_BY_OBJECT = TT_BOUND_OBJECT, /* key of an object, or series */
    SQL_BY_NS,                       /* as SQL_BY_TICKS */
    SQL_BY_FROM,                     /* arguments of sums: ticks */
    SQL_BY_TO,
    SQL_BOUNDS
};

struct sql_column {
    const char *name;
    enum sql_kind kind;
    enum sql_bound bound;
    const char *doc;
};

/* ---- values -------------------------------------------------------------------------------- */

enum sql_value_type {
    SQL_VALUE_NULL,
    SQL_VALUE_U64,
    SQL_VALUE_I64,
    SQL_VALUE_REAL,
    SQL_VALUE_CONSTANT, /* text that lives as long as the session */
    SQL_VALUE_SCRATCH,  /* text that lives until the next value */
};

struct sql_value {
    enum sql_value_type type;
    uint64_t number; /* I64: as its bits */
    double real;
    const char *text;
    size_t length;
};

static inline void sql_put_u64(struct sql_value *value, uint64_t number)
{
    value->type = SQL_VALUE_U64;
    value->number = number;
}

static inline void sql_put_i64(struct sql_value *value, int64_t number)
{
    value->type = SQL_VALUE_I64;
    value->number = (uint64_t)number;
}

static inline void sql_put_real(struct sql_value *value, double real)
{
    value->type = SQL_VALUE_REAL;
    value->real = real;
}

/* Sets a text that lives as long as the session. */
static inline void sql_put_constant(struct sql_value *value, const char *text, size_t length)
{
    value->type = SQL_VALUE_CONSTANT;
    value->text = text;
    value->length = length;
}

/* ---- captures ------------------------------------------------------------------------------- */

struct sql_session;
struct tt_wakes;

/* A capture of a session. */
struct sql_capture {
    struct sql_session *session;
    uint32_t number;
    char *name;
    size_t name_length;
    struct tt_trace *trace;
    struct tt_capture *capture;
    const struct tt_timelines *timelines; /* NULL: none */
    uint64_t first_ticks;
    uint64_t last_ticks;
    struct tt_events *events; /* made when first used */
    struct tt_wakes *wakes;   /* the same */
    bool without_queries;     /* its lanes that are queries have no rows */
};

/* The state that all scans of a session share. */
struct sql_session {
    struct sql_capture *captures;
    size_t count;
    char *scratch; /* of SQL_VALUE_SCRATCH */
    size_t capacity;
    _Atomic bool interrupted;
    uint64_t deadline_ns; /* of tt_platform_now_ns; 0: none */
    bool late;            /* the deadline is over */
};

struct tt_sql_source;
/*
 * Open and close the shared state; `session` is zero before. After TT_ERR_MEMORY it must be closed,
 * too.
 */
struct tt_status sql_session_open(struct sql_session *session, const struct tt_sql_source *sources,
                                  size_t count);
void sql_session_close(struct sql_session *session);
/* Returns the capture's reader of events, or of wakes; NULL if out of memory. */
struct tt_events *sql_events(struct sql_capture *capture);
struct tt_wakes *sql_wakes(struct sql_capture *capture);
/* Returns whether the query must end; reads a clock. */
bool sql_is_stopped(struct sql_session *session);

/* ---- scans ---------------------------------------------------------------------------------- */

struct sql_bounds {
    uint64_t from, last;         /* ticks, inclusive */
    uint64_t id_from, id_last;   /* rows in the capture, inclusive */
    uint32_t thread, process;    /* UINT32_MAX: all */
    uint64_t pid, tid;           /* valid if has_pid, has_tid */
    uint32_t cpu;                /* UINT32_MAX: all */
    uint32_t type;               /* UINT32_MAX: all */
    uint32_t object;             /* UINT32_MAX: all */
    uint64_t sums_from, sums_to; /* range of sums; UINT64_MAX: to the end */
    bool has_pid, has_tid;
    bool has_time;
    const char *event; /* name of the event; NULL: all */
};

struct sql_table;

/* A scan of one capture. The table's state follows it in memory. */
struct sql_scan {
    const struct sql_table *table;
    struct sql_session *session;
    struct sql_capture *c;
    struct sql_bounds bounds;
    struct tt_status status; /* why `next` ended early */
    void *state;
};

/* Ends a scan with an error. Returns false. */
bool sql_fail(struct sql_scan *scan, struct tt_status status);
/* Returns whether the session's query must end, and fails the scan then. */
bool sql_check(struct sql_scan *scan);

/* Finds the first tick that begins in a nanosecond or after it; false: it is not known. */
bool sql_first_tick(uint64_t hz, int64_t ns, uint64_t *ticks);

/* Enlarges the scratch space, whose contents are lost; if out of memory, fails the scan and returns false. */
bool sql_enlarge_scratch(struct sql_scan *scan);

static inline uint64_t sql_key(const struct sql_capture *capture, uint64_t number)
{
    return (uint64_t)capture->number << SQL_KEY_BITS | number;
}

/* ---- bounds of scans ------------------------------------------------------------------------ */

/* Returns whether rows of a thread can be within the bounds. */
bool sql_wants_thread(const struct sql_scan *scan, uint32_t thread);
/*
 * Returns the first thread from `thread` on whose rows can be within the bounds; the number of threads if
 * there is none.
 */
uint32_t sql_next_thread(const struct sql_scan *scan, uint32_t thread);

#endif
