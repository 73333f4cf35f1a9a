/* SPDX-License-Identifier: Apache-2.0 */
/* The history of places: every jump and back shows the same screen; across files; the list; sessions. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "tui/app/app.h"
#include "tui/app/event_loop.h"

#define SCREEN 16384

static char folder[] = "/tmp/tt-places-XXXXXX";
static struct tt_app *app;
static struct tt_tui_options options;
static const char *paths[2];

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    app = malloc(sizeof *app);
}

static void teardown(void)
{
    char command[128];
    free(app);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(tui_places, .init = setup, .fini = teardown, ALONE);

static void open_at(const char *path, const char *view)
{
    paths[0] = path;
    options = (struct tt_tui_options){
        .paths = paths, .path_count = 1, .view = view, .session = strcmp(view, "events") == 0};
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    tt_event_loop_settle(app);
}

static void type(const char *keys)
{
    tt_event_loop_type(app, keys);
}

/* Returns the frame without the message and the footer; durations of queries are left out. */
static void frame(char out[SCREEN])
{
    struct tt_text text = tt_text_of(out, SCREEN);
    tt_app_update(app);
    tt_event_loop_settle(app);
    for (int y = 0; y < app->ws.term.grid.height - 2; y++) {
        const size_t start = text.used;
        tt_grid_line(&app->ws.term.grid, y, &text);
        char *rows = strstr(tt_text_cstr(&text) + start, " rows, ");
        if (rows) { /* "select ...      30 rows, 9 ms" begins further left with "10 ms" */
            const char *count = rows;
            while (count[-1] != ' ') {
                count--;
            }
            char *blanks = out + (count - out);
            while (blanks[-1] == ' ') {
                blanks--;
            }
            memmove(blanks + 1, count, (size_t)(rows - count));
            text.used = (size_t)(blanks + 1 - out) + (size_t)(rows - count);
        }
        tt_text_char(&text, '\n');
    }
    tt_text_cstr(&text);
    cr_assert_not(text.truncated);
}

static uint64_t number(void)
{
    return tt_events_number(app->ws.opened.events, app->ws.nav.cursor.row);
}

static bool says(const char *start)
{
    return strncmp(app->ws.message.text, start, strlen(start)) == 0;
}

