/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "tui/panes/sql_query.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/column.h"
#include "base/platform.h"
#include "base/worker_thread.h"

#define PAUSE_NS  1000000 /* between two interrupts */
#define STOP_ROWS 4096u   /* rows between two looks at `stop` while they are sorted */

/*
 * The order of the rows by one column, made by a stable merge sort: NULL, then numbers, texts and bytes, as
 * SQLite orders them. The rows do not change any more.
 */
struct order {
    const struct tt_column *rows;
    struct tt_query_order order;
    uint32_t *v;     /* numbers of rows; TT_QUERY_ROWS is below 2^32 */
    uint32_t *other; /* of a pass */
    uint32_t count;
    pthread_t thread;
    bool has_thread;
    atomic_bool ended;
    atomic_bool stop;
};

struct tt_query_run {
    /* Of the query, constant while the worker runs. */
    char *text;
    char *name;
    struct tt_trace *trace;
    struct tt_query_definitions definitions;
    /* The worker. */
    pthread_t thread;
    bool has_thread; /* main thread: not joined yet */
    atomic_bool ended;
    atomic_bool stop;
    pthread_mutex_t lock; /* protects `sql`, which tt_querying_stop interrupts */
    struct tt_sql *sql;
    /* Written by the worker: published by `column_count`, by the column's count, and by `ended`. */
    atomic_uint column_count;
    char **names;
    struct tt_column rows;
    struct tt_arena texts;
    struct tt_status status;
    bool cut;
    uint64_t begun_ms, ended_ms;
    /* The order of the rows, and the one being made. */
    struct order *order;
    struct order *next;
};

static bool sql_query_is_stopped(const struct tt_query_run *run)
{
    return atomic_load_explicit(&run->stop, memory_order_relaxed);
}

static void publish_sql(struct tt_query_run *run, struct tt_sql *sql)
{
    pthread_mutex_lock(&run->lock);
    run->sql = sql;
    pthread_mutex_unlock(&run->lock);
}

static struct tt_status publish_columns(struct tt_query_run *run, const struct tt_sql_query *query)
{
    unsigned count = tt_sql_column_count(query);
    tt_column_init(&run->rows, sizeof(struct tt_query_row) + count * sizeof(struct tt_query_cell));
    run->names = calloc(count > 0 ? count : 1, sizeof *run->names);
    for (unsigned i = 0; run->names && i < count; i++) {
        const char *name = tt_sql_column_name(query, i);
        run->names[i] = tt_arena_text(&run->texts, name, strlen(name));
        if (!run->names[i]) {
            return tt_error_memory();
        }
    }
    if (!run->names) {
        return tt_error_memory();
    }
    atomic_store_explicit(&run->column_count, count, memory_order_release);
    return tt_ok();
}

static bool copy_cell(struct tt_query_run *run, const struct tt_sql_value *value,
                      struct tt_query_cell *cell)
{
    cell->type = (uint8_t)value->type;
    switch (value->type) {
    case TT_SQL_INTEGER:
        cell->value.integer = value->integer;
        break;
    case TT_SQL_REAL:
        cell->value.real = value->real;
        break;
    case TT_SQL_TEXT:
    case TT_SQL_BLOB:
        cell->value.length = value->length;
        cell->text = tt_arena_text(&run->texts, value->text ? value->text : "", value->length);
        return cell->text;
    case TT_SQL_NULL:
        break;
    }
    return true;
}

static struct tt_status copy_row(struct tt_query_run *run, struct tt_sql_query *query)
{
    struct tt_query_row *row = tt_column_next(&run->rows);
    size_t source = 0;
    if (!row) {
        return tt_error_memory();
    }
    row->has_time = tt_sql_row_time(query, &source, &row->ticks);
    for (unsigned i = 0; i < run->column_count; i++) {
        struct tt_sql_value value = tt_sql_value_of(query, i);
        if (!copy_cell(run, &value, &row->cells[i])) {
            return tt_error_memory();
        }
    }
    tt_column_publish(&run->rows);
    return tt_ok();
}

