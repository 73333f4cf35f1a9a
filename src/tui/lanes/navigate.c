/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_go: the cursor of the views by time, and the event that goes with it. */
#include "tui/lanes/lanes.h"
#include "tui/lanes/rows.h"

/* Occupations looked through for a context switch before one is told that there is none near. */
#define SWITCH_STEPS 1000000u
/* How far back the event of a lane is looked for: 16 times 256. */
#define EVENTS_AT_ONCE 256u
#define EVENT_LOOKS    16u

struct tt_bounds tt_lanes_bounds(const struct tt_app *app)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct tt_bounds bounds = {app->progress.first_ticks, app->progress.last_ticks};
    if (t) {
        bounds.begin = tt_timelines_begin(t);
        bounds.end = tt_timelines_end(t);
    }
    bounds.end += bounds.end < UINT64_MAX ? 1 : 0;
    if (bounds.begin >= bounds.end) {
        bounds.begin = bounds.end - 1;
    }
    return bounds;
}

static unsigned columns_of(const struct tt_lanes_view *v)
{
    return v->layout.columns > 0 ? (unsigned)v->layout.columns : 1;
}

static void take_lane(struct tt_app *app, const struct tt_event *event)
{
    if (event->thread != TT_NO_THREAD && event->thread < tt_thread_count(app->opened.capture)) {
        if (app->lane.thread != event->thread) {
            app->lane.kind = TT_LANE_THREAD;
        }
        app->lane.thread = event->thread;
        app->lane.process = tt_thread_at(app->opened.capture, event->thread)->process;
        app->lane.chosen = true;
    }
    if (event->cpu != TT_NO_CPU) {
        app->lane.cpu = event->cpu;
    }
}

static void remember_event(struct tt_app *app)
{
    app->lane.ticks = app->cursor.event.ticks;
    app->lane.pos = app->cursor.event.pos;
    app->lane.taken = true;
}

/* ---- the axis of sequence ----------------------------------------------------------------- */

/* The events that the columns stand for; the window is from the first to the last of them. */
static void take_sequence(struct tt_app *app, struct tt_lanes_view *v)
{
    uint64_t columns = columns_of(v), row = app->cursor.row;
    uint64_t first = app->lane.first_row;
    if (row < first || row >= first + columns) {
        first = row > columns / 2 ? row - columns / 2 : 0;
    }
    if (first + columns > app->rows) {
        first = app->rows > columns ? app->rows - columns : 0;
    }
    app->lane.first_row = first;
    v->event_count = tt_events_read(app->opened.events, first, (uint32_t)columns, v->events);
    if (v->event_count > 0) {
        app->viewport.from = v->events[0].ticks;
        app->viewport.to = v->events[v->event_count - 1].ticks;
        app->viewport.to += app->viewport.to < UINT64_MAX ? 1 : 0;
        app->viewport.all = false;
    }
    app->viewport.at = app->cursor.event.ticks;
    app->viewport.chosen = true;
    if (app->viewport.growing) {
        app->viewport.other = app->viewport.at;
    }
}

static void go_row(struct tt_app *app, int64_t by)
{
    uint64_t row = app->cursor.row, distance = by < 0 ? (uint64_t)-by : (uint64_t)by;
    row = by >= 0 ? row + distance : row > distance ? row - distance : 0;
    tt_app_go_row(app, row);
    remember_event(app);
}

static void pan_rows(struct tt_app *app, const struct tt_lanes_view *v, int by)
{
    uint64_t distance = (uint64_t)(by < 0 ? -by : by), first = app->lane.first_row;
    app->lane.first_row = by >= 0 ? first + distance : first > distance ? first - distance : 0;
    if (app->lane.first_row + columns_of(v) > app->rows) {
        app->lane.first_row = app->rows > columns_of(v) ? app->rows - columns_of(v) : 0;
    }
    go_row(app, by);
}

