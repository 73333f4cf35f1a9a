/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/messages/imposed.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/heap.h"

#define WORK_A_MESSAGE 20u /* intervals that cost as much as a message */
#define WORK_A_SUM     10u /* or the sums of a thread */

/* A thread starts or stops serving a client. */
struct edge {
    uint64_t time;
    uint64_t order; /* among equal times: a message ends before the next one begins */
    uint32_t client;
    uint32_t server;
    bool begins;
};

/* A thread in the graph of clients and servers. */
struct node {
    uint64_t counted; /* its CPU time is counted up to here */
    uint32_t server;  /* thread that serves it, or TT_NO_THREAD */
    uint32_t last; /* client whose message it received last among the open ones, or TT_NO_THREAD */
    uint32_t before; /* client that the server received before this one; */
    uint32_t after;  /* and after it */
    uint64_t seen;   /* number of the last visit */
    uint64_t passed; /* number of the last path through it */
};

enum phase { MAKE_NODES, PREPARE, WALK, COUNT_REST, DONE };

struct tt_imposing {
    const struct tt_timelines *t; /* of the current step */
    const struct tt_capture *capture;
    struct tt_message_window window;
    uint32_t number; /* generation of the timelines; 0: not begun */
    enum phase phase;
    uint32_t next; /* thread of the phases MAKE_NODES and COUNT_REST */
    struct tt_message_walk walk;
    uint64_t reached;   /* begin of the last message */
    struct edge *edges; /* a heap of those at and after `reached` */
    size_t edge_count;
    size_t edge_capacity;
    uint64_t order;
    struct node *nodes;
    struct tt_imposed *times; /* by thread */
    uint32_t *stack;
    uint32_t count; /* of threads */
    uint64_t visit;
    uint64_t path;
    uint64_t work;                  /* that is left of the step */
    struct tt_message_stats matrix; /* rows by client and server process */
    struct tt_hash cells;           /* their numbers */
    bool by_server;                 /* the matrix is wanted */
    bool no_memory;
};

static void spend(struct tt_imposing *s, uint64_t work)
{
    s->work -= s->work < work ? s->work : work;
}

/* ---- edges -------------------------------------------------------------------------------- */

static bool is_earlier(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->time != y->time ? x->time < y->time : x->order < y->order;
}

static bool add_edge(struct tt_imposing *s, uint64_t time, const struct tt_message *m, bool begins)
{
    struct edge *edges = tt_array_grow(s->edges, s->edge_count, &s->edge_capacity, sizeof *edges);
    if (!edges) {
        return false;
    }
    s->edges = edges;
    edges[s->edge_count] = (struct edge){time, s->order++, m->client, m->server, begins};
    tt_heap_up(edges, sizeof *edges, s->edge_count++, is_earlier);
    return true;
}

static bool add_edges(struct tt_imposing *s, const struct tt_message *m)
{
    const struct tt_message_window *window = &s->window;
    uint64_t end = m->how == TT_MESSAGE_OPEN ? window->to : m->last;
    bool known = !m->async && m->receive != TT_NO_TIME && m->client < s->count &&
                 m->server < s->count && m->client != m->server;
    uint64_t begin = m->receive < window->from ? window->from : m->receive;
    end = end < window->to ? end : window->to;
    return !known || begin >= end || (add_edge(s, begin, m, true) && add_edge(s, end, m, false));
}

static struct edge first_edge(struct tt_imposing *s)
{
    struct edge first = s->edges[0];
    s->edges[0] = s->edges[--s->edge_count];
    tt_heap_down(s->edges, s->edge_count, sizeof *s->edges, 0, is_earlier);
    return first;
}

/* ---- counting ----------------------------------------------------------------------------- */

/* Returns the row of a client and a server process, added if needed; NULL when out of memory. */
static struct tt_message_stat *cell_of(struct tt_imposing *s, uint32_t client, uint32_t process)
{
    struct tt_message_stats *matrix = &s->matrix;
    uint64_t hash = tt_hash_of_pair(client, process);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&s->cells, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&s->cells, &probe)) {
        if (matrix->rows[n].client == client && matrix->rows[n].process == process) {
            return &matrix->rows[n];
        }
    }
    struct tt_message_stat *rows =
        tt_array_grow(matrix->rows, matrix->count, &matrix->capacity, sizeof *rows);
    matrix->rows = rows ? rows : matrix->rows;
    if (!rows || !tt_hash_add(&s->cells, hash, (uint32_t)matrix->count)) {
        s->no_memory = true;
        return NULL;
    }
    rows[matrix->count] =
        (struct tt_message_stat){.client = client,
                                 .client_process = tt_thread_at(s->capture, client)->process,
                                 .process = process,
                                 .connection = TT_NO_CONNECTION};
    return &rows[matrix->count++];
}