static struct tt_status sql_query_copy_rows(struct tt_query_run *run, struct tt_sql_query *query)
{
    struct tt_status status = publish_columns(run, query);
    bool row = true;
    while (!tt_failed(&status) && !sql_query_is_stopped(run)) {
        status = tt_sql_step(query, &row);
        if (tt_failed(&status) || !row) {
            break;
        }
        run->cut = tt_column_count(&run->rows) >= TT_QUERY_ROWS ||
                   tt_arena_memory(&run->texts) + tt_column_memory(&run->rows) > TT_QUERY_MEMORY;
        if (run->cut) {
            break;
        }
        status = copy_row(run, query);
    }
    return status;
}

static struct tt_status run_text(struct tt_query_run *run, struct tt_sql *sql)
{
    char *expanded = NULL;
    const char *rest = "";
    struct tt_sql_query *query = NULL;
    struct tt_status status = tt_sql_expand(sql, run->text, &expanded);
    if (!tt_failed(&status)) {
        status = tt_sql_prepare(sql, expanded ? expanded : run->text, &query, &rest, NULL);
    }
    if (!tt_failed(&status) && !query) {
        status = tt_error(TT_ERR_USAGE, "there is no query");
    } else if (!tt_failed(&status) && rest[strspn(rest, " \t\n;")] != '\0') {
        status = tt_error(TT_ERR_USAGE, "one query at a time");
    }
    if (!tt_failed(&status)) {
        status = sql_query_copy_rows(run, query);
    }
    tt_sql_query_free(query);
    free(expanded);
    return status;
}

static void *run_query(void *arg)
{
    struct tt_query_run *run = arg;
    const struct tt_sql_source source = {run->name, run->trace, false};
    const struct tt_sql_limits limits = {0};
    struct tt_sql *sql = NULL;
    tt_platform_lower_priority();
    run->status = tt_sql_open(&source, 1, &limits, &sql);
    if (!tt_failed(&run->status)) {
        publish_sql(run, sql);

        struct tt_status status = tt_ok();
        for (size_t i = 0; i < run->definitions.count && !tt_failed(&status); i++) {
            struct tt_sql_definition definition = tt_query_definition_of(&run->definitions.v[i]);
            status = tt_status_context(tt_sql_define(sql, &definition), "configuration");
        }
        run->status = status;

        if (!tt_failed(&run->status) && !sql_query_is_stopped(run)) {
            run->status = run_text(run, sql);
        }
        publish_sql(run, NULL);
        tt_sql_close(sql);
    }
    if (sql_query_is_stopped(run) && run->status.code == TT_ERR_CANCELLED) {
        run->status = tt_ok(); /* the user stopped it: the rows so far are the result */
    }
    run->ended_ms = tt_now_ms();
    atomic_store_explicit(&run->ended, true, memory_order_release);
    return NULL;
}

/* ---- sorting ----------------------------------------------------------------------------------- */

static int sql_query_rank_of(const struct tt_query_cell *cell)
{
    static const int ranks[] = {[TT_SQL_NULL] = 0,
                                [TT_SQL_INTEGER] = 1,
                                [TT_SQL_REAL] = 1,
                                [TT_SQL_TEXT] = 2,
                                [TT_SQL_BLOB] = 3};
    return ranks[cell->type];
}

static double real_of(const struct tt_query_cell *cell)
{
    return cell->type == TT_SQL_REAL ? cell->value.real : (double)cell->value.integer;
}

static int compare_numbers(const struct tt_query_cell *left, const struct tt_query_cell *right)
{
    if (left->type == TT_SQL_INTEGER && right->type == TT_SQL_INTEGER) {
        return (left->value.integer > right->value.integer) -
               (left->value.integer < right->value.integer);
    }
    double x = real_of(left), y = real_of(right);
    return (x > y) - (x < y);
}

