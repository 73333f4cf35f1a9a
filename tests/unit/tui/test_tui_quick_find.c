/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that arrive faster than frames, numbers, events and matches have the same effect as one by
 * one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "open_app.h"
#include "tracetui/text.h"
#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/term/keys.h"
#include "tui/views/info/view.h"
#include "tui/views/summary/table.h"
#include "tui/views/summary/view.h"
#include "tui/views/threads/view.h"

#define DEMO        "samples/demo.kev"
#define SLICES      "samples/demo.fxt"
#define SCREEN_TEXT 32768

/* Types keys one by one; their results are found at once. `frames`: each is answered by one. */
static void type_with(struct tt_app *app, const char *keys, bool frames)
{
    for (size_t left = strlen(keys), used = 1; left > 0 && used > 0; left -= used) {
        uint32_t key;
        used = tt_key_parse(keys, left, &key);
        tt_app_key(app, key);
        while (tt_app_working(app)) {
            tt_app_work(app, 1000000);
        }
        tt_find_settle(app);
        if (frames) {
            tt_event_loop_settle(app);
        }
        keys += used;
    }
}

static void type(struct tt_app *app, const char *keys)
{
    type_with(app, keys, false);
}

static struct tt_threads_view *threads_of(struct tt_app *app)
{
    return app->view_states[TT_VIEW_THREADS];
}

/* Returns the line of the legend of Threads, or -1. */
static int legend_line(struct tt_app *app)
{
    int line = threads_of(app)->lanes.layout.legend;
    bool shown = app->ws.nav.view == TT_VIEW_THREADS && app->ws.nav.overlay == TT_OVERLAY_NONE;
    return shown && line >= 0 ? app->ws.term.body.y + line : -1;
}

/* The legend contains entries of drawn lanes: it depends on frames, not on keys. */
static void read_screen(struct tt_app *app, char *out)
{
    struct tt_text text = tt_text_of(out, SCREEN_TEXT);
    tt_event_loop_settle(app);
    for (int y = 0; y < app->ws.term.grid.height; y++) {
        if (y == legend_line(app)) {
            continue;
        }
        tt_grid_line(&app->ws.term.grid, y, &text);
        tt_text_char(&text, '\n');
    }
    tt_text_cstr(&text);
}

static void type_and_read(const char *path, const char *keys, bool frames, char *out)
{
    struct tt_app *app = open_app(path);
    threads_of(app)->sort = TT_LANES_BY_NUMBER; /* known at once */
    type_with(app, keys, frames);
    read_screen(app, out);
    close_app(app);
}

static void check_keys(const char *path, const char *keys)
{
    char quick[SCREEN_TEXT], slow[SCREEN_TEXT];
    type_and_read(path, keys, false, quick);
    type_and_read(path, keys, true, slow);
    cr_assert_str_eq(quick, slow, "%s: %s typed quickly:\n%s\nslowly:\n%s", path, keys, quick,
                     slow);
}

/* Each of these had a different effect without a frame in between. */
static const char *const sequences[] = {
    "?Gk",
    "?Gkkkj",
    "2G",
    "2Gkk",
    "2lll+l",
    "jjj2lll",
    ":500<Enter>2++ll3l",
    ":500<Enter><Enter>jj",
    ":1000<Enter><PgDn>kkk<Enter>",
    "2Gppk",
    "2jjzjj",
    "2jjZjjG",
    "2xlllL",
    "3Gkkk",
    "3x<PgDn>",
    "4Gk",
    "4jjj]jj[j",
    "4jjd]G",
    "4]]]Gk[[G",
    "4cGk<Space>",
    "4lllo",
    "5Gkk",
    "5}}}jjo",
    "5Gk{{",
    ":zoom in<Enter>",
    ":zoom in<Enter>:zoom in<Enter>l",
    "fclass = THREAD<Enter>ej<Space>dd",
    "excpu = 1<Enter>acpu = 0<Enter>kkJ<Space>d",
    "jjjmajjjmbgV2zl",
    "majjmbjjmc\"Gdk<Enter>",
    "cGk<Space>j",
    ":stats cpu<Enter>jjo",
    ":columns time event<Enter>G<PgUp>k",
};

