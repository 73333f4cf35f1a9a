/* SPDX-License-Identifier: Apache-2.0 */
/* columns: sharing out a line, and the list in which columns are chosen. */
#include "tui/views/events/columns.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/app/app.h"

static const struct {
    const char *name;
    int priority;
    int least;
    int from; /* width of the screen from which on it is worth its room */
} table[TT_COLUMN_COUNT] = {
#define X(id, name, priority, least, from) {name, priority, least, from},
    TT_COLUMN_INFO(X)
#undef X
};

/* Who gets what is left over, up to which width, in this order. */
static const struct {
    enum tt_column_id column;
    int up_to;
} growth[] = {
    {TT_COLUMN_THREAD, 16},         {TT_COLUMN_EVENT, 15}, {TT_COLUMN_ARGUMENTS, 30},
    {TT_COLUMN_THREAD, 24},         {TT_COLUMN_EVENT, 20}, {TT_COLUMN_ARGUMENTS, 60},
    {TT_COLUMN_THREAD, 32},         {TT_COLUMN_EVENT, 28}, {TT_COLUMN_CLASS, 16},
    {TT_COLUMN_ARGUMENTS, INT_MAX},
};

const char *tt_column_name(unsigned column)
{
    return column < TT_COLUMN_COUNT ? table[column].name : "";
}

static int least_width(unsigned column, const struct tt_column_needs *needs)
{
    if (column == TT_COLUMN_TIME) {
        return needs->time_width;
    }
    return column == TT_COLUMN_CPU ? needs->cpu_width : table[column].least;
}

void tt_columns_place(int width, const struct tt_column_needs *needs,
                      struct tt_column_place places[TT_COLUMN_COUNT])
{
    int left = width; /* each column costs its width and the blank, or the mark, before it */
    for (unsigned i = 0; i < TT_COLUMN_COUNT; i++) {
        places[i].width = 0;
    }
    for (int priority = 0; priority < TT_COLUMN_COUNT; priority++) {
        for (unsigned i = 0; i < TT_COLUMN_COUNT; i++) {
            int least = least_width(i, needs);
            if (table[i].priority == priority && !(needs->hidden & 1u << i) &&
                width >= table[i].from && least + 1 <= left) {
                places[i].width = least;
                left -= least + 1;
            }
        }
    }
    for (size_t i = 0; i < sizeof growth / sizeof *growth && left > 0; i++) {
        struct tt_column_place *place = &places[growth[i].column];
        int more = growth[i].up_to - place->width;
        if (place->width > 0 && more > 0) {
            more = more < left ? more : left;
            place->width += more;
            left -= more;
        }
    }
    int x = 1;
    for (unsigned i = 0; i < TT_COLUMN_COUNT; i++) {
        places[i].x = x;
        x += places[i].width > 0 ? places[i].width + 1 : 0;
    }
}

/* ---- the list ------------------------------------------------------------------------------ */

struct list {
    int at;
    int top; /* row of the area where the first column's line was drawn */
};

static void *list_open(void)
{
    return calloc(1, sizeof(struct list));
}

static void list_draw(struct tt_app *app, void *state, struct tt_area area)
{
    struct list *list = state;
    int width = 36 < area.width ? 36 : area.width;
    int height = TT_COLUMN_COUNT + 2;
    if (height > area.height) {
        height = area.height;
    }
    struct tt_area box = tt_area_part(area, area.width - width, 0, width, height);
    tt_draw_blank(box, 0, 0, box.width, box.height);
    tt_draw_fill(box, 0, 0, box.width, TT_ROLE_LINE, tt_app_glyph(app, TT_GLYPH_LINE));
    tt_draw(box, 2, 0, box.width - 2, TT_ROLE_TITLE, " columns ");
    tt_draw_fill(box, 0, box.height - 1, box.width, TT_ROLE_LINE, tt_app_glyph(app, TT_GLYPH_LINE));
    int lines = box.height - 2;
    int first = list->at >= lines ? list->at - lines + 1 : 0;
    list->top = 1 - first;
    for (int i = first; i < TT_COLUMN_COUNT && i - first < lines; i++) {
        int y = 1 + i - first;
        if (!(app->hidden_columns & 1u << i)) {
            tt_draw_fill(box, 2, y, 1, TT_ROLE_KEY, tt_app_glyph(app, TT_GLYPH_CHOSEN));
        }
        int used = tt_draw(box, 4, y, box.width - 4, TT_ROLE_TEXT, tt_column_name((unsigned)i));
        if (area.width < table[i].from) {
            char note[32];
            snprintf(note, sizeof note, "from %d columns on", table[i].from);
            tt_draw(box, 5 + used, y, box.width - 5 - used, TT_ROLE_DIM, note);
        }
        if (i == list->at) {
            tt_draw_fill(box, 0, y, 1, TT_ROLE_CURSOR_MARK, tt_app_glyph(app, TT_GLYPH_CURSOR));
            tt_draw_over(box, 1, y, box.width - 1, TT_ROLE_CURSOR);
        }
    }
}

static void list_toggle(struct tt_app *app, struct list *list)
{
    app->hidden_columns ^= 1u << list->at;
}

static bool list_act(struct tt_app *app, void *state, enum tt_do action)
{
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
        list_toggle(app, list);
        return true;
    default:
        return false;
    }
}

static void list_click(struct tt_app *app, void *state, int x, int y)
{
    struct list *list = state;
    (void)x;
    int at = y - list->top;
    if (at >= 0 && at < TT_COLUMN_COUNT) {
        list->at = at;
        list_toggle(app, list);
    }
}

static void list_contexts(const struct tt_app *app, const void *state, unsigned out[4])
{
    (void)app;
    (void)state;
    out[0] = TT_IN_COLUMNS;
    out[1] = 0;
}

static const enum tt_do *list_footer(const void *state)
{
    static const enum tt_do offers[] = {TT_DO_COLUMN_TOGGLE, TT_DO_QUIT, TT_DO_NOTHING};
    (void)state;
    return offers;
}

const struct tt_view tt_overlay_columns = {
    .name = "columns",
    .open = list_open,
    .close = free,
    .draw = list_draw,
    .act = list_act,
    .click = list_click,
    .contexts = list_contexts,
    .footer = list_footer,
};
