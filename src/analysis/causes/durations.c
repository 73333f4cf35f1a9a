/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/durations.h"

#include <stdlib.h>

#include "base/array.h"
#include "trace/timeline/open_spans.h"

#define BATCH    512u
#define UNWANTED UINT32_MAX

struct tt_duration_walk {
    struct tt_trace *trace;
    bool lossy; /* the capture has losses */
    struct tt_open_spans open;
    uint64_t *rows; /* of the wanted begins; a free one holds the next free one */
    size_t capacity;
    uint32_t used;                   /* rows used so far, free ones included */
    uint32_t free;                   /* the first free one, or UNWANTED */
    uint32_t wanted;                 /* begins that are open */
    const struct tt_type_set *types; /* to read; NULL: all */
    uint32_t count;                  /* of `events` */
    struct tt_event events[BATCH];
    uint64_t event_rows[BATCH];
    struct tt_edge edges[BATCH * TT_EDGES_PER_EVENT];
};

struct tt_duration_walk *tt_duration_walk_new(struct tt_trace *trace)
{
    struct tt_duration_walk *w = calloc(1, sizeof *w);
    if (w) {
        w->trace = trace;
        w->lossy = tt_health_has_gaps(tt_trace_capture(trace));
        w->free = UNWANTED;
    }
    return w;
}

void tt_duration_walk_free(struct tt_duration_walk *w)
{
    if (w) {
        tt_open_spans_free(&w->open);
        free(w->rows);
        free(w);
    }
}

void tt_duration_walk_types(struct tt_duration_walk *w, const struct tt_type_set *types)
{
    w->types = types;
}

void tt_duration_walk_clear(struct tt_duration_walk *w)
{
    tt_open_spans_free(&w->open);
    w->open = (struct tt_open_spans){0};
    w->used = w->wanted = 0;
    w->free = UNWANTED;
}

uint32_t tt_duration_walk_open(const struct tt_duration_walk *w)
{
    return w->wanted;
}

bool tt_duration_is_cut(const struct tt_timelines *t, const struct tt_edge *edge, uint64_t from,
                        uint64_t to)
{
    struct tt_interval_at at;
    struct tt_occupation_at on;
    if (t && edge->thread != TT_NO_THREAD && tt_interval_find(t, edge->thread, from, &at)) {
        do {
            struct tt_interval i = tt_interval_get(t, at);
            if (i.start >= to) {
                return false;
            }
            if (i.class_ == TT_CLASS_UNKNOWN) {
                return true;
            }
        } while (tt_interval_next(t, &at));
    } else if (t && edge->cpu != TT_NO_CPU && tt_occupation_find(t, edge->cpu, from, &on)) {
        do {
            struct tt_occupation o = tt_occupation_get(t, on);
            if (o.start >= to) {
                return false;
            }
            if (o.occupant == TT_OCCUPANT_UNKNOWN) {
                return true;
            }
        } while (tt_occupation_next(t, &on));
    }
    return false;
}

/* Stores the row of a wanted begin; UNWANTED if out of memory. */
static uint32_t store_row(struct tt_duration_walk *w, uint64_t row)
{
    uint32_t slot = w->free;
    if (slot != UNWANTED) {
        w->free = (uint32_t)w->rows[slot];
    } else {
        uint64_t *rows = tt_array_grow(w->rows, w->used, &w->capacity, sizeof *rows);
        if (!rows || w->used == UNWANTED) {
            return UNWANTED;
        }
        w->rows = rows;
        slot = w->used++;
    }
    w->rows[slot] = row;
    w->wanted++;
    return slot;
}

/* Removes the newest begin of a key; false if there is none. `*row`: UINT64_MAX if unwanted. */
static bool pop(struct tt_duration_walk *w, uint64_t key, struct tt_open_edge *begun, uint64_t *row)
{
    if (!tt_open_spans_pop(&w->open, key, begun)) {
        return false;
    }
    *row = UINT64_MAX;
    if (begun->what != UNWANTED) {
        *row = w->rows[begun->what];
        w->rows[begun->what] = w->free;
        w->free = begun->what;
        w->wanted--;
    }
    return true;
}

