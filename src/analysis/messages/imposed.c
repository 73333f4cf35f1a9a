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

static void imposed_spend(struct tt_imposing *imposing, uint64_t work)
{
    imposing->work -= imposing->work < work ? imposing->work : work;
}

/* ---- edges -------------------------------------------------------------------------------- */

static bool imposed_is_earlier(const void *a, const void *b)
{
    const struct edge *left = a, *right = b;
    return left->time != right->time ? left->time < right->time : left->order < right->order;
}

static bool imposed_add_edge(struct tt_imposing *imposing, uint64_t time,
                             const struct tt_message *message, bool begins)
{
    struct edge *edges = tt_array_grow(imposing->edges, imposing->edge_count,
                                       &imposing->edge_capacity, sizeof *edges);
    if (!edges) {
        return false;
    }
    imposing->edges = edges;
    edges[imposing->edge_count] =
        (struct edge){time, imposing->order++, message->client, message->server, begins};
    tt_heap_up(edges, sizeof *edges, imposing->edge_count++, imposed_is_earlier);
    return true;
}

static bool add_edges(struct tt_imposing *imposing, const struct tt_message *message)
{
    const struct tt_message_window *window = &imposing->window;
    uint64_t end = message->how == TT_MESSAGE_OPEN ? window->to : message->last;
    bool known = !message->async && message->receive != TT_NO_TIME &&
                 message->client < imposing->count && message->server < imposing->count &&
                 message->client != message->server;
    uint64_t begin = message->receive < window->from ? window->from : message->receive;
    end = end < window->to ? end : window->to;
    return !known || begin >= end ||
           (imposed_add_edge(imposing, begin, message, true) &&
            imposed_add_edge(imposing, end, message, false));
}

/* ---- counting ----------------------------------------------------------------------------- */

/* Returns the row of a client and a server process, added if needed; NULL when out of memory. */
static struct tt_message_stat *imposed_cell_of(struct tt_imposing *imposing, uint32_t client,
                                               uint32_t process)
{
    struct tt_message_stats *matrix = &imposing->matrix;
    uint64_t hash = tt_hash_of_pair(client, process);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&imposing->cells, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&imposing->cells, &probe)) {
        if (matrix->rows[n].client == client && matrix->rows[n].process == process) {
            return &matrix->rows[n];
        }
    }
    struct tt_message_stat *rows =
        tt_array_grow(matrix->rows, matrix->count, &matrix->capacity, sizeof *rows);
    matrix->rows = rows ? rows : matrix->rows;
    if (!rows || !tt_hash_add(&imposing->cells, hash, (uint32_t)matrix->count)) {
        imposing->no_memory = true;
        return NULL;
    }
    rows[matrix->count] =
        (struct tt_message_stat){.client = client,
                                 .client_process = tt_thread_at(imposing->capture, client)->process,
                                 .process = process,
                                 .connection = TT_NO_CONNECTION};
    return &rows[matrix->count++];
}

/* Adds CPU time of a server to the row of a client. */
static void add_to_cell(struct tt_imposing *imposing, uint32_t client, uint32_t server,
                        uint64_t run, uint64_t gross, uint64_t charged)
{
    uint32_t process = tt_thread_at(imposing->capture, server)->process;
    struct tt_message_stat *cell =
        imposing->by_server ? imposed_cell_of(imposing, client, process) : NULL;
    if (cell) {
        cell->imposed += run;
        cell->imposed_gross += gross;
        cell->charged += charged;
    }
}

/* Adds CPU time of a thread to all its clients and theirs. */
static void impose(struct tt_imposing *imposing, uint32_t thread, uint64_t run, uint64_t gross)
{
    uint32_t depth = 0;
    imposing->visit++;
    imposing->nodes[thread].seen = imposing->visit;
    imposing->stack[depth++] = thread;
    while (depth > 0) {
        uint32_t at = imposing->stack[--depth];
        imposed_spend(imposing, 1);
        for (uint32_t c = imposing->nodes[at].last; c != TT_NO_THREAD;
             c = imposing->nodes[c].before) {
            if (imposing->nodes[c].seen != imposing->visit) {
                imposing->nodes[c].seen = imposing->visit;
                imposing->times[c].imposed += run;
                imposing->times[c].imposed_gross += gross;
                add_to_cell(imposing, c, thread, run, gross, 0);
                imposing->stack[depth++] = c;
            }
        }
    }
}