Test(tui_quick, keys_do_the_same_with_and_without_frames)
{
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        check_keys(DEMO, sequences[i]);
    }
    check_keys(SLICES, "2G");
    check_keys(SLICES, "2jjjzjjjG");
    check_keys(SLICES, ":50%<Enter>2+++jjjj..");
}

static int dice(uint32_t *state, int sides)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)((*state >> 16) % (unsigned)sides);
}

Test(tui_quick, random_keys_do_the_same)
{
    static const char *const keys[] = {
        "j", "k", "G", "g", "<PgDn>", "<PgUp>", "<C-d>", "1", "2", "3", "4",           "5",
        "?", "l", "h", "+", "-",      "0",      "v",     "z", "Z", "p", "x",           "]",
        "[", "c", "e", "d", "t",      "ma",     "'a",    "q", "q", "}", ":50%<Enter>", "<Space>",
    };
    uint32_t state = 7;
    for (int i = 0; i < 60; i++) {
        char typed[512];
        struct tt_text text = tt_text_of(typed, sizeof typed);
        for (int left = 4 + dice(&state, 16); left > 0; left--) {
            tt_text_str(&text, keys[dice(&state, (int)(sizeof keys / sizeof *keys))]);
        }
        tt_text_cstr(&text);
        check_keys(DEMO, typed);
    }
}

Test(tui_quick, keys_lay_out_and_draw_nothing)
{
    static const char *const views[] = {"1", "2", "3", "4", "5"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        struct tt_app *app = open_app(DEMO);
        const struct tt_grid *grid = &app->ws.term.grid;
        size_t bytes = (size_t)grid->width * (size_t)grid->height * sizeof *grid->cells;
        struct tt_cell *before = malloc(bytes);
        cr_assert_not_null(before);
        memcpy(before, grid->cells, bytes);
        type(app, views[i]);
        type(app, "jjG<PgUp>kl+ve?q");
        cr_assert_eq(memcmp(before, grid->cells, bytes), 0, "view %s", views[i]);
        free(before);
        close_app(app);
    }
}

/* ---- work after the keys -------------------------------------------------------------------- */

/* Simulates numbers and order that are still being computed. */
static void forget_order(struct tt_app *app)
{
    struct tt_threads_view *v = threads_of(app);
    v->order_pending = true;
    v->numbers.done = 0;
}

Test(tui_quick, the_last_lane_stays_selected_until_lanes_are_sorted)
{
    for (int last = 0; last < 2; last++) {
        struct tt_app *app = open_app(DEMO);
        struct tt_threads_view *v = threads_of(app);
        type(app, "2jjj");
        tt_event_loop_settle(app);
        v->reverse = true;
        forget_order(app);
        uint32_t end = last ? v->rows.count - 1 : 0;
        tt_app_act(app, last ? TT_DO_LAST : TT_DO_FIRST);
        struct tt_lane_row before = v->rows.rows[end];
        tt_event_loop_settle(app);
        cr_assert_not(v->order_pending);
        struct tt_lane_row now = v->rows.rows[end];
        cr_assert(before.thread != now.thread || before.process != now.process);
        cr_assert_eq(v->at, end);
        /* Then it is an ordinary lane. */
        v->reverse = false;
        forget_order(app);
        tt_event_loop_settle(app);
        cr_assert(app->ws.nav.lane.thread == now.thread && app->ws.nav.lane.process == now.process);
        close_app(app);
    }
}

