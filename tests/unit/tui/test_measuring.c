/* SPDX-License-Identifier: Apache-2.0 */
/* The plots of the Measure pane: their samples are those of the measurement; their keys. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/app/view.h"
#include "tui/panes/measure.h"
#include "tui/plot/pane.h"

#define PAIRS     ":measure kind = enter -> kind = exit --same thread<Enter>"
#define REACTIONS ":measure --interrupt 0x23 --thread sensor/2<Enter>"

static const struct tt_measure_pane *pane_of(const struct tt_app *app)
{
    return app->overlay_states[TT_OVERLAY_MEASURE];
}

/* Sums one column of the CSV that the pane writes; returns the number of lines. */
static unsigned sum_of(struct tt_app *app, unsigned column, uint64_t *sum)
{
    const struct tt_view *view = tt_overlays[TT_OVERLAY_MEASURE];
    char line[512], what[64];
    struct tt_text text = tt_text_of(what, sizeof what);
    unsigned lines = 0;
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_status status =
        view->write(&app->ws, app->overlay_states[TT_OVERLAY_MEASURE], file, "", &text);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    rewind(file);
    *sum = 0;
    for (; fgets(line, sizeof line, file); lines++) {
        const char *field = line;
        for (unsigned i = 0; i < column; i++) {
            field = strchr(field, ',');
            cr_assert_not_null(field);
            field++;
        }
        *sum += lines > 0 ? strtoull(field, NULL, 10) : 0;
    }
    fclose(file);
    return lines;
}

Test(tui_measuring, each_plot_has_the_samples_of_the_measurement)
{
    static const char *const commands[] = {PAIRS, REACTIONS};
    static const char *const titles[] = {" histogram", " over time", " per second"};
    for (size_t i = 0; i < 2; i++) {
        struct tt_app *app = open_app_in("samples/demo.kev", "threads");
        type_settled(app, commands[i]);
        uint64_t count = pane_of(app)->result.length.count, sum;
        cr_assert_gt(count, 30);
        type_settled(app, "d");
        for (unsigned kind = 0; kind < 3; kind++) {
            cr_expect(screen_shows(app, titles[kind]), "%s", titles[kind]);
            cr_expect_gt(sum_of(app, 2, &sum), 5);
            cr_expect_eq(sum, count, "%s: %llu", titles[kind], (unsigned long long)sum);
            type_settled(app, "p");
        }
        cr_expect(screen_shows(app, titles[0]), "the first one again");
        type_settled(app, "<Esc>");
        cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_MEASURE, "Esc closes the plot,");
        cr_expect_eq(sum_of(app, 0, &sum), count + 1, "the list is written again,");
        type_settled(app, "<Esc>");
        cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE, "then the pane");
        close_app(app);
    }
}

Test(tui_measuring, enter_goes_to_the_sample_at_the_cursor_of_the_plot)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "events");
    type_settled(app, REACTIONS "dp0.");
    uint64_t first = UINT64_MAX, from = 0;
    for (size_t i = 0; i < pane_of(app)->count; i++) {
        const struct tt_measured *one = &pane_of(app)->longest[i];
        from = one->to < first ? one->from : from;
        first = one->to < first ? one->to : first;
    }
    cr_expect_eq(app->ws.nav.viewport.at, first);
    type_settled(app, "<Enter>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    cr_expect_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_expect_eq(app->ws.nav.viewport.anchor, from);
    cr_expect_eq(app->ws.nav.viewport.other, first);
    /* After a line of the list was chosen, Enter goes to that one. */
    struct tt_measured second = pane_of(app)->longest[1];
    type_settled(app, ":measure<Enter>.j<Enter>");
    cr_expect_eq(app->ws.nav.viewport.anchor, second.from);
    cr_expect_eq(app->ws.nav.viewport.other, second.to);
    close_app(app);
}

Test(tui_measuring, a_new_measurement_has_a_new_plot)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "events");
    uint64_t sum;
    type_settled(app, PAIRS "d" REACTIONS);
    sum_of(app, 2, &sum);
    cr_expect_eq(sum, pane_of(app)->result.length.count);
    const struct tt_view *view = tt_overlays[TT_OVERLAY_MEASURE];
    void *state = app->overlay_states[TT_OVERLAY_MEASURE];
    type_settled(app, "pzx");
    cr_expect(screen_shows(app, "over time, log scale"));
    view->click(&app->ws, state, TT_PLOT_GUTTER, 10);
    cr_expect_eq(app->ws.nav.viewport.at, app->ws.index.progress.first_ticks);
    type_settled(app, ":measure kind = enter and kind = exit -> kind = exit<Enter>");
    cr_expect(screen_shows(app, "no samples in this range"));
    close_app(app);
}

Test(tui_measuring, a_plot_that_is_asked_for_in_the_next_frame_needs_no_work)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "events");
    const struct tt_view *view = tt_overlays[TT_OVERLAY_MEASURE];
    type_settled(app, PAIRS "d");
    void *state = app->overlay_states[TT_OVERLAY_MEASURE];
    const char *result;
    struct tt_status status = tt_overlays[TT_OVERLAY_MEASURE]->begin(
        &app->ws, state, "--interrupt 0x23 --thread sensor/2", &result);
    cr_assert_not(tt_failed(&status));
    while (!pane_of(app)->complete) {
        view->work(&app->ws, state, 1); /* without a frame */
    }
    cr_expect_not(view->work(&app->ws, state, 0), "the plot is of the previous measurement");
    cr_expect(view->work(&app->ws, state, 1000000), "but a frame comes first");
    tt_event_loop_settle(app);
    tt_app_draw(app);
    uint64_t sum;
    sum_of(app, 2, &sum);
    cr_expect_eq(sum, pane_of(app)->result.length.count);
    close_app(app);
}
