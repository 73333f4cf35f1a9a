/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_messages: rows of messages: sums by pair of processes, server, client or channel, the longest
 * ones, and CPU time by client.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sheet/sheet_internal.h"
#include "base/hash.h"
#include "tracetui/merge.h"

/* The distributions of a row, and their members in the statistics. */
static const struct {
    size_t row;
    size_t stat;
} distributions[] = {
    {offsetof(struct tt_stat_row, m.round), offsetof(struct tt_message_stat, round)},
    {offsetof(struct tt_stat_row, m.queue), offsetof(struct tt_message_stat, queue)},
    {offsetof(struct tt_stat_row, m.service), offsetof(struct tt_message_stat, service)},
    {offsetof(struct tt_stat_row, m.back), offsetof(struct tt_message_stat, back)},
};

#define DISTRIBUTIONS (sizeof distributions / sizeof *distributions)

/* Sets the error of a row; UINT64_MAX: none. */
static void set_error(const struct tt_stat_builder *m, struct tt_stat_row *row, uint64_t error)
{
    unsigned system = tt_merge_of_side(m->capture, row->process, row->thread);
    const char *name =
        error < UINT32_MAX ? tt_message_error_name(m->capture, system, (uint32_t)error) : NULL;
    row->m.error = name ? name : "";
    row->m.error_number = error;
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Adds a row; `cpu`: CPU time of servers by index of the row, or NULL. */
static bool add_sum(struct tt_stat_builder *m, const struct tt_message_stat *stat, size_t index,
                    const struct tt_imposed *cpu)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.peer = stat->client_process;
    row.process = stat->process;
    row.number = stat->connection == TT_NO_CONNECTION ? TT_STAT_NONE : stat->connection;
    row.post = stat->post;
    row.count = stat->count;
    row.event = index;
    row.m.kind = stat->post ? "post" : "";
    row.m.errors = stat->errors;
    row.m.system = stat->system;
    row.channel = stat->channel;
    row.thread = stat->client; /* of rows by process: none */
    row.to = stat->server;
    set_error(m, &row, stat->error);
    for (size_t i = 0; i < DISTRIBUTIONS; i++) {
        memcpy((char *)&row + distributions[i].row, (const char *)stat + distributions[i].stat,
               sizeof(struct tt_distribution));
    }
    memcpy(row.m.class_ticks, stat->class_ticks, sizeof row.m.class_ticks);
    row.m.irq = stat->irq;
    row.m.queue_busy = stat->queue_busy;
    row.m.queue_sched = stat->queue_sched;
    row.m.known = stat->known;
    row.m.busy = stat->busy;
    row.m.waiting = stat->waiting;
    row.m.waiting_max = stat->waiting_max;
    row.m.serving_max = stat->serving_max;
    bool of_processes = !tt_merge_lacks_processes(m->capture, stat->process, stat->client);
    if (cpu && !stat->post && of_processes) {
        row.m.has_cpu = 1;
        row.m.imposed = cpu[index].imposed;
        row.m.imposed_gross = cpu[index].imposed_gross;
        row.m.charged = cpu[index].charged;
    }
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

/* Lists the sums if there are newer ones. */
static bool list_sums(struct tt_stat_builder *m)
{
    size_t count;
    unsigned version;
    const struct tt_message_stat *rows = tt_message_counting_rows(m->messages, &count, &version);
    if (version == m->listed) {
        return true;
    }
    m->listed = version;
    bool ok = tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_sum(m, &rows[i], i, NULL);
    }
    return ok;
}

/* Finds the row of a client process and a server process; TT_HASH_NONE: none. */
static uint32_t find_pair(const struct tt_hash *index, const struct tt_message_stat *rows,
                          uint32_t client, uint32_t server)
{
    struct tt_probe probe;
    uint32_t n = tt_hash_first(index, tt_hash_of_pair(client, server), &probe);
    while (n != TT_HASH_NONE && (rows[n].client_process != client || rows[n].process != server)) {
        n = tt_hash_next(index, &probe);
    }
    return n;
}

