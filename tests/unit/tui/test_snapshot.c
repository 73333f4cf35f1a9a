/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Snapshot view: every row equals the lane at the cursor's time, wherever the cursor goes; the
 * steps of a snapshot give what tt_snapshot_make gives; rows are in the order of what threads do.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "format/trx/trx_tables.h"
#include "open_app.h"
#include "trx_build.h"
#include "tui/app/event_loop.h"
#include "tui/model/causes.h"
#include "tui/views/snapshot/view.h"

#define DEMO "samples/demo.kev"

static struct tt_snapshot_view *state_of(struct tt_app *app)
{
    return app->view_states[TT_VIEW_SNAPSHOT];
}

/* Compares the rows with the lanes of all threads at the cursor. */
static void compare_with_lanes(struct tt_app *app)
{
    const struct tt_snapshot_view *v = state_of(app);
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    uint64_t at = app->ws.nav.viewport.at;
    uint32_t rows = 0;
    cr_assert_eq(v->snapshot.at, at);
    for (uint32_t i = 0; i < tt_thread_count(app->ws.opened.capture); i++) {
        struct tt_interval lane;
        bool is = tt_lane_at(t, i, at, &lane) && (lane.end > at || lane.open);
        uint32_t row = v->snapshot.row_of[i];
        cr_assert_eq(is && !tt_thread_at(app->ws.opened.capture, i)->pseudo, row != UINT32_MAX);
        if (row != UINT32_MAX) {
            cr_assert_eq(v->snapshot.rows[row].since, lane.start);
            cr_assert_eq(v->snapshot.rows[row].until, lane.end);
            cr_assert_eq(v->snapshot.rows[row].state, lane.state);
            cr_assert_eq(v->snapshot.rows[row].class_, lane.class_);
            rows++;
        }
    }
    cr_assert_eq(rows, v->snapshot.count);
}

Test(tui_snapshot, follows_the_cursor_of_all_views)
{
    static const char *const captures[] = {DEMO, "samples/demo.fxt", "samples/demo.trx",
                                           "samples/demo.btrace"};
    static const char *const moves[] = {":30%<Enter>", "l", "lll",         "h",  "<gt>",
                                        "$",           "^", ":55%<Enter>", "++", "l",
                                        ".",           ",", "J",           "x",  "l"};
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        struct tt_app *app = open_app_in(captures[i], "snapshot");
        tt_event_loop_settle(app);
        for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
            type_settled(app, strcmp(moves[k], "<gt>") == 0 ? ">" : moves[k]);
            cr_assert_eq(app->ws.nav.view, TT_VIEW_SNAPSHOT, "%s", moves[k]);
            compare_with_lanes(app);
        }
        /* The cursor of Events and Threads is the same. */
        type_settled(app, "1:70%<Enter>jj7");
        cr_assert_eq(state_of(app)->snapshot.at, app->ws.nav.cursor.event.ticks);
        compare_with_lanes(app);
        type_settled(app, "2ll7");
        compare_with_lanes(app);
        close_app(app);
    }
}

Test(tui_snapshot, rows_and_status_have_what_a_thread_waits_for)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    type_settled(app, ":27.4ms<Enter>gjjj");
    cr_assert(
        screen_shows(app, "fusion/1 fuse MUTEX  waits for logger/1 writer > netmgr/2 worker"));
    cr_assert(screen_shows(app, "ran in 1 ms: 3.303 us, 10 ms: 181.8 us"));
    /* The instant is the requested one, between two events, as in `tracetui at 27.4ms`. */
    cr_assert(screen_shows(app, "at 0.027 400 000 s"));
    cr_assert(
        screen_shows(app, "4103 fusion/1 fuse     20 MUTEX     -495.6 us +1.177 ms   1 logger/1"));
    uint32_t thread = app->ws.nav.lane.thread;
    /* The cursor stays on the thread while time, order and table change. */
    type_settled(app, "l");
    cr_assert_eq(tt_snapshot_view_row(state_of(app))->thread, thread);
    type_settled(app, "ooO");
    cr_assert_eq(tt_snapshot_view_row(state_of(app))->thread, thread);
    type_settled(app, "h<Enter>");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_assert_eq(app->ws.nav.lane.thread, thread);
    /* To what it waits for, and its explanation. */
    type_settled(app, "7:27.4ms<Enter>B");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_SNAPSHOT);
    cr_assert(screen_shows(app, "logger/1 writer READY  waits for netmgr/2 worker"));
    type_settled(app, "b");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_WHY);
    close_app(app);
}

