/* SPDX-License-Identifier: Apache-2.0 */
/* columns: the list for selecting the columns of the Events view. */
#include <stdio.h>
#include <stdlib.h>

#include "tui/app/app.h"
#include "tui/input/contains.h"
#include "tui/model/event_columns.h"

struct list {
    int at;
    int top; /* y of the first line in the last layout */
};

static void *list_open(void)
{
    return calloc(1, sizeof(struct list));
}

static struct tt_area list_box(struct tt_area area)
{
    int width = 36 < area.width ? 36 : area.width;
    int height = TT_COLUMN_COUNT + 2 < area.height ? TT_COLUMN_COUNT + 2 : area.height;
    return tt_area_part(area, area.width - width, 0, width, height);
}

static void list_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct list *list = state;
    int lines = list_box(area).height - 2;
    (void)ws;
    list->top = list->at >= lines ? lines - list->at : 1;
}

static void list_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct list *list = state;
    struct tt_area box = list_box(area);
    tt_draw_blank(box, 0, 0, box.width, box.height);
    tt_draw_fill(box, 0, 0, box.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_draw(box, 2, 0, box.width - 2, TT_ROLE_TITLE, " columns ");
    tt_draw_fill(box, 0, box.height - 1, box.width, TT_ROLE_LINE,
                 tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    int lines = box.height - 2;
    int first = 1 - list->top;
    for (int i = first; i < TT_COLUMN_COUNT && i - first < lines; i++) {
        int y = 1 + i - first;
        if (!(ws->nav.hidden_columns & 1u << i)) {
            tt_draw_fill(box, 2, y, 1, TT_ROLE_KEY, tt_term_glyph(&ws->term, TT_GLYPH_CHOSEN));
        }
        int used = tt_draw(box, 4, y, box.width - 4, TT_ROLE_TEXT, tt_column_name((unsigned)i));
        if (area.width < tt_column_from((unsigned)i)) {
            char note[32];
            snprintf(note, sizeof note, "from %d columns on", tt_column_from((unsigned)i));
            tt_draw(box, 5 + used, y, box.width - 5 - used, TT_ROLE_DIM, note);
        }
        if (i == list->at) {
            tt_draw_fill(box, 0, y, 1, TT_ROLE_CURSOR_MARK,
                         tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
            tt_draw_over(box, 1, y, box.width - 1, TT_ROLE_CURSOR);
        }
    }
}

static void list_toggle(struct tt_workspace *ws, struct list *list)
{
    ws->nav.hidden_columns ^= 1u << list->at;
}

static bool list_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct tt_workspace *ws = &app->ws;
    struct list *list = state;
    switch (action) {
    case TT_DO_DOWN:
        list->at += list->at < TT_COLUMN_COUNT - 1;
        return true;
    case TT_DO_UP:
        list->at -= list->at > 0;
        return true;
    case TT_DO_FIRST:
    case TT_DO_PAGE_UP:
    case TT_DO_HALF_UP:
        list->at = 0;
        return true;
    case TT_DO_LAST:
    case TT_DO_PAGE_DOWN:
    case TT_DO_HALF_DOWN:
        list->at = TT_COLUMN_COUNT - 1;
        return true;
    case TT_DO_COLUMN_TOGGLE:
        list_toggle(ws, list);
        return true;
    case TT_DO_COLUMN_FIND:
        tt_prompt_open(app, TT_PROMPT_COLUMN, "");
        return true;
    default:
        return false;
    }
}

static void list_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct list *list = state;
    (void)x;
    int at = y - list->top;
    if (at >= 0 && at < TT_COLUMN_COUNT) {
        list->at = at;
        list_toggle(ws, list);
    }
}

/* Moves to the first column with the text, and shows or hides it if it is accepted. */
static void list_find(struct tt_workspace *ws, void *state, const char *text, bool accepted)
{
    struct list *list = state;
    for (int i = 0; i < TT_COLUMN_COUNT && text[0]; i++) {
        if (tt_text_contains(tt_column_name((unsigned)i), text)) {
            list->at = i;
            if (accepted) {
                list_toggle(ws, list);
            }
            return;
        }
    }
}

static const enum tt_do offers[] = {TT_DO_COLUMN_TOGGLE, TT_DO_COLUMN_FIND, TT_DO_QUIT,
                                    TT_DO_NOTHING};

static const char *const about[] = {
    "The columns of Events: those shown are marked. Typing after / narrows the list.",
    NULL,
};

const struct tt_view tt_overlay_columns = {
    .about = about,
    .open = list_open,
    .close = free,
    .layout = list_layout,
    .draw = list_draw,
    .act = list_act,
    .click = list_click,
    .find = list_find,
    .footer = offers,
};