/* Adds CPU time of a server to the row of a client. */
static void add_to_cell(struct tt_imposing *s, uint32_t client, uint32_t server, uint64_t run,
                        uint64_t gross, uint64_t charged)
{
    uint32_t process = tt_thread_at(s->capture, server)->process;
    struct tt_message_stat *cell = s->by_server ? cell_of(s, client, process) : NULL;
    if (cell) {
        cell->imposed += run;
        cell->imposed_gross += gross;
        cell->charged += charged;
    }
}

/* Adds CPU time of a thread to all its clients and theirs. */
static void impose(struct tt_imposing *s, uint32_t thread, uint64_t run, uint64_t gross)
{
    uint32_t depth = 0;
    s->visit++;
    s->nodes[thread].seen = s->visit;
    s->stack[depth++] = thread;
    while (depth > 0) {
        uint32_t at = s->stack[--depth];
        spend(s, 1);
        for (uint32_t c = s->nodes[at].last; c != TT_NO_THREAD; c = s->nodes[c].before) {
            if (s->nodes[c].seen != s->visit) {
                s->nodes[c].seen = s->visit;
                s->times[c].imposed += run;
                s->times[c].imposed_gross += gross;
                add_to_cell(s, c, thread, run, gross, 0);
                s->stack[depth++] = c;
            }
        }
    }
}

/* Returns the client that is charged: the last one received, and so on, up to one that serves none. */
static uint32_t root_of(struct tt_imposing *s, uint32_t thread)
{
    s->visit++;
    while (s->nodes[thread].last != TT_NO_THREAD && s->nodes[thread].seen != s->visit) {
        s->nodes[thread].seen = s->visit;
        thread = s->nodes[thread].last;
    }
    return thread;
}

/* Counts the CPU time of a thread up to `time`. */
static void count_until(struct tt_imposing *s, uint32_t thread, uint64_t time)
{
    struct node *node = &s->nodes[thread];
    struct tt_thread_sums sums;
    if (node->counted >= time) {
        return;
    }
    tt_thread_sum(s->t, thread, node->counted, time, &sums);
    spend(s, WORK_A_SUM);
    node->counted = time;
    uint64_t gross = sums.ticks[TT_CLASS_RUNNING], run = gross - sums.irq;
    s->times[thread].self += run;
    if (node->last == TT_NO_THREAD) {
        s->times[thread].unserved += run;
    } else if (gross > 0) {
        impose(s, thread, run, gross);
        uint32_t root = root_of(s, thread);
        s->times[root].charged += run;
        add_to_cell(s, root, thread, 0, 0, run);
    }
}

/*
 * Counts the CPU time up to `time` of all threads that a change of the thread's clients affects:
 * the thread, its server, and so on.
 */
static void count_path(struct tt_imposing *s, uint32_t thread, uint64_t time)
{
    s->path++;
    while (thread != TT_NO_THREAD && s->nodes[thread].passed != s->path) {
        s->nodes[thread].passed = s->path;
        count_until(s, thread, time);
        thread = s->nodes[thread].server;
    }
}

static void detach(struct tt_imposing *s, uint32_t client)
{
    struct node *node = &s->nodes[client];
    if (node->server == TT_NO_THREAD) {
        return;
    }
    if (node->after != TT_NO_THREAD) {
        s->nodes[node->after].before = node->before;
    } else {
        s->nodes[node->server].last = node->before;
    }
    if (node->before != TT_NO_THREAD) {
        s->nodes[node->before].after = node->after;
    }
    node->server = node->before = node->after = TT_NO_THREAD;
}

static void attach(struct tt_imposing *s, uint32_t client, uint32_t server)
{
    struct node *node = &s->nodes[client];
    node->server = server;
    node->before = s->nodes[server].last;
    node->after = TT_NO_THREAD;
    if (node->before != TT_NO_THREAD) {
        s->nodes[node->before].after = client;
    }
    s->nodes[server].last = client;
}

