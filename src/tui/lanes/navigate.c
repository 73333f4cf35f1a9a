/* SPDX-License-Identifier: Apache-2.0 */
/* navigate: moves the cursor of the Threads and CPUs views and its event. */
#include "tui/lanes/lanes.h"
#include "tui/lanes/rows.h"

/* Maximum of occupations searched for a context switch before reporting that none is near. */
#define SWITCH_STEPS 1000000u
/* The event of a lane is searched backwards in 16 steps of 256 events. */
#define EVENTS_AT_ONCE 256u
#define EVENT_TRIES    16u

static unsigned lane_navigate_columns_of(const struct tt_lanes_view *view)
{
    return view->layout.columns > 0 ? (unsigned)view->layout.columns : 1;
}

/* ---- the axis of sequence ----------------------------------------------------------------- */

/* Reads the events of the columns; sets the window from the first to the last of them. */
static void read_columns(struct tt_workspace *ws, struct tt_lanes_view *view)
{
    uint64_t columns = lane_navigate_columns_of(view), row = ws->nav.cursor.row;
    uint64_t first = ws->nav.lane.first_row;
    if (row < first || row >= first + columns) {
        first = row > columns / 2 ? row - columns / 2 : 0;
    }
    if (first + columns > ws->index.rows) {
        first = ws->index.rows > columns ? ws->index.rows - columns : 0;
    }
    ws->nav.lane.first_row = first;
    view->event_count = tt_events_read(ws->opened.events, first, (uint32_t)columns, view->events);
    if (view->event_count > 0) {
        ws->nav.viewport.from = view->events[0].ticks;
        ws->nav.viewport.to = view->events[view->event_count - 1].ticks;
        ws->nav.viewport.to += ws->nav.viewport.to < UINT64_MAX ? 1 : 0;
        ws->nav.viewport.all = false;
    }
    ws->nav.viewport.at = ws->nav.cursor.event.ticks;
    ws->nav.viewport.chosen = true;
    if (ws->nav.viewport.growing) {
        ws->nav.viewport.other = ws->nav.viewport.at;
    }
}

static void go_row(struct tt_workspace *ws, int64_t by)
{
    uint64_t row = ws->nav.cursor.row, distance = by < 0 ? (uint64_t)-by : (uint64_t)by;
    row = by >= 0 ? row + distance : row > distance ? row - distance : 0;
    tt_nav_go_row(ws, row);
    tt_nav_adopt_event(ws);
}

/* ---- the cursor --------------------------------------------------------------------------- */

/* Moves the event cursor to the last event at or before the cursor's time. */
static void lane_navigate_follow(struct tt_workspace *ws)
{
    uint64_t at = ws->nav.viewport.at;
    uint64_t row = at < UINT64_MAX ? tt_events_row_at_time(ws->opened.events, at + 1)
                                   : tt_events_rows(ws->opened.events);
    tt_nav_go_row(ws, row > 0 ? row - 1 : 0);
    tt_nav_adopt_event(ws);
}

/* Updates the event if narrowing the window has moved the cursor. */
static void follow_if_moved(struct tt_workspace *ws, uint64_t before)
{
    if (ws->nav.viewport.at != before && ws->nav.viewport.chosen) {
        lane_navigate_follow(ws);
    }
}

void tt_lanes_adopt_cursor(struct tt_workspace *ws, struct tt_lanes_view *view)
{
    const struct tt_event *event = &ws->nav.cursor.event;
    struct tt_bounds bounds = tt_nav_bounds(ws);
    bool same =
        ws->nav.lane.taken && ws->nav.lane.ticks == event->ticks && ws->nav.lane.pos == event->pos;
    if (!same && ws->nav.cursor.valid && ws->nav.cursor_moved) {
        tt_viewport_go(&ws->nav.viewport, bounds, lane_navigate_columns_of(view), event->ticks);
        if (!ws->nav.lane.stays) {
            if (event->thread != TT_NO_THREAD &&
                event->thread < tt_thread_count(ws->opened.capture)) {
                if (ws->nav.lane.thread != event->thread) {
                    ws->nav.lane.kind = TT_LANE_THREAD;
                }
                ws->nav.lane.thread = event->thread;
                ws->nav.lane.process = tt_thread_at(ws->opened.capture, event->thread)->process;
                ws->nav.lane.chosen = true;
            }
            if (event->cpu != TT_NO_CPU) {
                ws->nav.lane.cpu = event->cpu;
            }
        }
        tt_nav_adopt_event(ws);
    }
    ws->nav.lane.stays = false;
    if (ws->nav.lane.sequence) {
        read_columns(ws, view);
    } else {
        uint64_t at = ws->nav.viewport.at;
        tt_viewport_fit(&ws->nav.viewport, bounds, lane_navigate_columns_of(view));
        follow_if_moved(ws, at);
    }
}

