/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_messages: rows of messages: sums by pair of processes, server, client or channel, the longest
 * ones, and CPU time by client.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "table/builder.h"
#include "table/columns.h"
#include "table/stat_cells.h"
#include "tracetui/merge.h"
#include "tracetui/message_walk.h"

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
    row->m.error = name;
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
    row.number = stat->connection == TT_NO_CONNECTION ? TT_TABLE_NONE : stat->connection;
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
    return tt_table_add(m->sheet, &row);
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
    bool ok = tt_table_reserve(m->sheet, count);
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
    bool ok = cpu && sum_cells(m, rows, count, cpu) && tt_table_reserve(m->sheet, count);
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
    const struct tt_table *table = m->request.table;
    enum tt_messages_by by = table == &tt_table_servers    ? TT_MESSAGES_BY_SERVER
                             : table == &tt_table_channels ? TT_MESSAGES_BY_CHANNEL
                             : table == &tt_table_clients  ? TT_MESSAGES_BY_CLIENT
                                                           : TT_MESSAGES_BY_PAIR;
    bool done = false;
    if (!m->messages) {
        m->messages = tt_message_counting_new(m->capture, by, window);
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
    bool with_cpu = m->request.with_clients && m->request.table == &tt_table_message_pairs &&
                    !m->capture->format->no_processes;
    if (!done || !with_cpu) {
        return done ? TT_MADE_ALL : TT_MADE_PART;
    }
    return m->work > 0 ? add_cpu(m, window) : TT_MADE_PART;
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
    row.number = message->connection == TT_NO_CONNECTION ? TT_TABLE_NONE : message->connection;
    row.post = message->async;
    row.count = 1;
    row.length = item->length;
    row.m.kind = tt_message_end_name(message->how);
    row.channel = message->channel != TT_NO_CHANNEL ? message->channel : TT_TABLE_NONE;
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
    return tt_table_add(m->sheet, &row);
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
    bool ok = tt_table_reserve(m->sheet, count);
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
    return tt_table_add(m->sheet, &row);
}

static bool list_cells(struct tt_stat_builder *m)
{
    size_t count;
    uint32_t threads;
    const struct tt_message_stat *cells = tt_imposing_cells(m->imposing, &count);
    const struct tt_imposed *times = tt_imposing_times(m->imposing, &threads);
    bool ok = tt_table_reserve(m->sheet, count);
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
    return tt_table_add(m->sheet, &row);
}

static bool list_times(struct tt_stat_builder *m)
{
    uint32_t count;
    const struct tt_imposed *times = tt_imposing_times(m->imposing, &count);
    bool ok = tt_table_reserve(m->sheet, count);
    for (uint32_t i = 0; ok && i < count; i++) {
        ok = add_times(m, i, &times[i]);
    }
    return ok;
}

/* Makes the rows of --by matrix, or of --by imposed. */
static enum tt_made make_imposed(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    bool matrix = m->request.table == &tt_table_matrix;
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
                                             .thread_limit = m->request.thread_limit,
                                             .wanted = m->request.wanted_message,
                                             .wanted_arg = m->request.wanted_message_arg};
    const struct tt_table *table = m->request.table;
    return table == &tt_table_single_messages                        ? make_singles(m, &window)
           : table == &tt_table_matrix || table == &tt_table_imposed ? make_imposed(m, &window)
                                                                     : make_sums(m, &window);
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct tt_stat_row

static TT_CELL_FUNCTION(message_kind)
{
    (void)run;
    (void)column;
    tt_table_set_text(cell, ((const struct tt_stat_row *)row)->post ? "post" : "message");
}

static TT_CELL_FUNCTION(message_post)
{
    (void)run;
    (void)column;
    tt_table_set_text(cell, ((const struct tt_stat_row *)row)->post ? "post" : "");
}

/* clang-format off */

