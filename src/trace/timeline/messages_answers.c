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
static struct tt_message_lane *noted_lane(struct tt_timelines *timelines, uint32_t thread)
{
    struct tt_message_lane *lane = tt_message_lane_of(timelines, thread);
    if (lane && lane->losses != timelines->messages.losses) {
        lane->losses = timelines->messages.losses;
        lane->channel = 0;
        lane->error = 0;
    }
    return lane;
}

/* Handles any channel. */
static TT_RARE bool channel_any(struct tt_timelines *timelines, const struct tt_action *action)
{
    bool is_thread = action->thread < tt_thread_count(timelines->capture);
    struct tt_message_lane *lane = is_thread ? noted_lane(timelines, action->thread) : NULL;
    if (lane) {
        lane->channel = (uint32_t)action->value + 1;
    }
    return lane || !is_thread;
}

bool tt_messages_channel(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_message_lane *lane = tt_column_index_at(&timelines->messages.lane_at, action->thread);
    if (!lane || lane->losses != timelines->messages.losses) {
        return channel_any(timelines, action);
    }
    lane->channel = (uint32_t)action->value + 1;
    return true;
}

bool tt_messages_error_code(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_message_lane *lane = action->thread < tt_thread_count(timelines->capture)
                                       ? noted_lane(timelines, action->thread)
                                       : NULL;
    if (lane) {
        lane->error = action->other < UINT16_MAX ? (uint16_t)action->other : 0;
    }
    return lane || action->thread >= tt_thread_count(timelines->capture);
}

/* Notes the channel from which a thread receives as that of a connection. */
static inline void note_channel(const struct tt_timelines *timelines,
                                const struct tt_message_lane *lane,
                                struct tt_connection *connection)
{
    if (lane->channel == 0 || lane->losses != timelines->messages.losses) {
        return;
    }
    uint32_t known = atomic_load_explicit(&connection->channel, memory_order_relaxed);
    if (known != lane->channel) {
        known = known == 0 ? lane->channel : CHANNEL_SEVERAL;
        atomic_store_explicit(&connection->channel, known, memory_order_relaxed);
    }
}

void tt_message_note_channel(struct tt_timelines *timelines, uint32_t thread, uint32_t number)
{
    const struct tt_message_lane *lane = tt_column_index_at(&timelines->messages.lane_at, thread);
    if (lane) {
        note_channel(timelines, lane, tt_message_connection_at(timelines, number));
    }
}

/* Returns the error with which a thread answers, and forgets it; 0: not known. */
static uint32_t pop_error(struct tt_timelines *timelines, uint32_t thread)
{
    struct tt_message_lane *lane = tt_column_index_at(&timelines->messages.lane_at, thread);
    uint32_t error = lane && lane->losses == timelines->messages.losses ? lane->error : 0;
    if (lane) {
        lane->error = 0;
    }
    return error;
}

/* ---- orphans ------------------------------------------------------------------------------ */

static TT_RARE void add_orphan(struct tt_timelines *timelines,
                               const struct tt_message_orphan *orphan)
{
    struct tt_message_lanes *messages = &timelines->messages;
    if (orphan->tid != 0 && messages->orphan_count < TT_MESSAGE_ORPHANS) {
        messages->orphans[messages->orphan_count++] = *orphan;
    }
}

/* Finds the message that an unknown client sent with this id; NULL: none. */
static struct tt_message_orphan *find_unreceived(struct tt_timelines *timelines, uint32_t process,
                                                 uint64_t id)
{
    struct tt_message_lanes *messages = &timelines->messages;
    for (uint32_t i = 0; i < messages->orphan_count; i++) {
        struct tt_message_orphan *orphan = &messages->orphans[i];
        if (orphan->process == process && orphan->id == id && orphan->receive == TT_NO_TIME) {
            return orphan;
        }
    }
    return NULL;
}

