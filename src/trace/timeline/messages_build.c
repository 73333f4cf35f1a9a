/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of messages from actions: pairing, by the rules of docs/messages.md. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/timeline/timeline.h"
#include "tracetui/merge.h"

/* Code for rare cases, which is not inlined into the handlers: their frames stay small. */
#if defined(__GNUC__)
#define RARE __attribute__((noinline, cold))
#else
#define RARE
#endif

void tt_message_lanes_init(struct tt_message_lanes *messages)
{
    tt_column_init(&messages->lanes, sizeof(struct tt_message_lane));
    tt_column_init(&messages->rows, sizeof(struct tt_message_row));
    tt_column_init(&messages->connections, sizeof(struct tt_connection));
    tt_track_init_wide(&messages->gaps, 0);
}

void tt_message_lanes_free(struct tt_message_lanes *messages)
{
    tt_column_free(&messages->lanes);
    tt_column_free(&messages->rows);
    tt_column_free(&messages->connections);
    tt_column_index_free(&messages->lane_at);
    tt_column_index_free(&messages->row_at);
    tt_column_index_free(&messages->connection_at);
    tt_hash_free(&messages->connection_by_id);
    tt_open_spans_free(&messages->open);
    free(messages->listed);
}

/* ---- lanes, rows, connections ------------------------------------------------------------- */

static struct tt_message_row *row_at(const struct tt_timelines *t, uint32_t number)
{
    return tt_column_index_at(&t->messages.row_at, number);
}

static struct tt_connection *connection_at(const struct tt_timelines *t, uint32_t number)
{
    return tt_column_index_at(&t->messages.connection_at, number);
}

static RARE struct tt_message_lane *make_lanes(struct tt_message_lanes *messages, uint32_t thread)
{
    while (messages->lane_at.count <= thread) {
        struct tt_message_lane *lane = tt_column_next(&messages->lanes);
        if (!lane || !tt_column_index_add(&messages->lane_at, lane, sizeof *lane)) {
            return NULL;
        }
        tt_column_publish(&messages->lanes);
    }
    return tt_column_index_at(&messages->lane_at, thread);
}

/* Returns the thread's lane, created if needed; NULL when out of memory. */
static inline struct tt_message_lane *lane_of(struct tt_timelines *t, uint32_t thread)
{
    struct tt_message_lanes *messages = &t->messages;
    struct tt_message_lane *lane = tt_column_index_at(&messages->lane_at, thread);
    return lane                     ? lane
           : thread == TT_NO_THREAD ? &messages->threadless
                                    : make_lanes(messages, thread);
}

struct tt_message_row *tt_message_row_add(struct tt_message_lanes *messages, uint32_t thread,
                                          bool async)
{
    bool room = tt_column_count(&messages->rows) < STEP_NONE;
    struct tt_message_row *row = room ? tt_column_next(&messages->rows) : NULL;
    if (!row || !tt_column_index_add(&messages->row_at, row, sizeof *row)) {
        return NULL;
    }
    tt_track_init(&row->steps, 0);
    row->thread = thread;
    row->async = async;
    atomic_init(&row->next, TT_NO_ROW);
    tt_column_publish(&messages->rows);
    return row;
}

/* Adds a row after the last one of a lane; `last` is TT_NO_ROW for the first. */
static uint32_t add_row(struct tt_timelines *t, struct tt_message_lane *lane, uint32_t thread,
                        uint32_t last, bool async)
{
    uint32_t number = (uint32_t)tt_column_count(&t->messages.rows);
    if (!tt_message_row_add(&t->messages, thread, async)) {
        return TT_NO_ROW;
    }
    if (last != TT_NO_ROW) {
        atomic_store_explicit(&row_at(t, last)->next, number, memory_order_release);
    } else {
        atomic_store_explicit(&lane->first, number + 1, memory_order_release);
    }
    lane->row_count++;
    return number;
}

static uint32_t last_row(const struct tt_timelines *t, const struct tt_message_lane *lane)
{
    uint32_t last = TT_NO_ROW;
    uint32_t at = atomic_load_explicit(&lane->first, memory_order_relaxed) - 1;
    while (at != TT_NO_ROW) {
        last = at;
        at = atomic_load_explicit(&row_at(t, at)->next, memory_order_relaxed);
    }
    return last;
}

