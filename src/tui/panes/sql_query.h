/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sql_query: the query of the SQL pane and its rows. A worker thread opens the session, prepares the query
 * and appends rows; the main thread reads the rows that are published, so a query of any duration delays no
 * frame.
 *
 *      main thread    begin ... work ... count, row ... stop ......... work: joined
 *      worker           open, prepare, step -> row -> row -> row -> end
 *
 * Sorting runs on a worker thread, too, once all rows are known; until it is complete the previous order is
 * shown. All functions belong to the main thread.
 */
#ifndef TRACETUI_TUI_PANES_SQL_QUERY_H
#define TRACETUI_TUI_PANES_SQL_QUERY_H

#include "print/record/fields.h"
#include "sql/sql.h"
#include "tui/model/definitions.h"

struct tt_completion;
struct tt_trace;

#define TT_QUERY_ROWS   1000000u              /* most rows of a result */
#define TT_QUERY_MEMORY (UINT64_C(256) << 20) /* most bytes of a result */

struct tt_query_cell {
    const char *text; /* of TEXT and BLOB, not escaped */
    union {
        int64_t integer;
        double real;
        uint64_t length; /* of TEXT and BLOB */
    } value;
    uint8_t type; /* enum tt_sql_type */
};

struct tt_query_row {
    uint64_t ticks;
    bool has_time;
    struct tt_query_cell cells[];
};

struct tt_query_order {
    unsigned column; /* UINT_MAX: as the query returns the rows */
    bool descending;
};

struct tt_query_run;

struct tt_querying {
    char *text; /* NULL: there is no query */
    struct tt_query_run *run;
    /* That of the rows, or the one being made; it may be set at any time. */
    struct tt_query_order order;
    unsigned version; /* changes with the query and with the order that is shown */
};

/*
 * Replaces the query. It begins with the first tt_querying_work that has a trace. TT_ERR_MEMORY; the previous
 * query then stays.
 */
struct tt_status tt_querying_begin(struct tt_querying *querying, const char *text);
/*
 * Begins the query if `trace`, a complete capture, is not NULL; joins a worker that has ended. Returns true
 * when nothing is left to do. Never waits.
 */
bool tt_querying_work(struct tt_querying *querying, struct tt_trace *trace, const char *name,
                      const struct tt_query_definitions *definitions);
/* Stops a running query; its rows stay. Returns false if none runs. */
bool tt_querying_stop(struct tt_querying *querying);
/*
 * Ends the query and drops its rows; call it before the capture is closed. The text stays, and the
 * next tt_querying_work begins it again.
 */
void tt_querying_drop(struct tt_querying *querying);
void tt_querying_free(struct tt_querying *querying);

/* Returns whether a query or its sorting runs. */
bool tt_querying_runs(const struct tt_querying *querying);
bool tt_querying_sorts(const struct tt_querying *querying);
/* Returns whether the rows end at a limit, or at tt_querying_stop. */
bool tt_querying_is_cut(const struct tt_querying *querying);
bool tt_querying_is_stopped(const struct tt_querying *querying);
/* Returns the error of a query that has ended. */
struct tt_status tt_querying_status(const struct tt_querying *querying);
/* Returns the run time of the query so far in milliseconds. */
uint64_t tt_querying_ms(const struct tt_querying *querying);

/*
 * Offers the words for the query that begins at byte `from` of `text` (sql_words.c): tables and views after
 * FROM and JOIN; elsewhere the columns of the tables in the query (of all tables if it has none), functions,
 * macros and keywords.
 */
void tt_query_complete(const struct tt_query_definitions *definitions, const char *text,
                       size_t from, size_t caret, struct tt_completion *out);

/* Columns are known before the first row; 0 until then. */
unsigned tt_querying_columns(const struct tt_querying *querying);
const char *tt_querying_column(const struct tt_querying *querying, unsigned column);
/* Returns the number of rows so far, and a row in the order that is shown. */
uint64_t tt_querying_count(const struct tt_querying *querying);
const struct tt_query_row *tt_querying_row(const struct tt_querying *querying, uint64_t index);

#endif
