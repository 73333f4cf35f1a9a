/* SPDX-License-Identifier: Apache-2.0 */
/* message_rows: the messages of a capture in order of time. */
#include "table/columns.h"
#include "table/raw/raw_rows.h"
#include "tracetui/merge.h"
#include "tracetui/timeline.h"

/* Messages between two looks at the clock. */
#define CHECKED 1024u

struct message_rows {
    struct tt_message_walk walk;
    uint64_t read;  /* messages since the first one that is counted */
    uint64_t first; /* number of that one */
    unsigned checks;
    bool begun;
    bool seeks; /* the walk begins at the bounds; `first` is found when it is needed */
    bool has_first;
};

/* Begins the walk; a range does not change the numbers, which count from the first message. */
static bool begin_messages(struct tt_table_run *run)
{
    struct message_rows *rows = run->state;
    const struct tt_table_bounds *bounds = run->request.bounds;
    rows->begun = true;
    rows->seeks = bounds && bounds->from > 0 && !tt_message_gap(run->timelines, 0, UINT64_MAX);
    return tt_message_walk_begin(&rows->walk, run->timelines, rows->seeks ? bounds->from : 0);
}

/* A message is selected by its client or the thread that receives it. */
static bool message_rows_is_selected(const struct tt_table_run *run,
                                     const struct tt_message *message)
{
    const struct tt_table_request *request = &run->request;
    bool threads =
        tt_table_includes(run, message->client) || tt_table_includes(run, message->server);
    bool reaches = message->how == TT_MESSAGE_OPEN || message->last >= request->window.from;
    return threads && reaches &&
           (!request->wanted_message ||
            request->wanted_message(request->wanted_message_arg, message));
}

/* Returns whether the process of the receiver is known; where there are no processes, its thread. */
static bool has_receiver(const struct tt_table_run *run, const struct tt_message *message)
{
    return message->server != TT_NO_THREAD ||
           !tt_merge_lacks_processes(run->capture, message->process, message->server);
}

static int message_member(const struct tt_table_run *run, const void *row)
{
    const struct tt_message *message = &((const struct tt_message_row *)row)->m;
    return (int)tt_merge_of_side(run->capture, message->process, message->client);
}

static enum tt_made next_message(struct tt_table_run *run, void *room)
{
    struct message_rows *rows = run->state;
    struct tt_message_row *row = room;
    const struct tt_table_bounds *bounds = run->request.bounds;
    uint64_t from = bounds ? bounds->from : 0;
    uint64_t to = run->request.keys.to_ticks;
    uint64_t last = bounds ? bounds->last : to > 0 ? to - 1 : 0;
    if (to == 0) {
        return TT_MADE_ALL;
    }
    while (tt_message_walk_next(&rows->walk, &row->m)) {
        uint64_t begin = tt_message_begin(&row->m);
        rows->read += begin >= from || !rows->seeks;
        bool stops = bounds && rows->checks++ % CHECKED == 0 && bounds->stopped(bounds->arg);
        if (begin > last || stops) {
            break;
        }
        if (begin >= from && (bounds || message_rows_is_selected(run, &row->m))) {
            const struct tt_message *message = &row->m;
            bool answered = message->how == TT_MESSAGE_REPLIED || message->how == TT_MESSAGE_ERROR;
            row->begin = tt_message_begin(message);
            row->reply = answered ? message->end : TT_TABLE_NONE;
            row->channel = message->channel != TT_NO_CHANNEL ? message->channel : TT_TABLE_NONE;
            row->error_number = message->error != 0 ? message->error : TT_TABLE_NONE;
            row->kind = message->async ? "post" : "message";
            row->how = tt_message_end_name(message->how);
            row->error = tt_message_error_name(
                run->capture, tt_merge_of_side(run->capture, message->process, message->client),
                message->error);
            row->upid = has_receiver(run, message) ? message->process : TT_NO_THREAD;

            return TT_MADE_PART;
        }
    }
    return TT_MADE_ALL;
}

static uint64_t message_number(const struct tt_table_run *run)
{
    struct message_rows *rows = run->state;
    if (rows->seeks && !rows->has_first) {
        rows->first = tt_message_number_at(run->timelines, run->request.bounds->from);
        rows->has_first = true;
    }
    return rows->first + rows->read - 1;
}

