/* SPDX-License-Identifier: Apache-2.0 */
/* The Align pane: both sides of a comparison on one time line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "open_app.h"
#include "tracetui/time.h"
#include "tui/app/event_loop.h"
#include "tui/panes/align.h"

extern const struct tt_view tt_overlay_align;

#define DEMO "samples/demo.kev"
#define FAST "samples/fast1.kev"

static const struct tt_align_sides *sides_of(const struct tt_app *app)
{
    return &((const struct tt_align_pane *)app->overlay_states[TT_OVERLAY_ALIGN])->sides;
}

static bool is_open(const struct tt_app *app, const char *path)
{
    return strcmp(tt_trace_path(app->ws.opened.trace), path) == 0;
}

/* Returns the time of the first event of a name from a time on in a capture; UINT64_MAX: none. */
static uint64_t first_event(const char *path, const char *name, uint64_t from)
{
    struct tt_trace_options options = {0};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert(!tt_failed(&status));
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    struct tt_events *events = tt_events_new(trace);
    struct tt_event e;
    uint64_t found = UINT64_MAX;
    for (uint64_t row = 0; found == UINT64_MAX && tt_events_read(events, row, 1, &e) == 1; row++) {
        bool is = strcmp(tt_types_at(tt_trace_capture(trace), e.type)->name, name) == 0;
        found = is && e.ticks >= from ? e.ticks : found;
    }
    tt_events_free(events);
    tt_trace_close(trace);
    return found;
}

static void check_together(const struct tt_app *app)
{
    const uint64_t hz[] = {tt_trace_capture(tt_align_trace(sides_of(app), 0))->clock_hz,
                           tt_trace_capture(tt_align_trace(sides_of(app), 1))->clock_hz};
    for (int side = 0; side < 2; side++) {
        uint64_t ticks = tt_align_ticks(sides_of(app), side, TT_ALIGNED_ZERO);
        cr_expect_eq(ticks, sides_of(app)->at[side]);
        for (uint64_t away = 1; away < 100000; away *= 3) {
            uint64_t later = tt_align_ticks(sides_of(app), side, TT_ALIGNED_ZERO + away);
            uint64_t back = tt_align_time(sides_of(app), side, later);
            uint64_t tick = hz[1] / hz[side] + 1; /* of the slower clock */
            cr_expect_leq(TT_ALIGNED_ZERO + away - back, tick, "%d", side);
        }
    }
}

Test(tui_align, needs_a_comparison_of_captures)
{
    char path[] = "/tmp/tracetui-align-XXXXXX", command[120];
    cr_assert(mkdtemp(path));
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":align<Enter>");
    cr_expect(screen_shows(app, "nothing to align with: :diff FILE first"));
    char name[80];
    snprintf(name, sizeof name, "%s/b", path);
    FILE *file = fopen(name, "w");
    cr_assert(file && fputs("tracetui-baseline 1\n", file) >= 0 && fclose(file) == 0);
    snprintf(command, sizeof command, ":diff %s/b<Enter>:align<Enter>", path);
    type_settled(app, command);
    cr_expect(screen_shows(app, "A is a baseline, which has no lanes"));
    tt_app_close(app);
    free(app);
    snprintf(command, sizeof command, "rm -rf %s", path);
    cr_assert_eq(system(command), 0);
}

