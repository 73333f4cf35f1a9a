/* SPDX-License-Identifier: Apache-2.0 */
/* The Why pane: opens from every view, follows causes, and restores everything when it is closed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/causes/why_text.h"
#include "open_app.h"
#include "tracetui/text.h"
#include "tui/app/event_loop.h"
#include "tui/app/live.h"
#include "tui/term/keys.h"
#include "tui/views/threads/view.h"

#define DEMO "samples/demo.kev"

/* The screen as text. */
static char *screen_of(struct tt_app *app)
{
    size_t size = (size_t)(app->ws.term.grid.width * 4 + 1) * (size_t)app->ws.term.grid.height + 1;
    char *buffer = malloc(size);
    cr_assert_not_null(buffer);
    struct tt_text text = tt_text_of(buffer, size);
    tt_event_loop_settle(app);
    for (int y = 0; y < app->ws.term.grid.height; y++) {
        tt_grid_line(&app->ws.term.grid, y, &text);
        tt_text_char(&text, '\n');
    }
    tt_text_cstr(&text);
    return buffer;
}

/* The longest interval of a kind. */
static struct tt_late_interval worst;

static bool take_worst(void *arg, const struct tt_late_interval *interval)
{
    unsigned *count = arg;
    if ((*count)++ == 0 || tt_late_compare(interval, &worst) < 0) {
        worst = *interval;
    }
    return true;
}

static unsigned find_worst(struct tt_app *app, enum tt_late kind)
{
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    const struct tt_capture *c = app->ws.opened.capture;
    unsigned count = 0;
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        if (!tt_thread_at(c, i)->idle && !tt_thread_at(c, i)->pseudo) {
            tt_late_intervals(t, c, kind, i, 0, UINT64_MAX, take_worst, &count);
        }
    }
    cr_assert_gt(count, 0);
    return count;
}

static void go_to(struct tt_app *app, uint32_t thread, uint64_t ticks)
{
    tt_nav_go_thread(&app->ws, thread, ticks);
    app->stale = true;
    tt_event_loop_settle(app);
}

/* ---- opening and closing ------------------------------------------------------------------ */

static const char *const places[] = {
    "1:30%<Enter>J", "2:30%<Enter>jjj+++",          "3:30%<Enter>j++",
    "4jjj",          "2:30%<Enter>jjv:60%<Enter>v", "2xjjj",
};

#define PLACES (sizeof places / sizeof *places)

Test(tui_why, closing_restores_the_screen_exactly)
{
    static const char *const keys[] = {"b<Esc>", "bjjj>>+-0hlz<lt>nNGgkk<Esc>", "b?jj?<Esc>",
                                       "bnnNNtttt<PgDn><PgUp>b", "bb"};
    for (size_t i = 0; i < PLACES; i++) {
        struct tt_app *app = open_app(DEMO);
        type_settled(app, places[i]);
        char *before = screen_of(app);
        struct tt_place cursor = app->ws.nav.cursor;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            type_settled(app, keys[k]);
            app->ws.message.text[0] = '\0';
            char *after = screen_of(app);
            cr_assert_not(app->ws.why.open, "%s %s", places[i], keys[k]);
            cr_assert_str_eq(after, before, "%s %s:\n%s\n%s", places[i], keys[k], before, after);
            cr_assert_eq(app->ws.nav.cursor.row, cursor.row);
            free(after);
        }
        free(before);
        close_app(app);
    }
}

Test(tui_why, enter_goes_to_the_piece_and_two_quotes_return)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from + 1);
    uint64_t at = app->ws.nav.viewport.at;
    type_settled(app, "bgjj");
    struct tt_piece piece = app->ws.why.shown.pieces[2];
    cr_assert_neq(piece.thread, worst.thread);
    type_settled(app, "<Enter>");
    cr_assert_not(app->ws.why.open);
    cr_assert_eq(app->ws.nav.lane.thread, piece.thread);
    cr_assert_eq(app->ws.nav.viewport.at, piece.from);
    type_settled(app, "''");
    cr_assert_eq(app->ws.nav.lane.thread, worst.thread, "the lane");
    cr_assert_eq(app->ws.nav.viewport.at, at, "the time");
    close_app(app);
}

Test(tui_why, a_selection_is_explained_as_a_range)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_WAIT);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "v+:60%<Enter>v");
    go_to(app, worst.thread, worst.from);
    uint64_t from, to;
    cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    type_settled(app, "b");
    const struct tt_why_subject *s = tt_why_subject(&app->ws.why);
    cr_assert(app->ws.why.open && s->from == from && s->to == to && s->thread == worst.thread);
    cr_assert(screen_shows(app, " range "));
    close_app(app);
}

