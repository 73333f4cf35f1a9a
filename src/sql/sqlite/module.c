/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module: one virtual table of SQLite per table of sql/tables.h. All are eponymous, read only, and
 * share these functions.
 *
 * xBestIndex chooses the comparisons that limit a scan and writes them as a plan: two letters each, the
 * bound and the operator. xFilter turns the values into bounds. SQLite checks every comparison again,
 * so bounds only have to include all rows that are wanted.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sql/sqlite/session.h"
#include "sql/tables.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"

struct table {
    sqlite3_vtab base;
    struct sql_module *module;
};

/* Values of comparisons with numbers: [low, high] per bound. */
struct plan {
    int64_t low[SQL_BOUNDS];
    int64_t high[SQL_BOUNDS];
    char *text[SQL_BOUNDS]; /* of comparisons with texts; owned */
    bool is_empty;          /* a comparison with null: no row */
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct sql_scan scan;
    struct plan plan;
    size_t capture; /* the current one */
    bool begun;     /* `scan` has begun there */
    bool is_over;
};

/* ---- tables --------------------------------------------------------------------------------- */

/* Returns CREATE TABLE with the columns; to be freed with sqlite3_free. NULL if out of memory. */
static char *declaration(const struct sql_table *table)
{
    static const char *const types[] = {
#define X(id, type, unit) type,
        SQL_KIND_INFO(X)
#undef X
    };
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, "CREATE TABLE x(");
    struct sql_column column;
    char name[SQL_NAME_BYTES];
    for (unsigned i = 0; sql_column_at(table, i, &column, name); i++) {
        bool hidden = column.bound == SQL_BY_FROM || column.bound == SQL_BY_TO;
        sqlite3_str_appendf(text, "%s\"%w\" %s%s", i == 0 ? "" : ", ", column.name,
                            types[column.kind], hidden ? " HIDDEN" : "");
    }
    sqlite3_str_appendall(text, ")");
    return sqlite3_str_finish(text);
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **error)
{
    (void)argc;
    (void)argv;
    (void)error;
    struct sql_module *module = aux;
    char *text = declaration(module->table);
    struct table *table = text ? sqlite3_malloc(sizeof *table) : NULL;
    int code = table ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
    sqlite3_free(text);
    if (code != SQLITE_OK) {
        sqlite3_free(table);
        return code;
    }
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    memset(table, 0, sizeof *table);
    table->module = module;
    *out = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static enum sql_bound module_bound_of(const struct sql_table *table, int index)
{
    struct sql_column column;
    char name[SQL_NAME_BYTES];
    return index >= 0 && sql_column_at(table, (unsigned)index, &column, name) ? column.bound
                                                                              : SQL_UNBOUND;
}

static bool is_text_bound(enum sql_bound bound)
{
    return bound == SQL_BY_CAPTURE || bound == SQL_BY_EVENT;
}

static bool is_range_bound(enum sql_bound bound)
{
    return bound == SQL_BY_TICKS || bound == SQL_BY_NS || bound == SQL_BY_ID;
}

/* Estimated number of rows, and of those that are read. */
struct estimate {
    double rows, read;
};

static void reduce(struct estimate *estimate, const struct tt_sql *sql,
                   const struct sql_table *table, enum sql_bound bound, char op)
{
    double captures = (double)sql->session.count;
    double share = 1;
    bool saves = true; /* the others are not read */
    switch (bound) {
    case SQL_BY_ID:
        share = op == '=' ? estimate->rows : 20;
        saves = table->has_rows_by_id;
        break;
    case SQL_BY_TICKS:
    case SQL_BY_NS:
        share = op == '=' ? estimate->rows : 20;
        break;
    case SQL_BY_THREAD:
        share = sql->threads;
        saves = table->by_thread;
        break;
    case SQL_BY_PROCESS:
    case SQL_BY_PID:
        share = 10;
        saves = table->by_thread;
        break;
    case SQL_BY_CAPTURE:
        share = captures;
        break;
    case SQL_BY_TYPE:
    case SQL_BY_EVENT:
        share = 20;
        saves = false;
        break;
    default:
        share = 4;
        saves = false;
    }
    share = share > 1 ? share : 1;
    estimate->rows /= share;
    estimate->read /= saves ? share : 1;
}

/* Returns whether the rows come in the wanted order. */
static bool has_order(const struct tt_sql *sql, const struct sql_table *table,
                      const sqlite3_index_info *info)
{
    /* All times have to be integers in SQL: null and texts have an order of their own. */
    const struct sql_capture *capture = sql->session.captures;
    int64_t ns;
    bool has = table->in_time_order && sql->session.count == 1 && info->nOrderBy > 0 &&
               capture->last_ticks <= INT64_MAX &&
               (capture->capture->clock_hz == 0 ||
                tt_ticks_to_ns(capture->last_ticks, capture->capture->clock_hz, &ns));
    for (int i = 0; i < info->nOrderBy && has; i++) {
        int column = info->aOrderBy[i].iColumn;
        has = column >= 0 && !info->aOrderBy[i].desc &&
              is_range_bound(module_bound_of(table, column));
    }
    return has;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct sql_module *module = ((struct table *)base)->module;
    const struct sql_table *table = module->table;

    const struct tt_sql *sql = module->sql;
    double captures = (double)sql->session.count;
    double rows = table->size == SQL_FEW                                  ? 8 * captures
                  : table->size == SQL_THREADS || table->size == SQL_SUMS ? sql->threads
                  : table->size == SQL_EVENTS                             ? sql->events
                                                                          : sql->intervals;
    double read = table->size == SQL_SUMS       ? rows + sql->intervals
                  : table->size == SQL_SEARCHED ? 100 * rows
                                                : rows;
    struct estimate e = (struct estimate){rows + 1, read + 1};

    sqlite3_str *plan = sqlite3_str_new(NULL);
    static const struct {
        unsigned char op;
        char letter;
    } operators[] = {{SQLITE_INDEX_CONSTRAINT_EQ, '='},
                     {SQLITE_INDEX_CONSTRAINT_GT, '>'},
                     {SQLITE_INDEX_CONSTRAINT_GE, 'g'},
                     {SQLITE_INDEX_CONSTRAINT_LT, '<'},
                     {SQLITE_INDEX_CONSTRAINT_LE, 'l'}};
    int used = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int column = info->aConstraint[i].iColumn;
        enum sql_bound bound = module_bound_of(table, column);
        char op = 0; /* the letter of an operator that the bound can use */
        for (size_t k = 0; k < 5 && bound != SQL_UNBOUND && info->aConstraint[i].usable; k++) {
            bool is = operators[k].op == info->aConstraint[i].op;
            op = is && (k == 0 || is_range_bound(bound)) ? operators[k].letter : op;
        }
        if (!op || (is_text_bound(bound) &&
                    sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)) {
            continue;
        }
        info->aConstraintUsage[i].argvIndex = ++used;
        sqlite3_str_appendf(plan, "%c%c", 'A' + (int)bound, op);
        reduce(&e, module->sql, table, bound, op);
    }
    info->idxStr = sqlite3_str_finish(plan);
    info->needToFreeIdxStr = info->idxStr != NULL;
    if (used > 0 && !info->idxStr) {
        return SQLITE_NOMEM;
    }
    info->estimatedCost = 10 + e.read;
    info->estimatedRows = e.rows < 1 ? 1 : (sqlite3_int64)e.rows;
    info->orderByConsumed = has_order(module->sql, table, info);
    return SQLITE_OK;
}

