/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/overlays/interval_list.h"

#include "tracetui/line_parts.h"
#include "tui/app/prompt.h"
#include "tui/input/list_motion.h"

void tt_interval_list_layout(struct tt_interval_list *list, struct tt_area area, int y,
                             size_t count)
{
    list->y = y;
    list->lines = area.height > y ? area.height - y : 0;
    list->count = count;
    size_t lines = list->lines > 0 ? (size_t)list->lines : 1;
    if (list->at >= count) {
        list->at = count > 0 ? count - 1 : 0;
    }
    list->top = list->at < list->top            ? list->at
                : list->at >= list->top + lines ? list->at - lines + 1
                                                : list->top;
}

void tt_interval_list_rule(const struct tt_workspace *ws, struct tt_area area, int y,
                           const char *title)
{
    tt_draw_fill(area, 0, y, area.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_draw(area, 1, y, area.width - 2, TT_ROLE_TITLE, title);
}

void tt_interval_list_draw(const struct tt_workspace *ws, const struct tt_interval_list *list,
                           struct tt_area area, tt_interval_write *write, const void *arg)
{
    for (int i = 0; i < list->lines && list->top + (size_t)i < list->count; i++) {
        char buffer[TT_INTERVAL_LINE];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        write(ws, arg, list->top + (size_t)i, &text);
        tt_draw_text(area, 1, list->y + i, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
        if (list->top + (size_t)i == list->at) {
            tt_draw_over(area, 1, list->y + i, area.width - 1, TT_ROLE_CURSOR);
            tt_draw_fill(area, 0, list->y + i, 1, TT_ROLE_CURSOR_MARK,
                         tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
        }
    }
}

bool tt_interval_list_move(struct tt_interval_list *list, enum tt_do action)
{
    struct tt_move move = tt_list_motion_of(action, list->lines);
    if (move.kind == TT_MOVE_NONE) {
        return false;
    }
    int64_t last = list->count > 0 ? (int64_t)list->count - 1 : 0;
    int64_t to = move.kind == TT_MOVE_END ? (move.by > 0 ? last : 0) : (int64_t)list->at + move.by;
    list->at = to <= 0 ? 0 : to < last ? (size_t)to : (size_t)last;
    return true;
}

void tt_interval_list_click(struct tt_interval_list *list, int y)
{
    if (y >= list->y && list->top + (size_t)(y - list->y) < list->count) {
        list->at = list->top + (size_t)(y - list->y);
    }
}

void tt_interval_duration(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks,
                          int width)
{
    char buffer[64];
    struct tt_text length = tt_text_of(buffer, sizeof buffer);
    tt_line_duration_with(&length, ws->opened.capture, ticks, ws->term.grid.ascii ? " us" : " µs");
    int used = tt_grid_columns(&ws->term.grid, buffer, length.used);
    tt_text_fill(text, ' ', used < width ? (size_t)(width - used) : 0);
    tt_text_bytes(text, buffer, length.used);
}

void tt_interval_explain(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to)
{
    if (thread < tt_thread_count(ws->opened.capture) && to > from) {
        tt_why_open_range(ws, thread, from, to, "range");
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no thread to explain");
    }
}

bool tt_interval_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}
