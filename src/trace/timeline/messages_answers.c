/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building the rows of messages with an answer: pairing, by the rules of docs/messages.md.
 *
 * Each handler has two parts. The first handles a message whose id, lane and row are known from earlier
 * ones, without a call; the second handles every message.
 */
#include <string.h>

#include "trace/timeline/messages_steps.h"
#include "tracetui/merge.h"

/* ---- channels and errors ------------------------------------------------------------------ */

/* Returns a thread's lane; what was noted before the last loss is forgotten. NULL: out of memory. */
static struct tt_message_lane *noted_lane(struct tt_timelines *t, uint32_t thread)
{
    struct tt_message_lane *lane = tt_message_lane_of(t, thread);
    if (lane && lane->losses != t->messages.losses) {
        lane->losses = t->messages.losses;
        lane->channel = 0;
        lane->error = 0;
    }
    return lane;
}

/* Handles any channel. */
static TT_RARE bool channel_any(struct tt_timelines *t, const struct tt_action *a)
{
    bool is_thread = a->thread < tt_thread_count(t->capture);
    struct tt_message_lane *lane = is_thread ? noted_lane(t, a->thread) : NULL;
    if (lane) {
        lane->channel = (uint32_t)a->value + 1;
    }
    return lane || !is_thread;
}

bool tt_messages_channel(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    if (!lane || lane->losses != t->messages.losses) {
        return channel_any(t, a);
    }
    lane->channel = (uint32_t)a->value + 1;
    return true;
}

bool tt_messages_error_code(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_lane *lane =
        a->thread < tt_thread_count(t->capture) ? noted_lane(t, a->thread) : NULL;
    if (lane) {
        lane->error = a->other < UINT16_MAX ? (uint16_t)a->other : 0;
    }
    return lane || a->thread >= tt_thread_count(t->capture);
}

/* Notes the channel from which a thread receives as that of a connection. */
static inline void note_channel(const struct tt_timelines *t, const struct tt_message_lane *lane,
                                struct tt_connection *connection)
{
    if (lane->channel == 0 || lane->losses != t->messages.losses) {
        return;
    }
    uint32_t known = atomic_load_explicit(&connection->channel, memory_order_relaxed);
    if (known != lane->channel) {
        known = known == 0 ? lane->channel : CHANNEL_SEVERAL;
        atomic_store_explicit(&connection->channel, known, memory_order_relaxed);
    }
}

void tt_message_note_channel(struct tt_timelines *t, uint32_t thread, uint32_t number)
{
    const struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, thread);
    if (lane) {
        note_channel(t, lane, tt_message_connection_at(t, number));
    }
}

/* Returns the error with which a thread answers, and forgets it; 0: not known. */
static uint32_t take_error(struct tt_timelines *t, uint32_t thread)
{
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, thread);
    uint32_t error = lane && lane->losses == t->messages.losses ? lane->error : 0;
    if (lane) {
        lane->error = 0;
    }
    return error;
}

/* ---- orphans ------------------------------------------------------------------------------ */

static TT_RARE void add_orphan(struct tt_timelines *t, const struct tt_message_orphan *orphan)
{
    struct tt_message_lanes *messages = &t->messages;
    if (orphan->tid != 0 && messages->orphan_count < TT_MESSAGE_ORPHANS) {
        messages->orphans[messages->orphan_count++] = *orphan;
    }
}

/* Finds the message that an unknown client sent with this id; NULL: none. */
static struct tt_message_orphan *find_unreceived(struct tt_timelines *t, uint32_t process,
                                                 uint64_t id)
{
    struct tt_message_lanes *messages = &t->messages;
    for (uint32_t i = 0; i < messages->orphan_count; i++) {
        struct tt_message_orphan *orphan = &messages->orphans[i];
        if (orphan->process == process && orphan->id == id && orphan->receive == TT_NO_TIME) {
            return orphan;
        }
    }
    return NULL;
}

/* Finds the oldest orphan in the process of `server` that is certainly of `client`; NULL: none. */
static TT_RARE struct tt_message_orphan *find_orphan(struct tt_timelines *t, uint32_t server,
                                                     uint32_t client)
{
    struct tt_message_lanes *messages = &t->messages;
    uint32_t process = tt_message_process_of(t, server), own = tt_message_process_of(t, client);
    uint64_t tid = tt_thread_at(t->capture, client)->tid;
    for (uint32_t i = 0; i < messages->orphan_count; i++) {
        struct tt_message_orphan *orphan = &messages->orphans[i];
        const struct tt_connection *connection = tt_message_connection_at(t, orphan->connection);
        if (orphan->process == process && orphan->tid == tid && connection->client == own) {
            return orphan;
        }
    }
    return NULL;
}

