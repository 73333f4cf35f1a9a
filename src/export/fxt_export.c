/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_export: walks the events in time order and writes them with the scheduling before each. */
#include <stdlib.h>
#include <string.h>

#include "export/fxt_events.h"
#include "export/fxt_flows.h"
#include "export/fxt_sched.h"

#define BATCH       1024u
#define ACTIONS_MAX (BATCH * (uint32_t)TT_ACTIONS_PER_EVENT)
#define MAGIC       UINT64_C(0x0016547846040010)

struct tt_fxt_export {
    struct tt_export_request request;
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    struct tt_events *events;
    struct tt_fxt_writer w;
    struct tt_fxt_tracks tracks;
    struct tt_fxt_clock clock;
    struct tt_fxt_sched sched;
    struct tt_fxt_events records;
    struct tt_fxt_flows flows;
    uint64_t next_loss;
    struct tt_event batch[BATCH];
    struct tt_event acting[BATCH]; /* those whose actions are needed */
    struct tt_action *actions;
    uint32_t action_count;
    struct tt_counter_reader *counters;
    bool no_memory;
    uint64_t row; /* of the next event */
    uint64_t read;
};

/* ---- the beginning ------------------------------------------------------------------------ */

static void put_header(struct tt_fxt_export *x)
{
    static const char name[] = "tracetui";
    struct tt_fxt_writer *w = &x->w;
    tt_fxt_writer_begin(w, TT_FXT_RECORD_METADATA, MAGIC);
    w->records++; /* its size is part of the magic number */
    uint64_t bytes = 0;
    tt_fxt_writer_begin(w, TT_FXT_RECORD_METADATA,
                        UINT64_C(1) << 16 | UINT64_C(1) << 20 | (uint64_t)strlen(name) << 52);
    for (size_t i = 0; i < strlen(name); i++) {
        bytes |= (uint64_t)(unsigned char)name[i] << (8 * i);
    }
    tt_fxt_writer_word(w, bytes);
    tt_fxt_writer_end(w);
    tt_fxt_writer_begin(w, TT_FXT_RECORD_INITIALIZATION, 0);
    tt_fxt_writer_word(w, TT_NS_PER_S);
    tt_fxt_writer_end(w);
}

static void put_begin(struct tt_fxt_export *x)
{
    uint64_t begin = tt_timelines_begin(x->timelines);
    const char *path = tt_trace_path(x->request.trace);
    const char *const texts[] = {"file",    path,
                                 "format",  x->capture->format->title,
                                 "version", x->capture->version,
                                 "clock",   x->capture->clock_hz ? "nanoseconds" : "ticks",
                                 NULL,      NULL};
    tt_fxt_events_put_mark(&x->records, x->request.from > begin ? x->request.from : begin, "begin",
                           texts);
}

/* ---- losses ------------------------------------------------------------------------------- */

static void find_loss(struct tt_fxt_export *x, uint64_t from)
{
    if (from >= x->request.to || !tt_loss_in(x->timelines, from, x->request.to, &x->next_loss)) {
        x->next_loss = UINT64_MAX;
    }
}

static void put_losses(struct tt_fxt_export *x, uint64_t ticks)
{
    while (x->next_loss <= ticks && x->next_loss != UINT64_MAX) {
        tt_fxt_flows_until(&x->flows, x->next_loss);
        tt_fxt_sched_until(&x->sched, x->next_loss);
        tt_fxt_events_put_loss(&x->records, x->next_loss);
        find_loss(x, x->next_loss + 1);
    }
}

/* ---- the walk ----------------------------------------------------------------------------- */

/* Reads the actions of those events of the batch that need them. */
static void read_actions(struct tt_fxt_export *x, uint32_t count)
{
    uint32_t acting = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (tt_fxt_events_need_actions(&x->batch[i])) {
            x->acting[acting++] = x->batch[i];
        }
    }
    x->action_count =
        acting > 0 ? tt_trace_actions(x->request.trace, x->acting, acting, x->actions, ACTIONS_MAX)
                   : 0;
}

static void put_batch(struct tt_fxt_export *x, uint64_t row, uint32_t count)
{
    const struct tt_action *actions = x->actions, *end = x->actions + x->action_count;
    for (uint32_t i = 0; i < count && !x->w.stopped; i++) {
        const struct tt_event *event = &x->batch[i];
        uint32_t own = 0;
        while (actions + own < end && actions[own].pos == event->pos) {
            own++;
        }
        if (event->ticks >= x->next_loss) {
            put_losses(x, event->ticks);
        }
        /* A message at the time of its call's end belongs to the call. */
        tt_fxt_flows_until(&x->flows, event->ticks + tt_fxt_events_is_end(event));
        tt_fxt_sched_until(&x->sched, event->ticks);
        if (tt_event_subset_has(&x->request.subset, event, row + i)) {
            tt_fxt_events_put(&x->records, event, actions, own);
            const struct tt_action *values; /* of counters that are sums */
            uint32_t value_count;
            x->no_memory |= !tt_counter_reader_read(x->counters, event, &values, &value_count);
            tt_fxt_events_put_counters(&x->records, event, values, value_count);
        }
        actions += own;
    }
}