static void complete_message(const struct tt_table_run *run, void *room)
{
    struct tt_message_row *row = room;
    tt_message_parts_of(run->timelines, &row->m, &row->parts);
    row->has_classes = row->parts.has_classes;
    const uint64_t *ticks = row->parts.class_ticks;
    row->other = ticks[TT_CLASS_UNKNOWN] + ticks[TT_CLASS_STOPPED] + ticks[TT_CLASS_DEAD] +
                 ticks[TT_CLASS_CONDITION];
}

static void end_messages(struct tt_table_run *run)
{
    struct message_rows *rows = run->state;
    if (rows->begun) {
        tt_message_walk_free(&rows->walk);
    }
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct tt_message_row

/* The parts of a round, and of a service, in the order in which they sum to it. */
static const size_t round_parts[] = {AT(parts.queue), AT(parts.service), AT(parts.back)};
static const size_t queue_parts[] = {AT(parts.queue_busy), AT(parts.queue_sched)};
static const size_t service_parts[] = {
    AT(parts.class_ticks[TT_CLASS_RUNNING]), AT(parts.irq),
    AT(parts.class_ticks[TT_CLASS_READY]),   AT(parts.class_ticks[TT_CLASS_IPC]),
    AT(parts.class_ticks[TT_CLASS_LOCK]),    AT(parts.class_ticks[TT_CLASS_SLEEP]),
    AT(parts.class_ticks[TT_CLASS_WAIT]),    AT(other)};

/* Adds the parts before one of them to *before; returns false if it is none of them. */
static bool add_before(const struct tt_message_row *row, const size_t *parts, size_t count,
                       size_t part, uint64_t *before)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i] == part) {
            *before += sum;
            return true;
        }
        const uint64_t *ticks = (const void *)((const char *)row + parts[i]);
        sum += *ticks != TT_NO_TIME ? *ticks : 0;
    }
    return false;
}

#define COUNT_OF_PARTS(parts) sizeof parts / sizeof *parts

static TT_CELL_FUNCTION(message_part)
{
    const struct tt_message_row *message = row;
    uint64_t ticks = tt_table_ticks_of(run, column, row), before = 0;
    if (ticks == TT_TABLE_NONE) {
        return;
    }
    if (add_before(message, service_parts, COUNT_OF_PARTS(service_parts), column->field, &before)) {
        before += message->parts.queue != TT_NO_TIME ? message->parts.queue : 0;
    } else if (!add_before(message, round_parts, COUNT_OF_PARTS(round_parts), column->field,
                           &before)) {
        add_before(message, queue_parts, COUNT_OF_PARTS(queue_parts), column->field, &before);
    }
    tt_table_set_part_time(run, cell, before, ticks);
}

static TT_CELL_FUNCTION(message_server)
{
    const struct tt_message_row *message = row;
    (void)column;
    tt_table_set_lane(run->capture, TT_UNIT_LANE_NAME, message->m.server, cell);
    if (cell->kind == TT_CELL_NONE && has_receiver(run, &message->m)) {
        tt_table_set_process(run->capture, TT_UNIT_PROCESS_NAME, message->m.process, cell);
    }
}

/* clang-format off */
#define STEP(key_, member, doc_, ...) COLUMN(key_, NULL, AT, member, OFF_SCREEN, doc_, __VA_ARGS__)
#define PART(key_, member, doc_, ...) \
    COLUMN(key_, NULL, TIME_US, member, OFF_SCREEN, doc_, .cell = message_part, .is_costly = true, __VA_ARGS__)
#define CLASS(key_, member, doc_) \
    {.key = key_, .unit = TT_UNIT_TIME_US, .field = AT(member), .basis = AT(has_classes), \
     .distribution = TT_TABLE_ALWAYS, .screen = OFF_SCREEN, .doc = doc_, .cell = message_part, .is_costly = true}

