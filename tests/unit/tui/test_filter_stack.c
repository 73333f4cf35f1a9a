/* SPDX-License-Identifier: Apache-2.0 */
/* The stack of filters, compared with dumps of each filter. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/model/visible_rows.h"

static struct tt_app *app;
static const char *const paths[] = {"samples/demo.kev"};
static struct tt_tui_options options;

static void setup(void)
{
    options = (struct tt_tui_options){.paths = paths, .path_count = 1, .view = "events"};
    app = malloc(sizeof *app);
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    tt_event_loop_settle(app);
}

static void teardown(void)
{
    tt_app_close(app);
    free(app);
}

TestSuite(tui_filters, .init = setup, .fini = teardown);

/* Returns the rows that one filter matches alone. */
static bool *rows_of(const char *text)
{
    struct tt_filter_target in = tt_find_target(&app->ws);
    struct tt_filter_run *run;
    struct tt_filter_error error;
    cr_assert(tt_filter_run_new(text, &in, &run, &error), "%s", error.status.text);
    bool *rows = calloc(app->ws.index.rows, sizeof *rows);
    for (uint64_t row = 0; row < app->ws.index.rows; row++) {
        rows[row] = tt_row_set_has(tt_filter_run_rows(run), row);
    }
    struct tt_filter_run_bin bin = {NULL};
    tt_filter_run_discard(&bin, run);
    tt_filter_run_bin_free(&bin);
    return rows;
}

static unsigned add(enum tt_use use, const char *text)
{
    struct tt_filter_target in = tt_find_target(&app->ws);
    struct tt_filter_error error;
    unsigned number = tt_filter_stack_add(&app->ws.filters.stack, &in, use, text, &error);
    cr_assert_lt(number, TT_FILTERS, "%s", error.status.text);
    tt_find_settle(app);
    return number;
}

/* Count, rank and row of the list equal those of a plain list. */
static void check(const bool *want)
{
    uint64_t rank = 0;
    for (uint64_t row = 0; row < app->ws.index.rows; row++) {
        cr_assert_eq(tt_visible_has(&app->ws, row), want[row], "row %d", (int)row);
        cr_assert_eq(tt_visible_rank(&app->ws, row), rank);
        if (want[row]) {
            cr_assert_eq(tt_visible_row(&app->ws, rank), row);
            rank++;
        }
    }
    cr_assert_eq(tt_visible_count(&app->ws), rank);
    cr_assert_eq(tt_visible_row(&app->ws, rank), UINT64_MAX);
}

static void nobody_sleeps(void *arg)
{
    (void)arg;
}

/* A key that acts on the list waits until the matches are in it, not only until they are found. */
Test(tui_filters, results_are_not_settled_before_they_are_shown)
{
    struct tt_filter_stack *f = &app->ws.filters.stack;
    struct tt_filter_error error;
    bool *cpu = rows_of("cpu = 1");
    app->ws.index.notify = nobody_sleeps;
    struct tt_filter_target in = tt_find_target(&app->ws);
    unsigned number = tt_filter_stack_add(f, &in, TT_USE_INCLUDE, "cpu = 1", &error);
    cr_assert_lt(number, TT_FILTERS);
    tt_filter_run_wait(f->stack[number].run);
    cr_assert_not(tt_app_settled(app), "it is found, and not shown");
    while (!tt_app_settled(app)) {
        tt_app_update(app);
    }
    check(cpu);
    /* The replacement is taken during combining: this is not the last update. */
    cr_assert(tt_filter_run_new("cpu = 1", &in, &f->stack[number].candidate, &error));
    tt_filter_run_wait(f->stack[number].candidate);
    tt_app_update(app);
    cr_assert(tt_app_settled(app) || app->ws.filters.find.more, "a later update follows");
    tt_app_update(app);
    cr_assert(tt_app_settled(app));
    tt_filter_stack_enable(f, number, false);
    cr_assert_not(tt_app_settled(app), "all is shown from the next update on");
    tt_app_update(app);
    cr_assert(tt_app_settled(app));
    cr_assert_eq(tt_visible_count(&app->ws), app->ws.index.rows);
    app->ws.index.notify = NULL;
    free(cpu);
}

