/* SPDX-License-Identifier: Apache-2.0 */
/* Every prompt with a rejected or accepted line, then all keys of a prompt in all orders. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/term/keys.h"

/* Keys that open a prompt, enter a line and leave a prompt open; and its kind. */
static const struct {
    const char *keys;
    enum tt_line_edit_kind kind;
} beginnings[] = {
    {":nosuch<Enter>:", TT_PROMPT_COMMAND},
    {":goto x<Enter>:", TT_PROMPT_COMMAND},
    {":filter cpu=u<Enter>", TT_PROMPT_FILTER}, /* the command opens the prompt that rejects it */
    {":filter (<Enter>", TT_PROMPT_FILTER},
    {":search cpu=u<Enter>", TT_PROMPT_SEARCH},
    {"fcpu=u<Enter>", TT_PROMPT_FILTER},
    {"&/[/<Enter>", TT_PROMPT_FILTER},
    {"/cpu=u<Enter>", TT_PROMPT_SEARCH},
    {"/(<Enter>", TT_PROMPT_SEARCH},
    {"/cpu=0<Enter>/<Enter>/", TT_PROMPT_SEARCH}, /* accepted, repeated, and open again */
    {"eacpu=u<Enter>", TT_PROMPT_FILTER},
    {"excpu=u<Enter>", TT_PROMPT_EXCLUDE},
    {"elcpu=u<Enter>", TT_PROMPT_HIGHLIGHT},
    {"eacpu=0<Enter>rname<Enter>r", TT_PROMPT_NAME},
    {":mark a<Enter>\"nnote<Enter>n", TT_PROMPT_NOTE},
};
/* Keys for histories, lists, opening and closing come first. */
static const char *const keys[] = {
    "<Up>",    "<Down>", "<C-r>",  "<Tab>", "<Enter>", "<Esc>", "<BS>",  "u",     "<S-Tab>",
    "<Right>", "<Left>", "<Home>", "<End>", "<Del>",   "<C-w>", "<C-u>", "<C-k>",
};
#define CAPTURE    "tests/filter/small.btrace"
#define BEGINNINGS (sizeof beginnings / sizeof *beginnings)

/* Invariants of a prompt after any input. */
static void check(const struct tt_app *app, const char *typed)
{
    const struct tt_line_edit *p = &app->prompt.line;
    const struct tt_history *history = &p->histories[p->kind];
    cr_assert_eq(strlen(p->text), p->length, "%s", typed);
    cr_assert_leq(p->caret, p->length, "%s", typed);
    cr_assert(p->open || !p->draft, "%s: closed, and still in the history", typed);
    cr_assert(!p->draft || p->history_at < history->count, "%s: no line of the history", typed);
    cr_assert(p->open || !app->prompt.completion.open, "%s: candidates without a prompt", typed);
    cr_assert_eq(app->ws.filters.find.prompt != TT_FIND_PROMPT_NONE,
                 p->open && p->kind != TT_PROMPT_COMMAND && p->kind != TT_PROMPT_NOTE,
                 "%s: a prompt is open without a question, or a question without a prompt", typed);
}

/* Leaves the prompt and undoes the effects of the sequence. */
static void leave(struct tt_app *app)
{
    for (int i = 0; i < 3 && app->prompt.line.open; i++) {
        type_keys(app, "<Esc>");
    }
    cr_assert_not(app->prompt.line.open);
    if (app->ws.nav.overlay != TT_OVERLAY_FILTERS) {
        tt_app_key(app, TT_KEY_ESC);
        tt_app_key(app, '1');
        tt_app_key(app, 'e');
    }
    while (app->ws.filters.stack.count > 0) {
        tt_app_key(app, 'd');
    }
    tt_app_key(app, 'e');
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    app->ws.term.requests.quit = false;
}

/* Types one beginning and `count` keys; their numbers are the digits of `order` in `base`. */
static void try_order(struct tt_app *app, size_t beginning, unsigned order, unsigned base,
                      unsigned count)
{
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const char *typed = buffer;
    tt_text_str(&text, beginnings[beginning].keys);
    tt_text_cstr(&text);
    type_keys(app, typed);
    cr_assert(app->prompt.line.open, "%s", typed);
    cr_assert_eq(app->prompt.line.kind, beginnings[beginning].kind, "%s", typed);
    for (unsigned i = 0; i < count; i++, order /= base) {
        tt_text_str(&text, keys[order % base]);
        tt_text_cstr(&text);
        type_keys(app, keys[order % base]);
        check(app, typed);
    }
    leave(app);
}

/* All orders of `count` keys, of the first `base` of them, after each beginning. */
static void try_orders(unsigned base, unsigned count)
{
    unsigned orders = 1;
    for (unsigned i = 0; i < count; i++) {
        orders *= base;
    }
    for (size_t beginning = 0; beginning < BEGINNINGS; beginning++) {
        struct tt_app *app = open_app(CAPTURE);
        for (unsigned order = 0; order < orders; order++) {
            try_order(app, beginning, order, base, count);
        }
        close_app(app);
    }
}

