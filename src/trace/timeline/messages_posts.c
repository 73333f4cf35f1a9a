/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of messages without an answer: pulses, queues and flows (docs/messages.md). */
#include "trace/timeline/timeline.h"

static struct tt_message_row *row_at(const struct tt_timelines *t, uint32_t number)
{
    return tt_column_index_at(&t->messages.row_at, number);
}

/* ---- messages without an answer ----------------------------------------------------------- */

/* Ends all messages of a key, whose order is no longer known. */
static bool lose_all(struct tt_timelines *t, uint64_t key, uint64_t time)
{
    const struct tt_open_edge *edge;
    bool ok = true;
    while (ok && (edge = tt_open_spans_oldest(&t->messages.open, key)) != NULL) {
        ok = tt_message_end_with(t, edge->what, time, TT_MESSAGE_LOST);
    }
    return ok;
}

bool tt_messages_post(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_message_id id = tt_message_id_of(t, a->value);
    uint32_t sender = a->thread < tt_thread_count(t->capture) ? a->thread : TT_NO_THREAD;
    uint64_t key = tt_message_key_of(t, a->other, a->value, true);
    bool full = false, was_empty = a->state == 1;
    uint32_t connection = tt_message_connection_of(t, a->other, id.connection);
    if (was_empty && !lose_all(t, key, a->ticks)) {
        return false; /* earlier posts have left the queue */
    }
    uint32_t row = connection != STEP_NONE ? tt_message_free_row(t, sender, &full) : TT_NO_ROW;
    if (connection == STEP_NONE || (row == TT_NO_ROW && !full)) {
        return false;
    }
    if (row == TT_NO_ROW) {
        /* Without this one the count of the queue's messages would be wrong. */
        ((struct tt_connection *)tt_column_at(&t->messages.connections, connection))->counted = 0;
        return lose_all(t, key, a->ticks);
    }
    if (a->state == 0) {
        t->messages.posted = row + 1;
        t->messages.posted_cpu = a->cpu;
        t->messages.posted_process = a->other;
    }
    return tt_message_begin_open(t, row, a->ticks, connection, key);
}

/* Returns whether threads in a state wait for messages. */
static bool is_receiving(const struct tt_timelines *t, unsigned state, unsigned class_)
{
    return class_ == TT_CLASS_IPC && state < sizeof t->awaits_reply && !t->awaits_reply[state];
}

/* Notes the receiver of the last post if the thread is the one that it woke. */
static void note_receiver(struct tt_timelines *t, const struct tt_lane *lane,
                          const struct tt_action *a)
{
    unsigned before = VALUE_STATE(lane->states.value);
    struct tt_message_row *row = row_at(t, t->messages.posted - 1);
    t->messages.posted = 0;
    if (tt_state_class(t, a->state) == TT_CLASS_READY &&
        is_receiving(t, before, tt_state_class(t, before)) &&
        tt_message_process_of(t, lane->thread) == t->messages.posted_process &&
        row->state == MESSAGE_SENT) {
        row->receiver = lane->thread + 1;
    }
}

bool tt_messages_state(struct tt_timelines *t, struct tt_lane *lane, const struct tt_action *a)
{
    unsigned class_ = tt_state_class(t, a->state);
    if (t->messages.posted != 0 && a->cpu == t->messages.posted_cpu) {
        note_receiver(t, lane, a);
    }
    if (!lane->in_message || !t->awaits_reply[VALUE_STATE(lane->states.value)] ||
        (class_ != TT_CLASS_READY && class_ != TT_CLASS_RUNNING && class_ != TT_CLASS_DEAD)) {
        return true;
    }
    /* The client stops waiting without an answer. */
    return tt_messages_leave(t, lane, a->ticks,
                             class_ == TT_CLASS_DEAD ? TT_MESSAGE_DIED : TT_MESSAGE_LEFT);
}

/* Returns whether the oldest message of a key is the first one of the queue. */
static bool is_first_in_queue(const struct tt_timelines *t, uint64_t key, const struct tt_action *a)
{
    return a->state == 0 || tt_open_spans_count(&t->messages.open, key) >= a->state - 1u;
}

/*
 * Finds when a receiving thread began its last wait for messages, since which it ran or was ready.
 * At this time the queue was empty.
 */
