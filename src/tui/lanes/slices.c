/* SPDX-License-Identifier: Apache-2.0 */
/* slices: draws slices as bars with names. */
#include "tui/lanes/slices.h"

#include <string.h>

#include "tracetui/event_line.h"

/* Minimum width of a bar to show a part of its name. */
#define NAMED_FROM 4

static const struct tt_slice_row *lane_slices_row_of(const struct tt_timelines *timelines,
                                                     const struct tt_lane_row *row)
{
    return timelines ? tt_slice_row(timelines, row->thread, row->number) : NULL;
}

static void write_name(const struct tt_workspace *ws, const struct tt_slice *slice,
                       struct tt_text *text)
{
    const struct tt_event_type *type = tt_types_at(ws->opened.capture, slice->type);
    tt_text_escaped(text, type->name, strlen(type->name));
}

/* ---- drawing ------------------------------------------------------------------------------ */

struct bar {
    int first, width;
    bool begins, ends; /* inside the window */
    bool many;
};

static void draw_bar(const struct tt_workspace *ws, struct tt_area line, const struct bar *bar,
                     const struct tt_slice *slice)
{
    unsigned role = slice->type & 1 ? TT_ROLE_SLICE_OTHER : TT_ROLE_SLICE;
    int x = bar->first, end = bar->first + bar->width;
    tt_draw_fill(line, x, 0, bar->width, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE));
    if (bar->width == 1) {
        if (bar->many) {
            tt_draw_fill(line, x, 0, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE_MANY));
        }
        return;
    }
    if (bar->begins) {
        tt_draw_fill(line, x++, 0, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE_BEGIN));
    }
    if (slice->cut && bar->ends) {
        tt_draw_fill(line, --end, 0, 1, TT_ROLE_LOST, tt_term_glyph(&ws->term, TT_GLYPH_LOST));
    } else if (bar->ends) {
        tt_draw_fill(line, --end, 0, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_SLICE_END));
    }
    if (bar->width >= NAMED_FROM) {
        char buffer[256];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        write_name(ws, slice, &text);
        tt_draw_text(line, x, 0, end - x, role, buffer, text.used);
    }
}

static bool same_place(const struct tt_slice_at *left, const struct tt_slice_at *right)
{
    return left->row == right->row && left->chunk == right->chunk && left->slot == right->slot;
}

/* On the sequence axis a column is an instant. */
static void draw_instants(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area line, const struct tt_lane_row *row)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    for (uint32_t i = 0; i < view->event_count;) {
        struct tt_slice slice, other;
        uint32_t first = i++;
        if (!tt_lanes_slice_at(timelines, row, view->events[first].ticks, &slice)) {
            continue;
        }
        while (i < view->event_count &&
               tt_lanes_slice_at(timelines, row, view->events[i].ticks, &other) &&
               other.start == slice.start && other.type == slice.type) {
            i++;
        }
        struct bar bar = {.first = (int)first,
                          .width = (int)(i - first),
                          .begins = slice.start >= view->events[first].ticks || first > 0,
                          .ends = i < view->event_count};
        draw_bar(ws, line, &bar, &slice);
    }
}

void tt_lanes_draw_slices(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area area, int y, const struct tt_lane_row *row,
                          struct tt_slice_cell *cells)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_slice_row *slices = lane_slices_row_of(timelines, row);
    unsigned columns = (unsigned)view->layout.columns;
    struct tt_area line = tt_area_part(area, view->layout.gutter, y, view->layout.columns, 1);
    if (!slices) {
        return;
    }
    if (ws->nav.lane.sequence) {
        draw_instants(ws, view, line, row);
        return;
    }
    tt_slice_cells(timelines, slices, view->edges, columns, cells);
    for (unsigned i = 0; i < columns;) {
        unsigned first = i++;
        if (!cells[first].at.row) {
            continue;
        }
        while (i < columns && cells[i].at.row && same_place(&cells[i].at, &cells[first].at)) {
            i++;
        }
        struct tt_slice slice = tt_slice_get(timelines, cells[first].at);
        struct bar bar = {.first = (int)first,
                          .width = (int)(i - first),
                          .begins = slice.start >= view->edges[first] || first > 0,
                          .ends = !slice.open && (slice.end <= view->edges[i] || i < columns),
                          .many = cells[first].slices > 1};
        draw_bar(ws, line, &bar, &slice);
    }
}

/* ---- words -------------------------------------------------------------------------------- */

bool tt_lanes_slice_at(const struct tt_timelines *timelines, const struct tt_lane_row *row,
                       uint64_t ticks, struct tt_slice *slice)
{
    const struct tt_slice_row *slices = lane_slices_row_of(timelines, row);
    struct tt_slice_at at;
    if (!slices || !tt_slice_find(slices, ticks, &at)) {
        return false;
    }
    *slice = tt_slice_get(timelines, at);
    return ticks < slice->end || ticks == slice->start ||
           (slice->open && ticks <= tt_timelines_end(timelines));
}