static RARE uint32_t make_waiting_row(struct tt_timelines *t, uint32_t thread)
{
    struct tt_message_lane *lane = lane_of(t, thread);
    if (lane && lane->waiting == 0) {
        lane->waiting = add_row(t, lane, thread, last_row(t, lane), false) + 1;
    }
    return lane ? lane->waiting - 1 : TT_NO_ROW;
}

/* Returns the row of the messages whose answer the thread waits for; TT_NO_ROW: out of memory. */
static inline uint32_t waiting_row(struct tt_timelines *t, uint32_t thread)
{
    const struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, thread);
    return lane && lane->waiting != 0 ? lane->waiting - 1 : make_waiting_row(t, thread);
}

/* Counts a lane's rows: it is new, or was restored from the index cache. */
static RARE void count_rows(const struct tt_timelines *t, struct tt_message_lane *lane)
{
    lane->idle = atomic_load_explicit(&lane->first, memory_order_relaxed);
    lane->row_count = 0;
    for (uint32_t at = lane->idle - 1; at != TT_NO_ROW; lane->row_count++) {
        at = atomic_load_explicit(&row_at(t, at)->next, memory_order_relaxed);
    }
}

uint32_t tt_message_free_row(struct tt_timelines *t, uint32_t thread, bool *full)
{
    struct tt_message_lane *lane = lane_of(t, thread);
    *full = false;
    if (!lane) {
        return TT_NO_ROW;
    }
    if (lane->idle == 0) {
        count_rows(t, lane);
    }
    uint32_t last = TT_NO_ROW;
    for (uint32_t at = lane->idle - 1; at != TT_NO_ROW;) {
        const struct tt_message_row *row = row_at(t, at);
        lane->idle = at + 1;
        if (row->async && row->state == MESSAGE_IDLE) {
            return at;
        }
        last = at;
        at = atomic_load_explicit(&row->next, memory_order_relaxed);
    }
    *full = lane->row_count >= TT_MESSAGE_ROWS;
    return *full ? TT_NO_ROW : add_row(t, lane, thread, last, true);
}

bool tt_message_connection_add(struct tt_message_lanes *messages, uint32_t process, uint64_t id)
{
    uint64_t number = tt_column_count(&messages->connections);
    struct tt_connection *connection =
        number < STEP_NONE ? tt_column_next(&messages->connections) : NULL;
    if (!connection ||
        !tt_hash_add(&messages->connection_by_id, tt_hash_of_pair(process, id), (uint32_t)number) ||
        !tt_column_index_add(&messages->connection_at, connection, sizeof *connection)) {
        return false;
    }
    connection->process = process;
    connection->client = TT_NO_THREAD;
    connection->counted = 0;
    atomic_init(&connection->channel, 0);
    connection->id = id;
    tt_column_publish(&messages->connections);
    return true;
}

uint32_t tt_message_connection_of(struct tt_timelines *t, uint32_t process, uint64_t id)
{
    struct tt_message_lanes *messages = &t->messages;
    struct tt_probe probe;
    for (uint32_t n =
             tt_hash_first(&messages->connection_by_id, tt_hash_of_pair(process, id), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&messages->connection_by_id, &probe)) {
        const struct tt_connection *connection = connection_at(t, n);
        if (connection->process == process && connection->id == id) {
            return n;
        }
    }
    return tt_message_connection_add(messages, process, id)
               ? (uint32_t)tt_column_count(&messages->connections) - 1
               : STEP_NONE;
}

/* ---- ids ---------------------------------------------------------------------------------- */

uint32_t tt_message_process_of(const struct tt_timelines *t, uint32_t thread)
{
    return thread < tt_thread_count(t->capture) ? tt_thread_at(t->capture, thread)->process
                                                : TT_NO_THREAD;
}

