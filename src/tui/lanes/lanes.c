/* SPDX-License-Identifier: Apache-2.0 */
/* lanes: screen layout and the lines around the lanes. */
#include "tui/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/time.h"
#include "tui/filter/event_scan.h"
#include "tui/lanes/axis.h"
#include "tui/model/causes.h"

#define LINE_BYTES 512
/* Minimum of columns between two marks of the axis, and between two labels. */
#define TICKS_APART 8u
#define LABEL_GAP   2

/* ---- layout ------------------------------------------------------------------------------- */

void tt_lanes_place(struct tt_lanes_layout *layout, struct tt_area area, int gutter)
{
    int height = area.height, y = 0;
    bool small = height < 12;
    layout->overview = small ? -1 : y++;
    layout->labels = y++;
    layout->axis = y++;
    layout->load = small ? -1 : y++;
    layout->lanes = layout->own = y;
    layout->own_lines = 0;
    layout->status_lines = small ? 1 : height < 30 ? 2 : height < 50 ? 8 : 10;
    int bottom = layout->status_lines + (small ? 0 : 1);
    layout->lanes_height = height - y - bottom;
    layout->lanes_height = layout->lanes_height < 1 ? 1 : layout->lanes_height;
    layout->legend = small ? -1 : y + layout->lanes_height;
    layout->status = height - layout->status_lines;
    layout->width = area.width;
    layout->gutter = gutter;
    layout->columns = area.width - gutter > 1 ? area.width - gutter : 1;
}

static bool lanes_reserve(struct tt_lanes_view *view)
{
    unsigned columns = (unsigned)view->layout.columns;
    if (columns <= view->room) {
        return true;
    }
    uint64_t *edges = realloc(view->edges, ((size_t)columns + 1) * sizeof *edges);
    if (edges) {
        view->edges = edges;
    }
    struct tt_event *events = realloc(view->events, columns * sizeof *events);
    if (events) {
        view->events = events;
    }
    if (!edges || !events) {
        return false;
    }
    view->room = columns;
    return true;
}

void tt_lanes_free(struct tt_lanes_view *view)
{
    tt_load_strip_free(&view->overview);
    tt_load_strip_free(&view->load);
    free(view->edges);
    free(view->events);
}

bool tt_lanes_ready(struct tt_workspace *ws, struct tt_lanes_view *view, const char **why)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    *why = NULL;
    if (!timelines || !ws->nav.cursor.valid) {
        *why =
            ws->index.progress.finished ? "no events in this capture" : "reading the first events";
    } else if (!lanes_reserve(view)) {
        *why = "out of memory";
    } else {
        tt_lanes_adopt_cursor(ws, view);
        tt_causes_refresh(&ws->opened);
        unsigned columns = (unsigned)view->layout.columns;
        for (unsigned i = 0; i <= columns; i++) {
            view->edges[i] = tt_viewport_edge(&ws->nav.viewport, columns, i);
        }
    }
    return *why == NULL;
}

uint64_t tt_lanes_after_column(const struct tt_lanes_view *view, unsigned column, uint64_t ticks)
{
    const uint64_t next = view->edges[column + 1];
    return next > ticks ? next : ticks + 1;
}

bool tt_lanes_work(struct tt_lanes_view *view, uint64_t deadline)
{
    return tt_load_strip_work(&view->load, deadline) &&
           tt_load_strip_work(&view->overview, deadline);
}

/* ---- glyphs ------------------------------------------------------------------------------- */

void tt_lanes_glyph(const struct tt_workspace *ws, enum tt_glyph glyph, struct tt_text *text)
{
    char utf8[4];
    tt_text_bytes(text, utf8, tt_utf8_encode(tt_term_glyph(&ws->term, glyph), utf8));
}