/* ---- values of comparisons ------------------------------------------------------------------ */

static void clear_plan(struct plan *plan)
{
    for (int i = 0; i < SQL_BOUNDS; i++) {
        plan->low[i] = INT64_MIN;
        plan->high[i] = INT64_MAX;
        sqlite3_free(plan->text[i]);
        plan->text[i] = NULL;
    }
    plan->is_empty = false;
}

/* Narrows [low, high] of a bound to the numbers x with `x op [from, to]`. */
static void module_narrow(struct plan *plan, int bound, char op, int64_t from, int64_t to)
{
    int64_t low = INT64_MIN, high = INT64_MAX;
    if (op == '=' || op == 'g' || op == '>') {
        low = from + (op == '>' && from == to && from < INT64_MAX);
    }
    if (op == '=' || op == 'l' || op == '<') {
        high = to - (op == '<' && from == to && to > INT64_MIN);
    }
    plan->low[bound] = low > plan->low[bound] ? low : plan->low[bound];
    plan->high[bound] = high < plan->high[bound] ? high : plan->high[bound];
}

/*
 * Takes the value of a comparison; false if out of memory. A value that is neither a number nor a
 * text limits nothing.
 */
static bool read_comparison(struct plan *plan, int bound, char op, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    if (type == SQLITE_NULL) {
        plan->is_empty = true;
    } else if (is_text_bound((enum sql_bound)bound)) {
        if (type == SQLITE_TEXT) {
            sqlite3_free(plan->text[bound]);
            plan->text[bound] = sqlite3_mprintf("%s", (const char *)sqlite3_value_text(value));
            return plan->text[bound] != NULL;
        }
    } else if (type == SQLITE_INTEGER) {
        int64_t number = sqlite3_value_int64(value);
        module_narrow(plan, bound, op, number, number);
    } else if (type == SQLITE_FLOAT) {
        double real = sqlite3_value_double(value);
        if (real > -9e18 && real < 9e18) {
            module_narrow(plan, bound, op, (int64_t)floor(real), (int64_t)ceil(real));
        }
    }
    return true;
}

