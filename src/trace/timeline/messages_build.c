/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes, rows, connections and ids of messages, for their builders, and the end of all of them by losses. */
#include <stdlib.h>

#include "base/array.h"
#include "trace/timeline/messages_steps.h"

bool tt_message_lanes_init(struct tt_message_lanes *messages, unsigned systems)
{
    tt_column_init(&messages->lanes, sizeof(struct tt_message_lane));
    tt_column_init(&messages->rows, sizeof(struct tt_message_row));
    tt_column_init(&messages->connections, sizeof(struct tt_connection));
    tt_track_init_wide(&messages->gaps, 0);
    messages->other_gaps = systems > 1 ? calloc(systems, sizeof *messages->other_gaps) : NULL;
    messages->systems = messages->other_gaps ? systems : 1;
    for (unsigned i = 1; i < messages->systems; i++) {
        tt_track_init_wide(&messages->other_gaps[i - 1], 0);
    }
    return messages->systems == systems;
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
    free(messages->other_gaps);
    free(messages->listed);
}

/* ---- lanes, rows, connections ------------------------------------------------------------- */

static struct tt_message_lane *messages_build_make_lanes(struct tt_message_lanes *messages,
                                                         uint32_t thread)
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

struct tt_message_lane *tt_message_lane_of(struct tt_timelines *timelines, uint32_t thread)
{
    struct tt_message_lanes *messages = &timelines->messages;
    struct tt_message_lane *lane = tt_column_index_at(&messages->lane_at, thread);
    return lane                     ? lane
           : thread == TT_NO_THREAD ? &messages->threadless
                                    : messages_build_make_lanes(messages, thread);
}

struct tt_message_row *tt_message_row_add(struct tt_message_lanes *messages, uint32_t thread,
                                          bool async, unsigned system)
{
    bool room = tt_column_count(&messages->rows) < STEP_NONE;
    struct tt_message_row *row = room ? tt_column_next(&messages->rows) : NULL;
    if (!row || !tt_column_index_add(&messages->row_at, row, sizeof *row)) {
        return NULL;
    }
    tt_track_init(&row->steps, 0);
    row->number = (uint32_t)tt_column_count(&messages->rows);
    row->thread = thread;
    row->async = async;
    row->system = (uint8_t)system;
    atomic_init(&row->next, TT_NO_ROW);
    tt_column_publish(&messages->rows);
    return row;
}

/* Adds a row after the last one of a lane; `last` is TT_NO_ROW for the first. */
static uint32_t messages_build_add_row(struct tt_timelines *timelines, struct tt_message_lane *lane,
                                       uint32_t thread, uint32_t last, bool async)
{
    uint32_t number = (uint32_t)tt_column_count(&timelines->messages.rows);
    struct tt_message_row *row =
        tt_message_row_add(&timelines->messages, thread, async, timelines->system.number);
    if (!row) {
        return TT_NO_ROW;
    }
    if (async) {
        row->of = lane;
    }
    if (last != TT_NO_ROW) {
        atomic_store_explicit(&tt_message_row_at(timelines, last)->next, number,
                              memory_order_release);
    } else {
        atomic_store_explicit(&lane->first, number + 1, memory_order_release);
    }
    lane->row_count++;
    return number;
}

static uint32_t last_row(const struct tt_timelines *timelines, const struct tt_message_lane *lane)
{
    uint32_t last = TT_NO_ROW;
    uint32_t at = atomic_load_explicit(&lane->first, memory_order_relaxed) - 1;
    while (at != TT_NO_ROW) {
        last = at;
        at = atomic_load_explicit(&tt_message_row_at(timelines, at)->next, memory_order_relaxed);
    }
    return last;
}

uint32_t tt_message_waiting_row(struct tt_timelines *timelines, uint32_t thread)
{
    struct tt_message_lane *lane = tt_message_lane_of(timelines, thread);
    if (lane && lane->waiting == 0) {
        lane->waiting =
            messages_build_add_row(timelines, lane, thread, last_row(timelines, lane), false) + 1;
    }
    return lane ? lane->waiting - 1 : TT_NO_ROW;
}

