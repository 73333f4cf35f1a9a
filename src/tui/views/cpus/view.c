/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpus/view: one lane per CPU with occupants and load; below, the occupants of the selected CPU.
 *
 *       CPU busy irq ┼───────────┼───────────┼───────────┼───────────┼────
 *         0   87   2 sensor/2 isr██··i·kfusion/1███········worker████▓▓▓··
 *                    ███████████▇▂▂▁▁▁▃████████▇▂▁▁▁▁▁▁▁▁▁█████████▅▅▅▁▁▁
 *      ▌  1   12   0 ·················
 *       ── CPU 1 in what is shown ──────────────────────────────────────────
 *       procnto/2 idle         1.82 ms  86.7 %     31 times, longest 0.41 ms
 *
 * On a small screen a CPU has one line, without its load. Above the CPUs of each capture of a merged
 * capture, and in the first line, is the name of the capture.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "tracetui/merge.h"
#include "tui/app/view.h"
#include "tui/input/list_motion.h"
#include "tui/lanes/follow_cause.h"
#include "tui/lanes/own.h"
#include "tui/lanes/partner.h"
#include "tui/lanes/pointer.h"
#include "tui/lanes/status.h"
#include "tui/views/cpus/view.h"

#define TABLE_LEAST 4 /* minimum lines of the table, including its title */

static void *cpus_view_open(void)
{
    struct tt_cpus_view *cpus_view = calloc(1, sizeof *cpus_view);
    if (cpus_view) {
        cpus_view->lines_each = 1;
    }
    return cpus_view;
}

static void cpus_view_renew(void *state)
{
    struct tt_cpus_view *view = state;
    tt_lanes_free(&view->lanes);
    tt_top_threads_free(&view->top);
    free(view->cells);
    free(view->at_events);
    *view = (struct tt_cpus_view){.lines_each = 1};
}

static void cpus_view_close(void *state)
{
    if (state) {
        cpus_view_renew(state);
        free(state);
    }
}

/* Returns whether the CPUs of a capture begin with this one. */
static bool begins_capture(const struct tt_capture *capture, uint32_t cpu)
{
    return cpu == 0 ||
           tt_merge_of_cpu(capture, (uint16_t)cpu) != tt_merge_of_cpu(capture, (uint16_t)(cpu - 1));
}

static int count_headings(const struct tt_capture *capture, uint32_t cpus)
{
    int count = 0;
    for (uint32_t cpu = 0; tt_merge_headings(capture) > 0 && cpu < cpus; cpu++) {
        count += begins_capture(capture, cpu);
    }
    return count;
}

/* Returns the lines of a CPU, with its heading, if `first` is the first CPU on the screen. */
static int lines_of(const struct tt_cpus_view *view, const struct tt_capture *capture,
                    uint32_t first, uint32_t cpu)
{
    bool heading = view->headings && (cpu == first || begins_capture(capture, cpu));
    return view->lines_each + heading;
}

/* Returns the number of CPUs that fit from `first` on, at least 1. */
static uint32_t fitting(const struct tt_cpus_view *view, const struct tt_capture *capture,
                        uint32_t first, uint32_t cpus)
{
    int left = view->lanes.layout.lanes_height;
    uint32_t cpu = first;
    while (cpu < cpus && (left -= lines_of(view, capture, first, cpu)) >= 0) {
        cpu++;
    }
    return cpu > first ? cpu - first : 1;
}

/* Divides the lines between lanes and table: one per CPU first, then the table, then the load. */
static void cpus_view_place(const struct tt_workspace *ws, struct tt_cpus_view *view,
                            struct tt_area area, uint32_t cpus)
{
    int gutter = view->gutter.width, headings = count_headings(ws->opened.capture, cpus);
    struct tt_lanes_layout *layout = &view->lanes.layout;
    tt_lanes_place(layout, area, gutter);
    if (layout->status_lines > 2) {
        layout->lanes_height += layout->status_lines - 2;
        layout->status_lines = 2;
        layout->status = area.height - 2;
        layout->legend = layout->status - 1;
    }
    tt_lanes_place_own(ws, layout);
    int room = layout->lanes_height, all = cpus < 1 ? 1 : cpus > 1000 ? 1000 : (int)cpus;
    view->table_lines = 0;
    if (layout->legend >= 0 && room >= TABLE_LEAST + 2) {
        int left = room - all - headings;
        view->table_lines = left < TABLE_LEAST ? TABLE_LEAST : left;
    }
    view->lines_each = 1;
    if (view->table_lines - all >= TABLE_LEAST + 2) {
        view->lines_each = 2;
        view->table_lines -= all;
    }
    layout->lanes_height = room - view->table_lines;
    if (layout->lanes_height > all * view->lines_each + headings) {
        layout->lanes_height = all * view->lines_each + headings;
    }
    view->headings = headings > 0 && layout->lanes_height > view->lines_each;
    if (layout->legend >= 0) {
        layout->legend = layout->lanes + layout->lanes_height;
        view->table = layout->legend + 1;
        view->table_lines =
            view->table_lines > 0
                ? view->table_lines - (view->table + view->table_lines > layout->status)
                : 0;
    }
}

