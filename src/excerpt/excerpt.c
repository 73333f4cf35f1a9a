/* SPDX-License-Identifier: Apache-2.0 */
/*
 * excerpt: selects the records of a part of a capture, then lets the format write them.
 *
 *      select     rows in time order  -> set of records, threads that occur
 *      begin      states at the beginning -> header and list of states
 *      write      records of the set in the order of the file
 */
#include "tracetui/excerpt.h"

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

static bool add_records(struct tt_excerpt *x, const struct tt_event *event)
{
    uint64_t before = x->records.count;
    bool ok = true;
    if (event->flags & TT_EVENT_MULTIPART) {
        uint32_t count = tt_events_parts(x->events, event, x->parts, PARTS_MAX);
        for (uint32_t i = 0; i < count && i < PARTS_MAX && ok; i++) {
            ok = tt_record_set_add(&x->records, x->parts[i].offset);
        }
    } else {
        ok = tt_record_set_add(&x->records, tt_capture_offset(x->capture, event->pos));
    }
    x->counts.events += x->records.count != before;
    return ok;
}

static bool select_events(struct tt_excerpt *x, uint32_t count)
{
    const struct tt_event_subset *subset = &x->request.subset;
    for (uint32_t i = 0; i < count; i++) {
        const struct tt_event *event = &x->batch[i];
        if ((event->flags & TT_EVENT_UNNUMBERED) != 0 ||
            !(x->format->is_kept(x->capture, event) ||
              tt_event_subset_has(subset, event, x->row + i))) {
            continue;
        }
        tt_excerpt_states_see(&x->states, event);
        if (!add_records(x, event)) {
            return false;
        }
        tt_excerpt_marks_see(&x->request, event);
    }
    return true;
}

static void fail(struct tt_excerpt *x, struct tt_status status)
{
    x->status = status;
    x->phase = PHASE_DONE;
}

/* ---- writing ------------------------------------------------------------------------------ */

static void begin_guarded(void *arg)
{
    struct tt_excerpt *x = arg;
    x->state = x->format->begin(&x->job);
}

/* Returns the time of the last recorded event before the range; derived ones may be later. */
static uint64_t begin_ticks(const struct tt_excerpt *x)
{
    const uint64_t row = x->request.first_row, most = row < BATCH ? row : BATCH;
    struct tt_event event;
    for (uint64_t i = 1; i <= most; i++) {
        if (tt_events_read(x->events, row - i, 1, &event) == 1 &&
            !(event.flags & TT_EVENT_UNNUMBERED)) {
            return event.ticks;
        }
    }
    return x->states.ticks;
}

static void begin_writing(struct tt_excerpt *x)
{
    const struct tt_excerpt_request *q = &x->request;
    if (x->records.count == 0) {
        fail(x, tt_error(TT_ERR_USAGE, "no events are selected"));
        return;
    }
    struct tt_status status = tt_excerpt_states_find(&x->states, q->trace, x->events, q->first_row);
    if (tt_failed(&status)) {
        fail(x, status);
        return;
    }
    x->counts.begin_ticks = begin_ticks(x);
    x->job = (struct tt_excerpt_job){.capture = x->capture,
                                     .limit = tt_trace_progress(q->trace).bytes_done,
                                     .records = &x->records,
                                     .has_past = q->first_row > 0,
                                     .ticks = x->states.ticks,
                                     .first_pos = x->states.first_pos,
                                     .before_pos = x->states.before_pos,
                                     .threads = x->states.threads,
                                     .thread_count = x->states.thread_count,
                                     .interrupts = x->states.interrupts,
                                     .interrupt_count = x->states.interrupt_count,
                                     .out = &x->out};
    x->phase = PHASE_WRITE;
    if (!tt_sigbus_guard(begin_guarded, x)) {
        x->counts.shrunk = true;
        x->phase = PHASE_DONE;
    } else if (!x->state) {
        fail(x, tt_error_memory());
    }
}

