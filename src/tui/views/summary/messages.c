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

static bool is_sought(const struct tt_workspace *ws, const struct sought *s)
{
    const struct tt_message *m = &s->message;
    const struct tt_subject *of = &s->row->of;
    if (s->single) {
        return tt_message_begin(m) == s->start && m->client == of->thread &&
               m->process == of->process;
    }
    uint32_t client = m->client != TT_NO_THREAD
                          ? tt_thread_at(ws->opened.capture, m->client)->process
                          : TT_NO_THREAD;
    uint64_t from = s->part == PART_SERVICE  ? m->receive
                    : s->part == PART_RETURN ? m->end
                                             : m->send;
    uint64_t to = s->part == PART_QUEUE     ? m->receive
                  : s->part == PART_SERVICE ? m->end
                                            : s->times.run;
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

/* The aim of a row: the interval of a thread that is shown, and the one that is explained. */
struct aim {
    uint32_t thread; /* TT_NO_THREAD: not known */
    uint64_t from, to;
    struct tt_lane_pair pair;
    uint32_t waiter; /* TT_NO_THREAD: there is nothing to explain */
    uint64_t since, until;
    const char *what;
    struct tt_text *text; /* of the message about it */
};

/* Aims at the message of the row and its selected part. Returns the reason if there is none, or NULL. */
static const char *aim_at_message(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                                  const struct tt_table_row *row, struct aim *aim)
{
    struct sought s = {.row = row, .single = tab->table == &tt_table_single_messages};
    const struct tt_message *m = &s.message;
    if (!choose_part(tab, &s) && !s.single) {
        return "no message of this row is complete";
    }
    if (s.single) {
        s.start = row->of.at;
        s.part = PART_ROUND;
    }
    if (!find_message(ws, &s)) {
        return "this message is not found: R counts again";
    }
    /* The message ends with its return, or at its last known step. */
    aim->from = tt_message_begin(m);
    aim->to = s.times.run != TT_NO_TIME   ? s.times.run
              : m->how == TT_MESSAGE_OPEN ? tt_nav_bounds(ws).end - 1
                                          : m->last;
    aim->thread = m->client != TT_NO_THREAD ? m->client : m->server;
    aim->pair.threads[0] = m->client;
    aim->pair.threads[1] = m->server;
    if (s.part == PART_SERVICE && !s.single && m->server != TT_NO_THREAD) {
        aim->what = "service";
        aim->waiter = m->server;
        aim->since = s.start;
        aim->until = s.end;
    } else {
        aim->what = "message";
        aim->waiter = m->async || m->send == TT_NO_TIME ? TT_NO_THREAD : m->client;
        aim->since = m->send;
        aim->until = aim->to;
    }
    if (aim->thread == TT_NO_THREAD) {
        tt_text_str(aim->text, ": its threads are not known");
        return NULL;
    }
    tt_text_str(aim->text, s.single ? ": " : ": longest ");
    tt_text_str(aim->text, s.single && s.times.round == TT_NO_TIME ? "" : parts[s.part].name);
    tt_text_char(aim->text, ' ');
    tt_time_label_duration(ws, aim->text, s.single ? aim->to - aim->from : s.end - s.start);
    if (m->server != TT_NO_THREAD) {
        tt_text_str(aim->text, "; received by ");
        tt_line_thread(aim->text, ws->opened.capture, m->server);
    }
    return NULL;
}

/* Aims at the longest wait or hold of an object. */
static const char *aim_at_wait(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                               const struct tt_table_row *row, struct aim *aim)
{
    struct tt_table_place place;
    if (!tt_table_place_of(&tab->sheet, tab->columns.v[tab->chosen].stat, row, &place) ||
        place.thread == TT_NO_THREAD) {
        return "no wait of this row is complete";
    }
    aim->thread = aim->waiter = aim->pair.threads[0] = place.thread;
    aim->pair.threads[1] = place.other;
    aim->from = aim->since = place.at - place.length;
    aim->to = aim->until = place.at;
    aim->what = "wait";
    tt_text_str(aim->text, ": longest ");
    tt_text_str(aim->text, place.what);
    tt_text_char(aim->text, ' ');
    tt_time_label_duration(ws, aim->text, place.length);
    if (strcmp(place.what, "wait") == 0 && place.other != TT_NO_THREAD) {
        tt_text_str(aim->text, ", held by ");
        tt_line_thread(aim->text, ws->opened.capture, place.other);
    }
    return NULL;
}

/* Aims at the range on the lane of the client whose CPU time a row has. */
static void aim_at_client(const struct tt_workspace *ws, const struct tt_summary_table *tab,
                          const struct tt_table_row *row, struct aim *aim)
{
    const struct tt_bounds bounds = tt_nav_bounds(ws);
    const struct tt_window *window = &tab->request.window;
    aim->from = aim->since = window->from > bounds.begin ? window->from : bounds.begin;
    aim->to = window->to < bounds.end ? window->to : bounds.end;
    aim->to = aim->until = aim->to > aim->from ? aim->to : aim->from + 1;
    aim->thread = aim->waiter = row->of.thread;
    aim->what = "range";
    aim->text->used = 0;
    tt_line_thread(aim->text, ws->opened.capture, row->of.thread);
    tt_text_str(aim->text, ": client in ");
    tt_time_label_duration(ws, aim->text, aim->to - aim->from);
}

/* Aims at what the cursor's row and column are about; false, with a message, if that is nothing. */
static bool take_aim(struct tt_workspace *ws, const struct tt_summary_table *tab, struct aim *aim)
{
    const bool objects = tab->table == &tt_table_objects, matrix = tab->table == &tt_table_matrix;
    const char *none = objects ? "no object" : matrix ? "no client" : "no message";
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    if (row) {
        tt_table_row_title(aim->text, &tab->sheet, row);
    }
    if (row && matrix) {
        aim_at_client(ws, tab, row, aim);
        none = NULL;
    } else if (row) {
        none = objects ? aim_at_wait(ws, tab, row, aim) : aim_at_message(ws, tab, row, aim);
    }
    if (none) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", none);
    }
    return !none;
}

void tt_summary_go_to_message(struct tt_workspace *ws, struct tt_summary_view *v)
{
    char buffer[TEXT_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct aim aim = {.text = &text};
    if (!take_aim(ws, tt_summary_shown(v), &aim)) {
        return;
    }
    if (aim.thread == TT_NO_THREAD) {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, aim.from, 0);
    } else {
        aim.pair.from = aim.from;
        aim.pair.to = aim.to > aim.from ? aim.to : aim.from + 1;
        tt_nav_leave(ws);
        tt_summary_show_interval(ws, aim.thread, aim.from, aim.pair.to);
        if (tt_summary_shown(v)->table != &tt_table_matrix) {
            ws->nav.pair = aim.pair;
        }
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

void tt_summary_explain_message(struct tt_workspace *ws, struct tt_summary_view *v)
{
    char buffer[TEXT_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct aim aim = {.text = &text};
    if (!take_aim(ws, tt_summary_shown(v), &aim)) {
        return;
    }
    if (aim.waiter == TT_NO_THREAD) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no client waits for this message");
    } else {
        tt_why_open_range(ws, aim.waiter, aim.since, aim.until, aim.what);
    }
}
