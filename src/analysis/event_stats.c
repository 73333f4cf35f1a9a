/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_stats: counts, periods and durations of events by name.
 *
 * The walk reads events in time order. Edges (tt_format.edges) begin and end durations; a duration
 * belongs to the event that began it. A duration that may contain lost records, because the lane is
 * unknown in between, does not count.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/durations.h"
#include "analysis/event_preview.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "trace/timeline/open_spans.h"
#include "tracetui/format.h"
#include "tracetui/stats.h"

#define BATCH 512u

/* The statistics of all types with the same class and name. */
struct name_row {
    uint32_t type; /* the first of them */
    uint64_t count;
    uint64_t last; /* ticks of the last event, counted or before the window */
    bool seen;
    bool watched; /* its counted events are samples */
    struct tt_samples period;
    struct tt_samples duration;
};

/* A duration that is known from its beginning, and ends after the window. */
struct later_end {
    uint64_t ticks;
    uint64_t end;
    uint32_t row;
};

struct tt_event_stats {
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_event_window window;
    uint64_t row;
    bool shrunk;
    bool lossy; /* the capture has losses */

    struct name_row *rows;
    size_t row_count;
    size_t row_capacity;
    uint32_t *row_of_type;
    uint32_t types;
    struct tt_hash by_name;
    struct tt_open_spans open;
    bool keeps_ends;
    struct later_end *later;
    size_t later_count;
    size_t later_capacity;
    struct {
        const char *name;
        uint32_t class_id;
        enum tt_event_sample what;
        struct tt_sample_sink *sink; /* NULL: nothing is watched */
        struct tt_sample_sink drop;
    } watch;
    bool has_periods; /* the periods of the name that is computed in steps are done */
    struct tt_selection selection;
    struct tt_event events[BATCH];
    struct tt_edge edges[BATCH * TT_EDGES_PER_EVENT];
};

struct tt_event_stats *tt_event_stats_new(struct tt_trace *trace,
                                          const struct tt_event_window *window)
{
    struct tt_event_stats *stats = calloc(1, sizeof *stats);
    if (stats) {
        stats->trace = trace;
        stats->capture = tt_trace_capture(trace);
        stats->window = *window;
        stats->lossy = tt_health_has_gaps(stats->capture);
    }
    return stats;
}

void tt_event_stats_watch(struct tt_event_stats *stats, uint32_t class_id, const char *name,
                          enum tt_event_sample what, struct tt_sample_sink *sink)
{
    stats->watch.name = name;
    stats->watch.class_id = class_id;
    stats->watch.what = what;
    stats->watch.sink = sink;
}

bool tt_event_stats_shrink(struct tt_event_stats *stats, size_t *bytes)
{
    for (size_t i = 0; i < stats->row_count; i++) {
        if (tt_samples_shrink(&stats->rows[i].period, bytes) ||
            tt_samples_shrink(&stats->rows[i].duration, bytes)) {
            return true;
        }
    }
    return false;
}

void tt_event_stats_preview(struct tt_event_stats *stats)
{
    stats->row = stats->window.first_row;
}

void tt_event_stats_keep_ends(struct tt_event_stats *stats)
{
    stats->keeps_ends = true;
}

/* Stores a duration that ends after the window; false if out of memory. */
static bool event_stats_keep_end(struct tt_event_stats *stats, uint32_t row, uint64_t ticks,
                                 uint64_t end)
{
    struct later_end *later =
        tt_array_grow(stats->later, stats->later_count, &stats->later_capacity, sizeof *later);
    if (later) {
        stats->later = later;
        later[stats->later_count++] = (struct later_end){ticks, end, row};
    }
    return later != NULL;
}