struct tt_message_row *tt_message_free_row(struct tt_timelines *timelines, uint32_t thread,
                                           bool *full)
{
    thread = thread < tt_thread_count(timelines->capture) ? thread : TT_NO_THREAD;
    struct tt_message_lane *lane = tt_message_lane_of(timelines, thread);
    *full = false;
    if (!lane) {
        return NULL;
    }
    if (lane->idle == 0) {
        /* Counts a lane's rows: it is new, or was restored from the index cache. */
        lane->idle = atomic_load_explicit(&lane->first, memory_order_relaxed);
        lane->row_count = 0;
        for (uint32_t at = lane->idle - 1; at != TT_NO_ROW; lane->row_count++) {
            at =
                atomic_load_explicit(&tt_message_row_at(timelines, at)->next, memory_order_relaxed);
        }
    }
    if (timelines->systems &&
        thread == TT_NO_THREAD) { /* other systems have rows in the same list */
        lane->idle = atomic_load_explicit(&lane->first, memory_order_relaxed);
    }
    uint32_t last = TT_NO_ROW;
    for (uint32_t at = lane->idle - 1; at != TT_NO_ROW;) {
        struct tt_message_row *row = tt_message_row_at(timelines, at);
        lane->idle = at + 1;
        if (row->async && row->state == MESSAGE_IDLE && row->system == timelines->system.number) {
            return row;
        }
        last = at;
        at = atomic_load_explicit(&row->next, memory_order_relaxed);
    }
    *full = lane->row_count >= TT_MESSAGE_ROWS;
    return *full ? NULL
                 : tt_message_row_at(timelines,
                                     messages_build_add_row(timelines, lane, thread, last, true));
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

uint32_t tt_message_connection_of(struct tt_timelines *timelines, uint32_t process, uint64_t id)
{
    struct tt_message_lanes *messages = &timelines->messages;
    struct tt_probe probe;
    for (uint32_t n =
             tt_hash_first(&messages->connection_by_id, tt_hash_of_pair(process, id), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&messages->connection_by_id, &probe)) {
        const struct tt_connection *connection = tt_message_connection_at(timelines, n);
        if (connection->process == process && connection->id == id) {
            return n;
        }
    }
    return tt_message_connection_add(messages, process, id)
               ? (uint32_t)tt_column_count(&messages->connections) - 1
               : STEP_NONE;
}

/* ---- ids ---------------------------------------------------------------------------------- */

uint32_t tt_message_process_of(const struct tt_timelines *timelines, uint32_t thread)
{
    return thread < tt_thread_count(timelines->capture)
               ? tt_thread_at(timelines->capture, thread)->process
               : TT_NO_THREAD;
}

void tt_message_find_process(const struct tt_timelines *timelines, struct tt_message_lane *lane,
                             uint32_t thread)
{
    uint32_t process = tt_message_process_of(timelines, thread);
    uint64_t pid =
        process != TT_NO_THREAD ? tt_process_at(timelines->capture, process)->pid : UINT32_MAX;
    lane->pid = pid < UINT32_MAX ? (uint32_t)pid : UINT32_MAX;
    lane->process = process + 1;
}

struct tt_message_id tt_message_id_of(const struct tt_timelines *timelines, uint64_t id)
{
    struct tt_message_id parts = {TT_NO_CONNECTION, 0};
    if (timelines->system.message_id) {
        timelines->system.message_id(id ^ timelines->system.salt, &parts);
    }
    return parts;
}

const struct tt_message_route *tt_message_make_route(struct tt_timelines *timelines,
                                                     struct tt_message_route *route,
                                                     uint32_t process, uint64_t id)
{
    uint32_t connection =
        tt_message_connection_of(timelines, process, tt_message_id_of(timelines, id).connection);
    *route = (struct tt_message_route){.id = id,
                                       .key = tt_message_key_of(timelines, process, id, true),
                                       .process = process,
                                       .connection = connection};
    route->key = connection != STEP_NONE ? route->key : 0;
    return route->key != 0 ? route : NULL;
}

bool tt_message_move_to_open(struct tt_timelines *timelines, struct tt_known_id *known)
{
    struct tt_message_row *row = tt_message_row_at(timelines, known->row - 1);
    if (!row) {
        return true;
    }
    bool of_process = known->process != KNOWN_HANDLE && known->process != KNOWN_FLOW;
    row->key = of_process ? known->key : tt_known_key(known->process, known->id);
    row->slot = 0;
    uint32_t number = known->row - 1;
    known->row = 0;
    return tt_open_spans_push(&timelines->messages.open, row->key, 0, number);
}

/* ---- steps of a row ----------------------------------------------------------------------- */

bool tt_message_append_chunk(struct tt_timelines *timelines, struct tt_message_row *row,
                             uint64_t time, uint32_t step)
{
    return tt_track_append(&row->steps, &timelines->arena, time, step, NULL);
}

bool tt_message_list_row(struct tt_timelines *timelines, struct tt_message_row *row)
{
    struct tt_message_lanes *messages = &timelines->messages;
    if (row->listed) {
        return true;
    }
    uint32_t *listed = tt_array_grow(messages->listed, messages->listed_count,
                                     &messages->listed_capacity, sizeof *listed);
    if (!listed) {
        return false;
    }
    messages->listed = listed;
    messages->listed[messages->listed_count++] = row->number;
    row->listed = true;
    return true;
}

void tt_message_set_waiting(const struct tt_timelines *timelines, struct tt_message_row *row,
                            bool waits)
{
    if (!row->lane) {
        row->lane = tt_column_index_at(&timelines->lane_at, row->thread);
    }
    if (row->lane) {
        row->lane->in_message = waits;
    }
}

/* Ends the current message of a row with `step`. Returns false when out of memory. */
static bool message_finish(struct tt_timelines *timelines, uint32_t number, uint64_t time,
                           uint32_t step)
{
    struct tt_message_row *row = tt_message_row_at(timelines, number);
    if (row->async) {
        return tt_message_finish_post(timelines, row, time, step);
    }
    tt_message_close(timelines, row);
    tt_message_set_waiting(timelines, row, false);
    return tt_message_append(timelines, row, time, step);
}

bool tt_message_end_with(struct tt_timelines *timelines, uint32_t number, uint64_t time,
                         uint32_t how)
{
    return message_finish(timelines, number, time, STEP_OF(STEP_ENDED, how));
}

/* ---- losses ------------------------------------------------------------------------------- */

/* Ends the open messages of the current system, in which a loss began at `from`. */
static bool end_listed(struct tt_timelines *timelines, uint64_t from)
{
    struct tt_message_lanes *messages = &timelines->messages;
    size_t remaining = 0;
    bool ok = true;
    for (size_t i = 0; i < messages->listed_count; i++) {
        struct tt_message_row *row = tt_message_row_at(timelines, messages->listed[i]);
        if (row->system != timelines->system.number) {
            messages->listed[remaining++] = row->number;
            continue;
        }
        row->listed = false;
        if (row->state != MESSAGE_IDLE) {
            uint64_t last = tt_message_last_time(row);
            ok = ok && tt_message_end_with(timelines, row->number, from > last ? from : last,
                                           TT_MESSAGE_LOST);
        }
    }
    messages->listed_count = remaining;
    return ok;
}

bool tt_messages_lost(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_message_lanes *messages = &timelines->messages;
    const unsigned system = timelines->system.number;
    struct tt_track *gaps = system == 0 ? &messages->gaps : &messages->other_gaps[system - 1];
    uint64_t from = tt_lost_since(action);
    messages->losses++;
    messages->posted = 0;
    bool ok = end_listed(timelines, from);

    uint32_t remaining = 0;
    for (uint32_t i = 0; i < messages->orphan_count; i++) {
        if (messages->orphans[i].system != timelines->system.number) {
            messages->orphans[remaining++] = messages->orphans[i];
        }
    }
    messages->orphan_count = remaining;

    uint32_t length = tt_message_gap_code(action->ticks - from);
    messages->gap_max = length > messages->gap_max ? length : messages->gap_max;
    return ok && tt_track_append_wide(gaps, &timelines->arena, action->ticks, length,
                                      messages->gap_max, NULL);
}
