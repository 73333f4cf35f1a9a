/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/list_find.h"

#include <stdio.h>

#include "tui/app/app.h"
#include "tui/input/contains.h"

#define FIND_MOST  100000u /* rows that one search looks at */
#define LINE_BYTES 4096

/* The list that has the keys, and its view on a grid that is not shown. */
struct found_in {
    const struct tt_view *view;
    void *state;
    struct tt_list *list;
    struct tt_grid grid;
    size_t first, end; /* rows on the grid */
};

static bool begin(struct tt_app *app, struct found_in *in)
{
    const struct tt_area *body = &app->ws.term.body;
    in->view = tt_app_front(app, &in->state);
    in->list = in->view->list ? in->view->list(in->state) : NULL;
    in->grid.ascii = app->ws.term.grid.ascii;
    in->grid.ellipsis = app->ws.term.grid.ellipsis;
    return in->list && in->list->count > 0 && in->list->lines > 0 &&
           tt_grid_resize(&in->grid, body->width, body->height);
}

/* Appends the text of a row. Of rows that are not drawn, a page is drawn that has it at one end. */
static void write_row(const struct tt_app *app, struct found_in *in, size_t row,
                      struct tt_text *text)
{
    struct tt_list *list = in->list;
    const size_t lines = (size_t)list->lines, top = list->top;
    if (row < in->first || row >= in->end) {
        const bool above = row < in->first;
        in->first = !above || row < lines ? row : row + 1 - lines;
        in->first = above && row < lines ? 0 : in->first;
        in->end = in->first + lines;
        list->top = in->first;
        tt_grid_clear(&in->grid);
        in->view->draw(&app->ws, in->state, tt_grid_area(&in->grid));
        list->top = top;
    }
    tt_grid_line(&in->grid, list->y + (int)(row - in->first), text);
}

void tt_list_find_next(struct tt_app *app, bool forward)
{
    struct found_in in = {0};
    char line[LINE_BYTES];
    bool found = false;
    if (app->list_text[0] && begin(app, &in)) {
        const size_t count = in.list->count, most = count < FIND_MOST ? count : FIND_MOST;
        size_t row = in.list->at < count ? in.list->at : 0;
        for (size_t i = 0; i < most && !found; i++) {
            struct tt_text text = tt_text_of(line, sizeof line);
            row = forward ? (row + 1) % count : (row + count - 1) % count;
            write_row(app, &in, row, &text);
            found = tt_text_contains(tt_text_cstr(&text), app->list_text);
        }
        if (found) {
            tt_list_go(in.list, row);
            tt_app_moved(app);
        }
    }
    tt_grid_free(&in.grid);
    if (!found) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "no row of this list has \"%s\"",
                       app->list_text);
    }
}

void tt_list_find_copy(struct tt_app *app, struct tt_text *text)
{
    struct found_in in = {0};
    if (begin(app, &in) && in.list->at < in.list->count) {
        write_row(app, &in, in.list->at, text);
    }
    tt_grid_free(&in.grid);
}

static void accepted(struct tt_app *app)
{
    if (app->prompt.line.text[0]) {
        snprintf(app->list_text, sizeof app->list_text, "%.127s", app->prompt.line.text);
    }
    tt_list_find_next(app, true);
}

const struct tt_line_edit_use tt_list_find_prompt = {.accepted = accepted};