bool tt_event_stats_continue(struct tt_event_stats *stats, const struct tt_event_window *window)
{
    if (window->first_row < stats->row || !stats->keeps_ends) {
        return false;
    }
    for (size_t i = 0; i < stats->row_count; i++) {
        struct name_row *row = &stats->rows[i];
        tt_samples_free(&row->period);
        tt_samples_free(&row->duration);
        row->period = row->duration = (struct tt_samples){0};
        row->count = 0;
    }
    stats->window = *window;
    stats->selection = (struct tt_selection){0};
    stats->has_periods = false;

    /* Counts the stored durations that end in the window; those of later windows stay. */
    size_t left = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < stats->later_count; i++) {
        const struct later_end *end = &stats->later[i];
        if (end->end >= stats->window.to) {
            stats->later[left++] = *end;
        } else if (end->end >= stats->window.from) {
            ok = tt_samples_add(&stats->rows[end->row].duration, end->ticks, end->end);
        }
    }
    stats->later_count = left;
    return ok;
}

void tt_event_stats_free(struct tt_event_stats *stats)
{
    if (!stats) {
        return;
    }
    for (size_t i = 0; i < stats->row_count; i++) {
        tt_samples_free(&stats->rows[i].period);
        tt_samples_free(&stats->rows[i].duration);
    }
    free(stats->rows);
    free(stats->row_of_type);
    tt_hash_free(&stats->by_name);
    tt_open_spans_free(&stats->open);
    free(stats->later);
    free(stats);
}

/* ---- names -------------------------------------------------------------------------------- */

static uint32_t event_stats_find_row(const struct tt_event_stats *stats,
                                     const struct tt_event_type *type, uint64_t hash)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&stats->by_name, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&stats->by_name, &probe)) {
        const struct tt_event_type *other = tt_types_at(stats->capture, stats->rows[n].type);
        if (other->class_id == type->class_id && strcmp(other->name, type->name) == 0) {
            return n;
        }
    }
    return TT_HASH_NONE;
}

/* Directs the samples of a row to the sink if it is watched, and drops them otherwise. */
static void set_sinks(struct tt_event_stats *stats, struct name_row *row,
                      const struct tt_event_type *type)
{
    if (!stats->watch.sink) {
        return;
    }
    bool watched =
        type->class_id == stats->watch.class_id && strcmp(type->name, stats->watch.name) == 0;
    row->watched = watched && stats->watch.what == TT_EVENT_COUNTED;
    row->period.sink =
        watched && stats->watch.what == TT_EVENT_PERIOD ? stats->watch.sink : &stats->watch.drop;
    row->duration.sink =
        watched && stats->watch.what == TT_EVENT_DURATION ? stats->watch.sink : &stats->watch.drop;
}

/* Returns the row of a type, added if its name is new; TT_HASH_NONE if out of memory. */
static uint32_t event_stats_add_row(struct tt_event_stats *stats, uint32_t number)
{
    const struct tt_event_type *type = tt_types_at(stats->capture, number);
    uint64_t hash = tt_hash_of_pair(tt_hash_of(type->name, strlen(type->name)), type->class_id);
    uint32_t row = event_stats_find_row(stats, type, hash);
    if (row != TT_HASH_NONE) {
        return row;
    }
    struct name_row *rows =
        tt_array_grow(stats->rows, stats->row_count, &stats->row_capacity, sizeof *rows);
    if (!rows) {
        return TT_HASH_NONE;
    }
    stats->rows = rows;
    row = (uint32_t)stats->row_count;
    if (!tt_hash_add(&stats->by_name, hash, row)) {
        return TT_HASH_NONE;
    }
    stats->rows[stats->row_count] = (struct name_row){.type = number};
    set_sinks(stats, &stats->rows[stats->row_count++], type);
    return row;
}

/* Adds the types found since the last call. */
static bool event_stats_add_types(struct tt_event_stats *stats)
{
    uint32_t types = tt_types_count(stats->capture);
    if (types == stats->types) {
        return true;
    }
    uint32_t *rows = realloc(stats->row_of_type, types * sizeof *rows);
    if (!rows) {
        return false;
    }
    stats->row_of_type = rows;
    for (; stats->types < types; stats->types++) {
        rows[stats->types] = event_stats_add_row(stats, stats->types);
        if (rows[stats->types] == TT_HASH_NONE) {
            return false;
        }
    }
    return true;
}

