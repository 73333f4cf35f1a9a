/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/go: finds the interval that the cursor's row and column are about (a maximum, a message, a wait),
 * shows it in the lanes and explains it, or writes the rule of the number.
 */
#include <string.h>

#include "analysis/messages/message_walk.h"
#include "check/check_write.h"
#include "tracetui/event_line.h"
#include "tui/lanes/cell.h"
#include "tui/lanes/rows.h"
#include "tui/lanes/top_threads.h"
#include "tui/model/time_label.h"
#include "tui/model/why.h"
#include "tui/views/summary/view.h"

#define TEXT_BYTES    256
#define EVENTS_LOOKED 64u
/* Occupants of a maximum: how many are named, and the time to find them. */
#define OCCUPANTS_NAMED 2u
#define OCCUPANTS_NS    UINT64_C(20000000)

/* The aim of a row: the interval of a thread that is shown, and the one that is explained. */
struct aim {
    struct tt_workspace *ws;
    const struct tt_summary_table *tab;
    const struct tt_table_column *column; /* the chosen one */
    const struct tt_table_row *row;       /* NULL: none */
    const struct tt_miss *miss;           /* of a deadline, which is shown instead; or NULL */
    uint32_t thread;                      /* TT_NO_THREAD: the event at `from`, `pos` is shown */
    uint64_t from, to, pos;
    struct tt_lane_pair pair; /* marked with the interval, if it has an end */
    uint32_t waiter;          /* TT_NO_THREAD: there is nothing to explain */
    uint64_t since, until;
    const char *what; /* NULL: the job at `since` is explained */
    const char *unexplained;
    struct tt_text text; /* of the message about it */
};

/* ---- messages ----------------------------------------------------------------------------- */

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
    bool single;
    enum part part;
    uint64_t start; /* of the part; of a single message: its first known step */
    uint64_t end;
    struct tt_message message;
    struct tt_message_parts times;
};

/* Sets the part of the chosen column, or the first one that the row has, and its longest time; false: none. */
static bool choose_part(const struct aim *aim, struct sought *sought)
{
    for (unsigned i = 0; i < 2 * PARTS; i++) {
        enum tt_samples_of of = parts[i % PARTS].samples;
        const struct tt_distribution *distribution =
            tt_table_distribution(aim->tab->table, aim->row, of);
        bool is_chosen = aim->column->samples == of && aim->column->distribution != TT_TABLE_ALWAYS;
        if (distribution && (is_chosen || i >= PARTS)) {
            sought->part = i % PARTS;
            sought->end = distribution->max_at;
            sought->start = distribution->max_at - distribution->max;
            return true;
        }
    }
    return false;
}

static bool is_sought(const struct aim *aim, const struct sought *sought)
{
    const struct tt_message *message = &sought->message;
    const struct tt_subject *of = &aim->row->of;
    if (sought->single) {
        return tt_message_begin(message) == sought->start && message->client == of->thread &&
               message->process == of->process;
    }
    uint32_t client = message->client != TT_NO_THREAD
                          ? tt_thread_at(aim->ws->opened.capture, message->client)->process
                          : TT_NO_THREAD;
    uint64_t from = sought->part == PART_SERVICE  ? message->receive
                    : sought->part == PART_RETURN ? message->end
                                                  : message->send;
    uint64_t to = sought->part == PART_QUEUE     ? message->receive
                  : sought->part == PART_SERVICE ? message->end
                                                 : sought->times.run;
    return from == sought->start && to == sought->end && message->process == of->process &&
           message->async == (of->kind != 0) && (of->peer == TT_NO_THREAD || of->peer == client) &&
           (of->thread == TT_NO_THREAD || of->thread == message->client) &&
           (of->to == TT_NO_THREAD || of->to == message->server) &&
           (of->channel == TT_TABLE_NONE || of->channel == message->channel) &&
           (of->number == TT_TABLE_NONE || of->number == message->connection);
}

/* Finds the message among those that are not over before the start of its part. O(rows log n). */
static bool summary_go_find_message(const struct aim *aim, struct sought *sought)
{
    const struct tt_timelines *timelines = tt_trace_timelines(aim->ws->opened.trace);
    struct tt_message_reader reader;
    for (uint32_t row = 0; timelines && row < tt_message_rows(timelines); row++) {
        tt_message_read_from(&reader, timelines, row, sought->start);
        while (tt_message_read(&reader, &sought->message) &&
               tt_message_begin(&sought->message) <= sought->start) {
            tt_message_parts_of(timelines, &sought->message, &sought->times);
            if (is_sought(aim, sought)) {
                return true;
            }
        }
    }
    return false;
}

