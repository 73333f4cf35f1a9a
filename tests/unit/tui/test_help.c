/* SPDX-License-Identifier: Apache-2.0 */
/* The help in every view and pane: what it begins with, every key that works there, no cut line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "open_app.h"
#include "tui/term/keys.h"

#define DEMO  "samples/demo.kev"
#define TALL  300
#define CUT   0x2021 /* drawn where a text is cut */
#define REST  "In other views, lists and prompts"
#define BYTES 512

/* Keys that open a view or pane, the titles that its help begins with, and the contexts of its keys. */
static const struct {
    const char *keys;
    const char *first;
    const char *second; /* NULL: the rest */
    unsigned contexts[4];
} places[] = {
    {"1", "Events", "Detail pane", {TT_IN_EVENTS, TT_IN_VIEWS}},
    {"1<Enter>", "Detail pane", "Events", {TT_IN_DETAIL, TT_IN_EVENTS, TT_IN_VIEWS}},
    {"1c", "List of columns", "Events", {TT_IN_COLUMNS}},
    {"1jmajmb\"", "List of marks", "Events", {TT_IN_MARKS}},
    {"1eacpu=0<Enter>", "List of filters", "Events", {TT_IN_FILTERS}},
    {"3!", "List of messages", "CPUs", {TT_IN_NOTICES}},
    {"2", "Threads", NULL, {TT_IN_THREADS, TT_IN_VIEWS}},
    {"3", "CPUs", NULL, {TT_IN_CPUS, TT_IN_VIEWS}},
    {"4", "Summary", "Plot pane", {TT_IN_SUMMARY, TT_IN_VIEWS}},
    {"4d", "Plot pane", "Summary", {TT_IN_PLOT, TT_IN_SUMMARY, TT_IN_VIEWS}},
    {"4c", "List of columns", "Summary", {TT_IN_COLUMNS, TT_IN_SUMMARY, TT_IN_VIEWS}},
    {"5", "Info", NULL, {TT_IN_INFO, TT_IN_VIEWS}},
    {"6", "Messages", "Plot pane", {TT_IN_MESSAGES, TT_IN_VIEWS}},
    {"6d", "Plot pane", "Messages", {TT_IN_PLOT, TT_IN_MESSAGES, TT_IN_VIEWS}},
    {"7", "Snapshot", NULL, {TT_IN_SNAPSHOT, TT_IN_VIEWS}},
    {"2b", "Why", "Threads", {TT_IN_WHY}},
    {"1n<C-g>", "List of places", "Events", {TT_IN_HISTORY}},
    {"1:search kind = exit<Enter><C-r>", "List of results", "Events", {TT_IN_RESULTS}},
    {"1:measure kind = enter -> kind = exit --same thread<Enter>",
     "Measure",
     "Events",
     {TT_IN_MEASURE}},
    {"1:measure kind = enter -> kind = exit --same thread<Enter>d",
     "Plot pane",
     "Measure",
     {TT_IN_PLOT, TT_IN_MEASURE}},
    {"1:check tests/screens/demo.check<Enter>", "Check", "Events", {TT_IN_CHECK}},
    {"1:deadline sensor/1=150us<Enter>:deadline<Enter>", "Misses", "Events", {TT_IN_MISSES}},
    {"4:diff samples/fast1.kev<Enter>", "Diff", "Summary", {TT_IN_DIFF}},
    {"2:diff samples/fast1.kev<Enter>:align<Enter>", "Align", "Threads", {TT_IN_ALIGN}},
    {"2:sql select * from threads<Enter>", "SQL", "Threads", {TT_IN_SQL}},
    {"2:calls<Enter>", "Calls", "Threads", {TT_IN_CALLS}},
};

static void read_line(const struct tt_app *app, int y, char line[BYTES])
{
    struct tt_text text = tt_text_of(line, BYTES);
    tt_grid_line(&app->ws.term.grid, y, &text);
    tt_text_cstr(&text);
}