/* ---- walk ---------------------------------------------------------------------------------- */

static bool event_stats_is_wanted(const struct tt_event_window *window,
                                  const struct tt_event *event, uint64_t row)
{
    return !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) &&
           tt_bit_selects(window->threads, window->thread_limit, event->thread) &&
           tt_bit_selects(window->cpus, window->cpu_limit, event->cpu) &&
           (!window->wanted || window->wanted(window->wanted_arg, row));
}

/*
 * Returns whether the event ends a duration; such an event has the name of its begin but is not a
 * repetition.
 */
static bool event_stats_is_end(const struct tt_event *event)
{
    return event->kind == TT_KIND_END || event->kind == TT_KIND_ASYNC_END;
}

static bool count_event(struct tt_event_stats *stats, const struct tt_event *event, uint64_t row)
{
    const struct tt_event_window *window = &stats->window;
    if (!event_stats_is_wanted(window, event, row)) {
        return true;
    }
    struct name_row *name = &stats->rows[stats->row_of_type[event->type]];
    bool inside = row >= window->first_row && row < window->end_row;
    bool repeats = name->seen;
    uint64_t period = event->ticks - name->last;
    name->count += inside;
    if (stats->watch.sink) {
        stats->watch.sink->thread = event->thread;
        if (name->watched && inside && !tt_sample_sink_pass(stats->watch.sink, 0, event->ticks)) {
            return false;
        }
    }
    if (event_stats_is_end(event)) {
        return true;
    }
    name->seen = true;
    name->last = event->ticks;
    return !inside || !repeats || tt_samples_add(&name->period, period, event->ticks);
}

static bool end_duration(struct tt_event_stats *stats, const struct tt_edge *edge, uint64_t end,
                         bool inside)
{
    const struct tt_timelines *timelines = stats->lossy ? tt_trace_timelines(stats->trace) : NULL;
    struct tt_open_edge begun;
    bool ok = true;
    bool more = tt_open_spans_pop(&stats->open, edge->key, &begun);
    while (more && ok) {
        bool counts = inside && begun.what != TT_HASH_NONE && end >= begun.ticks &&
                      !(timelines && tt_duration_is_cut(timelines, edge, begun.ticks, end));
        if (counts) {
            ok = tt_samples_add(&stats->rows[begun.what].duration, end - begun.ticks, end);
        }
        more = edge->side == TT_EDGE_END_ALL && tt_open_spans_pop(&stats->open, edge->key, &begun);
    }
    return ok;
}

static void discard(struct tt_event_stats *stats, uint64_t key)
{
    struct tt_open_edge begun;
    while (tt_open_spans_pop(&stats->open, key, &begun)) {
        continue;
    }
}

static bool event_stats_handle_edge(struct tt_event_stats *stats, const struct tt_edge *edge,
                                    uint64_t first_row)
{
    const struct tt_event_window *window = &stats->window;
    const struct tt_event *event = &stats->events[edge->event];
    uint64_t row = first_row + edge->event;
    bool inside = row >= window->first_row && row < window->end_row;
    if (stats->watch.sink) {
        stats->watch.sink->thread = event->thread;
    }
    uint32_t what =
        event_stats_is_wanted(window, event, row) ? stats->row_of_type[event->type] : TT_HASH_NONE;
    switch (edge->side) {
    case TT_EDGE_BEGIN:
        if (edge->alone) {
            discard(stats, edge->key);
        }
        return tt_open_spans_push(&stats->open, edge->key, event->ticks, what);
    case TT_EDGE_END:
    case TT_EDGE_END_ALL:
        return end_duration(stats, edge, event->ticks, inside);
    case TT_EDGE_FORGET:
        discard(stats, edge->key);
        return true;
    default:
        break;
    }
    uint64_t end = event->ticks + edge->ticks;
    if (what == TT_HASH_NONE || end < event->ticks || end < window->from) {
        return true;
    }
    if (end >= window->to) {
        return !stats->keeps_ends || event_stats_keep_end(stats, what, edge->ticks, end);
    }
    return tt_samples_add(&stats->rows[what].duration, edge->ticks, end);
}