void tt_lanes_draw_cell(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        struct tt_lane_cell cell)
{
    static const struct {
        uint8_t role, glyph, many, behind;
    } styles[] = {
        [TT_LANE_OFF] = {TT_ROLE_UNKNOWN, TT_GLYPH_OFF, TT_GLYPH_OFF_MANY, 0},
        [TT_CLASS_UNKNOWN] = {TT_ROLE_UNKNOWN, TT_GLYPH_UNKNOWN, TT_GLYPH_UNKNOWN_MANY, 0},
        [TT_CLASS_RUNNING] = {TT_ROLE_RUNNING, TT_GLYPH_RUNNING, TT_GLYPH_RUNNING_MANY, 0},
        [TT_CLASS_READY] = {TT_ROLE_READY, TT_GLYPH_READY, TT_GLYPH_READY_MANY,
                            TT_ROLE_READY_BEHIND},
        [TT_CLASS_IPC] = {TT_ROLE_IPC, TT_GLYPH_IPC, TT_GLYPH_IPC_MANY, TT_ROLE_IPC_BEHIND},
        [TT_CLASS_LOCK] = {TT_ROLE_LOCK, TT_GLYPH_LOCK, TT_GLYPH_LOCK_MANY, TT_ROLE_LOCK_BEHIND},
        [TT_CLASS_CONDITION] = {TT_ROLE_CONDITION, TT_GLYPH_CONDITION, TT_GLYPH_CONDITION_MANY,
                                TT_ROLE_CONDITION_BEHIND},
        [TT_CLASS_SLEEP] = {TT_ROLE_SLEEP, TT_GLYPH_SLEEP, TT_GLYPH_SLEEP_MANY,
                            TT_ROLE_SLEEP_BEHIND},
        [TT_CLASS_WAIT] = {TT_ROLE_WAIT, TT_GLYPH_WAIT, TT_GLYPH_WAIT_MANY, TT_ROLE_WAIT_BEHIND},
        [TT_CLASS_STOPPED] = {TT_ROLE_STOPPED, TT_GLYPH_STOPPED, TT_GLYPH_STOPPED_MANY, 0},
        [TT_CLASS_DEAD] = {TT_ROLE_DEAD, TT_GLYPH_DEAD, TT_GLYPH_DEAD_MANY, 0},
    };
    if (cell.class_ == TT_LANE_NOTHING) {
        return;
    }
    /* A long wait for a CPU or a lock never vanishes. */
    const bool is_held = cell.many && cell.held != 0 && cell.class_ != TT_CLASS_RUNNING;
    const unsigned class_ = is_held ? cell.held : cell.class_;
    unsigned glyph = cell.many ? styles[class_].many : styles[class_].glyph;
    unsigned role = styles[class_].role, behind = 0;
    if (cell.many && cell.run > 0 && ws->term.colored && !ws->term.grid.ascii) {
        /* A full bar means a cell that is running all the time. */
        glyph = TT_GLYPH_BAR_1 + (cell.run < 8 ? cell.run : 7u) - 1u;
        /*
         * The bar is run time, whatever the longest state, which is its background. Up to an eighth a lane
         * keeps its colour: a waiting lane stays calm and cheap to send.
         */
        role = cell.run > 1 ? TT_ROLE_RUNNING : role;
        behind = styles[class_].behind;
    }
    tt_draw_fill(area, x, y, 1, role, tt_term_glyph(&ws->term, (enum tt_glyph)glyph));
    if (behind != 0) {
        tt_draw_over(area, x, y, 1, behind);
    }
}

void tt_lanes_draw_load(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                        const struct tt_load *load)
{
    unsigned eighths = tt_load_eighths(load);
    if (eighths == TT_LOAD_UNKNOWN) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_UNKNOWN, tt_term_glyph(&ws->term, TT_GLYPH_UNKNOWN));
    } else if (eighths > 0) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_LOAD,
                     tt_term_glyph(&ws->term, (enum tt_glyph)(TT_GLYPH_BAR_1 + eighths - 1)));
    }
}

/* Returns the events to count in a capture without CPU information, else NULL. */
static struct tt_events *counted_events(const struct tt_workspace *ws)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    return tt_cpu_count(timelines) == 0 ? ws->opened.events : NULL;
}

/* ---- overview ----------------------------------------------------------------------------- */

static unsigned overview_columns(const struct tt_lanes_view *view)
{
    return view->layout.width > 2 ? (unsigned)view->layout.width - 2 : 0;
}