/* Removes an orphan; the others keep their order. */
static void drop_orphan(struct tt_timelines *t, struct tt_message_orphan *orphan)
{
    struct tt_message_lanes *messages = &t->messages;
    size_t after = (size_t)(messages->orphans + messages->orphan_count - (orphan + 1));
    memmove(orphan, orphan + 1, after * sizeof *orphan);
    messages->orphan_count--;
}

/* ---- ids ---------------------------------------------------------------------------------- */

/* Returns the number of the entry of `known` for an id of a server process. */
static inline uint32_t slot_in_process(uint64_t id)
{
    return (uint32_t)(id ^ id >> 13) % TT_KNOWN_IDS;
}

static inline bool is_known(const struct tt_known_id *known, uint32_t process, uint64_t id)
{
    return known->key != 0 && known->id == id && known->process == process;
}

/* Returns the entry of an id of a server process; NULL when out of memory. */
static struct tt_known_id *known_of(struct tt_timelines *t, uint32_t process, uint64_t id)
{
    struct tt_known_id *known = &t->messages.known[slot_in_process(id)];
    if (!is_known(known, process, id)) {
        if (!tt_message_move_to_open(t, known)) {
            return NULL;
        }
        uint32_t connection =
            tt_message_connection_of(t, process, tt_message_id_of(t, id).connection);
        *known = (struct tt_known_id){.id = id,
                                      .key = tt_message_key_of(t, process, id, false),
                                      .process = process,
                                      .connection = connection};
        known->key = connection != STEP_NONE ? known->key : 0;
        t->messages.known_at[known - t->messages.known].connection = NULL;
    }
    return known->key != 0 ? known : NULL;
}

/* Finds the row of the open message with an id; TT_NO_ROW: none. */
static uint32_t find_sent(struct tt_timelines *t, uint32_t process, uint64_t id)
{
    if (!t->system.ids_of_process) {
        return tt_message_find_open(t, KNOWN_HANDLE, id);
    }
    const struct tt_known_id *known = &t->messages.known[slot_in_process(id)];
    if (is_known(known, process, id) && known->row != 0) {
        return known->row - 1;
    }
    const struct tt_open_edge *edge =
        tt_open_spans_find(&t->messages.open, tt_message_key_of(t, process, id, false));
    return edge ? edge->what : TT_NO_ROW;
}

/* ---- sends -------------------------------------------------------------------------------- */

/* Handles a send of an unknown thread. */
static TT_RARE bool send_orphan(struct tt_timelines *t, const struct tt_action *a,
                                uint32_t connection)
{
    struct tt_message_orphan orphan = {.id = a->value,
                                       .send = a->ticks,
                                       .receive = TT_NO_TIME,
                                       .tid = tt_message_id_of(t, a->value).tid,
                                       .process = a->other,
                                       .connection = connection,
                                       .server = STEP_NONE,
                                       .system = t->system.number};
    add_orphan(t, &orphan);
    return true;
}

/*
 * Returns the connection of a message that is sent, and sets *known to its entry where ids are those of
 * processes; STEP_NONE: out of memory.
 */
static uint32_t find_connection(struct tt_timelines *t, const struct tt_action *a,
                                struct tt_known_id **known)
{
    *known = NULL;
    if (t->system.ids_of_process) {
        *known = known_of(t, a->other, a->value);
        return *known ? (*known)->connection : STEP_NONE;
    }
    /* An id without a connection is of one message: all ids of a process share a route. */
    const struct tt_message_route *route =
        tt_message_route(t, a->other, t->system.message_id ? a->value : 0);
    if (route && !t->system.message_id) {
        t->messages.handle_server = a->other;
        t->messages.handle_connection = route->connection + 1;
    }
    return route ? route->connection : STEP_NONE;
}