Test(tui_why, without_a_cause_there_is_a_message_only)
{
    static const char *const captures[] = {DEMO, "samples/demo.btrace",
                                           "../shared/captures/fxt/flows.fxt"};
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        if (access(captures[i], R_OK) != 0) {
            cr_assert(strncmp(captures[i], "samples/", 8) != 0, "no %s", captures[i]);
            continue;
        }
        struct tt_app *app = open_app(captures[i]);
        for (int view = '1'; view <= '5'; view++) {
            char keys[] = {(char)view, 'b', 'B', 'U', '\0'};
            type_settled(app, keys);
            cr_assert(app->ws.why.open || app->ws.message.text[0] || view == '5' || view == '4',
                      "%s %c", captures[i], view);
            type_settled(app, "<Esc>");
        }
        close_app(app);
    }
}

/* ---- the contents ------------------------------------------------------------------------- */

Test(tui_why, the_lines_are_those_of_the_command)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "bg");
    const struct tt_explanation *e = &app->ws.why.shown;
    struct tt_why_scene scene = {app->ws.opened.capture, tt_trace_timelines(app->ws.opened.trace),
                                 app->ws.index.progress.first_ticks, app->ws.opened.events};
    struct tt_why_shape shape = tt_why_shape_text;
    shape.width = 79;
    shape.micro = " us"; /* the screens of the tests are ASCII */
    cr_assert_eq(e->from, worst.from);
    cr_assert_eq(e->to, worst.to);
    for (size_t i = 0; i < e->count && i < 5; i++) {
        char buffer[TT_WHY_LINE];
        struct tt_why_places columns;
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_why_piece(&text, &scene, &shape, e, &e->pieces[i], &columns);
        cr_assert(screen_shows(app, tt_text_cstr(&text)), "%s", tt_text_cstr(&text));
    }
    cr_assert(screen_shows(app, "late by"));
    close_app(app);
}

Test(tui_why, moving_moves_the_cursor_and_the_lane)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "bg");
    cr_assert_gt(app->ws.why.shown.count, 3);
    for (size_t i = 0; i < app->ws.why.shown.count; i++) {
        const struct tt_piece *piece = &app->ws.why.shown.pieces[i];
        cr_assert_eq(app->ws.why.at, i);
        cr_assert_eq(app->ws.nav.viewport.at, piece->from, "piece %zu", i);
        cr_assert_eq(app->ws.nav.lane.thread, piece->thread);
        type_settled(app, "j");
    }
    /* In the other direction, the piece at the cursor's time is chosen. */
    for (unsigned i = 0; i < 30; i++) {
        type_settled(app, "h");
        const struct tt_piece *piece = &app->ws.why.shown.pieces[app->ws.why.at];
        uint64_t at = app->ws.nav.viewport.at;
        if (at >= app->ws.why.shown.from && at < app->ws.why.shown.to) {
            cr_assert(piece->from <= at && at < piece->to);
        }
    }
    close_app(app);
}

Test(tui_why, the_next_worst_ones_are_in_the_order_of_the_command)
{
    struct tt_app *app = open_app(DEMO);
    unsigned count = find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "b");
    struct tt_why_subject before = *tt_why_subject(&app->ws.why);
    unsigned seen = 1;
    for (; seen < count + 1; seen++) {
        type_settled(app, "N");
        struct tt_why_subject s = *tt_why_subject(&app->ws.why);
        if (app->ws.message.text[0]) {
            break;
        }
        struct tt_late_interval a = {.from = before.from, .to = before.to, .thread = before.thread};
        struct tt_late_interval b = {.from = s.from, .to = s.to, .thread = s.thread};
        cr_assert_lt(tt_late_compare(&a, &b), 0, "%u", seen);
        before = s;
    }
    cr_assert_eq(seen, count, "all of them, then a message: %s", app->ws.message.text);
    type_settled(app, "<lt>");
    cr_assert(tt_why_subject(&app->ws.why)->to - tt_why_subject(&app->ws.why)->from >=
              before.to - before.from);
    uint32_t thread = tt_why_subject(&app->ws.why)->thread;
    type_settled(app, "n");
    cr_assert(app->ws.message.text[0] || tt_why_subject(&app->ws.why)->thread == thread);
    close_app(app);
}

Test(tui_why, following_and_returning_are_inverse)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "bgj");
    struct tt_why_subject first = *tt_why_subject(&app->ws.why);
    size_t at = app->ws.why.at;
    type_settled(app, "g>");
    cr_assert_eq(app->ws.why.count, 2);
    cr_assert_neq(tt_why_subject(&app->ws.why)->thread, first.thread);
    type_settled(app, "<lt>");
    cr_assert_eq(tt_why_subject(&app->ws.why)->thread, first.thread);
    cr_assert_eq(tt_why_subject(&app->ws.why)->from, first.from);
    cr_assert_eq(app->ws.why.at, 0);
    (void)at;
    for (unsigned i = 0; i < 100; i++) {
        type_settled(app, i % 7 == 3 ? "j>" : ">"); /* more than the history holds */
    }
    for (unsigned i = 0; i < TT_WHY_SUBJECTS + 2; i++) {
        type_settled(app, "<lt>");
    }
    cr_assert_eq(app->ws.why.count, 1);
    close_app(app);
}

