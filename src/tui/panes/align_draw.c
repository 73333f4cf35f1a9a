/* SPDX-License-Identifier: Apache-2.0 */
/* align_draw: draws the title, the axis, the lanes and the states of the Align pane. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/time.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/axis.h"
#include "tui/lanes/lanes.h"
#include "tui/panes/align.h"

#define OFFSET_WIDTH 12 /* of the cursor's time */
#define LINE_BYTES   1024

/* ---- times -------------------------------------------------------------------------------- */

/* Returns ticks of a side since its beginning, in ns, or in ticks without a clock. */
static int64_t since_begin(const struct tt_align_pane *pane, int side, uint64_t ticks)
{
    struct tt_trace *trace = tt_align_trace(&pane->sides, side);
    const struct tt_capture *capture = tt_trace_capture(trace);
    struct tt_relative r = tt_relative_ticks(capture, ticks, tt_trace_progress(trace).first_ticks);
    int64_t value = r.ticks < INT64_MAX ? (int64_t)r.ticks : INT64_MAX;
    if (capture->clock_hz && !tt_ticks_to_ns(r.ticks, capture->clock_hz, &value)) {
        value = INT64_MAX;
    }
    return r.before ? -value : value;
}

static bool has_clock(const struct tt_align_pane *pane)
{
    return tt_trace_capture(tt_align_trace(&pane->sides, 1))->clock_hz != 0;
}

static void put_moment(const struct tt_align_pane *pane, struct tt_text *text, int64_t value)
{
    if (has_clock(pane)) {
        tt_units_seconds(text, value);
        tt_text_str(text, " s");
    } else {
        tt_units_spaced(text, value);
        tt_text_str(text, " ticks");
    }
}

static void align_draw_put_duration(const struct tt_align_pane *pane, struct tt_text *text,
                                    uint64_t value)
{
    if (has_clock(pane)) {
        tt_units_duration(text, value, tt_term_glyph(&pane->sides.ws->term, TT_GLYPH_MICRO));
    } else {
        tt_units_grouped(text, value);
        tt_text_str(text, " ticks");
    }
}