Test(tui_quick, lanes_are_sorted_by_the_window_of_the_request)
{
    for (int sort = 0; sort < TT_LANES_SORT_COUNT; sort++) {
        struct tt_lane_row quick[64], slow[64];
        uint32_t counts[2];
        for (int quickly = 0; quickly < 2; quickly++) {
            struct tt_app *app = open_app(DEMO);
            struct tt_threads_view *v = threads_of(app);
            v->sort = (enum tt_lanes_sort)sort;
            type(app, "2");
            tt_app_draw(app);
            if (quickly) {
                v->order_pending = true; /* the numbers did not exist yet */
                v->order_set = true;
                v->order_all = true;
                v->numbers.done = 0;
            } else {
                tt_event_loop_settle(app);
            }
            type(app, "++++");
            tt_event_loop_settle(app);
            cr_assert_not(v->order_pending);
            counts[quickly] = v->rows.count < 64 ? v->rows.count : 64;
            memcpy(quickly ? quick : slow, v->rows.rows, counts[quickly] * sizeof *quick);
            close_app(app);
        }
        cr_assert_eq(counts[0], counts[1]);
        for (uint32_t i = 0; i < counts[0]; i++) {
            cr_assert_eq(quick[i].thread, slow[i].thread, "order %d, row %u", sort, i);
        }
    }
}

Test(tui_quick, a_lane_selected_after_the_last_is_kept)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_threads_view *v = threads_of(app);
    type(app, "2");
    tt_event_loop_settle(app);
    v->sort = TT_LANES_BY_RUN;
    forget_order(app);
    type(app, "Gk");
    uint32_t thread = app->ws.nav.lane.thread, process = app->ws.nav.lane.process;
    tt_event_loop_settle(app);
    cr_assert(app->ws.nav.lane.thread == thread && app->ws.nav.lane.process == process);
    close_app(app);
}

/* The first frame of the lanes was drawn before they were sorted. */
static uint32_t top_of_lanes(const char *keys, bool early)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_threads_view *v = threads_of(app);
    type(app, keys);
    if (early) {
        app->ws.index.progress.finished = false;
        tt_app_draw(app);
        cr_assert_not(v->ordered);
        app->ws.index.progress.finished = true;
    }
    tt_event_loop_settle(app);
    cr_assert(v->ordered);
    uint32_t top = v->top;
    close_app(app);
    return top;
}

Test(tui_quick, lanes_have_the_same_lines_as_with_a_complete_index)
{
    uint32_t tops = 0;
    for (unsigned event = 0; event < 3400; event += 100) {
        char keys[32];
        snprintf(keys, sizeof keys, ":%u<Enter>2", event);
        uint32_t top = top_of_lanes(keys, false);
        cr_assert_eq(top_of_lanes(keys, true), top, "event %u", event);
        tops |= top;
    }
    cr_assert_neq(tops, 0);
}

Test(tui_quick, the_last_event_stays_selected_until_the_index_is_complete)
{
    struct tt_app *app = open_app(DEMO);
    uint64_t rows = app->ws.index.rows;
    app->ws.index.rows = 100; /* the number indexed then */
    app->ws.index.progress.finished = false;
    type(app, "G");
    cr_assert_eq(app->ws.nav.cursor.row, 99u);
    tt_app_update(app);
    tt_app_draw(app);
    cr_assert_eq(app->ws.nav.cursor.row, rows - 1);
    app->ws.index.rows = 100;
    app->ws.index.progress.finished = false;
    type(app, "Gk");
    tt_app_update(app);
    tt_app_draw(app);
    cr_assert_eq(app->ws.nav.cursor.row, 98u, "a cursor that moved meanwhile stays");
    close_app(app);
}

Test(tui_quick, each_n_moves_one_match)
{
    struct tt_app *app = open_app(DEMO);
    type(app, "/REC_MESSAGE<Enter>nnn");
    tt_find_settle(app);
    struct tt_event fourth = app->ws.nav.cursor.event;
    type(app, "g/REC_MESSAGE<Enter>g");
    app->ws.filters.find.search.wanted = 3; /* the first match, n, n: not found yet */
    app->ws.filters.find.search.from = app->ws.nav.cursor.event;
    type(app, "n");
    cr_assert_eq(app->ws.nav.cursor.event.pos, fourth.pos);
    cr_assert_eq(app->ws.filters.find.search.wanted, 0);
    close_app(app);
}