/* Aims at the message of the row and its selected part. Returns the reason if there is none, or NULL. */
static const char *aim_at_message(struct aim *aim)
{
    struct sought s = {.single = aim->tab->table == &tt_table_single_messages};
    const struct tt_message *message = &s.message;
    if (!choose_part(aim, &s) && !s.single) {
        return "no message of this row is complete";
    }
    if (s.single) {
        s.start = aim->row->of.at;
        s.part = PART_ROUND;
    }
    if (!summary_go_find_message(aim, &s)) {
        return "this message is not found: R counts again";
    }
    /* The message ends with its return, or at its last known step. */
    aim->from = tt_message_begin(message);
    aim->to = s.times.run != TT_NO_TIME         ? s.times.run
              : message->how == TT_MESSAGE_OPEN ? tt_nav_bounds(aim->ws).end - 1
                                                : message->last;
    aim->thread = message->client != TT_NO_THREAD ? message->client : message->server;
    aim->pair = (struct tt_lane_pair){{message->client, message->server}, aim->from, aim->to};
    if (s.part == PART_SERVICE && !s.single && message->server != TT_NO_THREAD) {
        aim->what = "service";
        aim->waiter = message->server;
        aim->since = s.start;
        aim->until = s.end;
    } else {
        aim->what = "message";
        aim->waiter =
            message->async || message->send == TT_NO_TIME ? TT_NO_THREAD : message->client;
        aim->since = message->send;
        aim->until = aim->to;
    }
    if (aim->thread == TT_NO_THREAD) {
        tt_text_str(&aim->text, ": its threads are not known");
        return NULL;
    }
    tt_text_put(&aim->text, "%s%s %s", s.single ? ": " : ": longest ",
                s.single && s.times.round == TT_NO_TIME ? "" : parts[s.part].name,
                tt_words_duration(aim->ws, s.single ? aim->to - aim->from : s.end - s.start).s);
    if (message->server != TT_NO_THREAD) {
        tt_text_str(&aim->text, "; received by ");
        tt_line_thread(&aim->text, aim->ws->opened.capture, message->server);
    }
    return NULL;
}

/* Aims at the longest wait or hold of an object. */
static const char *aim_at_wait(struct aim *aim)
{
    struct tt_table_place place;
    if (!tt_table_place_of(&aim->tab->sheet, aim->column, aim->row, &place) ||
        place.thread == TT_NO_THREAD) {
        return "no wait of this row is complete";
    }
    aim->thread = aim->waiter = place.thread;
    aim->from = aim->since = place.at - place.length;
    aim->to = aim->until = place.at;
    aim->pair = (struct tt_lane_pair){{place.thread, place.other}, aim->from, aim->to};
    aim->what = "wait";
    tt_text_put(&aim->text, ": longest %s %s", place.what,
                tt_words_duration(aim->ws, place.length).s);
    if (strcmp(place.what, "wait") == 0 && place.other != TT_NO_THREAD) {
        tt_text_str(&aim->text, ", held by ");
        tt_line_thread(&aim->text, aim->ws->opened.capture, place.other);
    }
    return NULL;
}

/* Aims at the range on the lane of the client whose CPU time a row has. */
static const char *aim_at_client(struct aim *aim)
{
    const struct tt_bounds bounds = tt_nav_bounds(aim->ws);
    const struct tt_window *window = &aim->tab->request.window;
    aim->from = aim->since = window->from > bounds.begin ? window->from : bounds.begin;
    aim->to = window->to < bounds.end ? window->to : bounds.end;
    aim->to = aim->until = aim->to > aim->from ? aim->to : aim->from + 1;
    aim->thread = aim->waiter = aim->row->of.thread;
    aim->what = "range";
    aim->text.used = 0;
    tt_line_thread(&aim->text, aim->ws->opened.capture, aim->row->of.thread);
    tt_text_put(&aim->text, ": client in %s", tt_words_duration(aim->ws, aim->to - aim->from).s);
    return NULL;
}

/* ---- maxima ------------------------------------------------------------------------------- */