Test(tui_prompts, any_two_keys_after_an_entered_line)
{
    try_orders(sizeof keys / sizeof *keys, 2);
}

Test(tui_prompts, any_three_keys_after_an_entered_line)
{
    try_orders(7, 3);
}

Test(tui_prompts, a_rejected_line_is_edited_and_in_the_history)
{
    struct tt_app *app = open_app(CAPTURE);
    type_keys(app, "fcpu = 0<Enter>");
    type_keys(app, "&cpu=u<Enter>");
    cr_assert(app->prompt.line.open);
    cr_assert_str_eq(app->prompt.line.text, "cpu=u");
    cr_assert_neq(app->prompt.line.error[0], '\0');
    type_keys(app, "<Down>");
    cr_assert_str_eq(app->prompt.line.text, "cpu=u");
    type_keys(app, "<Up><Up>");
    cr_assert_str_eq(app->prompt.line.text, "cpu = 0");
    type_keys(app, "<Down><Down>");
    cr_assert_str_eq(app->prompt.line.text, "cpu=u");
    type_keys(app, "<BS>1<Enter>");
    cr_assert_not(app->prompt.line.open);
    close_app(app);
}

Test(tui_prompts, the_layout_scrolls_a_long_line_and_its_list)
{
    struct tt_app *app = open_app(CAPTURE);
    int room = app->ws.term.grid.width;
    type_keys(app, ":");
    for (int i = 0; i < room; i++) {
        tt_app_key(app, 'x');
    }
    tt_app_layout(app);
    int scroll = app->prompt.line.scroll;
    cr_assert_gt(scroll, 0, "the caret is visible before a frame is drawn");
    tt_app_draw(app);
    cr_assert_eq(app->prompt.line.scroll, scroll);
    cr_assert_lt(app->ws.term.grid.caret_x, room);
    type_keys(app, "<Home>");
    tt_app_layout(app);
    cr_assert_eq(app->prompt.line.scroll, 0);
    type_keys(app, "<C-k><Tab>");
    for (unsigned i = 0; i <= TT_COMPLETION_LINES; i++) {
        type_keys(app, "<Tab>");
    }
    tt_app_layout(app);
    const struct tt_completion *list = &app->prompt.completion;
    cr_assert(list->open);
    cr_assert_gt(list->top, 0, "item %u of %u is visible", list->chosen, list->count);
    close_app(app);
}

/* Tests the text that Tab inserts at each place of a filter. */
Test(tui_prompts, tab_completes_each_part_of_a_filter)
{
    static const struct {
        const char *typed, *text;
    } cases[] = {
        {"even<Tab>", "event"},
        {"event = THCREATE an<Tab>", "event = THCREATE and"},
        {"pid = 5 an<Tab>", "pid = 5 and"},
        {"event ~ /^TH/ an<Tab>", "event ~ /^TH/ and"},
        {"event in (THCREATE) an<Tab>", "event in (THCREATE) and"},
        {"(pid = 5 or stat<Tab>", "(pid = 5 or state"},
        {"event ~ /TH an<Tab>", "event ~ /TH an"},
        {"pid = an<Tab>", "pid = an"},
    };
    struct tt_app *app = open_app(CAPTURE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        type_keys(app, "f<C-e><C-u>");
        type_keys(app, cases[i].typed);
        const char *text = app->prompt.line.text;
        size_t length = strlen(text);
        length -= length > 0 && text[length - 1] == ' ';
        cr_expect(length == strlen(cases[i].text) && strncmp(text, cases[i].text, length) == 0,
                  "%s: '%s'", cases[i].typed, text);
        type_keys(app, "<Esc><Esc>");
    }
    close_app(app);
}

static void draw_text(struct tt_app *app, char *buffer, size_t size)
{
    struct tt_text text = tt_text_of(buffer, size);
    tt_app_layout(app);
    tt_app_draw(app);
    for (int y = 0; y < app->ws.term.grid.height; y++) {
        tt_grid_line(&app->ws.term.grid, y, &text);
    }
    tt_text_cstr(&text);
}

/* Esc stops a search, then removes the marks of its matches, then closes the pane of the event. */
Test(tui_prompts, each_escape_ends_one_thing)
{
    struct tt_app *app = open_app_in(CAPTURE, "events");
    struct tt_filters *filters = &app->ws.filters;
    char with_pane[8192], without[8192];
    type_keys(app, "/event = THREADY<Enter>");
    cr_assert(filters->find.search.highlighted);
    type_keys(app, "<Enter>");
    draw_text(app, with_pane, sizeof with_pane);
    type_keys(app, "<Esc>");
    cr_expect_not(filters->find.search.highlighted);
    draw_text(app, without, sizeof without);
    cr_expect(strstr(with_pane, " offset 0x") && strstr(without, " offset 0x"), "the pane stays");
    type_keys(app, "<Esc>");
    draw_text(app, without, sizeof without);
    cr_expect_null(strstr(without, " offset 0x"), "the pane is closed");
    close_app(app);
}
