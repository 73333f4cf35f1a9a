/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of events: arguments, records, edges, totals, bytes. All are read inside the guard. */
#include <stdlib.h>
#include <string.h>

#include "trace/event_row.h"
#include "trace/events.h"
#include "tracetui/event_line.h"

#define LINE_ROOM 1024u /* a line up to its arguments, usually */

struct detail_job {
    struct tt_events *e;
    const struct tt_event *event;
    struct tt_args *args;
    struct tt_part *parts;
    uint8_t *bytes;
    uint64_t offset;
    size_t length;
    uint64_t limit;
    uint32_t max;
    uint32_t count;
    bool good;
};

static uint64_t limit_of(const struct tt_events *events)
{
    return atomic_load_explicit(&events->trace->index.limit, memory_order_acquire);
}

static void describe_guarded(void *arg)
{
    struct detail_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    job->good = capture->format->describe(capture, job->event, job->limit, job->args);
}

#define NEAR_BYTES   (UINT64_C(4) << 20)
#define FORGET_BYTES (UINT64_C(1) << 20) /* released at once: the system reads many pages ahead */

void tt_events_release_pages(struct tt_events *events, const struct tt_event *all, uint32_t count)
{
    const struct tt_trace *trace = events->trace;
    if (count == 0 || !trace->map || trace->capture->format->tape.offset) {
        return;
    }
    uint64_t from = all[0].pos, to = all[0].pos;
    for (uint32_t i = 1; i < count; i++) {
        from = all[i].pos < from ? all[i].pos : from;
        to = all[i].pos > to ? all[i].pos : to;
    }
    uint64_t end = from / FORGET_BYTES * FORGET_BYTES;
    if (to - from <= NEAR_BYTES && end != events->forgotten) {
        events->forgotten = end;
        tt_map_release_pages(trace->map, end > NEAR_BYTES ? end - NEAR_BYTES : 0, end);
    }
}

bool tt_events_guard(struct tt_events *events, void (*work)(void *arg), void *arg)
{
    events->is_guarded = true;
    bool whole = tt_sigbus_guard(work, arg);
    events->is_guarded = false;
    return whole;
}

bool tt_events_describe(struct tt_events *events, const struct tt_event *event,
                        struct tt_args *args)
{
    struct detail_job job = {.e = events, .event = event, .args = args, .limit = limit_of(events)};
    tt_args_clear(args);
    if (event->type == UINT32_MAX) {
        return false;
    }
    if (events->is_guarded) {
        describe_guarded(&job);
    }
    bool good = (events->is_guarded || tt_sigbus_guard(describe_guarded, &job)) && job.good;
    if (good && events->trace->programs) {
        tt_programs_name(events->trace->programs, events->trace->capture, event, args);
    }
    return good;
}

bool tt_events_put_line(const struct tt_events *events, struct tt_line_run *run,
                        const struct tt_event *event, struct tt_text *text)
{
    const struct tt_format *format = run->capture->format;
    const size_t start = text->used;
    if (!format->put_args || event->type == UINT32_MAX || text->capacity - start < LINE_ROOM) {
        return false;
    }
    const size_t name_end = tt_line_event_head(text, run, event), args_start = text->used;
    if (text->truncated || !format->put_args(run->capture, event, limit_of(events), text)) {
        text->used = start;
        text->truncated = false;
        return false;
    }
    text->used = text->used == args_start ? name_end : text->used;
    return true;
}

static void parts_guarded(void *arg)
{
    struct detail_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    job->count = tt_capture_parts(capture, job->event, job->limit, job->parts, job->max);
}

uint32_t tt_events_parts(struct tt_events *events, const struct tt_event *event,
                         struct tt_part *parts, uint32_t max)
{
    struct detail_job job = {
        .e = events, .event = event, .parts = parts, .max = max, .limit = limit_of(events)};
    if (event->type == UINT32_MAX || !tt_sigbus_guard(parts_guarded, &job)) {
        return 0;
    }
    return job.count;
}

struct clue_job {
    struct tt_events *e;
    const struct tt_event *event;
    bool with_details;
    struct tt_clue clue;
};

static void clue_guarded(void *arg)
{
    struct clue_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    capture->format->clue(capture, job->event, limit_of(job->e), job->with_details, &job->clue);
}

