/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/lanes/follow_cause.h"

#include <string.h>

#include "analysis/causes/why_text.h"
#include "check/check_write.h"
#include "tracetui/event_line.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/partner.h"
#include "tui/model/causes.h"
#include "tui/model/why.h"

static void follow_cause_go(struct tt_workspace *ws, uint32_t thread, uint64_t ticks,
                            const char *words)
{
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_nav_go_thread(ws, thread, ticks);
    tt_text_str(&text, words);
    tt_line_thread(&text, ws->opened.capture, thread);
    tt_text_str(&text, "; '' returns");
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

/* Goes to the waker; if that is an interrupt, to the wake. */
static void go_waker(struct tt_workspace *ws, uint32_t thread, const struct tt_wake *wake)
{
    if (wake->by == TT_WAKER_THREAD) {
        follow_cause_go(ws, wake->waker, wake->at, "woken by ");
        return;
    }
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_why_wake_by(&text, ws->opened.capture, wake);
    tt_nav_go_thread(ws, thread, wake->at);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s; '' returns", tt_text_cstr(&text));
}

static bool ends_in_wake(const struct tt_workspace *ws, const struct tt_interval *interval)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    return timelines && tt_ends_in_wake(timelines, ws->opened.capture, interval);
}

static void follow_blocker(struct tt_workspace *ws, const struct tt_interval *interval,
                           uint64_t ticks)
{
    uint32_t thread;
    uint16_t cpu;
    if (ends_in_wake(ws, interval)) {
        struct tt_blocked_on on;
        struct tt_wake wake;
        if (tt_causes_blocked_on(&ws->opened, interval, ticks, &on) && on.thread != TT_NO_THREAD) {
            follow_cause_go(ws, on.thread, ticks,
                            interval->class_ == TT_CLASS_LOCK ? "held by " : "waits for ");
        } else if (!tt_causes_wake(&ws->opened, interval, &wake)) {
            tt_message_set(&ws->message, TT_ROLE_WARNING,
                           "the capture does not show what it waits for");
        } else if (wake.by == TT_WAKER_THREAD) {
            follow_cause_go(ws, wake.waker, ticks, "waits for ");
        } else {
            go_waker(ws, interval->thread, &wake);
        }
    } else if (interval->class_ == TT_CLASS_READY) {
        if (tt_causes_displacer(&ws->opened, interval, ticks, &thread, &cpu)) {
            follow_cause_go(ws, thread, ticks, "waits for the CPU of ");
        } else {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "no thread has its CPU here");
        }
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       interval->class_ == TT_CLASS_RUNNING ? "it runs: it waits for nothing"
                                                            : "the capture does not show a cause");
    }
}

/* ---- filters of what the cursor is on --------------------------------------------------------- */

/* Appends the events of both threads of the message at the cursor, while it is under way; false: there is none. */
static bool write_message(const struct tt_workspace *ws, uint32_t thread, uint64_t ticks,
                          struct tt_text *text)
{
    struct tt_partner partner;
    tt_partner_find(tt_trace_timelines(ws->opened.trace), thread, ticks, ticks + 1, &partner);
    const struct tt_message *message = &partner.message;
    const uint32_t threads[] = {message->client, message->server};
    for (int i = 0; i < 2 && partner.found; i++) {
        tt_text_str(text, i == 0 ? "thread in (" : threads[i] != TT_NO_THREAD ? ", " : "");
        if (threads[i] != TT_NO_THREAD) {
            tt_rule_write_thread(text, ws->opened.capture, threads[i]);
        }
    }
    if (partner.found) {
        tt_text_char(text, ')');

        /* Appends the field `time` of an event in a range that includes both ends. */
        uint64_t from = tt_message_begin(message);
        uint64_t to = partner.parts.run != TT_NO_TIME ? partner.parts.run : message->last;
        const uint64_t ends[] = {from, to + 1};
        tt_text_str(text, " and time in ");
        for (int i = 0; i < 2; i++) {
            tt_text_put(text, "%s%jut", i == 0 ? "" : "..",
                        ends[i] - ws->index.progress.first_ticks);
        }
    }
    return partner.found;
}

void tt_lanes_act_filter(struct tt_workspace *ws, uint32_t thread, uint64_t ticks,
                         const char *event, enum tt_do action)
{
    char buffer[TT_FILTER_TYPED];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const char *problem = NULL;
    if (action == TT_DO_WITHOUT_EVENT) {
        problem = event ? NULL : "no event is here";
        tt_text_str(&text, "event = ");
        tt_rule_write_word(&text, event ? event : "", event ? strlen(event) : 0);
    } else if (thread >= tt_thread_count(ws->opened.capture)) {
        problem = "no thread is here";
    } else if (action == TT_DO_ONLY_THREAD) {
        tt_text_str(&text, "thread = ");
        tt_rule_write_thread(&text, ws->opened.capture, thread);
    } else if (!write_message(ws, thread, ticks, &text)) {
        problem = "no message of this thread here";
    }
    if (problem) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", problem);
    } else {
        ws->host.add_filter(ws->host.app,
                            action == TT_DO_WITHOUT_EVENT ? TT_USE_EXCLUDE : TT_USE_INCLUDE,
                            tt_text_cstr(&text));
    }
}

void tt_lanes_act_cause(struct tt_workspace *ws, uint32_t thread, uint64_t ticks, enum tt_do action)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval i;
    uint64_t from, to;
    if (action == TT_DO_PARTNER) {
        tt_partner_go(ws, thread, ticks);
        return;
    }
    if (action == TT_DO_ONLY_THREAD || action == TT_DO_WITHOUT_EVENT ||
        action == TT_DO_ONLY_MESSAGE) {
        const struct tt_place *cursor = &ws->nav.cursor;
        tt_lanes_act_filter(
            ws, thread, ticks,
            cursor->valid ? tt_types_at(ws->opened.capture, cursor->event.type)->name : NULL,
            action);
        return;
    }
    if (action == TT_DO_WHY) {
        bool selected = tt_view_names(ws->nav.view)->by_time &&
                        tt_viewport_selection(&ws->nav.viewport, &from, &to);
        if (selected) {
            tt_why_open_range(ws, thread, from, to, "range");
        } else {
            tt_why_open_at(ws, thread, ticks);
        }
        return;
    }
    tt_causes_refresh(&ws->opened);
    if (thread >= tt_thread_count(ws->opened.capture)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       "select a thread: there is no cause without one");
    } else if (!timelines || !tt_lane_at(timelines, thread, ticks, &i)) {
        tt_why_no_state(ws, thread, ticks);
    } else if (action == TT_DO_CAUSE_WAKER) {
        struct tt_wake wake;
        bool blocked = ends_in_wake(ws, &i);
        if (blocked ? tt_causes_wake(&ws->opened, &i, &wake)
                    : tt_causes_wake_before(&ws->opened, &i, &wake)) {
            go_waker(ws, i.thread, &wake);
        } else {
            tt_message_set(&ws->message, TT_ROLE_WARNING,
                           blocked && i.open ? "this wait does not end in the capture"
                                             : "the capture does not show what woke it");
        }
    } else {
        follow_blocker(ws, &i, ticks);
    }
}