static void align_draw_put_distance(const struct tt_align_pane *pane, struct tt_text *text,
                                    int64_t value)
{
    tt_text_char(text, value < 0 ? '-' : '+');
    align_draw_put_duration(pane, text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Appends a place, or the letter of a mark. */
static void align_draw_put_place(struct tt_text *text, const char *place)
{
    place += place[0] == '\'';
    tt_text_escaped(text, place, strlen(place));
}

static void align_draw_put_side(const struct tt_align_pane *pane, int side, struct tt_text *text)
{
    const struct tt_align_sides *sides = &pane->sides;
    const char *name = tt_pane_file_name(sides->paths[side]);
    tt_text_str(text, side == 0 ? "A: " : "B: ");
    tt_text_escaped(text, name, strlen(name));
    if (sides->ready) {
        tt_text_char(text, ' ');
        put_moment(pane, text, since_begin(pane, side, sides->at[side]));
    }
}

static void draw_align_title(const struct tt_align_pane *pane, struct tt_area area)
{
    const struct tt_align_sides *sides = &pane->sides;
    for (int side = 0; side < pane->labels; side++) {
        char buffer[LINE_BYTES], right[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        struct tt_text other = tt_text_of(right, sizeof right);
        align_draw_put_side(pane, side, &text);
        if (pane->labels == 1) {
            tt_text_str(&text, "  ");
            align_draw_put_side(pane, 1, &text);
        }
        if (side == 0) {
            /* Appends what the sides are aligned at. */
            const struct tt_align_at *at = &pane->sides.where;
            if (at->event[0]) {
                tt_text_str(&other, "at ");
                tt_text_escaped(&other, at->event, strlen(at->event));
            } else if (at->places[0][0]) {
                tt_text_str(&other, at->places[0][0] == '\'' ? "at mark " : "at ");
                align_draw_put_place(&other, at->places[0]);
                if (strcmp(at->places[0], at->places[1]) != 0) {
                    tt_text_str(&other, " and ");
                    align_draw_put_place(&other, at->places[1]);
                }
            } else {
                tt_text_str(&other, "at the beginnings");
            }
        } else if (sides->ready) {
            tt_text_str(&other, "offset B-A ");
            align_draw_put_distance(pane, &other,
                                    since_begin(pane, 1, sides->at[1]) -
                                        since_begin(pane, 0, sides->at[0]));
        }
        int room = area.width - 4 - tt_grid_columns(area.grid, text.buffer, text.used);
        int width = tt_grid_columns(area.grid, other.buffer, other.used);
        width = width < room ? width : room;
        tt_draw_text(area, 1, side, area.width - 2, TT_ROLE_TITLE, text.buffer, text.used);
        if (width > 3) {
            tt_draw_text(area, area.width - 1 - width, side, width, TT_ROLE_TEXT, other.buffer,
                         other.used);
        }
    }
}

/* Makes an axis whose labels fit. */
static void make_axis(const struct tt_align_pane *pane, struct tt_axis *axis)
{
    const struct tt_capture *capture = tt_trace_capture(tt_align_trace(&pane->sides, 1));
    enum tt_axis_unit unit = capture->clock_hz ? TT_AXIS_IN_SECONDS : TT_AXIS_IN_TICKS;
    for (unsigned apart = 8;; apart += 2) {
        unsigned widest = 0, nearest = UINT32_MAX;
        tt_axis_make(axis, &pane->sides.viewport, (unsigned)pane->columns, TT_ALIGNED_ZERO,
                     capture->clock_hz, apart);
        for (unsigned i = 0; i < axis->count; i++) {
            char buffer[64];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_axis_label(&text, axis, i, unit, 0);
            widest = text.used > widest ? (unsigned)text.used : widest;
            unsigned before = i > 0 ? axis->ticks[i].column - axis->ticks[i - 1].column : nearest;
            nearest = before < nearest ? before : nearest;
        }
        if (widest + 2 <= nearest || apart >= (unsigned)pane->columns) {
            return;
        }
    }
}

static void draw_axis(const struct tt_workspace *ws, const struct tt_align_pane *pane,
                      struct tt_area area)
{
    struct tt_axis axis;
    bool clock = has_clock(pane);
    make_axis(pane, &axis);
    tt_draw_right(area, 1, pane->labels, pane->gutter - 2, TT_ROLE_COLUMNS,
                  clock ? "time s" : "ticks");
    tt_draw(area, 1, pane->axis, pane->name_width, TT_ROLE_COLUMNS, "thread");
    tt_draw_right(area, pane->gutter - 1 - TT_ALIGN_PERCENT_WIDTH, pane->axis,
                  TT_ALIGN_PERCENT_WIDTH, TT_ROLE_COLUMNS, "%");
    tt_draw_fill(area, pane->gutter, pane->axis, pane->columns, TT_ROLE_AXIS,
                 tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    int end = 0;
    for (unsigned i = 0; i < axis.count; i++) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        int x = pane->gutter + (int)axis.ticks[i].column;
        enum tt_role role = axis.ticks[i].value == 0 ? TT_ROLE_MARK : TT_ROLE_AXIS;
        tt_axis_label(&text, &axis, i, clock ? TT_AXIS_IN_SECONDS : TT_AXIS_IN_TICKS, 0);
        int left = x - (int)text.used / 2;
        left = left < pane->gutter ? pane->gutter : left;
        if (left > end && left + (int)text.used <= area.width) {
            end = left + (int)text.used;
            tt_draw_text(area, left, pane->labels, (int)text.used, role, text.buffer, text.used);
        }
        tt_draw_fill(area, x, pane->axis, 1, role, tt_term_glyph(&ws->term, TT_GLYPH_TICK));
    }
    const struct tt_viewport *viewport = &pane->sides.viewport;
    int here = (int)tt_viewport_column(viewport, (unsigned)pane->columns, viewport->at);
    tt_draw_fill(area, pane->gutter + here, pane->axis, 1, TT_ROLE_CURSOR_MARK,
                 tt_term_glyph(&ws->term, TT_GLYPH_HERE));
}

static void align_draw_draw_name(const struct tt_align_pane *pane, struct tt_area area, int y,
                                 const struct tt_thread_pair *pair)
{
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int side = pair->threads[1] != TT_NO_THREAD;
    tt_thread_label(area.grid, tt_trace_capture(tt_align_trace(&pane->sides, side)),
                    pair->threads[side], pane->name_width, &text);
    tt_draw_text(area, 1, y, pane->name_width, TT_ROLE_THREAD, buffer, text.used);
}

static void draw_row(const struct tt_workspace *ws, const struct tt_align_pane *pane,
                     struct tt_area area, int y, size_t index, int side)
{
    const struct tt_thread_pair *pair = tt_align_pair_at(pane, index);
    if (side == 0 || pane->by_capture) {
        align_draw_draw_name(pane, area, y, pair);
    }
    tt_draw(area, pane->name_width + 2, y, 1, side == 0 ? TT_ROLE_DIM : TT_ROLE_TITLE,
            side == 0 ? "A" : "B");
    if (side == 1 && index < pane->changed) {
        tt_draw(area, pane->name_width + 3, y, 1, TT_ROLE_WARNING, "!");
    }
    if (pair->threads[side] != TT_NO_THREAD) {
        uint32_t thread = pair->threads[side];
        const struct tt_timelines *timelines =
            tt_trace_timelines(tt_align_trace(&pane->sides, side));
        const struct tt_lane_cell *cells = tt_lane_cache_find(&pane->caches[side], thread);
        uint64_t from = pane->edges[side][0], to = pane->edges[side][pane->columns];
        struct tt_thread_sums sums;
        for (int i = 0; cells && i < pane->columns; i++) {
            tt_lanes_draw_cell(ws, area, pane->gutter + i, y, cells[i]);
        }
        uint64_t begin = tt_timelines_begin(timelines), end = tt_timelines_limit(timelines);
        from = from > begin ? from : begin;
        to = to < end ? to : end;
        if (to > from) {
            char buffer[16];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_thread_sum(timelines, thread, from, to, &sums);
            uint64_t run = sums.ticks[TT_CLASS_RUNNING] - sums.irq;
            tt_text_u64(&text, tt_percent(run, to - from));
            tt_draw_right(area, pane->gutter - 1 - TT_ALIGN_PERCENT_WIDTH, y,
                          TT_ALIGN_PERCENT_WIDTH, run > 0 ? TT_ROLE_TEXT : TT_ROLE_DIM,
                          tt_text_cstr(&text));
        }
    } else {
        tt_draw(area, pane->gutter, y, pane->columns, TT_ROLE_DIM,
                side == 0 ? "not in A" : "not in B");
    }
    if (index == pane->list.at) {
        tt_draw_over(area, 1, y, pane->gutter - 2, TT_ROLE_CURSOR);
        tt_draw_fill(area, 0, y, 1, TT_ROLE_CURSOR_MARK, tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
    }
    const struct tt_viewport *viewport = &pane->sides.viewport;
    int here = (int)tt_viewport_column(viewport, (unsigned)pane->columns, viewport->at);
    tt_draw_over(area, pane->gutter + here, y, 1, TT_ROLE_LANE_CURSOR);
}

/* Appends the state of the chosen thread of a side at the cursor. */
void tt_align_put_state(const struct tt_align_pane *pane, int side, struct tt_text *text)
{
    const struct tt_thread_pair *pair = tt_align_pair_at(pane, pane->list.at);
    struct tt_trace *trace = tt_align_trace(&pane->sides, side);
    const struct tt_capture *capture = tt_trace_capture(trace);
    uint64_t at = tt_align_ticks(&pane->sides, side, pane->sides.viewport.at);
    struct tt_interval i;
    tt_text_str(text, side == 0 ? "A  " : "B  ");
    put_moment(pane, text, since_begin(pane, side, at));
    tt_text_str(text, "  ");
    if (!pair || pair->threads[side] == TT_NO_THREAD) {
        tt_text_str(text, "no such thread");
    } else if (!tt_lane_at(tt_trace_timelines(trace), pair->threads[side], at, &i)) {
        tt_text_str(text, "outside the capture");
    } else {
        tt_line_thread(text, capture, pair->threads[side]);
        tt_text_put(text, "  %s ", tt_format_state(capture->format, i.state)->name);
        align_draw_put_duration(
            pane, text,
            (uint64_t)(since_begin(pane, side, i.end) - since_begin(pane, side, i.start)));
    }
}

void tt_align_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_align_pane *pane = state;
    if (pane->sides.paths[0][0]) {
        draw_align_title(pane, area);
    }
    if (pane->why) {
        tt_draw(area, 1, pane->labels, area.width - 2,
                tt_failed(&pane->sides.status) ? TT_ROLE_ERROR : TT_ROLE_PROGRESS, pane->why);
        return;
    }
    draw_axis(ws, pane, area);
    for (int line = 0; line < pane->row_lines; line++) {
        int side;
        size_t index = tt_align_pair_on_line(pane, line, &side);
        if (index != SIZE_MAX) {
            draw_row(ws, pane, area, pane->rows + line, index, side);
        } else if (pane->by_capture && line == (int)tt_align_pairs_shown(pane)) {
            tt_draw_fill(area, 0, pane->rows + line, area.width, TT_ROLE_LINE,
                         tt_term_glyph(&ws->term, TT_GLYPH_LINE));
        }
    }
    for (int side = 0; side < 2 && pane->status > pane->rows; side++) {
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_align_put_state(pane, side, &text);
        tt_draw_text(area, 1 + OFFSET_WIDTH, pane->status + side, area.width - 2 - OFFSET_WIDTH,
                     TT_ROLE_TEXT, buffer, text.used);
    }

    /* Draws the time of the cursor since the moment at which the sides are aligned. */
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t at = tt_align_ticks(&pane->sides, 1, pane->sides.viewport.at);
    align_draw_put_distance(pane, &text,
                            since_begin(pane, 1, at) - since_begin(pane, 1, pane->sides.at[1]));
    tt_draw_text(area, 1, pane->status, OFFSET_WIDTH - 1, TT_ROLE_TIME, buffer, text.used);
}
