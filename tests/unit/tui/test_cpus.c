/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of the CPUs view, the classes of lanes, and the view that a capture begins with. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fxt_build.h"
#include "open_app.h"
#include "tracetui/table.h"
#include "tui/app/event_loop.h"
#include "tui/lanes/top_threads.h"
#include "tui/views/cpus/view.h"
#include "tui/views/threads/view.h"

#define DEMO "samples/demo.kev"

static struct tt_app *open_wide(const char *view)
{
    struct tt_app *app = open_app_in(DEMO, view);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 120, 40));
    tt_app_update(app);
    tt_event_loop_settle(app);
    return app;
}

static const struct tt_cell *cell_at(const struct tt_app *app, int x, int y)
{
    return tt_grid_at(&app->ws.term.grid, x, app->ws.term.body.y + y);
}

/* ---- colours of threads --------------------------------------------------------------------- */

/* Checks that the threads of a lane have their own colours; returns the number of their cells. */
static unsigned check_lane(const struct tt_app *app, const struct tt_cpus_view *v, uint32_t lane)
{
    const struct tt_cpu_cell *sums = v->cells + (size_t)lane * v->columns;
    int y = v->lanes.layout.lanes + (int)lane * v->lines_each;
    unsigned own = 0;
    for (unsigned i = 0; i < v->columns; i++) {
        struct tt_cpu_lane_cell cell = tt_cpu_lane_cell_of(&sums[i]);
        if (cell.kind != TT_CPU_CELL_BUSY) {
            continue;
        }
        unsigned role = cell_at(app, v->lanes.layout.gutter + (int)i, y)->role;
        if (cell.occupant == app->ws.nav.lane.thread) {
            cr_expect_eq(role, TT_ROLE_CPU_SELECTED);
        } else {
            cr_expect_eq(role, TT_ROLE_CPU_1 + tt_cpus_color(app->ws.opened.capture, cell.occupant),
                         "CPU %u, column %u", lane, i);
            own++;
        }
    }
    return own;
}

Test(tui_cpus, threads_have_their_colour_on_every_cpu)
{
    struct tt_app *app = open_wide("cpus");
    const struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    unsigned own = 0, used = 0;
    cr_assert_eq(app->ws.nav.lane.thread, TT_NO_THREAD);
    for (uint32_t lane = 0; lane < v->lanes_known; lane++) {
        own += check_lane(app, v, lane);
    }
    cr_assert_gt(own, 150u);
    for (uint32_t i = 0; i < tt_thread_count(app->ws.opened.capture); i++) {
        used |= 1u << tt_cpus_color(app->ws.opened.capture, i);
    }
    cr_assert_eq(used, 0xffu, "every colour has a thread: %x", used);
    close_app(app);
}

Test(tui_cpus, the_table_has_the_colours_of_the_lanes)
{
    struct tt_app *app = open_wide("cpus");
    const struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    app->ws.term.colored = true;
    tt_event_loop_settle(app);
    cr_assert_gt(v->top.count, 10u);
    unsigned own = 0;
    for (int i = 0; i < (int)v->top.count && i + 1 < v->table_lines; i++) {
        const uint32_t occupant = v->top.rows[i].occupant;
        if (occupant < TT_OCCUPANT_IDLE && !tt_thread_at(app->ws.opened.capture, occupant)->idle) {
            const unsigned role = cell_at(app, 1, v->table + 1 + i)->role;
            cr_expect_eq(role, TT_ROLE_CPU_1 + tt_cpus_color(app->ws.opened.capture, occupant),
                         "row %d", i);
            own++;
        }
    }
    cr_assert_gt(own, 5u);
    close_app(app);
}

Test(tui_cpus, the_selected_thread_is_highlighted_on_every_cpu)
{
    struct tt_app *app = open_wide("cpus");
    const struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    unsigned lanes = 0;
    type_keys(app, "/crunch1<Enter>"); /* its lane is selected */
    tt_event_loop_settle(app);
    cr_assert_neq(app->ws.nav.lane.thread, TT_NO_THREAD);
    for (uint32_t lane = 0; lane < v->lanes_known; lane++) {
        int y = v->lanes.layout.lanes + (int)lane * v->lines_each;
        bool there = false;
        check_lane(app, v, lane);
        for (unsigned i = 0; i < v->columns; i++) {
            there |= cell_at(app, v->lanes.layout.gutter + (int)i, y)->role == TT_ROLE_CPU_SELECTED;
        }
        lanes += there;
    }
    cr_assert_geq(lanes, 2u, "on %u CPUs", lanes);
    close_app(app);
}