/* A view, the keys that go to a row, and a jump from it. */
static const struct {
    const char *view, *before, *jump;
} jumps[] = {
    {"events", ":1200<Enter>jjjj", "J"},
    {"events", ":1200<Enter>jjjjkk", "K"},
    {"events", ":1200<Enter>jjjj", "L"},
    {"events", ":1200<Enter>jjjj", "}"},
    {"events", ":1200<Enter>jjjj", "G"},
    {"events", ":1200<Enter>jjjj", ":50%<Enter>"},
    {"events", ":1200<Enter>jjjj<Enter><Tab>", "/MUTEX<Enter>"},
    {"events", "/MUTEX<Enter>kkkkjj", "n"},
    {"events", "/MUTEX<Enter>kkkkjj", "N"},
    {"events", ":1200<Enter>ma:50%<Enter>jj", "'a"},
    {"events", ":1200<Enter>jjjj", "''"},
    {"events", ":1200<Enter>jjjjll", "b"},
    {"events", ":1200<Enter>ma:50%<Enter>mbjj\"j", "<Enter>"},
    {"events", "o", ":10<Enter>"},
    {"events", "ojjj", "b"},
    {"threads", "jjjjlll+++", "<Enter>"},
    {"threads", "jjjjlll+++", "b"},
    {"threads", "jjjjlll+++b", "<Enter>"},
    {"threads", "GkklL", ":30%<Enter>"},
    {"threads", "jjjjlll++...", "B"},
    {"threads", "jjjjlll++...", "U"},
    {"threads", "jjjjlll++...", "s"},
    {"threads", "ojjjj", "<Enter>"},
    {"threads", "oOijjjj", "<Enter>"},
    {"threads", "Zjjj", "<Enter>"},
    {"threads", "jjjjlll+++", "J"},
    {"threads", ":deadline /./=50us<Enter>DD", "D"},
    {"threads", ":deadline /./=50us<Enter>:deadline<Enter>jjjjo", "<Enter>"},
    {"threads", ":deadline /./=50us<Enter>:deadline<Enter>jjjj", "b"},
    {"threads", ":measure class = COMM -> class = COMM<Enter>jjj", "<Enter>"},
    {"threads", ":measure class = COMM -> class = COMM<Enter>jjj", "b"},
    {"threads", ":sql select * from events limit 500<Enter>jjjjjjj<PgDn>ll", "<Enter>"},
    {"threads", ":check samples/checks/qnx.check<Enter>jjj", "<Enter>"},
    {"threads", ":check samples/checks/qnx.check<Enter>jjj", "b"},
    {"threads", ":diff 0%..50% 50%..100%<Enter>jjj", "<Enter>"},
    {"cpus", "jlll++", "<Enter>"},
    {"cpus", "jlll++", "b"},
    {"cpus", "jlll++", ":40%<Enter>"},
    {"summary", "jjjlll", "<Enter>"},
    {"summary", "jjjllllo", "<Enter>"},
    {"summary", "jjjllllo", "b"},
    {"summary", ":stats process<Enter>jj", "<Enter>"},
    {"summary", ":stats pair<Enter>jj", "<Enter>"},
    {"summary", ":stats event<Enter>jj", "<Enter>"},
    {"summary", ":stats job<Enter>jj", "<Enter>"},
    {"summary", ":stats interrupt<Enter>jj", "<Enter>"},
    {"summary", ":stats service<Enter>jj", "<Enter>"},
    {"summary", ":stats inversion<Enter>jj", "<Enter>"},
    {"summary", "lllldjj", "<Enter>"},
    {"summary", "lllldjjpp.", "<Enter>"},
    {"summary", ":from 10%<Enter>:to 30%<Enter>4jjj", "<Enter>"},
    {"messages", "jj", "<Enter>"},
    {"messages", "lllojj", "<Enter>"},
    {"messages", ":stats server<Enter>jj", "<Enter>"},
    {"messages", ":stats server<Enter>jj", "b"},
    {"messages", ":stats channel<Enter>jj", "<Enter>"},
    {"messages", ":stats object<Enter>jj", "<Enter>"},
    {"snapshot", ":40%<Enter>jjjj", "<Enter>"},
    {"snapshot", ":40%<Enter>ojj", "<Enter>"},
    {"snapshot", ":40%<Enter>jjjj", "b"},
    {"snapshot", ":40%<Enter>jjjj", "J"},
    {"info", "}}}ojjjj", "<Enter>"},
};

Test(tui_places, every_jump_and_back_is_the_same_screen)
{
    static char before[SCREEN], there[SCREEN], back[SCREEN];
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        open_at("samples/demo.kev", jumps[i].view);
        type(jumps[i].before);
        frame(before);
        type(jumps[i].jump);
        frame(there);
        cr_expect_str_neq(there, before, "%s %s %s: no jump", jumps[i].view, jumps[i].before,
                          jumps[i].jump);
        type("<C-o>");
        cr_expect(says("back: "), "%s %s: %s", jumps[i].before, jumps[i].jump,
                  app->ws.message.text);
        frame(back);
        cr_expect_str_eq(back, before, "%s %s %s:\n%s\nnot\n%s", jumps[i].view, jumps[i].before,
                         jumps[i].jump, back, before);
        type("<C-t>");
        cr_expect(says("forward: "), "%s", app->ws.message.text);
        frame(back);
        cr_expect_str_eq(back, there, "forward, %s %s %s:\n%s\nnot\n%s", jumps[i].view,
                         jumps[i].before, jumps[i].jump, back, there);
        tt_app_close(app);
    }
}

Test(tui_places, any_number_of_steps_back_and_forward)
{
    open_at("samples/demo.kev", "events");
    type("<C-o>");
    cr_assert(says("no earlier place"), "%s", app->ws.message.text);
    for (int i = 1; i <= 150; i++) {
        char keys[32];
        snprintf(keys, sizeof keys, ":#%d<Enter>", 10 * i);
        type(keys);
    }
    cr_assert_eq(app->ws.trail.count, TT_PLACES);
    for (int i = 1; i < 150; i++) {
        type(i % 2 ? "<C-o>" : "<BS>");
        uint64_t at = i < (int)TT_PLACES ? 150 - (uint64_t)i : 150 - TT_PLACES + 1;
        cr_assert_eq(number(), 10 * at, "step %d: %d", i, (int)number());
    }
    cr_assert(says("no earlier place"), "%s", app->ws.message.text);
    type("<C-t><C-t>");
    cr_assert_eq(number(), 530);
    cr_assert(says("forward: Events 0.0"), "%s", app->ws.message.text);
    cr_assert_not_null(strstr(app->ws.message.text, "(3 of 100)"), "%s", app->ws.message.text);
    type("jj:#7<Enter>");
    cr_assert_eq(app->ws.trail.count, 3, "later places are dropped");
    type("<C-t>");
    cr_assert(says("no later place"), "%s", app->ws.message.text);
    type("<C-o>");
    cr_assert_eq(number(), 532, "the place is as it was left");
    tt_app_close(app);
}

