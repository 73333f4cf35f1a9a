/* SPDX-License-Identifier: Apache-2.0 */
/* State during a search, a write, indexing and following; first and last rows of lists. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "open_app.h"
#include "tracetui/text.h"
#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/app/live.h"
#include "tui/model/event_columns.h"
#include "tui/term/keys.h"
#include "tui/views/summary/foot.h"
#include "tui/views/summary/view.h"

#define DEMO "samples/demo.kev"

static const char *status_line(struct tt_app *app, char *line, size_t size)
{
    struct tt_text text = tt_text_of(line, size);
    tt_app_draw(app);
    tt_grid_line(&app->ws.term.grid, app->ws.term.grid.height - 1, &text);
    return tt_text_cstr(&text);
}

/* ---- search and write ----------------------------------------------------------------------- */

Test(tui_under_way, esc_stops_a_search_where_it_is)
{
    struct tt_app *app = open_app(DEMO);
    uint64_t row = app->ws.nav.cursor.row;
    char line[512];
    type_keys(app, "L");
    cr_assert(tt_app_working(app));
    cr_assert_not_null(strstr(status_line(app, line, sizeof line), "searching this CPU 0 %"), "%s",
                       line);
    type_keys(app, "<Esc>");
    cr_assert_not(tt_app_working(app), "the search continues");
    cr_assert_str_eq(app->ws.message.text, "search stopped");
    cr_assert_eq(app->ws.nav.cursor.row, row);
    type_keys(app, "L");
    while (tt_app_working(app)) {
        tt_app_work(app, 1000000);
    }
    cr_assert_neq(app->ws.nav.cursor.row, row, "another search works");
    close_app(app);
}

Test(tui_under_way, esc_stops_a_write_and_leaves_no_file)
{
    struct tt_app *app = open_app(DEMO);
    char path[] = "/tmp/tt-under-way-XXXXXX", keys[128], line[512];
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    remove(path);
    snprintf(keys, sizeof keys, ":write %s<Enter>", path);
    type_keys(app, keys);
    cr_assert(tt_app_working(app));
    cr_assert_not_null(strstr(status_line(app, line, sizeof line), " 0 %, Esc stops"), "%s", line);
    type_keys(app, "<Esc>");
    cr_assert_not(tt_app_working(app), "the write continues");
    cr_assert_str_eq(app->ws.message.text, "stopped: nothing was written");
    cr_assert_neq(access(path, F_OK), 0, "%s exists", path);
    close_app(app);
}

/* ---- progress ------------------------------------------------------------------------------- */

Test(tui_under_way, the_status_line_has_the_progress_of_the_index)
{
    static const struct {
        uint64_t done, total;
        bool finished;
        const char *text;
    } cases[] = {
        {0, 1000, false, "indexing 0 % 3,400 ev"},
        {999, 1000, false, "indexing 99 % 3,400 ev"},
        {1000, 1000, true, " 1st of 3,400 events"},
        {0, 0, false, "indexing 0 % 3,400 ev"}, /* an empty file */
    };
    struct tt_app *app = open_app(DEMO);
    struct tt_progress *p = &app->ws.index.progress;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        p->bytes_done = cases[i].done;
        p->bytes_total = cases[i].total;
        p->finished = cases[i].finished;
        cr_assert_not_null(strstr(status_line(app, line, sizeof line), cases[i].text), "%s: %s",
                           cases[i].text, line);
    }
    close_app(app);
}

Test(tui_under_way, the_live_line_has_the_rates_of_the_last_second)
{
    static const struct {
        uint64_t events, bytes, held;
        bool at_end;
        const char *text;
    } cases[] = {
        {24100, 1250000, 0, true, "LIVE 24.1 k ev/s 1.2 MB/s"},
        {0, 0, 0, true, "LIVE 0 ev/s 0.0 MB/s"},
        {999, 99999, 0, true, "LIVE 999 ev/s 0.0 MB/s"},
        {1, 9990000, 0, true, "LIVE 1 ev/s 9.9 MB/s"},
        {731, 12340000, 3390, false, "PAUSED +10 new 731 ev/s 12.3 MB/s"},
        {731, 12340000, 5000, false, "PAUSED +0 new 731 ev/s 12.3 MB/s"}, /* reopened, shorter */
    };
    struct tt_app *app = open_app(DEMO);
    struct tt_follow_state *f = &app->ws.index.following;
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    cr_assert_not(tt_live_text(app, &text), "not following");
    f->live.follows = true;
    cr_assert_not(tt_live_text(app, &text), "the file is still being read");
    f->live.caught_up = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        f->live.events_per_s = cases[i].events;
        f->live.bytes_per_s = cases[i].bytes;
        f->held_rows = cases[i].held;
        f->at_end = cases[i].at_end;
        cr_assert(tt_live_text(app, &text));
        cr_assert_str_eq(tt_text_cstr(&text), cases[i].text);
    }
    f->live.follows = f->live.caught_up = false;
    close_app(app);
}

