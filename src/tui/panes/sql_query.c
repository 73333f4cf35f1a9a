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

/* ---- the worker ------------------------------------------------------------------------------ */

static struct tt_status copy_definitions(struct tt_query_definitions *to,
                                         const struct tt_query_definitions *from)
{
    struct tt_status status = tt_ok();
    for (size_t i = 0; i < from->count && !tt_failed(&status); i++) {
        status = tt_query_define(to, from->v[i].name, from->v[i].text);
    }
    return status;
}

static bool is_stopped(const struct tt_query_run *r)
{
    return atomic_load_explicit(&r->stop, memory_order_relaxed);
}

static void publish_sql(struct tt_query_run *r, struct tt_sql *sql)
{
    pthread_mutex_lock(&r->lock);
    r->sql = sql;
    pthread_mutex_unlock(&r->lock);
}

static struct tt_status publish_columns(struct tt_query_run *r, const struct tt_sql_query *query)
{
    unsigned count = tt_sql_column_count(query);
    tt_column_init(&r->rows, sizeof(struct tt_query_row) + count * sizeof(struct tt_query_cell));
    r->names = calloc(count > 0 ? count : 1, sizeof *r->names);
    for (unsigned i = 0; r->names && i < count; i++) {
        const char *name = tt_sql_column_name(query, i);
        r->names[i] = tt_arena_text(&r->texts, name, strlen(name));
        if (!r->names[i]) {
            return tt_error_memory();
        }
    }
    if (!r->names) {
        return tt_error_memory();
    }
    atomic_store_explicit(&r->column_count, count, memory_order_release);
    return tt_ok();
}

static bool copy_cell(struct tt_query_run *r, const struct tt_sql_value *value,
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
        cell->text = tt_arena_text(&r->texts, value->text ? value->text : "", value->length);
        return cell->text;
    case TT_SQL_NULL:
        break;
    }
    return true;
}

static struct tt_status copy_row(struct tt_query_run *r, struct tt_sql_query *query)
{
    struct tt_query_row *row = tt_column_next(&r->rows);
    size_t source = 0;
    if (!row) {
        return tt_error_memory();
    }
    row->has_time = tt_sql_row_time(query, &source, &row->ticks);
    for (unsigned i = 0; i < r->column_count; i++) {
        struct tt_sql_value value = tt_sql_value_of(query, i);
        if (!copy_cell(r, &value, &row->cells[i])) {
            return tt_error_memory();
        }
    }
    tt_column_publish(&r->rows);
    return tt_ok();
}

static struct tt_status copy_rows(struct tt_query_run *r, struct tt_sql_query *query)
{
    struct tt_status status = publish_columns(r, query);
    bool row = true;
    while (!tt_failed(&status) && !is_stopped(r)) {
        status = tt_sql_step(query, &row);
        if (tt_failed(&status) || !row) {
            break;
        }
        r->cut = tt_column_count(&r->rows) >= TT_QUERY_ROWS ||
                 tt_arena_memory(&r->texts) + tt_column_memory(&r->rows) > TT_QUERY_MEMORY;
        if (r->cut) {
            break;
        }
        status = copy_row(r, query);
    }
    return status;
}

/* Returns whether text is only blanks and semicolons. */
static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\n;")] == '\0';
}

static struct tt_status run_text(struct tt_query_run *r, struct tt_sql *sql)
{
    char *expanded = NULL;
    const char *rest = "";
    struct tt_sql_query *query = NULL;
    struct tt_status status = tt_sql_expand(sql, r->text, &expanded);
    if (!tt_failed(&status)) {
        status = tt_sql_prepare(sql, expanded ? expanded : r->text, &query, &rest, NULL);
    }
    if (!tt_failed(&status) && !query) {
        status = tt_error(TT_ERR_USAGE, "there is no query");
    } else if (!tt_failed(&status) && !is_blank(rest)) {
        status = tt_error(TT_ERR_USAGE, "one query at a time");
    }
    if (!tt_failed(&status)) {
        status = copy_rows(r, query);
    }
    tt_sql_query_free(query);
    free(expanded);
    return status;
}

static struct tt_status define_all(struct tt_query_run *r, struct tt_sql *sql)
{
    struct tt_status status = tt_ok();
    for (size_t i = 0; i < r->definitions.count && !tt_failed(&status); i++) {
        struct tt_sql_definition definition = tt_query_definition_of(&r->definitions.v[i]);
        status = tt_status_context(tt_sql_define(sql, &definition), "configuration");
    }
    return status;
}

