/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/wake_flow.h"

#include "analysis/causes/blocked_on.h"
#include "tracetui/messages.h"

#define REACH     512u /* events read in each direction */
#define WINDOW    64u  /* events read at once */
#define RUNS_MOST 64u  /* intervals until the woken thread blocks again */

#define HOPS_MOST 16u /* of a flow from process to process */

/* An event of a flow. */
struct flow {
    uint64_t id;
    uint64_t ticks;
    uint32_t thread;
    uint32_t type; /* category and name */
    unsigned kind; /* enum tt_kind */
};

/* Reads the flow of an event of `thread`; false if it is another event. */
static bool read_flow(struct tt_wakes *wakes, const struct tt_event *event, uint32_t thread,
                      struct flow *flow)
{
    struct tt_clue clue;
    if (event->thread != thread ||
        (event->kind != TT_KIND_FLOW_BEGIN && event->kind != TT_KIND_FLOW_STEP &&
         event->kind != TT_KIND_FLOW_END)) {
        return false;
    }
    tt_events_clue(tt_wakes_events(wakes), event, true, &clue);
    *flow = (struct flow){clue.value, event->ticks, thread, event->type, event->kind};
    return clue.role == TT_CLUE_FLOW;
}

/* Finds the last flow event of a thread before a row, at or after the time `from`. */
static bool last_flow(struct tt_wakes *wakes, uint32_t thread, uint64_t row, uint64_t from,
                      struct flow *flow)
{
    struct tt_event list[WINDOW];
    for (uint32_t passed = 0; passed < REACH && row > 0; passed += WINDOW) {
        uint32_t ask = row < WINDOW ? (uint32_t)row : WINDOW;
        row -= ask;
        for (uint32_t i = tt_events_read(tt_wakes_events(wakes), row, ask, list); i-- > 0;) {
            if (list[i].ticks < from) {
                return false;
            }
            if (read_flow(wakes, &list[i], thread, flow)) {
                return true;
            }
        }
    }
    return false;
}

/* Finds the first flow event of a thread from a row on, before the time `to`. */
static bool first_flow(struct tt_wakes *wakes, uint32_t thread, uint64_t row, uint64_t to,
                       struct flow *flow)
{
    struct tt_event list[WINDOW];
    uint32_t count = WINDOW;
    for (uint32_t passed = 0; passed < REACH && count == WINDOW; passed += WINDOW) {
        count = tt_events_read(tt_wakes_events(wakes), row + passed, WINDOW, list);
        for (uint32_t i = 0; i < count; i++) {
            if (list[i].ticks >= to) {
                return false;
            }
            if (read_flow(wakes, &list[i], thread, flow)) {
                return true;
            }
        }
    }
    return false;
}

/*
 * Returns the time from which on events may belong to the run at `at`. The begin of a run may be unknown,
 * at the start of the capture or after a loss: it lies in the unknown stretch before it.
 */
static uint64_t run_since(const struct tt_timelines *timelines, struct tt_interval_at at)
{
    const struct tt_interval run = tt_interval_get(timelines, at);
    if (!run.since_before) {
        return run.start;
    }
    if (!tt_interval_previous(timelines, &at)) {
        return 0;
    }
    const struct tt_interval before = tt_interval_get(timelines, at);
    return before.class_ == TT_CLASS_UNKNOWN ? before.start : run.start;
}

/* Finds the last flow that the woken thread passed on in the run before its wait. */
static bool flow_before_wait(struct tt_wakes *wakes, const struct tt_interval *blocked,
                             struct flow *flow)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at at;
    if (!tt_interval_find(timelines, blocked->thread, blocked->start, &at)) {
        return false;
    }
    uint64_t begin = tt_wait_begin(timelines, at), from = 0;
    if (begin > 0 && tt_interval_find(timelines, blocked->thread, begin - 1, &at)) {
        struct tt_interval run = tt_interval_get(timelines, at);
        /* A run of which only the end is known has no duration: an unknown stretch is before it. */
        if (run.class_ != TT_CLASS_RUNNING && run.class_ != TT_CLASS_UNKNOWN &&
            !run.since_before) { /* before its first switch */
            return false;
        }
        from = run_since(timelines, at);
    }
    uint64_t row = tt_events_row_at_time(tt_wakes_events(wakes), begin + 1);
    return last_flow(wakes, blocked->thread, row, from, flow) && flow->kind != TT_KIND_FLOW_END;
}