/* ---- marks ---------------------------------------------------------------------------------- */

/* Rows of a growing capture are of an earlier end: the line of sums and the states of a thread are of the same. */
Test(tui_under_way, sums_below_a_table_are_of_the_time_of_its_rows)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, "4");
    const struct tt_summary_view *summary = app->view_states[TT_VIEW_SUMMARY];
    struct tt_summary_table tab = summary->tabs[summary->tab];
    struct tt_summary_total total = {0};
    struct tt_summary_states states = {0};
    const uint64_t end = app->ws.index.progress.first_ticks + 1000;
    cr_assert_lt(end, tab.sheet.request.window.to);
    tab.range.keys.to_ticks = UINT64_MAX;
    tab.sheet.request.window.to = end;
    tt_summary_total_ask(&total, &app->ws, &tab);
    tt_summary_states_ask(&states, &app->ws, &tab);
    cr_expect_eq(total.limit, end);
    cr_expect_eq(states.to, end);
    tt_summary_states_free(&states);
    close_app(app);
}

Test(tui_under_way, a_range_needs_two_marks)
{
    struct tt_app *app = open_app(DEMO);
    for (int marks = 0; marks < 2; marks++) {
        type_keys(app, marks == 0 ? "V" : "maV");
        cr_assert_not_null(strstr(app->ws.message.text, "two marks are needed"), "%d marks: %s",
                           marks, app->ws.message.text);
        cr_assert_not(app->ws.nav.viewport.spans, "%d marks", marks);
    }
    type_keys(app, "jjjmbV");
    cr_assert(app->ws.nav.viewport.spans);
    cr_assert_eq(app->ws.nav.viewport.anchor, app->ws.nav.marks[0].ticks);
    cr_assert_eq(app->ws.nav.viewport.other, app->ws.nav.marks[1].ticks);
    close_app(app);
}

/* ---- edges of lists ------------------------------------------------------------------------- */

Test(tui_under_way, the_list_of_columns_ends_at_its_first_and_last_row)
{
    struct tt_app *app = open_app(DEMO);
    uint32_t hidden = app->ws.nav.hidden_columns;
    type_keys(app, "c<Up><Up><Space>");
    cr_assert_eq(app->ws.nav.hidden_columns ^ hidden, 1u);
    type_keys(app, "<Space>");
    for (int i = 0; i <= TT_COLUMN_COUNT; i++) {
        type_keys(app, "<Down>");
    }
    type_keys(app, "<Space>");
    cr_assert_eq(app->ws.nav.hidden_columns ^ hidden, 1u << (TT_COLUMN_COUNT - 1));
    close_app(app);
}

Test(tui_under_way, the_list_of_filters_ends_at_its_first_and_last_row)
{
    struct tt_app *app = open_app(DEMO);
    const struct tt_filter_stack *stack = &app->ws.filters.stack;
    type_keys(app, "eacpu = 0<Enter>acpu = 1<Enter>acpu = 2<Enter>");
    cr_assert_eq(stack->count, 3);
    type_keys(app, "<Down><Down><Down><Down>d");
    cr_assert_eq(stack->count, 2);
    cr_assert_str_eq(stack->stack[1].text, "cpu = 1", "the last one is deleted");
    type_keys(app, "<Up><Up><Up><Up>d");
    cr_assert_eq(stack->count, 1);
    cr_assert_str_eq(stack->stack[0].text, "cpu = 1", "the first one is deleted");
    close_app(app);
}

Test(tui_under_way, the_list_of_marks_ends_at_its_first_and_last_row)
{
    struct tt_app *app = open_app(DEMO);
    type_keys(app, "majmbjmc\"<Up><Up><Up><Up>d");
    cr_assert_eq(app->ws.nav.marks[0].set, 0, "the first one is deleted");
    type_keys(app, "<Down><Down><Down><Down>d");
    cr_assert_eq(app->ws.nav.marks[2].set, 0, "the last one is deleted");
    cr_assert_neq(app->ws.nav.marks[1].set, 0);
    close_app(app);
}

Test(tui_under_way, the_columns_of_summary_end_at_their_first_and_last_row)
{
    struct tt_app *app = open_app(DEMO);
    type_keys(app, "4");
    tt_event_loop_settle(app);
    const struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    type_keys(app, "c");
    cr_assert(v->list_open);
    for (int i = 0; i < 2 * TT_SUMMARY_COLUMNS; i++) {
        type_keys(app, "<Up>");
    }
    cr_assert_eq(tt_summary_listed(v), 0);
    for (int i = 0; i < 2 * TT_SUMMARY_COLUMNS; i++) {
        type_keys(app, "<Down>");
    }
    cr_assert_eq(tt_summary_listed(v), (int)v->tabs[v->tab].columns.count - 1);
    close_app(app);
}
