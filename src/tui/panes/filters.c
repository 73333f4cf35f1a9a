/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filters: the list of filters, over the lower part of a view so that their effect is visible.
 *
 *      ---- filters ------------------------------------------------------
 *       x include    io        thread ~ /^io-/                     12,881
 *      >x exclude              class = CONTROL                         94
 *       these together                                             12,787
 */
#include <string.h>

#include "tui/panes/pane.h"

#define USE_WIDTH  10
#define HITS_WIDTH 13
#define HITS_LEAST 9
#define NAMES_FROM 60 /* minimum width of the screen for a separate column of names */

/* ---- drawing ------------------------------------------------------------------------------ */

static int hits_width(struct tt_area line)
{
    return line.width < NAMES_FROM ? HITS_LEAST : HITS_WIDTH;
}

static void draw_hits(struct tt_area line, const struct tt_row_set *set)
{
    tt_draw_put_right(line, line.width - hits_width(line) - 1, 0, hits_width(line),
                      tt_row_set_whole(set) ? TT_ROLE_TEXT : TT_ROLE_PROGRESS, "%s%'ju",
                      tt_row_set_whole(set) ? "" : ">", tt_row_set_count(set));
}

static void draw_escaped(struct tt_area line, int x, int width, unsigned role, const char *bytes)
{
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&text, bytes, strlen(bytes));
    tt_draw_text(line, x, 0, width, role, buffer, text.used);
}

static void draw_filter(const struct tt_workspace *ws, struct tt_area line,
                        const struct tt_filter_entry *entry, bool chosen)
{
    unsigned role = entry->on ? TT_ROLE_TEXT : TT_ROLE_DIM;
    bool names = line.width >= NAMES_FROM;
    int x = 3 + USE_WIDTH + 1;
    if (entry->on) {
        tt_draw_fill(line, 1, 0, 1, TT_ROLE_TEXT, tt_term_glyph(&ws->term, TT_GLYPH_CHOSEN));
    }
    tt_draw(line, 3, 0, USE_WIDTH, role, tt_use_name(entry->use));
    int room = line.width - x - hits_width(line) - 2;
    if (entry->name[0]) {
        int width = names ? room / 3 : room;
        draw_escaped(line, x, width, entry->on ? TT_ROLE_TITLE : TT_ROLE_DIM, entry->name);
        x += width + 1;
        room -= width + 1;
    }
    if (entry->run) {
        draw_escaped(line, x, room, role, entry->text);
        draw_hits(line, tt_filter_run_rows(entry->run));
    } else {
        const char *why = entry->error.status.text[0] ? entry->error.status.text : entry->text;
        tt_draw(line, x, 0, room + hits_width(line), TT_ROLE_ERROR, why);
    }
    if (chosen) {
        tt_draw_over(line, 1, 0, line.width - 1, TT_ROLE_CURSOR);
        tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK, tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
    }
}

static void panel_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_list *list = state;
    const struct tt_filter_stack *stack = &ws->filters.stack;
    int lines = (int)stack->count + 2;
    int most = area.height / 2 > 4 ? area.height / 2 : area.height - 1;
    lines = lines > most ? most : lines;
    lines = lines < 3 ? 3 : lines;
    tt_list_layout(list, stack->count, area.height - lines + 1, lines - 2);
}

