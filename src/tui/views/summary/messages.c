/* SPDX-License-Identifier: Apache-2.0 */
/* summary/messages: finds the message of a row, shows it in the lanes and explains it. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/message_walk.h"
#include "tui/model/time_label.h"
#include "tui/model/why.h"
#include "tui/views/summary/view.h"

#define TEXT_BYTES 256

/* A part of a message: [start, end) is from one step to another. */
enum part { PART_ROUND, PART_QUEUE, PART_SERVICE, PART_RETURN };

static const struct {
    enum tt_samples_of samples;
    const char *name;
} parts[] = {
    [PART_ROUND] = {TT_SAMPLES_round, "round"},
    [PART_QUEUE] = {TT_SAMPLES_queue, "queue"},
    [PART_SERVICE] = {TT_SAMPLES_service, "service"},
    [PART_RETURN] = {TT_SAMPLES_back, "return"},
};

#define PARTS (sizeof parts / sizeof *parts)

/* A message that is searched for, and then found. */
struct sought {
    const struct tt_table_row *row;
    bool single;
    enum part part;
    uint64_t start; /* of the part; of a single message: its first known step */
    uint64_t end;
    struct tt_message message;
    struct tt_message_parts times;
};

/* Sets the part of the chosen column, or the first one that the row has, and its longest time; false: none. */
static bool choose_part(const struct tt_summary_table *tab, struct sought *s)
{
    const struct tt_table_column *chosen = tab->columns.v[tab->chosen].stat;
    for (unsigned i = 0; i < 2 * PARTS; i++) {
        enum tt_samples_of of = parts[i % PARTS].samples;
        const struct tt_distribution *d = tt_table_distribution(tab->table, s->row, of);
        bool is_chosen = chosen->samples == of && chosen->distribution != TT_TABLE_ALWAYS;
        if (d && (is_chosen || i >= PARTS)) {
            s->part = i % PARTS;
            s->end = d->max_at;
            s->start = d->max_at - d->max;
            return true;
        }
    }
    return false;
}

static void span_of(const struct tt_message *m, const struct tt_message_parts *times,
                    enum part part, uint64_t *from, uint64_t *to)
{
    *from = part == PART_SERVICE ? m->receive : part == PART_RETURN ? m->end : m->send;
    *to = part == PART_QUEUE ? m->receive : part == PART_SERVICE ? m->end : times->run;
}

static bool is_sought(const struct tt_workspace *ws, const struct sought *s)
{
    const struct tt_message *m = &s->message;
    const struct tt_subject *of = &s->row->of;
    uint64_t from, to;
    if (s->single) {
        return tt_message_begin(m) == s->start && m->client == of->thread &&
               m->process == of->process;
    }
    uint32_t client = m->client != TT_NO_THREAD
                          ? tt_thread_at(ws->opened.capture, m->client)->process
                          : TT_NO_THREAD;
    span_of(m, &s->times, s->part, &from, &to);
    return from == s->start && to == s->end && m->process == of->process &&
           m->async == (of->kind != 0) && (of->peer == TT_NO_THREAD || of->peer == client) &&
           (of->thread == TT_NO_THREAD || of->thread == m->client) &&
           (of->to == TT_NO_THREAD || of->to == m->server) &&
           (of->channel == TT_TABLE_NONE || of->channel == m->channel) &&
           (of->number == TT_TABLE_NONE || of->number == m->connection);
}

/* Finds the message among those that are not over before the start of its part. O(rows log n). */
static bool find_message(const struct tt_workspace *ws, struct sought *s)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    struct tt_message_reader reader;
    for (uint32_t row = 0; t && row < tt_message_rows(t); row++) {
        tt_message_read_from(&reader, t, row, s->start);
        while (tt_message_read(&reader, &s->message) && tt_message_begin(&s->message) <= s->start) {
            tt_message_parts_of(t, &s->message, &s->times);
            if (is_sought(ws, s)) {
                return true;
            }
        }
    }
    return false;
}

/* Finds the message that the cursor's row and column are about; false with a message if none is. */
static bool seek(struct tt_workspace *ws, const struct tt_summary_table *tab,
                 struct tt_table_row *room, struct sought *s)
{
    s->row = tt_summary_table_row(tab, room);
    s->single = tab->table == &tt_table_single_messages;
    bool has_part = s->row && choose_part(tab, s);
    if (!s->row || (!has_part && !s->single)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       s->row ? "no message of this row is complete" : "no message");
        return false;
    }
    if (s->single) {
        s->start = s->row->of.at;
        s->part = PART_ROUND;
    }
    if (!find_message(ws, s)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "this message is not found: R counts again");
        return false;
    }
    return true;
}

/* Returns the last known time of the message: its return, its end or its last step. */
static uint64_t last_time(const struct tt_workspace *ws, const struct sought *s)
{
    if (s->times.run != TT_NO_TIME) {
        return s->times.run;
    }
    return s->message.how == TT_MESSAGE_OPEN ? tt_nav_bounds(ws).end - 1 : s->message.last;
}

/* Finds the longest wait or hold of an object; returns false, with a message, if there is none. */
static bool seek_wait(struct tt_workspace *ws, const struct tt_summary_table *tab,
                      struct tt_table_place *place)
{
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    const struct tt_table_column *chosen = tab->columns.v[tab->chosen].stat;
    bool found = row && tt_table_place_of(&tab->sheet, chosen, row, place);
    bool holds = found && strcmp(place->what, "hold") == 0;
    if (!found || (!holds && place->thread == TT_NO_THREAD)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       row ? "no wait of this row is complete" : "no object");
        return false;
    }
    return place->thread != TT_NO_THREAD;
}

