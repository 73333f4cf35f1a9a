/* SPDX-License-Identifier: Apache-2.0 */
/* notices: lists the messages of the status line, the latest first. */
#include <stdio.h>
#include <string.h>

#include "tui/panes/pane.h"

/* Begins with the latest message each time. The list is of the lines of all messages, without a cursor. */
static void notices_enter(const struct tt_workspace *ws, void *state, const struct tt_view *below,
                          const void *below_state)
{
    (void)ws;
    (void)below;
    (void)below_state;
    *(struct tt_list *)state = (struct tt_list){0};
}

/* Returns the bytes of the next line of a message; breaks at a blank where there is one. */
static size_t line_length(const struct tt_grid *grid, const char *text, int width)
{
    size_t length = strlen(text), fit = tt_grid_fitting(grid, text, length, width);
    for (size_t i = fit; fit < length && i > fit / 2; i--) {
        if (text[i] == ' ') {
            return i;
        }
    }
    return fit;
}

/* Draws a message from line y on, or only counts its lines; returns their number. */
static int draw_message(const struct tt_grid *grid, struct tt_area area, int y,
                        const struct tt_past_message *past, bool count_only)
{
    char text[TT_STATUS_TEXT + 24];
    int lines = 0;
    snprintf(text, sizeof text, past->times > 1 ? "%s (%u times)" : "%s", past->text, past->times);
    for (const char *rest = text; *rest; lines++) {
        int indent = lines == 0 ? 1 : 3;
        size_t length = line_length(grid, rest, area.width - 1 - indent);
        if (!count_only) {
            tt_draw_text(area, indent, y + lines, area.width - indent, past->role, rest, length);
        }
        rest += length > 0 ? length : 1;
        rest += *rest == ' ';
    }
    return lines;
}

static void notices_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    size_t lines = 0;
    for (unsigned i = 0; i < tt_message_kept(&ws->message); i++) {
        lines +=
            (size_t)draw_message(&ws->term.grid, area, 0, tt_message_past(&ws->message, i), true);
    }
    tt_list_layout(state, lines, 1, area.height - 1);
}

static void notices_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_list *lines = state;
    tt_pane_box(ws, area, " messages, the latest first ", false);
    struct tt_area list = tt_area_part(area, 0, 1, area.width, area.height - 1);
    int y = -(int)lines->top;
    for (unsigned i = 0; i < tt_message_kept(&ws->message); i++) {
        y += draw_message(&ws->term.grid, list, y, tt_message_past(&ws->message, i), false);
    }
    if (lines->count == 0) {
        tt_draw(list, 1, 0, list.width - 1, TT_ROLE_DIM, "no message so far");
    }
}

static bool notices_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    (void)ws;
    return tt_list_scroll(state, action);
}

static const enum tt_do offers[] = {TT_DO_PAGE_DOWN, TT_DO_QUIT, TT_DO_NOTHING};

static const char *const about[] = {
    "The messages of the status line, the latest first.",
    NULL,
};

const struct tt_view tt_overlay_notices = {
    .about = about,
    .state_size = sizeof(struct tt_list),
    .enter = notices_enter,
    .layout = notices_layout,
    .draw = notices_draw,
    .act = notices_act,
    .footer = offers,
};