static void change(struct tt_imposing *s, const struct edge *edge)
{
    if (!edge->begins && s->nodes[edge->client].server != edge->server) {
        return; /* it was replaced */
    }
    if (s->nodes[edge->client].server != TT_NO_THREAD) {
        count_path(s, s->nodes[edge->client].server, edge->time);
        detach(s, edge->client);
    }
    if (edge->begins) {
        count_path(s, edge->server, edge->time);
        attach(s, edge->client, edge->server);
    }
}

/* Applies the edges before `time`: those of later messages are not earlier. */
static void pass_edges(struct tt_imposing *s, uint64_t time, bool all)
{
    while (s->edge_count > 0 && (all || s->edges[0].time < time)) {
        struct edge edge = first_edge(s);
        change(s, &edge);
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

struct tt_imposing *tt_imposing_new(const struct tt_capture *c,
                                    const struct tt_message_window *window, bool by_server)
{
    struct tt_imposing *s = calloc(1, sizeof *s);
    if (s) {
        s->capture = c;
        s->window = *window;
        s->by_server = by_server;
    }
    return s;
}

static void free_memory(struct tt_imposing *s)
{
    free(s->nodes);
    free(s->times);
    free(s->stack);
    s->nodes = NULL;
    s->times = NULL;
    s->stack = NULL;
    s->edge_count = 0;
    s->matrix.count = 0;
    tt_hash_free(&s->cells);
    tt_message_walk_free(&s->walk);
}

/* Begins, or begins again with other timelines. */
static bool begin(struct tt_imposing *s)
{
    free_memory(s);
    s->number = tt_timelines_number(s->t);
    s->count = tt_thread_count(s->capture);
    size_t count = s->count ? s->count : 1;
    s->nodes = calloc(count, sizeof *s->nodes);
    s->times = calloc(count, sizeof *s->times);
    s->stack = calloc(count, sizeof *s->stack);
    s->phase = MAKE_NODES;
    s->next = 0;
    s->reached = s->visit = s->path = s->order = 0;
    return s->nodes && s->times && s->stack &&
           tt_message_walk_start(&s->walk, s->t, s->window.from, false);
}

static void make_nodes(struct tt_imposing *s)
{
    for (; s->next < s->count && s->work > 0; s->next++, spend(s, 1)) {
        s->nodes[s->next] = (struct node){.counted = s->window.from,
                                          .server = TT_NO_THREAD,
                                          .last = TT_NO_THREAD,
                                          .before = TT_NO_THREAD,
                                          .after = TT_NO_THREAD};
    }
    s->phase = s->next == s->count ? PREPARE : MAKE_NODES;
}

static void walk(struct tt_imposing *s)
{
    struct tt_message m;
    while (!s->no_memory && s->work > 0) {
        if (!tt_message_walk_next(&s->walk, &m) || tt_message_begin(&m) >= s->window.to) {
            pass_edges(s, 0, true);
            s->phase = COUNT_REST;
            s->next = 0;
            return;
        }
        spend(s, WORK_A_MESSAGE);
        s->reached = tt_message_begin(&m);
        pass_edges(s, s->reached, false);
        s->no_memory |= !add_edges(s, &m);
    }
}

static void count_rest(struct tt_imposing *s)
{
    for (; s->next < s->count && s->work > 0; s->next++) {
        count_until(s, s->next, s->window.to);
    }
    s->phase = s->next == s->count ? DONE : COUNT_REST;
}

bool tt_imposing_step(struct tt_imposing *s, const struct tt_timelines *t, uint64_t *work,
                      bool *done)
{
    s->t = t;
    s->work = *work;
    if (s->number != tt_timelines_number(t)) {
        s->no_memory |= !begin(s);
    }
    while (!s->no_memory && s->work > 0 && s->phase != DONE) {
        switch (s->phase) {
        case MAKE_NODES:
            make_nodes(s);
            break;
        case PREPARE:
            s->phase = tt_message_walk_prepare(&s->walk, &s->work) ? WALK : PREPARE;
            break;
        case WALK:
            walk(s);
            break;
        default:
            count_rest(s);
            break;
        }
    }
    *work = s->work;
    *done = s->phase == DONE;
    return !s->no_memory;
}

unsigned tt_imposing_percent(const struct tt_imposing *s)
{
    return s->phase == WALK ? tt_message_percent(s->t, &s->window, s->reached)
                            : (s->phase >= COUNT_REST ? 99 : 0);
}

const struct tt_message_stat *tt_imposing_cells(const struct tt_imposing *s, size_t *count)
{
    *count = s->matrix.count;
    return s->matrix.rows;
}

const struct tt_imposed *tt_imposing_times(const struct tt_imposing *s, uint32_t *count)
{
    *count = s->times ? s->count : 0;
    return s->times;
}

struct tt_imposed *tt_imposing_take_times(struct tt_imposing *s, uint32_t *count)
{
    struct tt_imposed *times = s->times;
    *count = times ? s->count : 0;
    s->times = NULL;
    return times;
}

void tt_imposing_free(struct tt_imposing *s)
{
    if (s) {
        free_memory(s);
        free(s->edges);
        tt_message_stats_free(&s->matrix);
        free(s);
    }
}

/* ---- the result --------------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct tt_message_stat *x = a, *y = b;
    uint64_t p = x->self + x->imposed, q = y->self + y->imposed;
    return p != q ? (p > q ? -1 : 1) : (x->client > y->client) - (x->client < y->client);
}

static bool is_picked(const struct tt_message_window *window, uint32_t thread)
{
    return tt_bit_selects(window->threads, window->thread_limit, thread);
}

/* Adds rows of the threads that count: picked, neither idle nor pseudo threads, with any time. */
static bool add_rows(const struct tt_imposing *s, struct tt_message_stats *stats)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct tt_thread *thread = tt_thread_at(s->capture, i);
        const struct tt_imposed *times = &s->times[i];
        uint64_t total = times->self + times->imposed;
        if (!is_picked(&s->window, i) || !tt_thread_is_counted(thread) || total == 0) {
            continue;
        }
        struct tt_message_stat *rows =
            tt_array_grow(stats->rows, stats->count, &stats->capacity, sizeof *rows);
        if (!rows) {
            return false;
        }
        stats->rows = rows;
        rows[stats->count++] = (struct tt_message_stat){.client = i,
                                                        .client_process = thread->process,
                                                        .process = TT_NO_THREAD,
                                                        .connection = TT_NO_CONNECTION,
                                                        .self = times->self,
                                                        .imposed = times->imposed,
                                                        .imposed_gross = times->imposed_gross,
                                                        .charged = times->charged,
                                                        .unserved = times->unserved,
                                                        .total = total};
    }
    if (stats->count > 1) {
        qsort(stats->rows, stats->count, sizeof *stats->rows, by_total);
    }
    return true;
}

