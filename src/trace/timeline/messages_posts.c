/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of messages without an answer: pulses and queues (docs/messages.md) */
#include "trace/timeline/messages_steps.h"

/* Ends all messages of a key, whose order is no longer known. */
static bool lose_all(struct tt_timelines *timelines, uint64_t key, uint64_t time)
{
    const struct tt_open_edge *edge;
    bool ok = true;
    while (ok && (edge = tt_open_spans_oldest(&timelines->messages.open, key)) != NULL) {
        ok = tt_message_end_with(timelines, edge->what, time, TT_MESSAGE_LOST);
    }
    return ok;
}

/* Handles a post of a sender with too many. Without it the count of the queue's messages is wrong. */
static TT_RARE bool drop_post(struct tt_timelines *timelines, const struct tt_action *action,
                              uint64_t key, uint32_t connection)
{
    tt_message_connection_at(timelines, connection)->counted = 0;
    return lose_all(timelines, key, action->ticks);
}

bool tt_messages_post(struct tt_timelines *timelines, const struct tt_action *action)
{
    const struct tt_message_route *route =
        tt_message_route(timelines, action->other, action->value);
    bool full, was_empty = action->state == 1;
    if (!route) {
        return false;
    }
    uint64_t key = route->key;
    uint32_t connection = route->connection;
    if (was_empty && tt_open_spans_find(&timelines->messages.open, key) &&
        !lose_all(timelines, key, action->ticks)) {
        return false; /* earlier posts have left the queue */
    }
    struct tt_message_row *row = tt_message_row_for_post(timelines, action->thread, &full);
    if (!row) {
        return full && drop_post(timelines, action, key, connection);
    }
    if (action->state == 0) {
        timelines->messages.posted = row->number + 1;
        timelines->messages.posted_cpu = action->cpu;
        timelines->messages.posted_process = action->other;
    }
    row->key = key;
    return tt_open_spans_push(&timelines->messages.open, key, action->ticks, row->number) &&
           tt_message_open_row(timelines, row, action->ticks, connection);
}

/* Returns whether threads in a state wait for messages. */
static bool messages_posts_is_receiving(const struct tt_timelines *timelines, unsigned state,
                                        unsigned class_)
{
    return class_ == TT_CLASS_IPC && state < sizeof timelines->awaits_reply &&
           !timelines->awaits_reply[state];
}

/* Notes the receiver of the last post if the thread is the one that it woke. */
static TT_RARE void note_receiver(struct tt_timelines *timelines, const struct tt_lane *lane,
                                  const struct tt_action *action)
{
    unsigned before = VALUE_STATE(lane->states.value);
    struct tt_message_row *row = tt_message_row_at(timelines, timelines->messages.posted - 1);
    timelines->messages.posted = 0;
    if (tt_state_class(timelines, action->state) == TT_CLASS_READY &&
        messages_posts_is_receiving(timelines, before, tt_state_class(timelines, before)) &&
        tt_message_process_of(timelines, lane->thread) == timelines->messages.posted_process &&
        row->state == MESSAGE_SENT) {
        row->receiver = lane->thread + 1;
    }
}

/* Handles a client that stops waiting without an answer. */
static TT_RARE bool messages_posts_leave(struct tt_timelines *timelines, struct tt_lane *lane,
                                         const struct tt_action *action)
{
    bool died = tt_state_class(timelines, action->state) == TT_CLASS_DEAD;
    return tt_messages_leave(timelines, lane, action->ticks,
                             died ? TT_MESSAGE_DIED : TT_MESSAGE_LEFT);
}

bool tt_messages_state(struct tt_timelines *timelines, struct tt_lane *lane,
                       const struct tt_action *action)
{
    const unsigned leaving = 1u << TT_CLASS_READY | 1u << TT_CLASS_RUNNING | 1u << TT_CLASS_DEAD;
    if (timelines->messages.posted != 0 && action->cpu == timelines->messages.posted_cpu) {
        note_receiver(timelines, lane, action);
    }
    bool leaves =
        lane->in_message && (leaving >> tt_state_class(timelines, action->state) & 1) != 0;
    return !leaves || !timelines->awaits_reply[VALUE_STATE(lane->states.value)] ||
           messages_posts_leave(timelines, lane, action);
}

/*
 * Finds when a receiving thread began its last wait for messages, since which it ran or was ready.
 * At this time the queue was empty.
 */
static bool find_empty(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                       uint64_t *empty)
{
    struct tt_interval_at at;
    bool there =
        thread != STEP_NONE && ticks > 0 && tt_interval_find(timelines, thread, ticks - 1, &at);
    for (; there; there = tt_interval_previous(timelines, &at)) {
        struct tt_interval i = tt_interval_get(timelines, at);
        if (i.class_ != TT_CLASS_RUNNING && i.class_ != TT_CLASS_READY) {
            *empty = i.start;
            return messages_posts_is_receiving(timelines, i.state, i.class_);
        }
    }
    return false;
}