uint64_t tt_message_key_of(const struct tt_timelines *t, uint32_t process, uint64_t id, bool async)
{
    uint64_t scope = t->capture->format->message_ids_of_process ? process : TT_NO_THREAD;
    uint64_t key = ((scope << 1 | async) * UINT64_C(0x9e3779b97f4a7c15)) ^ id;
    key = (key ^ key >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (key ^ key >> 32) | 1;
}

static RARE void find_lane_process(const struct tt_timelines *t, struct tt_message_lane *lane,
                                   uint32_t thread)
{
    uint32_t process = tt_message_process_of(t, thread);
    uint64_t pid = process != TT_NO_THREAD ? tt_process_at(t->capture, process)->pid : UINT32_MAX;
    lane->pid = pid < UINT32_MAX ? (uint32_t)pid : UINT32_MAX;
    lane->process = process + 1;
}

/* Returns the process of a thread, as noted in its lane. */
static inline uint32_t lane_process(const struct tt_timelines *t, struct tt_message_lane *lane,
                                    uint32_t thread)
{
    if (lane->process == 0) {
        find_lane_process(t, lane, thread);
    }
    return lane->process - 1;
}

struct tt_message_id tt_message_id_of(const struct tt_timelines *t, uint64_t id)
{
    struct tt_message_id parts = {TT_NO_CONNECTION, 0};
    if (t->capture->format->message_id) {
        t->capture->format->message_id(id, &parts);
    }
    return parts;
}

static inline struct tt_known_id *known_slot(struct tt_timelines *t, uint64_t id)
{
    return &t->messages.known[(id ^ id >> 13) % TT_KNOWN_IDS];
}

static inline bool is_known(const struct tt_known_id *known, uint32_t process, uint64_t id)
{
    return known->key != 0 && known->id == id && known->process == process;
}

static RARE bool move_row_to_open(struct tt_timelines *t, struct tt_known_id *known)
{
    uint32_t row = known->row;
    known->row = 0;
    row_at(t, row - 1)->slot = 0;
    return tt_open_spans_push(&t->messages.open, known->key, 0, row - 1);
}

/* Moves the open message of an entry to `open`; returns false when out of memory. */
static inline bool move_to_open(struct tt_timelines *t, struct tt_known_id *known)
{
    return known->row == 0 || move_row_to_open(t, known);
}

/* Makes an entry that of another id. */
static RARE struct tt_known_id *make_known(struct tt_timelines *t, struct tt_known_id *known,
                                           uint32_t process, uint64_t id)
{
    if (!move_to_open(t, known)) {
        return NULL;
    }
    uint32_t connection = tt_message_connection_of(t, process, tt_message_id_of(t, id).connection);
    *known = (struct tt_known_id){.id = id,
                                  .key = tt_message_key_of(t, process, id, false),
                                  .process = process,
                                  .connection = connection};
    known->key = connection != STEP_NONE ? known->key : 0;
    return known->key != 0 ? known : NULL;
}

/* Returns the connection and the key of messages with an answer; NULL when out of memory. */
static inline struct tt_known_id *known_id(struct tt_timelines *t, uint32_t process, uint64_t id)
{
    struct tt_known_id *known = known_slot(t, id);
    return is_known(known, process, id) ? known : make_known(t, known, process, id);
}

/* ---- steps of a row ----------------------------------------------------------------------- */

static inline bool append(struct tt_timelines *t, struct tt_message_row *row, uint64_t time,
                          uint32_t step)
{
    return tt_track_append(&row->steps, &t->arena, time, step, NULL);
}

static uint64_t last_time(const struct tt_message_row *row)
{
    return tt_track_is_empty(&row->steps) ? 0 : tt_track_last_time(&row->steps);
}

/* Adds a row to `listed`, for the next loss. */
static RARE bool list_row(struct tt_timelines *t, uint32_t number)
{
    struct tt_message_lanes *messages = &t->messages;
    struct tt_message_row *row = row_at(t, number);
    if (row->listed) {
        return true;
    }
    uint32_t *listed = tt_array_grow(messages->listed, messages->listed_count,
                                     &messages->listed_capacity, sizeof *listed);
    if (!listed) {
        return false;
    }
    messages->listed = listed;
    messages->listed[messages->listed_count++] = number;
    row->listed = true;
    return true;
}

static inline void set_waiting(struct tt_timelines *t, const struct tt_message_row *row, bool waits)
{
    struct tt_lane *lane = tt_column_index_at(&t->lane_at, row->thread);
    if (lane && !row->async) {
        lane->in_message = waits;
    }
}

/* Begins a message of a row, which the caller registers. */
static inline bool begin(struct tt_timelines *t, uint32_t number, struct tt_message_row *row,
                         uint64_t time, uint32_t connection, uint64_t key)
{
    row->state = MESSAGE_SENT;
    row->key = key;
    row->connection = connection;
    row->receiver = 0;
    set_waiting(t, row, true);
    return append(t, row, time, STEP_OF(STEP_SENT, connection)) &&
           (row->listed || list_row(t, number));
}

bool tt_message_begin_open(struct tt_timelines *t, uint32_t number, uint64_t time,
                           uint32_t connection, uint64_t key)
{
    return begin(t, number, row_at(t, number), time, connection, key) &&
           tt_open_spans_push(&t->messages.open, key, time, number);
}

/* Notes that a row of posts is free. The numbers of a sender's rows ascend along its list. */
static void note_idle(struct tt_timelines *t, uint32_t number, const struct tt_message_row *row)
{
    struct tt_message_lane *lane = lane_of(t, row->thread);
    if (lane && lane->idle > number + 1) {
        lane->idle = number + 1;
    }
}

static inline bool finish(struct tt_timelines *t, uint32_t number, struct tt_message_row *row,
                          uint64_t time, uint32_t step)
{
    if (row->slot != 0) {
        t->messages.known[row->slot - 1].row = 0;
    } else if (row->key != 0) {
        tt_open_spans_remove(&t->messages.open, row->key, number);
    }
    row->slot = 0;
    row->key = 0;
    row->state = MESSAGE_IDLE;
    if (row->async) {
        note_idle(t, number, row);
    }
    set_waiting(t, row, false);
    return append(t, row, time, step);
}

bool tt_message_finish(struct tt_timelines *t, uint32_t number, uint64_t time, uint32_t step)
{
    return finish(t, number, row_at(t, number), time, step);
}

bool tt_message_end_with(struct tt_timelines *t, uint32_t number, uint64_t time, uint32_t how)
{
    return tt_message_finish(t, number, time, STEP_OF(STEP_ENDED, how));
}

/* ---- channels and errors ------------------------------------------------------------------ */

/* Returns a thread's lane; what was noted before the last loss is forgotten. NULL: out of memory. */
static struct tt_message_lane *noted_lane(struct tt_timelines *t, uint32_t thread)
{
    struct tt_message_lane *lane = lane_of(t, thread);
    if (lane && lane->losses != t->messages.losses) {
        lane->losses = t->messages.losses;
        lane->channel = 0;
        lane->error = 0;
    }
    return lane;
}

bool tt_messages_channel(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    if (lane && lane->losses == t->messages.losses) {
        lane->channel = (uint32_t)a->value + 1;
        return true;
    }
    lane = a->thread < tt_thread_count(t->capture) ? noted_lane(t, a->thread) : NULL;
    if (lane) {
        lane->channel = (uint32_t)a->value + 1;
    }
    return lane || a->thread >= tt_thread_count(t->capture);
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

static inline void note_channel(struct tt_timelines *t, uint32_t thread, uint32_t number)
{
    const struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, thread);
    if (!lane || lane->channel == 0 || lane->losses != t->messages.losses) {
        return;
    }
    struct tt_connection *connection = connection_at(t, number);
    uint32_t known = atomic_load_explicit(&connection->channel, memory_order_relaxed);
    if (known != lane->channel) {
        known = known == 0 ? lane->channel : CHANNEL_SEVERAL;
        atomic_store_explicit(&connection->channel, known, memory_order_relaxed);
    }
}

void tt_message_note_channel(struct tt_timelines *t, uint32_t thread, uint32_t number)
{
    note_channel(t, thread, number);
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

static RARE void add_orphan(struct tt_timelines *t, const struct tt_message_orphan *orphan)
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
static RARE struct tt_message_orphan *find_orphan(struct tt_timelines *t, uint32_t server,
                                                  uint32_t client)
{
    struct tt_message_lanes *messages = &t->messages;
    uint32_t process = tt_message_process_of(t, server), own = tt_message_process_of(t, client);
    uint64_t tid = tt_thread_at(t->capture, client)->tid;
    for (uint32_t i = 0; i < messages->orphan_count; i++) {
        struct tt_message_orphan *orphan = &messages->orphans[i];
        const struct tt_connection *connection = connection_at(t, orphan->connection);
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

/* ---- messages with an answer -------------------------------------------------------------- */

/* Handles a send of an unknown thread. */
static RARE bool send_orphan(struct tt_timelines *t, const struct tt_action *a, uint32_t connection)
{
    struct tt_message_orphan orphan = {.id = a->value,
                                       .send = a->ticks,
                                       .receive = TT_NO_TIME,
                                       .tid = tt_message_id_of(t, a->value).tid,
                                       .process = a->other,
                                       .connection = connection,
                                       .server = STEP_NONE};
    add_orphan(t, &orphan);
    return true;
}

bool tt_messages_send(struct tt_timelines *t, const struct tt_action *a)
{
    const struct tt_format *format = t->capture->format;
    /* An id without a connection is of one message: all ids of a process share an entry. */
    bool connects = format->message_ids_of_process || format->message_id;
    struct tt_known_id *known = known_id(t, a->other, connects ? a->value : 0);
    if (!known) {
        return false;
    }
    uint32_t connection = known->connection;
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    if (!lane && a->thread >= tt_thread_count(t->capture)) {
        return send_orphan(t, a, connection);
    }
    uint32_t number =
        lane && lane->waiting != 0 ? lane->waiting - 1 : make_waiting_row(t, a->thread);
    lane = lane ? lane : tt_column_index_at(&t->messages.lane_at, a->thread);
    if (number == TT_NO_ROW || !lane) {
        return false;
    }
    connection_at(t, connection)->client = lane_process(t, lane, a->thread);
    struct tt_message_row *row = row_at(t, number);
    /* The end of an earlier message was not recorded. */
    if (row->state != MESSAGE_IDLE && !tt_message_end_with(t, number, a->ticks, TT_MESSAGE_LOST)) {
        return false;
    }
    if (!format->message_ids_of_process) {
        uint64_t key = connects ? known->key : tt_message_key_of(t, a->other, a->value, false);
        return tt_message_begin_open(t, number, a->ticks, connection, key);
    }
    /* Another client may have an open message with this id, whose end was not recorded. */
    if (!move_to_open(t, known) || !begin(t, number, row, a->ticks, connection, known->key)) {
        return false;
    }
    known->row = number + 1;
    row->slot = (uint8_t)(known - t->messages.known + 1);
    return true;
}

/* Finds the row of the open message with an id; TT_NO_ROW: none. */
static inline uint32_t find_sent(struct tt_timelines *t, uint32_t process, uint64_t id)
{
    const struct tt_known_id *known = known_slot(t, id);
    if (is_known(known, process, id) && known->row != 0) {
        return known->row - 1;
    }
    const struct tt_open_edge *edge =
        tt_open_spans_find(&t->messages.open, tt_message_key_of(t, process, id, false));
    return edge ? edge->what : TT_NO_ROW;
}

/* Finds the receiver where the thread has no lane, or another process receives. */
static RARE uint32_t find_receiver(const struct tt_timelines *t, const struct tt_action *a,
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

static inline uint32_t receiver(const struct tt_timelines *t, const struct tt_action *a,
                                uint32_t *thread)
{
    struct tt_message_lane *lane = tt_column_index_at(&t->messages.lane_at, a->thread);
    uint32_t process =
        lane ? lane_process(t, lane, a->thread) : tt_message_process_of(t, a->thread);
    if (lane && (lane->pid == a->other || a->other == TT_NO_THREAD)) {
        *thread = a->thread;
        return process;
    }
    return find_receiver(t, a, process, thread);
}

uint32_t tt_message_receiver(const struct tt_timelines *t, const struct tt_action *a,
                             uint32_t *thread)
{
    return receiver(t, a, thread);
}

/* Handles a receive without a send. */
static RARE bool receive_orphan(struct tt_timelines *t, const struct tt_action *a, uint32_t process,
                                uint32_t thread)
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
                                       .server = thread};
    if (connection != STEP_NONE) {
        add_orphan(t, &orphan);
    }
    return connection != STEP_NONE;
}

bool tt_messages_receive(struct tt_timelines *t, const struct tt_action *a)
{
    uint32_t thread, process = receiver(t, a, &thread);
    uint32_t number = find_sent(t, process, a->value);
    if (number == TT_NO_ROW) {
        return receive_orphan(t, a, process, thread);
    }
    struct tt_message_row *row = row_at(t, number);
    if (row->state != MESSAGE_SENT) { /* its end was not recorded */
        return tt_message_end_with(t, number, a->ticks, TT_MESSAGE_LOST) &&
               receive_orphan(t, a, process, thread);
    }
    row->state = MESSAGE_RECEIVED;
    note_channel(t, thread, row->connection);
    return append(t, row, a->ticks, STEP_OF(STEP_RECEIVED, thread));
}

/* Appends the known steps of a message that an orphan began, or of which only the end is known. */
static bool append_known(struct tt_timelines *t, struct tt_message_row *row, uint64_t time,
                         const struct tt_message_orphan *orphan, uint32_t connection)
{
    uint64_t least = last_time(row);
    bool received = orphan && orphan->receive != TT_NO_TIME && orphan->receive >= least;
    bool sent = orphan && orphan->send != TT_NO_TIME && orphan->send >= least;
    uint64_t first = sent ? orphan->send : received ? orphan->receive : time;
    return append(t, row, first, STEP_OF(sent ? STEP_SENT : STEP_UNSENT, connection)) &&
           (!received || append(t, row, orphan->receive, STEP_OF(STEP_RECEIVED, orphan->server)));
}

/* Handles the answer to a message whose send is not known. */
static RARE bool answer_unsent(struct tt_timelines *t, const struct tt_action *a, uint32_t number,
                               uint32_t how)
{
    struct tt_message_row *row = row_at(t, number);
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
    return append(t, row, a->ticks, STEP_OF(STEP_ENDED, how));
}

/* Appends the receive of a message without one, if it is an orphan. */
static RARE bool append_receive(struct tt_timelines *t, const struct tt_action *a,
                                struct tt_message_row *row)
{
    struct tt_message_orphan *orphan = find_orphan(t, a->thread, a->other);
    if (orphan && orphan->send == TT_NO_TIME && orphan->receive >= last_time(row)) {
        uint64_t receive = orphan->receive;
        uint32_t server = orphan->server;
        drop_orphan(t, orphan);
        return append(t, row, receive, STEP_OF(STEP_RECEIVED, server));
    }
    return true;
}

bool tt_messages_reply(struct tt_timelines *t, const struct tt_action *a)
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
    uint32_t number = waiting_row(t, a->other);
    struct tt_message_row *row = row_at(t, number);
    if (number == TT_NO_ROW || row->state == MESSAGE_IDLE) {
        return number != TT_NO_ROW && answer_unsent(t, a, number, how);
    }
    return (row->state != MESSAGE_SENT || append_receive(t, a, row)) &&
           finish(t, number, row, a->ticks, STEP_OF(STEP_ENDED, how));
}

bool tt_messages_leave(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                       enum tt_message_end how)
{
    const struct tt_message_lane *of = tt_column_index_at(&t->messages.lane_at, lane->thread);
    lane->in_message = false;
    if (!of || of->waiting == 0 || row_at(t, of->waiting - 1)->state == MESSAGE_IDLE) {
        return true;
    }
    return tt_message_end_with(t, of->waiting - 1, time, how);
}

/* ---- losses ------------------------------------------------------------------------------- */

bool tt_messages_lost(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_lanes *messages = &t->messages;
    uint64_t from = tt_lost_since(a);
    bool ok = true;
    messages->losses++;
    messages->posted = 0;
    for (size_t i = 0; i < messages->listed_count; i++) {
        struct tt_message_row *row = row_at(t, messages->listed[i]);
        row->listed = false;
        if (row->state != MESSAGE_IDLE) {
            uint64_t last = last_time(row);
            ok = ok && tt_message_end_with(t, messages->listed[i], from > last ? from : last,
                                           TT_MESSAGE_LOST);
        }
    }
    messages->listed_count = 0;
    messages->orphan_count = 0;
    uint64_t length = a->ticks - from;
    uint32_t shown = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
    messages->gap_max = shown > messages->gap_max ? shown : messages->gap_max;
    ok = ok &&
         tt_track_append_wide(&messages->gaps, &t->arena, a->ticks, shown, messages->gap_max, NULL);
    return ok;
}