void tt_events_clue(struct tt_events *events, const struct tt_event *event, bool with_details,
                    struct tt_clue *clue)
{
    static const struct tt_clue none = {.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
    struct clue_job job = {events, event, with_details, none};
    bool has = events->trace->capture->format->clue && event->type != UINT32_MAX;
    *clue = has && tt_sigbus_guard(clue_guarded, &job) ? job.clue : none;
}

struct edges_job {
    struct tt_events *e;
    const struct tt_event *of;
    uint32_t count;
    uint64_t kinds;
    struct tt_edge *edges;
    uint32_t found;
};

static void edges_guarded(void *arg)
{
    struct edges_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    uint64_t limit = limit_of(job->e);
    for (uint32_t i = 0; i < job->count; i++) {
        struct tt_edge *own = job->edges + job->found;
        if (!(job->kinds >> job->of[i].kind & 1) || job->of[i].type == UINT32_MAX) {
            continue;
        }
        memset(own, 0, TT_EDGES_PER_EVENT * sizeof *own);
        uint32_t found = capture->format->edges(capture, &job->of[i], limit, own);
        for (uint32_t k = 0; k < found; k++) {
            own[k].event = i;
        }
        job->found += found;
    }
}

uint32_t tt_events_edges(struct tt_events *events, const struct tt_event *of, uint32_t count,
                         uint64_t kinds, struct tt_edge *edges, bool *whole)
{
    struct edges_job job = {.e = events, .of = of, .count = count, .kinds = kinds, .edges = edges};
    *whole = true;
    if (events->trace->capture->format->edges) {
        *whole = tt_sigbus_guard(edges_guarded, &job);
    }
    return job.found;
}

struct totals_job {
    struct tt_events *e;
    const struct tt_key_range *range;
    struct tt_totals *totals;
    struct tt_thread_totals *threads;
};

static void totals_guarded(void *arg)
{
    struct totals_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    capture->format->tool.totals(capture, job->range, limit_of(job->e), job->totals, job->threads);
}

bool tt_events_totals(struct tt_events *events, const struct tt_key_range *range,
                      struct tt_totals *totals, struct tt_thread_totals *threads)
{
    struct totals_job job = {events, range, totals, threads};
    return events->trace->capture->format->tool.totals && tt_sigbus_guard(totals_guarded, &job);
}

struct inversions_job {
    struct tt_events *e;
    const struct tt_key_range *range;
    struct tt_thread_totals *threads;
    bool (*take)(void *arg, const struct tt_tool_inversion *inversion);
    void *arg;
};

static void inversions_guarded(void *arg)
{
    struct inversions_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    capture->format->tool.inversions(capture, job->range, limit_of(job->e), job->threads, job->take,
                                     job->arg);
}

void tt_events_tool_inversions(struct tt_events *events, const struct tt_key_range *range,
                               bool (*take)(void *arg, const struct tt_tool_inversion *inversion),
                               void *arg)
{
    const struct tt_capture *capture = events->trace->capture;
    struct inversions_job job = {events, range, NULL, take, arg};
    if (capture->format->tool.inversions) {
        job.threads = calloc((size_t)tt_thread_count(capture) + 1, sizeof *job.threads);
    }
    if (job.threads) {
        tt_sigbus_guard(inversions_guarded, &job);
    }
    free(job.threads);
}

struct rows_job {
    struct tt_events *e;
    const struct tt_tool_query *query;
    bool (*take)(void *arg, const struct tt_tool_row *row);
    void *arg;
    bool ok;
};

static void rows_guarded(void *arg)
{
    struct rows_job *job = arg;
    const struct tt_capture *capture = job->e->trace->capture;
    job->ok =
        capture->format->tool.rows(capture, job->query, limit_of(job->e), job->take, job->arg);
}

bool tt_events_tool_rows(struct tt_events *events, const struct tt_tool_query *query,
                         bool (*take)(void *arg, const struct tt_tool_row *row), void *arg)
{
    struct rows_job job = {events, query, take, arg, true};
    if (events->trace->capture->format->tool.rows) {
        tt_sigbus_guard(rows_guarded, &job);
    }
    return job.ok;
}

static void copy_guarded(void *arg)
{
    struct detail_job *job = arg;
    memcpy(job->bytes, job->e->trace->capture->bytes.data + job->offset, job->length);
    job->good = true;
}

/* Returns the end of the file that contains a position, of several with gaps between them; 0 in a gap. */
static uint64_t end_of_file(const struct tt_map *map, uint64_t offset)
{
    for (unsigned i = 0; i < tt_map_file_count(map); i++) {
        const struct tt_map_file file = tt_map_file(map, i);
        if (offset >= file.at && offset - file.at < file.bytes.size) {
            return file.at + file.bytes.size;
        }
    }
    return 0;
}

size_t tt_events_copy_bytes(struct tt_events *events, uint64_t offset, uint8_t *out, size_t length)
{
    const struct tt_map *files = events->trace->capture->files;
    uint64_t limit = files ? end_of_file(files, offset) : limit_of(events);
    if (offset >= limit || length == 0) {
        return 0;
    }
    if (length > limit - offset) {
        length = (size_t)(limit - offset);
    }
    struct detail_job job = {.e = events, .bytes = out, .offset = offset, .length = length};
    return tt_sigbus_guard(copy_guarded, &job) && job.good ? length : 0;
}