#define PART_COLUMNS \
    COLUMN("run_pct", NULL, PART, m.class_ticks[TT_CLASS_RUNNING], SCREEN("service", "run %", 41, 31), \
     "Part of the service in which the server ran.", .cell = tt_stat_part), \
    COLUMN("irq_pct", NULL, PART, m.irq, SCREEN("service", "irq %", 42, 32), \
     "Part of the service in interrupts.", .cell = tt_stat_part), \
    COLUMN("ready_pct", NULL, PART, m.class_ticks[TT_CLASS_READY], SCREEN("service", "ready %", 43, 33), \
     "Part of the service in which the server waited for a CPU.", .cell = tt_stat_part), \
    COLUMN("ipc_pct", NULL, PART, m.class_ticks[TT_CLASS_IPC], SCREEN("service", "ipc %", 44, 34), \
     "Part of the service in which the server waited for messages.", .cell = tt_stat_part), \
    COLUMN("lock_pct", NULL, PART, m.class_ticks[TT_CLASS_LOCK], SCREEN("service", "lock %", 45, 35), \
     "Part of the service in which the server waited for locks.", .cell = tt_stat_part), \
    COLUMN("condition_pct", NULL, PART, m.class_ticks[TT_CLASS_CONDITION], SCREEN("service", "cond %", 46, 36), \
     "Part of the service in which the server waited for a condition.", .cell = tt_stat_part), \
    COLUMN("sleep_pct", NULL, PART, m.class_ticks[TT_CLASS_SLEEP], SCREEN("service", "sleep %", 47, 37), \
     "Part of the service in which the server slept.", .cell = tt_stat_part), \
    COLUMN("wait_pct", NULL, PART, m.class_ticks[TT_CLASS_WAIT], SCREEN("service", "wait %", 48, 38), \
     "Part of the service in which the server waited for something else.", .cell = tt_stat_part)

/*
 * The columns that sums of messages share. Arguments: the positions among the compared values of the count,
 * the first round time, the first of queue and service, and the errors; 0: none.
 */
