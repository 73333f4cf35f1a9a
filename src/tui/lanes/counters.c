/* SPDX-License-Identifier: Apache-2.0 */
/* counters: bars and status text of counters. */
#include "tui/lanes/counters.h"

#include <stdio.h>

/* Returns the height of a value between `base` and `top` in eighths, rounded up; 0: the base. */
static unsigned eighths_of(double value, double base, double top)
{
    if (!(top > base) || !(value > base)) {
        return 0;
    }
    /* Halved first: the difference may overflow a double. */
    double part = (value / 2 - base / 2) / (top / 2 - base / 2) * 8.0;
    unsigned whole = part < 8.0 ? (unsigned)part : 8;
    whole += (double)whole < part;
    return whole > 8 ? 8 : whole < 1 ? 1 : whole;
}

void tt_lanes_draw_bar(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                       double value, const struct tt_counter_range *all, bool moves)
{
    double base = all->min < 0 ? all->min : 0;
    unsigned eighths = eighths_of(value, base, all->max > base ? all->max : base);
    enum tt_glyph glyph =
        eighths > 0 ? (enum tt_glyph)(TT_GLYPH_BAR_1 + eighths - 1) : TT_GLYPH_ZERO;
    tt_draw_fill(area, x, y, 1, moves ? TT_ROLE_COUNTER_MANY : TT_ROLE_COUNTER,
                 tt_term_glyph(&ws->term, glyph));
}

void tt_lanes_draw_counter(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area area, int y, uint32_t series,
                           struct tt_counter_range *cells)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_counter_range all;
    int x = view->layout.gutter;
    tt_counter_in(timelines, series, tt_timelines_begin(timelines), tt_timelines_limit(timelines),
                  &all);
    if (ws->nav.lane.sequence) {
        for (uint32_t i = 0; i < view->event_count; i++) {
            double value;
            if (tt_lanes_counter_at(timelines, series, view->events[i].ticks, &value)) {
                tt_lanes_draw_bar(ws, area, x + (int)i, y, value, &all, false);
            }
        }
        return;
    }
    unsigned columns = (unsigned)view->layout.columns;
    tt_counter_cells(timelines, series, view->edges, columns, cells);
    for (unsigned i = 0; i < columns; i++) {
        if (cells[i].known && view->edges[i] <= tt_timelines_end(timelines)) {
            tt_lanes_draw_bar(ws, area, x + (int)i, y, cells[i].max, &all,
                              cells[i].min < cells[i].max);
        }
    }
}

bool tt_lanes_counter_at(const struct tt_timelines *timelines, uint32_t series, uint64_t ticks,
                         double *value)
{
    struct tt_counter_at at;
    if (ticks > tt_timelines_end(timelines) || !tt_counter_find(timelines, series, ticks, &at)) {
        return false;
    }
    struct tt_counter_value v = tt_counter_get(timelines, at);
    *value = v.value;
    return v.known;
}

void tt_lanes_counter_text(double value, struct tt_text *text)
{
    char buffer[32];
    snprintf(buffer, sizeof buffer, "%.6g", value);
    tt_text_str(text, buffer);
}

static void write_value(const char *words, const struct tt_counter_value *value,
                        struct tt_text *text)
{
    tt_text_str(text, words);
    if (value->known) {
        tt_text_double(text, value->value);
    } else {
        tt_text_str(text, "unknown");
    }
}

static void lane_counters_write_neighbours(const struct tt_timelines *timelines,
                                           struct tt_counter_at at, struct tt_text *text)
{
    struct tt_counter_at before = at, after = at;
    struct tt_counter_value value;
    bool any = tt_counter_previous(timelines, &before);
    if (any) {
        value = tt_counter_get(timelines, before);
        write_value("after ", &value, text);
    }
    if (tt_counter_next(timelines, &after)) {
        value = tt_counter_get(timelines, after);
        write_value(any ? ", then " : "then ", &value, text);
    }
}

void tt_lanes_status_counter(const struct tt_workspace *ws, uint32_t series, struct tt_text *first,
                             struct tt_text *second)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_counter_at place;
    struct tt_counter_range range;
    uint64_t at = ws->nav.viewport.at;
    if (at > tt_timelines_end(timelines) || !tt_counter_find(timelines, series, at, &place)) {
        tt_text_str(first, "unknown so far");
    } else {
        struct tt_counter_value value = tt_counter_get(timelines, place);
        write_value("", &value, first);
        tt_text_put(first, " for %s of %s", tt_words_duration(ws, at - value.start).s,
                    tt_words_duration(ws, value.end - value.start).s);
        lane_counters_write_neighbours(timelines, place, second);
    }
    tt_counter_in(timelines, series, ws->nav.viewport.from, ws->nav.viewport.to, &range);
    if (range.known) {
        tt_text_str(second, second->used > 0 ? "; shown: " : "shown: ");
        tt_text_double(second, range.min);
        tt_text_str(second, " to ");
        tt_text_double(second, range.max);
        tt_text_put(second, ", %'ju%s", range.changes, range.changes == 1 ? " change" : " changes");
    }
}

bool tt_lanes_counter_edge(const struct tt_timelines *timelines, uint32_t series, uint64_t from,
                           bool forward, uint64_t *to)
{
    struct tt_counter_at at;
    bool there = tt_counter_find(timelines, series, from, &at);
    if (!there && forward) {
        /* Before the first value: search backwards from the end. */
        there = tt_counter_find(timelines, series, tt_timelines_end(timelines), &at);
        while (there) {
            *to = tt_counter_get(timelines, at).start;
            if (!tt_counter_previous(timelines, &at)) {
                return *to > from;
            }
        }
        return false;
    }
    while (there) {
        uint64_t start = tt_counter_get(timelines, at).start;
        if (forward ? start > from : start < from) {
            *to = start;
            return true;
        }
        there = forward ? tt_counter_next(timelines, &at) : tt_counter_previous(timelines, &at);
    }
    return false;
}
