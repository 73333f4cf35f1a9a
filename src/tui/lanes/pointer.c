/* SPDX-License-Identifier: Apache-2.0 */
/* pointer: the mouse in the lanes. */
#include "tui/lanes/pointer.h"

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static bool on_overview(const struct tt_lanes_view *v, int y)
{
    return v->has_overview && y == v->layout.overview && v->overview.columns > 0;
}

/* Returns the time at a column of the overview, which begins at x = 1. */
static uint64_t overview_time(const struct tt_lanes_view *v, int x)
{
    int columns = (int)v->overview.columns;
    return tt_viewport_edge(&v->whole, v->overview.columns, (unsigned)clamp(x - 1, 0, columns - 1));
}

void tt_lanes_press(struct tt_workspace *ws, struct tt_lanes_view *v, int x, int y)
{
    if (on_overview(v, y)) {
        tt_lanes_go(ws, v, overview_time(v, x));
    } else {
        tt_lanes_click(ws, v, x - v->layout.gutter);
    }
}

/* Shows the window around a time; the cursor stays inside. */
static void centre(struct tt_workspace *ws, struct tt_lanes_view *v, uint64_t ticks)
{
    struct tt_viewport *w = &ws->nav.viewport;
    uint64_t span = w->to - w->from, half = span / 2;
    uint64_t from = ticks > half ? ticks - half : 0;
    uint64_t to = from > UINT64_MAX - span ? UINT64_MAX : from + span;
    tt_viewport_show(w, tt_nav_bounds(ws), (unsigned)v->layout.columns, from, to);
    tt_lanes_go(ws, v, w->at);
}

/* Selects the columns from the press to the pointer, both included; the cursor is at the pointer. */
static void select_columns(struct tt_workspace *ws, struct tt_lanes_view *v, int from, int to)
{
    struct tt_viewport *w = &ws->nav.viewport;
    unsigned columns = (unsigned)v->layout.columns;
    unsigned first = (unsigned)(from < to ? from : to), last = (unsigned)(from < to ? to : from);
    tt_lanes_click(ws, v, to);
    w->growing = false;
    if (!ws->nav.lane.sequence) {
        w->anchor = tt_viewport_edge(w, columns, first);
        w->other = tt_viewport_edge(w, columns, last + 1);
        w->spans = true;
    } else if (last < v->event_count) {
        w->anchor = v->events[first].ticks;
        w->other = v->events[last].ticks + (v->events[last].ticks < UINT64_MAX);
        w->spans = true;
    }
}

void tt_lanes_drag(struct tt_workspace *ws, struct tt_lanes_view *v, const struct tt_drag *drag)
{
    const struct tt_lanes_layout *l = &v->layout;
    int from = drag->from_x - l->gutter;
    if (on_overview(v, drag->from_y)) {
        if (ws->nav.lane.sequence) {
            tt_lanes_go(ws, v, overview_time(v, drag->x));
        } else {
            centre(ws, v, overview_time(v, drag->x));
        }
    } else if (drag->sideways && from >= 0 && from < l->columns) {
        select_columns(ws, v, from, clamp(drag->x - l->gutter, 0, l->columns - 1));
    }
}

void tt_lanes_zoom_at(struct tt_workspace *ws, struct tt_lanes_view *v, int x, bool in)
{
    struct tt_viewport *w = &ws->nav.viewport;
    unsigned columns = (unsigned)v->layout.columns;
    int column = x - v->layout.gutter;
    if (ws->nav.lane.sequence || column < 0 || column >= v->layout.columns) {
        tt_lanes_act(ws, v, in ? TT_DO_ZOOM_IN : TT_DO_ZOOM_OUT);
        return;
    }
    uint64_t at = w->at;
    bool chosen = w->chosen, growing = w->growing;
    w->chosen = true;
    w->growing = false; /* the end of a selection stays at the cursor */
    w->at = tt_viewport_edge(w, columns, (unsigned)column);
    tt_viewport_zoom(w, tt_nav_bounds(ws), columns, in);
    w->at = at;
    w->chosen = chosen;
    w->growing = growing;
    tt_viewport_fit(w, tt_nav_bounds(ws), columns);
    if (w->at != at) {
        tt_lanes_go(ws, v, w->at);
    }
}