#define MESSAGE_COLUMNS(n_count, n_round, n_queue, n_errors) \
    MADE("kind", "kind", TEXT, message_kind, OFF_SCREEN, \
     "`post`: messages whose sender does not wait."), \
    MADE("post", NULL, TEXT, message_post, SCREEN("", "kind", 9, 4), \
     "`post`: the sender does not wait.", .is_screen = true, .is_key = true), \
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 2, 5), \
     "Messages that are sent in the range.", .is_neutral = true, .compared = n_count), \
    COLUMN("rate_hz", "per second", RATE, count, SCREEN("", "rate", 13, 6), \
     "Messages that are sent per second.", .names_unit = true, .is_precise = true), \
    MEAN_OF("round_mean", "round mean", m.round, SCREEN("round", "mean", 5, 10), \
     "Time from sending until the client runs again, the mean."), \
    OF("round_p50", NULL, TIME_US, m.round, p50, SCREEN("round", "p50", 12, 11), \
     "Time from sending until the client runs again, the median.", .compared = n_round), \
    OF("round_p99", "p99", TIME_US, m.round, p99, SCREEN("round", "p99", 4, 12), \
     "Time from sending until the client runs again that 99 % do not exceed.", .compared = n_round + (n_round > 0)), \
    OF("round_max", "max", TIME_US, m.round, max, SCREEN("round", "max", 3, 13), \
     "Time from sending until the client runs again, the longest."), \
    OF("round_max_at", "at", AT, m.round, max_at, SCREEN("round", "at", 10, 14), \
     "When the longest round trip ended.", .names_unit = true), \
    MEAN_OF("queue_mean", "queue mean", m.queue, SCREEN("queue", "mean", 17, 15), \
     "Time from sending to receiving, the mean."), \
    OF("queue_p50", NULL, TIME_US, m.queue, p50, SCREEN("queue", "p50", 21, 16), \
     "Time from sending to receiving, the median."), \
    OF("queue_p99", NULL, TIME_US, m.queue, p99, SCREEN("queue", "p99", 7, 17), \
     "Time from sending to receiving that 99 % do not exceed.", .compared = n_queue), \
    OF("queue_max", "max", TIME_US, m.queue, max, SCREEN("queue", "max", 18, 18), \
     "Time from sending to receiving, the longest."), \
    OF("queue_max_at", NULL, AT, m.queue, max_at, SCREEN("queue", "at", 22, 19), \
     "When the longest wait to be received ended."), \
    COLUMN("queue_busy", NULL, TIME_MS, m.queue_busy, SCREEN("queue", "busy", 55, 20), \
     "Part of the time to receive in which the server served others."), \
    COLUMN("queue_sched", NULL, TIME_MS, m.queue_sched, SCREEN("queue", "sched", 56, 20), \
     "Part of the time to receive in which the server waited for a CPU."), \
    MEAN_OF("service_mean", "service mean", m.service, SCREEN("service", "mean", 16, 20), \
     "Time from receiving to the answer, the mean."), \
    OF("service_p50", NULL, TIME_US, m.service, p50, SCREEN("service", "p50", 23, 21), \
     "Time from receiving to the answer, the median.", .compared = n_queue + 1 - (n_queue == 0)), \
    OF("service_p99", NULL, TIME_US, m.service, p99, SCREEN("service", "p99", 6, 22), \
     "Time from receiving to the answer that 99 % do not exceed.", .compared = n_queue + 2 - 2 * (n_queue == 0)), \
    OF("service_max", "max", TIME_US, m.service, max, SCREEN("service", "max", 19, 23), \
     "Time from receiving to the answer, the longest."), \
    OF("service_max_at", NULL, AT, m.service, max_at, SCREEN("service", "at", 24, 24), \
     "When the longest service ended."), \
    MEAN_OF("return_mean", NULL, m.back, SCREEN("return", "mean", 25, 25), \
     "Time from the answer until the client runs, the mean."), \
    OF("return_p50", NULL, TIME_US, m.back, p50, SCREEN("return", "p50", 26, 26), \
     "Time from the answer until the client runs, the median."), \
    OF("return_p99", NULL, TIME_US, m.back, p99, SCREEN("return", "p99", 14, 27), \
     "Time from the answer until the client runs that 99 % do not exceed."), \
    OF("return_max", NULL, TIME_US, m.back, max, SCREEN("return", "max", 20, 28), \
     "Time from the answer until the client runs, the longest."), \
    OF("return_max_at", NULL, AT, m.back, max_at, SCREEN("return", "at", 27, 29), \
     "When the longest return ended."), \
    MADE("service_parts", NULL, PARTS, tt_stat_parts, SCREEN("", "service", 8, 30), \
     "What the server did during the service, in percent."), \
    PART_COLUMNS, \
    COLUMN("errors", "errors", COUNT, m.errors, SCREEN("", "errors", 11, 42), \
     "Answers that are errors.", .compared = n_errors), \
    COLUMN("errno", NULL, COUNT, m.error_number, SCREEN("", "errno", 54, 43), \
     "Number of the most frequent error.", .is_identity = true), \
    COLUMN("error", "error", TEXT, m.error, SCREEN("", "error", 11, 44), \
     "Name of the most frequent error.")

/* CPU time of the server process for the clients; unknown if it is not computed. */
#define OF_SERVER(key_, member, head, rank, place, doc_) \
    {.key = key_, .unit = TT_UNIT_TIME_MS, .field = AT(member), .basis = AT(m.has_cpu), \
     .distribution = TT_TABLE_ALWAYS, .of_clients = true, .screen = {"", head, rank, place}, .doc = doc_}

static const struct tt_table_column pair_columns[] = {
    COLUMN("client_pid", NULL, PROCESS_PID, peer, SCREEN("client", "pid", 50, 7),
     "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, thread, OFF_SCREEN,
     "Number of the client thread.", .of_threads = true),
    MADE("client", "client", NAME, tt_stat_client, SCREEN("", "client", 0, 1),
     "Client: the thread or process that sends.", .is_key = true),
    COLUMN("server_pid", NULL, PROCESS_PID, process, SCREEN("server", "pid", 51, 8),
     "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, to, OFF_SCREEN,
     "Number of the server thread.", .of_threads = true),
    MADE("server", "server", NAME, tt_stat_server, SCREEN("", "server", 1, 2),
     "Server: the process or thread that receives.", .is_key = true),
    MESSAGE_COLUMNS(1, 2, 4, 7),
    OF_SERVER("imposed", m.imposed, "imposed", 59, 45, "CPU time of servers while they serve it, directly or through others."),
    OF_SERVER("imposed_gross", m.imposed_gross, "gross", 60, 46, "CPU time of servers while they serve it, with interrupts."),
    OF_SERVER("charged", m.charged, "charged", 61, 47, "CPU time of servers, each instant given to one client only."),
};