static uint64_t sort_value(const struct tt_snapshot_view *v, const struct tt_snapshot_row *row)
{
    switch (v->sort) {
    case TT_SNAPSHOT_SINCE:
        return row->since_known ? v->snapshot.at - row->since : UINT64_MAX;
    case TT_SNAPSHOT_UNTIL:
        return row->until_known ? row->until - v->snapshot.at : UINT64_MAX;
    case TT_SNAPSHOT_CPU:
        return row->cpu != TT_NO_CPU ? row->cpu : UINT64_MAX;
    case TT_SNAPSHOT_PRIORITY:
        return (uint64_t)(row->priority + 1000);
    case TT_SNAPSHOT_CHAIN:
        return row->depth;
    case TT_SNAPSHOT_STATE:
        return row->doing;
    case TT_SNAPSHOT_PID:
        return (uint64_t)(row - v->snapshot.rows);
    default:
        return v->sort >= TT_SNAPSHOT_RUN_1
                   ? tt_snapshot_run(&v->scene, row->thread, v->sort - TT_SNAPSHOT_RUN_1)
                   : 0;
    }
}

Test(tui_snapshot, sorts_by_each_column_in_both_directions)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    cr_assert(tt_grid_resize(&app->ws.term.grid, 200, 60));
    type_settled(app, ":27.4ms<Enter>");
    struct tt_snapshot_view *v = state_of(app);
    unsigned sorted = 0;
    for (unsigned i = 0; i < 2 * (TT_SNAPSHOT_COLUMNS - 2); i++) {
        type_settled(app, i % 2 == 0 ? "o" : "O");
        bool falls =
            v->reverse != (v->sort == TT_SNAPSHOT_SINCE || v->sort == TT_SNAPSHOT_PRIORITY ||
                           (v->sort >= TT_SNAPSHOT_RUN_1 && v->sort < TT_SNAPSHOT_CHAIN));
        for (uint32_t k = 1; k < v->count; k++) {
            uint64_t a = sort_value(v, &v->snapshot.rows[v->lines[k - 1]]);
            uint64_t b = sort_value(v, &v->snapshot.rows[v->lines[k]]);
            cr_assert(b == UINT64_MAX || (a != UINT64_MAX && (falls ? a >= b : a <= b)),
                      "column %u, line %u", (unsigned)v->sort, k);
        }
        sorted |= 1u << v->sort;
    }
    cr_assert_eq(__builtin_popcount(sorted), TT_SNAPSHOT_COLUMNS - 2, "all but name and depth");
    close_app(app);
}

/* Run times are computed in steps; until they are known, the lines keep their order. */
/* Returns the run time in the last 1 ms on a line, which is known. */
static uint64_t run_known(const struct tt_snapshot_view *v, uint32_t line)
{
    const struct tt_snapshot_row *row = &v->snapshot.rows[v->lines[line]];
    const struct tt_snapshot_value value = tt_snapshot_value_of(v, row, TT_SNAPSHOT_RUN_1);
    cr_assert(value.known);
    return value.number;
}

Test(tui_snapshot, lines_keep_their_order_until_run_times_are_known)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    cr_assert(tt_grid_resize(&app->ws.term.grid, 200, 60));
    type_settled(app, ":27.4ms<Enter>");
    struct tt_snapshot_view *v = state_of(app);
    while (v->sort != TT_SNAPSHOT_CPU) { /* the column before the run times */
        type_settled(app, "o");
    }
    uint32_t before[64], count = v->count;
    cr_assert(count > 20 && count <= 64);
    for (uint32_t i = 0; i < count; i++) {
        before[i] = v->snapshot.rows[v->lines[i]].thread;
    }
    type_keys(app, "o");
    tt_app_layout(app);
    cr_assert_eq(v->sort, TT_SNAPSHOT_RUN_1);
    cr_assert_not(tt_app_settled(app));
    do {
        tt_app_draw(app);
        cr_assert_eq(v->count, count);
        for (uint32_t i = 0; i < count; i++) {
            cr_assert_eq(v->snapshot.rows[v->lines[i]].thread, before[i]);
        }
        cr_assert_not(tt_snapshot_view_work(&app->ws, v, 0), "no time: nothing is computed");
    } while (!tt_snapshot_view_work(&app->ws, v, tt_now_ns() + 500));
    tt_app_draw(app);
    cr_assert(tt_app_settled(app));
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t thread = v->snapshot.rows[v->lines[i]].thread;
        uint64_t run = tt_snapshot_run(&v->scene, thread, 0);
        cr_assert_eq(run_known(v, i), run);
        cr_assert(i == 0 || sort_value(v, &v->snapshot.rows[v->lines[i - 1]]) >= run);
    }
    /* Another instant has other times. */
    type_settled(app, "lll");
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t thread = v->snapshot.rows[v->lines[i]].thread;
        cr_assert_eq(run_known(v, i), tt_snapshot_run(&v->scene, thread, 0));
    }
    close_app(app);
}