/* Handles any send. */
static TT_RARE bool send_any(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_known_id *known;
    uint32_t connection = find_connection(t, a, &known);
    if (connection == STEP_NONE) {
        return false;
    }
    if (a->thread >= tt_thread_count(t->capture)) {
        return send_orphan(t, a, connection);
    }
    uint32_t number = tt_message_waiting_row(t, a->thread);
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    if (number == TT_NO_ROW || !lane) {
        return false;
    }
    if (lane->process == 0) {
        tt_message_find_process(t, lane, a->thread);
    }
    tt_message_connection_at(t, connection)->client = lane->process - 1;
    struct tt_message_row *row = tt_message_row_at(t, number);
    /* The end of an earlier message was not recorded. */
    if (row->state != MESSAGE_IDLE && !tt_message_end_with(t, number, a->ticks, TT_MESSAGE_LOST)) {
        return false;
    }
    /* Another client may have an open message with this id, whose end was not recorded. */
    if (known && !tt_message_move_to_open(t, known)) {
        return false;
    }
    tt_message_set_waiting(t, row, true);
    lane->row = row->lane ? row : NULL;
    if (!tt_message_open_row(t, row, a->ticks, connection)) {
        return false;
    }
    if (!known) {
        return tt_message_register_id(t, KNOWN_HANDLE, a->value, a->other, row);
    }
    uint32_t slot = (uint32_t)(known - t->messages.known);
    t->messages.known_at[slot].connection = tt_message_connection_at(t, connection);
    tt_message_register(t, slot, row);
    return true;
}

/* Returns whether there is a row, with a message in a state. */
static inline bool is_usual(const struct tt_message_row *row, unsigned state)
{
    return row && row->state == state;
}

/* Sends the message of an entry without an open one. Returns false when out of memory. */
static inline bool send_known(struct tt_timelines *t, const struct tt_action *a, uint32_t slot,
                              const struct tt_message_lane *lane, uint32_t connection)
{
    struct tt_message_row *row = lane->row;
    tt_message_register(t, slot, row);
    row->state = MESSAGE_SENT;
    row->connection = connection;
    row->lane->in_message = true;
    return tt_message_append(t, row, a->ticks, STEP_OF(STEP_SENT, connection));
}

/* Sends the message of a handle. */
static inline bool send_handle(struct tt_timelines *t, const struct tt_action *a,
                               const struct tt_message_lane *lane)
{
    const struct tt_message_lanes *messages = &t->messages;
    const uint32_t slot = tt_known_slot(a->value);
    struct tt_known_id *known = &t->messages.known[slot];
    if (known->row != 0 || messages->handle_server != a->other ||
        messages->handle_connection == 0) {
        return send_any(t, a);
    }
    const uint32_t connection = messages->handle_connection - 1;
    tt_known_set(known, KNOWN_HANDLE, a->value, a->other, connection);
    return send_known(t, a, slot, lane, connection);
}

bool tt_messages_send(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_lanes *messages = &t->messages;
    const struct tt_message_lane *lane = tt_column_index_at(&messages->lane_at, a->thread);
    if (!lane || !is_usual(lane->row, MESSAGE_IDLE) || !lane->row->listed) {
        return send_any(t, a);
    }
    if (!t->system.ids_of_process) {
        return send_handle(t, a, lane);
    }
    uint32_t slot = slot_in_process(a->value);
    struct tt_connection *connection = messages->known_at[slot].connection;
    if (messages->known[slot].row != 0 || !connection ||
        !is_known(&messages->known[slot], a->other, a->value)) {
        return send_any(t, a);
    }
    connection->client = lane->process - 1;
    return send_known(t, a, slot, lane, messages->known[slot].connection);
}

/* ---- receives ----------------------------------------------------------------------------- */

/* Finds the receiver where the thread has no lane, or another process receives. */
static TT_RARE uint32_t find_receiver(const struct tt_timelines *t, const struct tt_action *a,
                                      uint32_t process, uint32_t *thread)
{
    *thread = a->thread == TT_NO_THREAD ? STEP_NONE : a->thread;
    if (a->other == TT_NO_THREAD ||
        (process != TT_NO_THREAD && tt_process_at(t->capture, process)->pid == a->other)) {
        return process;
    }
    *thread = STEP_NONE;
    struct tt_event own, of_whole = {.ticks = a->ticks, .pos = a->pos, .cpu = TT_NO_CPU};
    const struct tt_capture *c = tt_merge_own(t->capture, &of_whole, &own);
    return tt_registry_find_process(c, a->other, c->lanes_by_time ? own.ticks : own.pos);
}

uint32_t tt_message_receiver(const struct tt_timelines *t, const struct tt_action *a,
                             uint32_t *thread)
{
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    if (lane && lane->process == 0) {
        tt_message_find_process(t, lane, a->thread);
    }
    uint32_t process = lane ? lane->process - 1 : tt_message_process_of(t, a->thread);
    if (lane && (lane->pid == a->other || a->other == TT_NO_THREAD)) {
        *thread = a->thread;
        return process;
    }
    return find_receiver(t, a, process, thread);
}