static void step_select(struct tt_excerpt *x)
{
    const struct tt_excerpt_request *q = &x->request;
    uint32_t most = q->end_row - x->row < BATCH ? (uint32_t)(q->end_row - x->row) : BATCH;
    uint32_t count = tt_events_read(x->events, x->row, most, x->batch);
    if (count == 0) {
        x->counts.shrunk = x->row < q->end_row;
        begin_writing(x);
        return;
    }
    if (!select_events(x, count)) {
        fail(x, tt_error_memory());
        return;
    }
    tt_events_release_pages(x->events, x->batch, count);
    x->row += count;
    if (x->row >= q->end_row) {
        begin_writing(x);
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

static void step_write(struct tt_excerpt *x)
{
    struct write_job job = {x, false};
    if (!tt_sigbus_guard(write_guarded, &job)) {
        x->counts.shrunk = true;
        job.more = false;
    }
    if (!job.more || x->out.stopped) {
        x->phase = PHASE_DONE;
    }
}

static void step_copy(struct tt_excerpt *x)
{
    uint8_t *bytes = (uint8_t *)x->parts; /* not used by a copy */
    size_t length = tt_events_copy_bytes(x->events, x->copied, bytes, COPY);
    tt_excerpt_put(&x->out, bytes, length);
    x->copied += length;
    if (length < COPY || x->out.stopped) {
        x->phase = PHASE_DONE;
    }
}

struct list_job {
    struct tt_excerpt *x;
    uint64_t end;
};

static void list_guarded(void *arg)
{
    struct list_job *job = arg;
    const struct tt_excerpt *x = job->x;
    job->end = x->format->list_end(x->capture, tt_trace_progress(x->request.trace).bytes_done);
}

/* Moves the ends of the range to the first event of a time, and out of the list of objects. */
static void settle_range(struct tt_excerpt *x)
{
    struct tt_excerpt_request *q = &x->request;
    struct list_job job = {x, 0};
    q->first_row = tt_events_row_at_time(x->events, x->batch[0].ticks);
    if (x->format->list_end && tt_sigbus_guard(list_guarded, &job) && x->batch[0].ticks < job.end) {
        uint64_t end = tt_events_row_at_time(x->events, job.end);
        q->first_row = 0;
        q->end_row = end > q->end_row ? end : q->end_row;
    }
}

/* ---- interface ---------------------------------------------------------------------------- */

static struct tt_status open_excerpt(struct tt_excerpt *x)
{
    struct tt_excerpt_request *q = &x->request;
    x->capture = tt_trace_capture(q->trace);
    x->format = x->capture->format->excerpt;
    x->events = tt_events_new(q->trace);
    if (!x->events) {
        return tt_error_memory();
    }
    tt_excerpt_marks_open(q, x->events);
    uint64_t rows = tt_events_rows(x->events);
    if (q->first_row == 0 && q->end_row >= rows && !q->subset.threads && !q->subset.cpus &&
        !q->subset.wanted) {
        x->phase = PHASE_COPY;
        x->counts.is_copy = true;
        for (unsigned i = 0; i < q->mark_count; i++) {
            q->marks[i].is_saved = q->marks[i].is_event;
        }
        x->counts.events = tt_trace_progress(q->trace).events;
        return tt_ok();
    }
    if (!x->format) {
        return tt_error(TT_ERR_USAGE, "a part of a %s cannot be saved", x->capture->format->title);
    }
    if (q->first_row >= q->end_row ||
        tt_events_read(x->events, q->first_row, 1, &x->batch[0]) != 1) {
        return tt_error(TT_ERR_USAGE, "no events in the range");
    }
    settle_range(x);
    x->row = q->first_row;
    tt_record_set_make(&x->records, x->format->base(x->capture), x->format->unit);
    return tt_excerpt_states_open(&x->states, x->capture);
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
    x->out.write = request->write;
    x->out.arg = request->write_arg;
    struct tt_status status = open_excerpt(x);
    if (tt_failed(&status)) {
        tt_excerpt_end(x, &counts);
        return status;
    }
    *excerpt = x;
    return tt_ok();
}

bool tt_excerpt_step(struct tt_excerpt *x)
{
    switch (x->phase) {
    case PHASE_SELECT:
        step_select(x);
        break;
    case PHASE_WRITE:
        step_write(x);
        break;
    case PHASE_COPY:
        step_copy(x);
        break;
    default:
        break;
    }
    return x->phase != PHASE_DONE;
}

unsigned tt_excerpt_percent(const struct tt_excerpt *x)
{
    const struct tt_excerpt_request *q = &x->request;
    uint64_t total = q->end_row - q->first_row;
    uint64_t bytes = tt_trace_progress(q->trace).bytes_done;
    if (x->phase == PHASE_COPY) {
        return bytes ? (unsigned)((double)x->copied * 100 / (double)bytes) : 100;
    }
    /* Writing takes about as long as selecting. */
    return x->phase == PHASE_SELECT && total > 0
               ? (unsigned)((double)(x->row - q->first_row) * 50 / (double)total)
               : 50;
}

struct tt_status tt_excerpt_end(struct tt_excerpt *x, struct tt_excerpt_counts *counts)
{
    struct tt_status status = x->status;
    if (x->state) {
        x->format->end(x->state);
    }
    tt_excerpt_flush(&x->out);
    x->counts.records = x->records.count;
    x->counts.bytes = x->out.bytes;
    *counts = x->counts;
    tt_record_set_free(&x->records);
    tt_excerpt_states_close(&x->states);
    tt_events_free(x->events);
    free(x);
    return status;
}

struct tt_status tt_excerpt_write(const struct tt_excerpt_request *request,
                                  struct tt_excerpt_counts *counts)
{
    struct tt_excerpt *x;
    memset(counts, 0, sizeof *counts);
    struct tt_status status = tt_excerpt_begin(request, &x);
    if (tt_failed(&status)) {
        return status;
    }
    while (tt_excerpt_step(x)) {
    }
    return tt_excerpt_end(x, counts);
}
