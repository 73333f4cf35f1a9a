/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/answer.h"

#include "tracetui/format.h"
#include "tracetui/merge.h"

#define EVENTS_AT 64u /* events of one instant that are searched */

bool tt_waits_for_answer(const struct tt_timelines *timelines, const struct tt_capture *capture,
                         const struct tt_interval *interval, struct tt_message *message)
{
    struct tt_interval_at at;
    if (interval->class_ != TT_CLASS_UNKNOWN ||
        tt_format_has(tt_merge_format_of(capture, interval->thread), TT_FORMAT_REPLIES) ||
        interval->since_before ||
        !tt_message_at(timelines, interval->thread, interval->start, message) ||
        message->send == TT_NO_TIME || message->how == TT_MESSAGE_LOST ||
        !tt_interval_find(timelines, interval->thread, interval->start, &at) ||
        !tt_interval_previous(timelines, &at)) {
        return false;
    }
    struct tt_interval run = tt_interval_get(timelines, at);
    bool before = run.class_ == TT_CLASS_RUNNING && run.start <= message->send;
    return before && (message->end == TT_NO_TIME ? interval->open : message->end <= interval->end);
}

/* Finds the event at `ticks` that has a role in a message, of one thread or of any. */
static bool answer_find_event(struct tt_wakes *wakes, uint64_t ticks, unsigned role,
                              uint32_t thread, uint64_t message, struct tt_event *event,
                              struct tt_clue *clue)
{
    struct tt_events *events = tt_wakes_events(wakes);
    struct tt_event list[EVENTS_AT];
    uint32_t count = tt_events_read(events, tt_events_row_at_time(events, ticks), EVENTS_AT, list);
    for (uint32_t i = 0; i < count && list[i].ticks == ticks; i++) {
        tt_events_clue(events, &list[i], true, clue);
        if (clue->role == role &&
            (thread == TT_NO_THREAD ? clue->value == message : clue->thread == thread)) {
            *event = list[i];
            return true;
        }
    }
    return false;
}

void tt_answer_wake(struct tt_wakes *wakes, const struct tt_interval *interval,
                    const struct tt_message *message, struct tt_wake *wake)
{
    struct tt_event event;
    struct tt_clue sent, answer;
    *wake = (struct tt_wake){.at = message->end,
                             .vector = TT_NO_VECTOR,
                             .thread = interval->thread,
                             .waker = TT_NO_THREAD,
                             .state = interval->state,
                             .cpu = TT_NO_CPU};
    if (!answer_find_event(wakes, message->send, TT_CLUE_SEND, interval->thread, 0, &event,
                           &sent) ||
        !answer_find_event(wakes, message->end, TT_CLUE_ANSWER, TT_NO_THREAD, sent.value, &event,
                           &answer)) {
        return;
    }
    wake->cpu = event.cpu;
    wake->pos = event.pos;
    wake->has_event = true;
    if (answer.thread < tt_thread_count(tt_wakes_capture(wakes)) && answer.thread != wake->thread) {
        wake->by = TT_WAKER_THREAD;
        wake->waker = answer.thread;
        wake->kind = TT_WAKE_REPLY;
        wake->object = sent.value;
    }
}

bool tt_ends_in_wake(const struct tt_timelines *timelines, const struct tt_capture *capture,
                     const struct tt_interval *interval)
{
    struct tt_message m;
    return tt_class_is_blocked(interval->class_) ||
           (tt_waits_for_answer(timelines, capture, interval, &m) && m.end != TT_NO_TIME);
}

bool tt_wait_is_owed(const struct tt_capture *capture, unsigned state, unsigned wake)
{
    const struct tt_state_info *info = tt_format_state(capture->format, state);
    return info->class_ == TT_CLASS_LOCK || info->class_ == TT_CLASS_UNKNOWN ||
           wake == TT_WAKE_REPLY || wake == TT_WAKE_ERROR || (info->flags & TT_STATE_AWAITS_REPLY);
}
