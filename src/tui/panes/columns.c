/* SPDX-License-Identifier: Apache-2.0 */
/* columns: the list for selecting the columns of the Events view. */
#include <stdio.h>

#include "tui/input/contains.h"
#include "tui/model/event_columns.h"
#include "tui/panes/pane.h"

static struct tt_area list_box(struct tt_area area)
{
    int width = 36 < area.width ? 36 : area.width;
    int height = TT_COLUMN_COUNT + 2 < area.height ? TT_COLUMN_COUNT + 2 : area.height;
    return tt_area_part(area, area.width - width, 0, width, height);
}

static void list_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    (void)ws;
    tt_list_layout(state, TT_COLUMN_COUNT, 1, list_box(area).height - 2);
}

static void list_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_list *list = state;
    struct tt_area box = list_box(area);
    tt_pane_box(ws, box, " columns ", true);
    for (int line = 0; tt_list_row(list, line) < list->count; line++) {
        const unsigned column = (unsigned)tt_list_row(list, line);
        const int y = list->y + line;
        if (!(ws->nav.hidden_columns & 1u << column)) {
            tt_draw_fill(box, 2, y, 1, TT_ROLE_KEY, tt_term_glyph(&ws->term, TT_GLYPH_CHOSEN));
        }
        int used = tt_draw(box, 4, y, box.width - 4, TT_ROLE_TEXT, tt_column_name(column));
        if (area.width < tt_column_from(column)) {
            char note[32];
            snprintf(note, sizeof note, "from %d columns on", tt_column_from(column));
            tt_draw(box, 5 + used, y, box.width - 5 - used, TT_ROLE_DIM, note);
        }
    }
    tt_list_draw_cursor(list, &ws->term, box);
}

static void list_toggle(struct tt_workspace *ws, const struct tt_list *list)
{
    ws->nav.hidden_columns ^= 1u << list->at;
}

static bool list_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_list *list = state;
    switch (action) {
    case TT_DO_COLUMN_TOGGLE:
        list_toggle(ws, list);
        return true;
    case TT_DO_COLUMN_FIND:
        ws->host.prompt(ws->host.app, TT_PROMPT_COLUMN, "");
        return true;
    default:
        return false;
    }
}

static void list_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_list *list = state;
    (void)x;
    if (tt_list_row(list, y - list->y) < list->count) {
        list_toggle(ws, list);
    }
}

/* Moves to the first column with the text, and shows or hides it if it is accepted. */
static void list_find(struct tt_workspace *ws, void *state, const char *text, bool accepted)
{
    struct tt_list *list = state;
    for (int i = 0; i < TT_COLUMN_COUNT && text[0]; i++) {
        if (tt_text_contains(tt_column_name((unsigned)i), text)) {
            list->at = (size_t)i;
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
    .state_size = sizeof(struct tt_list),
    .layout = list_layout,
    .draw = list_draw,
    .list = tt_pane_list,
    .act = list_act,
    .click = list_click,
    .find = list_find,
    .footer = offers,
};
