/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/blocked_on.h"

#include "tracetui/merge.h"

#define EVENTS_BACK  64u    /* events read before the thread blocks, to find its call */
#define CHAIN_MOST   65536u /* consecutive blocked states */
#define EVENTS_AT    96u    /* with those at the same time */
#define ASKED_BACK   4u     /* events of the thread, to find the one that names a holder */
#define RECEIVE_FEW  128u   /* events searched at once for the receiver, doubled with each step */
#define RECEIVE_MOST 512u
#define RECEIVE_ACTS (2 * RECEIVE_MOST) /* an event sends or receives, rarely both */

uint64_t tt_wait_begin(const struct tt_timelines *timelines, struct tt_interval_at at)
{
    uint64_t begin = tt_interval_get(timelines, at).start;
    for (unsigned i = 0; i < CHAIN_MOST && tt_interval_previous(timelines, &at); i++) {
        struct tt_interval before = tt_interval_get(timelines, at);
        if (!tt_class_is_blocked(before.class_)) {
            break;
        }
        begin = before.start;
    }
    return begin;
}

/*
 * Finds the last call of the thread before it blocks, and the row after it. After a loss the call may
 * be missing, and an earlier one is not it.
 */
static bool blocked_on_find_call(struct tt_wakes *wakes, uint32_t thread, uint64_t begin,
                                 struct tt_clue *clue, uint64_t *row)
{
    struct tt_events *events = tt_wakes_events(wakes);
    struct tt_event list[EVENTS_AT];
    uint64_t at = tt_events_row_at_time(events, begin);
    uint64_t first = at > EVENTS_BACK ? at - EVENTS_BACK : 0;
    uint32_t count = tt_events_read(events, first, EVENTS_AT, list);
    while (count > 0 && list[count - 1].ticks > begin) {
        count--;
    }
    while (count-- > 0) {
        if (list[count].thread != thread) {
            continue;
        }
        tt_events_clue(events, &list[count], true, clue);
        if (clue->role == TT_CLUE_CALL || clue->role == TT_CLUE_CALL_END) {
            *row = first + count + 1;
            return clue->role == TT_CLUE_CALL &&
                   !tt_loss_between(tt_wakes_timelines(wakes), thread, list[count].ticks, begin);
        }
    }
    return false;
}

/*
 * Finds the holder of the lock for which a thread waits from the event in which it asks for it, in
 * formats without calls; false if no event right before the wait names one.
 */
static bool find_holder(struct tt_wakes *wakes, uint32_t thread, uint64_t begin,
                        struct tt_clue *clue)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_events *events = tt_wakes_events(wakes);
    struct tt_event list[EVENTS_AT];
    uint64_t at = tt_events_row_at_time(events, begin);
    uint64_t first = at > EVENTS_BACK ? at - EVENTS_BACK : 0;
    uint32_t count = tt_events_read(events, first, EVENTS_AT, list), own = 0;
    while (count-- > 0 && own < ASKED_BACK) {
        if (list[count].thread != thread || list[count].ticks > begin) {
            continue;
        }
        own++;
        tt_events_clue(events, &list[count], true, clue);
        if (clue->role == TT_CLUE_NONE && clue->other != TT_NO_THREAD) {
            return clue->other != thread &&
                   !tt_loss_between(timelines, thread, list[count].ticks, begin);
        }
    }
    return false;
}

/*
 * Finds the process that a message with a number is sent to at `sent`, and the thread that receives
 * it after `row`. Numbers are reused: one that is received after a loss may be that of another
 * message.
 */
static void blocked_on_find_receiver(struct tt_wakes *wakes, uint64_t row,
                                     const struct tt_interval *blocked, struct tt_blocked_on *on)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    const uint64_t sent = blocked->start;
    const uint64_t number = on->object ^ tt_merge_salt_of(tt_wakes_capture(wakes), blocked->thread);
    struct tt_events *events = tt_wakes_events(wakes);
    const uint64_t kinds = UINT64_C(1) << TT_ACTION_MESSAGE_SEND | UINT64_C(1)
                                                                       << TT_ACTION_MESSAGE_RECEIVE;
    struct tt_event list[RECEIVE_MOST];
    struct tt_action actions[RECEIVE_ACTS];
    uint32_t step = RECEIVE_FEW;
    for (uint32_t read = 0; read < TT_WAKE_REACH; read += step) {
        /* Each call decodes the blocks of its events again. */
        step = read == 0 ? RECEIVE_FEW : read < RECEIVE_MOST ? read : RECEIVE_MOST;
        uint32_t count = tt_events_read(events, row + read, step, list);
        uint32_t acts =
            tt_trace_actions_of(tt_wakes_trace(wakes), kinds, list, count, actions, RECEIVE_ACTS);
        for (uint32_t i = 0; i < acts; i++) {
            if (actions[i].value != number) {
                continue;
            }
            if (actions[i].kind == TT_ACTION_MESSAGE_SEND && on->process == UINT32_MAX) {
                on->process = actions[i].other;
            } else if (actions[i].kind == TT_ACTION_MESSAGE_RECEIVE) {
                bool lost = tt_loss_between(timelines, actions[i].thread, sent, actions[i].ticks);
                on->thread = lost ? on->thread : actions[i].thread;
                return;
            }
        }
        if (count < step) {
            break;
        }
    }
}

bool tt_blocked_on_find(struct tt_wakes *wakes, const struct tt_interval *blocked,
                        struct tt_blocked_on *on)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at at;
    struct tt_clue clue;
    uint64_t row = 0;
    *on = (struct tt_blocked_on){.thread = TT_NO_THREAD, .process = UINT32_MAX};
    tt_wakes_search_in(wakes, blocked->thread);
    if (blocked->since_before ||
        !tt_interval_find(timelines, blocked->thread, blocked->start, &at)) {
        return false;
    }
    if (!blocked_on_find_call(wakes, blocked->thread, tt_wait_begin(timelines, at), &clue, &row) &&
        !(blocked->class_ == TT_CLASS_LOCK &&
          find_holder(wakes, blocked->thread, blocked->start, &clue))) {
        return false;
    }
    on->object = clue.value;
    on->thread = clue.other;
    if (clue.kind == TT_WAKE_MESSAGE) {
        on->message = true;
        blocked_on_find_receiver(wakes, row, blocked, on);
    }
    return true;
}
