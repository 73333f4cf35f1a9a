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

static void fail(sqlite3_context *context, const char *text)
{
    sqlite3_result_error(context, text, -1);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Finds the capture of a key, and the number in it. */
static bool find_key(sqlite3_context *context, sqlite3_value *value, struct sql_scan *scan,
                     uint32_t *number)
{
    struct sql_session *session = session_of(context);
    sqlite3_int64 key = sqlite3_value_int64(value);
    uint64_t capture = (uint64_t)key >> SQL_KEY_BITS;
    if (sqlite3_value_type(value) != SQLITE_INTEGER || key < 0 || capture >= session->count) {
        return false;
    }
    uint64_t local = (uint64_t)key - (capture << SQL_KEY_BITS);
    *scan = (struct sql_scan){.session = session, .c = &session->captures[capture]};
    *number = local < UINT32_MAX ? (uint32_t)local : UINT32_MAX;
    return true;
}

/* Returns the name of a thread or process by its key. */
static void key_name(sqlite3_context *context, sqlite3_value *key, bool is_thread)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = {.text = tt_text_of(buffer, sizeof buffer)};
    struct sql_scan scan;
    uint32_t number;
    if (!find_key(context, key, &scan, &number)) {
        return;
    }
    if (!is_thread) {
        tt_raw_set_process(scan.c->capture, number, &cell);
    } else if (number < tt_thread_count(scan.c->capture)) {
        tt_table_set_lane(scan.c->capture, TT_UNIT_LANE_NAME, number, &cell);
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

static const char *class_of_state(const struct sql_capture *c, const char *state)
{
    const struct tt_format *format = c->capture->format;
    for (uint32_t i = 0; i < format->state_count; i++) {
        if (strcmp(format->states[i].name, state) == 0) {
            return tt_class_name(format->states[i].class_);
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
        if (argc == 1 || only == &session->captures[i]) {
            found = class_of_state(&session->captures[i], state);
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
    struct sql_capture *c = argc > 1 ? named_capture(session, argv[1]) : session->captures;
    bool several = false;
    *hz = c && session->count > 0 ? c->capture->clock_hz : 0;
    for (size_t i = 0; argc == 1 && i < session->count; i++) {
        several = several || session->captures[i].capture->clock_hz != *hz;
    }
    if (several) {
        fail(context, "the captures have different clocks: pass the capture as second argument");
    }
    return !several;
}

static void convert(sqlite3_context *context, int argc, sqlite3_value **argv, bool to_ns)
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
    convert(context, argc, argv, true);
}

static void to_ticks(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    convert(context, argc, argv, false);
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

static bool grow_samples(struct sample_list *list)
{
    if (list->count < list->capacity) {
        return true;
    }
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    void *more = sqlite3_realloc64(list->v, capacity * sizeof *list->v);
    if (more) {
        list->v = more;
        list->capacity = capacity;
    }
    return more != NULL;
}

static void percentile_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct sample_list *list = sqlite3_aggregate_context(context, sizeof *list);
    int type = sqlite3_value_type(argv[0]);
    double percent = sqlite3_value_double(argv[1]);
    (void)argc;
    if (!list || !(percent >= 0 && percent <= 100)) {
        fail(context, "percentile(x, p): p is not from 0 to 100");
        return;
    }
    list->percent = percent;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        return;
    }
    if (!grow_samples(list)) {
        sqlite3_result_error_nomem(context);
        return;
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

/* Returns the index of the nearest rank: the smallest i with i + 1 >= count * percent / 100. */
static size_t rank_of(size_t count, double percent)
{
    double rank = ceil((double)count * percent / 100.0 - 1e-9);
    size_t index = rank < 1 ? 0 : (size_t)rank - 1;
    return index < count ? index : count - 1;
}

static void percentile_final(sqlite3_context *context)
{
    struct sample_list *list = sqlite3_aggregate_context(context, 0);
    if (!list || list->count == 0) {
        return;
    }
    qsort(list->v, list->count, sizeof *list->v, list->is_real ? compare_reals : compare_numbers);
    size_t at = rank_of(list->count, list->percent);
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