void tt_lanes_go(struct tt_workspace *ws, struct tt_lanes_view *view, uint64_t ticks)
{
    tt_viewport_go(&ws->nav.viewport, tt_nav_bounds(ws), lane_navigate_columns_of(view), ticks);
    lane_navigate_follow(ws);
}

unsigned tt_lanes_cursor_column(const struct tt_workspace *ws, const struct tt_lanes_view *view)
{
    if (!ws->nav.lane.sequence) {
        return tt_viewport_column(&ws->nav.viewport, lane_navigate_columns_of(view),
                                  ws->nav.viewport.at);
    }
    uint64_t row = ws->nav.cursor.row, first = ws->nav.lane.first_row;
    return row >= first && row - first < lane_navigate_columns_of(view) ? (unsigned)(row - first)
                                                                        : 0;
}

void tt_lanes_show_event(struct tt_workspace *ws, uint32_t thread, uint16_t cpu)
{
    struct tt_event events[EVENTS_AT_ONCE];
    uint64_t row = ws->nav.cursor.row + 1;
    ws->trail.left = true;
    tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
    for (unsigned tries = 0; tries < EVENT_TRIES && row > 0; tries++) {
        uint32_t wanted = row < EVENTS_AT_ONCE ? (uint32_t)row : EVENTS_AT_ONCE;
        uint32_t count = tt_events_read(ws->opened.events, row - wanted, wanted, events);
        for (uint32_t i = count; i-- > 0;) {
            if ((thread == TT_NO_THREAD || events[i].thread == thread) &&
                (cpu == TT_NO_CPU || events[i].cpu == cpu)) {
                tt_nav_go_row(ws, row - wanted + i);
                return;
            }
        }
        row -= wanted;
    }
}

void tt_lanes_click(struct tt_workspace *ws, struct tt_lanes_view *view, int column)
{
    if (column < 0 || column >= view->layout.columns) {
        return;
    }
    if (ws->nav.lane.sequence) {
        go_row(ws, column - (int)tt_lanes_cursor_column(ws, view));
    } else {
        tt_lanes_go(
            ws, view,
            tt_viewport_edge(&ws->nav.viewport, lane_navigate_columns_of(view), (unsigned)column));
    }
}

bool tt_lanes_clear_selection(struct tt_navigation *nav)
{
    bool spans = nav->viewport.spans;
    nav->viewport.spans = nav->viewport.growing = false;
    return spans;
}

/* ---- context switches --------------------------------------------------------------------- */

static bool lane_navigate_is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

/* Returns the last thread (or idle) on the CPU at or before this occupation. */
static uint32_t thread_up_to(const struct tt_timelines *timelines, struct tt_occupation_at at)
{
    for (unsigned i = 0; i < SWITCH_STEPS; i++) {
        uint32_t occupant = tt_occupation_get(timelines, at).occupant;
        if (lane_navigate_is_thread(occupant) || occupant == TT_OCCUPANT_UNKNOWN) {
            return occupant;
        }
        if (!tt_occupation_previous(timelines, &at)) {
            break;
        }
    }
    return TT_OCCUPANT_UNKNOWN;
}

/* Returns whether this occupation starts with a switch to a different thread. */
static bool lane_navigate_is_switch(const struct tt_timelines *timelines,
                                    struct tt_occupation_at at)
{
    uint32_t occupant = tt_occupation_get(timelines, at).occupant;
    if (!lane_navigate_is_thread(occupant) || !tt_occupation_previous(timelines, &at)) {
        return false;
    }
    uint32_t before = thread_up_to(timelines, at);
    return lane_navigate_is_thread(before) && before != occupant;
}

