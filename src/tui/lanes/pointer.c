/* SPDX-License-Identifier: Apache-2.0 */
/* pointer: the mouse in the lanes. */
#include "tui/lanes/pointer.h"

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static bool on_overview(const struct tt_lanes_view *view, int y)
{
    return view->has_overview && y == view->layout.overview && view->overview.columns > 0;
}

/* Returns the time at a column of the overview, which begins at x = 1. */
static uint64_t overview_time(const struct tt_lanes_view *view, int x)
{
    int columns = (int)view->overview.columns;
    return tt_viewport_edge(&view->whole, view->overview.columns,
                            (unsigned)clamp(x - 1, 0, columns - 1));
}

void tt_lanes_press(struct tt_workspace *ws, struct tt_lanes_view *view, int x, int y)
{
    if (on_overview(view, y)) {
        tt_lanes_go(ws, view, overview_time(view, x));
    } else {
        tt_lanes_click(ws, view, x - view->layout.gutter);
    }
}

/* Shows the window around a time; the cursor stays inside. */
static void centre(struct tt_workspace *ws, struct tt_lanes_view *view, uint64_t ticks)
{
    struct tt_viewport *viewport = &ws->nav.viewport;
    uint64_t span = viewport->to - viewport->from, half = span / 2;
    uint64_t from = ticks > half ? ticks - half : 0;
    uint64_t to = from > UINT64_MAX - span ? UINT64_MAX : from + span;
    tt_viewport_show(viewport, tt_nav_bounds(ws), (unsigned)view->layout.columns, from, to);
    tt_lanes_go(ws, view, viewport->at);
}

void tt_lanes_drag(struct tt_workspace *ws, struct tt_lanes_view *view, const struct tt_drag *drag)
{
    const struct tt_lanes_layout *layout = &view->layout;
    int from = drag->from_x - layout->gutter;
    if (on_overview(view, drag->from_y)) {
        if (ws->nav.lane.sequence) {
            tt_lanes_go(ws, view, overview_time(view, drag->x));
        } else {
            centre(ws, view, overview_time(view, drag->x));
        }
    } else if (drag->sideways && from >= 0 && from < layout->columns) {
        /*
         * Selects the columns from the press to the pointer, both included; the cursor is at the
         * pointer.
         */
        int to = clamp(drag->x - layout->gutter, 0, layout->columns - 1);
        struct tt_viewport *viewport = &ws->nav.viewport;
        unsigned columns = (unsigned)view->layout.columns;
        unsigned first = (unsigned)(from < to ? from : to),
                 last = (unsigned)(from < to ? to : from);
        tt_lanes_click(ws, view, to);
        viewport->growing = false;
        if (!ws->nav.lane.sequence) {
            viewport->anchor = tt_viewport_edge(viewport, columns, first);
            viewport->other = tt_viewport_edge(viewport, columns, last + 1);
            viewport->spans = true;
        } else if (last < view->event_count) {
            viewport->anchor = view->events[first].ticks;
            viewport->other = view->events[last].ticks + (view->events[last].ticks < UINT64_MAX);
            viewport->spans = true;
        }
    }
}

void tt_lanes_zoom_at(struct tt_workspace *ws, struct tt_lanes_view *view, int x, bool in)
{
    struct tt_viewport *viewport = &ws->nav.viewport;
    unsigned columns = (unsigned)view->layout.columns;
    int column = x - view->layout.gutter;
    if (ws->nav.lane.sequence || column < 0 || column >= view->layout.columns) {
        tt_lanes_act(ws, view, in ? TT_DO_ZOOM_IN : TT_DO_ZOOM_OUT);
        return;
    }
    uint64_t at = viewport->at;
    bool chosen = viewport->chosen, growing = viewport->growing;
    viewport->chosen = true;
    viewport->growing = false; /* the end of a selection stays at the cursor */
    viewport->at = tt_viewport_edge(viewport, columns, (unsigned)column);
    tt_viewport_zoom(viewport, tt_nav_bounds(ws), columns, in);
    viewport->at = at;
    viewport->chosen = chosen;
    viewport->growing = growing;
    tt_viewport_fit(viewport, tt_nav_bounds(ws), columns);
    if (viewport->at != at) {
        tt_lanes_go(ws, view, viewport->at);
    }
}