void tt_lanes_fill_top(const struct tt_workspace *ws, struct tt_lanes_view *view)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    unsigned columns = overview_columns(view);

    /* A viewport of the whole capture, at least one tick per column. */
    struct tt_bounds bounds = tt_nav_bounds(ws);
    struct tt_viewport whole = {.from = bounds.begin, .to = bounds.end};
    if (whole.to - whole.from < columns) {
        whole.to = whole.from + columns;
    }
    view->whole = whole;

    view->has_overview = view->layout.overview >= 0 && view->whole.to >= view->whole.from &&
                         tt_load_strip_ask(&view->overview, timelines, counted_events(ws),
                                           view->whole.from, view->whole.to, columns);
    if (view->has_overview) {
        tt_load_strip_work(&view->overview, tt_term_share(&ws->term, 3));
    }
    view->has_load = view->layout.load >= 0 && !ws->nav.lane.sequence &&
                     tt_load_strip_ask(&view->load, timelines, counted_events(ws), viewport->from,
                                       viewport->to, (unsigned)view->layout.columns);
    if (view->has_load) {
        tt_load_strip_work(&view->load, tt_term_share(&ws->term, 2));
    }
}

/* Draws the whole capture, with brackets around the window. */
static void draw_overview(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area line)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_viewport whole = view->whole;
    int width = (int)overview_columns(view);
    if (!view->has_overview) {
        return;
    }
    unsigned count;
    const struct tt_load *load = tt_load_strip_shown(&view->overview, &count);
    for (unsigned i = 0; i < count; i++) {
        tt_lanes_draw_load(ws, line, 1 + (int)i, 0, &load[i]);
    }
    int from = (int)tt_viewport_column(&whole, (unsigned)width, ws->nav.viewport.from);
    int to = (int)tt_viewport_column(&whole, (unsigned)width, ws->nav.viewport.to - 1);
    tt_draw_over(line, 1 + from, 0, to - from + 1, TT_ROLE_SHOWN);
    tt_draw(line, from, 0, 1, TT_ROLE_CURSOR_MARK, "[");
    tt_draw(line, to + 2, 0, 1, TT_ROLE_CURSOR_MARK, "]");
    for (uint64_t lost = whole.from; tt_loss_in(timelines, lost, whole.to, &lost);) {
        unsigned at = tt_viewport_column(&whole, (unsigned)width, lost);
        tt_draw_fill(line, 1 + (int)at, 0, 1, TT_ROLE_LOST,
                     tt_term_glyph(&ws->term, TT_GLYPH_LOST));
        lost = tt_viewport_edge(&whole, (unsigned)width, at + 1);
    }
    for (int i = 0; i < TT_BOOKMARKS; i++) {
        if (ws->nav.marks[i].set) {
            int at = (int)tt_viewport_column(&whole, (unsigned)width, ws->nav.marks[i].ticks);
            tt_draw_fill(line, 1 + at, 0, 1, TT_ROLE_MARK, (uint32_t)('a' + i));
        }
    }
}

/* ---- axis --------------------------------------------------------------------------------- */

static uint64_t axis_origin(const struct tt_workspace *ws)
{
    const struct tt_capture *capture = ws->opened.capture;
    if (ws->nav.times == TT_TIMES_DELTA) {
        return ws->nav.viewport.at;
    }
    if (ws->nav.times == TT_TIMES_TICKS || ws->nav.times == TT_TIMES_ABSOLUTE) {
        return 0;
    }
    return capture->origin_ticks != UINT64_MAX ? capture->origin_ticks
                                               : ws->index.progress.first_ticks;
}

static enum tt_axis_unit axis_unit(const struct tt_workspace *ws)
{
    if (!ws->opened.capture->clock_hz || ws->nav.times == TT_TIMES_TICKS) {
        return TT_AXIS_IN_TICKS;
    }
    bool of_day = ws->nav.times == TT_TIMES_ABSOLUTE && ws->opened.capture->has_wall_clock;
    return of_day ? TT_AXIS_TIME_OF_DAY : TT_AXIS_IN_SECONDS;
}

static void lanes_label_text(const struct tt_workspace *ws, const struct tt_axis *axis, unsigned i,
                             struct tt_text *text)
{
    int64_t seconds_of_day = tt_time_label_day(ws, ws->nav.viewport.at);
    tt_axis_label(text, axis, i, axis_unit(ws), seconds_of_day * (int64_t)TT_NS_PER_S);
}

