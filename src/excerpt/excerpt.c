/* SPDX-License-Identifier: Apache-2.0 */
/*
 * excerpt: selects the records of a part of a capture, then lets the format write them.
 *
 *      select     rows in time order  -> set of records, threads that occur
 *      begin      states at the beginning -> header and list of states
 *      write      records of the set in the order of the file
 */
#include "excerpt/excerpt.h"

#include <stdlib.h>
#include <string.h>

#include "excerpt/excerpt_marks.h"
#include "excerpt/excerpt_states.h"
#include "format/excerpt_format.h"
#include "input/sigbus_guard.h"
#include "tracetui/timeline.h"

#define BATCH     1024u
#define PARTS_MAX 4608u /* records of one event: KEV_REACH and more */
#define COPY      65536u

enum phase { PHASE_SELECT, PHASE_WRITE, PHASE_COPY, PHASE_DONE };

struct tt_excerpt {
    struct tt_excerpt_request request;
    struct tt_capture *capture;
    const struct tt_excerpt_format *format;
    struct tt_events *events;
    struct tt_excerpt_counts counts;
    struct tt_status status;
    enum phase phase;
    uint64_t row;
    uint64_t copied; /* COPY: offset in the file */
    struct tt_record_set records;
    struct tt_excerpt_states states;
    struct tt_excerpt_job job;
    struct tt_excerpt_state *state;
    struct tt_excerpt_out out;
    struct tt_event batch[BATCH];
    struct tt_part parts[PARTS_MAX];
};

/* ---- the selection ------------------------------------------------------------------------ */

static bool add_records(struct tt_excerpt *excerpt, const struct tt_event *event)
{
    uint64_t before = excerpt->records.count;
    bool ok = true;
    if (event->flags & TT_EVENT_MULTIPART) {
        uint32_t count = tt_events_parts(excerpt->events, event, excerpt->parts, PARTS_MAX);
        for (uint32_t i = 0; i < count && i < PARTS_MAX && ok; i++) {
            ok = tt_record_set_add(&excerpt->records, excerpt->parts[i].offset);
        }
    } else {
        ok = tt_record_set_add(&excerpt->records, tt_capture_offset(excerpt->capture, event->pos));
    }
    excerpt->counts.events += excerpt->records.count != before;
    return ok;
}

static bool select_events(struct tt_excerpt *excerpt, uint32_t count)
{
    const struct tt_event_subset *subset = &excerpt->request.subset;
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_event *event = &excerpt->batch[i];
        if ((event->flags & TT_EVENT_UNNUMBERED) != 0 ||
            !(excerpt->format->is_kept(excerpt->capture, event) ||
              tt_event_subset_has(subset, event, excerpt->row + i))) {
            continue;
        }
        tt_excerpt_states_see(&excerpt->states, event);
        if (!add_records(excerpt, event)) {
            return false;
        }
        tt_excerpt_marks_see(&excerpt->request, event);
    }
    return true;
}

