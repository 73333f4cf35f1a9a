/* SPDX-License-Identifier: Apache-2.0 */
/* partner: finds the message at the cursor, draws its ends, and goes to the other thread. */
#include "tui/lanes/partner.h"

#include <string.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/rows.h"

#define STEPS_AT_ONCE    16u /* messages or rows between two checks of the clock: some microseconds */
#define RETURN_INTERVALS 16 /* between the answer and the client's run */

/* ---- finding ------------------------------------------------------------------------------ */

/* Returns whether the client waits or has not run yet, or the message is not received, at `from`. */
static bool is_under_way(const struct tt_timelines *timelines, const struct tt_message *message,
                         uint64_t from)
{
    struct tt_message_parts parts;
    if (message->how == TT_MESSAGE_OPEN || message->last >= from) {
        return true;
    }
    tt_message_parts_of(timelines, message, &parts);
    return parts.run != TT_NO_TIME && parts.run >= from;
}

static bool is_served(const struct tt_message *message, uint64_t from, uint64_t to)
{
    bool over = message->end != TT_NO_TIME && message->end < from;
    return message->receive != TT_NO_TIME && message->receive < to && !over &&
           (!message->async || message->receive >= from);
}

/* Returns the end of the thread's last run before `from`, at most a few intervals away. */
static uint64_t last_run_end(const struct tt_timelines *timelines, uint32_t thread, uint64_t from)
{
    struct tt_interval_at at;
    bool there = tt_interval_find(timelines, thread, from, &at);
    uint64_t start = from;
    for (unsigned i = 0; there && i < RETURN_INTERVALS; i++) {
        struct tt_interval interval = tt_interval_get(timelines, at);
        if (interval.class_ == TT_CLASS_RUNNING && interval.start < from) {
            return interval.end < from ? interval.end : from;
        }
        start = interval.start < from ? interval.start : from;
        there = tt_interval_previous(timelines, &at);
    }
    return start;
}

/* Finds the message that the thread sent, up to its run after the answer. */
static bool partner_find_sent(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                              uint64_t to, struct tt_message *found)
{
    uint64_t begin = last_run_end(timelines, thread, from);
    uint32_t rows = 0;
    for (uint32_t row = tt_message_row_of(timelines, thread);
         row != TT_NO_ROW && rows < TT_PARTNER_ROWS;
         row = tt_message_row_next(timelines, row), rows++) {
        struct tt_message_reader reader;
        struct tt_message m;
        tt_message_read_from(&reader, timelines, row, begin);
        while (tt_message_read(&reader, &m) && tt_message_begin(&m) < to) {
            if (is_under_way(timelines, &m, from)) {
                *found = m;
                return true;
            }
        }
    }
    return false;
}

/* Searches the rows of all clients for messages that the thread serves; true at their end. */
static bool scan_rows(const struct tt_timelines *timelines, struct tt_partner *partner,
                      uint64_t until)
{
    uint32_t rows = tt_message_rows(timelines);
    struct tt_message m;
    rows = rows < TT_PARTNER_ROWS ? rows : TT_PARTNER_ROWS;
    for (unsigned steps = 1; partner->row < rows; steps++) {
        if (!partner->reading) {
            tt_message_read_from(&partner->reader, timelines, partner->row, partner->from);
            partner->reading = true;
        }
        if (tt_message_read(&partner->reader, &m) && tt_message_begin(&m) < partner->to) {
            /* Compares a message of the current row with those that the thread received last. */
            const uint64_t ends[] = {partner->first_to, partner->to};
            for (unsigned i = 0; i < 2 && m.server == partner->thread; i++) {
                if (tt_message_begin(&m) < ends[i] && is_served(&m, partner->from, ends[i]) &&
                    (!partner->any[i] || m.receive > partner->served[i].receive)) {
                    partner->served[i] = m;
                    partner->any[i] = true;
                }
            }
        } else {
            partner->reading = false;
            partner->row++;
        }
        if (steps % STEPS_AT_ONCE == 0 && tt_now_ns() >= until) {
            return partner->row == rows;
        }
    }
    return true;
}

static void partner_finish(const struct tt_timelines *timelines, struct tt_partner *partner,
                           bool found)
{
    partner->complete = true;
    partner->found = found;
    if (found) {
        tt_message_parts_of(timelines, &partner->message, &partner->parts);
    }
}

static void partner_begin(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                          uint64_t first_to, uint64_t to, struct tt_partner *partner)
{
    partner->found = partner->complete = partner->reading = partner->any[0] = partner->any[1] =
        false;
    partner->thread = thread;
    partner->from = from;
    partner->first_to = first_to;
    partner->to = to;
    partner->row = 0;
    partner->number = timelines ? tt_timelines_number(timelines) : 0;
    partner->end = timelines ? tt_timelines_end(timelines) : 0;
    if (!timelines || thread == TT_NO_THREAD || first_to <= from) {
        partner->complete = true;
    } else if (partner_find_sent(timelines, thread, from, first_to, &partner->message)) {
        partner_finish(timelines, partner, true);
    }
}

