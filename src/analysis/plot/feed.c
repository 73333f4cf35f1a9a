/* SPDX-License-Identifier: Apache-2.0 */
/*
 * feed: passes the samples of a cell on, with the functions that computed the cell's number: their
 * samples go to a sink instead of an array.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/interrupts.h"
#include "analysis/messages/crossings.h"
#include "analysis/messages/message_stats.h"
#include "analysis/messages/object_stats.h"
#include "analysis/plot/plot_internal.h"
#include "table/lanes/lane_sums.h"
#include "table/registry.h"

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
    FROM_LANES,
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
    struct tt_lane_samples *lanes;
};

uint32_t tt_plot_members(const struct tt_plot_request *request)
{
    return request->sheet->table == &tt_table_processes ? tt_thread_count(request->sheet->capture)
                                                        : 1;
}

bool tt_plot_member(const struct tt_plot_request *request, uint32_t index, uint32_t *thread)
{
    bool of_process = request->sheet->table == &tt_table_processes;
    *thread = of_process ? index : request->row.of.thread;
    if (!of_process) {
        return true;
    }
    const struct tt_thread *lane = tt_thread_at(request->sheet->capture, index);
    return lane->process == request->row.of.process && tt_thread_is_counted(lane) &&
           tt_table_includes(request->sheet, index);
}

/* ---- which source ------------------------------------------------------------------------- */

/* Sets the source of sums of messages: their distributions; the parts of a service are those of its samples. */
static void choose_messages(struct tt_plot_feed *feed)
{
    enum tt_samples_of of = feed->request.column->samples;
    feed->source = FROM_MESSAGES;
    feed->what = feed->request.kind == TT_PLOT_RATE ? TT_MESSAGE_SENDS
                 : of == TT_SAMPLES_round           ? offsetof(struct tt_message_stat, round)
                 : of == TT_SAMPLES_queue           ? offsetof(struct tt_message_stat, queue)
                 : of == TT_SAMPLES_back            ? offsetof(struct tt_message_stat, back)
                                                    : offsetof(struct tt_message_stat, service);
}

static void choose_source(struct tt_plot_feed *feed)
{
    const struct tt_plot_request *request = &feed->request;
    const struct tt_table *table =
        request->sheet && request->sheet->state ? request->sheet->table : NULL;
    enum tt_samples_of of = request->column ? request->column->samples : TT_SAMPLES_NONE;
    bool rate = request->kind == TT_PLOT_RATE;
    feed->source = FROM_NOTHING;
    if (request->subject == TT_PLOT_OF_LIST) {
        feed->source = FROM_LIST;
    } else if (request->subject == TT_PLOT_OF_SOURCE) {
        feed->source = FROM_CALLER;
    } else if (table && tt_plot_of_crossings(request)) {
        feed->source = FROM_CROSSINGS;
        feed->what =
            request->subject == TT_PLOT_OF_CROSSINGS ? TT_CROSSING_MESSAGE : TT_CROSSING_MIGRATION;
    } else if (!table || !request->column) {
        return;
    } else if (request->kind == TT_PLOT_ROWS || table == &tt_table_single_messages ||
               table == &tt_table_inversions) {
        feed->source = FROM_ROWS;
    } else if (table == &tt_table_jobs) {
        feed->source = FROM_JOBS;
        feed->what = of == TT_SAMPLES_run || of == TT_SAMPLES_period ? of : TT_SAMPLES_response;
    } else if (table == &tt_table_event_names) {
        feed->source = FROM_EVENTS;
        feed->what = of == TT_SAMPLES_duration ? TT_EVENT_DURATION
                     : of == TT_SAMPLES_period ? TT_EVENT_PERIOD
                                               : TT_EVENT_COUNTED;
    } else if (table == &tt_table_interrupts) {
        feed->source = FROM_INTERRUPTS;
        feed->what = rate                       ? TT_INTERRUPT_SAMPLES
                     : of == TT_SAMPLES_handler ? TT_INTERRUPT_HANDLERS
                     : of == TT_SAMPLES_period  ? TT_INTERRUPT_PERIODS
                                                : TT_INTERRUPT_DURATIONS;
    } else if (table == &tt_table_lanes) {
        feed->source = FROM_LANES;
        feed->what = request->column->unit == TT_UNIT_REAL;
    } else if (table == &tt_table_pairs) {
        feed->source = FROM_PAIRS;
    } else if (table == &tt_table_objects) {
        feed->source = FROM_OBJECTS;
        feed->what = rate                    ? TT_OBJECT_WAITS
                     : of == TT_SAMPLES_hold ? TT_OBJECT_HOLD
                                             : TT_OBJECT_WAIT;
    } else if (table->of_messages) {
        choose_messages(feed);
    } else if (request->column->distribution != TT_TABLE_ALWAYS) {
        feed->source = FROM_DELAYS;
    }
}

