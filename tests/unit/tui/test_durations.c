/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Durations of events: the same as in `stats --by event`, in the column of Events with and without a
 * filter, and in the list of the longest ones.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "open_app.h"
#include "tracetui/stats.h"
#include "tui/app/event_loop.h"
#include "tui/views/events/line.h"

static const char *const captures[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx",
                                       "samples/demo.btrace"};
#define CAPTURES (sizeof captures / sizeof *captures)

/* The durations of all events, by row; UINT64_MAX: none. */
struct whole {
    uint64_t *ticks;
    uint64_t rows, count, sum, max;
};

static bool all(void *arg, const struct tt_event *event, uint64_t row)
{
    (void)arg;
    (void)event;
    (void)row;
    return true;
}

static void take(void *arg, uint64_t row, uint64_t ticks)
{
    struct whole *w = arg;
    cr_assert_lt(row, w->rows);
    cr_assert_eq(w->ticks[row], UINT64_MAX, "row %llu twice", (unsigned long long)row);
    w->ticks[row] = ticks;
    w->count++;
    w->sum += ticks;
    w->max = ticks > w->max ? ticks : w->max;
}

static struct whole walk(struct tt_app *app)
{
    struct tt_events *events = tt_events_new(app->ws.opened.trace);
    struct tt_duration_walk *d = tt_duration_walk_new(app->ws.opened.trace);
    struct whole w = {.rows = app->ws.index.rows};
    const struct tt_duration_sink sink = {all, take, &w, TT_EDGES_ALL};
    w.ticks = malloc((size_t)w.rows * sizeof *w.ticks);
    cr_assert(events && d && w.ticks);
    memset(w.ticks, 0xff, (size_t)w.rows * sizeof *w.ticks);
    struct tt_status status = tt_ok();
    uint32_t count = 1;
    for (uint64_t row = 0; count > 0; row += count) {
        count = tt_duration_walk_step(d, events, row, w.rows - row, &sink, &status);
        cr_assert_not(tt_failed(&status));
    }
    tt_duration_walk_free(d);
    tt_events_free(events);
    return w;
}

Test(tui_durations, are_those_of_the_statistics)
{
    for (size_t i = 0; i < CAPTURES; i++) {
        struct tt_app *app = open_app(captures[i]);
        struct whole w = walk(app);
        struct tt_event_window window = {.end_row = w.rows, .to = UINT64_MAX};
        struct tt_events *events = tt_events_new(app->ws.opened.trace);
        struct tt_event_stats *s = tt_event_stats_new(app->ws.opened.trace, &window);
        bool done = false;
        cr_assert(events && s);
        while (!done) {
            struct tt_status status = tt_event_stats_step(s, events, 1000, &done);
            cr_assert_not(tt_failed(&status));
        }
        uint64_t count = 0, sum = 0, max = 0;
        for (size_t k = 0; k < tt_event_stats_count(s); k++) {
            struct tt_event_numbers n = tt_event_stats_counted(s, k);
            count += n.duration.count;
            sum += n.duration.sum;
            max = n.duration.count > 0 && n.duration.max > max ? n.duration.max : max;
        }
        cr_expect_gt(count, 0, "%s", captures[i]);
        cr_expect_eq(w.count, count, "%s", captures[i]);
        cr_expect_eq(w.sum, sum, "%s", captures[i]);
        cr_expect_eq(w.max, max, "%s", captures[i]);
        tt_event_stats_free(s);
        tt_events_free(events);
        free(w.ticks);
        close_app(app);
    }
}

/* Compares the durations of a screen with those of the walk over everything. */
static void compare_lines(struct tt_app *app, const struct whole *w, const uint64_t *rows,
                          uint32_t count)
{
    struct tt_event_durations d = {.walk = NULL};
    tt_event_durations_ask(&app->ws, &d, rows, count);
    while (!tt_event_durations_work(&app->ws, &d, 0)) {
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t ticks = 0;
        enum tt_duration_state state = tt_event_duration_of(&d, rows[i], &ticks);
        if (w->ticks[rows[i]] != UINT64_MAX) {
            cr_assert_eq(state, TT_DURATION_KNOWN, "row %llu", (unsigned long long)rows[i]);
            cr_assert_eq(ticks, w->ticks[rows[i]]);
        } else {
            cr_assert_neq(state, TT_DURATION_KNOWN);
        }
    }
    tt_event_durations_free(&d);
}

Test(tui_durations, of_lines_equal_those_of_a_walk_over_everything)
{
    for (size_t i = 0; i < CAPTURES; i++) {
        struct tt_app *app = open_app(captures[i]);
        struct whole w = walk(app);
        for (uint64_t step = 1; step < 60; step += 19) {
            for (uint64_t first = 0; first < w.rows; first += 301) {
                uint64_t rows[40];
                uint32_t count = 0;
                for (uint64_t row = first; count < 40 && row < w.rows; row += step) {
                    rows[count++] = row;
                }
                compare_lines(app, &w, rows, count);
            }
        }
        free(w.ticks);
        close_app(app);
    }
}

Test(tui_durations, a_column_of_wide_screens)
{
    struct tt_app *app = open_app("samples/demo.kev");
    type_settled(app, ":27.8ms<Enter>");
    cr_expect_not(screen_shows(app, "dur C"));
    cr_assert(tt_grid_resize(&app->ws.term.grid, 110, 30));
    type_settled(app, "");
    cr_expect(screen_shows(app, "dur C"));
    cr_expect(screen_shows(app, "1.096 ms 1 ~netmgr/2 worker KER_CALL   MSG_SENDV"));
    cr_expect(screen_shows(app, "         1  netmgr/2 worker THREAD     THREPLY"));
    close_app(app);
}

Test(tui_durations, the_longest_of_a_filter_are_sorted)
{
    struct tt_app *app = open_app("samples/demo.kev");
    struct whole w = walk(app);
    type_settled(app, "o");
    uint64_t last = w.ticks[app->ws.nav.cursor.row];
    cr_assert_eq(last, w.max);
    for (unsigned i = 0; i < 100; i++) {
        type_settled(app, "j");
        uint64_t ticks = w.ticks[app->ws.nav.cursor.row];
        cr_assert_leq(ticks, last);
        last = ticks;
    }
    type_settled(app, "fevent = MSG_SENDV<Enter>g");
    cr_assert(screen_shows(app, "2.146 ms 1 ~logger/1 writer"));
    cr_assert_eq(app->ws.nav.cursor.event.kind, TT_KIND_ENTER);
    type_settled(app, "G");
    uint64_t end = app->ws.nav.cursor.row;
    cr_assert_neq(w.ticks[end], UINT64_MAX);
    type_settled(app, "<PgUp><PgDn>");
    cr_assert_eq(app->ws.nav.cursor.row, end);
    /* By time again, with the cursor on the same event. */
    type_settled(app, "o");
    cr_assert_eq(app->ws.nav.cursor.row, end);
    cr_assert_not(screen_shows(app, "vdur"));
    /* A jump to an event outside the list ends it. */
    type_settled(app, "f<C-u><Enter>o");
    cr_assert(screen_shows(app, "vdur"));
    type_settled(app, ":#1<Enter>");
    cr_assert_not(screen_shows(app, "vdur"));
    free(w.ticks);
    close_app(app);
}

Test(tui_durations, no_event_has_one)
{
    struct tt_app *app = open_app("samples/demo.kev");
    type_settled(app, "fevent = THRUNNING<Enter>o");
    cr_assert(screen_shows(app, "no event here has a duration"));
    type_settled(app, "ojk");
    cr_assert_not(screen_shows(app, "no event here has a duration"));
    close_app(app);
}