/* ---- the cursor --------------------------------------------------------------------------- */

/* The event that the list of events shows for the cursor's time: the last one up to it. */
static void follow(struct tt_app *app)
{
    uint64_t at = app->viewport.at;
    uint64_t row = at < UINT64_MAX ? tt_events_row_at_time(app->opened.events, at + 1)
                                   : tt_events_rows(app->opened.events);
    tt_app_go_row(app, row > 0 ? row - 1 : 0);
    remember_event(app);
}

/* A window that got narrower may have pushed the cursor. */
static void follow_if_moved(struct tt_app *app, uint64_t before)
{
    if (app->viewport.at != before && app->viewport.chosen) {
        follow(app);
    }
}

void tt_lanes_take_cursor(struct tt_app *app, struct tt_lanes_view *v)
{
    const struct tt_event *event = &app->cursor.event;
    struct tt_bounds bounds = tt_lanes_bounds(app);
    bool same = app->lane.taken && app->lane.ticks == event->ticks && app->lane.pos == event->pos;
    if (!same && app->cursor.valid && app->cursor_moved) {
        tt_viewport_go(&app->viewport, bounds, columns_of(v), event->ticks);
        if (!app->lane.stays) {
            take_lane(app, event);
        }
        remember_event(app);
    }
    app->lane.stays = false;
    if (app->lane.sequence) {
        take_sequence(app, v);
    } else {
        uint64_t at = app->viewport.at;
        tt_viewport_fit(&app->viewport, bounds, columns_of(v));
        follow_if_moved(app, at);
    }
}

void tt_lanes_go(struct tt_app *app, struct tt_lanes_view *v, uint64_t ticks)
{
    tt_viewport_go(&app->viewport, tt_lanes_bounds(app), columns_of(v), ticks);
    follow(app);
}

void tt_app_show_range(struct tt_app *app, uint64_t from, uint64_t to)
{
    struct tt_bounds bounds = tt_lanes_bounds(app);
    to = to < bounds.end ? to : bounds.end;
    from = from > bounds.begin ? from : bounds.begin;
    tt_viewport_show(&app->viewport, bounds, 1, from, to);
    tt_viewport_go(&app->viewport, bounds, 1, app->viewport.from);
    tt_app_go_row(app, tt_events_row_at_time(app->opened.events, app->viewport.from));
    remember_event(app);
}

unsigned tt_lanes_cursor_column(const struct tt_app *app, const struct tt_lanes_view *v)
{
    if (!app->lane.sequence) {
        return tt_viewport_column(&app->viewport, columns_of(v), app->viewport.at);
    }
    uint64_t row = app->cursor.row, first = app->lane.first_row;
    return row >= first && row - first < columns_of(v) ? (unsigned)(row - first) : 0;
}

void tt_lanes_show_event(struct tt_app *app, uint32_t thread, uint16_t cpu)
{
    struct tt_event events[EVENTS_AT_ONCE];
    uint64_t row = app->cursor.row + 1;
    tt_app_show(app, TT_VIEW_EVENTS);
    for (unsigned looks = 0; looks < EVENT_LOOKS && row > 0; looks++) {
        uint32_t wanted = row < EVENTS_AT_ONCE ? (uint32_t)row : EVENTS_AT_ONCE;
        uint32_t count = tt_events_read(app->opened.events, row - wanted, wanted, events);
        for (uint32_t i = count; i-- > 0;) {
            if ((thread == TT_NO_THREAD || events[i].thread == thread) &&
                (cpu == TT_NO_CPU || events[i].cpu == cpu)) {
                tt_app_go_row(app, row - wanted + i);
                return;
            }
        }
        row -= wanted;
    }
}

void tt_lanes_click(struct tt_app *app, struct tt_lanes_view *v, int column)
{
    if (column < 0 || column >= v->layout.columns) {
        return;
    }
    if (app->lane.sequence) {
        go_row(app, column - (int)tt_lanes_cursor_column(app, v));
    } else {
        tt_lanes_go(app, v, tt_viewport_edge(&app->viewport, columns_of(v), (unsigned)column));
    }
}

