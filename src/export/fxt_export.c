/* SPDX-License-Identifier: Apache-2.0 */
/* fxt_export: walks the events in time order and writes them with the scheduling before each. */
#include <stdlib.h>
#include <string.h>

#include "export/fxt_events.h"
#include "export/fxt_flows.h"
#include "export/fxt_lanes.h"
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
    struct tt_fxt_lanes lanes;
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

static void fxt_export_put_header(struct tt_fxt_export *export)
{
    static const char name[] = "tracetui";
    struct tt_fxt_writer *writer = &export->w;
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_METADATA, MAGIC);
    writer->records++; /* its size is part of the magic number */
    uint64_t bytes = 0;
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_METADATA,
                        UINT64_C(1) << 16 | UINT64_C(1) << 20 | (uint64_t)strlen(name) << 52);
    for (size_t i = 0; i < strlen(name); i++) {
        bytes |= (uint64_t)(unsigned char)name[i] << (8 * i);
    }
    tt_fxt_writer_word(writer, bytes);
    tt_fxt_writer_end(writer);
    tt_fxt_writer_begin(writer, TT_FXT_RECORD_INITIALIZATION, 0);
    tt_fxt_writer_word(writer, TT_NS_PER_S);
    tt_fxt_writer_end(writer);
}

/* ---- losses ------------------------------------------------------------------------------- */

static void find_loss(struct tt_fxt_export *export, uint64_t from)
{
    if (from >= export->request.to ||
        !tt_loss_in(export->timelines, from, export->request.to, &export->next_loss)) {
        export->next_loss = UINT64_MAX;
    }
}

static void put_losses(struct tt_fxt_export *export, uint64_t ticks)
{
    while (export->next_loss <= ticks && export->next_loss != UINT64_MAX) {
        tt_fxt_flows_until(&export->flows, export->next_loss);
        tt_fxt_sched_until(&export->sched, export->next_loss);
        tt_fxt_events_put_loss(&export->records, export->next_loss);
        find_loss(export, export->next_loss + 1);
    }
}

/* ---- the walk ----------------------------------------------------------------------------- */

static void put_batch(struct tt_fxt_export *export, uint64_t row, uint32_t count)
{
    const struct tt_action *actions = export->actions,
                           *end = export->actions + export->action_count;
    for (uint32_t i = 0; i < count && !export->w.sink.stopped; i++) {
        const struct tt_event *event = &export->batch[i];
        uint32_t own = 0;
        while (actions + own < end && actions[own].pos == event->pos) {
            own++;
        }
        if (event->ticks >= export->next_loss) {
            put_losses(export, event->ticks);
        }
        /* A message at the time of its call's end belongs to the call. */
        tt_fxt_flows_until(&export->flows, event->ticks + tt_fxt_events_is_end(event));
        tt_fxt_sched_until(&export->sched, event->ticks);
        if (tt_event_subset_has(&export->request.subset, event, row + i)) {
            tt_fxt_events_put(&export->records, event, actions, own);
            const struct tt_action *values; /* of counters that are sums */
            uint32_t value_count;
            export->no_memory |=
                !tt_counter_reader_read(export->counters, event, &values, &value_count);
            tt_fxt_events_put_counters(&export->records, event, values, value_count);
        }
        actions += own;
    }
}

bool tt_fxt_export_step(struct tt_fxt_export *export)
{
    const struct tt_export_request *request = &export->request;
    if (export->w.sink.stopped || export->w.no_memory || export->no_memory) {
        return false;
    }
    if (export->row >= request->end_row) {
        return tt_fxt_lanes_step(&export->lanes);
    }
    uint32_t most =
        request->end_row - export->row < BATCH ? (uint32_t)(request->end_row - export->row) : BATCH;
    uint32_t count = tt_events_read(export->events, export->row, most, export->batch);
    if (count == 0) {
        export->records.shrunk = true;
        return false;
    }

    /* Reads the actions of those events of the batch that need them. */
    uint32_t acting = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (tt_fxt_events_need_actions(&export->batch[i])) {
            export->acting[acting++] = export->batch[i];
        }
    }
    export->action_count = acting > 0 ? tt_trace_actions(export->request.trace, export->acting,
                                                         acting, export->actions, ACTIONS_MAX)
                                      : 0;

    put_batch(export, export->row, count);
    tt_events_release_pages(export->events, export->batch, count);
    export->row += count;
    export->read += count;
    return true;
}

uint64_t tt_fxt_export_row(const struct tt_fxt_export *export)
{
    return export->row;
}