static void panel_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_list *list = state;
    const struct tt_filter_stack *stack = &ws->filters.stack;
    int lines = list->lines + 2;
    struct tt_area box = tt_area_part(area, 0, area.height - lines, area.width, lines);
    tt_pane_box(ws, box, " filters ", false);
    for (int i = 0; tt_list_row(list, i) < stack->count; i++) {
        const size_t number = tt_list_row(list, i);
        struct tt_area line = tt_area_part(box, 0, i + 1, box.width, 1);
        draw_filter(ws, line, &stack->stack[number], number == list->at);
    }

    struct tt_area line = tt_area_part(box, 0, lines - 1, box.width, 1);

    if (stack->count == 0) {
        tt_draw(line, 3, 0, line.width - 3, TT_ROLE_DIM, "none: all events are shown");
        return;
    }
    if (!stack->shown) {
        tt_draw(line, 3, 0, line.width - 3, TT_ROLE_DIM, "all events are shown");
        return;
    }
    tt_draw(line, 3, 0, line.width - 3, TT_ROLE_DIM,
            stack->peek ? "these together (all shown for now)" : "these together");
    draw_hits(line, stack->shown);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool panel_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_list *list = state;
    if (action == TT_DO_FILTER_ADD || action == TT_DO_FILTER_ADD_EXCLUDE ||
        action == TT_DO_FILTER_ADD_HIGHLIGHT) {
        list->at = ws->filters.stack.count;
        ws->host.edit_filter(ws->host.app, ws->filters.stack.count,
                             action == TT_DO_FILTER_ADD           ? TT_USE_INCLUDE
                             : action == TT_DO_FILTER_ADD_EXCLUDE ? TT_USE_EXCLUDE
                                                                  : TT_USE_HIGHLIGHT,
                             true);
        return true;
    }
    if (action < TT_DO_FILTER_EDIT || action > TT_DO_FILTER_UP) {
        return false;
    }
    if (list->at < ws->filters.stack.count) {
        /* Handles the actions on the selected filter. */
        struct tt_filter_stack *stack = &ws->filters.stack;
        const unsigned at = (unsigned)list->at;
        const struct tt_filter_entry *entry = &stack->stack[at];
        switch (action) {
        case TT_DO_FILTER_EDIT:
            ws->host.edit_filter(ws->host.app, at, entry->use, false);
            break;
        case TT_DO_FILTER_RENAME:
            ws->host.name_filter(ws->host.app, at);
            break;
        case TT_DO_FILTER_TOGGLE:
            tt_filter_stack_enable(stack, at, !entry->on);
            break;
        case TT_DO_FILTER_USE:
            tt_filter_stack_set_use(stack, at, (entry->use + 1) % TT_USE_COUNT);
            break;
        case TT_DO_FILTER_DELETE:
            tt_filter_stack_remove(stack, at);
            break;
        case TT_DO_FILTER_DOWN:
        case TT_DO_FILTER_UP:
            list->at = tt_filter_stack_shift(stack, at, action == TT_DO_FILTER_UP);
            break;
        default:
            break;
        }
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no filter yet (press a)");
    }
    ws->host.update_filters(ws->host.app);
    return true;
}

static void panel_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_list *list = state;
    if (x <= 2 && tt_list_row(list, y - list->y) < ws->filters.stack.count) {
        tt_filter_stack_enable(&ws->filters.stack, (unsigned)list->at,
                               !ws->filters.stack.stack[list->at].on);
    }
}

static const enum tt_do offers[] = {
    TT_DO_FILTER_ADD,
    TT_DO_FILTER_ADD_EXCLUDE,
    TT_DO_FILTER_ADD_HIGHLIGHT,
    TT_DO_FILTER_EDIT,
    TT_DO_FILTER_TOGGLE,
    TT_DO_FILTER_USE,
    TT_DO_FILTER_DELETE,
    TT_DO_FILTER_RENAME,
    TT_DO_FILTER_DOWN,
    TT_DO_QUIT,
    TT_DO_NOTHING,
};

static const char *const about[] = {
    "The filters: an event is shown if any that includes and none that excludes matches; "
    "highlights only colour it. Those that are off have no effect.",
    NULL,
};

const struct tt_view tt_overlay_filters = {
    .about = about,
    .state_size = sizeof(struct tt_list),
    .layout = panel_layout,
    .draw = panel_draw,
    .list = tt_pane_list,
    .act = panel_act,
    .click = panel_click,
    .footer = offers,
};