bool tt_lanes_shut(struct tt_app *app)
{
    bool spans = app->viewport.spans;
    app->viewport.spans = app->viewport.growing = false;
    return spans;
}

/* ---- context switches --------------------------------------------------------------------- */

static bool is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

/* The thread (or idle) that was on the CPU last, from this occupation backwards. */
static uint32_t thread_up_to(const struct tt_timelines *t, struct tt_occupation_at at)
{
    for (unsigned i = 0; i < SWITCH_STEPS; i++) {
        uint32_t occupant = tt_occupation_get(t, at).occupant;
        if (is_thread(occupant) || occupant == TT_OCCUPANT_UNKNOWN) {
            return occupant;
        }
        if (!tt_occupation_previous(t, &at)) {
            break;
        }
    }
    return TT_OCCUPANT_UNKNOWN;
}

/* Is this where another thread came than was there before? */
static bool is_switch(const struct tt_timelines *t, struct tt_occupation_at at)
{
    uint32_t occupant = tt_occupation_get(t, at).occupant;
    if (!is_thread(occupant) || !tt_occupation_previous(t, &at)) {
        return false;
    }
    uint32_t before = thread_up_to(t, at);
    return is_thread(before) && before != occupant;
}

/* The next or previous switch on `cpu`, not at the cursor's time itself. */
static bool find_switch(const struct tt_app *app, uint16_t cpu, bool forward,
                        struct tt_occupation *found)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct tt_occupation_at at;
    if (!t || !tt_occupation_find(t, cpu, app->viewport.at, &at)) {
        return false;
    }
    for (unsigned i = 0; i < SWITCH_STEPS; i++) {
        struct tt_occupation here = tt_occupation_get(t, at);
        bool beyond = forward ? here.start > app->viewport.at : here.start < app->viewport.at;
        if (beyond && is_switch(t, at)) {
            *found = here;
            return true;
        }
        if (!(forward ? tt_occupation_next(t, &at) : tt_occupation_previous(t, &at))) {
            break;
        }
    }
    return false;
}

/* The CPU of the lane under the cursor: where its thread runs or ran last. */
static uint16_t lane_cpu(const struct tt_app *app)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct tt_interval interval;
    if (app->view == TT_VIEW_THREADS && t && app->lane.thread != TT_NO_THREAD &&
        tt_lane_at(t, app->lane.thread, app->viewport.at, &interval) && interval.cpu != TT_NO_CPU) {
        return interval.cpu;
    }
    return app->lane.cpu;
}

static void go_switch(struct tt_app *app, struct tt_lanes_view *v, bool forward)
{
    struct tt_occupation found;
    uint16_t cpu = lane_cpu(app);
    if (!find_switch(app, cpu, forward, &found)) {
        tt_app_message(app, TT_ROLE_WARNING, "no %s context switch on CPU %u",
                       forward ? "later" : "earlier", cpu);
        return;
    }
    app->lane.cpu = cpu;
    if (found.occupant != TT_OCCUPANT_IDLE) {
        app->lane.kind = TT_LANE_THREAD;
        app->lane.thread = found.occupant;
        app->lane.process = tt_thread_at(app->opened.capture, found.occupant)->process;
        app->lane.chosen = true;
    }
    tt_lanes_go(app, v, found.start);
}

/* ---- actions ------------------------------------------------------------------------------ */

static void step(struct tt_app *app, struct tt_lanes_view *v, int by)
{
    if (app->lane.sequence) {
        go_row(app, by);
        return;
    }
    tt_viewport_step(&app->viewport, tt_lanes_bounds(app), columns_of(v), by);
    follow(app);
}

