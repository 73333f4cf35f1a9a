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

#include "analysis/event_preview.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "trace/timeline/open_spans.h"
#include "tracetui/durations.h"
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
    struct tt_event_stats *s = calloc(1, sizeof *s);
    if (s) {
        s->trace = trace;
        s->capture = tt_trace_capture(trace);
        s->window = *window;
        s->lossy = tt_health_has_gaps(s->capture);
    }
    return s;
}

void tt_event_stats_watch(struct tt_event_stats *s, uint32_t class_id, const char *name,
                          enum tt_event_sample what, struct tt_sample_sink *sink)
{
    s->watch.name = name;
    s->watch.class_id = class_id;
    s->watch.what = what;
    s->watch.sink = sink;
}

bool tt_event_stats_shrink(struct tt_event_stats *s, size_t *bytes)
{
    for (size_t i = 0; i < s->row_count; i++) {
        if (tt_samples_shrink(&s->rows[i].period, bytes) ||
            tt_samples_shrink(&s->rows[i].duration, bytes)) {
            return true;
        }
    }
    return false;
}

void tt_event_stats_preview(struct tt_event_stats *s)
{
    s->row = s->window.first_row;
}

void tt_event_stats_keep_ends(struct tt_event_stats *s)
{
    s->keeps_ends = true;
}

/* Stores a duration that ends after the window; false if out of memory. */
static bool keep_end(struct tt_event_stats *s, uint32_t row, uint64_t ticks, uint64_t end)
{
    struct later_end *later =
        tt_array_grow(s->later, s->later_count, &s->later_capacity, sizeof *later);
    if (later) {
        s->later = later;
        later[s->later_count++] = (struct later_end){ticks, end, row};
    }
    return later != NULL;
}

/* Counts the stored durations that end in the window; those of later windows stay. */
static bool count_later(struct tt_event_stats *s)
{
    size_t left = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < s->later_count; i++) {
        const struct later_end *l = &s->later[i];
        if (l->end >= s->window.to) {
            s->later[left++] = *l;
        } else if (l->end >= s->window.from) {
            ok = tt_samples_add(&s->rows[l->row].duration, l->ticks, l->end);
        }
    }
    s->later_count = left;
    return ok;
}

bool tt_event_stats_continue(struct tt_event_stats *s, const struct tt_event_window *window)
{
    if (window->first_row < s->row || !s->keeps_ends) {
        return false;
    }
    for (size_t i = 0; i < s->row_count; i++) {
        struct name_row *row = &s->rows[i];
        tt_samples_free(&row->period);
        tt_samples_free(&row->duration);
        row->period = row->duration = (struct tt_samples){0};
        row->count = 0;
    }
    s->window = *window;
    s->selection = (struct tt_selection){0};
    s->has_periods = false;
    return count_later(s);
}

void tt_event_stats_free(struct tt_event_stats *s)
{
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->row_count; i++) {
        tt_samples_free(&s->rows[i].period);
        tt_samples_free(&s->rows[i].duration);
    }
    free(s->rows);
    free(s->row_of_type);
    tt_hash_free(&s->by_name);
    tt_open_spans_free(&s->open);
    free(s->later);
    free(s);
}

/* ---- names -------------------------------------------------------------------------------- */

static uint32_t find_row(const struct tt_event_stats *s, const struct tt_event_type *type,
                         uint64_t hash)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&s->by_name, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&s->by_name, &probe)) {
        const struct tt_event_type *other = tt_types_at(s->capture, s->rows[n].type);
        if (other->class_id == type->class_id && strcmp(other->name, type->name) == 0) {
            return n;
        }
    }
    return TT_HASH_NONE;
}

/* Directs the samples of a row to the sink if it is watched, and drops them otherwise. */
static void set_sinks(struct tt_event_stats *s, struct name_row *row,
                      const struct tt_event_type *type)
{
    if (!s->watch.sink) {
        return;
    }
    bool watched = type->class_id == s->watch.class_id && strcmp(type->name, s->watch.name) == 0;
    row->watched = watched && s->watch.what == TT_EVENT_COUNTED;
    row->period.sink = watched && s->watch.what == TT_EVENT_PERIOD ? s->watch.sink : &s->watch.drop;
    row->duration.sink =
        watched && s->watch.what == TT_EVENT_DURATION ? s->watch.sink : &s->watch.drop;
}

