/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sql/sqlite/session.h"
#include "table/raw/bounds.h"
#include "tracetui/time.h"

static struct sql_session *session_of(sqlite3_context *context)
{
    return sqlite3_user_data(context);
}

static void functions_fail(sqlite3_context *context, const char *text)
{
    sqlite3_result_error(context, text, -1);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Returns the name of a thread or process by its key. */
static void key_name(sqlite3_context *context, sqlite3_value *key, bool is_thread)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = {.text = tt_text_of(buffer, sizeof buffer)};
    const struct sql_session *session = session_of(context);
    sqlite3_int64 number = sqlite3_value_int64(key);
    uint64_t in = (uint64_t)number >> SQL_KEY_BITS;
    uint64_t local = (uint64_t)number - (in << SQL_KEY_BITS);
    if (sqlite3_value_type(key) != SQLITE_INTEGER || number < 0 || in >= session->count ||
        local >= UINT32_MAX) {
        return;
    }
    const struct tt_capture *capture = session->captures[in].capture;
    if (!is_thread) {
        tt_raw_set_process(capture, (uint32_t)local, &cell);
    } else if (local < tt_thread_count(capture)) {
        tt_table_set_lane(capture, TT_UNIT_LANE_NAME, (uint32_t)local, &cell);
    }
    if (cell.kind == TT_CELL_TEXT) {
        sqlite3_result_text64(context, buffer, cell.text.used, SQLITE_TRANSIENT, SQLITE_UTF8);
    }
}

static void thread_name(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    key_name(context, argv[0], true);
}

static void process_name(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    key_name(context, argv[0], false);
}

/* ---- captures ------------------------------------------------------------------------------- */

/* Returns the capture with the name of an argument; NULL: there is none. */
static struct sql_capture *named_capture(struct sql_session *session, sqlite3_value *value)
{
    const char *name = (const char *)sqlite3_value_text(value);
    for (size_t i = 0; name && i < session->count; i++) {
        if (strcmp(session->captures[i].name, name) == 0) {
            return &session->captures[i];
        }
    }
    return NULL;
}

static void state_class(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct sql_session *session = session_of(context);
    const char *state = (const char *)sqlite3_value_text(argv[0]);
    const char *found = NULL;
    struct sql_capture *only = argc > 1 ? named_capture(session, argv[1]) : NULL;
    for (size_t i = 0; state && !found && i < session->count; i++) {
        const struct tt_format *format = session->captures[i].capture->format;
        bool of_it = argc == 1 || only == &session->captures[i];
        for (uint32_t k = 0; of_it && !found && k < format->state_count; k++) {
            found = strcmp(format->states[k].name, state) == 0
                        ? tt_class_name(format->states[k].class_)
                        : NULL;
        }
    }
    if (found) {
        sqlite3_result_text(context, found, -1, SQLITE_STATIC);
    }
}

/* Returns the clock of the named capture, or that of all of them; false after an error. */
static bool find_clock(sqlite3_context *context, int argc, sqlite3_value **argv, uint64_t *hz)
{
    struct sql_session *session = session_of(context);
    struct sql_capture *capture = argc > 1 ? named_capture(session, argv[1]) : session->captures;
    bool several = false;
    *hz = capture && session->count > 0 ? capture->capture->clock_hz : 0;
    for (size_t i = 0; argc == 1 && i < session->count; i++) {
        several = several || session->captures[i].capture->clock_hz != *hz;
    }
    if (several) {
        functions_fail(context,
                       "the captures have different clocks: pass the capture as second argument");
    }
    return !several;
}

static void functions_convert(sqlite3_context *context, int argc, sqlite3_value **argv, bool to_ns)
{
    uint64_t hz, ticks;
    int64_t ns;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL || !find_clock(context, argc, argv, &hz)) {
        return;
    }
    sqlite3_int64 value = sqlite3_value_int64(argv[0]);
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (hz == 0) {
        return;
    }
    if (to_ns ? tt_ticks_to_ns(size, hz, &ns) : tt_ns_to_ticks(size, hz, &ticks)) {
        sqlite3_int64 result = to_ns ? ns : (sqlite3_int64)ticks;
        sqlite3_result_int64(context, value < 0 ? -result : result);
    }
}

