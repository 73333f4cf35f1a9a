/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: each key of motion, the wheel and a click do the same in every list of the views and the panes. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "tui/app/app.h"
#include "tui/app/event_loop.h"
#include "tui/list/find.h"

/* A view or an overlay, the keys that open it with as many rows as fit twice, and where it fits. */
static const struct {
    enum tt_overlay_id overlay;
    const char *keys;
    int height;
} lists[] = {
    {TT_OVERLAY_COLUMNS, "1c", 10},
    {TT_OVERLAY_MARKS,
     "1:#10<Enter>majmbjmcjmdjmejmfjmgjmhjmijmjjmkjmljmmjmnjmojmpjmqjmrjmsjmtjmujmvjmwjmxjmyjmz\"",
     14},
    {TT_OVERLAY_FILTERS,
     "1f1<Enter>ea2<Enter>a3<Enter>a4<Enter>a5<Enter>a6<Enter>a7<Enter>a8<Enter>a9<Enter>", 10},
    {TT_OVERLAY_HISTORY,
     "1:9<Enter>:18<Enter>:27<Enter>:36<Enter>:45<Enter>:54<Enter>:63<Enter>:72<Enter>:81<Enter>"
     ":90<Enter>:99<Enter>:108<Enter>:117<Enter>:126<Enter>:135<Enter><C-g>",
     10},
    {TT_OVERLAY_RESULTS,
     "1/1<Enter>/2<Enter>/3<Enter>/4<Enter>/5<Enter>/6<Enter>/7<Enter>/8<Enter>/9<Enter>/10<Enter>"
     "/11<Enter>/12<Enter>/13<Enter>/14<Enter>/15<Enter>/16<Enter><C-r>",
     10},
    {TT_OVERLAY_WHY, "2:50%<Enter>jjjjjjb", 20},
    {TT_OVERLAY_MEASURE, ":measure class = COMM -> class = COMM<Enter>", 24},
    {TT_OVERLAY_CHECK, ":check samples/checks/qnx.check<Enter>", 14},
    {TT_OVERLAY_MISSES, ":deadline /./=50us<Enter>:deadline<Enter>", 24},
    {TT_OVERLAY_DIFF, ":diff 0%..50% 50%..100%<Enter>", 20},
    {TT_OVERLAY_SQL, ":sql select * from threads<Enter>", 20},
    {TT_OVERLAY_NONE, "1", 24},
    {TT_OVERLAY_NONE, "1<Enter>", 24},
    {TT_OVERLAY_NONE, "4", 20},
    {TT_OVERLAY_NONE, ":stats event<Enter>", 20},
    {TT_OVERLAY_NONE, "4c", 14},
    {TT_OVERLAY_NONE, "5", 24},
    {TT_OVERLAY_NONE, "6", 14},
    {TT_OVERLAY_NONE, ":stats single<Enter>", 16},
    {TT_OVERLAY_NONE, "7:50%<Enter>", 16},
    {TT_OVERLAY_NONE, "7:50%<Enter>]", 16},
    {TT_OVERLAY_NONE, "7:50%<Enter>]]", 10},
};

static const struct {
    const char *key;
    int pages, halves, lines; /* it moves by */
    int end;
} motions[] = {
    {"j", 0, 0, 1, 0},       {"<Down>", 0, 0, 1, 0}, {"<PgDn>", 1, 0, 0, 0}, {"<C-f>", 1, 0, 0, 0},
    {"<C-d>", 0, 1, 0, 0},   {"k", 0, 0, -1, 0},     {"<Up>", 0, 0, -1, 0},  {"<C-u>", 0, -1, 0, 0},
    {"<PgUp>", -1, 0, 0, 0}, {"<C-b>", -1, 0, 0, 0}, {"G", 0, 0, 0, 1},      {"k", 0, 0, -1, 0},
    {"<PgUp>", -1, 0, 0, 0}, {"g", 0, 0, 0, -1},     {"<End>", 0, 0, 0, 1},  {"j", 0, 0, 1, 0},
    {"<Home>", 0, 0, 0, -1}, {"k", 0, 0, -1, 0},
};

