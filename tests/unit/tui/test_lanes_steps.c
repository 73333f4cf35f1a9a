/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of lanes that frames compute in steps equal those computed at once. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/lanes/lane_marks.h"
#include "tui/lanes/load_strip.h"
#include "tui/views/threads/view.h"

#define DEMO    "samples/demo.kev"
#define COLUMNS 37u

/* Writes a capture of 11 CPUs: a step is 4 of them. BUILD_DIR has the simulator (tests/run.sh sets it). */
static void simulate(const char *path)
{
    char command[512];
    const char *build = getenv("BUILD_DIR");
    snprintf(command, sizeof command, "%s/ttsim", build ? build : "build/asan");
    if (access(command, X_OK) != 0) {
        cr_assert(!build, "there is no simulator %s", command);
        cr_skip_test("there is no simulator %s", command);
    }
    snprintf(command, sizeof command,
             "%s/ttsim --cpus 11 --processes 5 --threads 40 --events 3000 -o %s",
             build ? build : "build/asan", path);
    cr_assert_eq(system(command), 0, "%s", command);
}

static void ask(struct tt_load_strip *s, const struct tt_timelines *t)
{
    uint64_t from = tt_timelines_begin(t), to = tt_timelines_end(t);
    cr_assert(tt_load_strip_ask(s, t, NULL, from, to, COLUMNS));
}

Test(lanes_steps, a_load_strip_in_steps_of_a_few_cpus)
{
    char many[64];
    snprintf(many, sizeof many, "/tmp/tracetui-cpus-%ld.kev", (long)getpid());
    simulate(many);
    const char *const captures[] = {DEMO, many, "samples/demo.fxt"};
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        struct tt_app *app = open_app_in(captures[i], "cpus");
        const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
        struct tt_load_strip whole = {0}, parts = {0};
        ask(&whole, t);
        cr_assert(tt_load_strip_work(&whole, UINT64_MAX));
        ask(&parts, t);
        cr_assert_not(tt_load_strip_work(&parts, 0), "no time: nothing is computed");
        for (unsigned step = 0; !tt_load_strip_complete(&parts); step++) {
            cr_assert_lt(step, 100000u, "a step gets on");
            tt_load_strip_work(&parts, tt_now_ns() + 500);
            ask(&parts, t); /* the same range: the work continues */
        }
        for (unsigned c = 0; c < COLUMNS; c++) {
            cr_assert_eq(parts.load[c].busy, whole.load[c].busy, "column %u", c);
            cr_assert_eq(parts.load[c].unknown, whole.load[c].unknown, "column %u", c);
            cr_assert_eq(parts.load[c].total, whole.load[c].total, "column %u", c);
        }
        /* A capture that has grown a little: the last strip is drawn until the next one is complete. */
        unsigned count;
        parts.end--;
        parts.to--;
        ask(&parts, t);
        cr_assert_eq(parts.done, 0);
        const struct tt_load *shown = tt_load_strip_shown(&parts, &count);
        cr_assert_eq(count, COLUMNS);
        cr_assert_eq(shown[COLUMNS / 2].busy, whole.load[COLUMNS / 2].busy);
        cr_assert(tt_load_strip_work(&parts, UINT64_MAX));
        cr_assert_eq(tt_load_strip_shown(&parts, &count), parts.load);
        tt_load_strip_free(&whole);
        tt_load_strip_free(&parts);
        close_app(app);
    }
    unlink(many);
}

/* Checks the kept sums of all lanes on the screen; returns their number. */
static unsigned check_sums(struct tt_app *app)
{
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    const struct tt_viewport *w = &app->ws.nav.viewport;
    unsigned checked = 0;
    for (int line = 0; line < v->lanes.layout.lanes_height; line++) {
        uint32_t row = tt_threads_row_on_line(v, line);
        if (row == UINT32_MAX || v->rows.rows[row].kind != TT_LANE_THREAD) {
            continue;
        }
        uint32_t thread = v->rows.rows[row].thread;
        const struct tt_lane_sums *kept = tt_lane_cache_sums(&v->cache, thread);
        struct tt_thread_sums sums;
        tt_thread_sum(t, thread, w->from, w->to, &sums);
        cr_assert(kept, "thread %u", thread);
        cr_assert_eq(kept->run, sums.ticks[TT_CLASS_RUNNING] - sums.irq, "thread %u", thread);
        cr_assert_eq(kept->in, sums.in, "thread %u", thread);
        checked++;
    }
    return checked;
}

Test(lanes_steps, kept_sums_are_those_of_the_window)
{
    static const char *const moves[] = {"g", "jjj", "+++", ">", "l", "x", "lll", "x", "-", "G"};
    struct tt_app *app = open_app_in(DEMO, "threads");
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        type_settled(app, moves[i]);
        cr_assert_gt(check_sums(app), 3, "%s", moves[i]);
    }
    close_app(app);
}

/* The layout is that of the last frame; until the next one nothing is computed for another range. */
Test(lanes_steps, a_range_that_has_moved_since_the_layout)
{
    struct tt_app *app = open_app_in(DEMO, "threads");
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    struct tt_viewport *w = &app->ws.nav.viewport;
    type_settled(app, ":zoom 0ms..1ms<Enter>");
    const struct tt_viewport laid_out = *w;
    type_settled(app, ":zoom all<Enter>");
    const struct tt_viewport all = *w;
    type_settled(app, ":zoom 0ms..1ms<Enter>");
    cr_assert(w->to == laid_out.to && w->to < all.to);
    *w = all;
    cr_expect(tt_app_complete(app, UINT64_MAX / 2));
    for (uint32_t i = 0; i < tt_thread_count(app->ws.opened.capture); i++) {
        tt_lanes_user_ticks(&app->ws, &v->lanes, i); /* ends, though the columns are earlier */
    }
    cr_expect_eq(tt_lanes_after_column(&v->lanes, 0, all.to), all.to + 1);
    cr_expect_eq(tt_lanes_after_column(&v->lanes, 0, laid_out.from), v->lanes.edges[1]);
    tt_app_draw(app);
    cr_expect_eq(v->lanes.edges[v->lanes.layout.columns], all.to);
    close_app(app);
}