bool tt_fxt_export_step(struct tt_fxt_export *x)
{
    const struct tt_export_request *q = &x->request;
    if (x->row >= q->end_row || x->w.stopped || x->w.no_memory || x->no_memory) {
        return false;
    }
    uint32_t most = q->end_row - x->row < BATCH ? (uint32_t)(q->end_row - x->row) : BATCH;
    uint32_t count = tt_events_read(x->events, x->row, most, x->batch);
    if (count == 0) {
        x->records.shrunk = true;
        return false;
    }
    read_actions(x, count);
    put_batch(x, x->row, count);
    tt_events_release_pages(x->events, x->batch, count);
    x->row += count;
    x->read += count;
    return true;
}

uint64_t tt_fxt_export_row(const struct tt_fxt_export *x)
{
    return x->row;
}

static struct tt_status open_export(struct tt_fxt_export *x)
{
    const struct tt_export_request *q = &x->request;
    x->timelines = tt_trace_timelines(q->trace);
    x->capture = tt_trace_capture(q->trace);
    if (!x->timelines) {
        return tt_error(TT_ERR_USAGE, "no events to export");
    }
    x->events = tt_events_new(q->trace);
    x->actions = malloc(ACTIONS_MAX * sizeof *x->actions);
    x->counters = tt_counter_reader_new(q->trace);
    if (!x->events || !x->actions || !x->counters ||
        !tt_fxt_writer_open(&x->w, q->write, q->write_arg)) {
        return tt_error_memory();
    }
    x->clock = tt_fxt_clock_of(x->capture->clock_hz, tt_timelines_begin(x->timelines),
                               tt_timelines_end(x->timelines));
    put_header(x);
    struct tt_status status =
        tt_fxt_tracks_make(&x->tracks, x->capture, tt_cpu_count(x->timelines));
    if (tt_failed(&status)) {
        return status;
    }
    tt_fxt_tracks_write(&x->tracks, &x->w);
    status = tt_fxt_sched_open(&x->sched, q, &x->tracks, &x->w, x->clock);
    if (!tt_failed(&status)) {
        status = tt_fxt_events_open(&x->records, q, x->events, &x->tracks, &x->w, x->clock);
    }
    if (!tt_failed(&status)) {
        status = tt_fxt_flows_open(&x->flows, q, x->timelines, &x->records);
    }
    return status;
}

static void count(const struct tt_fxt_export *x, struct tt_export_counts *counts)
{
    *counts = (struct tt_export_counts){
        .records = x->w.records,
        .events = x->read,
        .switches = x->sched.switches,
        .wakeups = x->sched.wakeup_records,
        .flows = x->flows.flows,
        .shrunk = x->records.shrunk,
    };
}

/* Writes the buffered records, sets the counts and frees the export. */
static void close_export(struct tt_fxt_export *x, struct tt_export_counts *counts)
{
    tt_fxt_writer_close(&x->w);
    count(x, counts);
    tt_fxt_flows_close(&x->flows);
    tt_fxt_events_close(&x->records);
    tt_fxt_sched_close(&x->sched);
    tt_fxt_tracks_free(&x->tracks);
    tt_events_free(x->events);
    tt_counter_reader_free(x->counters);
    free(x->actions);
    free(x);
}

struct tt_status tt_fxt_export_begin(const struct tt_export_request *request,
                                     struct tt_fxt_export **export_)
{
    struct tt_export_counts counts;
    struct tt_fxt_export *x = calloc(1, sizeof *x);
    *export_ = NULL;
    if (!x) {
        return tt_error_memory();
    }
    x->request = *request;
    x->row = request->first_row;
    struct tt_status status = open_export(x);
    if (tt_failed(&status)) {
        close_export(x, &counts);
        return status;
    }
    find_loss(x, request->from);
    put_begin(x);
    *export_ = x;
    return tt_ok();
}

struct tt_status tt_fxt_export_end(struct tt_fxt_export *x, struct tt_export_counts *counts)
{
    uint64_t last = tt_timelines_limit(x->timelines);
    uint64_t limit = x->request.to < last ? x->request.to : last, end = limit > 0 ? limit - 1 : 0;
    put_losses(x, end);
    tt_fxt_flows_until(&x->flows, limit);
    tt_fxt_sched_until(&x->sched, limit);
    tt_fxt_events_put_mark(&x->records, end, "end", NULL);
    bool no_memory = x->w.no_memory || x->no_memory || x->flows.no_memory;
    close_export(x, counts);
    return no_memory ? tt_error_memory() : tt_ok();
}

struct tt_status tt_export_fxt(const struct tt_export_request *request,
                               struct tt_export_counts *counts)
{
    struct tt_fxt_export *x;
    memset(counts, 0, sizeof *counts);
    struct tt_status status = tt_fxt_export_begin(request, &x);
    if (tt_failed(&status)) {
        return status;
    }
    while (tt_fxt_export_step(x)) {
    }
    return tt_fxt_export_end(x, counts);
}
