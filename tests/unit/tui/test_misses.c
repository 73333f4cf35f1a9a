/* SPDX-License-Identifier: Apache-2.0 */
/* The list of missed deadlines: its rows are the misses of the model, in both orders; its keys. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/app/view.h"

#define LIMITS ":deadline sensor/1=150us,/^fusion/=200us<Enter>"
#define LIST   ":deadline<Enter>"

/* Returns the line under the cursor, as `y` copies it. */
static const char *chosen(struct tt_app *app, char buffer[512])
{
    struct tt_text text = tt_text_of(buffer, 512);
    void *state = app->overlay_states[TT_OVERLAY_MISSES];
    const struct tt_list_pages pages = {state, &app->ws, state,
                                        tt_overlays[TT_OVERLAY_MISSES]->draw};
    tt_list_copy(&pages, 0, &text);
    return tt_text_cstr(&text);
}

static struct tt_app *open_list(void)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "threads");
    type_settled(app, LIMITS LIST);
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_MISSES);
    return app;
}

Test(tui_misses, lists_each_miss_in_both_orders)
{
    struct tt_app *app = open_list();
    char first[512], line[512];
    cr_assert_eq(app->ws.jobs.count, 5);
    cr_assert(app->ws.jobs.complete);
    cr_expect_eq(screen_line(app, "5 of 41 jobs missed the deadline"), 1);
    cr_expect_eq(screen_line(app, "so far"), -1);
    cr_expect_eq(screen_line(app, "1.532 ms   1.732 ms   200.0 us  0.026 900 137     fusion/1"), 3);
    cr_expect_eq(screen_line(app, "1.806 us   151.8 us   150.0 us  0.039 927 440     sensor/1"), 7);
    chosen(app, first);
    cr_expect(strstr(first, "1.732 ms"));
    /* The cursor stays on the miss while the order changes. */
    type_settled(app, "lllo");
    cr_expect_eq(screen_line(app, "4.515 us   154.5 us"), 3, "the first of all");
    cr_expect_geq(screen_line(app, "begin of the job: When the thread became ready"), 20);
    cr_expect_str_eq(chosen(app, line), first);
    type_settled(app, "hhhoG");
    cr_expect(strstr(chosen(app, line), "151.8"));
    type_settled(app, "gj");
    cr_expect(strstr(chosen(app, line), "515.2"));
    close_app(app);
}

Test(tui_misses, keys_go_to_a_miss_and_explain_it)
{
    struct tt_app *app = open_list();
    const struct tt_miss *late = &app->ws.jobs.misses[0];
    for (size_t i = 0; i < app->ws.jobs.count; i++) {
        const struct tt_miss *m = &app->ws.jobs.misses[i];
        late = m->end - m->deadline > late->end - late->deadline ? m : late;
    }
    struct tt_miss longest = *late;
    type_settled(app, "<Enter>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    cr_expect_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_expect_eq(app->ws.nav.lane.thread, longest.thread);
    cr_expect_eq(app->ws.nav.viewport.at, longest.deadline);
    cr_expect_eq(app->ws.nav.viewport.anchor, longest.ready);
    cr_expect_eq(app->ws.nav.viewport.other, longest.end);
    type_settled(app, LIST "b");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_WHY);
    close_app(app);
}

static void press(struct tt_app *app, int line)
{
    tt_app_mouse(app, &(struct tt_mouse){.kind = TT_MOUSE_PRESS,
                                         .x = app->ws.term.body.x + 5,
                                         .y = app->ws.term.body.y + line});
}

Test(tui_misses, a_click_chooses_and_a_file_has_all)
{
    struct tt_app *app = open_list();
    const struct tt_view *view = tt_overlays[TT_OVERLAY_MISSES];
    void *state = app->overlay_states[TT_OVERLAY_MISSES];
    char line[512], what[64], row[512];
    press(app, 4);
    cr_expect(strstr(chosen(app, line), "160.7"));
    press(app, 40);
    cr_expect(strstr(chosen(app, line), "160.7"), "below the list");
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_text text = tt_text_of(what, sizeof what);
    struct tt_status status = tt_rows_write(&app->ws, state, view->rows, file, "misses.csv", &text);
    cr_assert(!tt_failed(&status));
    cr_expect_str_eq(tt_text_cstr(&text), "5 rows");
    rewind(file);
    cr_assert(fgets(row, sizeof row, file));
    cr_expect_str_eq(row, "thread,ready_ns,end_ns,response_ns,deadline_ns,over_ns\n");
    for (int i = 0; i < 5; i++) {
        unsigned long long ready, end, response, deadline, over;
        cr_assert(fgets(row, sizeof row, file));
        cr_assert_eq(sscanf(strchr(row, ','), ",%llu,%llu,%llu,%llu,%llu", &ready, &end, &response,
                            &deadline, &over),
                     5);
        cr_expect_eq(response, end - ready);
        cr_expect_eq(over, response - deadline);
    }
    cr_expect_null(fgets(row, sizeof row, file));
    fclose(file);
    type_settled(app, "w<Esc>");
    close_app(app);
}

Test(tui_misses, other_deadlines_change_the_list)
{
    struct tt_app *app = open_list();
    type_settled(app, ":deadline sensor/1=150us<Enter>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_MISSES);
    cr_expect_eq(screen_line(app, "fusion/1"), -1);
    cr_expect_eq(screen_line(app, "160.7 us"), 3);
    type_settled(app, ":deadline sensor/1=1s<Enter>");
    cr_expect_eq(screen_line(app, "no job missed its deadline"), 3);
    type_settled(app, "<Enter>bjo");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_MISSES, "there is no place to go to");
    /* A search that is not complete counts so far. */
    type_settled(app, LIMITS);
    app->ws.jobs.complete = false; /* a frame would complete it */
    tt_overlays[TT_OVERLAY_MISSES]->draw(&app->ws, app->overlay_states[TT_OVERLAY_MISSES],
                                         app->ws.term.body);
    cr_expect_geq(screen_line(app, "so far"), 1);
    app->ws.jobs.complete = true;
    type_settled(app, "<Esc>:deadline none<Enter>" LIST);
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    close_app(app);
}

/* The screen and a written file name the misses that are counted and not listed. */
Test(tui_misses, a_limited_list_names_its_limit)
{
    struct tt_app *app = open_list();
    char what[128];
    struct tt_text text = tt_text_of(what, sizeof what);
    app->ws.jobs.missed += 1000;
    tt_app_draw(app);
    cr_expect_geq(screen_line(app, "listed: the first 5, thread by thread"), 0);
    cr_expect_eq(screen_line(app, "1,005 of 41 jobs missed the deadline"), 1);
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_status status = tt_rows_write(&app->ws, app->overlay_states[TT_OVERLAY_MISSES],
                                            tt_overlays[TT_OVERLAY_MISSES]->rows, file, "", &text);
    cr_assert_not(tt_failed(&status));
    cr_expect_str_eq(tt_text_cstr(&text), "5 rows, only the first 5 of 1,005, thread by thread");
    fclose(file);
    close_app(app);
}