/* ---- begin -------------------------------------------------------------------------------- */

static void feed_drop(struct tt_plot_feed *feed)
{
    tt_event_stats_free(feed->events);
    tt_interrupt_stats_free(feed->interrupts);
    feed->interrupts = NULL;
    tt_pair_count_free(feed->pairs);
    tt_message_counting_free(feed->messages);
    tt_object_counting_free(feed->objects);
    tt_crossings_free(feed->crossings);
    tt_lane_samples_free(feed->lanes);
    feed->crossings = NULL;
    feed->lanes = NULL;
    feed->events = NULL;
    feed->pairs = NULL;
    feed->messages = NULL;
    feed->objects = NULL;
}

static bool begin_delays(struct tt_plot_feed *feed)
{
    static const struct tt_sample_sink none = {.take = NULL};
    enum tt_samples_of of = feed->request.column->samples;
    feed->delays.delay.sink = of == TT_SAMPLES_delay ? feed->sink : &none;
    feed->delays.preempted.sink = of == TT_SAMPLES_preempted ? feed->sink : &none;
    feed->delays.wait.sink = of == TT_SAMPLES_wait ? feed->sink : &none;
    feed->delays.slice.sink = of == TT_SAMPLES_slice ? feed->sink : &none;
    feed->member = 0;
    feed->reached = feed->request.sheet->request.window.from;
    return true;
}

static bool begin_jobs(struct tt_plot_feed *feed, const struct tt_timelines *timelines)
{
    const struct tt_table_request *request = &feed->request.sheet->request;
    tt_job_walk_begin(&feed->jobs, timelines, feed->request.sheet->capture, &request->job_ends,
                      feed->request.row.of.thread, request->window.from, request->window.to);
    return true;
}

static bool begin_events(struct tt_plot_feed *feed)
{
    const struct tt_event_window window = tt_table_event_window(&feed->request.sheet->request);
    feed->events = tt_event_stats_new(feed->request.sheet->request.trace, &window);
    if (feed->events) {
        tt_event_stats_watch(feed->events, feed->request.row.of.class_id, feed->request.row.of.name,
                             (enum tt_event_sample)feed->what, feed->sink);
    }
    return feed->events != NULL;
}

static bool begin_interrupts(struct tt_plot_feed *feed)
{
    const struct tt_event_window window = tt_table_event_window(&feed->request.sheet->request);
    feed->interrupts = tt_interrupt_stats_new(feed->request.sheet->request.trace, &window);
    if (feed->interrupts) {
        const struct tt_subject *of = &feed->request.row.of;
        const struct tt_interrupt_key key = {of->name, of->number, of->system};
        tt_interrupt_stats_watch(feed->interrupts, &key, (enum tt_interrupt_samples)feed->what,
                                 feed->sink);
    }
    return feed->interrupts != NULL;
}

static bool begin_pairs(struct tt_plot_feed *feed, const struct tt_timelines *timelines)
{
    const struct tt_window *window = &feed->request.sheet->request.window;
    const struct tt_pair pair = {.from = feed->request.row.of.from,
                                 .to = feed->request.row.of.to,
                                 .cpu = feed->request.row.of.cpu};
    feed->pairs = tt_pair_count_new(timelines, window->from, window->to);
    if (feed->pairs) {
        tt_pair_count_watch(feed->pairs, &pair, feed->sink);
    }
    return feed->pairs != NULL;
}

static bool begin_messages(struct tt_plot_feed *feed)
{
    const struct tt_table_request *request = &feed->request.sheet->request;
    const struct tt_subject *of = &feed->request.row.of;
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
    enum tt_messages_by by = request->table == &tt_table_servers    ? TT_MESSAGES_BY_SERVER
                             : request->table == &tt_table_channels ? TT_MESSAGES_BY_CHANNEL
                                                                    : TT_MESSAGES_BY_PAIR;
    feed->window = (struct tt_message_window){.from = request->window.from,
                                              .to = request->window.to,
                                              .threads = request->threads,
                                              .thread_limit = request->thread_limit};
    feed->messages = tt_message_counting_new(feed->request.sheet->capture, by, &feed->window);
    if (feed->messages) {
        tt_message_counting_watch(feed->messages, &key, feed->what, feed->sink);
    }
    return feed->messages != NULL;
}

