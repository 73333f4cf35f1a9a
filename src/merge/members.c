/* SPDX-License-Identifier: Apache-2.0 */
#include "merge/members.h"

#include <stdlib.h>

#include "tracetui/filter.h"
#include "tracetui/time_spec.h"

struct tt_status merge_capture_open(struct merge_capture *capture, const char *path,
                                    const struct tt_trace_options *options)
{
    struct tt_status status = tt_trace_open(path, options, &capture->trace);
    return tt_failed(&status) ? tt_status_context(status, capture->name) : status;
}

void merge_capture_close(struct merge_capture *capture)
{
    tt_events_free(capture->events);
    tt_trace_close(capture->trace);
    capture->events = NULL;
    capture->trace = NULL;
}

#define FIRST_EVENTS 1024u

struct begin_job {
    struct tt_capture *capture;
    struct tt_cursor *cursor;
    struct tt_batch batch;
};

static void begin_guarded(void *arg)
{
    struct begin_job *job = arg;
    const struct tt_format *format = job->capture->format;
    format->decode(job->cursor, job->capture->bytes.size, true, &job->batch);
}

struct tt_status merge_capture_begin(const char *path, const struct tt_trace_options *options,
                                     uint64_t *ticks)
{
    struct tt_trace *trace;
    struct tt_trace_options once = *options;
    once.map.follow = once.cache.on = false; /* the tables of this trace are not used */
    struct tt_status status = tt_trace_open(path, &once, &trace);
    *ticks = 0;
    if (tt_failed(&status)) {
        return status;
    }
    struct begin_job job = {.capture = tt_trace_capture(trace)};
    const struct tt_format *format = job.capture->format;
    job.batch.capacity = FIRST_EVENTS;
    job.batch.events = calloc(FIRST_EVENTS, sizeof *job.batch.events);
    job.cursor = format->cursor_new(job.capture, true);
    if (job.batch.events && job.cursor) {
        tt_sigbus_guard(begin_guarded, &job); /* of a file that shrinks, what was decoded counts */
    } else {
        status = tt_error_memory();
    }
    for (uint32_t i = 0; i < job.batch.count; i++) {
        const uint64_t time = job.batch.events[i].ticks;
        *ticks = i == 0 || time < *ticks ? time : *ticks;
    }
    tt_cursor_free(format, job.cursor);
    free(job.batch.events);
    tt_trace_close(trace);
    return status;
}

static struct tt_status index_trace(struct merge_capture *capture)
{
    struct tt_status status = tt_trace_index(capture->trace);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_progress progress = tt_trace_progress(capture->trace);
    capture->events = tt_events_new(capture->trace);
    capture->first_ticks = progress.first_ticks;
    capture->has_events = progress.events + progress.derived > 0;
    return capture->events ? status : tt_error_memory();
}

struct tt_status merge_capture_index(struct merge_capture *capture)
{
    struct tt_status status = capture->events ? tt_ok() : index_trace(capture);
    if (!tt_failed(&status) && !capture->has_events) {
        status = tt_error(TT_ERR_USAGE, "no events to align it by");
    }
    return tt_failed(&status) ? tt_status_context(status, capture->name) : status;
}

/* Finds the row of the first match. */
static struct tt_status first_match(struct merge_capture *capture, const struct tt_filter *filter,
                                    uint64_t *row)
{
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    if (!tt_filter_plan_new(filter, capture->trace, capture->events, &plan, &error)) {
        return error.status;
    }
    struct tt_filter_result *result;
    struct tt_status status = tt_filter_start(plan, 0, NULL, NULL, &result);
    if (!tt_failed(&status)) {
        status = tt_filter_wait(result);
        *row = tt_filter_result_select(result, 0);
        tt_filter_result_free(result);
    }
    tt_filter_plan_free(plan);
    return status;
}

static struct tt_status members_find_match(struct merge_capture *capture, const char *text,
                                           uint64_t *ticks)
{
    struct tt_filter *filter;
    struct tt_filter_error error;
    struct tt_event event;
    uint64_t row = UINT64_MAX;
    if (!tt_filter_parse(text, &filter, &error)) {
        return error.status;
    }
    struct tt_status status = first_match(capture, filter, &row);
    tt_filter_free(filter);
    if (!tt_failed(&status) &&
        (row == UINT64_MAX || tt_events_read(capture->events, row, 1, &event) != 1)) {
        status = tt_error(TT_ERR_USAGE, "no event matches '%.80s'", text);
    }
    *ticks = tt_failed(&status) ? 0 : event.ticks;
    return status;
}

static struct tt_status members_find_event(struct merge_capture *capture, const char *text,
                                           uint64_t *ticks)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(text, &when);
    if (tt_failed(&status)) {
        return members_find_match(capture, text, ticks);
    }
    uint64_t pos;
    status = tt_time_spec_resolve(&when, capture->trace, capture->events, ticks, &pos);
    if (!tt_failed(&status) && *ticks == UINT64_MAX) {
        status = tt_error(TT_ERR_USAGE, "no event at or after '%.80s'", text);
    }
    return status;
}

struct tt_status merge_capture_find(struct merge_capture *capture, const char *event,
                                    uint64_t *ticks)
{
    struct tt_status status = merge_capture_index(capture);
    if (tt_failed(&status)) {
        return status;
    }
    status = members_find_event(capture, event, ticks);
    return tt_failed(&status) ? tt_status_context(status, capture->name) : status;
}