/* Rates how well an event matches a row: by its thread, and by a change of its state. */
static int match_quality(const struct aim *aim, const struct tt_event *event)
{
    const struct tt_capture *capture = aim->ws->opened.capture;
    const struct tt_table *table = aim->tab->table;
    const struct tt_table_row *row = aim->row;
    bool change = event->kind == TT_KIND_STATE || event->kind == TT_KIND_SWITCH;
    bool own = false;
    if (table == &tt_table_event_names || table == &tt_table_services) {
        const struct tt_event_type *type = tt_types_at(capture, event->type);
        bool of_row = table == &tt_table_event_names || event->thread == row->of.thread;
        return of_row && type->class_id == row->of.class_id &&
               strcmp(type->name, row->of.name) == 0;
    }
    if (table == &tt_table_interrupts) {
        return event->kind == TT_KIND_INTERRUPT_EXIT || event->kind == TT_KIND_INTERRUPT_ENTER;
    }
    if (table == &tt_table_pairs) {
        own = event->thread == row->of.to;
    } else if (table == &tt_table_processes) {
        own = event->thread < tt_thread_count(capture) &&
              tt_thread_at(capture, event->thread)->process == row->of.process;
    } else {
        own = event->thread == row->of.thread;
    }
    return own ? 1 + change : 0;
}

/* Finds the event at `ticks` that matches the row best, if there is one. */
static void summary_go_find_event(const struct aim *aim, uint64_t ticks, struct tt_event *found)
{
    const struct tt_workspace *ws = aim->ws;
    struct tt_event events[EVENTS_LOOKED];
    uint64_t first = tt_events_row_at_key(ws->opened.events, ticks, 0);
    uint32_t count = tt_events_read(ws->opened.events, first, EVENTS_LOOKED, events);
    int best = -1;
    if (aim->tab->table == &tt_table_stacks) {
        first = tt_table_number(aim->tab->table, aim->row, "min_event");
        tt_events_read(ws->opened.events, first, 1, found);
        return;
    }
    for (uint32_t i = 0; i < count && events[i].ticks == ticks; i++) {
        int fit = match_quality(aim, &events[i]);
        if (fit > best) {
            best = fit;
            *found = events[i];
        }
    }
}

/* Aims at the first miss of the row's thread if the column of misses is chosen; false: there is none. */
static bool aim_at_miss(struct aim *aim)
{
    if (aim->tab->table != &tt_table_jobs || strcmp(aim->column->key, "misses") != 0 ||
        tt_table_number(aim->tab->table, aim->row, "misses") == 0) {
        return false;
    }
    tt_jobs_work(aim->ws, tt_term_report(&aim->ws->term, OCCUPANTS_NS));
    aim->miss = tt_jobs_miss_of(&aim->ws->jobs, aim->row->of.thread, 0);
    if (aim->miss) {
        aim->waiter = aim->row->of.thread;
        aim->since = aim->miss->ready;
        aim->until = aim->miss->end;
        aim->what = "response";
    }
    return aim->miss != NULL;
}

/* Returns a thread of the row's process with exactly the interval that is explained, or TT_NO_THREAD. */
static uint32_t thread_of_process(const struct aim *aim)
{
    const struct tt_timelines *timelines = tt_trace_timelines(aim->ws->opened.trace);
    const struct tt_capture *capture = aim->ws->opened.capture;
    struct tt_interval_at at;
    for (uint32_t i = 0; timelines && aim->since < aim->until && i < tt_thread_count(capture);
         i++) {
        if (tt_thread_at(capture, i)->process == aim->row->of.process &&
            tt_interval_find(timelines, i, aim->since, &at)) {
            struct tt_interval found = tt_interval_get(timelines, at);
            if (found.start == aim->since && found.end == aim->until) {
                return i;
            }
        }
    }
    return TT_NO_THREAD;
}

/* Appends what the maximum is. */
static void write_maximum(struct aim *aim, const struct tt_table_place *place, const char *end)
{
    const struct tt_table *table = aim->tab->table;
    tt_text_str(&aim->text, ": ");
    if (table == &tt_table_stacks) {
        tt_text_put(&aim->text, "%'ju bytes of the stack are free",
                    tt_table_number(table, aim->row, "min"));
    } else if (table == &tt_table_pairs || table == &tt_table_services) {
        tt_text_put(&aim->text, "the first of %'ju", tt_table_number(table, aim->row, "count"));
    } else {
        tt_text_put(&aim->text, "%s of %s%s", place->what,
                    tt_words_duration(aim->ws, place->length).s, end);
    }
}

