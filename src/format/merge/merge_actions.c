/* SPDX-License-Identifier: Apache-2.0 */
/* merge_actions: events and actions of a member as those of the merged capture. */
#include "format/merge/merge_internal.h"

static uint16_t map_cpu(const struct tt_merge_member *member, uint16_t cpu)
{
    uint32_t first = atomic_load_explicit(&member->first_cpu, memory_order_relaxed);
    return cpu == TT_NO_CPU || cpu + first >= TT_NO_CPU ? TT_NO_CPU : (uint16_t)(cpu + first);
}

void merge_map_event(const struct tt_merge_member *member, struct tt_event *event)
{
    event->ticks = tt_clock_map_ticks(&member->clock, event->ticks);
    event->pos += member->capture->base;
    event->type = tt_types_whole(member->capture, event->type);
    event->cpu = map_cpu(member, event->cpu);
}

/* Meanings of the state and the value of a kind of action. */
enum {
    STATE = 1 << 0,       /* state: of a thread */
    STATE_VALUE = 1 << 1, /* value: a former state of a thread */
    STREAM = 1 << 2,      /* state: number of a stream */
    TICKS = 1 << 3,       /* value: a time */
    SPAN = 1 << 4,        /* value: a duration */
    ID = 1 << 5,          /* value: an id that other captures may have, too */
    TYPE = 1 << 6,        /* other: a type of events */
};

static const uint8_t parts_of_kind[64] = {
    [TT_ACTION_STATE] = STATE | STATE_VALUE,
    [TT_ACTION_SWITCH] = STATE,
    [TT_ACTION_WAKEUP] = STATE,
    [TT_ACTION_THREAD_CREATE] = STATE,
    [TT_ACTION_THREAD_DESTROY] = STATE,
    [TT_ACTION_MESSAGE_SEND] = ID,
    [TT_ACTION_MESSAGE_RECEIVE] = ID,
    [TT_ACTION_MESSAGE_REPLY] = ID,
    [TT_ACTION_POST] = ID,
    [TT_ACTION_TAKE] = ID,
    [TT_ACTION_CALL] = STATE,
    [TT_ACTION_SLICE_BEGIN] = STREAM | TYPE,
    [TT_ACTION_SLICE_END] = STREAM,
    [TT_ACTION_SLICE] = STREAM | SPAN | TYPE,
    [TT_ACTION_ASYNC_BEGIN] = STREAM | ID | TYPE,
    [TT_ACTION_ASYNC_END] = STREAM | ID | TYPE,
    [TT_ACTION_COUNTER] = STREAM,
    [TT_ACTION_FLOW_BEGIN] = ID,
    [TT_ACTION_FLOW_STEP] = ID,
    [TT_ACTION_FLOW_END] = ID,
    [TT_ACTION_LOST_SLICES] = STREAM | TICKS,
    [TT_ACTION_LOST] = TICKS,
    [TT_ACTION_NOTE] = TYPE,
};

void merge_map_action(const struct tt_capture *capture, const struct tt_merge_member *member,
                      struct tt_action *action)
{
    unsigned parts = parts_of_kind[action->kind & 63];
    action->ticks = tt_clock_map_ticks(&member->clock, action->ticks);
    action->pos += member->capture->base;
    action->cpu = map_cpu(member, action->cpu);
    if (parts & STATE) {
        action->state = action->state > 0 ? (uint16_t)(action->state + member->first_state) : 0;
    }
    if ((parts & STATE_VALUE) && action->value > 0) {
        action->value += member->first_state;
    }
    if (parts & STREAM) {
        action->state = (uint16_t)(action->state * capture->merge->count +
                                   (unsigned)(member - capture->merge->members));
    }
    if ((parts & TICKS) && action->value > 0) {
        action->value = tt_clock_map_ticks(&member->clock, action->value);
    }
    if ((parts & SPAN) ||
        (action->kind == TT_ACTION_SLICE_END && (action->flags & TT_ACTION_LENGTH) != 0)) {
        action->value = tt_clock_map_span(&member->clock, action->value);
    }
    if (parts & ID) {
        action->value ^=
            tt_merge_salt(capture->merge, (unsigned)(member - capture->merge->members));
    }
    if (parts & TYPE) {
        action->other = tt_types_whole(member->capture, action->other);
    }
    if (action->kind == TT_ACTION_LOST && !capture->merge->one_system) {
        action->other = (uint32_t)(member - capture->merge->members); /* of this system only */
    }
}

const struct tt_event *merge_latest(const struct tt_batch *batch, uint32_t first_event)
{
    const struct tt_event *latest = NULL;
    for (uint32_t i = first_event; i < batch->count; i++) {
        const struct tt_event *event = &batch->events[i];
        latest = !latest || tt_event_compare(event, latest) > 0 ? event : latest;
    }
    return latest;
}

void merge_add_end(const struct tt_merge_member *member, unsigned number,
                   const struct tt_event *latest, struct tt_batch *batch)
{
    if (!latest || latest->pos != atomic_load_explicit(&member->end_pos, memory_order_relaxed)) {
        return;
    }
    struct tt_action *end = tt_batch_act(batch, latest, TT_ACTION_LOST);
    if (end) {
        end->state = 1;
        end->value = latest->ticks;
        end->other = number;
    }
}
