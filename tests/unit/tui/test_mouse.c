/* SPDX-License-Identifier: Apache-2.0 */
/* Mouse reports, and what they do in the lanes. */
#include <criterion/criterion.h>
#include <string.h>

#include "open_app.h"
#include "tui/term/mouse.h"
#include "tui/views/threads/view.h"

static struct tt_mouse_press press;

static struct tt_mouse report(unsigned button, unsigned x, unsigned y, bool release, uint64_t ms)
{
    struct tt_reply reply = {
        .kind = TT_REPLY_MOUSE, .button = button, .x = x, .y = y, .release = release};
    return tt_mouse_of(&press, &reply, ms * 1000000);
}

Test(tui_mouse, a_press_a_drag_and_a_release)
{
    cr_assert_eq(report(32, 5, 5, false, 0).kind, TT_MOUSE_NONE, "motion before a press");
    cr_assert_eq(report(0, 1, 1, true, 0).kind, TT_MOUSE_NONE, "a release before a press");
    cr_assert_eq(report(0, 4, 3, false, 1).kind, TT_MOUSE_PRESS);
    struct tt_mouse drag = report(32, 9, 3, false, 2);
    cr_assert_eq(drag.kind, TT_MOUSE_DRAG);
    cr_assert_eq(drag.x, 9);
    cr_assert_eq(report(0, 9, 3, true, 3).kind, TT_MOUSE_RELEASE);
    cr_assert_eq(report(32, 9, 3, false, 4).kind, TT_MOUSE_NONE);
    cr_assert_eq(report(1, 9, 3, false, 5).kind, TT_MOUSE_NONE, "the middle button");
    cr_assert_eq(report(34, 9, 3, false, 6).kind, TT_MOUSE_NONE, "motion with the right button");
}

Test(tui_mouse, a_double_click_is_two_presses_of_a_cell_soon)
{
    cr_assert_not(report(0, 4, 3, false, 0).twice);
    report(0, 4, 3, true, 10);
    cr_assert(report(0, 4, 3, false, 500).twice);
    cr_assert_not(report(0, 4, 3, false, 600).twice, "a third press");
    cr_assert_not(report(0, 5, 3, false, 700).twice, "another cell");
    cr_assert_not(report(0, 5, 3, false, 1300).twice, "too late");
    report(32, 6, 3, false, 1310);
    cr_assert_not(report(0, 5, 3, false, 1320).twice, "after a drag");
}

Test(tui_mouse, the_wheel_has_directions_and_control)
{
    cr_assert_eq(report(64, 0, 0, false, 0).down, -1);
    cr_assert_eq(report(65, 0, 0, false, 0).down, 1);
    cr_assert_eq(report(66, 0, 0, false, 0).right, -1);
    cr_assert_eq(report(67, 0, 0, false, 0).right, 1);
    cr_assert_eq(report(69, 0, 0, false, 0).right, 1, "Shift");
    cr_assert(report(80, 0, 0, false, 0).control);
    cr_assert_eq(report(80, 0, 0, false, 0).kind, TT_MOUSE_WHEEL);
    cr_assert_not(report(64, 0, 0, false, 0).control);
}

/* ---- in the lanes --------------------------------------------------------------------------- */

static struct tt_app *app;

static void setup(void)
{
    app = open_app_in("samples/demo.kev", "threads");
    tt_app_update(app);
    tt_app_draw(app);
    while (!tt_app_complete(app, 1000000)) {
    }
    tt_app_draw(app);
}

static void teardown(void)
{
    close_app(app);
}

TestSuite(tui_mouse_lanes, .init = setup, .fini = teardown);

static const struct tt_lanes_layout *layout(void)
{
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    return &v->lanes.layout;
}

static void mouse(enum tt_mouse_kind kind, int column, int line)
{
    struct tt_mouse event = {.kind = kind,
                             .x = app->ws.term.body.x + layout()->gutter + column,
                             .y = app->ws.term.body.y + line};
    tt_app_mouse(app, &event);
}

static uint64_t edge(int column)
{
    return tt_viewport_edge(&app->ws.nav.viewport, (unsigned)layout()->columns, (unsigned)column);
}

static void selection_is(int first, int end)
{
    uint64_t from = 0, to = 0;
    cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    cr_assert_eq(from, edge(first));
    cr_assert_eq(to, edge(end));
}