Test(tui_align, events_of_two_captures)
{
    struct tt_app *app = open_app(DEMO);
    const struct tt_align_sides *a = sides_of(app);
    type_settled(app, ":diff " FAST "<Enter>:align<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_ALIGN);
    cr_expect(screen_shows(app, "at the beginnings"));
    cr_expect(screen_shows(app, "A: fast1.kev 0.000 000 000 s"));
    cr_expect(screen_shows(app, "offset B-A +0 ns"));
    cr_expect(screen_shows(app, "not in A"));
    type_settled(app, ":align INT_ENTR<Enter>");
    cr_expect(screen_shows(app, "at INT_ENTR"));
    uint64_t first = first_event(FAST, "INT_ENTR", 0), b = first_event(DEMO, "INT_ENTR", 0);
    cr_expect_eq(a->at[0], first);
    cr_expect_eq(a->at[1], b);
    check_together(app);
    /* The next ones, and back. */
    type_settled(app, "n");
    cr_expect_eq(a->at[0], first_event(FAST, "INT_ENTR", first + 1));
    cr_expect_eq(a->at[1], first_event(DEMO, "INT_ENTR", b + 1));
    type_settled(app, "N");
    cr_expect_eq(a->at[0], first);
    cr_expect_eq(a->at[1], b);
    type_settled(app, "N");
    cr_expect(screen_shows(app, "no earlier event \"INT_ENTR\" in A"));
    cr_expect_eq(a->at[0], first);
    type_settled(app, ":align NO_SUCH_EVENT<Enter>");
    cr_expect(screen_shows(app, "no event \"NO_SUCH_EVENT\" in the range of A"));
    type_settled(app, ":align event = INT_ENTR and<Enter>");
    cr_expect(tt_failed(&a->status));
    /* The pane returns as it was. */
    type_settled(app, ":align 0.1ms 0.2ms<Enter>");
    cr_expect(screen_shows(app, "offset B-A +100.0"));
    type_settled(app, "n");
    cr_expect(screen_shows(app, "A and B are not aligned at events"));
    type_settled(app, "+++<Esc>");
    uint64_t from = a->viewport.from;
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    type_settled(app, ":align<Enter>");
    cr_expect_eq(a->viewport.from, from);
    cr_expect(screen_shows(app, "offset B-A +100.0"));
    type_settled(app, ":align 99s<Enter>");
    cr_expect(screen_shows(app, "99s is after the end of A"));
    tt_app_close(app);
    free(app);
}

Test(tui_align, marks_of_both_captures)
{
    struct tt_app *app = open_app(DEMO);
    const struct tt_align_sides *a = sides_of(app);
    type_settled(app, ":#100<Enter>ma:#200<Enter>mb:open " FAST "<Enter>:#50<Enter>ma");
    uint64_t of_fast = app->ws.nav.cursor.event.ticks;
    type_settled(app, ":open " DEMO "<Enter>:#100<Enter>ma");
    uint64_t of_demo = app->ws.nav.cursor.event.ticks;
    type_settled(app, ":diff " FAST "<Enter>:align<Enter>");
    cr_expect(screen_shows(app, "at mark a"));
    cr_expect_eq(a->at[0], of_fast);
    cr_expect_eq(a->at[1], of_demo);
    check_together(app);
    type_settled(app, ":align 'b<Enter>");
    cr_expect(screen_shows(app, "mark b is not set in A"));
    /* Two marks of one capture. */
    type_settled(app, ":#300<Enter>mb:diff 0..40% 50%..100%<Enter>:align 'a 'b<Enter>");
    cr_expect(screen_shows(app, "at mark a and b"));
    cr_expect_eq(a->at[0], of_demo);
    cr_expect_eq(a->at[1], app->ws.nav.marks[1].ticks);
    tt_app_close(app);
    free(app);
}

/* One cursor, one window: what is drawn is the state of each side at its own time. */
Test(tui_align, one_cursor_and_one_window)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_workspace *ws = &app->ws;
    const struct tt_viewport *w = &sides_of(app)->viewport;
    type_settled(app, ":diff 0..40% 50%..100%<Enter>:align INT_ENTR<Enter>");
    check_together(app);
    uint64_t distance = sides_of(app)->at[1] - sides_of(app)->at[0];
    uint64_t width = w->to - w->from;
    type_settled(app, "++");
    cr_expect_leq(w->to - w->from, width / 4 + 1);
    for (int i = 0; i < 3; i++) {
        type_settled(app, i == 0 ? "lll" : i == 1 ? "<gt>" : "-hh");
        cr_expect_eq(tt_align_ticks(sides_of(app), 1, w->at) -
                         tt_align_ticks(sides_of(app), 0, w->at),
                     distance);
    }
    type_settled(app, "^");
    cr_expect_eq(w->at, tt_align_bounds(sides_of(app)).begin);
    type_settled(app, "$");
    cr_expect_eq(w->at, tt_align_bounds(sides_of(app)).end - 1);
    type_settled(app, "a");
    cr_expect_eq(w->at, TT_ALIGNED_ZERO);
    cr_expect(screen_shows(app, "+0 ns"));
    type_settled(app, "0");
    cr_expect_eq(w->from, tt_align_bounds(sides_of(app)).begin);
    /* The states at the cursor are those of the lanes. */
    const struct tt_thread_pair *pair = &sides_of(app)->pairs.pairs[0];
    char state[80];
    for (int side = 0; side < 2; side++) {
        struct tt_interval_at at;
        uint64_t ticks = tt_align_ticks(sides_of(app), side, w->at);
        const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
        cr_assert(tt_interval_find(t, pair->threads[side], ticks, &at));
        struct tt_interval interval = tt_interval_get(t, at);
        snprintf(state, sizeof state, "  %s ",
                 ws->opened.capture->format->states[interval.state].name);
        cr_expect(screen_shows(app, state), "%s", state);
    }
    tt_app_close(app);
    free(app);
}

Test(tui_align, clocks_of_different_rates)
{
    struct tt_app *app = open_app("samples/demo.fxt");
    type_settled(app, ":diff " DEMO "<Enter>:align 10ms 20ms<Enter>");
    cr_assert(sides_of(app)->ready);
    cr_expect_neq(tt_trace_capture(sides_of(app)->others[0])->clock_hz, 0);
    check_together(app);
    cr_expect(screen_shows(app, "offset B-A +10.00 ms"));
    tt_app_close(app);
    free(app);
}

