/* SPDX-License-Identifier: Apache-2.0 */
/* summary/keys: handles keys and the mouse in the Summary view. */
#include <stdio.h>
#include <string.h>

#include "tui/input/contains.h"
#include "tui/views/summary/view.h"

/* Names the file of the table, or of its plot: "thread.csv". */
void tt_summary_name_file(const void *state, struct tt_text *text)
{
    const struct tt_summary_view *v = state;
    tt_text_str(text, v->pane > 0 ? "plot" : v->tabs[v->tab].table->name);
    tt_text_str(text, ".csv");
}

/* ---- keys --------------------------------------------------------------------------------- */

static void next_tab(const struct tt_workspace *ws, struct tt_summary_view *v, int by)
{
    do {
        v->tab = (v->tab + by + v->kind->count) % v->kind->count;
    } while (!tt_summary_has_tab(ws, v, v->tab));
    tt_summary_list_columns(v, 0);
}

int tt_summary_listed(const struct tt_summary_view *v)
{
    return v->list.at < v->list.count ? v->listed[v->list.at] : -1;
}

void tt_summary_list_columns(struct tt_summary_view *v, int column)
{
    const struct tt_summary_columns *columns = &tt_summary_shown(v)->columns;
    v->list.count = v->list.at = 0;
    for (unsigned i = 0; i < columns->count; i++) {
        char buffer[64];
        struct tt_text title = tt_text_of(buffer, sizeof buffer);
        tt_summary_column_title(&columns->v[i], &title);
        if (tt_text_contains(columns->v[i].stat->key, v->list_text) ||
            tt_text_contains(tt_text_cstr(&title), v->list_text)) {
            v->list.at = (int)i == column ? v->list.count : v->list.at;
            v->listed[v->list.count++] = (uint8_t)i;
        }
    }
}

/* Hides a visible column; gives a hidden one precedence over columns the user did not choose. */
static void toggle_column(struct tt_summary_view *v)
{
    const int column = tt_summary_listed(v);
    if (column >= 0) {
        struct tt_summary_column *c = &tt_summary_shown(v)->columns.v[column];
        c->choice = (uint8_t)(c->width > 0                   ? TT_CHOICE_HIDDEN
                              : c->choice == TT_CHOICE_SHOWN ? TT_CHOICE_AUTO
                                                             : TT_CHOICE_SHOWN);
    }
}

void tt_summary_find_column(struct tt_workspace *ws, void *state, const char *text, bool accepted)
{
    struct tt_summary_view *v = state;
    const int column = tt_summary_listed(v);
    (void)ws;
    snprintf(v->list_text, sizeof v->list_text, "%s", text);
    tt_summary_list_columns(v, column);
    if (accepted && text[0] && v->list.count == 1) {
        toggle_column(v);
        v->list_text[0] = '\0';
        tt_summary_list_columns(v, tt_summary_listed(v));
    }
}

bool tt_summary_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_summary_view *v = state;
    struct tt_summary_table *tab = tt_summary_shown(v);
    struct tt_summary_range range;
    if (tt_plot_pane_act(&v->plot, ws, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_COLUMNS:
        v->list_open = !v->list_open;
        v->list_text[0] = '\0';
        tt_summary_list_columns(v, (int)tab->chosen);
        return true;
    case TT_DO_COLUMN_TOGGLE:
        toggle_column(v);
        return true;
    case TT_DO_COLUMN_FIND:
        ws->host.prompt(ws->host.app, TT_PROMPT_COLUMN, "");
        return true;
    case TT_DO_COLUMN_LEFT:
    case TT_DO_COLUMN_RIGHT:
        tt_summary_table_choose(tab, action == TT_DO_COLUMN_RIGHT);
        v->plot_whole = 0;
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        tt_summary_table_sort(tab, action == TT_DO_REVERSE);
        return true;
    case TT_DO_HIDE_IDLE:
        tab->hides_idle = !tab->hides_idle;
        tab->shifted = true;
        return true;
    case TT_DO_TABLE_NEXT:
    case TT_DO_TABLE_PREVIOUS:
        next_tab(ws, v, action == TT_DO_TABLE_NEXT ? 1 : -1);
        return true;
    case TT_DO_RANGE:
        do {
            v->scope = (v->scope + 1) % TT_SCOPE_COUNT;
        } while (!tt_summary_range_of(ws, v->scope, &range));
        return true;
    case TT_DO_GO:
    case TT_DO_WHY:
        if (action == TT_DO_WHY || !tt_plot_pane_go(&v->plot, ws)) {
            tt_summary_go(ws, tab, action == TT_DO_WHY);
        }
        return true;
    case TT_DO_PLOT:
        v->plot.open = !v->plot.open;
        v->plot.follows = v->plot.large = false;
        v->plot_whole = 0;
        return true;
    case TT_DO_COUNT_AGAIN:
        if (tab->stopped) {
            tab->stopped = false;
        } else {
            tt_summary_ask(ws, v, true);
        }
        return true;
    default:
        return false;
    }
}

bool tt_summary_stop(void *state)
{
    struct tt_summary_table *tab = tt_summary_shown(state);
    bool counts = tab->begun && !tab->sheet.complete && !tab->stopped && !tab->failed;
    tab->stopped |= counts;
    return counts;
}

bool tt_summary_dismiss(struct tt_workspace *ws, void *state)
{
    struct tt_summary_view *v = state;
    if (v->list_open && v->list_text[0]) {
        tt_summary_find_column(ws, v, "", false); /* first all columns again */
        return true;
    }
    const bool closes = v->list_open || v->plot.open;
    v->plot.open = v->plot.open && v->list_open;
    v->plot_whole = v->plot.open ? v->plot_whole : 0;
    v->list_open = false;
    return closes;
}

/* ---- mouse -------------------------------------------------------------------------------- */

void tt_summary_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_summary_view *v = state;
    struct tt_summary_table *tab = tt_summary_shown(v);
    const int pane = TT_SUMMARY_HEAD_LINES + tab->list.lines;
    if (v->list_open) {
        if (x >= ws->term.body.width - TT_SUMMARY_LIST_WIDTH &&
            tt_list_row(&v->list, y - v->list.y) < v->list.count) {
            toggle_column(v);
        }
    } else if (y == 0) {
        const char *titles[TT_SUMMARY_TABS_MOST];
        char buffer[TT_SUMMARY_RANGE_BYTES];
        struct tt_text range = tt_text_of(buffer, sizeof buffer);
        const struct tt_tabs tabs = tt_summary_tabs(ws, v, ws->term.body.width, titles, &range);
        int hit = tt_tabs_at(&tabs, x);
        next_tab(ws, v, hit >= 0 ? hit - v->tab : 0);
    } else if (y < TT_SUMMARY_HEAD_LINES) {
        for (unsigned i = 0; i < tab->columns.count; i++) {
            const struct tt_summary_column *c = &tab->columns.v[i];
            if (c->width > 0 && x >= c->x && x < c->x + c->width) {
                tab->chosen = i;
                tt_summary_table_sort(tab, i == tab->sorted);
                return;
            }
        }
    } else if (v->pane > 0 && y > pane) {
        tt_plot_pane_click(&v->plot, ws, x);
    }
}
