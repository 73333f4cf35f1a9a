/* SPDX-License-Identifier: Apache-2.0 */
/* help: lists all keys, generated from the action table and the keymap. */
#include <stdlib.h>

#include "tui/app/app.h"

#define KEYS_WIDTH 16

struct help {
    int top;
    int lines; /* of the area */
};

static void *help_open(void)
{
    return calloc(1, sizeof(struct help));
}

/* Returns the number of lines: a title and the actions of each group, blank lines between them. */
static int line_count(void)
{
    return TT_DO_COUNT - 1 + 2 * TT_GROUP_COUNT - 1;
}

static void draw_action(const struct tt_workspace *ws, struct tt_area area, int y, unsigned action)
{
    char buffer[128];
    struct tt_text keys = tt_text_of(buffer, sizeof buffer);
    tt_keymap_keys(&ws->term.keymap, (enum tt_do)action, 4, &keys);
    tt_draw_text(area, 2, y, KEYS_WIDTH - 1, TT_ROLE_KEY, keys.buffer, keys.used);
    tt_draw(area, 2 + KEYS_WIDTH, y, area.width - 2 - KEYS_WIDTH, TT_ROLE_TEXT,
            tt_do_at(action)->help);
}

static void help_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct help *help = state;
    int last = line_count() - area.height;
    (void)ws;
    help->lines = area.height;
    help->top = help->top > last ? last : help->top;
    help->top = help->top < 0 ? 0 : help->top;
}

static void help_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct help *help = state;
    tt_draw_blank(area, 0, 0, area.width, area.height);
    int line = -help->top;
    for (unsigned group = 0; group < TT_GROUP_COUNT; group++) {
        tt_draw(area, 1, line++, area.width - 1, TT_ROLE_TITLE, tt_group_name(group));
        for (unsigned action = 1; action < TT_DO_COUNT; action++) {
            if (tt_do_at(action)->group == group) {
                draw_action(ws, area, line++, action);
            }
        }
        line++;
    }
}

static bool help_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct help *help = state;
    (void)app;
    switch (action) {
    case TT_DO_DOWN:
        help->top++;
        return true;
    case TT_DO_UP:
        help->top--;
        return true;
    case TT_DO_PAGE_DOWN:
        help->top += help->lines - 1;
        return true;
    case TT_DO_PAGE_UP:
        help->top -= help->lines - 1;
        return true;
    case TT_DO_HALF_DOWN:
        help->top += help->lines / 2;
        return true;
    case TT_DO_HALF_UP:
        help->top -= help->lines / 2;
        return true;
    case TT_DO_FIRST:
        help->top = 0;
        return true;
    case TT_DO_LAST:
        help->top = line_count();
        return true;
    default:
        return false;
    }
}

static const enum tt_do offers[] = {TT_DO_PAGE_DOWN, TT_DO_QUIT, TT_DO_NOTHING};

const struct tt_view tt_overlay_help = {
    .open = help_open,
    .close = free,
    .layout = help_layout,
    .draw = help_draw,
    .act = help_act,
    .footer = offers,
};