/* Returns the line that is this title, from `from` on; -1: none. */
static int title_line(const struct tt_app *app, int from, const char *title)
{
    for (int y = from; y < app->ws.term.grid.height; y++) {
        char line[BYTES];
        read_line(app, y, line);
        size_t length = strlen(title);
        if (line[0] == ' ' && strncmp(line + 1, title, length) == 0 &&
            strspn(line + 1 + length, " ") == strlen(line + 1 + length)) {
            return y;
        }
    }
    return -1;
}

/* Returns whether a line above `end` has a key beside what it does. */
static bool lists(const struct tt_app *app, int end, const char *key, const char *help)
{
    const size_t length = strlen(key);
    for (int y = 1; y < end; y++) {
        char line[BYTES];
        read_line(app, y, line);
        const char *found = strstr(line, help);
        for (const char *at = found ? found - 16 : NULL; at && at < found; at++) {
            if (strncmp(at, key, length) == 0 && at[-1] == ' ' && at[length] == ' ') {
                return true;
            }
        }
    }
    return false;
}

static void check_lines(const struct tt_app *app, const char *keys)
{
    for (int y = 1; y < app->ws.term.grid.height - 2; y++) {
        for (int x = 0; x < 80; x++) {
            cr_expect_neq(tt_grid_at(&app->ws.term.grid, x, y)->ch, CUT, "%s: line %d is cut", keys,
                          y);
        }
    }
}

/* Returns what an action does in the view or pane below the help. */
static const char *help_of(const struct tt_app *app, unsigned action)
{
    const struct tt_navigation *nav = &app->ws.nav;
    const struct tt_view *below =
        nav->below != TT_OVERLAY_NONE ? tt_overlays[nav->below] : tt_views[nav->view];
    return tt_view_verb(below, (enum tt_do)action).help;
}

static void check_keys(const struct tt_app *app, const char *keys, const unsigned *contexts,
                       int end)
{
    const struct tt_keymap *map = &app->ws.term.keymap;
    for (unsigned i = 0; i < map->count; i++) {
        const struct tt_binding *binding = &map->bindings[i];
        char buffer[TT_KEY_NAME];
        const char *name = tt_key_name(binding->key, buffer);
        cr_expect(tt_keymap_find(map, binding->key, contexts) != binding->action ||
                      lists(app, end, name, help_of(app, binding->action)),
                  "%s: %s is missing: %s", keys, name, help_of(app, binding->action));
    }
}

Test(tui_help, every_view_and_pane)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *keys = places[i].keys;
        struct tt_app *app = open_app(DEMO);
        type_settled(app, keys);
        cr_assert(tt_grid_resize(&app->ws.term.grid, 80, TALL));
        app->ws.term.grid.ellipsis = CUT;
        type_settled(app, "?");
        cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_HELP, "%s", keys);
        cr_expect_eq(title_line(app, 1, places[i].first), 1, "%s: begins with another", keys);
        int rest = title_line(app, 1, REST), second = -1;
        cr_assert_gt(rest, 1, "%s", keys);
        if (places[i].second) {
            second = title_line(app, 2, places[i].second);
            cr_expect(second > 0 && second < rest, "%s: not %s next", keys, places[i].second);
        }
        check_lines(app, keys);
        check_keys(app, keys, places[i].contexts, rest);
        close_app(app);
    }
}

/* Reads the last line of a page, and one above it. */
static void read_end(const struct tt_app *app, char page[2 * BYTES])
{
    read_line(app, 21, page);
    read_line(app, 17, page + BYTES);
}