Test(tui_places, a_jump_that_finds_nothing_leaves_no_place)
{
    open_at("samples/demo.kev", "events");
    type("/no such text<Enter>n:#99999999x<Enter>'q:open nosuch.kev<Enter>1234");
    cr_assert_eq(app->ws.trail.count, 1, "only the search that was accepted: %zu",
                 app->ws.trail.count);
    tt_app_close(app);
}

Test(tui_places, repeated_searches_leave_a_place_each)
{
    open_at("samples/demo.kev", "events");
    type("/MUTEX<Enter>nnn");
    uint64_t third = number();
    type("n<C-o>");
    cr_assert_eq(number(), third);
    type("<C-o><C-o><C-o>");
    cr_assert(says("back: Events"), "%s", app->ws.message.text);
    cr_assert_not_null(strstr(app->ws.message.text, "(2 of 6)"), "%s", app->ws.message.text);
    tt_app_close(app);
}

Test(tui_places, quotes_return_to_the_place_before_the_jump)
{
    open_at("samples/demo.kev", "events");
    type(":#100<Enter>:#200<Enter>''");
    cr_assert_eq(number(), 100);
    type("''");
    cr_assert_eq(number(), 200);
    tt_app_close(app);
}

Test(tui_places, places_are_in_several_files)
{
    static char before[SCREEN], back[SCREEN];
    open_at("samples/demo.kev", "summary");
    type("jjlll<Enter>4jj");
    frame(before);
    type(":open samples/demo.fxt<Enter>");
    type("1:#70<Enter>:#90<Enter><C-o>");
    cr_assert_eq(number(), 70);
    cr_assert(says("back: demo.fxt: Events"), "%s", app->ws.message.text);
    type("<C-o><C-o>");
    cr_assert(says("back: demo.kev: Summary"), "%s", app->ws.message.text);
    cr_assert_eq(app->files.path, 0);
    frame(back);
    cr_assert_str_eq(back, before, "%s\nnot\n%s", back, before);
    type("<C-t><C-t>");
    cr_assert_eq(app->files.path, 1);
    cr_assert_eq(number(), 70);
    tt_app_close(app);
}

Test(tui_places, the_list_goes_to_a_place)
{
    static char list[SCREEN];
    open_at("samples/demo.kev", "events");
    type(":#100<Enter>:#200<Enter>:#300<Enter>:history<Enter>");
    frame(list);
    cr_assert_not_null(strstr(list, " places "), "%s", list);
    cr_assert_not_null(strstr(list, "   3 Events 0.0"), "%s", list);
    cr_assert_null(strstr(list, "   4 Events 0.0"), "%s", list);
    type("gj<Enter>");
    cr_assert_eq(number(), 100);
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    cr_assert(says("back: "), "%s", app->ws.message.text);
    type("<C-g>G<Enter>");
    cr_assert_eq(number(), 300);
    cr_assert(says("forward: "), "%s", app->ws.message.text);
    tt_app_close(app);
}

Test(tui_places, the_session_has_the_places)
{
    static char before[SCREEN], back[SCREEN];
    open_at("samples/demo.kev", "events");
    type("4jjlll");
    frame(before);
    type("<Enter>:50%<Enter>b<Enter>1:#12<Enter>");
    size_t count = app->ws.trail.count;
    cr_assert_eq(count, 5);
    tt_app_close(app);
    open_at("samples/demo.kev", "events");
    cr_assert_eq(app->ws.trail.count, count);
    type("<C-o>");
    cr_assert(says("back: Events"), "%s", app->ws.message.text);
    for (size_t i = 1; i < count; i++) {
        type("<C-o>");
    }
    cr_assert(says("back: Summary: Threads, "), "%s", app->ws.message.text);
    frame(back);
    cr_assert_str_eq(back, before, "%s\nnot\n%s", back, before);
    tt_app_close(app);
}