/* Handles a receive without a send. */
static TT_RARE bool receive_orphan(struct tt_timelines *t, const struct tt_action *a,
                                   uint32_t process, uint32_t thread)
{
    struct tt_message_orphan *sent = find_unreceived(t, process, a->value);
    if (sent) {
        sent->receive = a->ticks;
        sent->server = thread;
        return true;
    }
    struct tt_message_id id = tt_message_id_of(t, a->value);
    uint32_t connection = tt_message_connection_of(t, process, id.connection);
    if (connection != STEP_NONE) {
        tt_message_note_channel(t, thread, connection);
    }
    struct tt_message_orphan orphan = {.id = a->value,
                                       .send = TT_NO_TIME,
                                       .receive = a->ticks,
                                       .tid = id.tid,
                                       .process = process,
                                       .connection = connection,
                                       .server = thread,
                                       .system = t->system.number};
    if (connection != STEP_NONE) {
        add_orphan(t, &orphan);
    }
    return connection != STEP_NONE;
}

/* Handles any receive. */
static TT_RARE bool receive_any(struct tt_timelines *t, const struct tt_action *a)
{
    uint32_t thread, process = tt_message_receiver(t, a, &thread);
    uint32_t number = find_sent(t, process, a->value);
    if (number == TT_NO_ROW) {
        return receive_orphan(t, a, process, thread);
    }
    struct tt_message_row *row = tt_message_row_at(t, number);
    if (row->state != MESSAGE_SENT) { /* its end was not recorded */
        return tt_message_end_with(t, number, a->ticks, TT_MESSAGE_LOST) &&
               receive_orphan(t, a, process, thread);
    }
    row->state = MESSAGE_RECEIVED;
    tt_message_note_channel(t, thread, row->connection);
    return tt_message_append(t, row, a->ticks, STEP_OF(STEP_RECEIVED, thread));
}

/* Returns the row of the open message in an entry of `known`; NULL: receive_any finds it. */
static inline struct tt_message_row *known_row(const struct tt_timelines *t, uint32_t slot,
                                               uint32_t process, uint64_t id)
{
    const struct tt_known_id *known = &t->messages.known[slot];
    return known->row != 0 && is_known(known, process, id) ? t->messages.known_at[slot].row : NULL;
}

/* Returns the row of the open message of a handle in its entry, or NULL. */
static inline struct tt_message_row *handle_row(const struct tt_timelines *t, uint32_t slot,
                                                uint64_t id)
{
    const struct tt_known_id *known = &t->messages.known[slot];
    bool open = known->row != 0 && known->id == id && known->process == KNOWN_HANDLE;
    return open ? t->messages.known_at[slot].row : NULL;
}

/* Receives the message of a handle. */
static inline bool receive_handle(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_row *row = handle_row(t, tt_known_slot(a->value), a->value);
    if (!is_usual(row, MESSAGE_SENT) || a->other != TT_NO_THREAD || a->thread == TT_NO_THREAD) {
        return receive_any(t, a);
    }
    row->state = MESSAGE_RECEIVED;
    return tt_message_append(t, row, a->ticks, STEP_OF(STEP_RECEIVED, a->thread));
}

bool tt_messages_receive(struct tt_timelines *t, const struct tt_action *a)
{
    if (!t->system.ids_of_process) {
        return receive_handle(t, a);
    }
    const struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    if (!lane || lane->process == 0 || (lane->pid != a->other && a->other != TT_NO_THREAD)) {
        return receive_any(t, a);
    }
    uint32_t slot = slot_in_process(a->value);
    struct tt_message_row *row = known_row(t, slot, lane->process - 1, a->value);
    if (!is_usual(row, MESSAGE_SENT)) {
        return receive_any(t, a);
    }
    note_channel(t, lane, t->messages.known_at[slot].connection);
    row->state = MESSAGE_RECEIVED;
    return tt_message_append(t, row, a->ticks, STEP_OF(STEP_RECEIVED, a->thread));
}

/* ---- answers ------------------------------------------------------------------------------ */

/* Appends the known steps of a message that an orphan began, or of which only the end is known. */
static bool append_known(struct tt_timelines *t, struct tt_message_row *row, uint64_t time,
                         const struct tt_message_orphan *orphan, uint32_t connection)
{
    uint64_t least = tt_message_last_time(row);
    bool received = orphan && orphan->receive != TT_NO_TIME && orphan->receive >= least;
    bool sent = orphan && orphan->send != TT_NO_TIME && orphan->send >= least;
    uint64_t first = sent ? orphan->send : received ? orphan->receive : time;
    return tt_message_append(t, row, first, STEP_OF(sent ? STEP_SENT : STEP_UNSENT, connection)) &&
           (!received ||
            tt_message_append(t, row, orphan->receive, STEP_OF(STEP_RECEIVED, orphan->server)));
}