Test(tui_align, enter_goes_to_both_sides_in_turn)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_workspace *ws = &app->ws;
    type_settled(app, ":diff " FAST "<Enter>:align INT_ENTR<Enter>ll");
    /* A thread that both have, else the first one of each side. */
    uint64_t at[] = {tt_align_ticks(sides_of(app), 0, sides_of(app)->viewport.at),
                     tt_align_ticks(sides_of(app), 1, sides_of(app)->viewport.at)};
    type_settled(app, "G<Enter>");
    bool in_b = is_open(app, DEMO);
    cr_expect_eq(ws->nav.view, TT_VIEW_THREADS);
    cr_expect_eq(ws->nav.viewport.at, at[in_b]);
    cr_expect(screen_shows(app, in_b ? "in B; :align returns" : "in A; :align returns"));
    tt_app_close(app);
    free(app);
    /* Two ranges of one capture have all threads on both sides. */
    app = open_app(DEMO);
    ws = &app->ws;
    type_settled(app, ":diff 0..40% 50%..100%<Enter>:align INT_ENTR<Enter>");
    uint64_t a = sides_of(app)->at[0], b = sides_of(app)->at[1];
    uint32_t thread = sides_of(app)->pairs.pairs[0].threads[0];
    type_settled(app, "<Enter>");
    cr_expect_eq(ws->nav.viewport.at, a);
    cr_expect_eq(ws->nav.lane.thread, thread);
    cr_expect(screen_shows(app, "in A; :align returns, Enter goes to the other side"));
    type_settled(app, ":align<Enter><Enter>");
    cr_expect_eq(ws->nav.viewport.at, b);
    cr_expect(screen_shows(app, "in B; :align returns, Enter goes to the other side"));
    type_settled(app, ":align<Enter><Enter>");
    cr_expect_eq(ws->nav.viewport.at, a);
    tt_app_close(app);
    free(app);
}

/* A capture that is opened for a place is indexed in the background. */
Test(tui_align, another_capture_is_opened)
{
    struct tt_app *app = open_app("samples/demo.fxt");
    struct tt_workspace *ws = &app->ws;
    type_settled(app, ":diff " DEMO "<Enter>:align 10ms<Enter>");
    uint64_t a = tt_align_ticks(sides_of(app), 0, sides_of(app)->viewport.at);
    type_settled(app, "<Enter>");
    cr_expect(is_open(app, DEMO) || is_open(app, "samples/demo.fxt"));
    if (is_open(app, DEMO)) {
        cr_expect_eq(ws->nav.viewport.at, a);
        type_settled(app, ":align<Enter>");
        cr_expect(screen_shows(app, "B: demo.fxt"));
        cr_assert(sides_of(app)->ready);
        check_together(app);
    }
    tt_app_close(app);
    free(app);
}

Test(tui_align, lanes_by_thread_and_by_capture)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff 0..40% 50%..100%<Enter>:align<Enter>");
    int first = screen_line(app, " A  "), second = screen_line(app, " B  ");
    cr_assert(first >= 0 && second >= 0);
    cr_expect_eq(second, first + 1);
    type_settled(app, "o");
    first = screen_line(app, " A  ");
    second = screen_line(app, " B  ");
    cr_assert(first >= 0 && second >= 0);
    cr_expect_gt(second, first + 4);
    cr_expect_geq(screen_line(app, app->ws.term.grid.ascii ? "--------" : "────────"), 0);
    type_settled(app, "jj");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_ALIGN);
    type_settled(app, "Gg<PgDn>o");
    /* The mouse: a lane, a column; the wheel zooms there. */
    void *state = app->overlay_states[TT_OVERLAY_ALIGN];
    const struct tt_viewport *w = &sides_of(app)->viewport;
    tt_overlay_align.click(&app->ws, state, 70, 6);
    uint64_t at = w->at, width = w->to - w->from;
    cr_expect_gt(at, TT_ALIGNED_ZERO);
    tt_overlay_align.click(&app->ws, state, 5, 100);
    cr_expect_eq(w->at, at);
    tt_overlay_align.zoom(&app->ws, state, 70, true);
    cr_expect_leq(w->to - w->from, width / 2 + 1);
    char buffer[1024];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_overlay_align.copy(&app->ws, state, false, &text);
    cr_expect(strstr(tt_text_cstr(&text), "A  0.") && strstr(tt_text_cstr(&text), "  B  0."), "%s",
              tt_text_cstr(&text));
    tt_app_close(app);
    free(app);
}

Test(tui_align, small_and_large_screens)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff 0..20% 50%..100%<Enter>:align<Enter>");
    const int sizes[][2] = {{40, 10}, {60, 16}, {80, 24}, {120, 40}, {200, 60}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cr_assert(tt_grid_resize(&app->ws.term.grid, sizes[i][0], sizes[i][1]));
        app->stale = true;
        tt_event_loop_settle(app);
        cr_expect(screen_shows(app, "A: demo.kev"), "%zu", i);
        cr_expect(screen_shows(app, "thread"), "%zu", i);
    }
    tt_app_close(app);
    free(app);
}
