/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/interval_list.h"

#include "tracetui/line_parts.h"
#include "tui/app/prompt.h"

void tt_interval_list_rule(const struct tt_workspace *ws, struct tt_area area, int y,
                           const char *title)
{
    tt_draw_fill(area, 0, y, area.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_draw(area, 1, y, area.width - 2, TT_ROLE_TITLE, title);
}

void tt_interval_list_draw(const struct tt_workspace *ws, const struct tt_list *list,
                           struct tt_area area, tt_interval_write *write, const void *arg)
{
    for (int i = 0; tt_list_row(list, i) < list->count; i++) {
        char buffer[TT_INTERVAL_LINE];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        write(ws, arg, tt_list_row(list, i), &text);
        tt_draw_text(area, 1, list->y + i, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
    }
    tt_list_draw_cursor(list, &ws->term, area);
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