static uint64_t at_least_0(int64_t number)
{
    return number > 0 ? (uint64_t)number : 0;
}

/* Narrows the range of time to nanoseconds. Returns false if no row is in it. */
static bool bound_ns(const struct sql_capture *capture, const struct plan *plan,
                     struct sql_bounds *bounds)
{
    int64_t low = plan->low[SQL_BY_NS], high = plan->high[SQL_BY_NS];
    uint64_t ticks, hz = capture->capture->clock_hz;
    if (low == INT64_MIN && high == INT64_MAX) {
        return true;
    }
    if (hz == 0 || high < 0 || low > high || !tt_ns_to_ticks(at_least_0(low), hz, &ticks)) {
        return false;
    }
    bounds->from = ticks > bounds->from ? ticks : bounds->from;
    if (high < INT64_MAX && tt_ns_to_ticks((uint64_t)high + 1, hz, &ticks) &&
        ticks < bounds->last) {
        bounds->last = ticks;
    }
    return true;
}

/* Sets *number to that of a key in a capture. Returns false if it is of another one. */
static bool bound_key(const struct sql_capture *capture, const struct plan *plan, int bound,
                      uint32_t *number)
{
    if (plan->low[bound] == INT64_MIN) {
        return true;
    }
    uint64_t key = (uint64_t)plan->low[bound], local = key & ((UINT64_C(1) << SQL_KEY_BITS) - 1);
    *number = (uint32_t)local;
    return plan->low[bound] == plan->high[bound] && plan->low[bound] >= 0 &&
           key >> SQL_KEY_BITS == capture->number && local < UINT32_MAX;
}

/* Sets an equal number; false if no row can have it. */
static bool bound_number(const struct plan *plan, int bound, uint64_t *number, bool *has)
{
    *has = plan->low[bound] != INT64_MIN;
    *number = at_least_0(plan->low[bound]);
    return !*has || (plan->low[bound] == plan->high[bound] && plan->low[bound] >= 0);
}