static void excerpt_fail(struct tt_excerpt *excerpt, struct tt_status status)
{
    excerpt->status = status;
    excerpt->phase = PHASE_DONE;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void begin_guarded(void *arg)
{
    struct tt_excerpt *excerpt = arg;
    excerpt->state = excerpt->format->begin(&excerpt->job);
}

/* Returns the time of the last recorded event before the range; derived ones may be later. */
static uint64_t begin_ticks(const struct tt_excerpt *excerpt)
{
    const uint64_t row = excerpt->request.first_row, most = row < BATCH ? row : BATCH;
    struct tt_event event;
    for (uint64_t i = 1; i <= most; i++) {
        if (tt_events_read(excerpt->events, row - i, 1, &event) == 1 &&
            !(event.flags & TT_EVENT_UNNUMBERED)) {
            return event.ticks;
        }
    }
    return excerpt->states.ticks;
}

static void begin_writing(struct tt_excerpt *excerpt)
{
    const struct tt_excerpt_request *request = &excerpt->request;
    if (excerpt->records.count == 0) {
        excerpt_fail(excerpt, tt_error(TT_ERR_USAGE, "no events are selected"));
        return;
    }
    struct tt_status status = tt_excerpt_states_find(&excerpt->states, request->trace,
                                                     excerpt->events, request->first_row);
    if (tt_failed(&status)) {
        excerpt_fail(excerpt, status);
        return;
    }
    excerpt->counts.begin_ticks = begin_ticks(excerpt);
    excerpt->job = (struct tt_excerpt_job){.capture = excerpt->capture,
                                           .limit = tt_trace_progress(request->trace).bytes_done,
                                           .records = &excerpt->records,
                                           .has_past = request->first_row > 0,
                                           .ticks = excerpt->states.ticks,
                                           .first_pos = excerpt->states.first_pos,
                                           .before_pos = excerpt->states.before_pos,
                                           .threads = excerpt->states.threads,
                                           .thread_count = excerpt->states.thread_count,
                                           .interrupts = excerpt->states.interrupts,
                                           .interrupt_count = excerpt->states.interrupt_count,
                                           .out = &excerpt->out};
    excerpt->phase = PHASE_WRITE;
    if (!tt_sigbus_guard(begin_guarded, excerpt)) {
        excerpt->counts.shrunk = true;
        excerpt->phase = PHASE_DONE;
    } else if (!excerpt->state) {
        excerpt_fail(excerpt, tt_error_memory());
    }
}

static void step_select(struct tt_excerpt *excerpt)
{
    const struct tt_excerpt_request *request = &excerpt->request;
    uint32_t most = request->end_row - excerpt->row < BATCH
                        ? (uint32_t)(request->end_row - excerpt->row)
                        : BATCH;
    uint32_t count = tt_events_read(excerpt->events, excerpt->row, most, excerpt->batch);
    if (count == 0) {
        excerpt->counts.shrunk = excerpt->row < request->end_row;
        begin_writing(excerpt);
        return;
    }
    if (!select_events(excerpt, count)) {
        excerpt_fail(excerpt, tt_error_memory());
        return;
    }
    tt_events_release_pages(excerpt->events, excerpt->batch, count);
    excerpt->row += count;
    if (excerpt->row >= request->end_row) {
        begin_writing(excerpt);
    }
}

struct write_job {
    struct tt_excerpt *x;
    bool more;
};

static void write_guarded(void *arg)
{
    struct write_job *job = arg;
    job->more = job->x->format->step(job->x->state);
}

static void step_write(struct tt_excerpt *excerpt)
{
    struct write_job job = {excerpt, false};
    if (!tt_sigbus_guard(write_guarded, &job)) {
        excerpt->counts.shrunk = true;
        job.more = false;
    }
    if (!job.more || excerpt->out.sink.stopped) {
        excerpt->phase = PHASE_DONE;
    }
}

static void step_copy(struct tt_excerpt *excerpt)
{
    uint8_t *bytes = (uint8_t *)excerpt->parts; /* not used by a copy */
    size_t length = tt_events_copy_bytes(excerpt->events, excerpt->copied, bytes, COPY);
    tt_excerpt_put(&excerpt->out, bytes, length);
    excerpt->copied += length;
    if (length < COPY || excerpt->out.sink.stopped) {
        excerpt->phase = PHASE_DONE;
    }
}

struct list_job {
    struct tt_excerpt *x;
    uint64_t end;
};

static void list_guarded(void *arg)
{
    struct list_job *job = arg;
    const struct tt_excerpt *excerpt = job->x;
    job->end = excerpt->format->list_end(excerpt->capture,
                                         tt_trace_progress(excerpt->request.trace).bytes_done);
}

/* ---- interface ---------------------------------------------------------------------------- */

static struct tt_status open_excerpt(struct tt_excerpt *excerpt)
{
    struct tt_excerpt_request *request = &excerpt->request;
    excerpt->capture = tt_trace_capture(request->trace);
    excerpt->format = excerpt->capture->format->excerpt;
    excerpt->events = tt_events_new(request->trace);
    if (!excerpt->events) {
        return tt_error_memory();
    }
    tt_excerpt_marks_open(request, excerpt->events);
    uint64_t rows = tt_events_rows(excerpt->events);
    if (request->first_row == 0 && request->end_row >= rows && !request->subset.threads &&
        !request->subset.cpus && !request->subset.wanted) {
        excerpt->phase = PHASE_COPY;
        excerpt->counts.is_copy = true;
        for (unsigned i = 0; i < request->mark_count; i++) {
            request->marks[i].is_saved = request->marks[i].is_event;
        }
        excerpt->counts.events = tt_trace_progress(request->trace).events;
        return tt_ok();
    }
    if (!excerpt->format) {
        return tt_error(TT_ERR_USAGE, "a part of a %s cannot be saved",
                        excerpt->capture->format->title);
    }
    if (request->first_row >= request->end_row ||
        tt_events_read(excerpt->events, request->first_row, 1, &excerpt->batch[0]) != 1) {
        return tt_error(TT_ERR_USAGE, "no events in the range");
    }

    /* Moves the ends of the range to the first event of a time, and out of the list of objects. */

    struct list_job job = {excerpt, 0};
    request->first_row = tt_events_row_at_time(excerpt->events, excerpt->batch[0].ticks);
    if (excerpt->format->list_end && tt_sigbus_guard(list_guarded, &job) &&
        excerpt->batch[0].ticks < job.end) {
        uint64_t end = tt_events_row_at_time(excerpt->events, job.end);
        request->first_row = 0;
        request->end_row = end > request->end_row ? end : request->end_row;
    }

    excerpt->row = request->first_row;
    tt_record_set_make(&excerpt->records, excerpt->format->base(excerpt->capture),
                       excerpt->format->unit);
    return tt_excerpt_states_open(&excerpt->states, excerpt->capture);
}

struct tt_status tt_excerpt_begin(const struct tt_excerpt_request *request,
                                  struct tt_excerpt **excerpt)
{
    struct tt_excerpt_counts counts;
    struct tt_excerpt *x = calloc(1, sizeof *x);
    *excerpt = NULL;
    if (!x) {
        return tt_error_memory();
    }
    x->request = *request;
    x->status = tt_ok();
    x->out.sink = request->sink;
    struct tt_status status = open_excerpt(x);
    if (tt_failed(&status)) {
        tt_excerpt_end(x, &counts);
        return status;
    }
    *excerpt = x;
    return tt_ok();
}

bool tt_excerpt_step(struct tt_excerpt *excerpt)
{
    switch (excerpt->phase) {
    case PHASE_SELECT:
        step_select(excerpt);
        break;
    case PHASE_WRITE:
        step_write(excerpt);
        break;
    case PHASE_COPY:
        step_copy(excerpt);
        break;
    default:
        break;
    }
    return excerpt->phase != PHASE_DONE;
}

unsigned tt_excerpt_percent(const struct tt_excerpt *excerpt)
{
    const struct tt_excerpt_request *request = &excerpt->request;
    uint64_t total = request->end_row - request->first_row;
    uint64_t bytes = tt_trace_progress(request->trace).bytes_done;
    if (excerpt->phase == PHASE_COPY) {
        return bytes ? (unsigned)((double)excerpt->copied * 100 / (double)bytes) : 100;
    }
    /* Writing takes about as long as selecting. */
    return excerpt->phase == PHASE_SELECT && total > 0
               ? (unsigned)((double)(excerpt->row - request->first_row) * 50 / (double)total)
               : 50;
}

struct tt_status tt_excerpt_end(struct tt_excerpt *excerpt, struct tt_excerpt_counts *counts)
{
    struct tt_status status = excerpt->status;
    if (excerpt->state) {
        excerpt->format->end(excerpt->state);
    }
    tt_excerpt_flush(&excerpt->out);
    excerpt->counts.records = excerpt->records.count;
    excerpt->counts.bytes = excerpt->out.bytes;
    *counts = excerpt->counts;
    tt_record_set_free(&excerpt->records);
    tt_excerpt_states_close(&excerpt->states);
    tt_events_free(excerpt->events);
    free(excerpt);
    return status;
}

struct tt_status tt_excerpt_write(const struct tt_excerpt_request *request,
                                  struct tt_excerpt_counts *counts)
{
    struct tt_excerpt *excerpt;
    memset(counts, 0, sizeof *counts);
    struct tt_status status = tt_excerpt_begin(request, &excerpt);
    if (tt_failed(&status)) {
        return status;
    }
    while (tt_excerpt_step(excerpt)) {
    }
    return tt_excerpt_end(excerpt, counts);
}