/* Handles the answer to a message whose send is not known. */
static TT_RARE bool answer_unsent(struct tt_timelines *t, const struct tt_action *a,
                                  uint32_t number, uint32_t how)
{
    struct tt_message_row *row = tt_message_row_at(t, number);
    struct tt_message_orphan *orphan = find_orphan(t, a->thread, a->other);
    uint32_t connection =
        orphan ? orphan->connection
               : tt_message_connection_of(t, tt_message_process_of(t, a->thread), TT_NO_CONNECTION);
    if (connection == STEP_NONE || !append_known(t, row, a->ticks, orphan, connection)) {
        return false;
    }
    if (orphan) {
        drop_orphan(t, orphan);
    }
    return tt_message_append(t, row, a->ticks, STEP_OF(STEP_ENDED, how));
}

/* Appends the receive of a message without one, if it is an orphan. */
static TT_RARE bool append_receive(struct tt_timelines *t, const struct tt_action *a,
                                   struct tt_message_row *row)
{
    struct tt_message_orphan *orphan = find_orphan(t, a->thread, a->other);
    if (orphan && orphan->send == TT_NO_TIME && orphan->receive >= tt_message_last_time(row)) {
        uint64_t receive = orphan->receive;
        uint32_t server = orphan->server;
        drop_orphan(t, orphan);
        return tt_message_append(t, row, receive, STEP_OF(STEP_RECEIVED, server));
    }
    return true;
}

/* Handles any answer. */
static TT_RARE bool reply_any(struct tt_timelines *t, const struct tt_action *a)
{
    uint32_t how = (a->flags & TT_ACTION_FAILED) != 0
                       ? END_OF(TT_MESSAGE_ERROR, take_error(t, a->thread))
                       : TT_MESSAGE_REPLIED;
    if (a->other == TT_NO_THREAD) {
        uint32_t number = find_sent(t, tt_message_process_of(t, a->thread), a->value);
        return number == TT_NO_ROW || tt_message_end_with(t, number, a->ticks, how);
    }
    if (a->other >= tt_thread_count(t->capture)) {
        return true;
    }
    uint32_t number = tt_message_waiting_row(t, a->other);
    struct tt_message_row *row = tt_message_row_at(t, number);
    if (number == TT_NO_ROW || row->state == MESSAGE_IDLE) {
        return number != TT_NO_ROW && answer_unsent(t, a, number, how);
    }
    return (row->state != MESSAGE_SENT || append_receive(t, a, row)) &&
           tt_message_end_with(t, number, a->ticks, how);
}

/*
 * Ends the message of a row, which is registered in an entry of `known`, with an answer. Returns false when
 * out of memory.
 */
static inline bool answer_known(struct tt_timelines *t, struct tt_known_id *known,
                                struct tt_message_row *row, uint64_t time)
{
    known->row = 0;
    row->slot = 0;
    row->state = MESSAGE_IDLE;
    row->lane->in_message = false;
    return tt_message_append(t, row, time, STEP_OF(STEP_ENDED, TT_MESSAGE_REPLIED));
}

/* Answers the message of a handle. */
static inline bool answer_handle(struct tt_timelines *t, const struct tt_action *a)
{
    const uint32_t slot = tt_known_slot(a->value);
    struct tt_message_row *row = handle_row(t, slot, a->value);
    if (!is_usual(row, MESSAGE_RECEIVED) || !row->lane || (a->flags & TT_ACTION_FAILED) != 0) {
        return reply_any(t, a);
    }
    return answer_known(t, &t->messages.known[slot], row, a->ticks);
}

bool tt_messages_reply(struct tt_timelines *t, const struct tt_action *a)
{
    if (a->other == TT_NO_THREAD) {
        return t->system.ids_of_process ? reply_any(t, a) : answer_handle(t, a);
    }
    const struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->other);
    struct tt_message_row *row = lane ? lane->row : NULL;
    if (!is_usual(row, MESSAGE_RECEIVED) || row->slot == 0 || !row->lane ||
        (a->flags & TT_ACTION_FAILED) != 0) {
        return reply_any(t, a);
    }
    return answer_known(t, &t->messages.known[row->slot - 1], row, a->ticks);
}

bool tt_messages_leave(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                       enum tt_message_end how)
{
    const struct tt_message_lane *of = tt_column_index_at(&t->messages.lane_at, lane->thread);
    lane->in_message = false;
    if (!of || of->waiting == 0 || tt_message_row_at(t, of->waiting - 1)->state == MESSAGE_IDLE) {
        return true;
    }
    return tt_message_end_with(t, of->waiting - 1, time, how);
}
