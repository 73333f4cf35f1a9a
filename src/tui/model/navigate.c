/* SPDX-License-Identifier: Apache-2.0 */
/* navigate: moves the cursor by row, by key and by search. */
#include "tui/model/workspace.h"

/* Limit of the backward search for an event of a thread. */
#define EVENTS_BACK    4096u
#define EVENTS_AT_ONCE 256u

void tt_nav_go_row(struct tt_workspace *ws, uint64_t row)
{
    uint64_t rows = tt_events_rows(ws->opened.events);
    if (rows == 0) {
        return;
    }
    row = row < rows ? row : rows - 1;
    struct tt_event event;
    if (tt_events_read(ws->opened.events, row, 1, &event) == 1) {
        ws->nav.cursor.event = event;
        ws->nav.cursor.row = row;
        ws->nav.cursor.valid = true;
        ws->nav.cursor_moved = true;
    }
}

struct tt_nav_spot tt_nav_spot(const struct tt_navigation *nav)
{
    return (struct tt_nav_spot){.view = nav->view,
                                .overlay = nav->overlay,
                                .below = nav->below,
                                .cursor = nav->cursor,
                                .cursor_moved = nav->cursor_moved,
                                .viewport = nav->viewport,
                                .lane = nav->lane,
                                .pair = nav->pair};
}

void tt_nav_return(struct tt_navigation *nav, const struct tt_nav_spot *spot)
{
    nav->view = spot->view;
    nav->overlay = spot->overlay;
    nav->below = spot->below;
    nav->cursor = spot->cursor;
    nav->cursor_moved = spot->cursor_moved;
    nav->viewport = spot->viewport;
    nav->lane = spot->lane;
    nav->pair = spot->pair;
}

void tt_nav_leave(struct tt_workspace *ws)
{
    ws->nav.before_jump = tt_nav_spot(&ws->nav);
    ws->trail.left = true;
}

void tt_nav_jump(struct tt_workspace *ws, uint64_t ticks, uint64_t pos)
{
    tt_nav_leave(ws);
    tt_nav_go_row(ws, tt_events_row_at_key(ws->opened.events, ticks, pos));
}

static void model_navigate_set_thread(struct tt_workspace *ws, uint32_t thread, uint64_t ticks)
{
    if (thread < tt_thread_count(ws->opened.capture)) {
        ws->nav.lane.thread = thread;
        ws->nav.lane.process = tt_thread_at(ws->opened.capture, thread)->process;
        ws->nav.lane.kind = 0; /* TT_LANE_THREAD */
        ws->nav.lane.chosen = true;
    }
    tt_viewport_go(&ws->nav.viewport, tt_nav_bounds(ws), 1, ticks);
    tt_nav_adopt_event(ws);
}

/* Returns the row of the last event of a thread before `row`, or the row before it if none is near. */
static uint64_t own_row(struct tt_workspace *ws, uint32_t thread, uint64_t row)
{
    struct tt_event events[EVENTS_AT_ONCE];
    uint64_t end = row, passed = 0;
    while (end > 0 && passed < EVENTS_BACK) {
        uint32_t wanted = end < EVENTS_AT_ONCE ? (uint32_t)end : EVENTS_AT_ONCE;
        uint32_t count = tt_events_read(ws->opened.events, end - wanted, wanted, events);
        for (uint32_t i = count; i-- > 0;) {
            if (events[i].thread == thread) {
                return end - wanted + i;
            }
        }
        end -= wanted;
        passed += wanted;
    }
    return row > 0 ? row - 1 : 0;
}

void tt_nav_go_thread(struct tt_workspace *ws, uint32_t thread, uint64_t ticks)
{
    uint64_t row = ticks < UINT64_MAX ? tt_events_row_at_time(ws->opened.events, ticks + 1)
                                      : tt_events_rows(ws->opened.events);
    bool by_time = tt_view_names(ws->nav.view)->by_time;
    tt_nav_leave(ws);
    tt_nav_go_row(ws, by_time ? (row > 0 ? row - 1 : 0) : own_row(ws, thread, row));
    model_navigate_set_thread(ws, thread, ticks);
}

void tt_nav_jump_back(struct tt_workspace *ws)
{
    const struct tt_nav_spot to = ws->nav.before_jump;
    const struct tt_event *event = &to.cursor.event;
    tt_nav_jump(ws, event->ticks, event->pos);
    if (to.lane.taken && to.lane.ticks == event->ticks && to.lane.pos == event->pos) {
        model_navigate_set_thread(ws, to.lane.thread, to.viewport.at);
    }
}

void tt_nav_forget_window(struct tt_navigation *nav)
{
    nav->viewport = (struct tt_viewport){.all = true};
    nav->lane = (struct tt_lane_place){.thread = TT_NO_THREAD, .process = UINT32_MAX};
}

const struct tt_lane_pair *tt_nav_pair(const struct tt_navigation *nav)
{
    const struct tt_viewport *viewport = &nav->viewport;
    bool selected = nav->pair.to > 0 && viewport->spans && !viewport->growing &&
                    viewport->anchor == nav->pair.from && viewport->other == nav->pair.to;
    return selected ? &nav->pair : NULL;
}