Test(tui_quick, down_moves_in_an_unfinished_table)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_summary_table tab;
    struct tt_summary_range range;
    tt_summary_table_open(&tab, &tt_table_threads);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    for (int i = 0; i < 3; i++) {
        tt_list_move(&tab.list, TT_DO_DOWN);
        tt_summary_table_moved(&tab);
    }
    tt_summary_table_sort(&tab, true);
    while (!tt_summary_table_work(&tab, &app->ws, UINT64_C(1000000000))) {
    }
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert_eq(tab.list.at, 3u);
    /* New numbers, and a line down before they arrive: from the current row. */
    struct tt_table_row third, row;
    tt_summary_table_row_at(&tab, 4, &third);
    tt_summary_table_ask(&tab, &app->ws, &range, true);
    tt_list_move(&tab.list, TT_DO_DOWN);
    tt_summary_table_moved(&tab);
    while (!tt_summary_table_work(&tab, &app->ws, UINT64_C(1000000000))) {
    }
    tt_summary_table_arrange(&tab, &app->ws);
    cr_assert(tt_subject_is(&tt_summary_table_row(&tab, &row)->of, &third.of));
    tt_summary_table_close(&tab);
    close_app(app);
}

Test(tui_quick, the_cursor_keeps_its_line_of_info)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_info_view *v = app->view_states[TT_VIEW_INFO];
    type(app, "5G{{jjjjjjjj");
    tt_app_draw(app);
    const struct tt_info_line line = v->lines[v->list.at];
    cr_assert_eq(line.kind, TT_LINE_TYPE);
    size_t above = v->list.at - v->list.top;
    v->sort = TT_SORT_NAME; /* simulates another order by more events */
    v->built_rows--;
    tt_app_draw(app);
    cr_assert_eq(v->lines[v->list.at].kind, TT_LINE_TYPE);
    cr_assert_eq(v->lines[v->list.at].number, line.number);
    cr_assert_eq(v->list.at - v->list.top, above);
    close_app(app);
}

Test(tui_quick, q_quits_while_counting)
{
    struct tt_app *app = open_app(DEMO);
    type(app, "4");
    tt_app_draw(app);
    struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    v->tabs[v->tab].sheet.complete = false; /* simulates unfinished work */
    type(app, "<Esc>");
    cr_assert(v->tabs[v->tab].stopped);
    v->tabs[v->tab].stopped = false;
    type(app, "q");
    cr_assert(app->ws.term.requests.quit);
    close_app(app);
}

Test(tui_quick, incomplete_results_are_not_written)
{
    struct tt_app *app = open_app(DEMO);
    char path[] = "/tmp/tt-quick-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    app->ws.index.progress.finished = false;
    struct tt_status status = tt_export_start(app, path, true);
    cr_assert(tt_failed(&status));
    cr_assert_not_null(strstr(status.text, "are indexed"), "%s", status.text);
    app->ws.index.progress.finished = true;
    type(app, "fclass = THREAD<Enter>");
    tt_find_settle(app);
    app->ws.filters.find.more = true;
    status = tt_export_start(app, path, true);
    cr_assert(tt_failed(&status));
    cr_assert_not_null(strstr(status.text, "are filtered"), "%s", status.text);
    app->ws.filters.find.more = false;
    status = tt_export_start(app, path, true);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    close_app(app);
    remove(path);
}

Test(tui_quick, pending_work_is_reported)
{
    struct tt_app *app = open_app(DEMO);
    cr_assert(tt_app_settled(app));
    app->ws.index.progress.finished = false;
    cr_assert_not(tt_app_settled(app));
    app->ws.index.progress.finished = true;
    app->ws.filters.find.search.wanted = 1;
    cr_assert_not(tt_app_settled(app));
    app->ws.filters.find.search.wanted = 0;
    type(app, ":1000<Enter>");
    tt_app_key(app, 'J');
    cr_assert(app->ws.filters.scan.active);
    cr_assert_not(tt_app_settled(app));
    while (tt_app_working(app)) {
        tt_app_work(app, 1000000);
    }
    type(app, "2");
    tt_event_loop_settle(app);
    cr_assert(tt_app_settled(app));
    forget_order(app);
    cr_assert_not(tt_app_settled(app));
    tt_event_loop_settle(app);
    type(app, "4");
    tt_event_loop_settle(app);
    cr_assert(tt_app_settled(app));
    close_app(app);
}