static const struct tt_table_column server_columns[] = {
    COLUMN("server_pid", NULL, PROCESS_PID, process, SCREEN("", "pid", 50, 2),
     "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, to, OFF_SCREEN,
     "Number of the server thread.", .of_threads = true),
    MADE("server", "server", NAME, tt_stat_server, SCREEN("", "server", 0, 1),
     "Server: the process or thread that receives.", .is_key = true),
    MESSAGE_COLUMNS(2, 0, 3, 0),
    COLUMN("busy", NULL, TIME_MS, m.busy, SCREEN("busy", "", 52, 7),
     "Time with a received message.", .compared = 1),
    COLUMN("busy_pct", "busy%", SHARE, m.busy, SCREEN("busy", "%", 1, 8),
     "Time with a received message, in percent of the range."),
    COLUMN("waiting_mean", "waiting", DEPTH, m.waiting, SCREEN("waiting", "mean", 15, 9),
     "Messages that wait to be received at once, the mean over the range.", .is_precise = true),
    COLUMN("waiting_max", "max", COUNT, m.waiting_max, SCREEN("waiting", "max", 28, 9),
     "Messages that wait to be received at once, the most.", .is_level = true),
    COLUMN("serving_max", "serving", COUNT, m.serving_max, SCREEN("", "serving", 29, 9),
     "Received messages at once, the most.", .is_level = true),
};

static const struct tt_table_column client_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, thread, SCREEN("", "pid", 50, 2),
     "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, thread, SCREEN("", "tid", 51, 3),
     "Number of the client thread."),
    COLUMN("client", "client", LANE_NAME, thread, SCREEN("", "client", 0, 1),
     "Client thread.", .is_key = true),
    MESSAGE_COLUMNS(1, 2, 4, 7),
};

static const struct tt_table_column channel_columns[] = {
    COLUMN("server_pid", NULL, PROCESS_PID, process, SCREEN("", "pid", 50, 2),
     "Number of the server's process."),
    MADE("server", "server", NAME, tt_stat_server, SCREEN("", "server", 0, 1),
     "Server: the process or thread that receives.", .is_key = true),
    COLUMN("channel", NULL, COUNT, channel, SCREEN("", "chid", 58, 4),
     "Number of the channel in the server.", .is_key = true, .is_identity = true),
    COLUMN("connection", NULL, COUNT, number, SCREEN("", "connection", 57, 4),
     "Number of the connection.", .is_key = true, .is_identity = true),
    MADE("channel_name", "channel", NAME, tt_stat_queue, SCREEN("", "channel", 1, 3),
     "Name of the queue, number of the channel, or #CONNECTION."),
    MESSAGE_COLUMNS(1, 2, 4, 7),
};