void tt_nav_show(struct tt_navigation *nav, enum tt_view_id view)
{
    nav->overlay = nav->below = TT_OVERLAY_NONE;
    nav->view = view;
}

void tt_nav_show_place(struct tt_workspace *ws)
{
    ws->nav.overlay = ws->nav.below = TT_OVERLAY_NONE;
    if (!tt_view_names(ws->nav.view)->by_time) {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
    }
}

/* ---- times -------------------------------------------------------------------------------- */

struct tt_bounds tt_nav_bounds(const struct tt_workspace *ws)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_bounds bounds = {ws->index.progress.first_ticks, ws->index.progress.last_ticks};
    if (timelines) {
        bounds.begin = tt_timelines_begin(timelines);
        bounds.end = tt_timelines_end(timelines);
    }
    bounds.end += bounds.end < UINT64_MAX ? 1 : 0;
    if (bounds.begin >= bounds.end) {
        bounds.begin = bounds.end - 1;
    }
    return bounds;
}

void tt_nav_adopt_event(struct tt_workspace *ws)
{
    ws->nav.lane.ticks = ws->nav.cursor.event.ticks;
    ws->nav.lane.pos = ws->nav.cursor.event.pos;
    ws->nav.lane.taken = true;
}

void tt_nav_show_range(struct tt_workspace *ws, uint64_t from, uint64_t to)
{
    struct tt_bounds bounds = tt_nav_bounds(ws);
    to = to < bounds.end ? to : bounds.end;
    from = from > bounds.begin ? from : bounds.begin;
    tt_viewport_show(&ws->nav.viewport, bounds, 1, from, to);
    tt_viewport_go(&ws->nav.viewport, bounds, 1, ws->nav.viewport.from);
    tt_nav_go_row(ws, tt_events_row_at_time(ws->opened.events, ws->nav.viewport.from));
    tt_nav_adopt_event(ws);
}

/* ---- searches ----------------------------------------------------------------------------- */

/* Returns whether a row is filtered out: in Events, a search skips hidden rows. */
static bool is_hidden(const void *arg, uint64_t row)
{
    const struct tt_workspace *ws = arg;
    return ws->nav.view == TT_VIEW_EVENTS && !tt_filter_stack_all_shown(&ws->filters.stack) &&
           tt_filter_stack_hides(&ws->filters.stack, row);
}

static bool prepare_search(struct tt_workspace *ws)
{
    ws->filters.scan.skips = is_hidden;
    ws->filters.scan.skips_arg = ws;
    if (!ws->opened.search_events) {
        ws->opened.search_events = tt_events_new(ws->opened.trace);
    }
    if (!ws->opened.search_events) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "out of memory");
    }
    return ws->opened.search_events && ws->nav.cursor.valid;
}

void tt_nav_search(struct tt_workspace *ws, enum tt_event_scan_by by, bool forward)
{
    const struct tt_event *event = &ws->nav.cursor.event;
    if (!prepare_search(ws)) {
        return;
    }
    if (by == TT_EVENT_SCAN_THREAD && event->thread == TT_NO_THREAD) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "this event belongs to no thread");
    } else if (by == TT_EVENT_SCAN_CPU && event->cpu == TT_NO_CPU) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "this event belongs to no CPU");
    } else {
        tt_event_scan_start(&ws->filters.scan, by, forward, event, ws->nav.cursor.row);
    }
}

void tt_nav_search_type(struct tt_workspace *ws, uint32_t type)
{
    tt_nav_search_value(ws, TT_EVENT_SCAN_TYPE, type, true);
    ws->filters.scan.wrap = true;
}

void tt_nav_search_value(struct tt_workspace *ws, enum tt_event_scan_by by, uint32_t value,
                         bool forward)
{
    if (!prepare_search(ws)) {
        return;
    }
    tt_event_scan_start(&ws->filters.scan, by, forward, &ws->nav.cursor.event, ws->nav.cursor.row);
    ws->filters.scan.value = value;
}

bool tt_nav_search_step(struct tt_workspace *ws, uint64_t budget_ns)
{
    static const char *const words[] = {"of this thread", "of this CPU", "of this type"};
    struct tt_event found;
    uint64_t row;
    bool forward = ws->filters.scan.forward;
    switch (
        tt_event_scan_step(&ws->filters.scan, ws->opened.search_events, budget_ns, &found, &row)) {
    case TT_EVENT_SCAN_FOUND:
        tt_nav_leave(ws);
        ws->nav.cursor.event = found;
        ws->nav.cursor.row = row;
        ws->nav.cursor_moved = true;
        return true;
    case TT_EVENT_SCAN_NONE:
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no %s event %s%s",
                       forward ? "later" : "earlier", words[ws->filters.scan.by],
                       ws->index.progress.finished ? "" : " in the events indexed so far");
        return true;
    default:
        return false;
    }
}