/* Sets what is explained of a maximum: its interval, or the job that the switch of a pair began. */
static void explain_place(struct aim *aim, const struct tt_table_place *place, bool has_thread)
{
    const bool in_time = place->length <= place->at;
    aim->until = place->at;
    if (aim->tab->table == &tt_table_pairs) {
        aim->since = place->at;
        aim->what = NULL;
        aim->waiter = aim->row->of.to;
    } else {
        aim->since = in_time ? place->at - place->length : place->at;
        aim->what = strcmp(place->what, "sch delay") == 0 ? "delay" : place->what;
        aim->waiter = has_thread                               ? aim->row->of.thread
                      : aim->tab->table == &tt_table_processes ? thread_of_process(aim)
                                                               : TT_NO_THREAD;
    }
    if (aim->tab->table == &tt_table_jobs) {
        /*
         * Sets the interval of the job that ends at `until`, of which the chosen column has a
         * value: for a period or the jitter from the start of the previous job to its own, else its
         * response.
         */
        const struct tt_timelines *timelines = tt_trace_timelines(aim->ws->opened.trace);
        const struct tt_capture *capture = aim->ws->opened.capture;
        struct tt_job_walk walk;
        struct tt_job job;
        uint64_t work = UINT64_MAX;
        if (!timelines || aim->row->of.thread >= tt_thread_count(capture)) {
            return;
        }
        tt_job_walk_begin(&walk, timelines, capture, &aim->tab->request.job_ends,
                          aim->row->of.thread, aim->until, aim->until + 1);
        if (tt_job_walk_next(&walk, &work, &job)) {
            bool of_period =
                strcmp(aim->column->screen.group, "period") == 0 && job.period != TT_JOB_UNKNOWN;
            aim->since = of_period ? job.start - job.period : job.ready;
            aim->until = of_period ? job.start : job.end;
        }
    }
}

/* Aims at the interval of the chosen column's maximum; of a column of misses, at the first one. */
static const char *aim_at_maximum(struct aim *aim)
{
    const struct tt_table *table = aim->tab->table;
    const struct tt_table_row *row = aim->row;
    const bool has_thread = table == &tt_table_threads || table == &tt_table_jobs ||
                            table == &tt_table_blame || table == &tt_table_inversions ||
                            table == &tt_table_services || table == &tt_table_stacks;
    const struct tt_table_column *column = tt_table_longest(&aim->tab->sheet, aim->column, row);
    struct tt_event event = {.thread = TT_NO_THREAD, .cpu = TT_NO_CPU};
    struct tt_table_place place;
    struct tt_interval run;
    aim->unexplained = "no thread has this maximum";
    if (aim_at_miss(aim)) {
        return NULL;
    }
    if (table == &tt_table_blame) { /* the range of the thread is explained */
        aim->waiter = row->of.thread;
        tt_summary_range_ends(aim->ws, &aim->tab->range, &aim->since, &aim->until);
        aim->what = "range";
    }
    if (!column || !tt_table_place_of(&aim->tab->sheet, column, row, &place)) {
        return tt_table_is_settled(table, row) ? "this row has no maximum" : "not counted yet";
    }
    if (!place.what) {
        const char *group = column->screen.group;
        place.what = column->distribution == TT_TABLE_ALWAYS      ? "sch delay"
                     : group[0] && strcmp(group, "switches") != 0 ? group
                                                                  : "slice";
    }
    summary_go_find_event(aim, place.at, &event);
    aim->pos = event.pos;
    aim->from = aim->to = place.at;
    if (table != &tt_table_blame) {
        explain_place(aim, &place, has_thread);
    }
    aim->thread = has_thread ? row->of.thread : event.thread;
    if (place.length == 0 || place.length > place.at ||
        aim->thread >= tt_thread_count(aim->ws->opened.capture)) {
        aim->thread = TT_NO_THREAD;
        write_maximum(aim, &place, " ends here");
    } else if (table == &tt_table_jobs) {
        write_maximum(aim, &place, "");
        aim->from = aim->since;
        aim->to = aim->until;
    } else {
        write_maximum(aim, &place, "");
        /* A slice excludes the interrupts in its interval. */
        aim->from = aim->column->samples == TT_SAMPLES_slice &&
                            tt_lane_at(tt_trace_timelines(aim->ws->opened.trace), aim->thread,
                                       place.at - 1, &run)
                        ? run.start
                        : place.at - place.length;
    }
    return NULL;
}