/* Returns the first post from `edge` on that is in the queue; NULL: none. */
static const struct tt_open_edge *first_queued(const struct tt_timelines *timelines,
                                               const struct tt_open_edge *edge)
{
    while (edge && tt_message_row_at(timelines, edge->what)->receiver != 0) {
        edge = tt_open_spans_newer(&timelines->messages.open, edge);
    }
    return edge;
}

/* Finds the oldest post of a key that is in the queue; NULL: none. */
static const struct tt_open_edge *oldest_queued(const struct tt_timelines *timelines, uint64_t key)
{
    return first_queued(timelines, tt_open_spans_oldest(&timelines->messages.open, key));
}

/*
 * Finds whether `open` has all posts in the queue of a connection: it lacks those from before the
 * capture or in lost records. Ends posts that are certainly not in the queue, as lost. *known:
 * `open` has all. Returns false when out of memory.
 */
static TT_RARE bool count_queue(struct tt_timelines *timelines, const struct tt_action *action,
                                uint64_t key, uint32_t thread, struct tt_connection *connection,
                                bool *known)
{
    const struct tt_open_edge *edge;
    uint64_t empty = 0;
    bool ok = true;
    *known = find_empty(timelines, thread, action->ticks, &empty);
    if (!*known) {
        return lose_all(timelines, key, action->ticks);
    }
    connection->counted = timelines->messages.losses + 1u;
    while (ok && (edge = oldest_queued(timelines, key)) != NULL && edge->ticks < empty) {
        ok = tt_message_end_with(timelines, edge->what, action->ticks, TT_MESSAGE_LOST);
    }
    return ok;
}

/* Finds the post of a key that woke a thread; NULL: none. */
static const struct tt_open_edge *find_delivered(const struct tt_timelines *timelines, uint64_t key,
                                                 uint32_t thread)
{
    const struct tt_open_edge *edge = tt_open_spans_find(&timelines->messages.open, key);
    while (edge && tt_message_row_at(timelines, edge->what)->receiver != thread + 1) {
        edge = tt_open_spans_older(&timelines->messages.open, edge);
    }
    return edge;
}

/*
 * Finds the post that a thread takes from a queue without a number of messages, whose oldest one is
 * *edge; sets *edge to NULL if it is not known. Returns false when out of memory.
 */
static bool find_taken(struct tt_timelines *timelines, const struct tt_action *action, uint64_t key,
                       uint32_t thread, const struct tt_open_edge **edge)
{
    struct tt_connection *connection = tt_message_connection_at(
        timelines, tt_message_row_at(timelines, (*edge)->what)->connection);
    /* Only a post without a number of messages wakes its receiver here (tt_messages_state). */
    const struct tt_open_edge *delivered =
        thread != STEP_NONE ? find_delivered(timelines, key, thread) : NULL;
    if (delivered) {
        *edge = delivered;
        return true;
    }
    if (connection->counted == timelines->messages.losses + 1u) {
        *edge = first_queued(timelines, *edge);
        return true;
    }
    bool known, ok = count_queue(timelines, action, key, thread, connection, &known);
    *edge = ok && known ? oldest_queued(timelines, key) : NULL;
    return ok;
}

/* Returns the process and the thread that receive; the process only where ids are valid in it. */
static inline uint32_t taker(const struct tt_timelines *timelines, const struct tt_action *action,
                             uint32_t *thread)
{
    if (timelines->system.ids_of_process || action->other != TT_NO_THREAD ||
        action->thread == TT_NO_THREAD) {
        return tt_message_receiver(timelines, action, thread);
    }
    *thread = action->thread;
    return TT_NO_THREAD;
}

bool tt_messages_handle(struct tt_timelines *timelines, const struct tt_action *action)
{
    uint32_t thread, process = taker(timelines, action, &thread);
    uint64_t key = tt_message_key_of(timelines, process, action->value, true);
    if ((action->flags & TT_ACTION_FAILED) != 0) {
        return lose_all(timelines, key, action->ticks);
    }
    const struct tt_open_edge *edge = tt_open_spans_find(&timelines->messages.open, key);
    /* The oldest one known may not be the first of the queue. */
    if (!edge || (action->state != 0 && edge->count < action->state - 1u)) {
        return true;
    }
    edge = tt_open_spans_oldest_of(&timelines->messages.open, edge);
    if (action->state == 0 && !find_taken(timelines, action, key, thread, &edge)) {
        return false;
    }
    if (!edge) {
        return true;
    }
    struct tt_message_row *row = tt_message_row_at(timelines, edge->what);
    if (timelines->system.ids_of_process) { /* others have no channels */
        tt_message_note_channel(timelines, thread, row->connection);
    }
    return tt_message_finish_post(timelines, row, action->ticks, STEP_OF(STEP_TAKEN, thread));
}
