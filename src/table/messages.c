/* SPDX-License-Identifier: Apache-2.0 */
/*
 * messages: the tables of messages: sums by pair of processes, server, client or channel, and the longest
 * ones.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/imposed.h"
#include "analysis/messages/message_list.h"
#include "analysis/messages/message_walk.h"
#include "base/hash.h"
#include "table/sums.h"
#include "tracetui/merge.h"
#include "tracetui/objects.h"
#include "tracetui/time.h"

/* Of sums, and of a single message: its times are distributions of one sample. */
struct message_row {
    struct tt_subject of;
    const char *error; /* name of the most frequent error, or NULL */
    const char *how;   /* of a single message: its end */
    uint64_t has_cpu;  /* 1: the CPU time of servers is computed */
    struct tt_message_stat sum;
};

struct messages {
    struct tt_message_counting *counting;
    bool counted;
    uint32_t generation; /* of the timelines when `counted` was set */
    struct tt_imposing *imposing;
    struct tt_imposed
        *cpu; /* CPU time of servers by index of the row, while rows are listed; or NULL */
    struct tt_message_list *list;
    unsigned listed; /* version of their rows that the run has */
};

/* Sets the error of a row; UINT64_MAX: none. */
static void set_error(const struct tt_table_run *run, struct message_row *row, uint64_t error)
{
    unsigned system = tt_merge_of_side(run->capture, row->of.process, row->of.thread);
    row->error =
        error < UINT32_MAX ? tt_message_error_name(run->capture, system, (uint32_t)error) : NULL;
    row->sum.error = error;
}

/* ---- sums --------------------------------------------------------------------------------- */

static bool make_sum(const struct tt_table_run *run, size_t index, void *room)
{
    const struct messages *messages = run->state;
    size_t count;
    unsigned version;
    const struct tt_message_stat *stat =
        &tt_message_counting_rows(messages->counting, &count, &version)[index];
    struct message_row *row = room;
    row->of.thread = stat->client; /* of rows by process: none */
    row->of.process = stat->process;
    row->of.to = stat->server;
    row->of.peer = stat->client_process;
    row->of.system = (uint16_t)stat->system;
    row->of.number = stat->connection == TT_NO_CONNECTION ? TT_TABLE_NONE : stat->connection;
    row->of.channel = stat->channel;
    row->of.kind = stat->post;
    row->sum = *stat;
    set_error(run, row, stat->error);
    row->sum.imposed = row->sum.imposed_gross = row->sum.charged = 0;
    bool of_processes = !tt_merge_lacks_processes(run->capture, stat->process, stat->client);
    if (messages->cpu && !stat->post && of_processes) {
        row->has_cpu = 1;
        row->sum.imposed = messages->cpu[index].imposed;
        row->sum.imposed_gross = messages->cpu[index].imposed_gross;
        row->sum.charged = messages->cpu[index].charged;
    }
    return true;
}

/* Adds the CPU time of each client and server to the row of their processes. O(rows + cells). */
static bool sum_cells(const struct tt_table_run *run, struct messages *messages,
                      const struct tt_message_stat *rows, size_t count)
{
    struct tt_hash index = {0};
    size_t cells;
    const struct tt_message_stat *cell = tt_imposing_cells(messages->imposing, &cells);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        uint64_t hash = tt_hash_of_pair(rows[i].client_process, rows[i].process);
        ok = rows[i].post || tt_hash_add(&index, hash, (uint32_t)i);
    }
    for (; ok && cells > 0; cells--, cell++) {
        struct tt_probe probe;
        uint64_t hash = tt_hash_of_pair(cell->client_process, cell->process);
        uint32_t n = tt_hash_first(&index, hash, &probe);
        while (n != TT_HASH_NONE && (rows[n].client_process != cell->client_process ||
                                     rows[n].process != cell->process)) {
            n = tt_hash_next(&index, &probe);
        }
        if (n != TT_HASH_NONE && tt_table_includes(run, cell->client)) {
            messages->cpu[n].imposed += cell->imposed;
            messages->cpu[n].imposed_gross += cell->imposed_gross;
            messages->cpu[n].charged += cell->charged;
        }
    }
    tt_hash_free(&index);
    return ok;
}