static bool begin_objects(struct tt_plot_feed *feed, const struct tt_timelines *timelines)
{
    const struct tt_table_request *request = &feed->request.sheet->request;
    const struct tt_subject *of = &feed->request.row.of;
    const struct tt_object_window window = {request->window.from, request->window.to,
                                            request->threads, request->thread_limit};
    uint32_t count = tt_object_count(timelines), number = 0;
    for (; number < count; number++) {
        struct tt_object object = tt_object_at(timelines, number);
        if (object.id == of->number && object.process == of->process && object.kind == of->kind &&
            object.system == of->system) {
            break;
        }
    }
    feed->objects = number < count ? tt_object_counting_new(timelines, &window) : NULL;
    if (feed->objects) {
        tt_object_counting_watch(feed->objects, number, (enum tt_object_sample)feed->what,
                                 feed->sink);
    }
    return feed->objects != NULL || number == count;
}

static bool begin_crossings(struct tt_plot_feed *feed, const struct tt_timelines *timelines)
{
    const struct tt_window *window = &feed->request.sheet->request.window;
    feed->crossings =
        tt_crossings_new(timelines, feed->request.sheet->capture, (enum tt_crossing)feed->what,
                         window->from, window->to, feed->sink);
    return feed->crossings != NULL;
}

bool tt_plot_feed_begin(struct tt_plot_feed *feed, struct tt_sample_sink *sink)
{
    const struct tt_timelines *timelines = tt_plot_timelines(&feed->request);
    feed_drop(feed);
    feed->sink = sink;
    feed->passed = 0;
    if (!timelines && feed->source != FROM_LIST && feed->source != FROM_CALLER) {
        feed->source = FROM_NOTHING;
    }
    switch (feed->source) {
    case FROM_CALLER:
        return feed->request.source->begin(feed->request.source->arg, sink);
    case FROM_DELAYS:
        return begin_delays(feed);
    case FROM_JOBS:
        return begin_jobs(feed, timelines);
    case FROM_EVENTS:
        return begin_events(feed);
    case FROM_INTERRUPTS:
        return begin_interrupts(feed);
    case FROM_PAIRS:
        return begin_pairs(feed, timelines);
    case FROM_MESSAGES:
        return begin_messages(feed);
    case FROM_OBJECTS:
        return begin_objects(feed, timelines);
    case FROM_CROSSINGS:
        return begin_crossings(feed, timelines);
    case FROM_LANES:
        feed->lanes = tt_lane_samples_new(feed->request.sheet, &feed->request.row, feed->what != 0,
                                          feed->sink);
        return feed->lanes != NULL;
    default:
        return true;
    }
}

struct tt_plot_feed *tt_plot_feed_new(const struct tt_plot_request *request)
{
    struct tt_plot_feed *feed = calloc(1, sizeof *feed);
    if (feed) {
        feed->request = *request;
        choose_source(feed);
    }
    return feed;
}

uint64_t tt_plot_feed_limit(const struct tt_plot_feed *feed)
{
    const struct tt_plot_request *request = &feed->request;
    bool of_responses = feed->source == FROM_JOBS && feed->what == TT_SAMPLES_response &&
                        request->kind != TT_PLOT_RATE;
    return of_responses ? tt_table_deadline(&request->sheet->request, request->row.of.thread) : 0;
}

void tt_plot_feed_free(struct tt_plot_feed *feed)
{
    if (feed) {
        feed_drop(feed);
        tt_delays_free(&feed->delays);
        free(feed);
    }
}

/* ---- steps -------------------------------------------------------------------------------- */

static bool step_list(struct tt_plot_feed *feed, uint64_t *work, bool *done)
{
    for (; *work > 0 && feed->passed < feed->request.list_count; feed->passed++, --*work) {
        const struct tt_plot_sample *sample = &feed->request.list[feed->passed];
        feed->sink->thread = sample->thread;
        if (!tt_sample_sink_pass(feed->sink, sample->length, sample->end)) {
            return false;
        }
    }
    *done = feed->passed >= feed->request.list_count;
    return true;
}

/* Passes the value of a row on, or its times: of an inversion, or of a part of a message. */
static bool pass_row(struct tt_plot_feed *feed, const struct tt_table_row *row)
{
    const struct tt_plot_request *request = &feed->request;
    struct tt_table_place place;
    char buffer[64];
    feed->sink->thread = row->of.thread;
    if (request->kind == TT_PLOT_ROWS) {
        struct tt_table_cell cell =
            tt_table_cell_of(request->sheet, request->column, row, buffer, sizeof buffer);
        bool is_number = cell.kind == TT_CELL_NUMBER || cell.kind == TT_CELL_DECIMAL;
        return !is_number || tt_sample_sink_pass(feed->sink, cell.number, 0);
    }
    const struct tt_table_column *longest = tt_table_longest(request->sheet, request->column, row);
    return !longest || !tt_table_place_of(request->sheet, longest, row, &place) ||
           tt_sample_sink_pass(feed->sink, place.length, place.at);
}

