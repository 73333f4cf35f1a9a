/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: passes the samples of a cell on, with the functions that computed the cell's number: their
 * samples go to a sink instead of an array.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot_internal.h"
#include "table/registry.h"
#include "tracetui/crossings.h"
#include "tracetui/interrupts.h"
#include "tracetui/message_stats.h"
#include "tracetui/object_stats.h"

#define EVENT_WORK 4u /* intervals that cost as much as an event */

enum source {
    FROM_LIST,
    FROM_CALLER,
    FROM_ROWS,   /* the values of a column, or the rows as samples */
    FROM_DELAYS, /* of threads */
    FROM_JOBS,
    FROM_EVENTS,
    FROM_INTERRUPTS,
    FROM_PAIRS,
    FROM_MESSAGES,
    FROM_OBJECTS,
    FROM_CROSSINGS,
    FROM_NOTHING
};

struct tt_plot_feed {
    struct tt_plot_request request;
    enum source source;
    size_t what; /* which sample of the source */
    struct tt_sample_sink *sink;
    size_t passed; /* items of a list, or rows */
    uint32_t member;
    uint64_t reached;
    bool failed;
    struct tt_delays delays;
    struct tt_job_walk jobs;
    struct tt_event_stats *events;
    struct tt_interrupt_stats *interrupts;
    struct tt_pair_count *pairs;
    struct tt_message_counting *messages;
    struct tt_message_window window;
    struct tt_object_counting *objects;
    struct tt_crossings *crossings;
};

uint32_t tt_plot_members(const struct tt_plot_request *r)
{
    return r->sheet->table == &tt_table_processes ? tt_thread_count(r->sheet->capture) : 1;
}

bool tt_plot_member(const struct tt_plot_request *r, uint32_t index, uint32_t *thread)
{
    bool of_process = r->sheet->table == &tt_table_processes;
    *thread = of_process ? index : r->row.of.thread;
    if (!of_process) {
        return true;
    }
    const struct tt_thread *lane = tt_thread_at(r->sheet->capture, index);
    return lane->process == r->row.of.process && tt_thread_is_counted(lane) &&
           tt_table_includes(r->sheet, index);
}

/* ---- which source ------------------------------------------------------------------------- */

/* Sets the source of sums of messages: their distributions; the parts of a service are those of its samples. */
static void choose_messages(struct tt_plot_feed *f)
{
    enum tt_samples_of of = f->request.column->samples;
    f->source = FROM_MESSAGES;
    f->what = f->request.kind == TT_PLOT_RATE ? TT_MESSAGE_SENDS
              : of == TT_SAMPLES_round        ? offsetof(struct tt_message_stat, round)
              : of == TT_SAMPLES_queue        ? offsetof(struct tt_message_stat, queue)
              : of == TT_SAMPLES_back         ? offsetof(struct tt_message_stat, back)
                                              : offsetof(struct tt_message_stat, service);
}

static void choose_source(struct tt_plot_feed *f)
{
    const struct tt_plot_request *r = &f->request;
    const struct tt_table *table = r->sheet && r->sheet->state ? r->sheet->table : NULL;
    enum tt_samples_of of = r->column ? r->column->samples : TT_SAMPLES_NONE;
    bool rate = r->kind == TT_PLOT_RATE;
    f->source = FROM_NOTHING;
    if (r->subject == TT_PLOT_OF_LIST) {
        f->source = FROM_LIST;
    } else if (r->subject == TT_PLOT_OF_SOURCE) {
        f->source = FROM_CALLER;
    } else if (table && tt_plot_of_crossings(r)) {
        f->source = FROM_CROSSINGS;
        f->what = r->subject == TT_PLOT_OF_CROSSINGS ? TT_CROSSING_MESSAGE : TT_CROSSING_MIGRATION;
    } else if (!table || !r->column) {
        return;
    } else if (r->kind == TT_PLOT_ROWS || table == &tt_table_single_messages ||
               table == &tt_table_inversions) {
        f->source = FROM_ROWS;
    } else if (table == &tt_table_jobs) {
        f->source = FROM_JOBS;
        f->what = of == TT_SAMPLES_run || of == TT_SAMPLES_period ? of : TT_SAMPLES_response;
    } else if (table == &tt_table_event_names) {
        f->source = FROM_EVENTS;
        f->what = of == TT_SAMPLES_duration ? TT_EVENT_DURATION
                  : of == TT_SAMPLES_period ? TT_EVENT_PERIOD
                                            : TT_EVENT_COUNTED;
    } else if (table == &tt_table_interrupts) {
        f->source = FROM_INTERRUPTS;
        f->what = rate                       ? TT_INTERRUPT_SAMPLES
                  : of == TT_SAMPLES_handler ? TT_INTERRUPT_HANDLERS
                  : of == TT_SAMPLES_period  ? TT_INTERRUPT_PERIODS
                                             : TT_INTERRUPT_DURATIONS;
    } else if (table == &tt_table_pairs) {
        f->source = FROM_PAIRS;
    } else if (table == &tt_table_objects) {
        f->source = FROM_OBJECTS;
        f->what = rate ? TT_OBJECT_WAITS : of == TT_SAMPLES_hold ? TT_OBJECT_HOLD : TT_OBJECT_WAIT;
    } else if (table->of_messages) {
        choose_messages(f);
    } else if (r->column->distribution != TT_TABLE_ALWAYS) {
        f->source = FROM_DELAYS;
    }
}