/* Finds the oldest orphan in the process of `server` that is certainly of `client`; NULL: none. */
static TT_RARE struct tt_message_orphan *find_orphan(struct tt_timelines *timelines,
                                                     uint32_t server, uint32_t client)
{
    struct tt_message_lanes *messages = &timelines->messages;
    uint32_t process = tt_message_process_of(timelines, server),
             own = tt_message_process_of(timelines, client);
    uint64_t tid = tt_thread_at(timelines->capture, client)->tid;
    for (uint32_t i = 0; i < messages->orphan_count; i++) {
        struct tt_message_orphan *orphan = &messages->orphans[i];
        const struct tt_connection *connection =
            tt_message_connection_at(timelines, orphan->connection);
        if (orphan->process == process && orphan->tid == tid && connection->client == own) {
            return orphan;
        }
    }
    return NULL;
}

/* Removes an orphan; the others keep their order. */
static void drop_orphan(struct tt_timelines *timelines, struct tt_message_orphan *orphan)
{
    struct tt_message_lanes *messages = &timelines->messages;
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

static inline bool messages_answers_is_known(const struct tt_known_id *known, uint32_t process,
                                             uint64_t id)
{
    return known->key != 0 && known->id == id && known->process == process;
}

/* Returns the entry of an id of a server process; NULL when out of memory. */
static struct tt_known_id *known_of(struct tt_timelines *timelines, uint32_t process, uint64_t id)
{
    struct tt_known_id *known = &timelines->messages.known[slot_in_process(id)];
    if (!messages_answers_is_known(known, process, id)) {
        if (!tt_message_move_to_open(timelines, known)) {
            return NULL;
        }
        uint32_t connection = tt_message_connection_of(timelines, process,
                                                       tt_message_id_of(timelines, id).connection);
        *known = (struct tt_known_id){.id = id,
                                      .key = tt_message_key_of(timelines, process, id, false),
                                      .process = process,
                                      .connection = connection};
        known->key = connection != STEP_NONE ? known->key : 0;
        timelines->messages.known_at[known - timelines->messages.known].connection = NULL;
    }
    return known->key != 0 ? known : NULL;
}

/* Finds the row of the open message with an id; TT_NO_ROW: none. */
static uint32_t messages_answers_find_sent(struct tt_timelines *timelines, uint32_t process,
                                           uint64_t id)
{
    if (!timelines->system.ids_of_process) {
        return tt_message_find_open(timelines, KNOWN_HANDLE, id);
    }
    const struct tt_known_id *known = &timelines->messages.known[slot_in_process(id)];
    if (messages_answers_is_known(known, process, id) && known->row != 0) {
        return known->row - 1;
    }
    const struct tt_open_edge *edge = tt_open_spans_find(
        &timelines->messages.open, tt_message_key_of(timelines, process, id, false));
    return edge ? edge->what : TT_NO_ROW;
}

/* ---- sends -------------------------------------------------------------------------------- */

/* Handles a send of an unknown thread. */
static TT_RARE bool send_orphan(struct tt_timelines *timelines, const struct tt_action *action,
                                uint32_t connection)
{
    struct tt_message_orphan orphan = {.id = action->value,
                                       .send = action->ticks,
                                       .receive = TT_NO_TIME,
                                       .tid = tt_message_id_of(timelines, action->value).tid,
                                       .process = action->other,
                                       .connection = connection,
                                       .server = STEP_NONE,
                                       .system = timelines->system.number};
    add_orphan(timelines, &orphan);
    return true;
}

/*
 * Returns the connection of a message that is sent, and sets *known to its entry where ids are those of
 * processes; STEP_NONE: out of memory.
 */
static uint32_t find_connection(struct tt_timelines *timelines, const struct tt_action *action,
                                struct tt_known_id **known)
{
    *known = NULL;
    if (timelines->system.ids_of_process) {
        *known = known_of(timelines, action->other, action->value);
        return *known ? (*known)->connection : STEP_NONE;
    }
    /* An id without a connection is of one message: all ids of a process share a route. */
    const struct tt_message_route *route = tt_message_route(
        timelines, action->other, timelines->system.message_id ? action->value : 0);
    if (route && !timelines->system.message_id) {
        timelines->messages.handle_server = action->other;
        timelines->messages.handle_connection = route->connection + 1;
    }
    return route ? route->connection : STEP_NONE;
}

/* Handles any send. */
static TT_RARE bool send_any(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_known_id *known;
    uint32_t connection = find_connection(timelines, action, &known);
    if (connection == STEP_NONE) {
        return false;
    }
    if (action->thread >= tt_thread_count(timelines->capture)) {
        return send_orphan(timelines, action, connection);
    }
    uint32_t number = tt_message_waiting_row(timelines, action->thread);
    struct tt_message_lane *lane = tt_column_index_at(&timelines->messages.lane_at, action->thread);
    if (number == TT_NO_ROW || !lane) {
        return false;
    }
    if (lane->process == 0) {
        tt_message_find_process(timelines, lane, action->thread);
    }
    tt_message_connection_at(timelines, connection)->client = lane->process - 1;
    struct tt_message_row *row = tt_message_row_at(timelines, number);
    /* The end of an earlier message was not recorded. */
    if (row->state != MESSAGE_IDLE &&
        !tt_message_end_with(timelines, number, action->ticks, TT_MESSAGE_LOST)) {
        return false;
    }
    /* Another client may have an open message with this id, whose end was not recorded. */
    if (known && !tt_message_move_to_open(timelines, known)) {
        return false;
    }
    tt_message_set_waiting(timelines, row, true);
    lane->row = row->lane ? row : NULL;
    if (!tt_message_open_row(timelines, row, action->ticks, connection)) {
        return false;
    }
    if (!known) {
        return tt_message_register_id(timelines, KNOWN_HANDLE, action->value, action->other, row);
    }
    uint32_t slot = (uint32_t)(known - timelines->messages.known);
    timelines->messages.known_at[slot].connection = tt_message_connection_at(timelines, connection);
    tt_message_register(timelines, slot, row);
    return true;
}

/* Returns whether there is a row, with a message in a state. */
static inline bool messages_answers_is_usual(const struct tt_message_row *row, unsigned state)
{
    return row && row->state == state;
}

/* Sends the message of an entry without an open one. Returns false when out of memory. */
static inline bool send_known(struct tt_timelines *timelines, const struct tt_action *action,
                              uint32_t slot, const struct tt_message_lane *lane,
                              uint32_t connection)
{
    struct tt_message_row *row = lane->row;
    tt_message_register(timelines, slot, row);
    row->state = MESSAGE_SENT;
    row->connection = connection;
    row->lane->in_message = true;
    return tt_message_append(timelines, row, action->ticks, STEP_OF(STEP_SENT, connection));
}

/* Sends the message of a handle. */
static inline bool send_handle(struct tt_timelines *timelines, const struct tt_action *action,
                               const struct tt_message_lane *lane)
{
    const struct tt_message_lanes *messages = &timelines->messages;
    const uint32_t slot = tt_known_slot(action->value);
    struct tt_known_id *known = &timelines->messages.known[slot];
    if (known->row != 0 || messages->handle_server != action->other ||
        messages->handle_connection == 0) {
        return send_any(timelines, action);
    }
    const uint32_t connection = messages->handle_connection - 1;
    tt_known_set(known, KNOWN_HANDLE, action->value, action->other, connection);
    return send_known(timelines, action, slot, lane, connection);
}

bool tt_messages_send(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_message_lanes *messages = &timelines->messages;
    const struct tt_message_lane *lane = tt_column_index_at(&messages->lane_at, action->thread);
    if (!lane || !messages_answers_is_usual(lane->row, MESSAGE_IDLE) || !lane->row->listed) {
        return send_any(timelines, action);
    }
    if (!timelines->system.ids_of_process) {
        return send_handle(timelines, action, lane);
    }
    uint32_t slot = slot_in_process(action->value);
    struct tt_connection *connection = messages->known_at[slot].connection;
    if (messages->known[slot].row != 0 || !connection ||
        !messages_answers_is_known(&messages->known[slot], action->other, action->value)) {
        return send_any(timelines, action);
    }
    connection->client = lane->process - 1;
    return send_known(timelines, action, slot, lane, messages->known[slot].connection);
}

/* ---- receives ----------------------------------------------------------------------------- */

/* Finds the receiver where the thread has no lane, or another process receives. */
static TT_RARE uint32_t messages_answers_find_receiver(const struct tt_timelines *timelines,
                                                       const struct tt_action *action,
                                                       uint32_t process, uint32_t *thread)
{
    *thread = action->thread == TT_NO_THREAD ? STEP_NONE : action->thread;
    if (action->other == TT_NO_THREAD ||
        (process != TT_NO_THREAD &&
         tt_process_at(timelines->capture, process)->pid == action->other)) {
        return process;
    }
    *thread = STEP_NONE;
    struct tt_event own, of_whole = {.ticks = action->ticks, .pos = action->pos, .cpu = TT_NO_CPU};
    const struct tt_capture *capture = tt_merge_own(timelines->capture, &of_whole, &own);
    return tt_registry_find_process(capture, action->other,
                                    capture->lanes_by_time ? own.ticks : own.pos);
}

uint32_t tt_message_receiver(const struct tt_timelines *timelines, const struct tt_action *action,
                             uint32_t *thread)
{
    struct tt_message_lane *lane = tt_column_index_at(&timelines->messages.lane_at, action->thread);
    if (lane && lane->process == 0) {
        tt_message_find_process(timelines, lane, action->thread);
    }
    uint32_t process = lane ? lane->process - 1 : tt_message_process_of(timelines, action->thread);
    if (lane && (lane->pid == action->other || action->other == TT_NO_THREAD)) {
        *thread = action->thread;
        return process;
    }
    return messages_answers_find_receiver(timelines, action, process, thread);
}

/* Handles a receive without a send. */
static TT_RARE bool receive_orphan(struct tt_timelines *timelines, const struct tt_action *action,
                                   uint32_t process, uint32_t thread)
{
    struct tt_message_orphan *sent = find_unreceived(timelines, process, action->value);
    if (sent) {
        sent->receive = action->ticks;
        sent->server = thread;
        return true;
    }
    struct tt_message_id id = tt_message_id_of(timelines, action->value);
    uint32_t connection = tt_message_connection_of(timelines, process, id.connection);
    if (connection != STEP_NONE) {
        tt_message_note_channel(timelines, thread, connection);
    }
    struct tt_message_orphan orphan = {.id = action->value,
                                       .send = TT_NO_TIME,
                                       .receive = action->ticks,
                                       .tid = id.tid,
                                       .process = process,
                                       .connection = connection,
                                       .server = thread,
                                       .system = timelines->system.number};
    if (connection != STEP_NONE) {
        add_orphan(timelines, &orphan);
    }
    return connection != STEP_NONE;
}

/* Handles any receive. */
static TT_RARE bool receive_any(struct tt_timelines *timelines, const struct tt_action *action)
{
    uint32_t thread, process = tt_message_receiver(timelines, action, &thread);
    uint32_t number = messages_answers_find_sent(timelines, process, action->value);
    if (number == TT_NO_ROW) {
        return receive_orphan(timelines, action, process, thread);
    }
    struct tt_message_row *row = tt_message_row_at(timelines, number);
    if (row->state != MESSAGE_SENT) { /* its end was not recorded */
        return tt_message_end_with(timelines, number, action->ticks, TT_MESSAGE_LOST) &&
               receive_orphan(timelines, action, process, thread);
    }
    row->state = MESSAGE_RECEIVED;
    tt_message_note_channel(timelines, thread, row->connection);
    return tt_message_append(timelines, row, action->ticks, STEP_OF(STEP_RECEIVED, thread));
}

/* Returns the row of the open message of a handle in its entry, or NULL. */
static inline struct tt_message_row *handle_row(const struct tt_timelines *timelines, uint32_t slot,
                                                uint64_t id)
{
    const struct tt_known_id *known = &timelines->messages.known[slot];
    bool open = known->row != 0 && known->id == id && known->process == KNOWN_HANDLE;
    return open ? timelines->messages.known_at[slot].row : NULL;
}

/* Receives the message of a handle. */
static inline bool receive_handle(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_message_row *row = handle_row(timelines, tt_known_slot(action->value), action->value);
    if (!messages_answers_is_usual(row, MESSAGE_SENT) || action->other != TT_NO_THREAD ||
        action->thread == TT_NO_THREAD) {
        return receive_any(timelines, action);
    }
    row->state = MESSAGE_RECEIVED;
    return tt_message_append(timelines, row, action->ticks, STEP_OF(STEP_RECEIVED, action->thread));
}

bool tt_messages_receive(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (!timelines->system.ids_of_process) {
        return receive_handle(timelines, action);
    }
    const struct tt_message_lane *lane =
        tt_column_index_at(&timelines->messages.lane_at, action->thread);
    if (!lane || lane->process == 0 ||
        (lane->pid != action->other && action->other != TT_NO_THREAD)) {
        return receive_any(timelines, action);
    }
    uint32_t slot = slot_in_process(action->value);

    /* The row of the open message in an entry of `known`; NULL: receive_any finds it. */
    uint32_t process = lane->process - 1;
    uint64_t id = action->value;
    const struct tt_known_id *known = &timelines->messages.known[slot];
    struct tt_message_row *row = known->row != 0 && messages_answers_is_known(known, process, id)
                                     ? timelines->messages.known_at[slot].row
                                     : NULL;

    if (!messages_answers_is_usual(row, MESSAGE_SENT)) {
        return receive_any(timelines, action);
    }
    note_channel(timelines, lane, timelines->messages.known_at[slot].connection);
    row->state = MESSAGE_RECEIVED;
    return tt_message_append(timelines, row, action->ticks, STEP_OF(STEP_RECEIVED, action->thread));
}

/* ---- answers ------------------------------------------------------------------------------ */

/* Appends the known steps of a message that an orphan began, or of which only the end is known. */
static bool append_known(struct tt_timelines *timelines, struct tt_message_row *row, uint64_t time,
                         const struct tt_message_orphan *orphan, uint32_t connection)
{
    uint64_t least = tt_message_last_time(row);
    bool received = orphan && orphan->receive != TT_NO_TIME && orphan->receive >= least;
    bool sent = orphan && orphan->send != TT_NO_TIME && orphan->send >= least;
    uint64_t first = sent ? orphan->send : received ? orphan->receive : time;
    return tt_message_append(timelines, row, first,
                             STEP_OF(sent ? STEP_SENT : STEP_UNSENT, connection)) &&
           (!received || tt_message_append(timelines, row, orphan->receive,
                                           STEP_OF(STEP_RECEIVED, orphan->server)));
}

/* Handles the answer to a message whose send is not known. */
static TT_RARE bool answer_unsent(struct tt_timelines *timelines, const struct tt_action *action,
                                  uint32_t number, uint32_t how)
{
    struct tt_message_row *row = tt_message_row_at(timelines, number);
    struct tt_message_orphan *orphan = find_orphan(timelines, action->thread, action->other);
    uint32_t connection =
        orphan ? orphan->connection
               : tt_message_connection_of(
                     timelines, tt_message_process_of(timelines, action->thread), TT_NO_CONNECTION);
    if (connection == STEP_NONE ||
        !append_known(timelines, row, action->ticks, orphan, connection)) {
        return false;
    }
    if (orphan) {
        drop_orphan(timelines, orphan);
    }
    return tt_message_append(timelines, row, action->ticks, STEP_OF(STEP_ENDED, how));
}

/* Appends the receive of a message without one, if it is an orphan. */
static TT_RARE bool append_receive(struct tt_timelines *timelines, const struct tt_action *action,
                                   struct tt_message_row *row)
{
    struct tt_message_orphan *orphan = find_orphan(timelines, action->thread, action->other);
    if (orphan && orphan->send == TT_NO_TIME && orphan->receive >= tt_message_last_time(row)) {
        uint64_t receive = orphan->receive;
        uint32_t server = orphan->server;
        drop_orphan(timelines, orphan);
        return tt_message_append(timelines, row, receive, STEP_OF(STEP_RECEIVED, server));
    }
    return true;
}

/* Handles any answer. */
static TT_RARE bool reply_any(struct tt_timelines *timelines, const struct tt_action *action)
{
    uint32_t how = (action->flags & TT_ACTION_FAILED) != 0
                       ? END_OF(TT_MESSAGE_ERROR, pop_error(timelines, action->thread))
                       : TT_MESSAGE_REPLIED;
    if (action->other == TT_NO_THREAD) {
        uint32_t number = messages_answers_find_sent(
            timelines, tt_message_process_of(timelines, action->thread), action->value);
        return number == TT_NO_ROW || tt_message_end_with(timelines, number, action->ticks, how);
    }
    if (action->other >= tt_thread_count(timelines->capture)) {
        return true;
    }
    uint32_t number = tt_message_waiting_row(timelines, action->other);
    struct tt_message_row *row = tt_message_row_at(timelines, number);
    if (number == TT_NO_ROW || row->state == MESSAGE_IDLE) {
        return number != TT_NO_ROW && answer_unsent(timelines, action, number, how);
    }
    return (row->state != MESSAGE_SENT || append_receive(timelines, action, row)) &&
           tt_message_end_with(timelines, number, action->ticks, how);
}

/*
 * Ends the message of a row, which is registered in an entry of `known`, with an answer. Returns false when
 * out of memory.
 */
static inline bool answer_known(struct tt_timelines *timelines, struct tt_known_id *known,
                                struct tt_message_row *row, uint64_t time)
{
    known->row = 0;
    row->slot = 0;
    row->state = MESSAGE_IDLE;
    row->lane->in_message = false;
    return tt_message_append(timelines, row, time, STEP_OF(STEP_ENDED, TT_MESSAGE_REPLIED));
}

/* Answers the message of a handle. */
static inline bool answer_handle(struct tt_timelines *timelines, const struct tt_action *action)
{
    const uint32_t slot = tt_known_slot(action->value);
    struct tt_message_row *row = handle_row(timelines, slot, action->value);
    if (!messages_answers_is_usual(row, MESSAGE_RECEIVED) || !row->lane ||
        (action->flags & TT_ACTION_FAILED) != 0) {
        return reply_any(timelines, action);
    }
    return answer_known(timelines, &timelines->messages.known[slot], row, action->ticks);
}

bool tt_messages_reply(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (action->other == TT_NO_THREAD) {
        return timelines->system.ids_of_process ? reply_any(timelines, action)
                                                : answer_handle(timelines, action);
    }
    const struct tt_message_lane *lane =
        tt_column_index_at(&timelines->messages.lane_at, action->other);
    struct tt_message_row *row = lane ? lane->row : NULL;
    if (!messages_answers_is_usual(row, MESSAGE_RECEIVED) || row->slot == 0 || !row->lane ||
        (action->flags & TT_ACTION_FAILED) != 0) {
        return reply_any(timelines, action);
    }
    return answer_known(timelines, &timelines->messages.known[row->slot - 1], row, action->ticks);
}

bool tt_messages_leave(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time,
                       enum tt_message_end how)
{
    const struct tt_message_lane *of =
        tt_column_index_at(&timelines->messages.lane_at, lane->thread);
    lane->in_message = false;
    if (!of || of->waiting == 0 ||
        tt_message_row_at(timelines, of->waiting - 1)->state == MESSAGE_IDLE) {
        return true;
    }
    return tt_message_end_with(timelines, of->waiting - 1, time, how);
}
