/* SPDX-License-Identifier: Apache-2.0 */
/*
 * messages_steps: the inline steps that all builders of messages share. They handle the usual
 * message without a call; whatever is rare, such as the first message of a thread or the end of a
 * chunk, is a call of its own.
 */
#ifndef TRACETUI_TRACE_TIMELINE_MESSAGES_STEPS_H
#define TRACETUI_TRACE_TIMELINE_MESSAGES_STEPS_H

#include "trace/timeline/rare.h"
#include "trace/timeline/timeline.h"

static inline struct tt_message_row *tt_message_row_at(const struct tt_timelines *timelines,
                                                       uint32_t number)
{
    return tt_column_index_at(&timelines->messages.row_at, number);
}

static inline struct tt_connection *tt_message_connection_at(const struct tt_timelines *timelines,
                                                             uint32_t number)
{
    return tt_column_index_at(&timelines->messages.connection_at, number);
}

/* ---- ids ---------------------------------------------------------------------------------- */

/* Returns the key of a message whose id is valid in a process, or TT_NO_THREAD; never 0. */
static inline uint64_t tt_message_key_in(uint32_t process, uint64_t id, bool async)
{
    uint64_t key = (((uint64_t)process << 1 | async) * UINT64_C(0x9e3779b97f4a7c15)) ^ id;
    key = (key ^ key >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (key ^ key >> 32) | 1;
}

/* Returns the key of a message of a server process. */
static inline uint64_t tt_message_key_of(const struct tt_timelines *timelines, uint32_t process,
                                         uint64_t id, bool async)
{
    bool of_process = timelines->system.ids_of_process;
    return tt_message_key_in(of_process ? process : TT_NO_THREAD, id, async);
}

static inline struct tt_message_route *tt_message_route_slot(struct tt_timelines *timelines,
                                                             uint32_t process, uint64_t id)
{
    uint64_t mixed = (id + ((uint64_t)process << 32)) * UINT64_C(0x9e3779b97f4a7c15);
    return &timelines->messages.routes[mixed >> (64 - TT_ROUTE_BITS)];
}

/* Returns what follows from a server process and an id, if it was used lately, or NULL. */
static inline const struct tt_message_route *tt_message_route_known(struct tt_timelines *timelines,
                                                                    uint32_t process, uint64_t id)
{
    const struct tt_message_route *route = tt_message_route_slot(timelines, process, id);
    return route->key != 0 && route->id == id && route->process == process ? route : NULL;
}

/* Returns what follows from a server process and an id; NULL when out of memory. */
static inline const struct tt_message_route *tt_message_route(struct tt_timelines *timelines,
                                                              uint32_t process, uint64_t id)
{
    const struct tt_message_route *route = tt_message_route_known(timelines, process, id);
    return route ? route
                 : tt_message_make_route(timelines, tt_message_route_slot(timelines, process, id),
                                         process, id);
}

/* Returns the number of the entry of `known` for a handle or a flow. */
static inline uint32_t tt_known_slot(uint64_t id)
{
    return (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TT_KNOWN_BITS));
}

/* Returns the key of a handle or a flow. */
static inline uint64_t tt_known_key(uint32_t kind, uint64_t id)
{
    return tt_message_key_in(TT_NO_THREAD, id, kind == KNOWN_FLOW);
}

/* Finds the open message of a handle or flow, KNOWN_HANDLE or KNOWN_FLOW; TT_NO_ROW: none. */
static inline uint32_t tt_message_find_open(const struct tt_timelines *timelines, uint32_t kind,
                                            uint64_t id)
{
    const struct tt_known_id *known = &timelines->messages.known[tt_known_slot(id)];
    if (known->row != 0 && known->id == id && known->process == kind) {
        return known->row - 1;
    }
    const struct tt_open_edge *edge =
        timelines->messages.open.live > 0
            ? tt_open_spans_find(&timelines->messages.open, tt_known_key(kind, id))
            : NULL;
    return edge ? edge->what : TT_NO_ROW;
}