/* ---- drawing ------------------------------------------------------------------------------- */

/* Scrolls to make the cursor's CPU visible. */
static void place_cursor(struct tt_workspace *ws, struct tt_cpus_view *view, uint32_t cpus)
{
    const struct tt_capture *capture = ws->opened.capture;
    if (ws->nav.lane.cpu >= cpus) {
        ws->nav.lane.cpu = (uint16_t)(cpus - 1);
    }
    uint32_t at = ws->nav.lane.cpu;
    view->first = at < view->first ? at : view->first;
    while (view->first < at && at - view->first >= fitting(view, capture, view->first, cpus)) {
        view->first++;
    }
    while (view->first > 0 && fitting(view, capture, view->first - 1, cpus) > cpus - view->first) {
        view->first--;
    }
    view->lanes_shown = fitting(view, capture, view->first, cpus);
}

/* Returns the events of the axis of sequence. */
static const struct tt_event *sequence_of(const struct tt_workspace *ws,
                                          const struct tt_cpus_view *view, uint32_t *count)
{
    *count = ws->nav.lane.sequence ? view->lanes.event_count : 0;
    *count = *count < (uint32_t)view->lanes.layout.columns ? *count
                                                           : (uint32_t)view->lanes.layout.columns;
    return view->lanes.events;
}

/* Returns whether the lanes that are known are those of the events shown now. */
static bool same_events(const struct tt_workspace *ws, const struct tt_cpus_view *view)
{
    uint32_t count;
    const struct tt_event *events = sequence_of(ws, view, &count);
    return view->sequence == ws->nav.lane.sequence && count == view->event_count &&
           (count == 0 ||
            (events[0].pos == view->first_event && events[count - 1].pos == view->last_event));
}

static bool cpus_view_prepare(const struct tt_workspace *ws, struct tt_cpus_view *view,
                              const struct tt_timelines *timelines)
{
    unsigned columns = (unsigned)view->lanes.layout.columns;
    uint64_t end = tt_timelines_end(timelines);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    bool same = view->number == tt_timelines_number(timelines) && view->from == viewport->from &&
                view->to == viewport->to && view->end == end && view->columns == columns &&
                view->known_first == view->first && same_events(ws, view);
    if (!same) {
        view->lanes_known = 0;
    }

    /* Notes the events of the axis of sequence that the lanes are computed for. */
    uint32_t count;
    const struct tt_event *events = sequence_of(ws, view, &count);
    view->sequence = ws->nav.lane.sequence;
    view->event_count = count;
    view->first_event = count > 0 ? events[0].pos : 0;
    view->last_event = count > 0 ? events[count - 1].pos : 0;

    /* Makes room for the cells of the visible lanes; shows no lanes when out of memory. */
    size_t wanted = (size_t)view->lanes.layout.columns * view->lanes_shown + 1;
    struct tt_cpu_cell *cells =
        tt_array_reserve(view->cells, wanted, &view->cell_room, sizeof *cells);
    struct tt_cpu_lane_cell *at_events =
        tt_array_reserve(view->at_events, view->event_count > 0 ? wanted : 1, &view->at_events_room,
                         sizeof *at_events);
    view->cells = cells ? cells : view->cells;
    view->at_events = at_events ? at_events : view->at_events;
    if (!cells || !at_events) {
        view->lanes_shown = view->lanes_known = 0;
    }
    if (!(cells && at_events)) {
        return false;
    }

    view->t = timelines;
    view->number = tt_timelines_number(timelines);
    view->from = viewport->from;
    view->to = viewport->to;
    view->end = end;
    view->columns = columns;
    view->known_first = view->first;
    return true;
}