/* Places the marks as close to each other as their labels allow. */
static void make_axis(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                      struct tt_axis *axis)
{
    bool clock = axis_unit(ws) != TT_AXIS_IN_TICKS;
    unsigned apart = TICKS_APART;
    for (;;) {
        tt_axis_make(axis, &ws->nav.viewport, (unsigned)view->layout.columns, axis_origin(ws),
                     clock ? ws->opened.capture->clock_hz : 0, apart);
        unsigned widest = 0, nearest = UINT32_MAX;
        for (unsigned i = 0; i < axis->count; i++) {
            char buffer[64];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            lanes_label_text(ws, axis, i, &text);
            widest = text.used > widest ? (unsigned)text.used : widest;
            if (i == 0) {
                continue;
            }
            unsigned distance = axis->ticks[i].column - axis->ticks[i - 1].column;
            nearest = distance < nearest ? distance : nearest;
        }
        if (widest + LABEL_GAP <= nearest || apart >= (unsigned)view->layout.columns) {
            return;
        }
        apart = nearest + 1 > apart ? nearest + 1 : apart + 1;
    }
}

static void draw_time_axis(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area labels, struct tt_area line)
{
    struct tt_axis axis;
    make_axis(ws, view, &axis);
    int free_from = 0;
    for (unsigned i = 0; i < axis.count; i++) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        int column = (int)axis.ticks[i].column;
        tt_draw_fill(line, column, 0, 1, TT_ROLE_AXIS, tt_term_glyph(&ws->term, TT_GLYPH_TICK));
        lanes_label_text(ws, &axis, i, &text);
        int width = (int)text.used;
        if (column >= free_from && column + width <= labels.width) {
            tt_draw_text(labels, column, 0, width, TT_ROLE_AXIS, buffer, text.used);
            free_from = column + width + LABEL_GAP;
        }
    }
}

/* Draws event numbers, one for every tenth event. */
static void draw_event_axis(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                            struct tt_area labels, struct tt_area line)
{
    int free_from = 0;
    for (uint32_t i = 0; i < view->event_count; i++) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        uint64_t n = tt_events_number(ws->opened.events, ws->nav.lane.first_row + i);
        if (n % 10 != 0 || view->events[i].flags & TT_EVENT_DERIVED) {
            continue;
        }
        tt_draw_fill(line, (int)i, 0, 1, TT_ROLE_AXIS, tt_term_glyph(&ws->term, TT_GLYPH_TICK));
        tt_text_grouped(&text, n);
        int width = (int)text.used;
        if ((int)i >= free_from && (int)i + width <= labels.width) {
            tt_draw_text(labels, (int)i, 0, width, TT_ROLE_AXIS, buffer, text.used);
            free_from = (int)i + width + 2;
        }
    }
}

/* Returns the column of a time, or -1 outside the window. */
static int lanes_column_of(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           uint64_t ticks)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    if (ticks < viewport->from || ticks >= viewport->to) {
        return -1;
    }
    if (!ws->nav.lane.sequence) {
        return (int)tt_viewport_column(viewport, (unsigned)view->layout.columns, ticks);
    }
    for (uint32_t i = 0; i < view->event_count; i++) {
        if (view->events[i].ticks >= ticks) {
            return (int)i;
        }
    }
    return -1;
}

/* Computes the visible columns of the selection; false if there are none. */
static bool selected_columns(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                             int *first, int *last)
{
    uint64_t from, to;
    const struct tt_viewport *viewport = &ws->nav.viewport;
    if (!tt_viewport_selection(viewport, &from, &to) || to <= viewport->from ||
        from >= viewport->to) {
        return false;
    }
    *first = lanes_column_of(ws, view, from > viewport->from ? from : viewport->from);
    *last = lanes_column_of(ws, view, to < viewport->to ? to - 1 : viewport->to - 1);
    *last = *last < 0 ? view->layout.columns - 1 : *last;
    return *first >= 0;
}