/* Makes an entry of `known`, which has no open message, that of a handle or flow. */
static inline void tt_known_set(struct tt_known_id *known, uint32_t kind, uint64_t id,
                                uint32_t server, uint32_t connection)
{
    known->id = id;
    known->key = 1;
    known->process = kind;
    known->connection = connection;
    known->server = server;
}

/* Registers the message of a row in an entry of `known`, which has no open one. */
static inline void tt_message_register(struct tt_timelines *timelines, uint32_t slot,
                                       struct tt_message_row *row)
{
    timelines->messages.known[slot].row = row->number + 1;
    timelines->messages.known_at[slot].row = row;
    row->slot = (uint8_t)(slot + 1);
}

/* Registers the message of a handle or flow. Returns false when out of memory. */
static inline bool tt_message_register_id(struct tt_timelines *timelines, uint32_t kind,
                                          uint64_t id, uint32_t server, struct tt_message_row *row)
{
    uint32_t slot = tt_known_slot(id);
    struct tt_known_id *known = &timelines->messages.known[slot];
    if (known->row != 0 && !tt_message_move_to_open(timelines, known)) {
        return false;
    }
    tt_known_set(known, kind, id, server, row->connection);
    tt_message_register(timelines, slot, row);
    return true;
}

/* ---- steps of a row ----------------------------------------------------------------------- */

static inline uint64_t tt_message_last_time(const struct tt_message_row *row)
{
    return tt_track_is_empty(&row->steps) ? 0 : tt_track_last_time(&row->steps);
}

/* Appends a step. Returns false when out of memory. The last call of a function needs no frame. */
static inline bool tt_message_append(struct tt_timelines *timelines, struct tt_message_row *row,
                                     uint64_t time, uint32_t step)
{
    return tt_track_try_put(&row->steps, time, step, false, 0)
               ? true
               : tt_message_append_chunk(timelines, row, time, step);
}

/* Begins a message of a row, which the caller registers. Returns false when out of memory. */
static inline bool tt_message_open_row(struct tt_timelines *timelines, struct tt_message_row *row,
                                       uint64_t time, uint32_t connection)
{
    row->state = MESSAGE_SENT;
    row->connection = connection;
    row->receiver = 0;
    return (row->listed || tt_message_list_row(timelines, row)) &&
           tt_message_append(timelines, row, time, STEP_OF(STEP_SENT, connection));
}

/* Ends the registration of the current message of a row. */
static inline void tt_message_close(struct tt_timelines *timelines, struct tt_message_row *row)
{
    if (row->slot != 0) {
        timelines->messages.known[row->slot - 1].row = 0;
    } else if (row->key != 0) {
        tt_open_spans_remove(&timelines->messages.open, row->key, row->number);
    }
    row->slot = 0;
    row->key = 0;
    row->state = MESSAGE_IDLE;
}

/* Ends a post with a step. Returns false when out of memory. */
static inline bool tt_message_finish_post(struct tt_timelines *timelines,
                                          struct tt_message_row *row, uint64_t time, uint32_t step)
{
    tt_message_close(timelines, row);
    if (!row->of && !(row->of = tt_message_lane_of(timelines, row->thread))) {
        return false;
    }
    /* The numbers of a sender's rows ascend along its list. */
    uint32_t first = row->number + 1;
    row->of->idle = row->of->idle > first ? first : row->of->idle;
    return tt_message_append(timelines, row, time, step);
}

/* Finds a free row of the sender of posts: tt_message_free_row. */
static inline struct tt_message_row *tt_message_row_for_post(struct tt_timelines *timelines,
                                                             uint32_t thread, bool *full)
{
    const struct tt_message_lane *lane = tt_column_index_at(&timelines->messages.lane_at, thread);
    lane = !lane && thread == TT_NO_THREAD ? &timelines->messages.threadless : lane;
    struct tt_message_row *row = lane ? tt_message_row_at(timelines, lane->idle - 1) : NULL;
    *full = false;
    bool is_free = row && row->async && row->state == MESSAGE_IDLE;
    return is_free && row->system == timelines->system.number
               ? row
               : tt_message_free_row(timelines, thread, full);
}

#endif