/* The same in a terminal of 80x24, page by page; the mouse is listed for each. */
Test(tui_help, every_page_in_a_small_terminal)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *keys = places[i].keys;
        struct tt_app *app = open_app(DEMO);
        type_settled(app, keys);
        cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
        app->ws.term.grid.ellipsis = CUT;
        type_settled(app, "?");
        cr_expect_eq(title_line(app, 1, places[i].first), 1, "%s: begins with another", keys);
        bool mouse = false, rest = false;
        /* Pages may end alike: two lines tell them apart. */
        char last[2 * BYTES] = "", page[2 * BYTES];
        memset(page, 0, sizeof page);
        for (read_end(app, page); memcmp(page, last, sizeof page) != 0; read_end(app, page)) {
            memcpy(last, page, sizeof last);
            check_lines(app, keys);
            mouse |= !rest && screen_line(app, "  double click    as Enter") > 0;
            rest |= title_line(app, 1, REST) > 0;
            type_settled(app, "<PgDn>");
        }
        cr_expect(mouse, "%s: the mouse is missing", keys);
        cr_expect(rest, "%s: the last page is missing", keys);
        close_app(app);
    }
}

/* A pane that is open takes keys from its view: the help of the view has them no more. */
Test(tui_help, keys_that_a_pane_takes_are_not_those_of_the_view)
{
    struct tt_app *app = open_app(DEMO);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, TALL));
    type_settled(app, "<Enter>?");
    cr_expect(lists(app, TALL, "l", "select the next field; its bytes are highlighted"));
    int rest = title_line(app, 1, REST);
    cr_expect_not(lists(app, rest, "l", "scroll the arguments right"));
    cr_expect(lists(app, TALL, "l", "scroll the arguments right"));
    close_app(app);
}

/* Bound keys are found, also when they need more than a line. */
Test(tui_help, keys_of_the_user)
{
    struct tt_app *app = open_app(DEMO);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, TALL));
    app->ws.term.grid.ellipsis = CUT;
    type_settled(app,
                 ":map <lt>F5> filter<Enter>:map <lt>F6> filter<Enter>:map <lt>F7> filter<Enter>");
    type_settled(
        app, ":map <lt>F8> filter<Enter>:map <lt>F9> filter<Enter>:map <lt>F10> filter<Enter>?");
    check_lines(app, "map");
    cr_expect(screen_line(app, "F5 F6 F7 F8 F9 F10 ") > 0);
    close_app(app);
}

Test(tui_help, begins_at_the_top_each_time)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, "?G");
    cr_expect_neq(title_line(app, 1, "Events"), 1);
    type_settled(app, "??");
    cr_expect_eq(title_line(app, 1, "Events"), 1);
    type_settled(app, "/histogram<Enter>q2?");
    cr_expect_eq(title_line(app, 1, "Threads"), 1);
    close_app(app);
}

/* `w` offers a name everywhere; typing replaces it. */
Test(tui_help, write_offers_a_name_that_typing_replaces)
{
    static const struct {
        const char *keys, *offer;
    } writes[] = {
        {"1", "demo-events.csv"},
        {"2", "demo-threads.csv"},
        {"3", "demo-cpus.csv"},
        {"4", "demo-thread.csv"},
        {"5", "demo-info.txt"},
        {"6", "demo-message.csv"},
        {"7", "demo-snapshot.csv"},
        {"4d", "demo-plot.csv"},
        {"2b", "demo-why.txt"},
        {"1:check tests/screens/demo.check<Enter>", "demo-check.xml"},
        {"1:deadline sensor/1=150us<Enter>:deadline<Enter>", "demo-misses.csv"},
        {"2:sql select * from threads<Enter>", "demo-query.csv"},
    };
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        struct tt_app *app = open_app(DEMO);
        char line[BYTES];
        type_settled(app, writes[i].keys);
        type_settled(app, "w");
        snprintf(line, sizeof line, "write %s", writes[i].offer);
        cr_expect_str_eq(app->prompt.line.text, line, "%s", writes[i].keys);
        type_settled(app, "bug.txt");
        cr_expect_str_eq(app->prompt.line.text, "write bug.txt", "%s", writes[i].keys);
        close_app(app);
    }
}