static void cpus_view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_cpus_view *view = state;
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint32_t cpus = timelines ? tt_cpu_count(timelines) : 0;

    /*
     * ---- layout -------------------------------------------------------------------------------
     */
    int width = area.width;
    struct tt_cpus_gutter g = {
        .cpu = 1, .busy = 5, .irq = -1, .kernel = -1, .switches = -1, .width = 10};
    if (width >= 60) {
        g.irq = g.width - 1;
        g.width += 4;
    }
    if (width >= 110) {
        g.kernel = g.width - 1;
        g.width += 7;
        g.switches = g.width - 1;
        g.width += 9;
    }
    g.width++;
    view->gutter = g;

    cpus_view_place(ws, view, area, cpus);
    if (!tt_lanes_ready(ws, &view->lanes, &view->why)) {
        return;
    }
    if (cpus == 0) {
        view->why = "this capture does not record what ran on its CPUs";
        return;
    }
    place_cursor(ws, view, cpus);
    if (!cpus_view_prepare(ws, view, timelines)) {
        view->why = "out of memory";
    }
}

static bool cpus_view_fill(struct tt_workspace *ws, void *state)
{
    struct tt_cpus_view *view = state;
    if (view->why) {
        return false;
    }
    tt_cpus_fill_lanes(ws, view, tt_term_share(&ws->term, 2));
    tt_lanes_fill_top(ws, &view->lanes);
    tt_cpus_fill_table(ws, view, view->t);
    return false;
}

static void cpus_view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_cpus_view *view = state;
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    if (view->why) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, view->why);
        return;
    }
    uint32_t cpus = tt_cpu_count(view->t);
    tt_cpus_draw_heads(area, &view->gutter, layout->axis);
    tt_lanes_draw_top(ws, &view->lanes, area);
    tt_lanes_draw_own(ws, &view->lanes, area);
    const struct tt_capture *capture = ws->opened.capture;
    int y = layout->lanes, end = y + layout->lanes_height;
    for (uint32_t cpu = view->first; cpu < cpus; cpu++) {
        int lines = lines_of(view, capture, view->first, cpu);
        if (y + lines > end) {
            break;
        }
        if (lines > view->lines_each) {
            tt_cpus_draw_heading(ws, view, area, y++, (uint16_t)cpu);
        }
        tt_cpus_draw_lane(ws, view, view->t, area, y, (uint16_t)cpu);
        y += view->lines_each;
    }
    if (layout->legend >= 0) {
        const int x = tt_cpus_draw_legend(ws, view, area, layout->legend);
        tt_lanes_draw_scale(ws, &view->lanes, area, x, layout->legend);
        tt_cpus_draw_table(ws, view, area);
    }
    tt_cpus_status(ws, view, view->t, area);
}

static bool cpus_view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_cpus_view *view = state;
    uint64_t deadline = tt_now_ns() + budget_ns;
    return !tt_trace_timelines(ws->opened.trace) || view->lanes.layout.columns == 0 ||
           ((view->lanes_shown == 0 || tt_cpus_fill_lanes(ws, view, deadline)) &&
            tt_lanes_work(&view->lanes, deadline) && tt_top_threads_work(&view->top, deadline));
}

/* ---- keys --------------------------------------------------------------------------------- */

static void go_cpu(struct tt_workspace *ws, int64_t cpu)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    int64_t last = timelines ? (int64_t)tt_cpu_count(timelines) - 1 : 0;
    cpu = cpu > last ? last : cpu;
    ws->nav.lane.cpu = (uint16_t)(cpu < 0 ? 0 : cpu);
}

static bool act_on_rows(struct tt_workspace *ws, const struct tt_cpus_view *view, enum tt_do action)
{
    struct tt_move move =
        tt_list_motion_of(action, view->lanes_shown > 0 ? (int)view->lanes_shown : 1);
    if (move.kind == TT_MOVE_NONE) {
        return false;
    }
    go_cpu(ws, ws->nav.lane.cpu + move.by);
    return true;
}

static void go_change(struct tt_workspace *ws, struct tt_cpus_view *view, bool forward)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_occupation_at at;
    uint64_t now = ws->nav.viewport.at;
    bool there = timelines && tt_occupation_find(timelines, ws->nav.lane.cpu, now, &at);
    while (there) {
        uint64_t start = tt_occupation_get(timelines, at).start;
        if (forward ? start > now : start < now) {
            tt_lanes_go(ws, &view->lanes, start);
            return;
        }
        there =
            forward ? tt_occupation_next(timelines, &at) : tt_occupation_previous(timelines, &at);
    }
    tt_message_set(&ws->message, TT_ROLE_WARNING, "nothing %s on this CPU",
                   forward ? "later" : "earlier");
}

/* Returns the thread on the cursor's CPU, or TT_NO_THREAD. */
static uint32_t occupant_at(const struct tt_workspace *ws)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_occupation_at at;
    if (!timelines || !tt_occupation_find(timelines, ws->nav.lane.cpu, ws->nav.viewport.at, &at)) {
        return TT_NO_THREAD;
    }
    struct tt_occupation o = tt_occupation_get(timelines, at);
    return o.idle || o.occupant >= tt_thread_count(ws->opened.capture) ? TT_NO_THREAD : o.occupant;
}