bool tt_partner_work(const struct tt_timelines *timelines, struct tt_partner *partner,
                     uint64_t until)
{
    if (partner->complete || !timelines || partner->number != tt_timelines_number(timelines)) {
        return true; /* the next layout begins again with other timelines */
    }
    if (!scan_rows(timelines, partner, until)) {
        return false;
    }
    bool sent = !partner->any[0] && partner->to > partner->first_to &&
                partner_find_sent(timelines, partner->thread, partner->from, partner->to,
                                  &partner->message);
    bool served = !sent && (partner->any[0] || partner->any[1]);
    if (served) {
        partner->message = partner->served[partner->any[0] ? 0 : 1];
    }
    partner_finish(timelines, partner, sent || served);
    return true;
}

void tt_partner_find(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                     uint64_t to, struct tt_partner *partner)
{
    partner_begin(timelines, thread, from, to, to, partner);
    tt_partner_work(timelines, partner, UINT64_MAX);
}

void tt_partner_at_cursor(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_partner *partner)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    if (ws->nav.lane.sequence || !ws->nav.viewport.chosen || ws->nav.lane.kind != TT_LANE_THREAD) {
        partner_begin(timelines, TT_NO_THREAD, 0, 0, 0, partner);
        return;
    }
    unsigned column = tt_lanes_cursor_column(ws, view);
    uint64_t at = ws->nav.viewport.at, to = view->edges[column + 1];
    bool in_column = at >= view->edges[column] && at < to;
    to = in_column ? to : at + 1;
    bool same = timelines && partner->thread == ws->nav.lane.thread && partner->from == at &&
                partner->to == to && partner->number == tt_timelines_number(timelines) &&
                partner->end == tt_timelines_end(timelines);
    if (!same) {
        /* First one instant: a column may contain many messages, and the cursor is on one of them. */
        partner_begin(timelines, ws->nav.lane.thread, at, at + 1, to, partner);
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void partner_draw_mark(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                              struct tt_area area, int y, uint64_t ticks, enum tt_glyph glyph)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    if (ticks == TT_NO_TIME || ticks < viewport->from || ticks >= viewport->to) {
        return;
    }
    int x = view->layout.gutter +
            (int)tt_viewport_column(viewport, (unsigned)view->layout.columns, ticks);
    tt_draw_fill(area, x, y, 1, TT_ROLE_PARTNER, tt_term_glyph(&ws->term, glyph));
}

void tt_partner_draw(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                     const struct tt_partner *partner, struct tt_area area, int y, uint32_t thread)
{
    const struct tt_message *message = &partner->message;
    if (!partner->found) {
        return;
    }
    if (message->server == thread) {
        partner_draw_mark(ws, view, area, y, message->async ? TT_NO_TIME : message->end,
                          TT_GLYPH_REPLY);
        partner_draw_mark(ws, view, area, y, message->receive, TT_GLYPH_SEND);
    }
    if (message->client == thread) {
        partner_draw_mark(ws, view, area, y, partner->parts.run, TT_GLYPH_REPLY);
        partner_draw_mark(ws, view, area, y, message->send, TT_GLYPH_SEND);
    }
}

/* ---- text and keys ------------------------------------------------------------------------ */

void tt_partner_text(const struct tt_workspace *ws, const struct tt_partner *partner,
                     uint32_t thread, struct tt_text *text)
{
    const struct tt_message *message = &partner->message;
    const struct tt_capture *capture = ws->opened.capture;
    if (!partner->found || message->server != thread) {
        return;
    }
    tt_text_str(text, message->async ? "receives from " : "serves ");
    if (message->client != TT_NO_THREAD) {
        tt_line_thread(text, capture, message->client);
    } else {
        tt_text_str(text, "an unknown client");
    }
    if (message->end != TT_NO_TIME && !message->async) {
        tt_text_put(text, " for %s", tt_words_duration(ws, message->end - message->receive).s);
    }
}

static void partner_go(struct tt_workspace *ws, uint32_t thread, uint64_t ticks, const char *words)
{
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_nav_go_thread(ws, thread, ticks);
    tt_text_str(&text, words);
    tt_line_thread(&text, ws->opened.capture, thread);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

/* Returns `ticks` if it is in [from, to], else the nearer end; ends may be unknown. */
static uint64_t within(uint64_t ticks, uint64_t from, uint64_t to)
{
    if (from != TT_NO_TIME && ticks < from) {
        return from;
    }
    return to != TT_NO_TIME && ticks > to ? to : ticks;
}

void tt_partner_go(struct tt_workspace *ws, uint32_t thread, uint64_t ticks)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_partner partner;
    tt_partner_find(timelines, thread, ticks, ticks + 1, &partner);
    const struct tt_message *message = &partner.message;
    if (!partner.found) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no message of this thread here");
    } else if (message->client == thread && message->server != TT_NO_THREAD) {
        partner_go(ws, message->server, within(ticks, message->receive, message->end),
                   message->async ? "received by " : "served by ");
    } else if (message->server == thread && message->client != TT_NO_THREAD) {
        partner_go(ws, message->client, message->async ? message->send : ticks, "sent by ");
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       message->client != thread ? "its sender is not known"
                       : message->receive == TT_NO_TIME && message->async
                           ? "it was not received"
                           : "its receiver is not known");
    }
}