/* Finds the last flow that the waker passed on in its run. */
static bool flow_of_waker(struct tt_wakes *wakes, const struct tt_wake *wake, uint64_t row,
                          struct flow *flow)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at at;
    uint64_t from = 0;
    if (tt_interval_find(timelines, wake->waker, wake->at, &at)) {
        /* It may have left the CPU at the wake, as a client that blocks in its own message does. */
        struct tt_interval_at run = at;
        if (tt_interval_get(timelines, at).class_ != TT_CLASS_RUNNING &&
            tt_interval_previous(timelines, &run)) {
            at = run;
        }
        from = run_since(timelines, at);
    }
    return last_flow(wakes, wake->waker, row, from, flow);
}

/* Finds the first flow that the woken thread receives before it blocks again. */
static bool flow_after_wake(struct tt_wakes *wakes, const struct tt_wake *wake, uint64_t row,
                            struct flow *flow)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at at;
    uint64_t to = wake->at;
    bool more = tt_interval_find(timelines, wake->thread, wake->at, &at);
    for (unsigned i = 0; i < RUNS_MOST && more; i++) {
        struct tt_interval next = tt_interval_get(timelines, at);
        if (tt_class_is_blocked(next.class_)) {
            break;
        }
        to = next.open ? UINT64_MAX : next.end;
        more = tt_interval_next(timelines, &at);
    }
    return first_flow(wakes, wake->thread, row + 1, to, flow) && flow->kind != TT_KIND_FLOW_BEGIN;
}

/* Finds the hop that a thread began at a time. */
static bool read_hop(const struct tt_timelines *timelines, uint32_t thread, uint64_t send,
                     struct tt_message *hop)
{
    for (uint32_t row = tt_message_row_of(timelines, thread); row != TT_NO_ROW;
         row = tt_message_row_next(timelines, row)) {
        struct tt_message_reader reader;
        tt_message_read_from(&reader, timelines, row, send);
        while (tt_message_read(&reader, hop) && tt_message_begin(hop) <= send) {
            if (hop->async && hop->send == send) {
                return true;
            }
        }
    }
    return false;
}

/*
 * Returns whether two events may be of one flow. Ids are unique in a process; of two processes the hops
 * show whether the flow passed from the first event to the second one, unless records were lost.
 */
static bool is_one_flow(struct tt_wakes *wakes, const struct flow *first, const struct flow *second)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    const struct tt_capture *capture = tt_wakes_capture(wakes);
    if (first->id != second->id || first->type != second->type) {
        return false;
    }
    if (tt_thread_at(capture, first->thread)->process ==
        tt_thread_at(capture, second->thread)->process) {
        return true;
    }
    struct tt_message hop = {.server = first->thread, .receive = first->ticks};
    for (unsigned i = 0; i < HOPS_MOST; i++) {
        if (!read_hop(timelines, hop.server, hop.receive, &hop)) {
            return false;
        }
        if (hop.how != TT_MESSAGE_TAKEN || hop.server == TT_NO_THREAD) {
            return hop.how == TT_MESSAGE_LOST;
        }
        if (tt_thread_at(capture, hop.server)->process ==
            tt_thread_at(capture, second->thread)->process) {
            return true;
        }
    }
    return false;
}

void tt_wake_flow(struct tt_wakes *wakes, const struct tt_interval *blocked, uint64_t row,
                  struct tt_wake *wake)
{
    struct flow sent, own, received;
    if (wake->by != TT_WAKER_THREAD || tt_message_rows(tt_wakes_timelines(wakes)) == 0 ||
        !flow_of_waker(wakes, wake, row, &sent)) {
        return;
    }
    if (flow_before_wait(wakes, blocked, &own) && is_one_flow(wakes, &own, &sent)) {
        wake->kind = TT_WAKE_REPLY;
        wake->object = sent.id;
    } else if (sent.kind != TT_KIND_FLOW_END && flow_after_wake(wakes, wake, row, &received) &&
               is_one_flow(wakes, &sent, &received)) {
        wake->kind = TT_WAKE_MESSAGE;
        wake->object = sent.id;
    }
}