/* Columns of the load in which interrupts have more time than threads. */
Test(tui_cpus, interrupts_are_visible_in_the_load)
{
    struct tt_app *app = open_wide("cpus");
    const struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    unsigned interrupts = 0;
    app->ws.term.colored = false; /* then they have a glyph of their own */
    tt_app_draw(app);
    cr_assert_eq(v->lines_each, 2);
    for (uint32_t lane = 0; lane < v->lanes_known; lane++) {
        for (unsigned i = 0; i < v->columns; i++) {
            const struct tt_cpu_cell *sums = &v->cells[(size_t)lane * v->columns + i];
            const struct tt_cell *cell = cell_at(app, v->lanes.layout.gutter + (int)i,
                                                 v->lanes.layout.lanes + (int)lane * 2 + 1);
            cr_expect_eq(cell->ch == 'i', sums->irq > sums->busy, "CPU %u, column %u", lane, i);
            interrupts += cell->ch == 'i';
        }
    }
    cr_assert_gt(interrupts, 5u);
    close_app(app);
}

/* Fills and draws the table of occupants without time for counting; `waited`: since the request. */
static void draw_in_no_time(struct tt_app *app, uint64_t waited_ns)
{
    struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    struct tt_area all = tt_grid_area(&app->ws.term.grid);
    app->ws.term.frame_ends = 0;
    v->top.asked_ns -= waited_ns;
    tt_cpus_fill_table(&app->ws, v, v->t);
    for (int y = 0; y < v->table_lines; y++) {
        tt_draw_fill(all, 0, v->table + y, all.width, TT_ROLE_TEXT, ' ');
    }
    tt_cpus_draw_table(&app->ws, v, all);
}

Test(tui_cpus, the_table_of_before_stays_while_another_is_counted)
{
    struct tt_app *app = open_wide("cpus");
    app->ws.nav.lane.cpu = 1;
    draw_in_no_time(app, 0);
    cr_expect_geq(screen_line(app, "threads on CPU 0"), 0);
    cr_expect_eq(screen_line(app, "counting"), -1);
    draw_in_no_time(app, UINT64_C(1000000000));
    cr_expect_geq(screen_line(app, "threads on CPU 1"), 0);
    cr_expect_geq(screen_line(app, "counting"), 0);
    tt_event_loop_settle(app);
    cr_expect(screen_shows(app, "threads on CPU 1"));
    cr_expect_eq(screen_line(app, "counting"), -1);
    close_app(app);
}

/* A window that ends before the capture did is not counted again when the capture has grown. */
Test(tui_cpus, a_window_of_the_past_stays_known_while_the_capture_grows)
{
    struct tt_app *app = open_wide("cpus");
    const struct tt_timelines *timelines = tt_trace_timelines(app->ws.opened.trace);
    const uint64_t from = app->ws.index.progress.first_ticks, to = from + 100000;
    const uint32_t threads = tt_thread_count(app->ws.opened.capture);
    struct tt_top_threads top = {0};
    cr_assert(tt_top_threads_ask(&top, timelines, 0, from, to, threads));
    cr_assert(tt_top_threads_work(&top, UINT64_MAX));
    cr_assert_gt(top.count, 0);
    top.end = to; /* where the capture ended then */
    cr_assert(tt_top_threads_ask(&top, timelines, 0, from, to, threads));
    cr_expect_not(top.going);
    cr_assert(tt_top_threads_ask(&top, timelines, 0, from, to + 1, threads));
    cr_expect(top.going, "a window beyond that end");
    tt_top_threads_free(&top);
    close_app(app);
}

/* ---- locks and conditions ------------------------------------------------------------------- */

