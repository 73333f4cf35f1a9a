/* SPDX-License-Identifier: Apache-2.0 */
/* cause: finds the other thread in the actions around the start of a state. */
#include "tui/lanes/cause.h"

#include <stdlib.h>

#include "tracetui/event_line.h"
#include "tui/lanes/gutter.h"

/* Maximum of events read before the start of the state, and including those at its start. */
#define EVENTS_BEFORE 64u
#define EVENTS_MOST   96u
#define ACTIONS_MOST  256u
#define KERNEL_STEPS  64u

/* Events and actions around the start of a state. */
struct surroundings {
    struct tt_event events[EVENTS_MOST];
    struct tt_action actions[ACTIONS_MOST];
    uint32_t event_count, action_count;
    struct tt_interval before; /* the previous state; empty if there is none */
    bool has_before;
};

static void read_surroundings(const struct tt_workspace *ws, const struct tt_timelines *t,
                              const struct tt_interval *interval, struct surroundings *s)
{
    struct tt_interval_at at;
    uint64_t row = tt_events_row_at_time(ws->opened.events, interval->start);
    uint64_t first = row > EVENTS_BEFORE ? row - EVENTS_BEFORE : 0;
    s->has_before =
        interval->start > 0 && tt_interval_find(t, interval->thread, interval->start - 1, &at);
    if (s->has_before) {
        s->before = tt_interval_get(t, at);
    }
    s->event_count = tt_events_read(ws->opened.events, first, EVENTS_MOST, s->events);
    while (s->event_count > 0 && s->events[s->event_count - 1].ticks > interval->start) {
        s->event_count--;
    }
    s->action_count =
        tt_trace_actions(ws->opened.trace, s->events, s->event_count, s->actions, ACTIONS_MOST);
}

/* Returns whether the event of `a` is at or after the event of `than`. */
static bool is_after(const struct tt_action *a, const struct tt_action *than)
{
    return a->ticks != than->ticks ? a->ticks > than->ticks : a->pos >= than->pos;
}

/* Returns the last action of a kind during the previous state or at its end, or NULL. */
static const struct tt_action *last_of(const struct surroundings *s,
                                       const struct tt_interval *interval, unsigned kind,
                                       bool as_other)
{
    const struct tt_action *last = NULL;
    for (uint32_t i = 0; i < s->action_count; i++) {
        const struct tt_action *a = &s->actions[i];
        bool in_time = s->has_before && a->ticks >= s->before.start;
        if (a->kind == kind && in_time && (as_other ? a->other : a->thread) == interval->thread &&
            (!last || is_after(a, last))) {
            last = a;
        }
    }
    return last;
}

static bool is_partner(const struct tt_workspace *ws, uint32_t thread, uint32_t of)
{
    return thread != of && thread < tt_thread_count(ws->opened.capture);
}

static void write_thread(const struct tt_workspace *ws, const char *words, uint32_t thread,
                         struct tt_text *text)
{
    tt_text_str(text, words);
    tt_line_thread(text, ws->opened.capture, thread);
}

/* ---- ready -------------------------------------------------------------------------------- */

/* Returns the thread on a CPU, or the last one before the kernel ran there. */
static uint32_t thread_on(const struct tt_timelines *t, uint16_t cpu, uint64_t ticks)
{
    struct tt_occupation_at at;
    uint32_t occupant = TT_OCCUPANT_UNKNOWN;
    bool there = tt_occupation_find(t, cpu, ticks, &at);
    for (unsigned i = 0; there && i < KERNEL_STEPS; i++) {
        struct tt_occupation o = tt_occupation_get(t, at);
        occupant = o.idle ? TT_OCCUPANT_IDLE : o.occupant;
        if (occupant != TT_OCCUPANT_KERNEL) {
            break;
        }
        there = tt_occupation_previous(t, &at);
    }
    return occupant;
}

/* No event reports a preemption: derives it from the next occupant of the thread's CPU. */
static bool write_displaced(const struct tt_workspace *ws, const struct tt_timelines *t,
                            const struct tt_interval *interval, struct tt_text *text)
{
    struct tt_occupation_at at;
    if (!tt_occupation_find(t, interval->cpu, interval->start, &at)) {
        return false;
    }
    uint32_t occupant = tt_occupation_get(t, at).occupant;
    if (!is_partner(ws, occupant, interval->thread)) {
        return false;
    }
    write_thread(ws, "displaced by ", occupant, text);
    return true;
}