Test(tui_why, write_and_copy)
{
    struct tt_app *app = open_app(DEMO);
    char path[] = "/tmp/tt-why-XXXXXX", keys[128], line[4096];
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "bgy");
    cr_assert(app->ws.term.requests.copy);
    cr_assert_not_null(strstr(app->ws.term.requests.copy_text, "REPLY"));
    type_settled(app, "Y");
    cr_assert_not_null(
        memchr(app->ws.term.requests.copy_text, '\n', app->ws.term.requests.copy_length));
    cr_assert_eq(strncmp(app->ws.term.requests.copy_text, DEMO ", QNX", strlen(DEMO ", QNX")), 0);
    cr_assert_not_null(strstr(app->ws.term.requests.copy_text, "\ntracetui why --thread "));
    for (int json = 0; json < 2; json++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", path, json ? ".jsonl" : ".txt");
        snprintf(keys, sizeof keys, "w<C-u>write! %s<Enter>", name);
        type_settled(app, keys);
        FILE *file = fopen(name, "r");
        cr_assert_not_null(file, "%s", app->ws.message.text);
        cr_assert_not_null(fgets(line, sizeof line, file));
        cr_assert_not_null(strstr(line, json ? "\"pieces\":[" : " wait "), "%s", line);
        fclose(file);
        remove(name);
    }
    snprintf(keys, sizeof keys, "w<C-u>write! %s.csv<Enter>", path);
    type_settled(app, keys);
    cr_assert_not_null(strstr(app->ws.message.text, "no table"), "%s", app->ws.message.text);
    remove(path);
    close_app(app);
}

/* ---- the keys outside --------------------------------------------------------------------- */

Test(tui_why, the_blocker_of_a_reply_is_the_thread_that_answers)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_REPLY);
    for (int view = '1'; view <= '2'; view++) {
        char keys[] = {(char)view, '\0'};
        type_settled(app, keys);
        go_to(app, worst.thread, worst.from);
        if (view == '1') {
            type_settled(app, "J"); /* to an event in the wait */
        }
        type_settled(app, "bg");
        uint32_t by = app->ws.why.shown.pieces[0].by;
        type_settled(app, "<Esc>");
        uint64_t at = app->ws.nav.cursor.event.ticks;
        type_settled(app, "B");
        cr_assert_not_null(strstr(app->ws.message.text, "returns"), "%s", app->ws.message.text);
        cr_assert_eq(app->ws.nav.lane.thread, by, "%c: %s", view, app->ws.message.text);
        type_settled(app, "''");
        cr_assert_eq(app->ws.nav.cursor.event.ticks, at);
        type_settled(app, "U");
        cr_assert_eq(app->ws.nav.lane.thread, by, "%c: %s", view, app->ws.message.text);
    }
    close_app(app);
}

/* ---- any size, any keys ------------------------------------------------------------------- */

Test(tui_why, any_size_and_any_keys)
{
    static const char *const keys[] = {
        "j", "k",     "G",     "g", ">", "<lt>", "n", "N", "<PgDn>", "<PgUp>", "h",
        "l", "+",     "-",     "0", "z", "t",    "y", "Y", "?",      "<Esc>",  "b",
        "w", "<C-d>", "<C-u>", "B", "U", "2",    "4", "3", "1",      "<Enter>"};
    struct tt_app *app = open_app(DEMO);
    uint64_t seed = 5;
    type_settled(app, "2:30%<Enter>jjb");
    for (unsigned i = 0; i < 600; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (i % 40 == 0) {
            int width = 38 + (int)(seed >> 40) % 100, height = 8 + (int)(seed >> 50) % 50;
            cr_assert(tt_grid_resize(&app->ws.term.grid, width, height));
            app->stale = true;
        }
        type_settled(app, keys[(seed >> 33) % (sizeof keys / sizeof *keys)]);
        if (app->prompt.line.open) {
            type_settled(app, "<Esc>");
        }
        if (i % 10 == 9 && !app->ws.why.open) {
            type_settled(app, "b");
        }
    }
    close_app(app);
}

Test(tui_why, the_same_file_opened_again_is_explained_again)
{
    struct tt_app *app = open_app(DEMO);
    find_worst(app, TT_LATE_REPLY);
    type_settled(app, "2");
    go_to(app, worst.thread, worst.from);
    type_settled(app, "b");
    struct tt_status status = tt_app_reopen(app, true);
    cr_assert_not(tt_failed(&status));
    tt_event_loop_settle(app);
    cr_assert_not(app->ws.why.open, "the pane is closed with its capture");
    type_settled(app, "b");
    cr_assert(app->ws.why.open || app->ws.message.text[0]);
    close_app(app);
}
