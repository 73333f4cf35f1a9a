/* SPDX-License-Identifier: Apache-2.0 */
/* summary/chooser: the list of columns, of those with a text: which of them are shown. */
#include <stdio.h>

#include "tui/input/contains.h"
#include "tui/views/summary/view.h"

int tt_summary_listed(const struct tt_summary_view *view)
{
    return view->list.at < view->list.count ? view->listed[view->list.at] : -1;
}

void tt_summary_list_columns(struct tt_summary_view *view, int column)
{
    const struct tt_summary_columns *columns = &tt_summary_shown(view)->columns;
    view->list.count = view->list.at = 0;
    for (unsigned i = 0; i < columns->count; i++) {
        char buffer[64];
        struct tt_text title = tt_text_of(buffer, sizeof buffer);
        tt_summary_column_title(&columns->v[i], &title);
        if (tt_text_contains(columns->v[i].stat->key, view->list_text) ||
            tt_text_contains(tt_text_cstr(&title), view->list_text)) {
            view->list.at = (int)i == column ? view->list.count : view->list.at;
            view->listed[view->list.count++] = (uint8_t)i;
        }
    }
}

void tt_summary_toggle_column(struct tt_summary_view *view)
{
    const int column = tt_summary_listed(view);
    if (column >= 0) {
        struct tt_summary_column *summary_column = &tt_summary_shown(view)->columns.v[column];
        summary_column->choice =
            (uint8_t)(summary_column->width > 0                   ? TT_CHOICE_HIDDEN
                      : summary_column->choice == TT_CHOICE_SHOWN ? TT_CHOICE_AUTO
                                                                  : TT_CHOICE_SHOWN);
    }
}

void tt_summary_find_column(struct tt_workspace *ws, void *state, const char *text, bool accepted)
{
    struct tt_summary_view *view = state;
    const int column = tt_summary_listed(view);
    (void)ws;
    snprintf(view->list_text, sizeof view->list_text, "%s", text);
    tt_summary_list_columns(view, column);
    if (accepted && text[0] && view->list.count == 1) {
        tt_summary_toggle_column(view);
        view->list_text[0] = '\0';
        tt_summary_list_columns(view, tt_summary_listed(view));
    }
}

struct tt_area tt_summary_list_box(const struct tt_summary_table *tab, struct tt_area area)
{
    int lines = (int)tab->columns.count + 2;
    int width = TT_SUMMARY_LIST_WIDTH < area.width ? TT_SUMMARY_LIST_WIDTH : area.width;
    return tt_area_part(area, area.width - width, 0, width,
                        lines < area.height ? lines : area.height);
}

void tt_summary_list_draw(const struct tt_workspace *ws, const struct tt_summary_view *view,
                          struct tt_area area)
{
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    struct tt_area box = tt_summary_list_box(tab, area);
    tt_draw_blank(box, 0, 0, box.width, box.height);
    tt_draw_fill(box, 0, 0, box.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    int x = 2 + tt_draw(box, 2, 0, box.width - 2, TT_ROLE_TITLE, " columns ");
    tt_draw(box, x, 0, box.width - x - 1, TT_ROLE_MATCH, view->list_text);
    tt_draw_fill(box, 0, box.height - 1, box.width, TT_ROLE_LINE,
                 tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    for (int i = 0; tt_list_row(&view->list, i) < view->list.count; i++) {
        const struct tt_summary_column *column =
            &tab->columns.v[view->listed[tt_list_row(&view->list, i)]];
        const int y = view->list.y + i;
        if (column->width > 0) { /* it is shown */
            tt_draw_fill(box, 2, y, 1, TT_ROLE_KEY, tt_term_glyph(&ws->term, TT_GLYPH_CHOSEN));
        }
        char buffer[64];
        struct tt_text title = tt_text_of(buffer, sizeof buffer);
        tt_summary_column_title(column, &title);
        x = 6 + tt_draw(box, 4, y, box.width - 4, TT_ROLE_TEXT, tt_text_cstr(&title));
        tt_draw(box, x, y, box.width - x, TT_ROLE_DIM,
                tt_summary_column_lacks_room(&tab->sheet, column) ? "too narrow"
                                                                  : column->stat->key);
    }
    tt_list_draw_cursor(&view->list, &ws->term, box);
    if (view->list.count == 0) {
        tt_draw(box, 2, 1, box.width - 3, TT_ROLE_DIM, "no column has this text");
    }
}