static void to_ns(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    functions_convert(context, argc, argv, true);
}

static void to_ticks(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    functions_convert(context, argc, argv, false);
}

/* ---- ranges --------------------------------------------------------------------------------- */

static void overlap(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    sqlite3_int64 v[4];
    for (int i = 0; i < argc; i++) {
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL) {
            return;
        }
        v[i] = sqlite3_value_int64(argv[i]);
    }
    sqlite3_int64 from = v[0] > v[2] ? v[0] : v[2], to = v[1] < v[3] ? v[1] : v[3];
    sqlite3_result_int64(context, to > from ? (sqlite3_int64)((uint64_t)to - (uint64_t)from) : 0);
}

/* ---- percentiles ---------------------------------------------------------------------------- */

/* The values of a group: integers as long as all are. */
struct sample_list {
    union {
        sqlite3_int64 number;
        double real;
    } * v;
    size_t count, capacity;
    double percent;
    bool is_real;
};

static void percentile_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct sample_list *list = sqlite3_aggregate_context(context, sizeof *list);
    int type = sqlite3_value_type(argv[0]);
    double percent = sqlite3_value_double(argv[1]);
    (void)argc;
    if (!list || !(percent >= 0 && percent <= 100)) {
        functions_fail(context, "percentile(x, p): p is not from 0 to 100");
        return;
    }
    list->percent = percent;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        void *more = sqlite3_realloc64(list->v, list->capacity * sizeof *list->v);
        if (!more) {
            list->capacity = list->count;
            sqlite3_result_error_nomem(context);
            return;
        }
        list->v = more;
    }
    if (type == SQLITE_FLOAT && !list->is_real) {
        for (size_t i = 0; i < list->count; i++) {
            list->v[i].real = (double)list->v[i].number;
        }
        list->is_real = true;
    }
    if (list->is_real) {
        list->v[list->count++].real = sqlite3_value_double(argv[0]);
    } else {
        list->v[list->count++].number = sqlite3_value_int64(argv[0]);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    sqlite3_int64 x = *(const sqlite3_int64 *)a, y = *(const sqlite3_int64 *)b;
    return (x > y) - (x < y);
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void percentile_final(sqlite3_context *context)
{
    struct sample_list *list = sqlite3_aggregate_context(context, 0);
    if (!list || list->count == 0) {
        return;
    }
    qsort(list->v, list->count, sizeof *list->v, list->is_real ? compare_reals : compare_numbers);
    /* The nearest rank: the smallest `at` with at + 1 >= count * percent / 100. */
    double rank = ceil((double)list->count * list->percent / 100.0 - 1e-9);
    size_t at = rank < 1 ? 0 : (size_t)rank - 1;
    at = at < list->count ? at : list->count - 1;
    if (list->is_real) {
        sqlite3_result_double(context, list->v[at].real);
    } else {
        sqlite3_result_int64(context, list->v[at].number);
    }
    sqlite3_free(list->v);
    memset(list, 0, sizeof *list);
}

/* ---- registration --------------------------------------------------------------------------- */

/* Equal arguments have equal results, and the functions have no side effects. */
#define FLAGS (SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS)

int sql_functions_register(struct tt_sql *sql)
{
    static const struct {
        const char *name;
        int least, most;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } functions[] = {
#define X(name, least, most, call, doc) {#name, least, most, name, NULL, NULL},
        SQL_FUNCTION_INFO(X)
#undef X
#define X(name, least, most, call, doc) {#name, least, most, NULL, name##_step, name##_final},
            SQL_AGGREGATE_INFO(X)
#undef X
    };
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (int n = functions[i].least; n <= functions[i].most && code == SQLITE_OK; n++) {
            code =
                sqlite3_create_function(sql->db, functions[i].name, n, FLAGS, &sql->session,
                                        functions[i].call, functions[i].step, functions[i].final);
        }
    }
    return code;
}
