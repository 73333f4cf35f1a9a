/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of flows, whose hops are messages without an answer (docs/messages.md). */
#include "base/hash.h"
#include "trace/timeline/messages_steps.h"

/* Returns the number of the connection of all flows; STEP_NONE when out of memory. */
static inline uint32_t flow_connection(struct tt_timelines *t)
{
    if (t->messages.flow_connection == 0) {
        uint32_t number = tt_message_connection_of(t, TT_NO_THREAD, TT_NO_CONNECTION);
        t->messages.flow_connection = number != STEP_NONE ? number + 1 : 0;
    }
    return t->messages.flow_connection != 0 ? t->messages.flow_connection - 1 : STEP_NONE;
}

/*
 * Flows of different processes may have one id, each one of them open. More of them than this are
 * lost, so that a walk over them is short.
 */
#define SAME_ID_MOST 256u

/* Returns what identifies a flow within its process: its category, its name and its id. */
static inline uint64_t flow_id(const struct tt_action *a)
{
    return tt_hash_of_pair(a->other, a->value);
}

/*
 * Finds the hop of a flow that another process, or an older flow, has moved out of `known`. Without a
 * hop of the process: the only one of all others, or NULL.
 */
static TT_RARE struct tt_message_row *find_among_others(const struct tt_timelines *t, uint64_t id,
                                                        uint32_t process)
{
    const struct tt_known_id *known = &t->messages.known[tt_known_slot(id)];
    struct tt_message_row *other = NULL;
    uint32_t others = 0;
    if (known->row != 0 && known->id == id && known->process == KNOWN_FLOW) {
        other = tt_message_row_at(t, known->row - 1);
        others++;
    }
    const struct tt_open_edge *edge =
        tt_open_spans_find(&t->messages.open, tt_known_key(KNOWN_FLOW, id));
    for (; edge; edge = tt_open_spans_older(&t->messages.open, edge)) {
        struct tt_message_row *row = tt_message_row_at(t, edge->what);
        if (tt_message_process_of(t, row->thread) == process) {
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
static inline struct tt_message_row *find_hop(const struct tt_timelines *t, uint64_t id,
                                              uint32_t process)
{
    const struct tt_known_id *known = &t->messages.known[tt_known_slot(id)];
    bool own = known->row != 0 && known->id == id && known->process == KNOWN_FLOW &&
               known->server == process;
    if (own) {
        return tt_message_row_at(t, known->row - 1);
    }
    return known->row != 0 || t->messages.open.live > 0 ? find_among_others(t, id, process) : NULL;
}

/* Ends the oldest hop with an id if there are too many. Returns false when out of memory. */
static TT_RARE bool lose_oldest(struct tt_timelines *t, uint64_t id, uint64_t time)
{
    uint64_t key = tt_known_key(KNOWN_FLOW, id);
    if (tt_open_spans_count(&t->messages.open, key) < SAME_ID_MOST) {
        return true;
    }
    const struct tt_open_edge *edge = tt_open_spans_oldest(&t->messages.open, key);
    return tt_message_end_with(t, edge->what, time, TT_MESSAGE_LOST);
}

/* Begins a hop from the thread of an action, of `process`. */
static inline bool begin_hop(struct tt_timelines *t, const struct tt_action *a, uint64_t id,
                             uint32_t process, unsigned state)
{
    uint32_t connection = flow_connection(t);
    bool full;
    if (connection == STEP_NONE) {
        return false;
    }
    struct tt_message_row *row = tt_message_row_for_post(t, a->thread, &full);
    if (!row) {
        return full;
    }
    bool ok = tt_message_open_row(t, row, a->ticks, connection);
    bool taken = t->messages.known[tt_known_slot(id)].row != 0;
    row->state = (uint8_t)state;
    return ok && (!taken || lose_oldest(t, id, a->ticks)) &&
           tt_message_register_id(t, KNOWN_FLOW, id, process, row);
}

/* Ends the hop of a row at the thread of an action. */
static inline bool end_hop(struct tt_timelines *t, const struct tt_action *a,
                           struct tt_message_row *row)
{
    bool known = a->thread < t->lane_at.count || a->thread < tt_thread_count(t->capture);
    return tt_message_finish_post(t, row, a->ticks,
                                  STEP_OF(STEP_TAKEN, known ? a->thread : STEP_NONE));
}

/* Begins a hop in a process. Of two flows of it with one id, it is not known which one a step or an end
 * belongs to. */
static inline bool begin_flow(struct tt_timelines *t, const struct tt_action *a, uint64_t id,
                              uint32_t process)
{
    const struct tt_message_row *open = find_hop(t, id, process);
    if (!open || tt_message_process_of(t, open->thread) != process) {
        return begin_hop(t, a, id, process, MESSAGE_SENT);
    }
    return tt_message_end_with(t, open->number, a->ticks, TT_MESSAGE_LOST) &&
           begin_hop(t, a, id, process, MESSAGE_AMBIGUOUS);
}

bool tt_messages_flow_begin(struct tt_timelines *t, const struct tt_action *a)
{
    return begin_flow(t, a, flow_id(a), tt_message_process_of(t, a->thread));
}

bool tt_messages_flow_end(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_row *row = find_hop(t, flow_id(a), tt_message_process_of(t, a->thread));
    if (!row) {
        return true;
    }
    return row->state == MESSAGE_AMBIGUOUS
               ? tt_message_end_with(t, row->number, a->ticks, TT_MESSAGE_LOST)
               : end_hop(t, a, row);
}

/* Handles a step: the end of a hop, and the begin of the next one. */
bool tt_messages_flow_step(struct tt_timelines *t, const struct tt_action *a)
{
    uint64_t id = flow_id(a);
    uint32_t process = tt_message_process_of(t, a->thread);
    struct tt_message_row *row = find_hop(t, id, process);
    if (!row || row->state == MESSAGE_AMBIGUOUS) {
        return true; /* its begin is not in the capture, or not known */
    }
    return end_hop(t, a, row) && begin_flow(t, a, id, process);
}