/* Returns the row of a type, added if its name is new; TT_HASH_NONE if out of memory. */
static uint32_t add_row(struct tt_event_stats *s, uint32_t number)
{
    const struct tt_event_type *type = tt_types_at(s->capture, number);
    uint64_t hash = tt_hash_of_pair(tt_hash_of(type->name, strlen(type->name)), type->class_id);
    uint32_t row = find_row(s, type, hash);
    if (row != TT_HASH_NONE) {
        return row;
    }
    struct name_row *rows = tt_array_grow(s->rows, s->row_count, &s->row_capacity, sizeof *rows);
    if (!rows) {
        return TT_HASH_NONE;
    }
    s->rows = rows;
    row = (uint32_t)s->row_count;
    if (!tt_hash_add(&s->by_name, hash, row)) {
        return TT_HASH_NONE;
    }
    s->rows[s->row_count] = (struct name_row){.type = number};
    set_sinks(s, &s->rows[s->row_count++], type);
    return row;
}

/* Adds the types found since the last call. */
static bool add_types(struct tt_event_stats *s)
{
    uint32_t types = tt_types_count(s->capture);
    if (types == s->types) {
        return true;
    }
    uint32_t *rows = realloc(s->row_of_type, types * sizeof *rows);
    if (!rows) {
        return false;
    }
    s->row_of_type = rows;
    for (; s->types < types; s->types++) {
        rows[s->types] = add_row(s, s->types);
        if (rows[s->types] == TT_HASH_NONE) {
            return false;
        }
    }
    return true;
}

/* ---- walk ---------------------------------------------------------------------------------- */

static bool is_wanted(const struct tt_event_window *w, const struct tt_event *event, uint64_t row)
{
    return !(event->flags & (TT_EVENT_DERIVED | TT_EVENT_DEFINITION)) &&
           tt_bit_selects(w->threads, w->thread_limit, event->thread) &&
           tt_bit_selects(w->cpus, w->cpu_limit, event->cpu) &&
           (!w->wanted || w->wanted(w->wanted_arg, row));
}

/*
 * Returns whether the event ends a duration; such an event has the name of its begin but is not a
 * repetition.
 */
static bool is_end(const struct tt_event *event)
{
    return event->kind == TT_KIND_END || event->kind == TT_KIND_ASYNC_END;
}

static bool count_event(struct tt_event_stats *s, const struct tt_event *event, uint64_t row)
{
    const struct tt_event_window *w = &s->window;
    if (!is_wanted(w, event, row)) {
        return true;
    }
    struct name_row *name = &s->rows[s->row_of_type[event->type]];
    bool inside = row >= w->first_row && row < w->end_row;
    bool repeats = name->seen;
    uint64_t period = event->ticks - name->last;
    name->count += inside;
    if (s->watch.sink) {
        s->watch.sink->thread = event->thread;
        if (name->watched && inside && !tt_sample_sink_take(s->watch.sink, 0, event->ticks)) {
            return false;
        }
    }
    if (is_end(event)) {
        return true;
    }
    name->seen = true;
    name->last = event->ticks;
    return !inside || !repeats || tt_samples_add(&name->period, period, event->ticks);
}

static bool end_duration(struct tt_event_stats *s, const struct tt_edge *edge, uint64_t end,
                         bool inside)
{
    const struct tt_timelines *t = s->lossy ? tt_trace_timelines(s->trace) : NULL;
    struct tt_open_edge begun;
    bool ok = true;
    bool more = tt_open_spans_pop(&s->open, edge->key, &begun);
    while (more && ok) {
        bool counts = inside && begun.what != TT_HASH_NONE && end >= begun.ticks &&
                      !(t && tt_duration_is_cut(t, edge, begun.ticks, end));
        if (counts) {
            ok = tt_samples_add(&s->rows[begun.what].duration, end - begun.ticks, end);
        }
        more = edge->side == TT_EDGE_END_ALL && tt_open_spans_pop(&s->open, edge->key, &begun);
    }
    return ok;
}

static void discard(struct tt_event_stats *s, uint64_t key)
{
    struct tt_open_edge begun;
    while (tt_open_spans_pop(&s->open, key, &begun)) {
        continue;
    }
}