/* Finds the next or previous switch on `cpu`, excluding the cursor's time. */
static bool find_switch(const struct tt_workspace *ws, uint16_t cpu, bool forward,
                        struct tt_occupation *found)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_occupation_at at;
    if (!timelines || !tt_occupation_find(timelines, cpu, ws->nav.viewport.at, &at)) {
        return false;
    }
    for (unsigned i = 0; i < SWITCH_STEPS; i++) {
        struct tt_occupation here = tt_occupation_get(timelines, at);
        bool beyond = forward ? here.start > ws->nav.viewport.at : here.start < ws->nav.viewport.at;
        if (beyond && lane_navigate_is_switch(timelines, at)) {
            *found = here;
            return true;
        }
        if (!(forward ? tt_occupation_next(timelines, &at)
                      : tt_occupation_previous(timelines, &at))) {
            break;
        }
    }
    return false;
}

/* Returns the CPU of the lane under the cursor: where its thread runs or ran last. */
static uint16_t lane_cpu(const struct tt_workspace *ws)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval interval;
    if (ws->nav.view == TT_VIEW_THREADS && timelines && ws->nav.lane.thread != TT_NO_THREAD &&
        tt_lane_at(timelines, ws->nav.lane.thread, ws->nav.viewport.at, &interval) &&
        interval.cpu != TT_NO_CPU) {
        return interval.cpu;
    }
    return ws->nav.lane.cpu;
}

static void go_switch(struct tt_workspace *ws, struct tt_lanes_view *view, bool forward)
{
    struct tt_occupation found;
    uint16_t cpu = lane_cpu(ws);
    if (!find_switch(ws, cpu, forward, &found)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no %s context switch on CPU %u",
                       forward ? "later" : "earlier", cpu);
        return;
    }
    ws->nav.lane.cpu = cpu;
    if (found.occupant != TT_OCCUPANT_IDLE) {
        ws->nav.lane.kind = TT_LANE_THREAD;
        ws->nav.lane.thread = found.occupant;
        ws->nav.lane.process = tt_thread_at(ws->opened.capture, found.occupant)->process;
        ws->nav.lane.chosen = true;
    }
    tt_lanes_go(ws, view, found.start);
}

/* ---- states ------------------------------------------------------------------------------- */

void tt_lanes_go_state(struct tt_workspace *ws, struct tt_lanes_view *view, uint32_t thread,
                       bool forward)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval_at at;
    uint64_t now = ws->nav.viewport.at;
    if (!timelines || thread == TT_NO_THREAD) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "select a thread: a process has no state");
        return;
    }
    bool is = tt_interval_find(timelines, thread, now, &at);
    bool there = is || (forward && tt_interval_first(timelines, thread, &at));
    while (there) {
        uint64_t start = tt_interval_get(timelines, at).start;
        if (forward ? start > now : start < now) {
            tt_lanes_go(ws, view, start);
            return;
        }
        there = forward ? tt_interval_next(timelines, &at) : tt_interval_previous(timelines, &at);
    }
    tt_message_set(&ws->message, TT_ROLE_WARNING, "no %s state of this thread",
                   forward ? "later" : "earlier");
}

/* ---- actions ------------------------------------------------------------------------------ */

static void lane_navigate_step(struct tt_workspace *ws, struct tt_lanes_view *view, int by)
{
    if (ws->nav.lane.sequence) {
        go_row(ws, by);
        return;
    }
    tt_viewport_step(&ws->nav.viewport, tt_nav_bounds(ws), lane_navigate_columns_of(view), by);
    lane_navigate_follow(ws);
}

static void pan(struct tt_workspace *ws, struct tt_lanes_view *view, int by)
{
    if (ws->nav.lane.sequence) {
        uint64_t distance = (uint64_t)(by < 0 ? -by : by), first = ws->nav.lane.first_row;
        ws->nav.lane.first_row = by >= 0            ? first + distance
                                 : first > distance ? first - distance
                                                    : 0;
        if (ws->nav.lane.first_row + lane_navigate_columns_of(view) > ws->index.rows) {
            ws->nav.lane.first_row = ws->index.rows > lane_navigate_columns_of(view)
                                         ? ws->index.rows - lane_navigate_columns_of(view)
                                         : 0;
        }
        go_row(ws, by);

        return;
    }
    tt_viewport_pan(&ws->nav.viewport, tt_nav_bounds(ws), lane_navigate_columns_of(view), by);
    lane_navigate_follow(ws);
}

