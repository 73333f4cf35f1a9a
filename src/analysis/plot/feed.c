/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: passes the samples of a cell on, with the functions that computed the cell's number: their
 * samples go to a sink instead of an array.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot_internal.h"
#include "table/builder.h"
#include "tracetui/crossings.h"
#include "tracetui/interrupts.h"

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

#define OF(member) offsetof(struct tt_stat_row, member)

static const struct tt_stat_builder *builder_of(const struct tt_plot_feed *f)
{
    return f->request.sheet ? f->request.sheet->state : NULL;
}

static bool is_of(const struct tt_plot_feed *f, size_t distribution)
{
    return f->request.column->distribution == distribution;
}

/* ---- which source ------------------------------------------------------------------------- */

enum job_sample { JOB_RESPONSE, JOB_RUN, JOB_PERIOD };

static void choose_jobs(struct tt_plot_feed *f)
{
    bool run = is_of(f, OF(j.run)), jitter = f->request.column->field == OF(j.jitter) ||
                                             f->request.column->field == OF(j.jitter_at) ||
                                             f->request.column->field == OF(j.period_min);
    f->source = FROM_JOBS;
    f->what = run ? JOB_RUN : is_of(f, OF(j.period)) || jitter ? JOB_PERIOD : JOB_RESPONSE;
}

static void choose_events(struct tt_plot_feed *f)
{
    f->source = FROM_EVENTS;
    f->what = is_of(f, OF(e.duration)) ? TT_EVENT_DURATION
              : is_of(f, OF(e.period)) ? TT_EVENT_PERIOD
                                       : TT_EVENT_COUNTED;
}

static void choose_interrupts(struct tt_plot_feed *f)
{
    f->source = FROM_INTERRUPTS;
    f->what = f->request.kind == TT_PLOT_RATE ? TT_INTERRUPT_SAMPLES
              : is_of(f, OF(i.handler))       ? TT_INTERRUPT_HANDLERS
              : is_of(f, OF(e.period))        ? TT_INTERRUPT_PERIODS
                                              : TT_INTERRUPT_DURATIONS;
}

/* Sums of messages: their distributions; the parts of a service are those of its samples. */
static void choose_messages(struct tt_plot_feed *f)
{
    f->source = FROM_MESSAGES;
    if (f->request.kind == TT_PLOT_RATE) {
        f->what = TT_MESSAGE_SENDS;
    } else if (is_of(f, OF(m.round))) {
        f->what = offsetof(struct tt_message_stat, round);
    } else if (is_of(f, OF(m.queue))) {
        f->what = offsetof(struct tt_message_stat, queue);
    } else if (is_of(f, OF(m.back))) {
        f->what = offsetof(struct tt_message_stat, back);
    } else {
        f->what = offsetof(struct tt_message_stat, service);
    }
}

static void choose_objects(struct tt_plot_feed *f)
{
    f->source = FROM_OBJECTS;
    f->what = f->request.kind == TT_PLOT_RATE ? TT_OBJECT_WAITS
              : is_of(f, OF(o.hold))          ? TT_OBJECT_HOLD
                                              : TT_OBJECT_WAIT;
}