static struct tt_app *app;

static struct tt_list *open_list(size_t i)
{
    static const char *const paths[] = {"samples/demo.kev"};
    static const struct tt_tui_options options = {.paths = paths, .path_count = 1};
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, lists[i].height));
    tt_app_update(app);
    tt_event_loop_type(app, lists[i].keys);
    tt_event_loop_settle(app);
    cr_assert_eq(app->ws.nav.overlay, lists[i].overlay, "%s", lists[i].keys);
    const bool overlay = lists[i].overlay != TT_OVERLAY_NONE;
    const struct tt_view *view =
        overlay ? tt_overlays[lists[i].overlay] : tt_views[app->ws.nav.view];
    cr_assert_not_null(view->list, "%s", lists[i].keys);
    struct tt_list *list = view->list(overlay ? app->overlay_states[lists[i].overlay]
                                              : app->view_states[app->ws.nav.view]);
    cr_assert_gt(list->count, 2, "%s: %zu", lists[i].keys, list->count);
    return list;
}

/* Returns where a motion leads. */
static size_t expected(const struct tt_list *list, size_t motion)
{
    int64_t page = list->lines > 1 ? list->lines - 1 : 1;
    int64_t half = list->lines > 1 ? list->lines / 2 : 1, last = (int64_t)list->count - 1;
    int64_t to = (int64_t)list->at + motions[motion].pages * page + motions[motion].halves * half +
                 motions[motion].lines;
    to = motions[motion].end != 0 ? motions[motion].end * last : to;
    return to < 0 ? 0 : to > last ? (size_t)last : (size_t)to;
}

TestSuite(tui_list, ALONE);

Test(tui_list, each_key_moves_each_list_in_the_same_way)
{
    app = malloc(sizeof *app);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct tt_list *list = open_list(i);
        tt_event_loop_type(app, "g");
        for (size_t m = 0; m < sizeof motions / sizeof *motions; m++) {
            const size_t to = expected(list, m), from = list->at;
            tt_event_loop_type(app, motions[m].key);
            tt_event_loop_settle(app);
            cr_expect_eq(list->at, to, "%s: %s from %zu of %zu (%d lines): %zu, not %zu",
                         lists[i].keys, motions[m].key, from, list->count, list->lines, list->at,
                         to);
            cr_expect(list->at >= list->top && list->at < list->top + (size_t)list->lines,
                      "%s: %s: the cursor is not shown", lists[i].keys, motions[m].key);
        }
        tt_app_close(app);
    }
    free(app);
}

Test(tui_list, a_page_scrolls_with_the_cursor)
{
    app = malloc(sizeof *app);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct tt_list *list = open_list(i);
        if (list->count >= 3 * (size_t)list->lines && lists[i].overlay != TT_OVERLAY_WHY) {
            tt_event_loop_type(app, "gj<PgDn>");
            cr_expect_eq(list->top, (size_t)list->lines - 1, "%s: %zu", lists[i].keys, list->top);
        }
        tt_app_close(app);
    }
    free(app);
}

Test(tui_list, the_wheel_and_clicks_move_each_list)
{
    app = malloc(sizeof *app);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct tt_list *list = open_list(i);
        tt_event_loop_type(app, "g");
        size_t most = list->count - 1 < 3 ? list->count - 1 : 3;
        tt_app_mouse(app, &(struct tt_mouse){.kind = TT_MOUSE_WHEEL, .down = 1});
        tt_event_loop_settle(app);
        cr_expect_eq(list->at, most, "%s: the wheel: %zu", lists[i].keys, list->at);
        size_t row = list->top + 1;
        tt_app_mouse(app, &(struct tt_mouse){.kind = TT_MOUSE_PRESS,
                                             .x = app->ws.term.body.x + 60,
                                             .y = app->ws.term.body.y + list->y + 1});
        tt_event_loop_settle(app);
        cr_expect_eq(list->at, row, "%s: a click: %zu", lists[i].keys, list->at);
        tt_app_close(app);
    }
    free(app);
}