/* Appends the other threads that had the thread's CPU in the interval longest. */
static void write_occupants(struct aim *aim)
{
    const struct tt_workspace *ws = aim->ws;
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_text *text = &aim->text;
    struct tt_top_threads top = {0};
    struct tt_interval run;
    uint32_t threads = tt_thread_count(ws->opened.capture), named = 0;
    bool known = tt_lane_at(timelines, aim->thread, aim->to, &run) && run.cpu != TT_NO_CPU &&
                 tt_top_threads_ask(&top, timelines, run.cpu, aim->from, aim->to, threads) &&
                 tt_top_threads_work(&top, tt_term_report(&ws->term, OCCUPANTS_NS));
    for (uint32_t i = 0; known && i < top.count && named < OCCUPANTS_NAMED; i++) {
        const struct tt_top_threads_row *row = &top.rows[i];
        if (row->occupant >= threads || row->occupant == aim->thread ||
            tt_thread_at(ws->opened.capture, row->occupant)->idle) {
            continue;
        }
        if (named++ == 0) {
            tt_text_put(text, "; CPU %d ran ", run.cpu);
        } else {
            tt_text_str(text, ", ");
        }
        tt_line_thread(text, ws->opened.capture, row->occupant);
        tt_text_put(text, " %s", tt_words_duration(ws, row->ticks).s);
    }
    tt_top_threads_free(&top);
}

/* ---- actions ------------------------------------------------------------------------------ */

static void go_to_aim(struct aim *aim)
{
    struct tt_workspace *ws = aim->ws;
    if (aim->miss) {
        tt_jobs_show_miss(ws, aim->miss);
        return;
    }
    if (aim->thread == TT_NO_THREAD) {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, aim->from, aim->pos);
    } else {
        const bool marks = aim->pair.to > 0;
        aim->pair.to +=
            marks && aim->pair.to <= aim->pair.from ? aim->pair.from + 1 - aim->pair.to : 0;
        if (!aim->tab->table->of_messages) {
            write_occupants(aim);
        }
        tt_jobs_show_interval(ws, aim->thread, aim->from, marks ? aim->pair.to : aim->to,
                              aim->from);
        ws->nav.pair = marks ? aim->pair : ws->nav.pair;
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&aim->text));
}

void tt_summary_go(struct tt_workspace *ws, const struct tt_summary_table *tab, bool explains)
{
    const struct tt_table *table = tab->table;
    char buffer[TEXT_BYTES];
    struct tt_table_row room;
    struct aim aim = {.ws = ws,
                      .tab = tab,
                      .column = tab->columns.v[tab->chosen].stat,
                      .row = tt_summary_table_row(tab, &room),
                      .thread = TT_NO_THREAD,
                      .waiter = TT_NO_THREAD,
                      .what = "",
                      .unexplained = "no client waits for this message",
                      .text = tt_text_of(buffer, sizeof buffer)};
    const char *none = table == &tt_table_objects  ? "no object"
                       : table == &tt_table_matrix ? "no client"
                       : table->of_messages        ? "no message"
                                                   : "";
    if (aim.row) {
        tt_table_row_title(&aim.text, &tab->sheet, aim.row);
        none = table == &tt_table_objects  ? aim_at_wait(&aim)
               : table == &tt_table_matrix ? aim_at_client(&aim)
               : table->of_messages        ? aim_at_message(&aim)
                                           : aim_at_maximum(&aim);
    }
    if (explains && !aim.what) {
        tt_why_open_at(ws, aim.waiter, aim.since);
    } else if (explains && aim.waiter != TT_NO_THREAD) {
        tt_why_open_range(ws, aim.waiter, aim.since, aim.until, aim.what);
    } else if (!none && !explains) {
        go_to_aim(&aim);
    } else if (!none || none[0]) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", none ? none : aim.unexplained);
    }
}

/* ---- rules -------------------------------------------------------------------------------- */

struct tt_status tt_summary_rule(struct tt_workspace *ws, void *state, struct tt_text *text)
{
    struct tt_summary_view *view = state;
    struct tt_summary_table *tab = tt_summary_shown(view);
    struct tt_table_row row;
    if (!tab->begun || !tt_summary_table_row(tab, &row)) {
        return tt_error(TT_ERR_USAGE, "the table has no row yet");
    }
    if (!tab->sheet.complete) {
        return tt_error(TT_ERR_USAGE, "the numbers are not complete yet");
    }
    /* A row of a thread is whole although a filter leaves others out. */
    const bool of_thread = tab->table == &tt_table_threads || tab->table == &tt_table_jobs;
    if (tab->request.wanted || (tab->request.threads && !of_thread)) {
        return tt_error(TT_ERR_USAGE, "a filter limits these numbers: :filter without EXPRESSION");
    }
    struct tt_rule_number number = {.trace = ws->opened.trace,
                                    .sheet = &tab->sheet,
                                    .table = tab->sheet.table,
                                    .column = tab->columns.v[tab->chosen].stat,
                                    .row = &row,
                                    .keys = tab->range.keys};
    return tt_rule_write_number(text, &number);
}