static int compare_bytes(const struct tt_query_cell *left, const struct tt_query_cell *right)
{
    uint64_t x = left->value.length, y = right->value.length;
    int order = memcmp(left->text, right->text, x < y ? x : y);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_cells(const struct tt_query_cell *left, const struct tt_query_cell *right)
{
    int x = sql_query_rank_of(left), y = sql_query_rank_of(right);
    return x != y   ? x - y
           : x == 0 ? 0
           : x == 1 ? compare_numbers(left, right)
                    : compare_bytes(left, right);
}

/* Returns whether row `b` comes before `a`, which precedes it; false if they are equal. */
static bool is_row_before(const struct order *order, uint32_t b, uint32_t a)
{
    const struct tt_query_row *left = tt_column_at(order->rows, a),
                              *right = tt_column_at(order->rows, b);
    int sign = compare_cells(&left->cells[order->order.column], &right->cells[order->order.column]);
    return order->order.descending ? sign < 0 : sign > 0;
}

static void merge_runs(const struct order *order, uint32_t from, uint32_t middle, uint32_t to)
{
    uint32_t a = from, b = middle;
    for (uint32_t i = from; i < to; i++) {
        if (i % STOP_ROWS == 0 && atomic_load(&order->stop)) {
            return;
        }
        bool second = a == middle || (b < to && is_row_before(order, order->v[b], order->v[a]));
        order->other[i] = second ? order->v[b++] : order->v[a++];
    }
}

static void *run_sort(void *arg)
{
    struct order *order = arg;
    tt_platform_lower_priority();
    for (uint64_t width = 1; width < order->count && order->order.column != UINT_MAX; width *= 2) {
        for (uint64_t from = 0; from < order->count && !atomic_load(&order->stop);
             from += 2 * width) {
            uint64_t middle = from + width < order->count ? from + width : order->count;
            uint64_t to = from + 2 * width < order->count ? from + 2 * width : order->count;
            merge_runs(order, (uint32_t)from, (uint32_t)middle, (uint32_t)to);
        }
        uint32_t *sorted = order->other;
        order->other = order->v;
        order->v = sorted;
    }
    atomic_store_explicit(&order->ended, true, memory_order_release);
    return NULL;
}

/* Ends the sorting if it is not complete; NULL is allowed. */
static void free_order(struct order *order)
{
    if (!order) {
        return;
    }
    if (order->has_thread) {
        atomic_store(&order->stop, true);
        pthread_join(order->thread, NULL);
    }
    free(order->v);
    free(order->other);
    free(order);
}

/* Begins to sort the published rows on a worker; NULL if out of memory or there are no threads. */
static struct order *begin_order(const struct tt_column *rows, struct tt_query_order order)
{
    struct order *o = calloc(1, sizeof *o);
    if (!o) {
        return NULL;
    }
    o->rows = rows;
    o->order = order;
    o->count = (uint32_t)tt_column_count(rows);
    o->v = malloc(((size_t)o->count + 1) * sizeof *o->v);
    o->other = malloc(((size_t)o->count + 1) * sizeof *o->other);
    for (uint32_t i = 0; o->v && i < o->count; i++) {
        o->v[i] = i;
    }
    o->has_thread = o->v && o->other && tt_worker_start(&o->thread, run_sort, o) == 0;
    if (!o->has_thread) {
        free_order(o);
        return NULL;
    }
    return o;
}

/* ---- begin and end ---------------------------------------------------------------------------- */

/* Interrupts the session. One that is about to prepare its query ignores it: repeat until `ended`. */
static void interrupt(struct tt_query_run *run)
{
    pthread_mutex_lock(&run->lock);
    if (run->sql) {
        tt_sql_interrupt(run->sql);
    }
    pthread_mutex_unlock(&run->lock);
}

static void join_worker(struct tt_query_run *run)
{
    if (run->has_thread) {
        while (sql_query_is_stopped(run) && !atomic_load(&run->ended)) {
            interrupt(run);
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        }
        pthread_join(run->thread, NULL);
        run->has_thread = false;
    }
}

void tt_querying_drop(struct tt_querying *querying)
{
    tt_querying_stop(querying);
    if (querying->run) {
        join_worker(querying->run);
    }

    struct tt_query_run *run = querying->run;
    if (run) {
        free_order(run->next);
        free_order(run->order);
        tt_query_definitions_free(&run->definitions);
        if (atomic_load(&run->column_count) > 0) {
            tt_column_free(&run->rows);
        }
        tt_arena_free(&run->texts);
        pthread_mutex_destroy(&run->lock);
        free(run->names);
        free(run->text);
        free(run->name);
        free(run);
    }

    querying->run = NULL;
    querying->version++;
    querying->order = (struct tt_query_order){.column = UINT_MAX};
}

void tt_querying_free(struct tt_querying *querying)
{
    tt_querying_drop(querying);
    free(querying->text);
    *querying = (struct tt_querying){.order = {.column = UINT_MAX}, .version = querying->version};
}

struct tt_status tt_querying_begin(struct tt_querying *querying, const char *text)
{
    char *copy = strdup(text);
    if (!copy) {
        return tt_error_memory();
    }
    tt_querying_free(querying);
    querying->text = copy;
    return tt_ok();
}

/* Starts the worker; an error becomes that of the query. */
static struct tt_query_run *start_run(const char *text, struct tt_trace *trace, const char *name,
                                      const struct tt_query_definitions *definitions)
{
    struct tt_query_run *run = calloc(1, sizeof *run);
    if (!run) {
        return NULL;
    }
    pthread_mutex_init(&run->lock, NULL);
    run->trace = trace;
    run->text = strdup(text);
    run->name = strdup(name);
    run->begun_ms = tt_now_ms();

    /*
     * ---- the worker
     * ------------------------------------------------------------------------------
     */
    struct tt_status status = tt_ok();
    for (size_t i = 0; i < definitions->count && !tt_failed(&status); i++) {
        status = tt_query_define(&run->definitions, definitions->v[i].name, definitions->v[i].text);
    }
    run->status = status;

    int error = !run->text || !run->name || tt_failed(&run->status)
                    ? ENOMEM
                    : tt_worker_start(&run->thread, run_query, run);
    run->has_thread = error == 0;
    if (error != 0) {
        run->status = tt_error_errno(error, "start a thread");
        run->ended_ms = run->begun_ms;
        atomic_store(&run->ended, true);
    }
    return run;
}

bool tt_querying_work(struct tt_querying *querying, struct tt_trace *trace, const char *name,
                      const struct tt_query_definitions *definitions)
{
    if (!querying->text) {
        return true;
    }
    if (!querying->run) {
        querying->run = trace ? start_run(querying->text, trace, name, definitions) : NULL;
        return false;
    }
    struct tt_query_run *run = querying->run;
    if (!atomic_load_explicit(&run->ended, memory_order_acquire)) {
        if (sql_query_is_stopped(run)) {
            interrupt(run);
        }
        return false;
    }
    join_worker(run);
    if (run->next && atomic_load_explicit(&run->next->ended, memory_order_acquire)) {
        free_order(run->order);
        run->order = run->next;
        run->next = NULL;
        querying->version++;
    }
    const struct tt_query_order now =
        run->order ? run->order->order : (struct tt_query_order){.column = UINT_MAX};
    if (!run->next &&
        (now.column != querying->order.column || now.descending != querying->order.descending)) {
        run->next = begin_order(&run->rows, querying->order);
        return !run->next; /* out of memory: the order stays */
    }
    return !run->next;
}

bool tt_querying_stop(struct tt_querying *querying)
{
    struct tt_query_run *run = querying->run;
    if (!run || !tt_querying_runs(querying)) {
        return false;
    }
    atomic_store(&run->stop, true);
    interrupt(run);
    return true;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static bool has_ended(const struct tt_querying *querying)
{
    return querying->run && atomic_load_explicit(&querying->run->ended, memory_order_acquire);
}

bool tt_querying_runs(const struct tt_querying *querying)
{
    return querying->run && !has_ended(querying);
}

bool tt_querying_sorts(const struct tt_querying *querying)
{
    return querying->run && querying->run->next;
}

bool tt_querying_is_cut(const struct tt_querying *querying)
{
    return has_ended(querying) && querying->run->cut;
}

bool tt_querying_is_stopped(const struct tt_querying *querying)
{
    return querying->run && sql_query_is_stopped(querying->run);
}

struct tt_status tt_querying_status(const struct tt_querying *querying)
{
    return has_ended(querying) ? querying->run->status : tt_ok();
}

uint64_t tt_querying_ms(const struct tt_querying *querying)
{
    return !querying->run        ? 0
           : has_ended(querying) ? querying->run->ended_ms - querying->run->begun_ms
                                 : tt_now_ms() - querying->run->begun_ms;
}

unsigned tt_querying_columns(const struct tt_querying *querying)
{
    return querying->run ? atomic_load_explicit(&querying->run->column_count, memory_order_acquire)
                         : 0;
}

const char *tt_querying_column(const struct tt_querying *querying, unsigned column)
{
    return querying->run->names[column];
}

uint64_t tt_querying_count(const struct tt_querying *querying)
{
    return tt_querying_columns(querying) > 0 ? tt_column_count(&querying->run->rows) : 0;
}

const struct tt_query_row *tt_querying_row(const struct tt_querying *querying, uint64_t index)
{
    const struct tt_query_run *run = querying->run;
    return tt_column_at(&run->rows, run->order ? run->order->v[index] : index);
}