/* Returns the text of the cursor's row. */
static char *text_of_row(struct tt_list *list, char room[1024])
{
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    const struct tt_list_pages pages = {list, &app->ws, state, view->draw};
    struct tt_text text = tt_text_of(room, 1024);
    tt_list_copy(&pages, 0, &text);
    tt_text_cstr(&text);
    return room;
}

/* Cuts a text down to ASCII letters, at most 20; "" if there are less than 3. */
static const char *part_of(char *from)
{
    while (*from && !isalnum((unsigned char)*from)) {
        from++;
    }
    size_t length = 0;
    while (length < 20 && from[length] > 0) {
        length++;
    }
    from[length] = '\0';
    return length < 3 ? "" : from;
}

Test(tui_list, rows_are_found_by_what_they_show)
{
    unsigned found = 0;
    app = malloc(sizeof *app);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char room[1024], other[1024];
        struct tt_list *list = open_list(i);
        tt_event_loop_type(app, "Gk");
        tt_event_loop_settle(app);
        const char *text = part_of(text_of_row(list, room));
        if (text[0] && strcmp(lists[i].keys, "4c") != 0) { /* there / narrows the list */
            snprintf(app->list_search.text, sizeof app->list_search.text, "%s", text);
            tt_event_loop_type(app, "g");
            tt_app_find_row(app, true);
            tt_event_loop_wait(app);
            const size_t at = list->at;
            cr_expect_not_null(strstr(text_of_row(list, other), text), "%s: row %zu: %s",
                               lists[i].keys, at, other);
            tt_app_find_row(app, false);
            tt_event_loop_wait(app);
            tt_app_find_row(app, true);
            tt_event_loop_wait(app);
            cr_expect_eq(list->at, at, "%s: %zu, not %zu", lists[i].keys, list->at, at);
            found += at > 0;
        }
        tt_app_close(app);
    }
    cr_expect_gt(found, 15, "%u", found);
    free(app);
}

/* Draws a list of numbers. */
static void draw_numbers(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_list *list = state;
    (void)ws;
    for (int i = 0; tt_list_row(list, i) < list->count; i++) {
        tt_draw_put(area, 0, list->y + i, area.width, TT_ROLE_TEXT, "row %zu.",
                    tt_list_row(list, i));
    }
}

/* Looks for a text in steps without time; returns how many there were. */
static unsigned steps_to(struct tt_list_search *search, struct tt_list *list, bool forward)
{
    struct tt_workspace *ws = calloc(1, sizeof *ws);
    cr_assert_not_null(ws);
    ws->term.body = (struct tt_area){.width = 40, .height = 24};
    const struct tt_list_pages pages = {list, ws, list, draw_numbers};
    unsigned steps = 0;
    tt_list_search_begin(search, list, forward);
    do {
        steps++;
        cr_expect_leq(tt_list_search_percent(search), 100);
    } while (!tt_list_search_step(search, &pages, 0) && search->active);
    free(ws);
    return steps;
}

Test(tui_list, a_search_in_a_long_list_has_steps)
{
    struct tt_list list = {0};
    struct tt_list_search search = {.text = "ROW 299990."};
    tt_list_layout(&list, 300000, 1, 20);
    cr_expect_gt(steps_to(&search, &list, true), 10000);
    cr_expect_eq(list.at, 299990);
    cr_expect_not(search.active);
    snprintf(search.text, sizeof search.text, "row 299980.");
    cr_expect_leq(steps_to(&search, &list, false), 2);
    cr_expect_eq(list.at, 299980);
    snprintf(search.text, sizeof search.text, "row 5."); /* from the other end on */
    cr_expect_leq(steps_to(&search, &list, true), 3);
    cr_expect_eq(list.at, 5);
    snprintf(search.text, sizeof search.text, "no such row");
    cr_expect_gt(steps_to(&search, &list, true), 10000);
    cr_expect_eq(list.at, 5, "it stays");
    cr_expect_eq(tt_list_search_percent(&search), 100);
}