/* ---- begin -------------------------------------------------------------------------------- */

static void drop(struct tt_plot_feed *f)
{
    tt_event_stats_free(f->events);
    tt_interrupt_stats_free(f->interrupts);
    f->interrupts = NULL;
    tt_pair_count_free(f->pairs);
    tt_message_counting_free(f->messages);
    tt_object_counting_free(f->objects);
    tt_crossings_free(f->crossings);
    f->crossings = NULL;
    f->events = NULL;
    f->pairs = NULL;
    f->messages = NULL;
    f->objects = NULL;
}

static bool begin_delays(struct tt_plot_feed *f)
{
    static const struct tt_sample_sink none = {.take = NULL};
    enum tt_samples_of of = f->request.column->samples;
    f->delays.delay.sink = of == TT_SAMPLES_delay ? f->sink : &none;
    f->delays.preempted.sink = of == TT_SAMPLES_preempted ? f->sink : &none;
    f->delays.wait.sink = of == TT_SAMPLES_wait ? f->sink : &none;
    f->delays.slice.sink = of == TT_SAMPLES_slice ? f->sink : &none;
    f->member = 0;
    f->reached = f->request.sheet->request.window.from;
    return true;
}

static bool begin_jobs(struct tt_plot_feed *f, const struct tt_timelines *t)
{
    const struct tt_table_request *r = &f->request.sheet->request;
    tt_job_walk_begin(&f->jobs, t, f->request.sheet->capture, &r->job_ends,
                      f->request.row.of.thread, r->window.from, r->window.to);
    return true;
}

static bool begin_events(struct tt_plot_feed *f)
{
    const struct tt_event_window window = tt_table_event_window(&f->request.sheet->request);
    f->events = tt_event_stats_new(f->request.sheet->request.trace, &window);
    if (f->events) {
        tt_event_stats_watch(f->events, f->request.row.of.class_id, f->request.row.of.name,
                             (enum tt_event_sample)f->what, f->sink);
    }
    return f->events != NULL;
}

static bool begin_interrupts(struct tt_plot_feed *f)
{
    const struct tt_event_window window = tt_table_event_window(&f->request.sheet->request);
    f->interrupts = tt_interrupt_stats_new(f->request.sheet->request.trace, &window);
    if (f->interrupts) {
        const struct tt_subject *of = &f->request.row.of;
        const struct tt_interrupt_key key = {of->name, of->number, of->system};
        tt_interrupt_stats_watch(f->interrupts, &key, (enum tt_interrupt_samples)f->what, f->sink);
    }
    return f->interrupts != NULL;
}

static bool begin_pairs(struct tt_plot_feed *f, const struct tt_timelines *t)
{
    const struct tt_window *w = &f->request.sheet->request.window;
    const struct tt_pair pair = {
        .from = f->request.row.of.from, .to = f->request.row.of.to, .cpu = f->request.row.of.cpu};
    f->pairs = tt_pair_count_new(t, w->from, w->to);
    if (f->pairs) {
        tt_pair_count_watch(f->pairs, &pair, f->sink);
    }
    return f->pairs != NULL;
}