static const struct tt_table_column columns[] = {
    {.key = "id", .sql = "message_id", .unit = TT_UNIT_ID, PLAIN, .doc = "Number of the message in order of begin."},
    STEP("ts", begin, "When its first known step was.", .is_sql = true, .bound = TT_BOUND_TIME),
    COLUMN("client_utid", NULL, KEY, m.client, OFF_SCREEN, "Sender: key of `threads`, or null.", .is_sql = true),
    COLUMN("client_pid", NULL, LANE_PID, m.client, OFF_SCREEN, "Number of the client's process."),
    COLUMN("client_tid", NULL, LANE_TID, m.client, OFF_SCREEN, "Number of the client thread."),
    COLUMN("client", NULL, LANE_NAME, m.client, OFF_SCREEN, "Client thread."),
    COLUMN("server_utid", NULL, KEY, m.server, OFF_SCREEN, "Thread that received it: key of `threads`, or null.", .is_sql = true),
    COLUMN("server_upid", NULL, KEY, upid, OFF_SCREEN, "Its process: key of `processes`, or null.", .is_sql = true),
    COLUMN("server_pid", NULL, PROCESS_PID, m.process, OFF_SCREEN, "Number of the server's process."),
    COLUMN("server_tid", NULL, LANE_TID, m.server, OFF_SCREEN, "Number of the server thread."),
    MADE("server", NULL, NAME, message_server, OFF_SCREEN, "Thread that received it, or its process."),
    COLUMN("channel", NULL, COUNT, channel, OFF_SCREEN, "Number of the channel in the server.", .is_identity = true),
    COLUMN("connection", NULL, COUNT, m.connection, OFF_SCREEN, "Number of the connection.", .is_identity = true),
    COLUMN("kind", NULL, TEXT, kind, OFF_SCREEN, "`message`; `post`: the sender does not wait."),
    COLUMN("end", NULL, TEXT, how, OFF_SCREEN, "How it ended: `reply`, `error`, `open`, `left`, `died`, `taken` or `lost`."),
    COLUMN("errno", NULL, COUNT, error_number, OFF_SCREEN, "Number of its error.", .is_identity = true),
    COLUMN("error", NULL, TEXT, error, OFF_SCREEN, "Name of its error."),
    STEP("send", m.send, "When it was sent."),
    STEP("receive", m.receive, "When it was received."),
    STEP("reply", reply, "When it was answered."),
    STEP("ended", m.end, "When it was answered, or ended in another way.", .sql = "end"),
    STEP("return", parts.run, "When the client ran again.", .is_costly = true),
    PART("queue", parts.queue, "Time from sending to receiving."),
    PART("queue_busy", parts.queue_busy, "Part of the time to receive in which the receiver served others."),
    PART("queue_sched", parts.queue_sched, "Part of the time to receive in which the receiver waited for a CPU."),
    PART("service", parts.service, "Time from receiving to the answer."),
    PART("back", parts.back, "Time from the answer until the client runs."),
    PART("round", parts.round, "Time from sending until the client runs again."),
    CLASS("run", parts.class_ticks[TT_CLASS_RUNNING], "Part of the service in which the server ran."),
    CLASS("irq", parts.irq, "Part of the service in interrupts."),
    CLASS("ready", parts.class_ticks[TT_CLASS_READY], "Part of the service in which the server waited for a CPU."),
    CLASS("ipc", parts.class_ticks[TT_CLASS_IPC], "Part of the service in which the server waited for messages."),
    CLASS("lock", parts.class_ticks[TT_CLASS_LOCK], "Part of the service in which the server waited for locks."),
    CLASS("sleep", parts.class_ticks[TT_CLASS_SLEEP], "Part of the service in which the server slept."),
    CLASS("wait", parts.class_ticks[TT_CLASS_WAIT], "Part of the service in which the server waited for something else."),
    CLASS("other", other, "Rest of the service: the server waited for a condition, was stopped or dead, or its state is unknown."),
};
/* clang-format on */

const struct tt_table tt_table_message_rows = {
    NAMES("messages", "Messages",
          "Messages in order of time, as `dump --messages` lists them ([messages](messages.md)).",
          "[client] -> [server]"),
    COLUMNS(columns),
    .row_size = sizeof(struct tt_message_row),
    .state_size = sizeof(struct message_rows),
    .filter = TT_FILTER_MESSAGES,
    .begin = begin_messages,
    .next = next_message,
    .number = message_number,
    .member = message_member,
    .complete = complete_message,
    .end = end_messages,
};