Test(tui_snapshot, filters_and_idle_threads)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    struct tt_snapshot_view *v = state_of(app);
    type_settled(app, ":27.4ms<Enter>");
    uint32_t all = v->count;
    cr_assert_not(screen_shows(app, "procnto/1 idle"));
    type_settled(app, "iG");
    cr_assert_eq(v->count, v->snapshot.count);
    cr_assert_geq(v->count, all + 4);
    cr_assert(screen_shows(app, "procnto/1 idle"));
    type_settled(app, "ifprocess = fusion<Enter>");
    cr_assert_eq(v->count, 2);
    for (uint32_t i = 0; i < v->count; i++) {
        struct tt_snapshot_row *row = &v->snapshot.rows[v->lines[i]];
        const struct tt_thread *thread = tt_thread_at(app->ws.opened.capture, row->thread);
        cr_assert_eq(tt_process_at(app->ws.opened.capture, thread->process)->pid, 4103);
    }
    close_app(app);
}

/* At an instant a server without a message is idle; what wakes it comes later, and is not what it waits for. */
Test(tui_snapshot, threads_are_in_the_order_of_what_they_do)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    struct tt_snapshot_view *v = state_of(app);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 120, 40));
    type_settled(app, ":27.84ms<Enter>g");
    cr_assert(screen_shows(app, "2 run, 1 ready, 1 blocked, 19 wait, 6 idle, CPU 0 2 idle"));
    cr_assert_eq(v->snapshot.rows[v->lines[0]].doing, TT_DOING_RUN);
    cr_assert(screen_shows(app, "netmgr/2 worker RUNNING  in MSG_SENDV"));
    for (uint32_t i = 1; i < v->count; i++) {
        cr_assert_leq(v->snapshot.rows[v->lines[i - 1]].doing, v->snapshot.rows[v->lines[i]].doing);
    }
    cr_assert(screen_shows(app, "idle, next: pidin/1 main"));
    cr_assert(screen_shows(app, "next: interrupt 14"));
    cr_assert_not(screen_shows(app, "not there"));
    type_settled(app, "G");
    cr_assert(
        screen_shows(app, "hmi/4 input RECEIVE  idle, next: fusion/2 publish > fusion/1 fuse"));
    close_app(app);
}

Test(tui_snapshot, steps_give_the_whole_snapshot)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    type_settled(app, ":27.4ms<Enter>");
    struct tt_wakes *wakes = tt_causes_wakes(&app->ws.opened);
    struct tt_snapshot whole = {0}, steps = {0};
    cr_assert_not_null(wakes);
    for (unsigned percent = 0; percent < 100; percent += 7) {
        struct tt_bounds b = tt_nav_bounds(&app->ws);
        uint64_t at = b.begin + (b.end - b.begin) / 100 * percent;
        cr_assert(tt_snapshot_make(wakes, at, &whole));
        cr_assert(tt_snapshot_begin(wakes, at, &steps));
        for (uint32_t i = 0; i < steps.threads; i += 3) { /* some rows as a screen links them */
            struct tt_snapshot_row *row = tt_snapshot_state(wakes, &steps, i);
            cr_assert_eq(row == NULL, whole.row_of[i] == UINT32_MAX);
            if (row) {
                tt_snapshot_link_chain(wakes, &steps, row);
                cr_assert_eq(row->depth, whole.rows[whole.row_of[i]].depth);
            }
            if (i % 2 == 0) { /* in the middle of the steps */
                tt_snapshot_step(wakes, &steps, 1);
            }
        }
        while (!tt_snapshot_step(wakes, &steps, 5)) {
        }
        cr_assert_eq(whole.count, steps.count);
        cr_assert_eq(memcmp(whole.rows, steps.rows, whole.count * sizeof *whole.rows), 0);
    }
    tt_snapshot_free(&whole);
    tt_snapshot_free(&steps);
    close_app(app);
}

Test(tui_snapshot, copies_and_writes_all_values)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    char path[] = "build/snapshot.csv";
    remove(path);
    type_settled(app, ":27.4ms<Enter>gjjjy");
    const char *copied = app->ws.term.requests.copy_text;
    const char line_text[] = "fusion/1 fuse MUTEX > logger/1 writer > netmgr/2 worker";
    cr_assert_eq(app->ws.term.requests.copy_length, sizeof line_text - 1);
    cr_assert_arr_eq(copied, line_text, sizeof line_text - 1);
    type_settled(app, "Y");
    cr_assert_not_null(strstr(copied,
                              "pid=4103 tid=1 process=fusion thread=fusion/1 fuse priority=20 "
                              "state=MUTEX"));
    cr_assert_not_null(strstr(copied, "run_1ms_ns=3303"));
    type_settled(app, ":write build/snapshot.csv<Enter>");
    cr_assert(strstr(app->ws.message.text, "29 rows"), "%s", app->ws.message.text);
    FILE *file = fopen(path, "rb");
    char line[512];
    cr_assert_not_null(file);
    cr_assert_not_null(fgets(line, sizeof line, file));
    cr_assert_not_null(strstr(line, "at_ns,pid,tid,process,thread,priority,state"));
    fclose(file);
    remove(path);
    close_app(app);
}

