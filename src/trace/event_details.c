/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of events: arguments, records, edges, totals, bytes. All are read inside the guard. */
#include <stdlib.h>
#include <string.h>

#include "trace/events.h"
#include "tracetui/event_line.h"
#include "tracetui/event_row.h"

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

static uint64_t limit_of(const struct tt_events *e)
{
    return atomic_load_explicit(&e->trace->index.limit, memory_order_acquire);
}

static void describe_guarded(void *arg)
{
    struct detail_job *job = arg;
    const struct tt_capture *c = job->e->trace->capture;
    job->good = c->format->describe(c, job->event, job->limit, job->args);
}

#define NEAR_BYTES   (UINT64_C(4) << 20)
#define FORGET_BYTES (UINT64_C(1) << 20) /* released at once: the system reads many pages ahead */

void tt_events_release_pages(struct tt_events *e, const struct tt_event *all, uint32_t count)
{
    const struct tt_trace *trace = e->trace;
    if (count == 0 || !trace->map || trace->capture->format->tape.offset) {
        return;
    }
    uint64_t from = all[0].pos, to = all[0].pos;
    for (uint32_t i = 1; i < count; i++) {
        from = all[i].pos < from ? all[i].pos : from;
        to = all[i].pos > to ? all[i].pos : to;
    }
    uint64_t end = from / FORGET_BYTES * FORGET_BYTES;
    if (to - from <= NEAR_BYTES && end != e->forgotten) {
        e->forgotten = end;
        tt_map_release_pages(trace->map, end > NEAR_BYTES ? end - NEAR_BYTES : 0, end);
    }
}

bool tt_events_describe(struct tt_events *e, const struct tt_event *event, struct tt_args *args)
{
    struct detail_job job = {.e = e, .event = event, .args = args, .limit = limit_of(e)};
    tt_args_clear(args);
    if (event->type == UINT32_MAX) {
        return false;
    }
    bool good = tt_sigbus_guard(describe_guarded, &job) && job.good;
    if (good && e->trace->programs) {
        tt_programs_name(e->trace->programs, e->trace->capture, event, args);
    }
    return good;
}

static void parts_guarded(void *arg)
{
    struct detail_job *job = arg;
    const struct tt_capture *c = job->e->trace->capture;
    job->count = tt_capture_parts(c, job->event, job->limit, job->parts, job->max);
}

uint32_t tt_events_parts(struct tt_events *e, const struct tt_event *event, struct tt_part *parts,
                         uint32_t max)
{
    struct detail_job job = {
        .e = e, .event = event, .parts = parts, .max = max, .limit = limit_of(e)};
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
    const struct tt_capture *c = job->e->trace->capture;
    c->format->clue(c, job->event, limit_of(job->e), job->with_details, &job->clue);
}

void tt_events_clue(struct tt_events *e, const struct tt_event *event, bool with_details,
                    struct tt_clue *clue)
{
    static const struct tt_clue none = {.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
    struct clue_job job = {e, event, with_details, none};
    bool has = e->trace->capture->format->clue && event->type != UINT32_MAX;
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
    const struct tt_capture *c = job->e->trace->capture;
    uint64_t limit = limit_of(job->e);
    for (uint32_t i = 0; i < job->count; i++) {
        struct tt_edge *own = job->edges + job->found;
        if (!(job->kinds >> job->of[i].kind & 1) || job->of[i].type == UINT32_MAX) {
            continue;
        }
        memset(own, 0, TT_EDGES_PER_EVENT * sizeof *own);
        uint32_t found = c->format->edges(c, &job->of[i], limit, own);
        for (uint32_t k = 0; k < found; k++) {
            own[k].event = i;
        }
        job->found += found;
    }
}

uint32_t tt_events_edges(struct tt_events *e, const struct tt_event *of, uint32_t count,
                         uint64_t kinds, struct tt_edge *edges, bool *whole)
{
    struct edges_job job = {.e = e, .of = of, .count = count, .kinds = kinds, .edges = edges};
    *whole = true;
    if (e->trace->capture->format->edges) {
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
    const struct tt_capture *c = job->e->trace->capture;
    c->format->tool.totals(c, job->range, limit_of(job->e), job->totals, job->threads);
}

bool tt_events_totals(struct tt_events *e, const struct tt_key_range *range,
                      struct tt_totals *totals, struct tt_thread_totals *threads)
{
    struct totals_job job = {e, range, totals, threads};
    return e->trace->capture->format->tool.totals && tt_sigbus_guard(totals_guarded, &job);
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
    const struct tt_capture *c = job->e->trace->capture;
    c->format->tool.inversions(c, job->range, limit_of(job->e), job->threads, job->take, job->arg);
}

void tt_events_tool_inversions(struct tt_events *e, const struct tt_key_range *range,
                               bool (*take)(void *arg, const struct tt_tool_inversion *inversion),
                               void *arg)
{
    const struct tt_capture *c = e->trace->capture;
    struct inversions_job job = {e, range, NULL, take, arg};
    if (c->format->tool.inversions) {
        job.threads = calloc((size_t)tt_thread_count(c) + 1, sizeof *job.threads);
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
    const struct tt_capture *c = job->e->trace->capture;
    job->ok = c->format->tool.rows(c, job->query, limit_of(job->e), job->take, job->arg);
}

bool tt_events_tool_rows(struct tt_events *e, const struct tt_tool_query *query,
                         bool (*take)(void *arg, const struct tt_tool_row *row), void *arg)
{
    struct rows_job job = {e, query, take, arg, true};
    if (e->trace->capture->format->tool.rows) {
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
static uint64_t end_of_file(const struct tt_map *files, uint64_t offset)
{
    for (unsigned i = 0; i < tt_map_file_count(files); i++) {
        const struct tt_map_file file = tt_map_file(files, i);
        if (offset >= file.at && offset - file.at < file.bytes.size) {
            return file.at + file.bytes.size;
        }
    }
    return 0;
}

size_t tt_events_copy_bytes(struct tt_events *e, uint64_t offset, uint8_t *out, size_t length)
{
    const struct tt_map *files = e->trace->capture->files;
    uint64_t limit = files ? end_of_file(files, offset) : limit_of(e);
    if (offset >= limit || length == 0) {
        return 0;
    }
    if (length > limit - offset) {
        length = (size_t)(limit - offset);
    }
    struct detail_job job = {.e = e, .bytes = out, .offset = offset, .length = length};
    return tt_sigbus_guard(copy_guarded, &job) && job.good ? length : 0;
}