/* Computes the bounds for a capture. Returns false if no row of it is wanted. */
static bool module_bounds_of(const struct sql_capture *sql_capture, const struct plan *plan,
                             struct sql_bounds *bounds)
{
    const char *capture = plan->text[SQL_BY_CAPTURE];
    int64_t first = (int64_t)sql_key(sql_capture, 0), low = plan->low[SQL_BY_ID];
    int64_t last = first + (int64_t)((UINT64_C(1) << SQL_KEY_BITS) - 1);
    int64_t high = plan->high[SQL_BY_ID];
    uint64_t cpu;
    bool has_cpu;
    memset(bounds, 0, sizeof *bounds);
    bounds->id_from = low > first ? (uint64_t)(low - first) : 0;
    bounds->id_last = high < last ? (uint64_t)(high - first) : (uint64_t)(last - first);
    bounds->thread = bounds->process = bounds->type = bounds->object = bounds->cpu = UINT32_MAX;
    bounds->from = at_least_0(plan->low[SQL_BY_TICKS]);
    bounds->last =
        plan->high[SQL_BY_TICKS] < INT64_MAX ? at_least_0(plan->high[SQL_BY_TICKS]) : UINT64_MAX;
    bounds->event = plan->text[SQL_BY_EVENT];
    bool some = !plan->is_empty && plan->high[SQL_BY_TICKS] >= 0 &&
                (!capture || strcmp(capture, sql_capture->name) == 0) &&
                bound_ns(sql_capture, plan, bounds) && low <= last && high >= first &&
                low <= high && bound_key(sql_capture, plan, SQL_BY_THREAD, &bounds->thread) &&
                bound_key(sql_capture, plan, SQL_BY_PROCESS, &bounds->process) &&
                bound_key(sql_capture, plan, SQL_BY_TYPE, &bounds->type) &&
                bound_key(sql_capture, plan, SQL_BY_OBJECT, &bounds->object) &&
                bound_number(plan, SQL_BY_PID, &bounds->pid, &bounds->has_pid) &&
                bound_number(plan, SQL_BY_TID, &bounds->tid, &bounds->has_tid) &&
                bound_number(plan, SQL_BY_CPU, &cpu, &has_cpu) && bounds->from <= bounds->last;
    if (some && has_cpu) {
        bounds->cpu = cpu < TT_NO_CPU ? (uint32_t)cpu : TT_NO_CPU;
        some = cpu < TT_NO_CPU;
    }
    bounds->sums_from = at_least_0(plan->low[SQL_BY_FROM]);
    bounds->sums_to =
        plan->high[SQL_BY_TO] < INT64_MAX ? at_least_0(plan->high[SQL_BY_TO]) : UINT64_MAX;
    bounds->has_time = bounds->from > 0 || bounds->last < UINT64_MAX;
    return some;
}

/* ---- cursors -------------------------------------------------------------------------------- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    const struct sql_module *module = ((struct table *)base)->module;
    struct cursor *cursor = calloc(1, sizeof *cursor);
    void *state = calloc(1, sql_scan_bytes());
    if (!cursor || !state) {
        free(cursor);
        free(state);
        return SQLITE_NOMEM;
    }
    cursor->scan.table = module->table;
    cursor->scan.session = &module->sql->session;
    cursor->scan.state = state;
    *out = &cursor->base;
    return SQLITE_OK;
}

static void end_scan(struct cursor *cursor)
{
    if (cursor->begun) {
        sql_scan_end(&cursor->scan);
    }
    cursor->begun = false;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;
    end_scan(cursor);
    clear_plan(&cursor->plan);
    free(cursor->scan.state);
    free(cursor);
    return SQLITE_OK;
}

/* Returns the result code of a scan's error. */
static int failure(struct cursor *cursor)
{
    const struct tt_status *status = &cursor->scan.status;
    if (status->code == TT_ERR_CANCELLED) {
        return SQLITE_INTERRUPT;
    }
    if (status->code == TT_ERR_MEMORY) {
        return SQLITE_NOMEM;
    }
    sqlite3_free(cursor->base.pVtab->zErrMsg);
    cursor->base.pVtab->zErrMsg = sqlite3_mprintf("%s", status->text);
    return SQLITE_ERROR;
}