Test(tui_snapshot, clicks_choose_rows_and_orders)
{
    struct tt_app *app = open_app_in(DEMO, "snapshot");
    struct tt_snapshot_view *v = state_of(app);
    const struct tt_view *view = tt_views[TT_VIEW_SNAPSHOT];
    type_settled(app, ":27.4ms<Enter>");
    tt_app_mouse(app, &(struct tt_mouse){.kind = TT_MOUSE_PRESS,
                                         .x = app->ws.term.body.x + 10,
                                         .y = app->ws.term.body.y + v->list.y + 3});
    cr_assert_eq(v->list.at, 3);
    view->click(&app->ws, v, v->places[TT_SNAPSHOT_SINCE].x + 1, v->heads);
    tt_app_draw(app);
    cr_assert_eq(v->sort, TT_SNAPSHOT_SINCE);
    uint64_t before = app->ws.nav.viewport.at;
    view->click(&app->ws, v, 60, v->lanes.layout.axis);
    tt_app_draw(app);
    cr_assert_neq(app->ws.nav.viewport.at, before);
    compare_with_lanes(app);
    close_app(app);
}

/*
 * A ThreadX capture has the owner of a mutex in the request of a thread: two threads that wait for
 * each other's mutex are a deadlock.
 */
Test(tui_snapshot, a_deadlock_of_threadx_is_named)
{
    enum { A = 0x2000, B = 0x2100, M1 = 0x3000, M2 = 0x3040, GET = 52, SUSPEND = 2, WAITS = 13 };
    static const struct trx_kit_object objects[] = {
        {.type = TRX_OBJECT_THREAD, .address = A, .name = "alpha"},
        {.type = TRX_OBJECT_THREAD, .address = B, .name = "beta"},
    };
    static const struct trx_kit_entry entries[] = {
        {{A, 5, GET, 10, M1, UINT32_MAX, 0, 0}}, {{A, 5, SUSPEND, 12, A, 4, 0, B}}, /* sleeps */
        {{B, 6, GET, 20, M2, UINT32_MAX, 0, 0}}, {{UINT32_MAX, 0, 3, 24, 0, 1, 0, 0}},
        {{UINT32_MAX, 0, 1, 25, A, 4, 0, 0}}, /* alpha is resumed */
        {{UINT32_MAX, 0, 4, 26, 0, 1, 0, 0}},    {{A, 5, GET, 30, M2, UINT32_MAX, B, 1}},
        {{A, 5, SUSPEND, 31, A, WAITS, 0, B}},   {{B, 6, GET, 40, M1, UINT32_MAX, A, 1}},
        {{B, 6, SUSPEND, 41, B, WAITS, 0, 0}},   {{UINT32_MAX, 0, 3, 100, 0, 1, 0, 0}},
    };
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .objects = objects,
                                    .object_count = 2,
                                    .entries = entries,
                                    .entry_count = sizeof entries / sizeof *entries};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    const char path[] = "build/deadlock.trx";
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    trx_bytes_free(&bytes);
    struct tt_app *app = open_app_in(path, "snapshot");
    tt_event_loop_settle(app);
    type_settled(app, ":90t<Enter>");
    cr_assert(screen_shows(app, "deadlock: alpha MUTEX_SUSP > beta MUTEX_SUSP > alpha"));
    cr_assert_eq(state_of(app)->deadlock_count, 1);
    type_settled(app, ":35t<Enter>h");
    close_app(app);
    remove(path);
}

/* Keys act before anything is on the screen: the order can be changed, and there are no rows. */
Test(tui_snapshot, keys_before_the_first_layout)
{
    struct tt_app *app = open_app_in(DEMO, "events");
    cr_assert(tt_grid_resize(&app->ws.term.grid, 30, 8));
    type_keys(app, "7");
    enum tt_snapshot_column before = state_of(app)->sort;
    type_keys(app, "ooO");
    cr_expect_eq(state_of(app)->sort, before);
    type_keys(app, "jkGgHLbB[].,nN<Enter>");
    app->ws.nav.view = TT_VIEW_SNAPSHOT;
    cr_assert(tt_grid_resize(&app->ws.term.grid, 120, 40));
    type_settled(app, "o");
    cr_expect_neq(state_of(app)->sort, before);
    close_app(app);
}