static bool begin_messages(struct tt_plot_feed *f)
{
    const struct tt_table_request *r = &f->request.sheet->request;
    const struct tt_subject *of = &f->request.row.of;
    const struct tt_message_stat key = {
        .client_process = of->peer,
        .client = of->thread,
        .process = of->process,
        .server = of->to,
        .channel = of->channel,
        .system = of->system,
        .post = of->kind != 0,
        .connection = of->number == TT_TABLE_NONE ? TT_NO_CONNECTION : of->number,
    };
    enum tt_messages_by by = r->table == &tt_table_servers    ? TT_MESSAGES_BY_SERVER
                             : r->table == &tt_table_channels ? TT_MESSAGES_BY_CHANNEL
                                                              : TT_MESSAGES_BY_PAIR;
    f->window = (struct tt_message_window){.from = r->window.from,
                                           .to = r->window.to,
                                           .threads = r->threads,
                                           .thread_limit = r->thread_limit};
    f->messages = tt_message_counting_new(f->request.sheet->capture, by, &f->window);
    if (f->messages) {
        tt_message_counting_watch(f->messages, &key, f->what, f->sink);
    }
    return f->messages != NULL;
}

static bool begin_objects(struct tt_plot_feed *f, const struct tt_timelines *t)
{
    const struct tt_table_request *r = &f->request.sheet->request;
    const struct tt_subject *of = &f->request.row.of;
    const struct tt_object_window window = {r->window.from, r->window.to, r->threads,
                                            r->thread_limit};
    uint32_t count = tt_object_count(t), number = 0;
    for (; number < count; number++) {
        struct tt_object object = tt_object_at(t, number);
        if (object.id == of->number && object.process == of->process && object.kind == of->kind &&
            object.system == of->system) {
            break;
        }
    }
    f->objects = number < count ? tt_object_counting_new(t, &window) : NULL;
    if (f->objects) {
        tt_object_counting_watch(f->objects, number, (enum tt_object_sample)f->what, f->sink);
    }
    return f->objects != NULL || number == count;
}

static bool begin_crossings(struct tt_plot_feed *f, const struct tt_timelines *t)
{
    const struct tt_window *w = &f->request.sheet->request.window;
    f->crossings = tt_crossings_new(t, f->request.sheet->capture, (enum tt_crossing)f->what,
                                    w->from, w->to, f->sink);
    return f->crossings != NULL;
}

bool tt_plot_feed_begin(struct tt_plot_feed *f, struct tt_sample_sink *sink)
{
    const struct tt_timelines *t = tt_plot_timelines(&f->request);
    drop(f);
    f->sink = sink;
    f->passed = 0;
    if (!t && f->source != FROM_LIST && f->source != FROM_CALLER) {
        f->source = FROM_NOTHING;
    }
    switch (f->source) {
    case FROM_CALLER:
        return f->request.source->begin(f->request.source->arg, sink);
    case FROM_DELAYS:
        return begin_delays(f);
    case FROM_JOBS:
        return begin_jobs(f, t);
    case FROM_EVENTS:
        return begin_events(f);
    case FROM_INTERRUPTS:
        return begin_interrupts(f);
    case FROM_PAIRS:
        return begin_pairs(f, t);
    case FROM_MESSAGES:
        return begin_messages(f);
    case FROM_OBJECTS:
        return begin_objects(f, t);
    case FROM_CROSSINGS:
        return begin_crossings(f, t);
    default:
        return true;
    }
}

struct tt_plot_feed *tt_plot_feed_new(const struct tt_plot_request *request)
{
    struct tt_plot_feed *f = calloc(1, sizeof *f);
    if (f) {
        f->request = *request;
        choose_source(f);
    }
    return f;
}

uint64_t tt_plot_feed_limit(const struct tt_plot_feed *f)
{
    const struct tt_plot_request *r = &f->request;
    bool of_responses =
        f->source == FROM_JOBS && f->what == TT_SAMPLES_response && r->kind != TT_PLOT_RATE;
    return of_responses ? tt_table_deadline(&r->sheet->request, r->row.of.thread) : 0;
}

