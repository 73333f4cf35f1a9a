/* SPDX-License-Identifier: Apache-2.0 */
/* The Diff pane: another capture, a baseline, two ranges; the places of both sides. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "compare/comparison_text.h"
#include "open_app.h"
#include "table/registry.h"
#include "tui/app/event_loop.h"

#define DEMO "samples/demo.kev"

static bool is_open(const struct tt_app *app, const char *path)
{
    return strcmp(tt_trace_path(app->ws.opened.trace), path) == 0;
}

Test(tui_diff, another_capture)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff<Enter>");
    cr_expect(screen_shows(app, "nothing to compare with: :diff FILE"));
    type_settled(app, ":diff samples/fast1.kev<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_DIFF);
    cr_expect(screen_shows(app, "A: fast1.kev  B: demo.kev"));
    cr_expect(screen_shows(app, "of 4 rows changed"));
    type_settled(app, "o");
    cr_expect(screen_shows(app, "verdict"));
    cr_expect(screen_shows(app, "new"));
    size_t lines = tt_overlays[TT_OVERLAY_DIFF]->list(app->overlay_states[TT_OVERLAY_DIFF])->count;
    cr_expect_gt(lines, 20);
    type_settled(app, "G");
    cr_expect(screen_shows(app, "gone"));
    type_settled(app, "g");
    /* A new row has a place in B only. */
    type_settled(app, "<Enter>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    cr_expect(screen_shows(app, " in B; :diff returns"));
    cr_expect(is_open(app, DEMO));
    /* A row that is gone has a place in A only, the capture of which is opened. */
    type_settled(app, ":diff<Enter>G<Enter>");
    cr_expect(is_open(app, "samples/fast1.kev"));
    cr_expect(screen_shows(app, " in A; :diff returns"));
    /* So it is from a third capture. */
    type_settled(app, ":open samples/demo.trx<Enter>:diff<Enter><Enter>");
    cr_expect(is_open(app, "samples/fast1.kev"));
    cr_expect_eq(app->files.path_count, 3);
    tt_app_close(app);
    free(app);
}

Test(tui_diff, enter_opens_both_sides_in_turn)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff cpu samples/fast1.kev<Enter>");
    cr_expect(screen_shows(app, "] table"));
    type_settled(app, "<Enter>");
    cr_expect(is_open(app, "samples/fast1.kev"));
    cr_expect(screen_shows(app, "CPU 0 in A; :diff returns, Enter goes to the other side"));
    type_settled(app, ":diff<Enter><Enter>");
    cr_expect(is_open(app, DEMO));
    cr_expect(screen_shows(app, "CPU 0 in B; :diff returns, Enter goes to the other side"));
    type_settled(app, ":diff<Enter><Enter>");
    cr_expect(is_open(app, "samples/fast1.kev"));
    tt_app_close(app);
    free(app);
}

static void no_notice(void *arg)
{
    (void)arg;
}

static void wait_for_index(struct tt_app *app)
{
    while (!app->ws.index.progress.finished) {
        tt_app_update(app);
    }
    tt_event_loop_settle(app);
}

/* Captures are indexed in the background, and have sessions that set the view. */
Test(tui_diff, the_place_follows_the_index, ALONE)
{
    char state[] = "/tmp/tracetui-state-XXXXXX", command[60];
    cr_assert(mkdtemp(state) && setenv("XDG_STATE_HOME", state, 1) == 0);
    struct tt_app *app = open_app(DEMO);
    app->ws.index.notify = no_notice;
    app->keeps_session = true;
    type_settled(app, "2"); /* a view that the session keeps */
    type_settled(app, ":diff cpu samples/fast1.kev<Enter>");
    for (int i = 0; i < 4; i++) {
        type_settled(app, ":diff<Enter><Enter>");
        wait_for_index(app);
        cr_expect(is_open(app, i % 2 == 0 ? "samples/fast1.kev" : DEMO), "%d", i);
        cr_expect_eq(app->ws.nav.view, TT_VIEW_CPUS, "%d", i);
        cr_expect(screen_shows(app, i % 2 == 0 ? "CPU 0 in A" : "CPU 0 in B"), "%d", i);
    }
    tt_app_close(app);
    free(app);
    snprintf(command, sizeof command, "rm -rf %s", state);
    cr_assert_eq(system(command), 0);
}