/* Adds the CPU time of each client and server to the row of their processes. O(rows + cells). */
static bool sum_cells(const struct tt_stat_builder *m, const struct tt_message_stat *rows,
                      size_t count, struct tt_imposed *cpu)
{
    struct tt_hash index = {0};
    size_t cells;
    const struct tt_message_stat *cell = tt_imposing_cells(m->imposing, &cells);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        uint64_t hash = tt_hash_of_pair(rows[i].client_process, rows[i].process);
        ok = rows[i].post || tt_hash_add(&index, hash, (uint32_t)i);
    }
    for (; ok && cells > 0; cells--, cell++) {
        uint32_t n = tt_stat_builder_includes(m, cell->client)
                         ? find_pair(&index, rows, cell->client_process, cell->process)
                         : TT_HASH_NONE;
        if (n != TT_HASH_NONE) {
            cpu[n].imposed += cell->imposed;
            cpu[n].imposed_gross += cell->imposed_gross;
            cpu[n].charged += cell->charged;
        }
    }
    tt_hash_free(&index);
    return ok;
}

/* Lists the sums again, with the CPU time of servers. */
static bool list_with_cpu(struct tt_stat_builder *m)
{
    size_t count;
    const struct tt_message_stat *rows = tt_message_counting_rows(m->messages, &count, &m->listed);
    struct tt_imposed *cpu = calloc(count + 1, sizeof *cpu);
    bool ok = cpu && sum_cells(m, rows, count, cpu) && tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_sum(m, &rows[i], i, cpu);
    }
    free(cpu);
    return ok;
}