static void pan(struct tt_app *app, struct tt_lanes_view *v, int by)
{
    if (app->lane.sequence) {
        pan_rows(app, v, by);
        return;
    }
    tt_viewport_pan(&app->viewport, tt_lanes_bounds(app), columns_of(v), by);
    follow(app);
}

static void zoom(struct tt_app *app, struct tt_lanes_view *v, enum tt_do action)
{
    struct tt_bounds bounds = tt_lanes_bounds(app);
    struct tt_viewport *w = &app->viewport;
    uint64_t from, to, at = w->at;
    if (action == TT_DO_ZOOM_SELECTION && !tt_viewport_selection(w, &from, &to)) {
        tt_app_message(app, TT_ROLE_WARNING, "nothing is selected: v begins a selection");
        return;
    }
    if (app->lane.sequence) {
        /* A column is one event and nothing else: other widths are widths in time. */
        app->lane.sequence = false;
    }
    if (action == TT_DO_ZOOM_ALL) {
        tt_viewport_all(w, bounds, columns_of(v));
    } else if (action == TT_DO_ZOOM_SELECTION) {
        w->growing = false;
        tt_viewport_show(w, bounds, columns_of(v), from, to);
    } else {
        tt_viewport_zoom(w, bounds, columns_of(v), action == TT_DO_ZOOM_IN);
    }
    follow_if_moved(app, at);
}

static void change_axis(struct tt_app *app)
{
    app->lane.sequence = !app->lane.sequence;
    uint64_t row = app->cursor.row, half = 20;
    app->lane.first_row = row > half ? row - half : 0;
    tt_app_message(app, TT_ROLE_STATUS,
                   app->lane.sequence ? "axis: one event after the other" : "axis: time");
}

static bool act_moving(struct tt_app *app, struct tt_lanes_view *v, enum tt_do action)
{
    struct tt_bounds bounds = tt_lanes_bounds(app);
    int half = v->layout.columns / 2 > 0 ? v->layout.columns / 2 : 1;
    switch (action) {
    case TT_DO_LANE_LEFT:
    case TT_DO_LANE_RIGHT:
        step(app, v, action == TT_DO_LANE_RIGHT ? 1 : -1);
        return true;
    case TT_DO_PAN_LEFT:
    case TT_DO_PAN_RIGHT:
        pan(app, v, action == TT_DO_PAN_RIGHT ? half : -half);
        return true;
    case TT_DO_TIME_FIRST:
        tt_lanes_go(app, v, bounds.begin);
        return true;
    case TT_DO_TIME_LAST:
        tt_lanes_go(app, v, bounds.end - 1);
        return true;
    case TT_DO_ZOOM_IN:
    case TT_DO_ZOOM_OUT:
    case TT_DO_ZOOM_ALL:
    case TT_DO_ZOOM_SELECTION:
        zoom(app, v, action);
        return true;
    default:
        return false;
    }
}

bool tt_lanes_act(struct tt_app *app, struct tt_lanes_view *v, enum tt_do action)
{
    if (!app->cursor.valid) {
        return false;
    }
    if (act_moving(app, v, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_SELECT:
        tt_viewport_select(&app->viewport);
        return true;
    case TT_DO_SWITCH_PREVIOUS:
    case TT_DO_SWITCH_NEXT:
        go_switch(app, v, action == TT_DO_SWITCH_NEXT);
        return true;
    case TT_DO_TYPE_NEXT:
    case TT_DO_TYPE_PREVIOUS:
        tt_app_search(app, TT_EVENT_SCAN_TYPE, action == TT_DO_TYPE_NEXT);
        return true;
    case TT_DO_CPU_NEXT:
    case TT_DO_CPU_PREVIOUS:
        tt_app_search_value(app, TT_EVENT_SCAN_CPU, lane_cpu(app), action == TT_DO_CPU_NEXT);
        return true;
    case TT_DO_AXIS:
        change_axis(app);
        return true;
    default:
        return false;
    }
}