Test(tui_diff, brackets_change_the_table)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff samples/fast1.kev<Enter>]");
    cr_expect(screen_shows(app, "CPU 0"));
    cr_expect(screen_shows(app, "1 of 1 row changed"));
    type_settled(app, "[");
    cr_expect(screen_shows(app, "of 4 rows changed"));
    int tables = 0;
    for (size_t i = 0; tt_table_at(i); i++) {
        tables += tt_baseline_has(tt_table_at(i));
    }
    for (int i = 0; i < tables; i++) {
        cr_expect(i == 0 || app->ws.comparing->table != &tt_table_threads, "%d", i);
        type_settled(app, "[");
        cr_expect(app->ws.comparing->complete, "%d", i);
    }
    cr_expect_eq(app->ws.comparing->table, &tt_table_threads);
    /* The sides stay the same when the capture of A, or a third one, is open. */
    type_settled(app, "]<Enter>:diff<Enter>]");
    cr_expect(is_open(app, "samples/fast1.kev"));
    cr_expect(screen_shows(app, "A: fast1.kev  B: demo.kev"));
    type_settled(app, "[");
    cr_expect(screen_shows(app, "1 of 1 row changed"));
    type_settled(app, ":open samples/demo.trx<Enter>:diff<Enter>][");
    cr_expect(screen_shows(app, "1 of 1 row changed"));
    tt_app_close(app);
    free(app);
}

Test(tui_diff, two_ranges)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff cpu 0..20% 50%..100%<Enter>");
    cr_expect(screen_shows(app, "CPU 3"));
    cr_expect(screen_shows(app, "1 of 4 rows changed"));
    type_settled(app, "<Enter>");
    cr_expect(screen_shows(app, "CPU 3 in A; :diff returns, Enter goes to the other side"));
    type_settled(app, ":diff<Enter><Enter>");
    cr_expect(screen_shows(app, "CPU 3 in B; :diff returns, Enter goes to the other side"));
    type_settled(app, ":diff 10%..20% 30%..30%<Enter>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    type_settled(app, ":diff 0..100%<Enter>o");
    cr_expect(screen_shows(app, "B: all"));
    cr_expect(screen_shows(app, "no row changed by more than it varies") ||
              screen_shows(app, "A and B are equal"));
    type_settled(app, "<Esc>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    tt_app_close(app);
    free(app);
}

/* The table: a row for each row, A, B and the change of several values beside each other. */
Test(tui_diff, rows_and_values_as_a_table)
{
    struct tt_app *app = open_app(DEMO);
    char line[200], number[40];
    type_settled(app, ":diff cpu 0..20% 50%..100%<Enter>");
    const struct tt_comparing *c = app->ws.comparing;
    cr_expect(screen_shows(app, "busy %"));
    cr_expect(screen_shows(app, "irq %"));
    size_t count;
    const struct tt_comparison_change *changes = tt_comparison_changes(c->comparison, &count);
    struct tt_text text = tt_text_of(number, sizeof number);
    tt_comparison_put_short(&text, tt_comparison_side_a(c->comparison), changes[0].measure,
                            changes[0].a, 8);
    snprintf(line, sizeof line, "  %s   77.271 +116.0 %% !!", number);
    cr_expect(screen_shows(app, line), "%s", line);
    cr_expect(screen_shows(app, "CPU 3: busy 35.770 % -> 77.271 %, worse, p 0.0"));
    cr_expect(screen_shows(app, "CPU 0")); /* a row that did not change */
    /* The columns; all values are reachable. */
    type_settled(app, "l");
    cr_expect(screen_shows(app, "CPU 3: irq "));
    type_settled(app, "llllllll");
    cr_expect(screen_shows(app, "CPU 3: irq count "));
    cr_expect_not(screen_shows(app, "busy %"));
    type_settled(app, "h");
    cr_expect(screen_shows(app, "CPU 3: switches "));
    type_settled(app, "j");
    cr_expect(screen_shows(app, ": switches "));
    cr_expect_not(screen_shows(app, "CPU 3: switches "));
    /* The mouse selects a row and a value. */
    type_settled(app, "hhhhhhh");
    tt_app_mouse(app, &(struct tt_mouse){.kind = TT_MOUSE_PRESS,
                                         .x = app->ws.term.body.x + 60,
                                         .y = app->ws.term.body.y + 3});
    cr_expect(screen_shows(app, "CPU 3: irq "));
    /* Enter goes to the places of the selected value. */
    type_settled(app, "h<Enter>");
    cr_expect(screen_shows(app, "CPU 3 in A; :diff returns, Enter goes to the other side"));
    /* It is the busiest block of A: busy is the first value of the table. */
    const struct tt_baseline *side = tt_comparison_side_a(c->comparison);
    uint32_t most = 0;
    for (uint32_t i = 1; i < side->block_count; i++) {
        most = changes[0].row_a->blocks[i] > changes[0].row_a->blocks[most] ? i : most;
    }
    cr_expect_eq(app->ws.nav.viewport.at, tt_baseline_block_begin(side, most));
    type_settled(app, ":diff<Enter>");
    cr_expect(screen_shows(app, "CPU 3: busy "));
    type_settled(app, "<Enter>");
    cr_expect(screen_shows(app, "CPU 3 in B; :diff returns, Enter goes to the other side"));
    cr_expect_geq(app->ws.nav.viewport.at, c->keys_b.from_ticks);
    /* Rows of one side, and all widths. */
    type_settled(app, ":diff samples/fast1.kev<Enter>");
    cr_expect(screen_shows(app, "new"));
    for (int width = 40; width <= 200; width += 20) {
        cr_assert(tt_grid_resize(&app->ws.term.grid, width, 24));
        app->stale = true;
        cr_expect(screen_shows(app, "change"), "%d", width);
    }
    tt_app_close(app);
    free(app);
}

Test(tui_diff, the_selection_against_what_is_before_or_after_it)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":diff before<Enter>");
    cr_expect(screen_shows(app, "no selection (press v, or V for two marks)"));
    type_settled(app, ":50%<Enter>ma:70%<Enter>mbV:diff cpu before<Enter>");
    cr_expect(screen_shows(app, "A: 0.000 000 000..0.025"));
    cr_expect_eq(app->ws.comparing->keys_a.to_ticks, app->ws.comparing->keys_b.from_ticks);
    type_settled(app, ":diff cpu after<Enter>");
    cr_expect_eq(app->ws.comparing->keys_a.from_ticks, app->ws.comparing->keys_b.to_ticks);
    cr_expect(app->ws.comparing->complete);
    tt_app_close(app);
    free(app);
    app = open_app(DEMO);
    type_settled(app, ":0<Enter>ma:70%<Enter>mbV:diff before<Enter>");
    cr_expect(screen_shows(app, "nothing is before the selection"));
    tt_app_close(app);
    free(app);
}