/* Computes the CPU time of servers for the clients of pairs, after all messages are counted. */
static enum tt_made add_cpu(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    bool done = false;
    if (!m->imposing) {
        m->imposing = tt_imposing_new(m->capture, window, true);
    }
    if (!m->imposing || !tt_imposing_step(m->imposing, m->t, &m->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    return !done ? TT_MADE_PART : list_with_cpu(m) ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static enum tt_made make_sums(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    static const uint8_t by[TT_STATS_BY_ALL] = {
        [TT_STATS_BY_PROCESSES] = TT_MESSAGES_BY_PAIR,
        [TT_STATS_BY_SERVER] = TT_MESSAGES_BY_SERVER,
        [TT_STATS_BY_CHANNEL] = TT_MESSAGES_BY_CHANNEL,
        [TT_STATS_BY_CLIENT] = TT_MESSAGES_BY_CLIENT,
    };
    bool done = false;
    if (!m->messages) {
        m->messages = tt_message_counting_new(m->capture, by[m->request.by], window);
    }
    if (m->counted && m->counted_number == tt_timelines_number(m->t)) {
        return add_cpu(m, window);
    }
    if (!m->messages || !tt_message_counting_step(m->messages, m->t, &m->work, &done) ||
        !list_sums(m)) {
        return TT_MADE_NO_MEMORY;
    }
    m->counted = done;
    m->counted_number = tt_timelines_number(m->t);
    bool with_cpu = m->request.with_clients && m->request.by == TT_STATS_BY_PROCESSES &&
                    !m->capture->format->no_processes;
    return done && !with_cpu ? TT_MADE_ALL : TT_MADE_PART;
}

/* ---- single messages ---------------------------------------------------------------------- */

/* Sets a duration as a distribution of one sample, or of none if it is unknown. */
static void set_length(struct tt_distribution *d, uint64_t length, uint64_t end)
{
    if (length != TT_NO_TIME) {
        *d = (struct tt_distribution){1, length, length, length, length, length, end};
    }
}

static bool add_single(struct tt_stat_builder *m, const struct tt_listed_message *item)
{
    const struct tt_message *message = &item->message;
    const struct tt_message_parts *parts = &item->parts;
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.thread = message->client;
    row.to = message->server;
    row.process = message->process;
    row.number = message->connection == TT_NO_CONNECTION ? TT_STAT_NONE : message->connection;
    row.post = message->async;
    row.count = 1;
    row.length = item->length;
    row.m.kind = tt_message_end_name(message->how);
    row.channel = message->channel != TT_NO_CHANNEL ? message->channel : TT_STAT_NONE;
    set_error(m, &row, message->error != 0 ? message->error : UINT64_MAX);
    row.begin = tt_message_begin(message);
    set_length(&row.m.round, parts->round, parts->run);
    set_length(&row.m.queue, parts->queue, message->receive);
    set_length(&row.m.service, parts->service, message->end);
    set_length(&row.m.back, parts->back, parts->run);
    row.m.queue_busy = parts->queue_busy;
    row.m.queue_sched = parts->queue_sched;
    if (parts->has_classes) {
        memcpy(row.m.class_ticks, parts->class_ticks, sizeof row.m.class_ticks);
        row.m.irq = parts->irq;
        row.m.known = parts->service;
    }
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

/* Lists the longest messages if there are newer ones. */
static bool list_singles(struct tt_stat_builder *m)
{
    size_t count;
    uint64_t all;
    unsigned version;
    const struct tt_listed_message *items = tt_message_list_items(m->list, &count, &all, &version);
    if (version == m->listed) {
        return true;
    }
    m->listed = version;
    m->sheet->left_out = (size_t)(all - count);
    bool ok = tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_single(m, &items[i]);
    }
    return ok;
}

static enum tt_made make_singles(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    bool done = false;
    if (!m->list) {
        m->list = tt_message_list_new(window, m->request.row_limit);
    }
    if (!m->list || !tt_message_list_step(m->list, m->t, &m->work, &done) || !list_singles(m)) {
        return TT_MADE_NO_MEMORY;
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}

/* ---- CPU time by client ------------------------------------------------------------------- */

static bool add_cell(struct tt_stat_builder *m, const struct tt_message_stat *cell,
                     const struct tt_imposed *times)
{
    struct tt_stat_row row;
    if (cell->imposed_gross == 0 || !tt_stat_builder_includes(m, cell->client)) {
        return true;
    }
    tt_stat_row_clear(&row);
    row.thread = cell->client;
    row.process = cell->process;
    row.clients = (struct tt_stat_clients){.known = 1,
                                           .self = times[cell->client].self,
                                           .imposed = cell->imposed,
                                           .imposed_gross = cell->imposed_gross,
                                           .charged = cell->charged};
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

static bool list_cells(struct tt_stat_builder *m)
{
    size_t count;
    uint32_t threads;
    const struct tt_message_stat *cells = tt_imposing_cells(m->imposing, &count);
    const struct tt_imposed *times = tt_imposing_times(m->imposing, &threads);
    bool ok = tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_cell(m, &cells[i], times);
    }
    return ok;
}

/* Adds a thread that counts and has any time. */
static bool add_times(struct tt_stat_builder *m, uint32_t thread, const struct tt_imposed *times)
{
    struct tt_stat_row row;
    bool has_time = times->self + times->imposed > 0;
    if (!has_time || !tt_stat_builder_counts(m, thread) || !tt_stat_builder_includes(m, thread)) {
        return true;
    }
    tt_stat_row_clear(&row);
    row.thread = thread;
    row.process = tt_thread_at(m->capture, thread)->process;
    row.clients = (struct tt_stat_clients){.known = 1,
                                           .self = times->self,
                                           .imposed = times->imposed,
                                           .imposed_gross = times->imposed_gross,
                                           .charged = times->charged,
                                           .unserved = times->unserved,
                                           .total = times->self + times->imposed};
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

static bool list_times(struct tt_stat_builder *m)
{
    uint32_t count;
    const struct tt_imposed *times = tt_imposing_times(m->imposing, &count);
    bool ok = tt_stat_builder_reserve(m, count);
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = add_times(m, i, &times[i]);
    }
    return ok;
}

/* Makes the rows of --by matrix, or of --by imposed. */
static enum tt_made make_imposed(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    bool matrix = m->request.by == TT_STATS_BY_MATRIX;
    bool done = false;
    if (!m->imposing) {
        m->imposing = tt_imposing_new(m->capture, window, matrix);
    }
    if (!m->imposing || !tt_imposing_step(m->imposing, m->t, &m->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    unsigned percent = tt_imposing_percent(m->imposing);
    if (!done && percent == m->listed) {
        return TT_MADE_PART;
    }
    m->listed = percent;
    bool ok = matrix ? list_cells(m) : list_times(m);
    return !ok ? TT_MADE_NO_MEMORY : done ? TT_MADE_ALL : TT_MADE_PART;
}

enum tt_made tt_make_messages(struct tt_stat_builder *m)
{
    const struct tt_message_window window = {.from = m->request.window.from,
                                             .to = m->request.window.to,
                                             .threads = m->request.threads,
                                             .thread_limit = m->request.thread_limit};
    switch (m->request.by) {
    case TT_STATS_BY_MESSAGE:
        return make_singles(m, &window);
    case TT_STATS_BY_MATRIX:
    case TT_STATS_BY_IMPOSED:
        return make_imposed(m, &window);
    default:
        return make_sums(m, &window);
    }
}