static bool begin(struct tt_duration_walk *w, const struct tt_edge *edge,
                  const struct tt_event *event, bool wanted)
{
    struct tt_open_edge begun;
    uint64_t row;
    while (edge->alone && pop(w, edge->key, &begun, &row)) {
        continue;
    }
    uint32_t what = wanted ? store_row(w, w->event_rows[edge->event]) : UNWANTED;
    return (!wanted || what != UNWANTED) &&
           tt_open_spans_push(&w->open, edge->key, event->ticks, what);
}

static void end(struct tt_duration_walk *w, const struct tt_edge *edge, uint64_t ticks,
                const struct tt_duration_sink *sink)
{
    const struct tt_timelines *t = w->lossy ? tt_trace_timelines(w->trace) : NULL;
    struct tt_open_edge begun;
    uint64_t row;
    bool more = pop(w, edge->key, &begun, &row);
    while (more) {
        if (edge->side != TT_EDGE_FORGET && row != UINT64_MAX && ticks >= begun.ticks &&
            !(t && tt_duration_is_cut(t, edge, begun.ticks, ticks))) {
            sink->take(sink->arg, row, ticks - begun.ticks);
        }
        more = edge->side != TT_EDGE_END && pop(w, edge->key, &begun, &row);
    }
}

static bool handle_edge(struct tt_duration_walk *w, const struct tt_edge *edge,
                        const struct tt_duration_sink *sink)
{
    const struct tt_event *event = &w->events[edge->event];
    uint64_t row = w->event_rows[edge->event];
    if (edge->side == TT_EDGE_BEGIN || edge->side == TT_EDGE_WHOLE) {
        bool wanted = !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) &&
                      sink->wanted(sink->arg, event, row);
        if (edge->side == TT_EDGE_BEGIN) {
            return begin(w, edge, event, wanted);
        }
        if (wanted && event->ticks + edge->ticks >= event->ticks) {
            sink->take(sink->arg, row, edge->ticks);
        }
        return true;
    }
    end(w, edge, event->ticks, sink);
    return true;
}

/* Reads the next events; returns the row from which to continue. */
static uint64_t read_events(struct tt_duration_walk *w, struct tt_events *events, uint64_t row,
                            uint64_t rows)
{
    uint64_t next;
    if (w->types) {
        uint64_t end = rows < UINT64_MAX - row ? row + rows : UINT64_MAX;
        w->count = tt_events_find_types(events, row, end, w->types, BATCH, w->events, w->event_rows,
                                        &next);
        return next;
    }
    w->count = tt_events_read(events, row, rows < BATCH ? (uint32_t)rows : BATCH, w->events);
    for (uint32_t i = 0; i < w->count; i++) {
        w->event_rows[i] = row + i;
    }
    return row + w->count;
}

uint32_t tt_duration_walk_step(struct tt_duration_walk *w, struct tt_events *events, uint64_t row,
                               uint64_t rows, const struct tt_duration_sink *sink,
                               struct tt_status *status)
{
    bool whole;
    uint64_t next = read_events(w, events, row, rows);
    uint32_t edges = tt_events_edges(events, w->events, w->count, sink->kinds, w->edges, &whole);
    *status = tt_ok();
    for (uint32_t i = 0; i < edges; i++) {
        if (!handle_edge(w, &w->edges[i], sink)) {
            *status = tt_error_memory();
            return 0;
        }
    }
    return (uint32_t)(next - row);
}

const struct tt_event *tt_duration_walk_events(const struct tt_duration_walk *w,
                                               const uint64_t **rows, uint32_t *count)
{
    *rows = w->event_rows;
    *count = w->count;
    return w->events;
}