/* Computes the CPU time of servers for the clients of pairs, after all messages are counted; lists the sums again. */
static enum tt_made table_messages_add_cpu(struct tt_table_run *run, struct messages *messages,
                                           const struct tt_message_window *window)
{
    bool done = false;
    if (!messages->imposing) {
        messages->imposing = tt_imposing_new(run->capture, window, true);
    }
    if (!messages->imposing ||
        !tt_imposing_step(messages->imposing, run->timelines, &run->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    size_t count;
    const struct tt_message_stat *rows =
        tt_message_counting_rows(messages->counting, &count, &messages->listed);
    messages->cpu = calloc(count + 1, sizeof *messages->cpu);
    bool ok = messages->cpu && sum_cells(run, messages, rows, count) &&
              tt_table_list(run, count, make_sum);
    free(messages->cpu);
    messages->cpu = NULL;
    return ok ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

static struct tt_message_window table_messages_window_of(const struct tt_table_request *request)
{
    return (struct tt_message_window){.from = request->window.from,
                                      .to = request->window.to,
                                      .threads = request->threads,
                                      .thread_limit = request->thread_limit,
                                      .wanted = request->wanted_message,
                                      .wanted_arg = request->wanted_message_arg};
}

static enum tt_made step_sums(struct tt_table_run *run)
{
    struct messages *messages = run->state;
    const struct tt_table *table = run->table;
    const struct tt_message_window window = table_messages_window_of(&run->request);
    enum tt_messages_by by = table == &tt_table_servers    ? TT_MESSAGES_BY_SERVER
                             : table == &tt_table_channels ? TT_MESSAGES_BY_CHANNEL
                             : table == &tt_table_clients  ? TT_MESSAGES_BY_CLIENT
                                                           : TT_MESSAGES_BY_PAIR;
    bool done = false;
    size_t count;
    unsigned version;
    if (!messages->counting) {
        messages->counting = tt_message_counting_new(run->capture, by, &window);
    }
    if (messages->counted && messages->generation == tt_timelines_number(run->timelines)) {
        return table_messages_add_cpu(run, messages, &window);
    }
    if (!messages->counting ||
        !tt_message_counting_step(messages->counting, run->timelines, &run->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    tt_message_counting_rows(messages->counting, &count, &version);
    if (version != messages->listed && !tt_table_list(run, count, make_sum)) {
        return TT_MADE_NO_MEMORY;
    }
    messages->listed = version;
    messages->counted = done;
    messages->generation = tt_timelines_number(run->timelines);
    bool with_cpu = run->request.with_clients && by == TT_MESSAGES_BY_PAIR &&
                    !tt_format_has(run->capture->format, TT_FORMAT_NO_PROCESSES);
    if (!done || !with_cpu) {
        return done ? TT_MADE_ALL : TT_MADE_PART;
    }
    return run->work > 0 ? table_messages_add_cpu(run, messages, &window) : TT_MADE_PART;
}

/* ---- single messages ---------------------------------------------------------------------- */

/* Sets a duration as a distribution of one sample, or of none if it is unknown. */
static void set_length(struct tt_distribution *distribution, uint64_t length, uint64_t end)
{
    if (length != TT_NO_TIME) {
        *distribution = (struct tt_distribution){1, length, length, length, length, length, end};
    }
}

static bool make_single(const struct tt_table_run *run, size_t index, void *room)
{
    const struct messages *messages = run->state;
    size_t count;
    uint64_t all;
    unsigned version;
    const struct tt_listed_message *item =
        &tt_message_list_items(messages->list, &count, &all, &version)[index];
    const struct tt_message *message = &item->message;
    const struct tt_message_parts *parts = &item->parts;
    struct message_row *row = room;
    row->of.thread = message->client;
    row->of.to = message->server;
    row->of.process = message->process;
    row->of.number = message->connection == TT_NO_CONNECTION ? TT_TABLE_NONE : message->connection;
    row->of.channel = message->channel != TT_NO_CHANNEL ? message->channel : TT_TABLE_NONE;
    row->of.kind = message->async;
    row->of.at = tt_message_begin(message);
    row->how = tt_message_end_name(message->how);
    set_error(run, row, message->error != 0 ? message->error : UINT64_MAX);
    set_length(&row->sum.round, parts->round, parts->run);
    set_length(&row->sum.queue, parts->queue, message->receive);
    set_length(&row->sum.service, parts->service, message->end);
    set_length(&row->sum.back, parts->back, parts->run);
    row->sum.queue_busy = parts->queue_busy;
    row->sum.queue_sched = parts->queue_sched;
    if (parts->has_classes) {
        memcpy(row->sum.class_ticks, parts->class_ticks, sizeof row->sum.class_ticks);
        row->sum.irq = parts->irq;
        row->sum.known = parts->service;
    }
    return true;
}

/* Lists the longest messages if there are newer ones. */
static enum tt_made step_singles(struct tt_table_run *run)
{
    struct messages *messages = run->state;
    const struct tt_message_window window = table_messages_window_of(&run->request);
    bool done = false;
    size_t count;
    uint64_t all;
    unsigned version;
    if (!messages->list) {
        messages->list = tt_message_list_new(&window, run->request.row_limit);
    }
    if (!messages->list ||
        !tt_message_list_step(messages->list, run->timelines, &run->work, &done)) {
        return TT_MADE_NO_MEMORY;
    }
    tt_message_list_items(messages->list, &count, &all, &version);
    if (version != messages->listed) {
        messages->listed = version;
        run->left_out = (size_t)(all - count);
        if (!tt_table_list(run, count, make_single)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}

/* ---- all ---------------------------------------------------------------------------------- */

static unsigned percent_of_messages(const struct tt_table_run *run)
{
    const struct messages *messages = run->state;
    return messages->counting ? tt_message_counting_percent(messages->counting)
           : messages->list   ? tt_message_list_percent(messages->list)
                              : 0;
}

static bool shrink_messages(struct tt_table_run *run, size_t *bytes)
{
    const struct messages *messages = run->state;
    return messages->counting && tt_message_counting_shrink(messages->counting, bytes);
}

static void end_messages(struct tt_table_run *run)
{
    struct messages *messages = run->state;
    tt_message_counting_free(messages->counting);
    tt_message_list_free(messages->list);
    tt_imposing_free(messages->imposing);
}

/* Messages before posts, then the most time first. */
static int compare_sums(const void *a, const void *b)
{
    const struct message_row *left = a, *right = b;
    const struct {
        uint64_t x, y;
    } keys[] = {{left->of.kind, right->of.kind},     {right->sum.round.sum, left->sum.round.sum},
                {right->sum.count, left->sum.count}, {left->of.process, right->of.process},
                {left->of.peer, right->of.peer},     {left->of.thread, right->of.thread},
                {left->of.to, right->of.to},         {left->of.channel, right->of.channel},
                {left->of.number, right->of.number}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].x != keys[i].y) {
            return keys[i].x < keys[i].y ? -1 : 1;
        }
    }
    return 0;
}

/* ---- columns ------------------------------------------------------------------------------ */

static TT_CELL_FUNCTION(set_kind)
{
    (void)run;
    (void)column;
    tt_table_set_text(cell, ((const struct tt_subject *)row)->kind ? "post" : "message");
}

static TT_CELL_FUNCTION(set_post)
{
    (void)run;
    (void)column;
    tt_table_set_text(cell, ((const struct tt_subject *)row)->kind ? "post" : "");
}

static TT_CELL_FUNCTION(set_client)
{
    const struct tt_subject *of = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, of->thread, cell);
    if (cell->kind == TT_CELL_NONE &&
        !tt_merge_lacks_processes(run->capture, of->peer, of->thread)) {
        tt_table_set_process(run->capture, TT_UNIT_PROCESS_NAME, of->peer, cell);
    }
}

static TT_CELL_FUNCTION(set_server)
{
    const struct tt_subject *of = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, of->to, cell);
    if (cell->kind == TT_CELL_NONE &&
        !tt_merge_lacks_processes(run->capture, of->process, of->to)) {
        tt_table_set_process(run->capture, TT_UNIT_PROCESS_NAME, of->process, cell);
    }
}

static TT_CELL_FUNCTION(set_queue)
{
    const struct tt_subject *of = row;
    const struct tt_object queue = {.id = of->number,
                                    .process = TT_NO_THREAD,
                                    .kind = TT_OBJECT_QUEUE,
                                    .system =
                                        (uint8_t)tt_merge_of_process(run->capture, of->process)};
    size_t length = 0;
    const char *name = tt_object_name(run->capture, &queue, &length);
    (void)column;
    if (name && length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    } else if (of->channel != TT_TABLE_NONE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_u64(&cell->text, of->channel);
    } else if (of->number != TT_TABLE_NONE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_char(&cell->text, '#');
        tt_text_u64(&cell->text, of->number);
    }
}

/* Sets all parts of the service in percent: "run 31 lock 64 irq 5". */
static TT_CELL_FUNCTION(set_parts)
{
    const struct tt_message_stat *sum = &((const struct message_row *)row)->sum;
    uint64_t percent;
    (void)run;
    (void)column;
    for (unsigned i = 0; i <= TT_CLASS_COUNT; i++) {
        uint64_t ticks = i < TT_CLASS_COUNT ? sum->class_ticks[i] : sum->irq;
        if (ticks > 0 && tt_mul_div(ticks, 100, sum->known, &percent)) {
            tt_text_str(&cell->text, cell->kind == TT_CELL_TEXT ? " " : "");
            tt_text_str(&cell->text, i < TT_CLASS_COUNT ? tt_class_name((uint8_t)i) : "interrupts");
            tt_text_char(&cell->text, ' ');
            tt_text_u64(&cell->text, percent);
            cell->kind = TT_CELL_TEXT;
        }
    }
}

#define ROW struct message_row
#define IN  sum.

/* clang-format off */
#define PART_COLUMNS \
    KNOWN_BY("run_pct", NULL, PART, sum.class_ticks[TT_CLASS_RUNNING], sum.known, SCREEN("service", "run %", 41, 31), "Part of the service in which the server ran."), \
    KNOWN_BY("irq_pct", NULL, PART, sum.irq, sum.known, SCREEN("service", "irq %", 42, 32), "Part of the service in interrupts."), \
    KNOWN_BY("ready_pct", NULL, PART, sum.class_ticks[TT_CLASS_READY], sum.known, SCREEN("service", "ready %", 43, 33), "Part of the service in which the server waited for a CPU."), \
    KNOWN_BY("ipc_pct", NULL, PART, sum.class_ticks[TT_CLASS_IPC], sum.known, SCREEN("service", "ipc %", 44, 34), "Part of the service in which the server waited for messages."), \
    KNOWN_BY("lock_pct", NULL, PART, sum.class_ticks[TT_CLASS_LOCK], sum.known, SCREEN("service", "lock %", 45, 35), "Part of the service in which the server waited for locks."), \
    KNOWN_BY("condition_pct", NULL, PART, sum.class_ticks[TT_CLASS_CONDITION], sum.known, SCREEN("service", "cond %", 46, 36), "Part of the service in which the server waited for a condition."), \
    KNOWN_BY("sleep_pct", NULL, PART, sum.class_ticks[TT_CLASS_SLEEP], sum.known, SCREEN("service", "sleep %", 47, 37), "Part of the service in which the server slept."), \
    KNOWN_BY("wait_pct", NULL, PART, sum.class_ticks[TT_CLASS_WAIT], sum.known, SCREEN("service", "wait %", 48, 38), "Part of the service in which the server waited for something else.")

/*
 * The columns that sums of messages share. Arguments: the positions among the compared values of the count,
 * the first round time, the first of queue and service, and the errors; 0: none.
 */
#define MESSAGE_COLUMNS(n_count, n_round, n_queue, n_errors) \
    MADE("kind", "kind", TEXT, set_kind, OFF_SCREEN, "`post`: messages whose sender does not wait."), \
    MADE("post", NULL, TEXT, set_post, SCREEN("", "kind", 9, 4), "`post`: the sender does not wait.", .is_screen = true, .is_key = true), \
    COLUMN("count", "count", COUNT, sum.count, SCREEN("", "count", 2, 5), "Messages that are sent in the range.", .is_neutral = true, .compared = n_count), \
    COLUMN("rate_hz", "per second", RATE, sum.count, SCREEN("", "rate", 13, 6), "Messages that are sent per second.", .names_unit = true, .is_precise = true), \
    MEAN_OF("round_mean", "round mean", round, SCREEN("round", "mean", 5, 10), "Time from sending until the client runs again, the mean."), \
    OF("round_p50", NULL, TIME_US, round, p50, SCREEN("round", "p50", 12, 11), "Time from sending until the client runs again, the median.", .compared = n_round), \
    OF("round_p99", "p99", TIME_US, round, p99, SCREEN("round", "p99", 4, 12), "Time from sending until the client runs again that 99 % do not exceed.", .compared = n_round + (n_round > 0)), \
    OF("round_max", "max", TIME_US, round, max, SCREEN("round", "max", 3, 13), "Time from sending until the client runs again, the longest."), \
    OF("round_max_at", "at", AT, round, max_at, SCREEN("round", "at", 10, 14), "When the longest round trip ended.", .names_unit = true), \
    MEAN_OF("queue_mean", "queue mean", queue, SCREEN("queue", "mean", 17, 15), "Time from sending to receiving, the mean."), \
    OF("queue_p50", NULL, TIME_US, queue, p50, SCREEN("queue", "p50", 21, 16), "Time from sending to receiving, the median."), \
    OF("queue_p99", NULL, TIME_US, queue, p99, SCREEN("queue", "p99", 7, 17), "Time from sending to receiving that 99 % do not exceed.", .compared = n_queue), \
    OF("queue_max", "max", TIME_US, queue, max, SCREEN("queue", "max", 18, 18), "Time from sending to receiving, the longest."), \
    OF("queue_max_at", NULL, AT, queue, max_at, SCREEN("queue", "at", 22, 19), "When the longest wait to be received ended."), \
    COLUMN("queue_busy", NULL, TIME_MS, sum.queue_busy, SCREEN("queue", "busy", 55, 20), "Part of the time to receive in which the server served others."), \
    COLUMN("queue_sched", NULL, TIME_MS, sum.queue_sched, SCREEN("queue", "sched", 56, 20), "Part of the time to receive in which the server waited for a CPU."), \
    MEAN_OF("service_mean", "service mean", service, SCREEN("service", "mean", 16, 20), "Time from receiving to the answer, the mean."), \
    OF("service_p50", NULL, TIME_US, service, p50, SCREEN("service", "p50", 23, 21), "Time from receiving to the answer, the median.", .compared = n_queue + 1 - (n_queue == 0)), \
    OF("service_p99", NULL, TIME_US, service, p99, SCREEN("service", "p99", 6, 22), "Time from receiving to the answer that 99 % do not exceed.", .compared = n_queue + 2 - 2 * (n_queue == 0)), \
    OF("service_max", "max", TIME_US, service, max, SCREEN("service", "max", 19, 23), "Time from receiving to the answer, the longest."), \
    OF("service_max_at", NULL, AT, service, max_at, SCREEN("service", "at", 24, 24), "When the longest service ended."), \
    MEAN_OF("return_mean", NULL, back, SCREEN("return", "mean", 25, 25), "Time from the answer until the client runs, the mean."), \
    OF("return_p50", NULL, TIME_US, back, p50, SCREEN("return", "p50", 26, 26), "Time from the answer until the client runs, the median."), \
    OF("return_p99", NULL, TIME_US, back, p99, SCREEN("return", "p99", 14, 27), "Time from the answer until the client runs that 99 % do not exceed."), \
    OF("return_max", NULL, TIME_US, back, max, SCREEN("return", "max", 20, 28), "Time from the answer until the client runs, the longest."), \
    OF("return_max_at", NULL, AT, back, max_at, SCREEN("return", "at", 27, 29), "When the longest return ended."), \
    MADE("service_parts", NULL, PARTS, set_parts, SCREEN("", "service", 8, 30), "What the server did during the service, in percent."), \
    PART_COLUMNS, \
    COLUMN("errors", "errors", COUNT, sum.errors, SCREEN("", "errors", 11, 42), "Answers that are errors.", .compared = n_errors), \
    COLUMN("errno", NULL, COUNT, sum.error, SCREEN("", "errno", 54, 43), "Number of the most frequent error.", .is_identity = true), \
    COLUMN("error", "error", TEXT, error, SCREEN("", "error", 11, 44), "Name of the most frequent error.")

/* CPU time of the server process for the clients; unknown if it is not computed. */
#define OF_SERVER(member, head, rank, place, doc) \
    KNOWN_BY(#member, NULL, TIME_MS, sum.member, has_cpu, SCREEN("", head, rank, place), doc, .of_clients = true)

static const struct tt_table_column pair_columns[] = {
    COLUMN("client_pid", NULL, PROCESS_PID, of.peer, SCREEN("client", "pid", 50, 7), "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, of.thread, OFF_SCREEN, "Number of the client thread.", .of_threads = true),
    MADE("client", "client", NAME, set_client, SCREEN("", "client", 0, 1), "Client: the thread or process that sends.", .is_key = true),
    COLUMN("server_pid", NULL, PROCESS_PID, of.process, SCREEN("server", "pid", 51, 8), "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, of.to, OFF_SCREEN, "Number of the server thread.", .of_threads = true),
    MADE("server", "server", NAME, set_server, SCREEN("", "server", 1, 2), "Server: the process or thread that receives.", .is_key = true),
    MESSAGE_COLUMNS(1, 2, 4, 7),
    OF_SERVER(imposed, "imposed", 59, 45, "CPU time of servers while they serve it, directly or through others."),
    OF_SERVER(imposed_gross, "gross", 60, 46, "CPU time of servers while they serve it, with interrupts."),
    OF_SERVER(charged, "charged", 61, 47, "CPU time of servers, each instant given to one client only."),
};

static const struct tt_table_column server_columns[] = {
    COLUMN("server_pid", NULL, PROCESS_PID, of.process, SCREEN("", "pid", 50, 2), "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, of.to, OFF_SCREEN, "Number of the server thread.", .of_threads = true),
    MADE("server", "server", NAME, set_server, SCREEN("", "server", 0, 1), "Server: the process or thread that receives.", .is_key = true),
    MESSAGE_COLUMNS(2, 0, 3, 0),
    COLUMN("busy", NULL, TIME_MS, sum.busy, SCREEN("busy", "", 52, 7), "Time with a received message.", .compared = 1),
    COLUMN("busy_pct", "busy % of range", SHARE, sum.busy, SCREEN("busy", "%", 1, 8), "Time with a received message, in percent of the range."),
    COLUMN("waiting_mean", "waiting", DEPTH, sum.waiting, SCREEN("waiting", "mean", 15, 9), "Messages that wait to be received at once, the mean over the range.", .is_precise = true),
    COLUMN("waiting_max", "max", COUNT, sum.waiting_max, SCREEN("waiting", "max", 28, 9), "Messages that wait to be received at once, the most.", .is_level = true),
    COLUMN("serving_max", "serving", COUNT, sum.serving_max, SCREEN("", "serving", 29, 9), "Received messages at once, the most.", .is_level = true),
};

static const struct tt_table_column client_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 50, 2), "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 51, 3), "Number of the client thread."),
    COLUMN("client", "client", LANE_NAME, of.thread, SCREEN("", "client", 0, 1), "Client thread.", .is_key = true),
    MESSAGE_COLUMNS(1, 2, 4, 7),
};

static const struct tt_table_column channel_columns[] = {
    COLUMN("server_pid", NULL, PROCESS_PID, of.process, SCREEN("", "pid", 50, 2), "Number of the server's process."),
    MADE("server", "server", NAME, set_server, SCREEN("", "server", 0, 1), "Server: the process or thread that receives.", .is_key = true),
    COLUMN("channel", NULL, COUNT, of.channel, SCREEN("", "chid", 58, 4), "Number of the channel in the server.", .is_key = true, .is_identity = true),
    COLUMN("connection", NULL, COUNT, of.number, SCREEN("", "connection", 57, 4), "Number of the connection.", .is_key = true, .is_identity = true),
    MADE("channel_name", "channel", NAME, set_queue, SCREEN("", "channel", 1, 3), "Name of the queue, number of the channel, or #CONNECTION."),
    MESSAGE_COLUMNS(1, 2, 4, 7),
};

static const struct tt_table_column single_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, of.thread, SCREEN("client", "pid", 20, 3), "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, of.thread, SCREEN("client", "tid", 21, 4), "Number of the client thread."),
    COLUMN("client", "client", LANE_NAME, of.thread, SCREEN("", "client", 0, 1), "Client thread."),
    COLUMN("server_pid", NULL, PROCESS_PID, of.process, SCREEN("server", "pid", 22, 5), "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, of.to, SCREEN("server", "tid", 23, 6), "Number of the server thread."),
    MADE("server", "server", NAME, set_server, SCREEN("", "server", 1, 2), "Server: the process or thread that receives."),
    MADE("channel_name", NULL, NAME, set_queue, SCREEN("", "channel", 25, 7), "Name of the queue, number of the channel, or #CONNECTION."),
    COLUMN("channel", NULL, COUNT, of.channel, SCREEN("", "chid", 58, 7), "Number of the channel in the server.", .is_identity = true),
    COLUMN("connection", NULL, COUNT, of.number, SCREEN("", "connection", 24, 7), "Number of the connection.", .is_identity = true),
    COLUMN("send", NULL, AT, of.at, SCREEN("", "at", 4, 8), "When its first known step was."),
    OF("round", NULL, TIME_US, round, max, SCREEN("time", "round", 2, 10), "Time from sending until the client runs again."),
    OF("queue", NULL, TIME_US, queue, max, SCREEN("time", "queue", 5, 11), "Time from sending to receiving."),
    COLUMN("queue_busy", NULL, TIME_US, sum.queue_busy, SCREEN("time", "busy", 27, 11), "Part of the time to receive in which the server served others."),
    COLUMN("queue_sched", NULL, TIME_US, sum.queue_sched, SCREEN("time", "sched", 28, 11), "Part of the time to receive in which the server waited for a CPU."),
    OF("service", NULL, TIME_US, service, max, SCREEN("time", "service", 3, 12), "Time from receiving to the answer."),
    OF("return", NULL, TIME_US, back, max, SCREEN("time", "return", 6, 13), "Time from the answer until the client runs."),
    MADE("service_parts", NULL, PARTS, set_parts, SCREEN("", "parts", 7, 30), "What the server did during the service, in percent."),
    PART_COLUMNS,
    COLUMN("end", NULL, TEXT, how, SCREEN("", "end", 8, 42), "How it ended."),
    COLUMN("errno", NULL, COUNT, sum.error, SCREEN("", "errno", 26, 43), "Number of its error.", .is_identity = true),
    COLUMN("error", NULL, TEXT, error, SCREEN("", "error", 9, 44), "Name of its error."),
};
/* clang-format on */

/* ---- tables ------------------------------------------------------------------------------- */

#define OF_ANY_MESSAGES                                                                            \
    OF_ROW(struct message_row), .state_size = sizeof(struct messages),                             \
                                .classes = offsetof(struct message_row, sum.class_ticks),          \
                                .filter = TT_FILTER_MESSAGES, .of_messages = true,                 \
                                .percent = percent_of_messages, .shrink = shrink_messages,         \
                                .end = end_messages
#define OF_MESSAGES OF_ANY_MESSAGES, .step = step_sums, .compare = compare_sums

const struct tt_table tt_table_message_pairs = {
    NAMES("message", "Messages", "The messages of a client and a server.",
          "[client] -> [server]| ([post?])"),
    .row_title = "[client] -> [server]",
    COLUMNS(pair_columns),
    .order = "round_max",
    OF_MESSAGES,
};

const struct tt_table tt_table_servers = {
    NAMES("server", "Servers", "The messages that a server receives.", "[server]"),
    COLUMNS(server_columns),
    .order = "busy_pct",
    OF_MESSAGES,
};

const struct tt_table tt_table_clients = {
    NAMES("client", "Clients", "The messages that a thread sends.", "[client]"),
    COLUMNS(client_columns),
    OF_MESSAGES,
};

const struct tt_table tt_table_channels = {
    NAMES("channel", "Channels", "The messages of a channel, connection or queue.",
          "[server?]| [channel_name]"),
    .row_title = "[server?]| channel [channel?]| connection [connection?]",
    COLUMNS(channel_columns),
    .order = "round_max",
    OF_MESSAGES,
};

const struct tt_table tt_table_single_messages = {
    NAMES("single", "Longest messages", "A message.", "[client] -> [server]"),
    COLUMNS(single_columns),
    .longest = {"round"},
    .order = "round",
    .step = step_singles,
    OF_ANY_MESSAGES,
};