static void choose_source(struct tt_plot_feed *f)
{
    const struct tt_plot_request *r = &f->request;
    const struct tt_stat_builder *m = builder_of(f);
    f->source = FROM_NOTHING;
    if (r->subject == TT_PLOT_OF_LIST) {
        f->source = FROM_LIST;
    } else if (r->subject == TT_PLOT_OF_SOURCE) {
        f->source = FROM_CALLER;
    } else if (m && tt_plot_of_crossings(r)) {
        f->source = FROM_CROSSINGS;
        f->what = r->subject == TT_PLOT_OF_CROSSINGS ? TT_CROSSING_MESSAGE : TT_CROSSING_MIGRATION;
    } else if (!m || !r->column) {
        return;
    } else if (r->kind == TT_PLOT_ROWS || r->sheet->table == &tt_table_single_messages ||
               r->sheet->table == &tt_table_inversions) {
        f->source = FROM_ROWS;
    } else if (r->sheet->table == &tt_table_jobs) {
        choose_jobs(f);
    } else if (r->sheet->table == &tt_table_event_names) {
        choose_events(f);
    } else if (r->sheet->table == &tt_table_interrupts) {
        choose_interrupts(f);
    } else if (r->sheet->table == &tt_table_pairs) {
        f->source = FROM_PAIRS;
    } else if (r->sheet->table == &tt_table_objects) {
        choose_objects(f);
    } else if (r->sheet->table->of_messages) {
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
    const struct {
        size_t distribution;
        struct tt_samples *samples;
    } places[] = {{OF(n.delay), &f->delays.delay},
                  {OF(n.preempted), &f->delays.preempted},
                  {OF(n.wait), &f->delays.wait},
                  {OF(n.slice), &f->delays.slice}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        places[i].samples->sink = is_of(f, places[i].distribution) ? f->sink : &none;
    }
    f->member = 0;
    f->reached = f->request.sheet->request.window.from;
    return true;
}

static bool begin_jobs(struct tt_plot_feed *f, const struct tt_timelines *t)
{
    const struct tt_table_request *r = &f->request.sheet->request;
    tt_job_walk_begin(&f->jobs, t, f->request.sheet->capture, &r->job_ends, f->request.row.thread,
                      r->window.from, r->window.to);
    return true;
}

static struct tt_event_window events_of(const struct tt_plot_feed *f)
{
    const struct tt_table_request *r = &f->request.sheet->request;
    return (struct tt_event_window){.first_row = r->first_row,
                                    .end_row = r->end_row,
                                    .from = r->window.from,
                                    .to = r->keys.to_ticks,
                                    .threads = r->threads,
                                    .thread_limit = r->thread_limit,
                                    .cpus = r->window.cpus,
                                    .cpu_limit = r->window.cpu_limit,
                                    .wanted = r->wanted,
                                    .wanted_arg = r->wanted_arg};
}

static bool begin_events(struct tt_plot_feed *f)
{
    const struct tt_event_window window = events_of(f);
    f->events = tt_event_stats_new(f->request.sheet->request.trace, &window);
    if (f->events) {
        tt_event_stats_watch(f->events, f->request.row.e.class_id, f->request.row.e.name,
                             (enum tt_event_sample)f->what, f->sink);
    }
    return f->events != NULL;
}

static bool begin_interrupts(struct tt_plot_feed *f)
{
    const struct tt_event_window window = events_of(f);
    f->interrupts = tt_interrupt_stats_new(f->request.sheet->request.trace, &window);
    if (f->interrupts) {
        const struct tt_stat_row *row = &f->request.row;
        const struct tt_interrupt_key key = {row->e.name, row->number, row->i.system};
        tt_interrupt_stats_watch(f->interrupts, &key, (enum tt_interrupt_samples)f->what, f->sink);
    }
    return f->interrupts != NULL;
}

static bool begin_pairs(struct tt_plot_feed *f, const struct tt_timelines *t)
{
    const struct tt_window *w = &f->request.sheet->request.window;
    const struct tt_pair pair = {
        .from = f->request.row.from, .to = f->request.row.to, .cpu = f->request.row.cpu};
    f->pairs = tt_pair_count_new(t, w->from, w->to);
    if (f->pairs) {
        tt_pair_count_watch(f->pairs, &pair, f->sink);
    }
    return f->pairs != NULL;
}

static bool begin_messages(struct tt_plot_feed *f)
{
    const struct tt_table_request *r = &f->request.sheet->request;
    const struct tt_stat_row *row = &f->request.row;
    const struct tt_message_stat key = {
        .client_process = row->peer,
        .client = row->thread,
        .process = row->process,
        .server = row->to,
        .channel = row->channel,
        .system = (uint32_t)row->m.system,
        .post = row->post != 0,
        .connection = row->number == TT_TABLE_NONE ? TT_NO_CONNECTION : row->number,
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
    const struct tt_stat_row *row = &f->request.row;
    const struct tt_object_window window = {r->window.from, r->window.to, r->threads,
                                            r->thread_limit};
    uint32_t count = tt_object_count(t), number = 0;
    for (; number < count; number++) {
        struct tt_object object = tt_object_at(t, number);
        if (object.id == row->number && object.process == row->process &&
            object.kind == row->post && object.system == row->o.system) {
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
    f->crossings = tt_crossings_new(t, builder_of(f)->capture, (enum tt_crossing)f->what, w->from,
                                    w->to, f->sink);
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
        f->source == FROM_JOBS && f->what == JOB_RESPONSE && r->kind != TT_PLOT_RATE;
    return of_responses ? tt_stat_deadline_of(builder_of(f), r->row.thread) : 0;
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
static bool take_row(struct tt_plot_feed *f, const struct tt_stat_row *row)
{
    const struct tt_plot_request *r = &f->request;
    char buffer[64];
    f->sink->thread = row->thread;
    if (r->kind == TT_PLOT_ROWS) {
        struct tt_table_cell cell =
            tt_table_cell_of(r->sheet, r->column, row, buffer, sizeof buffer);
        bool is_number = cell.kind == TT_CELL_NUMBER || cell.kind == TT_CELL_DECIMAL;
        return !is_number || tt_sample_sink_take(f->sink, cell.number, 0);
    }
    if (f->request.sheet->request.table == &tt_table_inversions) {
        return row->b.to == TT_TABLE_NONE || tt_sample_sink_take(f->sink, row->b.total, row->b.to);
    }
    size_t place =
        r->column->distribution == TT_TABLE_ALWAYS ? OF(m.round) : r->column->distribution;
    const struct tt_distribution *d = (const struct tt_distribution *)((const char *)row + place);
    return d->count == 0 || tt_sample_sink_take(f->sink, d->max, d->max_at);
}

static bool step_rows(struct tt_plot_feed *f, uint64_t *work, bool *done)
{
    for (; f->passed<f->request.sheet->count && * work> 0; --*work) {
        struct tt_stat_row row;
        tt_table_row_at(f->request.sheet, f->passed++, &row);
        if (!take_row(f, &row)) {
            return false;
        }
    }
    *done = f->passed >= f->request.sheet->count;
    return true;
}

static bool step_delays(struct tt_plot_feed *f, const struct tt_timelines *t, uint64_t *work,
                        bool *done)
{
    const struct tt_stat_builder *m = builder_of(f);
    uint32_t count;
    const uint32_t *threads = tt_stat_builder_members(m, &f->request.row, &count);
    while (f->member<count && * work> 0) {
        f->sink->thread = threads[f->member];
        if (!tt_delays_gather_part(&f->delays, t, threads[f->member], &m->request.window,
                                   &f->reached, work)) {
            return false;
        }
        if (f->reached >= m->request.window.to) {
            f->member++;
            f->reached = m->request.window.from;
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
    f->sink->thread = f->request.row.thread;
    tt_job_walk_set_timelines(&f->jobs, t);
    while (tt_job_walk_next(&f->jobs, work, &job)) {
        uint64_t length = f->what == JOB_RUN      ? job.run
                          : f->what == JOB_PERIOD ? job.period
                                                  : tt_job_response(&job);
        bool counts = tt_window_has_cpu(&f->request.sheet->request.window, job.cpu) &&
                      !(f->what == JOB_PERIOD && length == TT_JOB_UNKNOWN);
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