struct tt_status tt_event_stats_step(struct tt_event_stats *stats, struct tt_events *events,
                                     uint64_t rows, bool *done)
{
    uint64_t left = stats->window.end_row > stats->row ? stats->window.end_row - stats->row : 0;
    *done = rows >= left;
    rows = rows < left ? rows : left;
    if (!event_stats_add_types(stats)) {
        return tt_error_memory();
    }
    while (rows > 0) {
        uint32_t ask = rows < BATCH ? (uint32_t)rows : BATCH;
        uint32_t count = tt_events_read(events, stats->row, ask, stats->events);
        if (count == 0) {
            stats->shrunk = *done = true;
            return tt_ok();
        }

        /* Handles the events from stats->row on. */
        bool whole;
        uint32_t edges =
            tt_events_edges(events, stats->events, count, TT_EDGES_ALL, stats->edges, &whole);
        stats->shrunk |= !whole;
        for (uint32_t i = 0; i < count; i++) {
            if (stats->events[i].type < stats->types &&
                !count_event(stats, &stats->events[i], stats->row + i)) {
                return tt_error_memory();
            }
        }
        for (uint32_t i = 0; i < edges; i++) {
            bool known = stats->events[stats->edges[i].event].type < stats->types;
            if (known && !event_stats_handle_edge(stats, &stats->edges[i], stats->row)) {
                return tt_error_memory();
            }
        }

        stats->row += count;
        rows -= count;
    }
    return tt_ok();
}

/* ---- results ------------------------------------------------------------------------------- */

uint64_t tt_event_stats_row(const struct tt_event_stats *stats)
{
    return stats->row;
}

bool tt_event_stats_truncated(const struct tt_event_stats *stats)
{
    return stats->shrunk;
}

size_t tt_event_stats_count(const struct tt_event_stats *stats)
{
    return stats->row_count;
}

static struct tt_distribution event_stats_counted(const struct tt_samples *samples)
{
    return (struct tt_distribution){.count = samples->count,
                                    .sum = samples->sum,
                                    .max = samples->max,
                                    .max_at = samples->max_at};
}

struct tt_event_numbers tt_event_stats_counted(const struct tt_event_stats *stats, size_t index)
{
    const struct name_row *row = &stats->rows[index];
    const struct tt_event_type *type = tt_types_at(stats->capture, row->type);
    return (struct tt_event_numbers){
        .class_name = type->class_name,
        .name = type->name,
        .class_id = type->class_id,
        .count = row->count,
        .period = event_stats_counted(&row->period),
        .duration = event_stats_counted(&row->duration),
    };
}

bool tt_event_stats_at_step(struct tt_event_stats *stats, size_t index, uint64_t *work,
                            struct tt_event_numbers *numbers)
{
    struct name_row *row = &stats->rows[index];
    if (!stats->has_periods) {
        if (stats->selection.rank == 0 && !stats->selection.begun) {
            *numbers = tt_event_stats_counted(stats, index);
        }
        if (!tt_samples_distribution_step(&row->period, &stats->selection, work,
                                          &numbers->period)) {
            return false;
        }
        stats->has_periods = true;
    }
    if (!tt_samples_distribution_step(&row->duration, &stats->selection, work,
                                      &numbers->duration)) {
        return false;
    }
    stats->has_periods = false;
    return true;
}

struct tt_event_numbers tt_event_stats_at(struct tt_event_stats *stats, size_t index)
{
    struct tt_event_numbers numbers = tt_event_stats_counted(stats, index);
    numbers.period = tt_samples_distribution(&stats->rows[index].period);
    numbers.duration = tt_samples_distribution(&stats->rows[index].duration);
    return numbers;
}