/* Results of each pane, then others of the same panes; keys that change their lists. */
static const char *const results[] = {
    ":measure class = COMM -> class = COMM<Enter>jjj",
    ":sql select * from threads limit 30<Enter>jjjjjll",
    ":check samples/checks/qnx.check<Enter>jj",
    ":diff 0%..50% 50%..100%<Enter>jjjl",
    ":deadline /./=50us<Enter>:deadline<Enter>jjo",
    ":measure class = THREAD -> class = COMM<Enter>j",
    ":sql select * from states limit 40<Enter>jj",
    ":diff cpu 0%..30% 30%..90%<Enter>j",
    ":deadline /./=90us<Enter>:deadline<Enter>j",
};

Test(tui_places, each_result_is_shown_again_as_it_was)
{
    enum { COUNT = sizeof results / sizeof *results };
    static char before[COUNT][SCREEN], back[SCREEN];
    open_at("samples/demo.kev", "threads");
    for (size_t i = 0; i < COUNT; i++) {
        type(results[i]);
        frame(before[i]);
        type("q");
    }
    cr_assert_eq(app->ws.trail.result_count, COUNT, "%zu", app->ws.trail.result_count);
    type("4@");
    frame(back);
    cr_assert_str_eq(back, before[COUNT - 1], "the newest:\n%s", back);
    for (size_t i = 0; i < COUNT; i++) {
        type(":results<Enter>g");
        for (size_t j = 0; j < i; j++) {
            type("j");
        }
        type("<Enter>");
        cr_expect(says("again: "), "%s", app->ws.message.text);
        frame(back);
        cr_expect_str_eq(back, before[i], "%s:\n%s\nnot\n%s", results[i], back, before[i]);
    }
    type("<C-o>");
    frame(back);
    cr_expect_str_eq(back, before[COUNT - 2], "the place before has its result too");
    tt_app_close(app);
}

/* The sides of :align need their comparison: it is made again too, after another took its pane. */
Test(tui_places, aligned_lanes_are_a_result_with_their_comparison)
{
    static char before[2][SCREEN], back[SCREEN];
    open_at("samples/demo.kev", "threads");
    type(":diff samples/fast1.kev<Enter>q");
    type(":align INT_ENTR<Enter>jj+ll");
    frame(before[0]);
    cr_assert(strstr(before[0], "at INT_ENTR"), "%s", before[0]);
    type("q:align<Enter>q");
    cr_assert_eq(app->ws.trail.result_count, 2, "an align without an argument is the same result");
    type(":align 1ms 2ms<Enter>o");
    frame(before[1]);
    type("q:diff 0%..50% 50%..100%<Enter>q");
    cr_assert_eq(app->ws.trail.result_count, 4);
    for (int i = 0; i < 2; i++) {
        type(i == 0 ? ":results<Enter>gj<Enter>" : ":results<Enter>gjj<Enter>");
        frame(back);
        cr_expect(says("again: Align: "), "%s", app->ws.message.text);
        cr_expect_str_eq(back, before[i], "%d:\n%s\nnot\n%s", i, back, before[i]);
        cr_expect(strstr(app->ws.comparing->path_a, "fast1.kev"), "%s", app->ws.comparing->path_a);
        type("q:diff 0%..50% 50%..100%<Enter>q");
    }
    /* Without an argument, after another alignment of the same sides. */
    type(":align<Enter>");
    frame(before[0]);
    cr_assert(strstr(before[0], "at the beginnings"), "%s", before[0]);
    type("q:align INT_ENTR<Enter>q:results<Enter>Gk<Enter>");
    frame(back);
    cr_expect_str_eq(back, before[0], "%s\nnot\n%s", back, before[0]);
    tt_app_close(app);
}

Test(tui_places, a_search_and_results_in_other_files)
{
    open_at("samples/demo.kev", "events");
    type("@");
    cr_assert(says("no results"), "%s", app->ws.message.text);
    type("/MUTEX<Enter>");
    uint64_t found = number();
    type("1g:open samples/demo.fxt<Enter>:sql select * from threads<Enter>q:results<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_RESULTS);
    type("g<Enter>");
    cr_assert_eq(app->files.path, 0);
    cr_assert_eq(number(), found);
    cr_assert_eq(app->ws.trail.result_count, 2);
    type("@");
    cr_assert_eq(app->files.path, 1);
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_SQL);
    cr_assert(says("again: demo.fxt: SQL: select"), "%s", app->ws.message.text);
    type("<C-o>");
    cr_assert_eq(app->files.path, 0);
    cr_assert_eq(number(), found);
    tt_app_close(app);
}
