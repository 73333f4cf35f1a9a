/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/lane_queries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sql/scan.h"
#include "sql/sql.h"
#include "tracetui/time.h"

/* Columns of the result by their meaning. */
enum meaning {
    BEGIN_TICKS,
    BEGIN_NS,
    END_TICKS,
    END_NS,
    LAST_TICKS,
    LAST_NS,
    STATE,
    KEY,
    VALUE,
    MEANINGS
};

/* A time is ns if the capture has a clock and the name has no unit. */
struct column_name {
    const char *name;
    enum meaning meaning;
    bool is_ending;
};

static const struct column_name column_names[] = {
    {"ts_ticks", BEGIN_TICKS, true}, {"ts_ns", BEGIN_NS, true},
    {"time", BEGIN_NS, false},       {"dur_ticks", LAST_TICKS, true},
    {"dur_ns", LAST_NS, true},       {"duration", LAST_NS, false},
    {"end_ticks", END_TICKS, true},  {"end_ns", END_NS, true},
    {"state", STATE, false},         {"key", KEY, false},
    {"value", VALUE, false},
};

struct lane_query {
    struct tt_sql *sql;
    struct tt_sql_query *query;
    const struct tt_capture *capture;
    unsigned columns[MEANINGS]; /* from 1; 0: the result has none */
    char texts[2][256];         /* a state or key that is a number */
};

static void end_query(void *state)
{
    struct lane_query *query = state;
    if (query->query) {
        tt_sql_query_free(query->query);
    }
    tt_sql_close(query->sql);
    free(query);
}

/* Finds the columns of the result, the first of each meaning by the order of the names. */
static struct tt_status find_columns(struct lane_query *query)
{
    unsigned *columns = query->columns, count = tt_sql_column_count(query->query);
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++) {
        const struct column_name *wanted = &column_names[i];
        size_t length = strlen(wanted->name);
        for (unsigned column = 0; column < count; column++) {
            const char *name = tt_sql_column_name(query->query, column);
            size_t own = strlen(name);
            if (columns[wanted->meaning] == 0 && own >= length &&
                strcmp(name + own - length, wanted->name) == 0 &&
                (own == length || wanted->is_ending)) {
                columns[wanted->meaning] = column + 1;
            }
        }
    }
    bool has_begin = columns[BEGIN_TICKS] || columns[BEGIN_NS];
    bool has_end = columns[END_TICKS] || columns[END_NS] || columns[LAST_TICKS] || columns[LAST_NS];
    return has_begin && has_end
               ? tt_ok()
               : tt_error(TT_ERR_USAGE, "sql: expected the columns time (or ts_ns, ts_ticks) and "
                                        "duration (or dur_ns, dur_ticks, end_ns, end_ticks)");
}

static void *begin_query(struct tt_trace *trace, const char *text, struct tt_status *status)
{
    const struct tt_sql_source source = {"capture", trace, true};
    struct lane_query *query = calloc(1, sizeof *query);
    const char *rest = "";
    *status = query ? tt_sql_open(&source, 1, NULL, &query->sql) : tt_error_memory();
    if (tt_failed(status)) {
        free(query);
        return NULL;
    }
    query->capture = tt_trace_capture(trace);
    *status = tt_sql_prepare(query->sql, text, &query->query, &rest, NULL);
    if (!tt_failed(status) && (!query->query || rest[strspn(rest, " \t;")])) {
        *status = tt_error(TT_ERR_USAGE, "sql: expected one SELECT");
    }
    *status = tt_failed(status) ? *status : find_columns(query);
    if (tt_failed(status)) {
        end_query(query);
        return NULL;
    }
    return query;
}

static struct tt_sql_value value_of(struct lane_query *query, enum meaning meaning)
{
    return query->columns[meaning] > 0 ? tt_sql_value_of(query->query, query->columns[meaning] - 1)
                                       : (struct tt_sql_value){.type = TT_SQL_NULL};
}

/* Reads a time in ticks or ns, or `before` ticks and the time after them; false: null, or not a time. */
static bool time_of(struct lane_query *query, enum meaning in_ticks, uint64_t before,
                    uint64_t *ticks)
{
    uint64_t hz = query->capture->clock_hz;
    int64_t ns = 0;
    struct tt_sql_value value = value_of(query, in_ticks);
    bool is_ns = value.type == TT_SQL_NULL && hz > 0;
    if (value.type == TT_SQL_NULL) {
        value = value_of(query, in_ticks + 1); /* the same in ns */
    }
    if (value.type == TT_SQL_REAL && value.real >= 0 && value.real < 9e18) {
        value = (struct tt_sql_value){.type = TT_SQL_INTEGER, .integer = (int64_t)value.real};
    }
    if (value.type != TT_SQL_INTEGER || value.integer < 0) {
        return false;
    }
    if (!is_ns) {
        *ticks = before + (uint64_t)value.integer;
        return *ticks >= before;
    }
    return (before == 0 || tt_ticks_to_ns(before, hz, &ns)) && value.integer <= INT64_MAX - ns &&
           sql_first_tick(hz, ns + value.integer, ticks);
}

/* Returns a text, or the digits of a number; NULL: the value is null. */
static const char *text_of(struct lane_query *query, enum meaning meaning)
{
    struct tt_text text = tt_text_of(query->texts[meaning == KEY], sizeof query->texts[0]);
    struct tt_sql_value value = value_of(query, meaning);
    switch (value.type) {
    case TT_SQL_NULL:
        return NULL;
    case TT_SQL_INTEGER:
        tt_text_i64(&text, value.integer);
        break;
    case TT_SQL_REAL:
        tt_text_double(&text, value.real);
        break;
    default:
        tt_text_bytes(&text, value.text, value.length);
        break;
    }
    return tt_text_cstr(&text);
}

static bool next_of_query(void *state, struct tt_lane_query_row *row, struct tt_status *status)
{
    struct lane_query *query = state;
    for (bool more = true; more;) {
        *status = tt_sql_step(query->query, &more);
        more = more && !tt_failed(status);
        if (more && time_of(query, BEGIN_TICKS, 0, &row->begin)) {
            struct tt_sql_value value = value_of(query, VALUE);
            row->value = value.type == TT_SQL_INTEGER ? (double)value.integer
                         : value.type == TT_SQL_REAL  ? value.real
                                                      : NAN;
            bool has_end = time_of(query, LAST_TICKS, row->begin, &row->end) ||
                           time_of(query, END_TICKS, 0, &row->end);
            row->end = has_end && row->end >= row->begin ? row->end : TT_LANE_OPEN;
            row->state = text_of(query, STATE);
            row->key = text_of(query, KEY);
            return true;
        }
    }
    return false;
}

const struct tt_lane_queries tt_sql_lane_queries = {begin_query, next_of_query, end_query};