static int by_imposed(const void *a, const void *b)
{
    const struct tt_message_stat *x = a, *y = b;
    if (x->imposed != y->imposed) {
        return x->imposed > y->imposed ? -1 : 1;
    }
    if (x->client != y->client) {
        return x->client < y->client ? -1 : 1;
    }
    return (x->process > y->process) - (x->process < y->process);
}

/* Keeps the rows of picked clients that have any time, in order. */
static void finish_matrix(const struct tt_message_window *window, struct tt_message_stats *matrix)
{
    size_t kept = 0;
    for (size_t i = 0; i < matrix->count; i++) {
        if (is_picked(window, matrix->rows[i].client) && matrix->rows[i].imposed_gross > 0) {
            matrix->rows[kept++] = matrix->rows[i];
        }
    }
    matrix->count = kept;
    if (kept > 1) {
        qsort(matrix->rows, kept, sizeof *matrix->rows, by_imposed);
    }
}

/* Computes everything at once; NULL if out of memory. */
static struct tt_imposing *compute(const struct tt_timelines *t, const struct tt_capture *c,
                                   const struct tt_message_window *window, bool by_server)
{
    struct tt_imposing *s = tt_imposing_new(c, window, by_server);
    bool done = false;
    for (bool ok = s != NULL; ok && !done;) {
        uint64_t work = UINT64_MAX;
        ok = tt_imposing_step(s, t, &work, &done);
    }
    if (!done) {
        tt_imposing_free(s);
        return NULL;
    }
    return s;
}

bool tt_imposed_compute(const struct tt_timelines *t, const struct tt_capture *c,
                        const struct tt_message_window *window, bool by_server,
                        struct tt_message_stats *stats)
{
    struct tt_imposing *s = compute(t, c, window, by_server);
    bool ok = s != NULL;
    if (ok && by_server) {
        *stats = s->matrix;
        s->matrix = (struct tt_message_stats){0};
        finish_matrix(window, stats);
    } else if (ok) {
        ok = add_rows(s, stats);
    }
    tt_imposing_free(s);
    return ok;
}