static bool cpus_view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_cpus_view *view = state;
    if (tt_lanes_act(ws, &view->lanes, action) || act_on_rows(ws, view, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_STATE_PREVIOUS:
    case TT_DO_STATE_NEXT:
        go_change(ws, view, action == TT_DO_STATE_NEXT);
        return true;
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        tt_nav_search(ws, TT_EVENT_SCAN_THREAD, action == TT_DO_THREAD_NEXT);
        return true;
    case TT_DO_WHY:
    case TT_DO_CAUSE_BLOCKER:
    case TT_DO_CAUSE_WAKER:
    case TT_DO_PARTNER:
    case TT_DO_ONLY_THREAD:
    case TT_DO_WITHOUT_EVENT:
    case TT_DO_ONLY_MESSAGE:
        tt_lanes_act_cause(ws, occupant_at(ws), ws->nav.viewport.at, action);
        return true;
    case TT_DO_GO:
        tt_lanes_show_event(ws, TT_NO_THREAD, ws->nav.lane.cpu);
        return true;
    default:
        return false;
    }
}

static bool cpus_view_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    return tt_lanes_clear_selection(&ws->nav);
}

/* Returns the CPU at a line of the lanes; at a heading, the first CPU below. */
static int64_t cpu_at_line(const struct tt_capture *capture, const struct tt_cpus_view *view,
                           int line)
{
    uint32_t cpu = view->first, last = view->first + view->lanes_shown - 1;
    while (cpu < last && (line -= lines_of(view, capture, view->first, cpu)) >= 0) {
        cpu++;
    }
    return cpu;
}

static void cpus_view_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_cpus_view *view = state;
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    if (y >= layout->lanes && y < layout->lanes + layout->lanes_height && view->lanes_shown > 0) {
        go_cpu(ws, cpu_at_line(ws->opened.capture, view, y - layout->lanes));
    }
    tt_lanes_press(ws, &view->lanes, x, y);
}

static void view_drag(struct tt_workspace *ws, void *state, const struct tt_drag *drag)
{
    struct tt_cpus_view *view = state;
    tt_lanes_drag(ws, &view->lanes, drag);
}

static void view_zoom(struct tt_workspace *ws, void *state, int x, bool in)
{
    struct tt_cpus_view *view = state;
    tt_lanes_zoom_at(ws, &view->lanes, x, in);
}

/* ---- places of the history ------------------------------------------------------------------ */

static void cpus_view_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    (void)ws;
    spot->numbers[0] = ((const struct tt_cpus_view *)state)->first;
}

static void cpus_view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    (void)ws;
    ((struct tt_cpus_view *)state)->first = (uint32_t)spot->numbers[0];
}

static const enum tt_do offers[] = {
    TT_DO_HELP,        TT_DO_ASK,  TT_DO_ZOOM_IN,        TT_DO_ZOOM_OUT,   TT_DO_LANE_LEFT,
    TT_DO_LANE_RIGHT,  TT_DO_WHY,  TT_DO_STATE_PREVIOUS, TT_DO_STATE_NEXT, TT_DO_SWITCH_PREVIOUS,
    TT_DO_SWITCH_NEXT, TT_DO_GO,   TT_DO_SELECT,         TT_DO_AXIS,       TT_DO_ZOOM_ALL,
    TT_DO_MARK,        TT_DO_QUIT, TT_DO_NOTHING,
};

static const char *const about[] = {
    "One lane per CPU over time: the thread that runs where its name fits, else {busy}.",
    "{idle} idle {kernel} kernel {irq} interrupt {unknown} no data {busy.many} {idle.many} several "
    "in a column",
    "A thread keeps its colour; the one selected in Threads is highlighted.",
    "Below each lane is its load, {bar.1} to {bar.8}, with interrupts; on top that of all CPUs.",
    "busy, irq: % of one CPU in the visible range. [ ] go from switch to switch.",
    "The table below lists the threads of the CPU under the cursor.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "event", "show the event under the cursor in Events"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_view_cpus = {
    .about = about,
    .open = cpus_view_open,
    .close = cpus_view_close,
    .layout = cpus_view_layout,
    .fill = cpus_view_fill,
    .draw = cpus_view_draw,
    .act = cpus_view_act,
    .click = cpus_view_click,
    .drag = view_drag,
    .zoom = view_zoom,
    .dismiss = cpus_view_dismiss,
    .footer = offers,
    .verbs = verbs,
    .renew = cpus_view_renew,
    .leave = cpus_view_leave,
    .resume = cpus_view_resume,
    .work = cpus_view_work,
};
