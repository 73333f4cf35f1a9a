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
static bool is_under_way(const struct tt_timelines *t, const struct tt_message *m, uint64_t from)
{
    struct tt_message_parts parts;
    if (m->how == TT_MESSAGE_OPEN || m->last >= from) {
        return true;
    }
    tt_message_parts_of(t, m, &parts);
    return parts.run != TT_NO_TIME && parts.run >= from;
}

static bool is_served(const struct tt_message *m, uint64_t from, uint64_t to)
{
    bool over = m->end != TT_NO_TIME && m->end < from;
    return m->receive != TT_NO_TIME && m->receive < to && !over &&
           (!m->async || m->receive >= from);
}

/* Returns the end of the thread's last run before `from`, at most a few intervals away. */
static uint64_t last_run_end(const struct tt_timelines *t, uint32_t thread, uint64_t from)
{
    struct tt_interval_at at;
    bool there = tt_interval_find(t, thread, from, &at);
    uint64_t start = from;
    for (unsigned i = 0; there && i < RETURN_INTERVALS; i++) {
        struct tt_interval interval = tt_interval_get(t, at);
        if (interval.class_ == TT_CLASS_RUNNING && interval.start < from) {
            return interval.end < from ? interval.end : from;
        }
        start = interval.start < from ? interval.start : from;
        there = tt_interval_previous(t, &at);
    }
    return start;
}

/* Finds the message that the thread sent, up to its run after the answer. */
static bool find_sent(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                      struct tt_message *found)
{
    uint64_t begin = last_run_end(t, thread, from);
    uint32_t rows = 0;
    for (uint32_t row = tt_message_row_of(t, thread); row != TT_NO_ROW && rows < TT_PARTNER_ROWS;
         row = tt_message_row_next(t, row), rows++) {
        struct tt_message_reader reader;
        struct tt_message m;
        tt_message_read_from(&reader, t, row, begin);
        while (tt_message_read(&reader, &m) && tt_message_begin(&m) < to) {
            if (is_under_way(t, &m, from)) {
                *found = m;
                return true;
            }
        }
    }
    return false;
}

/* Compares a message of the current row with those that the thread received last. */
static void take_served(struct tt_partner *p, const struct tt_message *m)
{
    const uint64_t ends[] = {p->first_to, p->to};
    for (unsigned i = 0; i < 2 && m->server == p->thread; i++) {
        if (tt_message_begin(m) < ends[i] && is_served(m, p->from, ends[i]) &&
            (!p->any[i] || m->receive > p->served[i].receive)) {
            p->served[i] = *m;
            p->any[i] = true;
        }
    }
}

/* Searches the rows of all clients for messages that the thread serves; true at their end. */
static bool scan_rows(const struct tt_timelines *t, struct tt_partner *p, uint64_t until)
{
    uint32_t rows = tt_message_rows(t);
    struct tt_message m;
    rows = rows < TT_PARTNER_ROWS ? rows : TT_PARTNER_ROWS;
    for (unsigned steps = 1; p->row < rows; steps++) {
        if (!p->reading) {
            tt_message_read_from(&p->reader, t, p->row, p->from);
            p->reading = true;
        }
        if (tt_message_read(&p->reader, &m) && tt_message_begin(&m) < p->to) {
            take_served(p, &m);
        } else {
            p->reading = false;
            p->row++;
        }
        if (steps % STEPS_AT_ONCE == 0 && tt_now_ns() >= until) {
            return p->row == rows;
        }
    }
    return true;
}

static void finish(const struct tt_timelines *t, struct tt_partner *p, bool found)
{
    p->complete = true;
    p->found = found;
    if (found) {
        tt_message_parts_of(t, &p->message, &p->parts);
    }
}

static void begin(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t first_to,
                  uint64_t to, struct tt_partner *p)
{
    p->found = p->complete = p->reading = p->any[0] = p->any[1] = false;
    p->thread = thread;
    p->from = from;
    p->first_to = first_to;
    p->to = to;
    p->row = 0;
    p->number = t ? tt_timelines_number(t) : 0;
    p->end = t ? tt_timelines_end(t) : 0;
    if (!t || thread == TT_NO_THREAD || first_to <= from) {
        p->complete = true;
    } else if (find_sent(t, thread, from, first_to, &p->message)) {
        finish(t, p, true);
    }
}