Test(tui_diff, a_baseline_and_errors)
{
    char path[] = "/tmp/tracetui-baseline-XXXXXX", keys[120];
    struct tt_app *app = open_app(DEMO);
    struct tt_baseline_request request = {.table = &tt_table_cpus,
                                          .trace = app->ws.opened.trace,
                                          .events = app->ws.opened.events,
                                          .keys = {.to_ticks = UINT64_MAX},
                                          .block = 1000000,
                                          .block_most = TT_BASELINE_MOST};
    struct tt_baseline *baseline;
    bool complete;
    cr_assert(close(mkstemp(path)) == 0);
    struct tt_status status = tt_baseline_begin(&baseline, &request);
    cr_assert_not(tt_failed(&status));
    status = tt_baseline_step(baseline, UINT64_MAX, &complete);
    cr_assert_not(tt_failed(&status));
    FILE *file = fopen(path, "w");
    struct tt_sink sink = tt_sink_of_file(file);
    tt_baseline_write(baseline, &sink);
    fclose(file);
    tt_baseline_free(baseline);
    snprintf(keys, sizeof keys, ":diff cpu %s<Enter>", path);
    type_settled(app, keys);
    cr_expect(screen_shows(app, "A and B are equal"));
    snprintf(keys, sizeof keys, ":diff thread %s<Enter>", path);
    type_settled(app, keys);
    cr_expect(screen_shows(app, "the baseline has no table 'thread'"));
    type_settled(app, "]");
    cr_expect(screen_shows(app, "A and B are equal"));
    /* A baseline has no places: Enter goes to B, or nowhere. */
    snprintf(keys, sizeof keys, "<Esc>:open samples/fast1.kev<Enter>:diff cpu %s<Enter><Enter>",
             path);
    type_settled(app, keys);
    cr_expect(screen_shows(app, "CPU 0 in B; :diff returns"));
    type_settled(app, ":diff<Enter>G<Enter>");
    cr_expect(screen_shows(app, "A is a baseline, which has no places; the row is not in B"));
    unlink(path);
    type_settled(app, "]");
    cr_expect(screen_shows(app, "No such file"));
    type_settled(app, ":diff missing.kev<Enter>");
    cr_expect(screen_shows(app, "No such file"));
    unlink(path);
    tt_app_close(app);
    free(app);
}