static bool find_empty(const struct tt_timelines *t, uint32_t thread, uint64_t ticks,
                       uint64_t *empty)
{
    struct tt_interval_at at;
    bool there = thread != STEP_NONE && ticks > 0 && tt_interval_find(t, thread, ticks - 1, &at);
    for (; there; there = tt_interval_previous(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        if (i.class_ != TT_CLASS_RUNNING && i.class_ != TT_CLASS_READY) {
            *empty = i.start;
            return is_receiving(t, i.state, i.class_);
        }
    }
    return false;
}

/* Finds the oldest post of a key that is in the queue; NULL: none. */
static const struct tt_open_edge *oldest_queued(const struct tt_timelines *t, uint64_t key)
{
    const struct tt_open_edge *edge = tt_open_spans_oldest(&t->messages.open, key);
    while (edge && row_at(t, edge->what)->receiver != 0) {
        edge = tt_open_spans_newer(&t->messages.open, edge);
    }
    return edge;
}

/*
 * Makes sure that all posts in the queue of a connection are in `open`: those from before the capture
 * or in lost records are not. *known: they are.
 */
static bool count_queue(struct tt_timelines *t, const struct tt_action *a, uint64_t key,
                        uint32_t thread, uint32_t number, bool *known)
{
    struct tt_connection *connection = tt_column_at(&t->messages.connections, number);
    const struct tt_open_edge *edge;
    uint64_t empty = 0;
    bool ok = true;
    *known = a->state != 0 || connection->counted == t->messages.losses + 1u;
    if (*known) {
        return true;
    }
    *known = find_empty(t, thread, a->ticks, &empty);
    if (!*known) {
        return lose_all(t, key, a->ticks);
    }
    connection->counted = t->messages.losses + 1u;
    while (ok && (edge = oldest_queued(t, key)) != NULL && edge->ticks < empty) {
        ok = tt_message_end_with(t, edge->what, a->ticks, TT_MESSAGE_LOST);
    }
    return ok;
}

/* Finds the post of a key that woke a thread; NULL: none. */
static const struct tt_open_edge *find_delivered(const struct tt_timelines *t, uint64_t key,
                                                 uint32_t thread)
{
    const struct tt_open_edge *edge = tt_open_spans_find(&t->messages.open, key);
    while (edge && row_at(t, edge->what)->receiver != thread + 1) {
        edge = tt_open_spans_older(&t->messages.open, edge);
    }
    return edge;
}

bool tt_messages_take(struct tt_timelines *t, const struct tt_action *a)
{
    uint32_t thread, process = tt_message_receiver(t, a, &thread);
    bool of_process = t->capture->format->message_ids_of_process;
    uint64_t key = tt_message_key_of(t, of_process ? process : TT_NO_THREAD, a->value, true);
    if ((a->flags & TT_ACTION_FAILED) != 0) {
        return lose_all(t, key, a->ticks);
    }
    const struct tt_open_edge *edge = tt_open_spans_oldest(&t->messages.open, key);
    bool known = true;
    if (!edge || !is_first_in_queue(t, key, a)) {
        return true;
    }
    /* Only a post without a number of messages wakes its receiver here (tt_messages_state). */
    const struct tt_open_edge *delivered =
        thread != STEP_NONE && a->state == 0 ? find_delivered(t, key, thread) : NULL;
    if (!delivered && !count_queue(t, a, key, thread, row_at(t, edge->what)->connection, &known)) {
        return false;
    }
    edge = delivered ? delivered : known ? oldest_queued(t, key) : NULL;
    if (!edge) {
        return true;
    }
    tt_message_note_channel(t, thread, row_at(t, edge->what)->connection);
    return tt_message_finish(t, edge->what, a->ticks, STEP_OF(STEP_TAKEN, thread));
}

/* ---- flows -------------------------------------------------------------------------------- */

bool tt_messages_flow_begin(struct tt_timelines *t, const struct tt_action *a)
{
    uint64_t key = tt_message_key_of(t, TT_NO_THREAD, a->value, true);
    uint32_t sender = a->thread < tt_thread_count(t->capture) ? a->thread : TT_NO_THREAD;
    bool full = false, is_open = tt_open_spans_find(&t->messages.open, key) != NULL;
    uint32_t connection = tt_message_connection_of(t, TT_NO_THREAD, TT_NO_CONNECTION);
    uint32_t row = TT_NO_ROW;
    if (connection == STEP_NONE || !lose_all(t, key, a->ticks)) {
        return false;
    }
    row = tt_message_free_row(t, sender, &full);
    if (row == TT_NO_ROW) {
        return full;
    }
    if (!tt_message_begin_open(t, row, a->ticks, connection, key)) {
        return false;
    }
    /* Of two flows with one id, it is not known which one a step or an end belongs to. */
    row_at(t, row)->state = is_open ? MESSAGE_AMBIGUOUS : MESSAGE_SENT;
    return true;
}

bool tt_messages_flow_end(struct tt_timelines *t, const struct tt_action *a)
{
    uint32_t thread = a->thread < tt_thread_count(t->capture) ? a->thread : STEP_NONE;
    const struct tt_open_edge *edge =
        tt_open_spans_find(&t->messages.open, tt_message_key_of(t, TT_NO_THREAD, a->value, true));
    if (!edge) {
        return true;
    }
    return row_at(t, edge->what)->state == MESSAGE_AMBIGUOUS
               ? tt_message_end_with(t, edge->what, a->ticks, TT_MESSAGE_LOST)
               : tt_message_finish(t, edge->what, a->ticks, STEP_OF(STEP_TAKEN, thread));
}

/* Handles a step: the end of a hop, and the begin of the next one. */
bool tt_messages_flow_step(struct tt_timelines *t, const struct tt_action *a)
{
    const struct tt_open_edge *edge =
        tt_open_spans_find(&t->messages.open, tt_message_key_of(t, TT_NO_THREAD, a->value, true));
    if (!edge) {
        return true; /* its begin is not in the capture */
    }
    return row_at(t, edge->what)->state == MESSAGE_AMBIGUOUS ||
           (tt_messages_flow_end(t, a) && tt_messages_flow_begin(t, a));
}