static void go_to_wait(struct tt_workspace *ws, const struct tt_summary_table *tab)
{
    struct tt_table_row row;
    struct tt_table_place place;
    char buffer[TEXT_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!seek_wait(ws, tab, &place)) {
        return;
    }
    struct tt_lane_pair pair = {.threads = {place.thread, place.other},
                                .from = place.at - place.length,
                                .to = place.at + (place.length == 0)};
    tt_table_row_title(&text, &tab->sheet, tt_summary_table_row(tab, &row));
    tt_text_str(&text, ": longest ");
    tt_text_str(&text, place.what);
    tt_text_char(&text, ' ');
    tt_time_label_duration(ws, &text, place.length);
    if (strcmp(place.what, "wait") == 0 && place.other != TT_NO_THREAD) {
        tt_text_str(&text, ", held by ");
        tt_line_thread(&text, ws->opened.capture, place.other);
    }
    tt_nav_leave(ws);
    tt_summary_show_interval(ws, pair.threads[0], pair.from, pair.to);
    ws->nav.pair = pair;
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

static void explain_wait(struct tt_workspace *ws, const struct tt_summary_table *tab)
{
    struct tt_table_place place;
    if (seek_wait(ws, tab, &place)) {
        tt_why_open_range(ws, place.thread, place.at - place.length, place.at, "wait");
    }
}

/* Sets the range of the table, within the capture. */
static void range_of(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                     uint64_t *from, uint64_t *to)
{
    const struct tt_bounds bounds = tt_nav_bounds(ws);
    const struct tt_window *window = &tab->request.window;
    *from = window->from > bounds.begin ? window->from : bounds.begin;
    *to = window->to < bounds.end ? window->to : bounds.end;
    *to = *to > *from ? *to : *from + 1;
}

/* Selects the range on the lane of the client whose CPU time a row has. */
static void go_to_client(struct tt_workspace *ws, const struct tt_summary_table *tab)
{
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    char buffer[TEXT_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t from, to;
    if (!row) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no client");
        return;
    }
    range_of(ws, tab, &from, &to);
    tt_line_thread(&text, ws->opened.capture, row->of.thread);
    tt_text_str(&text, ": client in ");
    tt_time_label_duration(ws, &text, to - from);
    tt_nav_leave(ws);
    tt_summary_show_interval(ws, row->of.thread, from, to);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

static void explain_client(struct tt_workspace *ws, const struct tt_summary_table *tab)
{
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    uint64_t from, to;
    if (!row) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no client");
        return;
    }
    range_of(ws, tab, &from, &to);
    tt_why_open_range(ws, row->of.thread, from, to, "range");
}

void tt_summary_go_to_message(struct tt_workspace *ws, struct tt_summary_view *v)
{
    if (tt_summary_shown(v)->table == &tt_table_objects) {
        go_to_wait(ws, tt_summary_shown(v));
        return;
    }
    if (tt_summary_shown(v)->table == &tt_table_matrix) {
        go_to_client(ws, tt_summary_shown(v));
        return;
    }
    struct tt_table_row room;
    struct sought s = {0};
    char buffer[TEXT_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!seek(ws, tt_summary_shown(v), &room, &s)) {
        return;
    }
    uint64_t from = tt_message_begin(&s.message), to = last_time(ws, &s);
    uint32_t thread = s.message.client != TT_NO_THREAD ? s.message.client : s.message.server;
    tt_table_row_title(&text, &tt_summary_shown(v)->sheet, s.row);
    if (thread == TT_NO_THREAD) {
        tt_text_str(&text, ": its threads are not known");
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, from, 0);
    } else {
        tt_text_str(&text, s.single ? ": " : ": longest ");
        tt_text_str(&text, s.single && s.times.round == TT_NO_TIME ? "" : parts[s.part].name);
        tt_text_char(&text, ' ');
        tt_time_label_duration(ws, &text, s.single ? to - from : s.end - s.start);
        if (s.message.server != TT_NO_THREAD) {
            tt_text_str(&text, "; received by ");
            tt_line_thread(&text, ws->opened.capture, s.message.server);
        }
        tt_nav_leave(ws);
        tt_summary_show_interval(ws, thread, from, to > from ? to : from + 1);
        ws->nav.pair = (struct tt_lane_pair){.threads = {s.message.client, s.message.server},
                                             .from = from,
                                             .to = to > from ? to : from + 1};
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

void tt_summary_explain_message(struct tt_workspace *ws, struct tt_summary_view *v)
{
    if (tt_summary_shown(v)->table == &tt_table_objects) {
        explain_wait(ws, tt_summary_shown(v));
        return;
    }
    if (tt_summary_shown(v)->table == &tt_table_matrix) {
        explain_client(ws, tt_summary_shown(v));
        return;
    }
    struct tt_table_row room;
    struct sought s = {0};
    if (!seek(ws, tt_summary_shown(v), &room, &s)) {
        return;
    }
    const struct tt_message *m = &s.message;
    if (s.part == PART_SERVICE && !s.single && m->server != TT_NO_THREAD) {
        tt_why_open_range(ws, m->server, s.start, s.end, "service");
    } else if (m->client == TT_NO_THREAD || m->async || m->send == TT_NO_TIME) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no client waits for this message");
    } else {
        tt_why_open_range(ws, m->client, m->send, last_time(ws, &s), "message");
    }
}
