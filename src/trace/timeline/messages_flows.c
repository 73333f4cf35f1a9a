/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of flows, whose hops are messages without an answer (docs/messages.md). */
#include "base/hash.h"
#include "trace/timeline/messages_steps.h"

/* Returns the number of the connection of all flows; STEP_NONE when out of memory. */
static inline uint32_t flow_connection(struct tt_timelines *timelines)
{
    if (timelines->messages.flow_connection == 0) {
        uint32_t number = tt_message_connection_of(timelines, TT_NO_THREAD, TT_NO_CONNECTION);
        timelines->messages.flow_connection = number != STEP_NONE ? number + 1 : 0;
    }
    return timelines->messages.flow_connection != 0 ? timelines->messages.flow_connection - 1
                                                    : STEP_NONE;
}

/*
 * Flows of different processes may have one id, each one of them open. More of them than this are
 * lost, so that a walk over them is short.
 */
#define SAME_ID_MOST 256u

/* Returns what identifies a flow within its process: its category, its name and its id. */
static inline uint64_t flow_id(const struct tt_action *action)
{
    return tt_hash_of_pair(action->other, action->value);
}

/*
 * Finds the hop of a flow that another process, or an older flow, has moved out of `known`. Without a
 * hop of the process: the only one of all others, or NULL.
 */
static TT_RARE struct tt_message_row *find_among_others(const struct tt_timelines *timelines,
                                                        uint64_t id, uint32_t process)
{
    const struct tt_known_id *known = &timelines->messages.known[tt_known_slot(id)];
    struct tt_message_row *other = NULL;
    uint32_t others = 0;
    if (known->row != 0 && known->id == id && known->process == KNOWN_FLOW) {
        other = tt_message_row_at(timelines, known->row - 1);
        others++;
    }
    const struct tt_open_edge *edge =
        tt_open_spans_find(&timelines->messages.open, tt_known_key(KNOWN_FLOW, id));
    for (; edge; edge = tt_open_spans_older(&timelines->messages.open, edge)) {
        struct tt_message_row *row = tt_message_row_at(timelines, edge->what);
        if (tt_message_process_of(timelines, row->thread) == process) {
            return row;
        }
        other = row;
        others++;
    }
    return others == 1 ? other : NULL;
}

/*
 * Finds the open hop that an event of a process continues: that of its own process, else the only one
 * of all processes. Returns NULL if there is none, or if it is not known which of several.
 */
static inline struct tt_message_row *find_hop(const struct tt_timelines *timelines, uint64_t id,
                                              uint32_t process)
{
    const struct tt_known_id *known = &timelines->messages.known[tt_known_slot(id)];
    bool own = known->row != 0 && known->id == id && known->process == KNOWN_FLOW &&
               known->server == process;
    if (own) {
        return tt_message_row_at(timelines, known->row - 1);
    }
    return known->row != 0 || timelines->messages.open.live > 0
               ? find_among_others(timelines, id, process)
               : NULL;
}

/* Ends the oldest hop with an id if there are too many. Returns false when out of memory. */
static TT_RARE bool lose_oldest(struct tt_timelines *timelines, uint64_t id, uint64_t time)
{
    uint64_t key = tt_known_key(KNOWN_FLOW, id);
    if (tt_open_spans_count(&timelines->messages.open, key) < SAME_ID_MOST) {
        return true;
    }
    const struct tt_open_edge *edge = tt_open_spans_oldest(&timelines->messages.open, key);
    return tt_message_end_with(timelines, edge->what, time, TT_MESSAGE_LOST);
}

/* Begins a hop from the thread of an action, of `process`. */
static inline bool begin_hop(struct tt_timelines *timelines, const struct tt_action *action,
                             uint64_t id, uint32_t process, unsigned state)
{
    uint32_t connection = flow_connection(timelines);
    bool full;
    if (connection == STEP_NONE) {
        return false;
    }
    struct tt_message_row *row = tt_message_row_for_post(timelines, action->thread, &full);
    if (!row) {
        return full;
    }
    bool ok = tt_message_open_row(timelines, row, action->ticks, connection);
    bool taken = timelines->messages.known[tt_known_slot(id)].row != 0;
    row->state = (uint8_t)state;
    return ok && (!taken || lose_oldest(timelines, id, action->ticks)) &&
           tt_message_register_id(timelines, KNOWN_FLOW, id, process, row);
}

/* Ends the hop of a row at the thread of an action. */
static inline bool end_hop(struct tt_timelines *timelines, const struct tt_action *action,
                           struct tt_message_row *row)
{
    bool known = action->thread < timelines->lane_at.count ||
                 action->thread < tt_thread_count(timelines->capture);
    return tt_message_finish_post(timelines, row, action->ticks,
                                  STEP_OF(STEP_TAKEN, known ? action->thread : STEP_NONE));
}

/* Begins a hop in a process. Of two flows of it with one id, it is not known which one a step or an end
 * belongs to. */
static inline bool begin_flow(struct tt_timelines *timelines, const struct tt_action *action,
                              uint64_t id, uint32_t process)
{
    const struct tt_message_row *open = find_hop(timelines, id, process);
    if (!open || tt_message_process_of(timelines, open->thread) != process) {
        return begin_hop(timelines, action, id, process, MESSAGE_SENT);
    }
    return tt_message_end_with(timelines, open->number, action->ticks, TT_MESSAGE_LOST) &&
           begin_hop(timelines, action, id, process, MESSAGE_AMBIGUOUS);
}

bool tt_messages_flow_begin(struct tt_timelines *timelines, const struct tt_action *action)
{
    return begin_flow(timelines, action, flow_id(action),
                      tt_message_process_of(timelines, action->thread));
}

bool tt_messages_flow_end(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_message_row *row =
        find_hop(timelines, flow_id(action), tt_message_process_of(timelines, action->thread));
    if (!row) {
        return true;
    }
    return row->state == MESSAGE_AMBIGUOUS
               ? tt_message_end_with(timelines, row->number, action->ticks, TT_MESSAGE_LOST)
               : end_hop(timelines, action, row);
}

/* Handles a step: the end of a hop, and the begin of the next one. */
bool tt_messages_flow_step(struct tt_timelines *timelines, const struct tt_action *action)
{
    uint64_t id = flow_id(action);
    uint32_t process = tt_message_process_of(timelines, action->thread);
    struct tt_message_row *row = find_hop(timelines, id, process);
    if (!row || row->state == MESSAGE_AMBIGUOUS) {
        return true; /* its begin is not in the capture, or not known */
    }
    return end_hop(timelines, action, row) && begin_flow(timelines, action, id, process);
}