Test(tui_mouse_lanes, a_drag_selects_its_columns)
{
    uint64_t from, to;
    int line = layout()->lanes + 3;
    mouse(TT_MOUSE_PRESS, 5, line);
    mouse(TT_MOUSE_DRAG, 5, line + 1);
    cr_assert_not(tt_viewport_selection(&app->ws.nav.viewport, &from, &to), "not sideways yet");
    mouse(TT_MOUSE_DRAG, 8, line);
    selection_is(5, 9);
    mouse(TT_MOUSE_DRAG, 2, line);
    selection_is(2, 6);
    cr_assert_eq(app->ws.nav.viewport.at, edge(2), "the cursor is at the pointer");
    mouse(TT_MOUSE_DRAG, 1000, line);
    selection_is(5, layout()->columns);
    mouse(TT_MOUSE_RELEASE, 1000, line);
    mouse(TT_MOUSE_PRESS, 1, line);
    selection_is(5, layout()->columns);
    type_keys(app, "<Esc>");
    cr_assert_not(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
}

Test(tui_mouse_lanes, a_drag_from_the_names_selects_nothing)
{
    uint64_t from, to;
    mouse(TT_MOUSE_PRESS, -5, layout()->lanes);
    mouse(TT_MOUSE_DRAG, 5, layout()->lanes);
    cr_assert_not(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
}

Test(tui_mouse_lanes, a_drag_on_the_sequence_axis_selects_its_events)
{
    type_keys(app, "x");
    tt_app_draw(app);
    cr_assert(app->ws.nav.lane.sequence);
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    uint64_t first = v->lanes.events[3].ticks, last = v->lanes.events[7].ticks, from, to;
    mouse(TT_MOUSE_PRESS, 7, layout()->lanes);
    mouse(TT_MOUSE_DRAG, 3, layout()->lanes);
    cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    cr_assert_eq(from, first);
    cr_assert_eq(to, last + 1);
    mouse(TT_MOUSE_PRESS, 0, layout()->overview);
    mouse(TT_MOUSE_DRAG, 20, layout()->overview);
    cr_assert(app->ws.nav.lane.sequence);
}

Test(tui_mouse_lanes, a_drag_on_the_overview_pans)
{
    struct tt_viewport *w = &app->ws.nav.viewport;
    type_keys(app, "++++");
    tt_app_draw(app);
    uint64_t span = w->to - w->from;
    mouse(TT_MOUSE_PRESS, 0, layout()->overview);
    mouse(TT_MOUSE_DRAG, 10, layout()->overview);
    uint64_t from = w->from;
    mouse(TT_MOUSE_DRAG, 20, layout()->overview);
    cr_assert_gt(w->from, from);
    cr_assert_eq(w->to - w->from, span);
    cr_assert(w->at >= w->from && w->at < w->to);
    mouse(TT_MOUSE_DRAG, -100, layout()->overview);
    cr_assert_eq(w->from, tt_nav_bounds(&app->ws).begin);
    mouse(TT_MOUSE_DRAG, 1000, layout()->overview);
    cr_assert_eq(w->to, tt_nav_bounds(&app->ws).end);
}

static void wheel(int column, int down, int right, bool control)
{
    struct tt_mouse event = {.kind = TT_MOUSE_WHEEL,
                             .x = layout()->gutter + column,
                             .y = app->ws.term.body.y + layout()->lanes,
                             .down = down,
                             .right = right,
                             .control = control};
    tt_app_mouse(app, &event);
}

Test(tui_mouse_lanes, the_wheel_with_control_zooms_at_the_pointer)
{
    struct tt_viewport *w = &app->ws.nav.viewport;
    uint64_t all = w->to - w->from, at = w->at;
    wheel(20, -1, 0, true);
    uint64_t span = w->to - w->from, time = edge(20);
    cr_assert(span <= all / 2 && span > all / 3);
    wheel(20, -1, 0, true);
    cr_assert(edge(20) <= time + span / 20 && edge(20) + span / 20 >= time, "its time stays");
    wheel(20, 1, 0, true);
    wheel(20, 1, 0, true);
    cr_assert(w->to - w->from + 4 * (unsigned)layout()->columns > all,
              "a zoom keeps whole columns");
    cr_assert(w->at >= at);
    wheel(-3, -1, 0, true);
    cr_assert(w->to - w->from <= all / 2, "over the names at the cursor");
    uint64_t from = w->from;
    wheel(20, 0, 1, false);
    cr_assert_gt(w->from, from, "sideways pans");
    wheel(20, 0, -1, false);
    cr_assert_eq(w->from, from);
}

Test(tui_mouse_lanes, the_wheel_moves_and_a_double_click_opens)
{
    app->ws.nav.lane.thread = 0;
    wheel(20, 1, 0, false);
    tt_app_draw(app);
    mouse(TT_MOUSE_PRESS, 12, layout()->lanes + 2);
    cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
    struct tt_mouse twice = {.kind = TT_MOUSE_PRESS,
                             .x = layout()->gutter + 12,
                             .y = app->ws.term.body.y + layout()->lanes + 2,
                             .twice = true};
    tt_app_mouse(app, &twice);
    cr_assert_eq(app->ws.nav.view, TT_VIEW_EVENTS, "the event at the cursor");
    twice.y = 0;
    tt_app_mouse(app, &twice);
    type_keys(app, ":");
    twice.y = 5;
    tt_app_mouse(app, &twice);
    cr_assert(app->prompt.line.open, "a prompt is not entered");
}