static bool step_rows(struct tt_plot_feed *feed, uint64_t *work, bool *done)
{
    for (; *work > 0 && feed->passed < feed->request.sheet->count; --*work) {
        struct tt_table_row row;
        tt_table_row_at(feed->request.sheet, feed->passed++, &row);
        if (!pass_row(feed, &row)) {
            return false;
        }
    }
    *done = feed->passed >= feed->request.sheet->count;
    return true;
}

static bool step_delays(struct tt_plot_feed *feed, const struct tt_timelines *timelines,
                        uint64_t *work, bool *done)
{
    const struct tt_window *window = &feed->request.sheet->request.window;
    uint32_t count = tt_plot_members(&feed->request);
    while (feed->member<count && * work> 0) {
        if (!tt_plot_member(&feed->request, feed->member, &feed->sink->thread)) {
            feed->member++;
            continue;
        }
        if (!tt_delays_gather_part(&feed->delays, timelines, feed->sink->thread, window,
                                   &feed->reached, work)) {
            return false;
        }
        if (feed->reached >= window->to) {
            feed->member++;
            feed->reached = window->from;
            *work -= *work > 0;
        }
    }
    *done = feed->member >= count;
    return true;
}

static bool step_jobs(struct tt_plot_feed *feed, const struct tt_timelines *timelines,
                      uint64_t *work, bool *done)
{
    struct tt_job job;
    feed->sink->thread = feed->request.row.of.thread;
    tt_job_walk_set_timelines(&feed->jobs, timelines);
    while (tt_job_walk_next(&feed->jobs, work, &job)) {
        uint64_t length = feed->what == TT_SAMPLES_run      ? job.run
                          : feed->what == TT_SAMPLES_period ? job.period
                                                            : tt_job_response(&job);
        bool counts = tt_window_has_cpu(&feed->request.sheet->request.window, job.cpu) &&
                      !(feed->what == TT_SAMPLES_period && length == TT_JOB_UNKNOWN);
        if (counts && !tt_sample_sink_pass(feed->sink, length, job.end)) {
            return false;
        }
    }
    *done = tt_job_walk_ended(&feed->jobs);
    return true;
}

static bool feed_step_events(struct tt_plot_feed *feed, uint64_t *work, bool *done)
{
    uint64_t rows = *work / EVENT_WORK + 1;
    struct tt_status status =
        tt_event_stats_step(feed->events, feed->request.sheet->request.events, rows, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

static bool step_interrupts(struct tt_plot_feed *feed, uint64_t *work, bool *done)
{
    uint64_t rows = *work / EVENT_WORK + 1;
    struct tt_status status =
        tt_interrupt_stats_step(feed->interrupts, feed->request.sheet->request.events, rows, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

static bool feed_step_pairs(struct tt_plot_feed *feed, const struct tt_timelines *timelines,
                            uint64_t *work, bool *done)
{
    tt_pair_count_set_timelines(feed->pairs, timelines);
    struct tt_status status = tt_pair_count_step(feed->pairs, *work, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

static bool step_objects(struct tt_plot_feed *feed, uint64_t *work, bool *done)
{
    if (!feed->objects) {
        *done = true;
        return true;
    }
    struct tt_status status = tt_object_counting_step(feed->objects, *work, done);
    *work = *done ? *work : 0;
    return !tt_failed(&status);
}

bool tt_plot_feed_step(struct tt_plot_feed *feed, uint64_t *work, bool *done)
{
    const struct tt_timelines *timelines = tt_plot_timelines(&feed->request);
    *done = false;
    switch (feed->source) {
    case FROM_LIST:
        return step_list(feed, work, done);
    case FROM_CALLER:
        return feed->request.source->step(feed->request.source->arg, work, done);
    case FROM_ROWS:
        return step_rows(feed, work, done);
    case FROM_DELAYS:
        return step_delays(feed, timelines, work, done);
    case FROM_JOBS:
        return step_jobs(feed, timelines, work, done);
    case FROM_EVENTS:
        return feed_step_events(feed, work, done);
    case FROM_INTERRUPTS:
        return step_interrupts(feed, work, done);
    case FROM_PAIRS:
        return feed_step_pairs(feed, timelines, work, done);
    case FROM_MESSAGES:
        return tt_message_counting_step(feed->messages, timelines, work, done);
    case FROM_OBJECTS:
        return step_objects(feed, work, done);
    case FROM_CROSSINGS:
        return tt_crossings_step(feed->crossings, work, done);
    case FROM_LANES:
        return tt_lane_samples_step(feed->lanes, work, done);
    default:
        *done = true;
        return true;
    }
}