static void zoom(struct tt_workspace *ws, struct tt_lanes_view *view, enum tt_do action)
{
    struct tt_bounds bounds = tt_nav_bounds(ws);
    struct tt_viewport *viewport = &ws->nav.viewport;
    uint64_t from, to, at = viewport->at;
    if (action == TT_DO_ZOOM_SELECTION && !tt_viewport_selection(viewport, &from, &to)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no selection (press v)");
        return;
    }
    if (ws->nav.lane.sequence) {
        /* Zooming returns to the time axis: on the sequence axis a column is always one event. */
        ws->nav.lane.sequence = false;
    }
    if (action == TT_DO_ZOOM_ALL) {
        tt_viewport_all(viewport, bounds, lane_navigate_columns_of(view));
    } else if (action == TT_DO_ZOOM_SELECTION) {
        viewport->growing = false;
        tt_viewport_show(viewport, bounds, lane_navigate_columns_of(view), from, to);
    } else {
        tt_viewport_zoom(viewport, bounds, lane_navigate_columns_of(view), action == TT_DO_ZOOM_IN);
    }
    follow_if_moved(ws, at);
}

static void change_axis(struct tt_workspace *ws)
{
    ws->nav.lane.sequence = !ws->nav.lane.sequence;
    uint64_t row = ws->nav.cursor.row, half = 20;
    ws->nav.lane.first_row = row > half ? row - half : 0;
    tt_message_set(&ws->message, TT_ROLE_STATUS,
                   ws->nav.lane.sequence ? "axis: event sequence" : "axis: time");
}

static void select_range(struct tt_workspace *ws)
{
    struct tt_viewport *viewport = &ws->nav.viewport;
    tt_viewport_select(viewport);
    if (!viewport->spans) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no selection: both ends are at the cursor");
    } else if (viewport->growing) {
        tt_message_set(&ws->message, TT_ROLE_STATUS,
                       "selecting from here; v ends it, Esc clears it");
    }
}

static bool act_moving(struct tt_workspace *ws, struct tt_lanes_view *view, enum tt_do action)
{
    struct tt_bounds bounds = tt_nav_bounds(ws);
    int half = view->layout.columns / 2 > 0 ? view->layout.columns / 2 : 1;
    switch (action) {
    case TT_DO_LANE_LEFT:
    case TT_DO_LANE_RIGHT:
        lane_navigate_step(ws, view, action == TT_DO_LANE_RIGHT ? 1 : -1);
        return true;
    case TT_DO_PAN_LEFT:
    case TT_DO_PAN_RIGHT:
        pan(ws, view, action == TT_DO_PAN_RIGHT ? half : -half);
        return true;
    case TT_DO_TIME_FIRST:
        tt_lanes_go(ws, view, bounds.begin);
        return true;
    case TT_DO_TIME_LAST:
        tt_lanes_go(ws, view, bounds.end - 1);
        return true;
    case TT_DO_ZOOM_IN:
    case TT_DO_ZOOM_OUT:
    case TT_DO_ZOOM_ALL:
    case TT_DO_ZOOM_SELECTION:
        zoom(ws, view, action);
        return true;
    default:
        return false;
    }
}

bool tt_lanes_act(struct tt_workspace *ws, struct tt_lanes_view *view, enum tt_do action)
{
    if (!ws->nav.cursor.valid) {
        return false;
    }
    if (act_moving(ws, view, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_SELECT:
        select_range(ws);
        return true;
    case TT_DO_SWITCH_PREVIOUS:
    case TT_DO_SWITCH_NEXT:
        go_switch(ws, view, action == TT_DO_SWITCH_NEXT);
        return true;
    case TT_DO_TYPE_NEXT:
    case TT_DO_TYPE_PREVIOUS:
        tt_nav_search(ws, TT_EVENT_SCAN_TYPE, action == TT_DO_TYPE_NEXT);
        return true;
    case TT_DO_CPU_NEXT:
    case TT_DO_CPU_PREVIOUS:
        tt_nav_search_value(ws, TT_EVENT_SCAN_CPU, lane_cpu(ws), action == TT_DO_CPU_NEXT);
        return true;
    case TT_DO_AXIS:
        change_axis(ws);
        return true;
    default:
        return false;
    }
}