/* Returns the client that is charged: the last one received, and so on, up to one that serves none. */
static uint32_t root_of(struct tt_imposing *imposing, uint32_t thread)
{
    imposing->visit++;
    while (imposing->nodes[thread].last != TT_NO_THREAD &&
           imposing->nodes[thread].seen != imposing->visit) {
        imposing->nodes[thread].seen = imposing->visit;
        thread = imposing->nodes[thread].last;
    }
    return thread;
}

/* Counts the CPU time of a thread up to `time`. */
static void count_until(struct tt_imposing *imposing, uint32_t thread, uint64_t time)
{
    struct node *node = &imposing->nodes[thread];
    struct tt_thread_sums sums;
    if (node->counted >= time) {
        return;
    }
    tt_thread_sum(imposing->t, thread, node->counted, time, &sums);
    imposed_spend(imposing, WORK_A_SUM);
    node->counted = time;
    uint64_t gross = sums.ticks[TT_CLASS_RUNNING], run = gross - sums.irq;
    imposing->times[thread].self += run;
    if (node->last == TT_NO_THREAD) {
        imposing->times[thread].unserved += run;
    } else if (gross > 0) {
        impose(imposing, thread, run, gross);
        uint32_t root = root_of(imposing, thread);
        imposing->times[root].charged += run;
        add_to_cell(imposing, root, thread, 0, 0, run);
    }
}

/*
 * Counts the CPU time up to `time` of all threads that a change of the thread's clients affects:
 * the thread, its server, and so on.
 */
static void count_path(struct tt_imposing *imposing, uint32_t thread, uint64_t time)
{
    imposing->path++;
    while (thread != TT_NO_THREAD && imposing->nodes[thread].passed != imposing->path) {
        imposing->nodes[thread].passed = imposing->path;
        count_until(imposing, thread, time);
        thread = imposing->nodes[thread].server;
    }
}

static void detach(struct tt_imposing *imposing, uint32_t client)
{
    struct node *node = &imposing->nodes[client];
    if (node->server == TT_NO_THREAD) {
        return;
    }
    if (node->after != TT_NO_THREAD) {
        imposing->nodes[node->after].before = node->before;
    } else {
        imposing->nodes[node->server].last = node->before;
    }
    if (node->before != TT_NO_THREAD) {
        imposing->nodes[node->before].after = node->after;
    }
    node->server = node->before = node->after = TT_NO_THREAD;
}

