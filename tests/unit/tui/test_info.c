/* SPDX-License-Identifier: Apache-2.0 */
/* The header of the screen, and the title above the first line of a section of Info. */
#include <criterion/criterion.h>
#include <string.h>

#include "open_app.h"
#include "tui/views/info/view.h"

#define DEMO "samples/demo.kev"

static void line_of(const struct tt_app *app, int y, char *line, size_t room)
{
    size_t used = 0;
    for (int x = 0; x < app->ws.term.grid.width && used + 1 < room; x++) {
        const struct tt_cell *cell = tt_grid_at(&app->ws.term.grid, x, y);
        line[used++] = (char)(cell->ch > 0 && cell->ch < 128 ? cell->ch : ' ');
    }
    line[used] = '\0';
}

Test(tui_info, the_header_counts_several_files)
{
    char line[300];
    struct tt_app *app = open_app_in(DEMO, "info");
    cr_assert(tt_grid_resize(&app->ws.term.grid, 200, 24));
    tt_app_update(app);
    tt_app_draw(app);
    line_of(app, 0, line, sizeof line);
    cr_expect_not_null(strstr(line, " ev "), "%s", line);
    cr_expect_null(strstr(line, "file "), "%s", line);
    size_t count = app->files.path_count;
    app->files.path_count = 3;
    tt_app_draw(app);
    line_of(app, 0, line, sizeof line);
    cr_expect_not_null(strstr(line, "file 1 of 3"), "%s", line);
    app->files.path_count = count;
    close_app(app);
}

/* The line above the first one on the screen is no title, unless a title is selected. */
Test(tui_info, a_title_is_shown_with_the_line_below_it)
{
    struct tt_app *app = open_app_in(DEMO, "info");
    const struct tt_info_view *v = app->view_states[TT_VIEW_INFO];
    unsigned titles = 0;
    tt_app_draw(app);
    type_keys(app, "G");
    tt_app_draw(app);
    cr_assert_gt(v->count, (uint32_t)v->list.lines + 5);
    while (v->list.at > 0) {
        size_t before = v->list.at;
        type_keys(app, "k");
        tt_app_draw(app);
        cr_assert_lt(v->list.at, before);
        cr_expect(v->list.top <= v->list.at && v->list.at < v->list.top + (uint32_t)v->list.lines);
        if (v->list.at > 0 && v->lines[v->list.at - 1].kind == TT_LINE_TITLE) {
            titles++;
            cr_expect_lt(v->list.top, v->list.at, "line %zu", v->list.at);
        } else if (v->list.top == v->list.at) {
            titles += 100;
        }
    }
    cr_expect_gt(titles, 100, "%u", titles);
    close_app(app);
}

/* A followed pipe may have a header and no event for a long time. */
Test(tui_info, there_are_lines_before_the_first_event)
{
    struct tt_app *app = open_app_in(DEMO, "info");
    struct tt_info_view *v = tt_views[TT_VIEW_INFO]->open();
    cr_assert_not_null(v);
    app->ws.index.rows = 0;
    app->ws.index.progress.finished = false;
    tt_info_renew(&app->ws, v);
    cr_expect_gt(v->count, 10);
    tt_views[TT_VIEW_INFO]->close(v);
    close_app(app);
}

/* The times of health records are looked up in steps: each lookup decodes a block. */
Test(tui_info, the_times_of_health_records_are_looked_up_in_steps)
{
    struct tt_app *app = open_app_in(DEMO, "info");
    struct tt_info_view *v = tt_views[TT_VIEW_INFO]->open();
    unsigned found = 0, steps = 0;
    cr_assert_not_null(v);
    for (unsigned i = 0; i < 5; i++) {
        tt_health_add(app->ws.opened.capture, TT_HEALTH_LOST, 20000, 0, i, NULL);
    }
    tt_info_renew(&app->ws, v);
    tt_list_layout(&v->list, v->count, 0, (int)v->count);
    cr_assert_not(tt_info_find_times(&app->ws, v, 0));
    for (bool done = false; !done; steps++) {
        done = tt_info_find_times(&app->ws, v, 1);
    }
    cr_expect_eq(steps, 5);
    for (uint32_t i = 0; i < v->count; i++) {
        found += v->lines[i].has_time;
        cr_expect(!v->lines[i].has_time || v->lines[i].ticks > 0);
    }
    cr_expect_eq(found, 5);
    cr_expect(tt_views[TT_VIEW_INFO]->work(&app->ws, v, 0));
    tt_views[TT_VIEW_INFO]->close(v);
    close_app(app);
}