static const struct tt_table_column single_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, thread, SCREEN("client", "pid", 20, 3),
     "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, thread, SCREEN("client", "tid", 21, 4),
     "Number of the client thread."),
    COLUMN("client", "client", LANE_NAME, thread, SCREEN("", "client", 0, 1),
     "Client thread."),
    COLUMN("server_pid", NULL, PROCESS_PID, process, SCREEN("server", "pid", 22, 5),
     "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, to, SCREEN("server", "tid", 23, 6),
     "Number of the server thread."),
    MADE("server", "server", NAME, tt_stat_server, SCREEN("", "server", 1, 2),
     "Server: the process or thread that receives."),
    MADE("channel_name", NULL, NAME, tt_stat_queue, SCREEN("", "channel", 25, 7),
     "Name of the queue, number of the channel, or #CONNECTION."),
    COLUMN("channel", NULL, COUNT, channel, SCREEN("", "chid", 58, 7),
     "Number of the channel in the server.", .is_identity = true),
    COLUMN("connection", NULL, COUNT, number, SCREEN("", "connection", 24, 7),
     "Number of the connection.", .is_identity = true),
    COLUMN("send", NULL, AT, begin, SCREEN("", "at", 4, 8),
     "When its first known step was."),
    OF("round", NULL, TIME_US, m.round, max, SCREEN("time", "round", 2, 10),
     "Time from sending until the client runs again."),
    OF("queue", NULL, TIME_US, m.queue, max, SCREEN("time", "queue", 5, 11),
     "Time from sending to receiving."),
    COLUMN("queue_busy", NULL, TIME_US, m.queue_busy, SCREEN("time", "busy", 27, 11),
     "Part of the time to receive in which the server served others."),
    COLUMN("queue_sched", NULL, TIME_US, m.queue_sched, SCREEN("time", "sched", 28, 11),
     "Part of the time to receive in which the server waited for a CPU."),
    OF("service", NULL, TIME_US, m.service, max, SCREEN("time", "service", 3, 12),
     "Time from receiving to the answer."),
    OF("return", NULL, TIME_US, m.back, max, SCREEN("time", "return", 6, 13),
     "Time from the answer until the client runs."),
    MADE("service_parts", NULL, PARTS, tt_stat_parts, SCREEN("", "parts", 7, 30),
     "What the server did during the service, in percent."),
    PART_COLUMNS,
    COLUMN("end", NULL, TEXT, m.kind, SCREEN("", "end", 8, 42),
     "How it ended."),
    COLUMN("errno", NULL, COUNT, m.error_number, SCREEN("", "errno", 26, 43),
     "Number of its error.", .is_identity = true),
    COLUMN("error", NULL, TEXT, m.error, SCREEN("", "error", 9, 44),
     "Name of its error."),
};

static const struct tt_table_column matrix_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, thread, SCREEN("client", "pid", 20, 3),
     "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, thread, SCREEN("client", "tid", 21, 4),
     "Number of the client thread."),
    COLUMN("client", "client", LANE_NAME, thread, SCREEN("", "client", 0, 1),
     "Client thread.", .is_key = true),
    COLUMN("server_pid", NULL, PROCESS_PID, process, SCREEN("server", "pid", 22, 5),
     "Number of the server's process."),
    COLUMN("server", "server", PROCESS_NAME, process, SCREEN("", "server", 1, 2),
     "Process that serves.", .is_key = true),
    COLUMN("imposed", "imposed", TIME_US, clients.imposed, SCREEN("imposed", "", 2, 6),
     "CPU time of the server while it serves the client, directly or through others.", .is_sum = true),
    COLUMN("imposed_pct", NULL, SHARE, clients.imposed, SCREEN("imposed", "%", 4, 7),
     "CPU time of the server for the client, in percent of the range."),
    COLUMN("imposed_gross", "gross", TIME_US, clients.imposed_gross, SCREEN("", "gross", 6, 8),
     "CPU time of servers while they serve it, with interrupts.", .is_sum = true),
    COLUMN("charged", "charged", TIME_US, clients.charged, SCREEN("charged", "", 3, 9),
     "CPU time of servers, each instant given to one client only.", .is_sum = true),
    COLUMN("charged_pct", NULL, SHARE, clients.charged, SCREEN("charged", "%", 5, 10),
     "CPU time of the server given to the client, in percent of the range."),
    COLUMN("client_self", NULL, TIME_MS, clients.self, SCREEN("self", "", 7, 11),
     "CPU time of the client's own.", .is_sum = true),
};

static const struct tt_table_column imposed_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, OFF_SCREEN,
     "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, OFF_SCREEN,
     "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, thread, OFF_SCREEN,
     "Process, number and name of the thread.", .is_key = true),
    COLUMN("self", "self", TIME_US, clients.self, OFF_SCREEN,
     "CPU time of its own.", .is_sum = true),
    COLUMN("imposed", "imposed", TIME_US, clients.imposed, OFF_SCREEN,
     "CPU time of servers while they serve it, directly or through others.", .is_sum = true),
    COLUMN("imposed_gross", "gross", TIME_US, clients.imposed_gross, OFF_SCREEN,
     "CPU time of servers while they serve it, with interrupts.", .is_sum = true),
    COLUMN("charged", "charged", TIME_US, clients.charged, OFF_SCREEN,
     "CPU time of servers, each instant given to one client only.", .is_sum = true),
    COLUMN("unserved", "unserved", TIME_US, clients.unserved, OFF_SCREEN,
     "CPU time in which it serves no message.", .is_sum = true),
    COLUMN("total", "total", TIME_US, clients.total, OFF_SCREEN,
     "CPU time of its own and of servers for it.", .is_sum = true),
};