void tt_plot_feed_free(struct tt_plot_feed *f)
{
    if (f) {
        drop(f);
        tt_delays_free(&f->delays);
        free(f);
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool step_list(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    for (; f->passed<f->request.list_count && * work> 0; f->passed++, --*work) {
        const struct tt_plot_sample *s = &f->request.list[f->passed];
        f->sink->thread = s->thread;
        if (!tt_sample_sink_take(f->sink, s->length, s->end)) {
            return false;
        }
    }
    *done = f->passed >= f->request.list_count;
    return true;
}

/* Passes the value of a row on, or its times: of an inversion, or of a part of a message. */
static bool pass_row(struct tt_plot_feed *f, const struct tt_table_row *row)
{
    const struct tt_plot_request *r = &f->request;
    struct tt_table_place place;
    char buffer[64];
    f->sink->thread = row->of.thread;
    if (r->kind == TT_PLOT_ROWS) {
        struct tt_table_cell cell =
            tt_table_cell_of(r->sheet, r->column, row, buffer, sizeof buffer);
        bool is_number = cell.kind == TT_CELL_NUMBER || cell.kind == TT_CELL_DECIMAL;
        return !is_number || tt_sample_sink_take(f->sink, cell.number, 0);
    }
    const struct tt_table_column *longest = tt_table_longest(r->sheet, r->column, row);
    return !longest || !tt_table_place_of(r->sheet, longest, row, &place) ||
           tt_sample_sink_take(f->sink, place.length, place.at);
}

static bool step_rows(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    for (; f->passed<f->request.sheet->count && * work> 0; --*work) {
        struct tt_table_row row;
        tt_table_row_at(f->request.sheet, f->passed++, &row);
        if (!pass_row(f, &row)) {
            return false;
        }
    }
    *done = f->passed >= f->request.sheet->count;
    return true;
}

static bool step_delays(struct tt_plot_feed *f, const struct tt_timelines *t, uint64_t *work,
                        bool *done)
{
    const struct tt_window *window = &f->request.sheet->request.window;
    uint32_t count = tt_plot_members(&f->request);
    while (f->member<count && * work> 0) {
        if (!tt_plot_member(&f->request, f->member, &f->sink->thread)) {
            f->member++;
            continue;
        }
        if (!tt_delays_gather_part(&f->delays, t, f->sink->thread, window, &f->reached, work)) {
            return false;
        }
        if (f->reached >= window->to) {
            f->member++;
            f->reached = window->from;
            *work -= *work > 0;
        }
    }
    *done = f->member >= count;
    return true;
}

static bool step_jobs(struct tt_plot_feed *f, const struct tt_timelines *t, uint64_t *work,
                      bool *done)
{
    struct tt_job job;
    f->sink->thread = f->request.row.of.thread;
    tt_job_walk_set_timelines(&f->jobs, t);
    while (tt_job_walk_next(&f->jobs, work, &job)) {
        uint64_t length = f->what == TT_SAMPLES_run      ? job.run
                          : f->what == TT_SAMPLES_period ? job.period
                                                         : tt_job_response(&job);
        bool counts = tt_window_has_cpu(&f->request.sheet->request.window, job.cpu) &&
                      !(f->what == TT_SAMPLES_period && length == TT_JOB_UNKNOWN);
        if (counts && !tt_sample_sink_take(f->sink, length, job.end)) {
            return false;
        }
    }
    *done = tt_job_walk_ended(&f->jobs);
    return true;
}

static bool step_events(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    uint64_t rows = *work / EVENT_WORK + 1;
    struct tt_status status =
        tt_event_stats_step(f->events, f->request.sheet->request.events, rows, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

static bool step_interrupts(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    uint64_t rows = *work / EVENT_WORK + 1;
    struct tt_status status =
        tt_interrupt_stats_step(f->interrupts, f->request.sheet->request.events, rows, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

static bool step_pairs(struct tt_plot_feed *f, const struct tt_timelines *t, uint64_t *work,
                       bool *done)
{
    tt_pair_count_set_timelines(f->pairs, t);
    struct tt_status status = tt_pair_count_step(f->pairs, *work, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

static bool step_objects(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    if (!f->objects) {
        *done = true;
        return true;
    }
    struct tt_status status = tt_object_counting_step(f->objects, *work, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

bool tt_plot_feed_step(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    const struct tt_timelines *t = tt_plot_timelines(&f->request);
    *done = false;
    switch (f->source) {
    case FROM_LIST:
        return step_list(f, work, done);
    case FROM_CALLER:
        return f->request.source->step(f->request.source->arg, work, done);
    case FROM_ROWS:
        return step_rows(f, work, done);
    case FROM_DELAYS:
        return step_delays(f, t, work, done);
    case FROM_JOBS:
        return step_jobs(f, t, work, done);
    case FROM_EVENTS:
        return step_events(f, work, done);
    case FROM_INTERRUPTS:
        return step_interrupts(f, work, done);
    case FROM_PAIRS:
        return step_pairs(f, t, work, done);
    case FROM_MESSAGES:
        return tt_message_counting_step(f->messages, t, work, done);
    case FROM_OBJECTS:
        return step_objects(f, work, done);
    case FROM_CROSSINGS:
        return tt_crossings_step(f->crossings, work, done);
    default:
        *done = true;
        return true;
    }
}