static void draw_axis(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                      struct tt_area labels, struct tt_area line)
{
    int first, last;
    tt_draw_fill(line, 0, 0, line.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    if (selected_columns(ws, view, &first, &last)) {
        tt_draw_fill(line, first, 0, last - first + 1, TT_ROLE_MARK,
                     tt_term_glyph(&ws->term, TT_GLYPH_SELECTED));
    }
    if (ws->nav.lane.sequence) {
        draw_event_axis(ws, view, labels, line);
    } else {
        draw_time_axis(ws, view, labels, line);
    }

    /* Marks columns with missing records, at every zoom level. */
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    uint64_t ticks = viewport->from;
    while (tt_loss_in(timelines, ticks, viewport->to, &ticks)) {
        int column = lanes_column_of(ws, view, ticks);
        if (column >= 0) {
            tt_draw_fill(line, column, 0, 1, TT_ROLE_LOST, tt_term_glyph(&ws->term, TT_GLYPH_LOST));
        }
        ticks = column >= 0 && !ws->nav.lane.sequence
                    ? tt_lanes_after_column(view, (unsigned)column, ticks)
                    : ticks + 1;
    }

    for (int i = 0; i < TT_BOOKMARKS; i++) {
        int column = ws->nav.marks[i].set ? lanes_column_of(ws, view, ws->nav.marks[i].ticks) : -1;
        if (column >= 0) {
            tt_draw_fill(line, column, 0, 1, TT_ROLE_MARK, (uint32_t)('a' + i));
        }
    }
    tt_draw_fill(line, (int)tt_lanes_cursor_column(ws, view), 0, 1, TT_ROLE_CURSOR_MARK,
                 tt_term_glyph(&ws->term, TT_GLYPH_HERE));
}

/* ---- load of the system ------------------------------------------------------------------- */

static void draw_system(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                        struct tt_area area)
{
    int x = view->layout.gutter, y = view->layout.load;
    bool counts = counted_events(ws) != NULL;
    tt_draw(area, 1, y, x - 6, TT_ROLE_TITLE, counts ? "events" : "system");
    if (!view->has_load) {
        return;
    }
    struct tt_load total = {0, 0, 0};
    unsigned count;
    const struct tt_load *load = tt_load_strip_shown(&view->load, &count);
    for (unsigned i = 0; i < count; i++) {
        tt_lanes_draw_load(ws, area, x + (int)i, y, &load[i]);
        total.busy += load[i].busy;
        total.total += load[i].total;
    }
    if (count == view->load.columns && !counts) {
        tt_draw_put_right(area, x - 5, y, 4, TT_ROLE_TEXT, "%u",
                          tt_percent(total.busy, total.total));
    }
}

void tt_lanes_draw_top(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                       struct tt_area area)
{
    const struct tt_lanes_layout *layout = &view->layout;
    char unit[TT_TIME_UNIT_BYTES];
    if (layout->overview >= 0) {
        draw_overview(ws, view, tt_area_part(area, 0, layout->overview, area.width, 1));
    }
    tt_draw_right(area, 1, layout->labels, layout->gutter - 2, TT_ROLE_COLUMNS,
                  ws->nav.lane.sequence ? "event" : tt_time_label_unit(ws, unit));
    draw_axis(ws, view, tt_area_part(area, layout->gutter, layout->labels, layout->columns, 1),
              tt_area_part(area, layout->gutter, layout->axis, layout->columns, 1));
    if (layout->load >= 0) {
        draw_system(ws, view, area);
        tt_lanes_draw_over(ws, view, area, layout->load);
    }
}

void tt_lanes_draw_over(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                        struct tt_area area, int y)
{
    int first, last, x = view->layout.gutter;
    if (selected_columns(ws, view, &first, &last)) {
        tt_draw_over(area, x + first, y, last - first + 1, TT_ROLE_SELECTION);
    }
    tt_draw_over(area, x + (int)tt_lanes_cursor_column(ws, view), y, 1, TT_ROLE_LANE_CURSOR);
}

/* Appends the length of the visible range, and that of a column. */
static void put_scale(const struct tt_workspace *ws, const struct tt_lanes_view *view, bool whole,
                      struct tt_text *text)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    const uint64_t length = viewport->to - viewport->from;
    tt_time_label_duration(ws, text, length);
    if (whole && ws->nav.lane.sequence) {
        tt_text_str(text, ", one event per column");
    } else if (whole) {
        tt_text_put(text, ", %s/cell",
                    tt_words_duration(ws, length / (unsigned)view->layout.columns).s);
    }
}

int tt_lanes_scale_columns(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                           struct tt_area area, bool whole)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    put_scale(ws, view, whole, &text);
    return tt_grid_columns(area.grid, buffer, text.used);
}

void tt_lanes_draw_scale(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                         struct tt_area area, int x, int y)
{
    for (int whole = 1; whole >= 0; whole--) {
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        put_scale(ws, view, whole, &text);
        const int width = tt_grid_columns(area.grid, buffer, text.used);
        if (x + 1 + width < area.width) {
            tt_draw_text(area, area.width - width - 1, y, width, TT_ROLE_DIM, buffer, text.used);
            break;
        }
    }
}
