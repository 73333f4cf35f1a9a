/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history: the list of the places that jumps have left, oldest first.
 *
 *      -- places -----------------------------------------
 *         1  Threads 0.0123 s, logger/1
 *       > 2  Summary: Threads, sensor/1
 */
#include <stdlib.h>

#include "tui/app/places.h"
#include "tui/app/view.h"
#include "tui/list/list.h"

#define NUMBER_WIDTH 4

struct places {
    struct tt_list list;
    size_t count, at; /* of the trail, in the last layout */
};

static void *list_open(void)
{
    return calloc(1, sizeof(struct places));
}

/* Puts the cursor on the present place, or else the newest one, when the places have changed. */
static void list_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct places *p = state;
    size_t count = ws->trail.count, most = (size_t)(area.height > 3 ? area.height - 2 : 1);
    if (p->count != count || p->at != ws->trail.at) {
        p->count = count;
        p->at = ws->trail.at;
        p->list.at = p->at < count ? p->at : count > 0 ? count - 1 : 0;
    }
    tt_list_layout(&p->list, count, 1, (int)(count > most ? most : count > 0 ? count : 1));
}

static void list_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_list *list = &((const struct places *)state)->list;
    const struct tt_trail *trail = &ws->trail;
    struct tt_area box = tt_area_part(area, 0, 0, area.width, list->lines + 2);
    tt_draw_blank(box, 0, 0, box.width, box.height);
    for (int y = 0; y < box.height; y += box.height - 1) {
        tt_draw_fill(box, 0, y, box.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    }
    tt_draw(box, 2, 0, box.width - 2, TT_ROLE_TITLE, " places ");
    if (list->count == 0) {
        tt_draw(box, 4, 1, box.width - 4, TT_ROLE_DIM,
                "no places: a jump, as Enter or n, leaves one");
    }
    for (int i = 0; tt_list_row(list, i) < trail->count; i++) {
        char buffer[TT_STATUS_TEXT];
        const size_t number = tt_list_row(list, i);
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_u64(&text, number + 1);
        tt_draw_right(box, 2, 1 + i, NUMBER_WIDTH, TT_ROLE_DIM, tt_text_cstr(&text));
        text = tt_text_of(buffer, sizeof buffer);
        tt_places_name(trail, number, &text);
        tt_draw_text(box, 3 + NUMBER_WIDTH, 1 + i, box.width - 3 - NUMBER_WIDTH,
                     number == trail->at ? TT_ROLE_TITLE : TT_ROLE_TEXT, buffer, text.used);
    }
    tt_list_draw_cursor(list, &ws->term, box);
}

static bool list_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct tt_list *list = &((struct places *)state)->list;
    if (action == TT_DO_HISTORY_GO) {
        tt_places_go(app, list->at);
        return true;
    }
    return tt_list_move(list, action);
}

static void list_click(struct tt_workspace *ws, void *state, int x, int y)
{
    (void)ws;
    (void)x;
    tt_list_click(&((struct places *)state)->list, y);
}

static const enum tt_do offers[] = {TT_DO_HISTORY_GO, TT_DO_QUIT, TT_DO_NOTHING};

static const char *const about[] = {
    "The places that jumps have left, oldest first, in all files. Enter shows one as it was.",
    NULL,
};

const struct tt_view tt_overlay_history = {
    .about = about,
    .open = list_open,
    .close = free,
    .layout = list_layout,
    .draw = list_draw,
    .act = list_act,
    .click = list_click,
    .footer = offers,
};