bool tt_partner_work(const struct tt_timelines *t, struct tt_partner *p, uint64_t until)
{
    if (p->complete || !t || p->number != tt_timelines_number(t)) {
        return true; /* the next layout begins again with other timelines */
    }
    if (!scan_rows(t, p, until)) {
        return false;
    }
    bool sent =
        !p->any[0] && p->to > p->first_to && find_sent(t, p->thread, p->from, p->to, &p->message);
    bool served = !sent && (p->any[0] || p->any[1]);
    if (served) {
        p->message = p->served[p->any[0] ? 0 : 1];
    }
    finish(t, p, sent || served);
    return true;
}

void tt_partner_find(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                     struct tt_partner *partner)
{
    begin(t, thread, from, to, to, partner);
    tt_partner_work(t, partner, UINT64_MAX);
}

void tt_partner_at_cursor(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                          struct tt_partner *p)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    if (ws->nav.lane.sequence || !ws->nav.viewport.chosen || ws->nav.lane.kind != TT_LANE_THREAD) {
        begin(t, TT_NO_THREAD, 0, 0, 0, p);
        return;
    }
    unsigned column = tt_lanes_cursor_column(ws, v);
    uint64_t at = ws->nav.viewport.at, to = v->edges[column + 1];
    bool in_column = at >= v->edges[column] && at < to;
    to = in_column ? to : at + 1;
    bool same = t && p->thread == ws->nav.lane.thread && p->from == at && p->to == to &&
                p->number == tt_timelines_number(t) && p->end == tt_timelines_end(t);
    if (!same) {
        /* First one instant: a column may contain many messages, and the cursor is on one of them. */
        begin(t, ws->nav.lane.thread, at, at + 1, to, p);
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void draw_mark(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                      struct tt_area area, int y, uint64_t ticks, enum tt_glyph glyph)
{
    const struct tt_viewport *w = &ws->nav.viewport;
    if (ticks == TT_NO_TIME || ticks < w->from || ticks >= w->to) {
        return;
    }
    int x = v->layout.gutter + (int)tt_viewport_column(w, (unsigned)v->layout.columns, ticks);
    tt_draw_fill(area, x, y, 1, TT_ROLE_PARTNER, tt_term_glyph(&ws->term, glyph));
}

void tt_partner_draw(const struct tt_workspace *ws, const struct tt_lanes_view *v,
                     const struct tt_partner *partner, struct tt_area area, int y, uint32_t thread)
{
    const struct tt_message *m = &partner->message;
    if (!partner->found) {
        return;
    }
    if (m->server == thread) {
        draw_mark(ws, v, area, y, m->async ? TT_NO_TIME : m->end, TT_GLYPH_REPLY);
        draw_mark(ws, v, area, y, m->receive, TT_GLYPH_SEND);
    }
    if (m->client == thread) {
        draw_mark(ws, v, area, y, partner->parts.run, TT_GLYPH_REPLY);
        draw_mark(ws, v, area, y, m->send, TT_GLYPH_SEND);
    }
}

/* ---- text and keys ------------------------------------------------------------------------ */

void tt_partner_text(const struct tt_workspace *ws, const struct tt_partner *partner,
                     uint32_t thread, struct tt_text *text)
{
    const struct tt_message *m = &partner->message;
    const struct tt_capture *c = ws->opened.capture;
    if (!partner->found || m->server != thread) {
        return;
    }
    tt_text_str(text, m->async ? "receives from " : "serves ");
    if (m->client != TT_NO_THREAD) {
        tt_line_thread(text, c, m->client);
    } else {
        tt_text_str(text, "an unknown client");
    }
    if (m->end != TT_NO_TIME && !m->async) {
        tt_text_str(text, " for ");
        tt_time_label_duration(ws, text, m->end - m->receive);
    }
}

static void go(struct tt_workspace *ws, uint32_t thread, uint64_t ticks, const char *words)
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
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    struct tt_partner partner;
    tt_partner_find(t, thread, ticks, ticks + 1, &partner);
    const struct tt_message *m = &partner.message;
    if (!partner.found) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no message of this thread here");
    } else if (m->client == thread && m->server != TT_NO_THREAD) {
        go(ws, m->server, within(ticks, m->receive, m->end),
           m->async ? "received by " : "served by ");
    } else if (m->server == thread && m->client != TT_NO_THREAD) {
        go(ws, m->client, m->async ? m->send : ticks, "sent by ");
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       m->client != thread                    ? "its sender is not known"
                       : m->receive == TT_NO_TIME && m->async ? "it was not received"
                                                              : "its receiver is not known");
    }
}