static const char *class_of(const struct tt_format *format, const char *state)
{
    for (uint32_t i = 0; i < format->state_count; i++) {
        if (strcmp(format->states[i].name, state) == 0) {
            return tt_class_name(format->states[i].class_);
        }
    }
    return "none";
}

Test(tui_cpus, only_what_another_thread_holds_is_a_lock)
{
    struct tt_app *app = open_wide("threads");
    const struct tt_format *format = app->ws.opened.capture->format;
    static const char *const locks[] = {"MUTEX", "RWLOCK_READ", "RWLOCK_WRITE", "MUON_MUTEX"};
    static const char *const conditions[] = {"CONDVAR", "SEM", "BARRIER"};
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        cr_expect_str_eq(class_of(format, locks[i]), "lock", "%s", locks[i]);
    }
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        cr_expect_str_eq(class_of(format, conditions[i]), "condition", "%s", conditions[i]);
    }
    /* tiles waits for a condition variable, filter for a semaphore: neither lane is alarming. */
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    unsigned seen[TT_ROLE_COUNT] = {0};
    for (int y = 0; y < v->lanes.layout.lanes_height; y++) {
        for (int i = 0; i < v->lanes.layout.columns; i++) {
            seen[cell_at(app, v->lanes.layout.gutter + i, v->lanes.layout.lanes + y)->role]++;
        }
    }
    cr_assert_gt(seen[TT_ROLE_CONDITION], 100u);
    cr_assert_lt(seen[TT_ROLE_LOCK], 10u, "%u cells", seen[TT_ROLE_LOCK]);
    close_app(app);
}

Test(tui_cpus, in_numbers_a_condition_is_a_lock)
{
    struct tt_app *app = open_wide("threads");
    struct tt_trace *trace = app->ws.opened.trace;
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_window window = {.from = 0, .to = UINT64_MAX};
    struct tt_delays scratch = {0};
    uint64_t conditions = 0;
    for (uint32_t i = 0; i < tt_thread_count(app->ws.opened.capture); i++) {
        struct tt_thread_sums sums;
        struct tt_numbers numbers;
        tt_thread_sum(t, i, window.from, window.to, &sums);
        cr_assert(tt_numbers_of_thread(t, i, &window, &scratch, &numbers));
        cr_assert_eq(numbers.sums.ticks[TT_CLASS_LOCK],
                     sums.ticks[TT_CLASS_LOCK] + sums.ticks[TT_CLASS_CONDITION]);
        cr_assert_eq(numbers.sums.ticks[TT_CLASS_CONDITION], 0u);
        conditions += sums.ticks[TT_CLASS_CONDITION];
    }
    cr_assert_gt(conditions, 0u);
    tt_delays_free(&scratch);
    close_app(app);
}

/* ---- the first view ------------------------------------------------------------------------- */

Test(tui_cpus, a_capture_with_scheduling_begins_with_its_threads)
{
    static const char *const samples[] = {DEMO, "samples/demo.trx", "samples/demo.fxt",
                                          "samples/demo.btrace"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct tt_app *app = open_app_in(samples[i], NULL);
        cr_expect_eq(app->ws.nav.view, TT_VIEW_THREADS, "%s", samples[i]);
        close_app(app);
    }
}

Test(tui_cpus, a_capture_without_scheduling_begins_with_its_events)
{
    char path[] = "/tmp/tt-first-XXXXXX";
    struct fxt_out out = {0};
    int fd = mkstemp(path);
    fxt_magic(&out);
    fxt_init(&out, 1000000);
    fxt_thread(&out, 1, 7, 8);
    size_t at = fxt_begin(&out, fxt_event(0, 0, 1, FXT_INLINE(1), FXT_INLINE(1)));
    fxt_word(&out, 17);
    fxt_text(&out, "c");
    fxt_text(&out, "n");
    fxt_end(&out, at);
    cr_assert_eq(write(fd, out.bytes, out.size), (ssize_t)out.size);
    close(fd);
    free(out.bytes);
    struct tt_app *app = open_app_in(path, NULL);
    cr_expect_eq(app->ws.nav.view, TT_VIEW_EVENTS);
    close_app(app);
    unlink(path);
}