/* clang-format on */

/* ---- tables ------------------------------------------------------------------------------- */

/* Returns -1, 0 or 1 by two numbers, the smaller one first. */
static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Messages before posts, then the most time first. */
static int compare_sums(const void *a, const void *b)
{
    const struct tt_stat_row *x = a, *y = b;
    int order = by_number(x->post, y->post);
    order = order ? order : by_number(y->m.round.sum, x->m.round.sum);
    order = order ? order : by_number(y->count, x->count);
    order = order ? order : by_number(x->process, y->process);
    order = order ? order : by_number(x->peer, y->peer);
    order = order ? order : by_number(x->thread, y->thread);
    order = order ? order : by_number(x->to, y->to);
    order = order ? order : by_number(x->channel, y->channel);
    return order ? order : by_number(x->number, y->number);
}

static int compare_imposed(const void *a, const void *b)
{
    const struct tt_stat_row *x = a, *y = b;
    int order = by_number(y->clients.total, x->clients.total);
    order = order ? order : by_number(y->clients.imposed, x->clients.imposed);
    order = order ? order : by_number(x->thread, y->thread);
    return order ? order : by_number(x->process, y->process);
}

const struct tt_table tt_table_message_pairs = {
    .name = "message",
    .title = "Messages",
    .doc = "The messages of a client and a server.",
    .row_name = "[client] -> [server]| ([post?])",
    .row_title = "[client] -> [server]",
    COLUMNS(pair_columns),
    .order = "round_max",
    .filter = TT_FILTER_MESSAGES,
    .of_messages = true,
    .compare = compare_sums,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_servers = {
    .name = "server",
    .title = "Servers",
    .doc = "The messages that a server receives.",
    .row_name = "[server]",
    COLUMNS(server_columns),
    .order = "busy_pct",
    .filter = TT_FILTER_MESSAGES,
    .of_messages = true,
    .compare = compare_sums,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_clients = {
    .name = "client",
    .title = "Clients",
    .doc = "The messages that a thread sends.",
    .row_name = "[client]",
    COLUMNS(client_columns),
    .filter = TT_FILTER_MESSAGES,
    .of_messages = true,
    .compare = compare_sums,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_channels = {
    .name = "channel",
    .title = "Channels",
    .doc = "The messages of a channel, connection or queue.",
    .row_name = "[server?]| [channel_name]",
    .row_title = "[server?]| channel [channel?]| connection [connection?]",
    COLUMNS(channel_columns),
    .order = "round_max",
    .filter = TT_FILTER_MESSAGES,
    .of_messages = true,
    .compare = compare_sums,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_single_messages = {
    .name = "single",
    .title = "Longest messages",
    .doc = "A message.",
    .row_name = "[client] -> [server]",
    COLUMNS(single_columns),
    .order = "round",
    .filter = TT_FILTER_MESSAGES,
    .of_messages = true,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_matrix = {
    .name = "matrix",
    .title = "CPU time by client and server",
    .doc = "A client thread and a server process that runs for it.",
    .row_name = "[client] -> [server]",
    COLUMNS(matrix_columns),
    .order = "imposed",
    .filter = TT_FILTER_THREADS,
    .of_messages = true,
    .compare = compare_imposed,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_imposed = {
    .name = "imposed",
    .title = "CPU time by client",
    .doc = "A thread, and servers that run for it.",
    .row_name = "[thread]",
    COLUMNS(imposed_columns),
    .filter = TT_FILTER_THREADS,
    .of_messages = true,
    .compare = compare_imposed,
    OF_STAT_ROWS,
};