/* Moves to the next row, of this capture or of a later one. */
static int module_advance(struct cursor *cursor)
{
    struct sql_scan *scan = &cursor->scan;
    struct sql_session *session = scan->session;
    for (; cursor->capture < session->count; cursor->capture++) {
        struct sql_capture *capture = &session->captures[cursor->capture];
        if (!cursor->begun && module_bounds_of(capture, &cursor->plan, &scan->bounds)) {
            memset(scan->state, 0, sql_scan_bytes());
            scan->c = capture;
            cursor->begun = true;
            sql_scan_begin(scan);
        }
        if (cursor->begun && !tt_failed(&scan->status) && sql_scan_next(scan)) {
            return SQLITE_OK;
        }
        end_scan(cursor);
        if (tt_failed(&scan->status)) {
            cursor->is_over = true;
            return failure(cursor);
        }
    }
    cursor->is_over = true;
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc,
                  sqlite3_value **argv)
{
    (void)number;
    struct cursor *cursor = (struct cursor *)base;
    end_scan(cursor);
    clear_plan(&cursor->plan);
    cursor->capture = 0;
    cursor->is_over = false;
    cursor->scan.status = tt_ok();
    for (int i = 0; i < argc; i++) {
        if (!read_comparison(&cursor->plan, plan[2 * i] - 'A', plan[2 * i + 1], argv[i])) {
            return SQLITE_NOMEM;
        }
    }
    return module_advance(cursor);
}

static int next_row(sqlite3_vtab_cursor *base)
{
    return module_advance((struct cursor *)base);
}

static int module_is_over(sqlite3_vtab_cursor *base)
{
    return ((struct cursor *)base)->is_over;
}

/* Rows of all captures have different numbers. */
static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
    struct cursor *cursor = (struct cursor *)base;
    struct sql_scan *scan = &cursor->scan;
    uint64_t number = sql_scan_row(scan) * scan->session->count + scan->c->number;
    *row = (sqlite3_int64)number;
    return tt_failed(&scan->status) ? failure(cursor) : SQLITE_OK;
}

/* Makes a value the result of a function or column. */
static void sql_result(sqlite3_context *context, const struct sql_value *value)
{
    switch (value->type) {
    case SQL_VALUE_NULL:
        break;
    case SQL_VALUE_I64:
        sqlite3_result_int64(context, (sqlite3_int64)value->number);
        break;
    case SQL_VALUE_REAL:
        sqlite3_result_double(context, value->real);
        break;
    case SQL_VALUE_CONSTANT:
        sqlite3_result_text(context, value->text, (int)value->length, SQLITE_STATIC);
        break;
    case SQL_VALUE_SCRATCH:
        sqlite3_result_text64(context, value->text, value->length, SQLITE_TRANSIENT, SQLITE_UTF8);
        break;
    case SQL_VALUE_U64:
        if (value->number <= INT64_MAX) {
            sqlite3_result_int64(context, (sqlite3_int64)value->number);
        } else {
            char digits[32];
            sqlite3_snprintf(sizeof digits, digits, "%llu", (unsigned long long)value->number);
            sqlite3_result_text(context, digits, -1, SQLITE_TRANSIENT);
        }
        break;
    }
}

static int column_value(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct cursor *cursor = (struct cursor *)base;
    struct sql_value value;
    value.type = SQL_VALUE_NULL;
    sql_scan_value(&cursor->scan, (unsigned)column, &value);
    if (tt_failed(&cursor->scan.status)) {
        return failure(cursor);
    }
    sql_result(context, &value);
    return SQLITE_OK;
}

static const sqlite3_module table_module = {
    .iVersion = 0,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = module_is_over,
    .xColumn = column_value,
    .xRowid = row_number,
};

int sql_module_register(struct tt_sql *sql)
{
    size_t count = 0;
    while (sql_table_at((unsigned)count)) {
        count++;
    }
    for (size_t i = 0; i < sql->session.count; i++) {
        const struct sql_capture *capture = &sql->session.captures[i];
        struct tt_progress progress = tt_trace_progress(capture->trace);
        sql->events += (double)progress.events;
        sql->threads += tt_thread_count(capture->capture);
        sql->intervals +=
            capture->timelines ? (double)tt_timelines_intervals(capture->timelines) : 0;
    }
    sql->modules = calloc(count, sizeof *sql->modules);
    int code = sql->modules ? SQLITE_OK : SQLITE_NOMEM;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
        const struct sql_table *table = sql_table_at((unsigned)i);
        sql->modules[i] = (struct sql_module){sql, table};
        code = sqlite3_create_module(sql->db, table->name, &table_module, &sql->modules[i]);
    }
    return code;
}