void tt_lanes_slices_name(const struct tt_workspace *ws, const struct tt_lane_row *row,
                          struct tt_text *text)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_slice slice;
    for (uint32_t i = 0; i < row->number && i < 4; i++) {
        tt_text_char(text, ' ');
    }
    if (tt_lanes_slice_at(timelines, row, ws->nav.viewport.at, &slice)) {
        write_name(ws, &slice, text);
    } else if (timelines && row->number >= tt_slice_depths(timelines, row->thread)) {
        tt_text_str(text, "asynchronous");
    } else if (row->number == 0) {
        tt_text_str(text, "slices");
    }
}

static void write_neighbour(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                            struct tt_slice_at at, bool after, struct tt_text *text)
{
    if (after ? !tt_slice_next(&at) : !tt_slice_previous(&at)) {
        return;
    }
    struct tt_slice slice = tt_slice_get(timelines, at);
    tt_text_put(text, "%s%s", text->used > 0 ? ", " : "", after ? "then " : "after ");
    write_name(ws, &slice, text);
    tt_text_put(text, " %s", tt_words_duration(ws, slice.end - slice.start).s);
}

/* Appends the slices that contain the row's slice, innermost first. */
static void write_parents(const struct tt_workspace *ws, const struct tt_timelines *timelines,
                          const struct tt_lane_row *row, struct tt_text *text)
{
    struct tt_lane_row parent = *row;
    struct tt_slice slice;
    while (parent.number > 0 && parent.number < tt_slice_depths(timelines, row->thread)) {
        parent.number--;
        if (tt_lanes_slice_at(timelines, &parent, ws->nav.viewport.at, &slice)) {
            tt_text_str(text, text->used > 0 ? ", in " : "in ");
            write_name(ws, &slice, text);
        }
    }
}

void tt_lanes_status_slice(const struct tt_workspace *ws, const struct tt_lane_row *row,
                           struct tt_text *first, struct tt_text *second)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_slice_row *slices = lane_slices_row_of(timelines, row);
    uint64_t at = ws->nav.viewport.at;
    struct tt_slice slice;
    struct tt_slice_at place;
    if (tt_lanes_slice_at(timelines, row, at, &slice)) {
        write_name(ws, &slice, first);
        tt_text_put(first, " for %s", tt_words_duration(ws, at - slice.start).s);
        if (slice.open) {
            tt_text_str(first, ws->index.progress.finished ? ", to the end" : " so far");
        } else {
            tt_text_put(first, "%s%s", slice.cut ? " of at least " : " of ",
                        tt_words_duration(ws, slice.end - slice.start).s);
        }
        write_parents(ws, timelines, row, second);
    } else {
        tt_text_str(first, "in no slice");
    }
    if (slices && tt_slice_find(slices, at, &place)) {
        if (first->used > 0 && tt_lanes_slice_at(timelines, row, at, &slice)) {
            write_neighbour(ws, timelines, place, false, second);
        }
        write_neighbour(ws, timelines, place, true, second);
    }
}

bool tt_lanes_slice_edge(const struct tt_timelines *timelines, const struct tt_lane_row *row,
                         uint64_t from, bool forward, uint64_t *to)
{
    const struct tt_slice_row *slices = lane_slices_row_of(timelines, row);
    struct tt_slice_at at;
    uint64_t end = tt_timelines_end(timelines);
    if (!slices) {
        return false;
    }
    bool there = forward ? tt_slice_find(slices, from, &at) ||
                               tt_slice_first(timelines, slices, from, end + 1, &at)
                         : from > 0 && tt_slice_find(slices, from - 1, &at);
    while (there) {
        struct tt_slice slice = tt_slice_get(timelines, at);
        uint64_t near = forward ? slice.start : slice.end, far = forward ? slice.end : slice.start;
        if (!slice.open || near == slice.start) {
            if (forward ? near > from : near < from) {
                *to = near;
                return true;
            }
        }
        if ((!slice.open || far == slice.start) && (forward ? far > from : far < from)) {
            *to = far;
            return true;
        }
        there = forward ? tt_slice_next(&at) : tt_slice_previous(&at);
    }
    return false;
}

bool tt_lanes_has_slices(const struct tt_workspace *ws, uint32_t thread)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint32_t rows = tt_slice_rows(timelines, thread);
    struct tt_slice_at at;
    for (uint32_t i = 0; i < rows && i < TT_LANE_SLICE_ROWS; i++) {
        const struct tt_slice_row *row = tt_slice_row(timelines, thread, i);
        if (row &&
            tt_slice_first(timelines, row, ws->nav.viewport.from, ws->nav.viewport.to, &at)) {
            return true;
        }
    }
    return false;
}
