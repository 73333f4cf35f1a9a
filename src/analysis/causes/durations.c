/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/durations.h"

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
    struct tt_duration_walk *walk = calloc(1, sizeof *walk);
    if (walk) {
        walk->trace = trace;
        walk->lossy = tt_health_has_gaps(tt_trace_capture(trace));
        walk->free = UNWANTED;
    }
    return walk;
}

void tt_duration_walk_free(struct tt_duration_walk *walk)
{
    if (walk) {
        tt_open_spans_free(&walk->open);
        free(walk->rows);
        free(walk);
    }
}

void tt_duration_walk_types(struct tt_duration_walk *walk, const struct tt_type_set *types)
{
    walk->types = types;
}

void tt_duration_walk_clear(struct tt_duration_walk *walk)
{
    tt_open_spans_free(&walk->open);
    walk->open = (struct tt_open_spans){0};
    walk->used = walk->wanted = 0;
    walk->free = UNWANTED;
}

uint32_t tt_duration_walk_open(const struct tt_duration_walk *walk)
{
    return walk->wanted;
}

bool tt_duration_is_cut(const struct tt_timelines *timelines, const struct tt_edge *edge,
                        uint64_t from, uint64_t to)
{
    struct tt_interval_at at;
    struct tt_occupation_at on;
    if (timelines && edge->thread != TT_NO_THREAD &&
        tt_interval_find(timelines, edge->thread, from, &at)) {
        do {
            struct tt_interval i = tt_interval_get(timelines, at);
            if (i.start >= to) {
                return false;
            }
            if (i.class_ == TT_CLASS_UNKNOWN) {
                return true;
            }
        } while (tt_interval_next(timelines, &at));
    } else if (timelines && edge->cpu != TT_NO_CPU &&
               tt_occupation_find(timelines, edge->cpu, from, &on)) {
        do {
            struct tt_occupation o = tt_occupation_get(timelines, on);
            if (o.start >= to) {
                return false;
            }
            if (o.occupant == TT_OCCUPANT_UNKNOWN) {
                return true;
            }
        } while (tt_occupation_next(timelines, &on));
    }
    return false;
}

/* Stores the row of a wanted begin; UNWANTED if out of memory. */
static uint32_t store_row(struct tt_duration_walk *walk, uint64_t row)
{
    uint32_t slot = walk->free;
    if (slot != UNWANTED) {
        walk->free = (uint32_t)walk->rows[slot];
    } else {
        uint64_t *rows = tt_array_grow(walk->rows, walk->used, &walk->capacity, sizeof *rows);
        if (!rows || walk->used == UNWANTED) {
            return UNWANTED;
        }
        walk->rows = rows;
        slot = walk->used++;
    }
    walk->rows[slot] = row;
    walk->wanted++;
    return slot;
}

/* Removes the newest begin of a key; false if there is none. `*row`: UINT64_MAX if unwanted. */
static bool durations_pop(struct tt_duration_walk *walk, uint64_t key, struct tt_open_edge *begun,
                          uint64_t *row)
{
    if (!tt_open_spans_pop(&walk->open, key, begun)) {
        return false;
    }
    *row = UINT64_MAX;
    if (begun->what != UNWANTED) {
        *row = walk->rows[begun->what];
        walk->rows[begun->what] = walk->free;
        walk->free = begun->what;
        walk->wanted--;
    }
    return true;
}

static bool durations_begin(struct tt_duration_walk *walk, const struct tt_edge *edge,
                            const struct tt_event *event, bool wanted)
{
    struct tt_open_edge begun;
    uint64_t row;
    while (edge->alone && durations_pop(walk, edge->key, &begun, &row)) {
        continue;
    }
    uint32_t what = wanted ? store_row(walk, walk->event_rows[edge->event]) : UNWANTED;
    return (!wanted || what != UNWANTED) &&
           tt_open_spans_push(&walk->open, edge->key, event->ticks, what);
}

static void durations_end(struct tt_duration_walk *walk, const struct tt_edge *edge, uint64_t ticks,
                          const struct tt_duration_sink *sink)
{
    const struct tt_timelines *timelines = walk->lossy ? tt_trace_timelines(walk->trace) : NULL;
    struct tt_open_edge begun;
    uint64_t row;
    bool more = durations_pop(walk, edge->key, &begun, &row);
    while (more) {
        if (edge->side != TT_EDGE_FORGET && row != UINT64_MAX && ticks >= begun.ticks &&
            !(timelines && tt_duration_is_cut(timelines, edge, begun.ticks, ticks))) {
            sink->take(sink->arg, row, ticks - begun.ticks);
        }
        more = edge->side != TT_EDGE_END && durations_pop(walk, edge->key, &begun, &row);
    }
}

static bool durations_handle_edge(struct tt_duration_walk *walk, const struct tt_edge *edge,
                                  const struct tt_duration_sink *sink)
{
    const struct tt_event *event = &walk->events[edge->event];
    uint64_t row = walk->event_rows[edge->event];
    if (edge->side == TT_EDGE_BEGIN || edge->side == TT_EDGE_WHOLE) {
        bool wanted = !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) &&
                      sink->wanted(sink->arg, event, row);
        if (edge->side == TT_EDGE_BEGIN) {
            return durations_begin(walk, edge, event, wanted);
        }
        if (wanted && event->ticks + edge->ticks >= event->ticks) {
            sink->take(sink->arg, row, edge->ticks);
        }
        return true;
    }
    durations_end(walk, edge, event->ticks, sink);
    return true;
}

/* Reads the next events; returns the row from which to continue. */
static uint64_t read_events(struct tt_duration_walk *walk, struct tt_events *events, uint64_t row,
                            uint64_t rows)
{
    uint64_t next;
    if (walk->types) {
        uint64_t end = rows < UINT64_MAX - row ? row + rows : UINT64_MAX;
        walk->count = tt_events_find_types(events, row, end, walk->types, BATCH, walk->events,
                                           walk->event_rows, &next);
        return next;
    }
    walk->count = tt_events_read(events, row, rows < BATCH ? (uint32_t)rows : BATCH, walk->events);
    for (uint32_t i = 0; i < walk->count; i++) {
        walk->event_rows[i] = row + i;
    }
    return row + walk->count;
}

uint32_t tt_duration_walk_step(struct tt_duration_walk *walk, struct tt_events *events,
                               uint64_t row, uint64_t rows, const struct tt_duration_sink *sink,
                               struct tt_status *status)
{
    bool whole;
    uint64_t next = read_events(walk, events, row, rows);
    uint32_t edges =
        tt_events_edges(events, walk->events, walk->count, sink->kinds, walk->edges, &whole);
    *status = tt_ok();
    for (uint32_t i = 0; i < edges; i++) {
        if (!durations_handle_edge(walk, &walk->edges[i], sink)) {
            *status = tt_error_memory();
            return 0;
        }
    }
    return (uint32_t)(next - row);
}

const struct tt_event *tt_duration_walk_events(const struct tt_duration_walk *walk,
                                               const uint64_t **rows, uint32_t *count)
{
    *rows = walk->event_rows;
    *count = walk->count;
    return walk->events;
}