Test(tui_filters, events_match_every_include_and_no_exclude)
{
    bool *cpu = rows_of("cpu in 0..1"), *state = rows_of("state = READY"),
         *message = rows_of("/MSG_/");
    bool *want = calloc(app->ws.index.rows, sizeof *want);
    memset(want, 1, app->ws.index.rows);
    check(want);
    unsigned first = add(TT_USE_INCLUDE, "cpu in 0..1");
    check(cpu);
    unsigned second = add(TT_USE_EXCLUDE, "/MSG_/");
    add(TT_USE_HIGHLIGHT, "state = READY");
    for (uint64_t row = 0; row < app->ws.index.rows; row++) {
        want[row] = cpu[row] && !message[row];
        cr_assert_eq(tt_filter_stack_highlighted(&app->ws.filters.stack, row), state[row]);
    }
    check(want);
    tt_filter_stack_set_use(&app->ws.filters.stack, 2, TT_USE_INCLUDE);
    tt_find_settle(app);
    for (uint64_t row = 0; row < app->ws.index.rows; row++) {
        want[row] = cpu[row] && !message[row] && state[row];
    }
    check(want);
    tt_filter_stack_enable(&app->ws.filters.stack, first, false);
    tt_filter_stack_enable(&app->ws.filters.stack, second, false);
    tt_find_settle(app);
    check(state);
    cr_assert_eq(tt_filter_stack_shift(&app->ws.filters.stack, 2, true), 1);
    cr_assert_str_eq(app->ws.filters.stack.stack[1].text, "state = READY");
    tt_filter_stack_remove(&app->ws.filters.stack, 1);
    tt_find_settle(app);
    memset(want, 1, app->ws.index.rows);
    check(want);
    free(cpu);
    free(state);
    free(message);
    free(want);
}

static void type(const char *keys)
{
    tt_event_loop_type(app, keys);
    tt_app_draw(app);
}

Test(tui_filters, every_key_moves_among_the_shown_events)
{
    static const char *const keys[] = {
        "j", "k", "<PgDn>", "<PgUp>", "<C-d>", "<C-u>",        "G",           "g", "J",
        "K", "L", "H",      "}",      "{",     ":1700<Enter>", ":50%<Enter>", "n", "N"};
    bool *want = rows_of("thread ~ /^io-/ or cpu = 3");
    type("fthread ~ /^io-/ or cpu = 3<Enter>");
    check(want);
    type("/pid=4100<Enter>");
    uint32_t seed = 1;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345u;
        type(keys[(seed >> 16) % (sizeof keys / sizeof *keys)]);
        cr_assert(want[app->ws.nav.cursor.row], "row %d is filtered out",
                  (int)app->ws.nav.cursor.row);
    }
    free(want);
}

Test(tui_filters, up_and_down_move_by_rank)
{
    bool *want = rows_of("REC_MESSAGE");
    type("fREC_MESSAGE<Enter>g");
    uint64_t row = 0;
    while (!want[row]) {
        row++;
    }
    for (int step = 0; step < 20; step++) {
        cr_assert_eq(app->ws.nav.cursor.row, row);
        for (row++; !want[row]; row++) {
        }
        type("j");
    }
    type("k");
    for (row--; !want[row]; row--) {
    }
    cr_assert_eq(app->ws.nav.cursor.row, row);
    free(want);
}

Test(tui_filters, the_cursor_moves_to_the_nearest_event_and_back)
{
    type(":1700<Enter>");
    uint64_t row = app->ws.nav.cursor.row;
    bool *want = rows_of("REC_MESSAGE");
    uint64_t up = row, down = row;
    while (!want[up]) {
        up--;
    }
    while (!want[down]) {
        down++;
    }
    type("fREC_MESSAGE");
    cr_assert_eq(app->ws.nav.cursor.row, row - up < down - row ? up : down);
    type("<Esc>");
    cr_assert_eq(app->ws.nav.cursor.row, row);
    cr_assert_eq(tt_visible_count(&app->ws), app->ws.index.rows);
    free(want);
}

Test(tui_filters, an_invalid_text_keeps_the_last_valid_filter)
{
    static const char *const wrong[] = {"a(b", "cpu = x", "state = NOSUCH", "time > 5",
                                        "cpu in 3..1"};
    bool *want = rows_of("cpu = 1");
    type("fcpu = 1<Enter>");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        type("&cpu = 1<C-u>");
        tt_line_edit_set(&app->prompt.line, "cpu = 1");
        type(" ");
        tt_line_edit_set(&app->prompt.line, wrong[i]);
        type(" <BS>");
        cr_assert_neq(app->prompt.line.error[0], '\0', "%s", wrong[i]);
        check(want);
        type("<Enter>");
        cr_assert(app->prompt.line.open, "%s was taken", wrong[i]);
        type("<Esc>");
        check(want);
    }
    type("&<Enter>");
    cr_assert_eq(tt_visible_count(&app->ws), app->ws.index.rows);
    cr_assert_eq(app->ws.filters.stack.count, 0u);
    free(want);
}

Test(tui_filters, another_capture_keeps_the_filters)
{
    static const char *const two[] = {"samples/demo.kev", "samples/demo.fxt"};
    tt_app_close(app);
    options.paths = two;
    options.path_count = 2;
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status));
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    type("fcpu = 1<Enter>");
    uint64_t first = tt_visible_count(&app->ws);
    type("<C-n>");
    bool *want = rows_of("cpu = 1");
    check(want);
    free(want);
    type("<C-p>");
    cr_assert_eq(tt_visible_count(&app->ws), first);
}