static struct tt_status open_export(struct tt_fxt_export *export)
{
    const struct tt_export_request *request = &export->request;
    export->timelines = tt_trace_timelines(request->trace);
    export->capture = tt_trace_capture(request->trace);
    if (!export->timelines) {
        return tt_error(TT_ERR_USAGE, "no events to export");
    }
    export->events = tt_events_new(request->trace);
    export->actions = malloc(ACTIONS_MAX * sizeof *export->actions);
    export->counters = tt_counter_reader_new(request->trace);
    if (!export->events || !export->actions || !export->counters ||
        !tt_fxt_writer_open(&export->w, request->sink)) {
        return tt_error_memory();
    }
    export->w.form = request->form;
    export->clock =
        tt_fxt_clock_of(export->capture->clock_hz, tt_timelines_begin(export->timelines),
                        tt_timelines_end(export->timelines));
    fxt_export_put_header(export);
    struct tt_status status =
        tt_fxt_tracks_make(&export->tracks, export->capture, tt_cpu_count(export->timelines));
    if (tt_failed(&status)) {
        return status;
    }
    tt_fxt_tracks_write(&export->tracks, &export->w);
    status = tt_fxt_sched_open(&export->sched, request, &export->tracks, &export->w, export->clock);
    if (!tt_failed(&status)) {
        status = tt_fxt_events_open(&export->records, request, export->events, &export->tracks,
                                    &export->w, export->clock);
    }
    if (!tt_failed(&status)) {
        status = tt_fxt_flows_open(&export->flows, request, export->timelines, &export->records);
    }
    if (!tt_failed(&status)) {
        uint64_t last = tt_timelines_end(export->timelines);
        export->lanes.w = &export->w;
        export->lanes.clock = export->clock;
        export->lanes.limit = request->to < last ? request->to : last;
        status =
            tt_fxt_lanes_open(&export->lanes, &export->request, export->events, &export->tracks);
    }
    return status;
}

/* Writes the buffered records, sets the counts and frees the export. */
static void close_export(struct tt_fxt_export *export, struct tt_export_counts *counts)
{
    tt_fxt_writer_close(&export->w);

    *counts = (struct tt_export_counts){
        .records = export->w.records,
        .events = export->read,
        .switches = export->sched.switches,
        .wakeups = export->sched.wakeup_records,
        .flows = export->flows.flows,
        .shrunk = export->records.shrunk,
    };

    tt_fxt_flows_close(&export->flows);
    tt_fxt_lanes_close(&export->lanes);
    tt_fxt_events_close(&export->records);
    tt_fxt_sched_close(&export->sched);
    tt_fxt_tracks_free(&export->tracks);
    tt_events_free(export->events);
    tt_counter_reader_free(export->counters);
    free(export->actions);
    free(export);
}

struct tt_status tt_fxt_export_begin(const struct tt_export_request *request,
                                     struct tt_fxt_export **export_)
{
    struct tt_export_counts counts;
    struct tt_fxt_export *export = calloc(1, sizeof *export);
    *export_ = NULL;
    if (!export) {
        return tt_error_memory();
    }
    export->request = *request;
    export->row = request->first_row;
    struct tt_status status = open_export(export);
    if (tt_failed(&status)) {
        close_export(export, &counts);
        return status;
    }
    find_loss(export, request->from);

    uint64_t begin = tt_timelines_begin(export->timelines);
    const char *path = tt_trace_path(export->request.trace);
    const char *const texts[] = {"file",    path,
                                 "format",  export->capture->format->title,
                                 "version", export->capture->version,
                                 "clock",   export->capture->clock_hz ? "nanoseconds" : "ticks",
                                 NULL,      NULL};
    tt_fxt_events_put_mark(&export->records,
                           export->request.from > begin ? export->request.from : begin, "begin",
                           texts);

    *export_ = export;
    return tt_ok();
}

struct tt_status tt_fxt_export_end(struct tt_fxt_export *export, struct tt_export_counts *counts)
{
    uint64_t last = tt_timelines_limit(export->timelines);
    uint64_t limit = export->request.to < last ? export->request.to : last,
             end = limit > 0 ? limit - 1 : 0;
    put_losses(export, end);
    tt_fxt_flows_until(&export->flows, limit);
    tt_fxt_sched_until(&export->sched, limit);
    tt_fxt_events_put_mark(&export->records, end, "end", NULL);
    bool no_memory = export->w.no_memory || export->no_memory || export->flows.no_memory ||
                     export->lanes.no_memory;
    close_export(export, counts);
    return no_memory ? tt_error_memory() : tt_ok();
}

struct tt_status tt_export_fxt(const struct tt_export_request *request,
                               struct tt_export_counts *counts)
{
    struct tt_fxt_export *export;
    memset(counts, 0, sizeof *counts);
    struct tt_status status = tt_fxt_export_begin(request, &export);
    if (tt_failed(&status)) {
        return status;
    }
    while (tt_fxt_export_step(export)) {
    }
    return tt_fxt_export_end(export, counts);
}