/* Applies the edges before `time`: those of later messages are not earlier. */
static void pass_edges(struct tt_imposing *imposing, uint64_t time, bool all)
{
    while (imposing->edge_count > 0 && (all || imposing->edges[0].time < time)) {
        struct edge edge = imposing->edges[0];
        imposing->edges[0] = imposing->edges[--imposing->edge_count];
        tt_heap_down(imposing->edges, imposing->edge_count, sizeof *imposing->edges, 0,
                     imposed_is_earlier);

        if (!edge.begins && imposing->nodes[edge.client].server != edge.server) {
            continue; /* it was replaced */
        }
        if (imposing->nodes[edge.client].server != TT_NO_THREAD) {
            count_path(imposing, imposing->nodes[edge.client].server, edge.time);
            detach(imposing, edge.client);
        }
        if (edge.begins) {
            count_path(imposing, edge.server, edge.time);

            uint32_t client = edge.client;
            uint32_t server = edge.server;
            struct node *node = &imposing->nodes[client];
            node->server = server;
            node->before = imposing->nodes[server].last;
            node->after = TT_NO_THREAD;
            if (node->before != TT_NO_THREAD) {
                imposing->nodes[node->before].after = client;
            }
            imposing->nodes[server].last = client;
        }
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

struct tt_imposing *tt_imposing_new(const struct tt_capture *capture,
                                    const struct tt_message_window *window, bool by_server)
{
    struct tt_imposing *imposing = calloc(1, sizeof *imposing);
    if (imposing) {
        imposing->capture = capture;
        imposing->window = *window;
        imposing->by_server = by_server;
    }
    return imposing;
}

static void free_memory(struct tt_imposing *imposing)
{
    free(imposing->nodes);
    free(imposing->times);
    free(imposing->stack);
    imposing->nodes = NULL;
    imposing->times = NULL;
    imposing->stack = NULL;
    imposing->edge_count = 0;
    imposing->matrix.count = 0;
    tt_hash_free(&imposing->cells);
    tt_message_walk_free(&imposing->walk);
}

/* Begins, or begins again with other timelines. */
static bool imposed_begin(struct tt_imposing *imposing)
{
    free_memory(imposing);
    imposing->number = tt_timelines_number(imposing->t);
    imposing->count = tt_thread_count(imposing->capture);
    size_t count = imposing->count ? imposing->count : 1;
    imposing->nodes = calloc(count, sizeof *imposing->nodes);
    imposing->times = calloc(count, sizeof *imposing->times);
    imposing->stack = calloc(count, sizeof *imposing->stack);
    imposing->phase = MAKE_NODES;
    imposing->next = 0;
    imposing->reached = imposing->visit = imposing->path = imposing->order = 0;
    return imposing->nodes && imposing->times && imposing->stack &&
           tt_message_walk_start(&imposing->walk, imposing->t, imposing->window.from, false);
}

static void make_nodes(struct tt_imposing *imposing)
{
    for (; imposing->next < imposing->count && imposing->work > 0;
         imposing->next++, imposed_spend(imposing, 1)) {
        imposing->nodes[imposing->next] = (struct node){.counted = imposing->window.from,
                                                        .server = TT_NO_THREAD,
                                                        .last = TT_NO_THREAD,
                                                        .before = TT_NO_THREAD,
                                                        .after = TT_NO_THREAD};
    }
    imposing->phase = imposing->next == imposing->count ? PREPARE : MAKE_NODES;
}

static void imposed_walk(struct tt_imposing *imposing)
{
    struct tt_message m;
    while (!imposing->no_memory && imposing->work > 0) {
        if (!tt_message_walk_next(&imposing->walk, &m) ||
            tt_message_begin(&m) >= imposing->window.to) {
            pass_edges(imposing, 0, true);
            imposing->phase = COUNT_REST;
            imposing->next = 0;
            return;
        }
        imposed_spend(imposing, WORK_A_MESSAGE);
        imposing->reached = tt_message_begin(&m);
        pass_edges(imposing, imposing->reached, false);
        imposing->no_memory |= !add_edges(imposing, &m);
    }
}

static void count_rest(struct tt_imposing *imposing)
{
    for (; imposing->next < imposing->count && imposing->work > 0; imposing->next++) {
        count_until(imposing, imposing->next, imposing->window.to);
    }
    imposing->phase = imposing->next == imposing->count ? DONE : COUNT_REST;
}

bool tt_imposing_step(struct tt_imposing *imposing, const struct tt_timelines *timelines,
                      uint64_t *work, bool *done)
{
    imposing->t = timelines;
    imposing->work = *work;
    if (imposing->number != tt_timelines_number(timelines)) {
        imposing->no_memory |= !imposed_begin(imposing);
    }
    while (!imposing->no_memory && imposing->work > 0 && imposing->phase != DONE) {
        switch (imposing->phase) {
        case MAKE_NODES:
            make_nodes(imposing);
            break;
        case PREPARE:
            imposing->phase =
                tt_message_walk_prepare(&imposing->walk, &imposing->work) ? WALK : PREPARE;
            break;
        case WALK:
            imposed_walk(imposing);
            break;
        default:
            count_rest(imposing);
            break;
        }
    }
    *work = imposing->work;
    *done = imposing->phase == DONE;
    return !imposing->no_memory;
}

unsigned tt_imposing_percent(const struct tt_imposing *imposing)
{
    return imposing->phase == WALK
               ? tt_message_percent(imposing->t, &imposing->window, imposing->reached)
               : (imposing->phase >= COUNT_REST ? 99 : 0);
}

const struct tt_message_stat *tt_imposing_cells(const struct tt_imposing *imposing, size_t *count)
{
    *count = imposing->matrix.count;
    return imposing->matrix.rows;
}

const struct tt_imposed *tt_imposing_times(const struct tt_imposing *imposing, uint32_t *count)
{
    *count = imposing->times ? imposing->count : 0;
    return imposing->times;
}

struct tt_imposed *tt_imposing_release_times(struct tt_imposing *imposing, uint32_t *count)
{
    struct tt_imposed *times = imposing->times;
    *count = times ? imposing->count : 0;
    imposing->times = NULL;
    return times;
}

void tt_imposing_free(struct tt_imposing *imposing)
{
    if (imposing) {
        free_memory(imposing);
        free(imposing->edges);
        tt_message_stats_free(&imposing->matrix);
        free(imposing);
    }
}

/* ---- the result --------------------------------------------------------------------------- */

static int by_total(const void *a, const void *b)
{
    const struct tt_message_stat *left = a, *right = b;
    uint64_t p = left->self + left->imposed, q = right->self + right->imposed;
    return p != q ? (p > q ? -1 : 1)
                  : (left->client > right->client) - (left->client < right->client);
}

static bool imposed_is_picked(const struct tt_message_window *window, uint32_t thread)
{
    return tt_bit_selects(window->threads, window->thread_limit, thread);
}

/* Adds rows of the threads that count: picked, neither idle nor pseudo threads, with any time. */
static bool imposed_add_rows(const struct tt_imposing *imposing, struct tt_message_stats *stats)
{
    for (uint32_t i = 0; i < imposing->count; i++) {
        const struct tt_thread *thread = tt_thread_at(imposing->capture, i);
        const struct tt_imposed *times = &imposing->times[i];
        uint64_t total = times->self + times->imposed;
        if (!imposed_is_picked(&imposing->window, i) || !tt_thread_is_counted(thread) ||
            total == 0) {
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
    const struct tt_message_stat *left = a, *right = b;
    if (left->imposed != right->imposed) {
        return left->imposed > right->imposed ? -1 : 1;
    }
    if (left->client != right->client) {
        return left->client < right->client ? -1 : 1;
    }
    return (left->process > right->process) - (left->process < right->process);
}

/* Computes everything at once; NULL if out of memory. */
static struct tt_imposing *imposed_compute(const struct tt_timelines *timelines,
                                           const struct tt_capture *capture,
                                           const struct tt_message_window *window, bool by_server)
{
    struct tt_imposing *imposing = tt_imposing_new(capture, window, by_server);
    bool done = false;
    for (bool ok = imposing != NULL; ok && !done;) {
        uint64_t work = UINT64_MAX;
        ok = tt_imposing_step(imposing, timelines, &work, &done);
    }
    if (!done) {
        tt_imposing_free(imposing);
        return NULL;
    }
    return imposing;
}

bool tt_imposed_compute(const struct tt_timelines *timelines, const struct tt_capture *capture,
                        const struct tt_message_window *window, bool by_server,
                        struct tt_message_stats *stats)
{
    struct tt_imposing *imposing = imposed_compute(timelines, capture, window, by_server);
    bool ok = imposing != NULL;
    if (ok && by_server) {
        *stats = imposing->matrix;
        imposing->matrix = (struct tt_message_stats){0};

        /* Keeps the rows of picked clients that have any time, in order. */
        size_t kept = 0;
        for (size_t i = 0; i < stats->count; i++) {
            if (imposed_is_picked(window, stats->rows[i].client) &&
                stats->rows[i].imposed_gross > 0) {
                stats->rows[kept++] = stats->rows[i];
            }
        }
        stats->count = kept;
        if (kept > 1) {
            qsort(stats->rows, kept, sizeof *stats->rows, by_imposed);
        }
    } else if (ok) {
        ok = imposed_add_rows(imposing, stats);
    }
    tt_imposing_free(imposing);
    return ok;
}