static bool write_interrupt(const struct surroundings *s, uint16_t cpu, struct tt_text *text)
{
    const struct tt_action *last = NULL;
    for (uint32_t i = 0; i < s->action_count; i++) {
        const struct tt_action *a = &s->actions[i];
        if (a->kind == TT_ACTION_INTERRUPT_ENTER && a->cpu == cpu && (!last || is_after(a, last))) {
            last = a;
        }
    }
    tt_text_str(text, last ? "woken by interrupt " : "woken by an interrupt");
    if (last) {
        tt_text_u64(text, last->value);
    }
    tt_text_str(text, " on CPU ");
    tt_text_u64(text, cpu);
    return true;
}

/* The event that makes a thread ready is recorded on the CPU of its waker. */
static bool write_waker_of_state(const struct tt_workspace *ws, const struct tt_timelines *t,
                                 const struct surroundings *s, const struct tt_interval *interval,
                                 struct tt_text *text)
{
    for (uint32_t i = s->event_count; i-- > 0 && s->events[i].ticks == interval->start;) {
        const struct tt_event *event = &s->events[i];
        if (event->thread != interval->thread || event->kind != TT_KIND_STATE ||
            event->cpu == TT_NO_CPU) {
            continue;
        }
        if (tt_cpu_irq_depth(t, event->cpu, event->ticks) > 0) {
            return write_interrupt(s, event->cpu, text);
        }
        uint32_t waker = thread_on(t, event->cpu, event->ticks);
        if (is_partner(ws, waker, interval->thread)) {
            write_thread(ws, "woken by ", waker, text);
            return true;
        }
    }
    return false;
}

static bool write_waker(const struct tt_workspace *ws, const struct tt_timelines *t,
                        const struct surroundings *s, const struct tt_interval *interval,
                        struct tt_text *text)
{
    if (!s->has_before || s->before.class_ == TT_CLASS_RUNNING) {
        return s->has_before && write_displaced(ws, t, interval, text);
    }
    const struct tt_action *reply = last_of(s, interval, TT_ACTION_MESSAGE_REPLY, true);
    if (reply && is_partner(ws, reply->thread, interval->thread)) {
        write_thread(ws, "answered by ", reply->thread, text);
        return true;
    }
    const struct tt_action *wakeup = last_of(s, interval, TT_ACTION_WAKEUP, false);
    if (wakeup && wakeup->ticks == interval->start &&
        is_partner(ws, wakeup->other, interval->thread)) {
        const struct tt_thread *other = tt_thread_at(ws->opened.capture, wakeup->other);
        if (!other->idle) {
            write_thread(ws, "woken by ", wakeup->other, text);
            return true;
        }
    }
    return write_waker_of_state(ws, t, s, interval, text);
}

/* ---- waiting ------------------------------------------------------------------------------ */

static bool write_receiver(const struct tt_workspace *ws, const struct surroundings *s,
                           const struct tt_interval *interval, struct tt_text *text)
{
    const struct tt_action *sent = last_of(s, interval, TT_ACTION_MESSAGE_SEND, false);
    if (!sent || s->before.class_ != TT_CLASS_RUNNING ||
        sent->other >= tt_process_count(ws->opened.capture)) {
        return false;
    }
    tt_text_str(text, "message to ");
    tt_lanes_process_text(ws, sent->other, true, text);
    return true;
}

static bool write_holder(const struct tt_workspace *ws, const struct surroundings *s,
                         const struct tt_interval *interval, struct tt_text *text)
{
    const struct tt_action *asked = last_of(s, interval, TT_ACTION_LOCK_WAIT, false);
    if (!asked || !is_partner(ws, asked->other, interval->thread)) {
        return false;
    }
    write_thread(ws, "held by ", asked->other, text);
    return true;
}

bool tt_lanes_cause(const struct tt_workspace *ws, const struct tt_interval *interval,
                    struct tt_text *text)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    bool asks = interval->class_ == TT_CLASS_READY || interval->class_ == TT_CLASS_IPC ||
                tt_class_is_lock(interval->class_);
    struct surroundings *s = t && asks && !interval->since_before ? malloc(sizeof *s) : NULL;
    bool said = false;
    if (!s) {
        return false;
    }
    read_surroundings(ws, t, interval, s);
    if (interval->class_ == TT_CLASS_READY) {
        said = write_waker(ws, t, s, interval, text);
    } else if (interval->class_ == TT_CLASS_IPC) {
        said = write_receiver(ws, s, interval, text);
    } else {
        said = write_holder(ws, s, interval, text);
    }
    free(s);
    return said;
}
