/* SPDX-License-Identifier: Apache-2.0 */
/*
 * action_out: the actions of a batch as a decoder appends them, for the events of a run before which it
 * has checked the room for their actions (TT_ACTIONS_PER_EVENT each). The results are those of tt_batch_act,
 * whose checks cost as much as the rest of it.
 *
 *      tt_action_out_begin   from a batch: its place, and the kinds that are wanted
 *      tt_action_out_next    the next action; written and not counted if it is not wanted
 *      tt_action_out_at      the same with a key, where the event's was written just before
 *      tt_action_out_end     to the batch: the number of actions
 */
#ifndef TRACETUI_FORMAT_ACTION_OUT_H
#define TRACETUI_FORMAT_ACTION_OUT_H

#include "tracetui/format.h"

struct tt_action_out {
    struct tt_action *actions;
    uint64_t wanted; /* kinds, one bit each */
    uint32_t count;
};

/* `spare`: where actions are written if the batch has no actions. */
static inline struct tt_action_out tt_action_out_begin(const struct tt_batch *batch,
                                                       struct tt_action *spare)
{
    bool none = !batch->actions;
    return (struct tt_action_out){
        .actions = none ? spare : batch->actions,
        .wanted = none ? 0 : ~(batch->unwanted | UINT64_C(1) << TT_ACTION_NONE),
        .count = none ? 0 : batch->action_count,
    };
}

static inline void tt_action_out_end(const struct tt_action_out *out, struct tt_batch *batch)
{
    if (batch->actions) {
        batch->action_count = out->count;
    }
}

/* Returns the number of actions from which on a batch has no room for those of another event. */
static inline uint32_t tt_action_out_limit(const struct tt_batch *batch)
{
    const uint32_t room = batch->action_capacity;
    if (!batch->actions) {
        return UINT32_MAX;
    }
    return room >= TT_ACTIONS_PER_EVENT ? room - TT_ACTIONS_PER_EVENT + 1 : 0;
}

/*
 * Returns the next action, of `thread` on `cpu`, with a key and defaults otherwise. A load of both words of
 * an event's key waits for the two stores that have just written them: a decoder that has one of the words
 * elsewhere passes that.
 */
static inline struct tt_action *tt_action_out_at(struct tt_action_out *out, uint64_t ticks,
                                                 uint64_t pos, unsigned kind, uint32_t thread,
                                                 uint16_t cpu)
{
    struct tt_action *action = &out->actions[out->count];
    out->count += (uint32_t)(out->wanted >> kind & 1);
    tt_action_init(action, ticks, pos, kind);
    action->thread = thread;
    action->cpu = cpu;
    return action;
}

/* Does the same with the key of `event`. */
static inline struct tt_action *tt_action_out_next(struct tt_action_out *out,
                                                   const struct tt_event *event, unsigned kind,
                                                   uint32_t thread, uint16_t cpu)
{
    return tt_action_out_at(out, event->ticks, event->pos, kind, thread, cpu);
}

#endif
