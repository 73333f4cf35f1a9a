/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of flows, whose hops are messages without an answer (docs/messages.md). */
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

/* Ends all hops with an id, the oldest first. */
static TT_RARE bool lose_all(struct tt_timelines *t, uint64_t id, uint64_t time)
{
    const struct tt_known_id *known = &t->messages.known[tt_known_slot(id)];
    const struct tt_open_edge *edge;
    uint64_t key = tt_known_key(KNOWN_FLOW, id);
    bool ok = true;
    while (ok && (edge = tt_open_spans_oldest(&t->messages.open, key)) != NULL) {
        ok = tt_message_end_with(t, edge->what, time, TT_MESSAGE_LOST);
    }
    return ok && (known->row == 0 || known->id != id || known->process != KNOWN_FLOW ||
                  tt_message_end_with(t, known->row - 1, time, TT_MESSAGE_LOST));
}

/* Begins a hop from the thread of an action. */
static inline bool begin_hop(struct tt_timelines *t, const struct tt_action *a, unsigned state)
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
    row->state = (uint8_t)state;
    return ok && tt_message_register_id(t, KNOWN_FLOW, a->value, 0, row);
}

/* Ends the hop of a row at the thread of an action. */
static inline bool end_hop(struct tt_timelines *t, const struct tt_action *a,
                           struct tt_message_row *row)
{
    bool known = a->thread < t->lane_at.count || a->thread < tt_thread_count(t->capture);
    return tt_message_finish_post(t, row, a->ticks,
                                  STEP_OF(STEP_TAKEN, known ? a->thread : STEP_NONE));
}

static inline bool begin_flow(struct tt_timelines *t, const struct tt_action *a)
{
    if (tt_message_find_open(t, KNOWN_FLOW, a->value) == TT_NO_ROW) {
        return begin_hop(t, a, MESSAGE_SENT);
    }
    /* Of two flows with one id, it is not known which one a step or an end belongs to. */
    return lose_all(t, a->value, a->ticks) && begin_hop(t, a, MESSAGE_AMBIGUOUS);
}

bool tt_messages_flow_begin(struct tt_timelines *t, const struct tt_action *a)
{
    return begin_flow(t, a);
}

bool tt_messages_flow_end(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_row *row =
        tt_message_row_at(t, tt_message_find_open(t, KNOWN_FLOW, a->value));
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
    struct tt_message_row *row =
        tt_message_row_at(t, tt_message_find_open(t, KNOWN_FLOW, a->value));
    if (!row || row->state == MESSAGE_AMBIGUOUS) {
        return true; /* its begin is not in the capture, or not known */
    }
    return end_hop(t, a, row) && begin_flow(t, a);
}