static void *run_query(void *arg)
{
    struct tt_query_run *r = arg;
    const struct tt_sql_source source = {r->name, r->trace};
    const struct tt_sql_limits limits = {0};
    struct tt_sql *sql = NULL;
    tt_platform_lower_priority();
    r->status = tt_sql_open(&source, 1, &limits, &sql);
    if (!tt_failed(&r->status)) {
        publish_sql(r, sql);
        r->status = define_all(r, sql);
        if (!tt_failed(&r->status) && !is_stopped(r)) {
            r->status = run_text(r, sql);
        }
        publish_sql(r, NULL);
        tt_sql_close(sql);
    }
    if (is_stopped(r) && r->status.code == TT_ERR_CANCELLED) {
        r->status = tt_ok(); /* the user stopped it: the rows so far are the result */
    }
    r->ended_ms = tt_now_ms();
    atomic_store_explicit(&r->ended, true, memory_order_release);
    return NULL;
}

/* ---- sorting ----------------------------------------------------------------------------------- */

static int rank_of(const struct tt_query_cell *cell)
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

static int compare_numbers(const struct tt_query_cell *a, const struct tt_query_cell *b)
{
    if (a->type == TT_SQL_INTEGER && b->type == TT_SQL_INTEGER) {
        return (a->value.integer > b->value.integer) - (a->value.integer < b->value.integer);
    }
    double x = real_of(a), y = real_of(b);
    return (x > y) - (x < y);
}

static int compare_bytes(const struct tt_query_cell *a, const struct tt_query_cell *b)
{
    uint64_t x = a->value.length, y = b->value.length;
    int order = memcmp(a->text, b->text, x < y ? x : y);
    return order != 0 ? order : (x > y) - (x < y);
}

static int compare_cells(const struct tt_query_cell *a, const struct tt_query_cell *b)
{
    int x = rank_of(a), y = rank_of(b);
    return x != y ? x - y : x == 0 ? 0 : x == 1 ? compare_numbers(a, b) : compare_bytes(a, b);
}

/* Returns whether row `b` comes before `a`, which precedes it; false if they are equal. */
static bool is_row_before(const struct order *o, uint32_t b, uint32_t a)
{
    const struct tt_query_row *x = tt_column_at(o->rows, a), *y = tt_column_at(o->rows, b);
    int sign = compare_cells(&x->cells[o->order.column], &y->cells[o->order.column]);
    return o->order.descending ? sign < 0 : sign > 0;
}

static void merge_runs(const struct order *o, uint32_t from, uint32_t middle, uint32_t to)
{
    uint32_t a = from, b = middle;
    for (uint32_t i = from; i < to; i++) {
        if (i % STOP_ROWS == 0 && atomic_load(&o->stop)) {
            return;
        }
        bool second = a == middle || (b < to && is_row_before(o, o->v[b], o->v[a]));
        o->other[i] = second ? o->v[b++] : o->v[a++];
    }
}

static void *run_sort(void *arg)
{
    struct order *o = arg;
    tt_platform_lower_priority();
    for (uint64_t width = 1; width < o->count && o->order.column != UINT_MAX; width *= 2) {
        for (uint64_t from = 0; from < o->count && !atomic_load(&o->stop); from += 2 * width) {
            uint64_t middle = from + width < o->count ? from + width : o->count;
            uint64_t to = from + 2 * width < o->count ? from + 2 * width : o->count;
            merge_runs(o, (uint32_t)from, (uint32_t)middle, (uint32_t)to);
        }
        uint32_t *sorted = o->other;
        o->other = o->v;
        o->v = sorted;
    }
    atomic_store_explicit(&o->ended, true, memory_order_release);
    return NULL;
}