static bool handle_edge(struct tt_event_stats *s, const struct tt_edge *edge, uint64_t first_row)
{
    const struct tt_event_window *w = &s->window;
    const struct tt_event *event = &s->events[edge->event];
    uint64_t row = first_row + edge->event;
    bool inside = row >= w->first_row && row < w->end_row;
    if (s->watch.sink) {
        s->watch.sink->thread = event->thread;
    }
    uint32_t what = is_wanted(w, event, row) ? s->row_of_type[event->type] : TT_HASH_NONE;
    switch (edge->side) {
    case TT_EDGE_BEGIN:
        if (edge->alone) {
            discard(s, edge->key);
        }
        return tt_open_spans_push(&s->open, edge->key, event->ticks, what);
    case TT_EDGE_END:
    case TT_EDGE_END_ALL:
        return end_duration(s, edge, event->ticks, inside);
    case TT_EDGE_FORGET:
        discard(s, edge->key);
        return true;
    default:
        break;
    }
    uint64_t end = event->ticks + edge->ticks;
    if (what == TT_HASH_NONE || end < event->ticks || end < w->from) {
        return true;
    }
    if (end >= w->to) {
        return !s->keeps_ends || keep_end(s, what, edge->ticks, end);
    }
    return tt_samples_add(&s->rows[what].duration, edge->ticks, end);
}

/* Handles the events from s->row on; returns false if out of memory. */
static bool handle_events(struct tt_event_stats *s, struct tt_events *events, uint32_t count)
{
    bool whole;
    uint32_t edges = tt_events_edges(events, s->events, count, TT_EDGES_ALL, s->edges, &whole);
    s->shrunk |= !whole;
    for (uint32_t i = 0; i < count; i++) {
        if (s->events[i].type < s->types && !count_event(s, &s->events[i], s->row + i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < edges; i++) {
        bool known = s->events[s->edges[i].event].type < s->types;
        if (known && !handle_edge(s, &s->edges[i], s->row)) {
            return false;
        }
    }
    return true;
}

struct tt_status tt_event_stats_step(struct tt_event_stats *s, struct tt_events *events,
                                     uint64_t rows, bool *done)
{
    uint64_t left = s->window.end_row > s->row ? s->window.end_row - s->row : 0;
    *done = rows >= left;
    rows = rows < left ? rows : left;
    if (!add_types(s)) {
        return tt_error_memory();
    }
    while (rows > 0) {
        uint32_t ask = rows < BATCH ? (uint32_t)rows : BATCH;
        uint32_t count = tt_events_read(events, s->row, ask, s->events);
        if (count == 0) {
            s->shrunk = *done = true;
            return tt_ok();
        }
        if (!handle_events(s, events, count)) {
            return tt_error_memory();
        }
        s->row += count;
        rows -= count;
    }
    return tt_ok();
}

/* ---- results ------------------------------------------------------------------------------- */

uint64_t tt_event_stats_row(const struct tt_event_stats *s)
{
    return s->row;
}

bool tt_event_stats_truncated(const struct tt_event_stats *s)
{
    return s->shrunk;
}

size_t tt_event_stats_count(const struct tt_event_stats *s)
{
    return s->row_count;
}

static struct tt_distribution counted(const struct tt_samples *s)
{
    return (struct tt_distribution){
        .count = s->count, .sum = s->sum, .max = s->max, .max_at = s->max_at};
}

struct tt_event_numbers tt_event_stats_counted(const struct tt_event_stats *s, size_t index)
{
    const struct name_row *row = &s->rows[index];
    const struct tt_event_type *type = tt_types_at(s->capture, row->type);
    return (struct tt_event_numbers){
        .class_name = type->class_name,
        .name = type->name,
        .class_id = type->class_id,
        .count = row->count,
        .period = counted(&row->period),
        .duration = counted(&row->duration),
    };
}

bool tt_event_stats_at_step(struct tt_event_stats *s, size_t index, uint64_t *work,
                            struct tt_event_numbers *numbers)
{
    struct name_row *row = &s->rows[index];
    if (!s->has_periods) {
        if (s->selection.rank == 0 && !s->selection.begun) {
            *numbers = tt_event_stats_counted(s, index);
        }
        if (!tt_samples_distribution_step(&row->period, &s->selection, work, &numbers->period)) {
            return false;
        }
        s->has_periods = true;
    }
    if (!tt_samples_distribution_step(&row->duration, &s->selection, work, &numbers->duration)) {
        return false;
    }
    s->has_periods = false;
    return true;
}

struct tt_event_numbers tt_event_stats_at(struct tt_event_stats *s, size_t index)
{
    struct tt_event_numbers numbers = tt_event_stats_counted(s, index);
    numbers.period = tt_samples_distribution(&s->rows[index].period);
    numbers.duration = tt_samples_distribution(&s->rows[index].duration);
    return numbers;
}