/* Ends the sorting if it is not complete; NULL is allowed. */
static void free_order(struct order *o)
{
    if (!o) {
        return;
    }
    if (o->has_thread) {
        atomic_store(&o->stop, true);
        pthread_join(o->thread, NULL);
    }
    free(o->v);
    free(o->other);
    free(o);
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
static void interrupt(struct tt_query_run *r)
{
    pthread_mutex_lock(&r->lock);
    if (r->sql) {
        tt_sql_interrupt(r->sql);
    }
    pthread_mutex_unlock(&r->lock);
}

static void join_worker(struct tt_query_run *r)
{
    if (r->has_thread) {
        while (is_stopped(r) && !atomic_load(&r->ended)) {
            interrupt(r);
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        }
        pthread_join(r->thread, NULL);
        r->has_thread = false;
    }
}

static void free_run(struct tt_query_run *r)
{
    if (!r) {
        return;
    }
    free_order(r->next);
    free_order(r->order);
    tt_query_definitions_free(&r->definitions);
    if (atomic_load(&r->column_count) > 0) {
        tt_column_free(&r->rows);
    }
    tt_arena_free(&r->texts);
    pthread_mutex_destroy(&r->lock);
    free(r->names);
    free(r->text);
    free(r->name);
    free(r);
}

void tt_querying_drop(struct tt_querying *q)
{
    tt_querying_stop(q);
    if (q->run) {
        join_worker(q->run);
    }
    free_run(q->run);
    q->run = NULL;
    q->version++;
    q->order = (struct tt_query_order){.column = UINT_MAX};
}

void tt_querying_free(struct tt_querying *q)
{
    tt_querying_drop(q);
    free(q->text);
    *q = (struct tt_querying){.order = {.column = UINT_MAX}, .version = q->version};
}

struct tt_status tt_querying_begin(struct tt_querying *q, const char *text)
{
    char *copy = strdup(text);
    if (!copy) {
        return tt_error_memory();
    }
    tt_querying_free(q);
    q->text = copy;
    return tt_ok();
}

/* Starts the worker; an error becomes that of the query. */
static struct tt_query_run *start_run(const char *text, struct tt_trace *trace, const char *name,
                                      const struct tt_query_definitions *definitions)
{
    struct tt_query_run *r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->trace = trace;
    r->text = strdup(text);
    r->name = strdup(name);
    r->begun_ms = tt_now_ms();
    r->status = copy_definitions(&r->definitions, definitions);
    int error = !r->text || !r->name || tt_failed(&r->status)
                    ? ENOMEM
                    : tt_worker_start(&r->thread, run_query, r);
    r->has_thread = error == 0;
    if (error != 0) {
        r->status = tt_error_errno(error, "start a thread");
        r->ended_ms = r->begun_ms;
        atomic_store(&r->ended, true);
    }
    return r;
}

bool tt_querying_work(struct tt_querying *q, struct tt_trace *trace, const char *name,
                      const struct tt_query_definitions *definitions)
{
    if (!q->text) {
        return true;
    }
    if (!q->run) {
        q->run = trace ? start_run(q->text, trace, name, definitions) : NULL;
        return false;
    }
    struct tt_query_run *r = q->run;
    if (!atomic_load_explicit(&r->ended, memory_order_acquire)) {
        if (is_stopped(r)) {
            interrupt(r);
        }
        return false;
    }
    join_worker(r);
    if (r->next && atomic_load_explicit(&r->next->ended, memory_order_acquire)) {
        free_order(r->order);
        r->order = r->next;
        r->next = NULL;
        q->version++;
    }
    const struct tt_query_order now =
        r->order ? r->order->order : (struct tt_query_order){.column = UINT_MAX};
    if (!r->next && (now.column != q->order.column || now.descending != q->order.descending)) {
        r->next = begin_order(&r->rows, q->order);
        return !r->next; /* out of memory: the order stays */
    }
    return !r->next;
}

bool tt_querying_stop(struct tt_querying *q)
{
    struct tt_query_run *r = q->run;
    if (!r || !tt_querying_runs(q)) {
        return false;
    }
    atomic_store(&r->stop, true);
    interrupt(r);
    return true;
}

/* ---- reading ---------------------------------------------------------------------------------- */

static bool has_ended(const struct tt_querying *q)
{
    return q->run && atomic_load_explicit(&q->run->ended, memory_order_acquire);
}

bool tt_querying_runs(const struct tt_querying *q)
{
    return q->run && !has_ended(q);
}

bool tt_querying_sorts(const struct tt_querying *q)
{
    return q->run && q->run->next;
}

bool tt_querying_is_cut(const struct tt_querying *q)
{
    return has_ended(q) && q->run->cut;
}

bool tt_querying_is_stopped(const struct tt_querying *q)
{
    return q->run && is_stopped(q->run);
}

struct tt_status tt_querying_status(const struct tt_querying *q)
{
    return has_ended(q) ? q->run->status : tt_ok();
}

uint64_t tt_querying_ms(const struct tt_querying *q)
{
    return !q->run        ? 0
           : has_ended(q) ? q->run->ended_ms - q->run->begun_ms
                          : tt_now_ms() - q->run->begun_ms;
}

unsigned tt_querying_columns(const struct tt_querying *q)
{
    return q->run ? atomic_load_explicit(&q->run->column_count, memory_order_acquire) : 0;
}

const char *tt_querying_column(const struct tt_querying *q, unsigned column)
{
    return q->run->names[column];
}

uint64_t tt_querying_count(const struct tt_querying *q)
{
    return tt_querying_columns(q) > 0 ? tt_column_count(&q->run->rows) : 0;
}

const struct tt_query_row *tt_querying_row(const struct tt_querying *q, uint64_t index)
{
    const struct tt_query_run *r = q->run;
    return tt_column_at(&r->rows, r->order ? r->order->v[index] : index);
}
