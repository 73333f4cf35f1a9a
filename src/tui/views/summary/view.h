/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/view: the state shared by the files of the Summary view, which owns what its state points to;
 * only the UI thread uses it.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_VIEW_H
#define TRACETUI_TUI_VIEWS_SUMMARY_VIEW_H

#include "tui/list/tabs.h"
#include "tui/model/workspace.h"
#include "tui/plot/pane.h"
#include "tui/views/summary/foot.h"

struct tt_text;
struct tt_summary_view;

#define TT_SUMMARY_HEAD_LINES 3
#define TT_SUMMARY_LIST_WIDTH 36
#define TT_SUMMARY_WHOLES     6 /* plots of the whole system */
#define TT_SUMMARY_TABS_MOST  15

/*
 * A view of tables: Summary, Messages. Tables with the same rows grouped in different ways share a tab, which
 * begins with the table number `first`.
 */
struct tt_summary_kind {
    struct {
        const struct tt_table *table;
        const char *title;
        int first;
        const char
            *tab; /* of the first one: the title while the tab is not shown; NULL: its title */
    } tabs[TT_SUMMARY_TABS_MOST];
    int count;
    /* Words of its lines in a session: the table and its range, the order and a column of a table. */
    const char *table, *order, *column;
    int foot; /* lines below the table */
    bool of_messages;
};

struct tt_summary_view {
    const struct tt_summary_kind *kind;
    struct tt_summary_table tabs[TT_SUMMARY_TABS_MOST];
    int tab;
    int shown
        [TT_SUMMARY_TABS_MOST]; /* by the first table of a tab: the one shown last; 0: none yet */
    enum tt_scope scope;
    struct tt_summary_states states;
    struct tt_summary_total total;
    struct tt_plot_pane plot;
    unsigned plot_whole; /* plot of the whole system: its number in summary/plot.c; 0: none */
    char plot_row[128];  /* row that a command has asked for; "": none */
    /* The list of columns, of those with a text. */
    bool list_open;
    char list_text[64];
    struct tt_list list;
    uint8_t listed[TT_SUMMARY_COLUMNS]; /* columns by row */
    int pane;                           /* lines of the plot pane, 0: closed */
};

static inline struct tt_summary_table *tt_summary_shown(struct tt_summary_view *view)
{
    return &view->tabs[view->tab];
}

/* Returns whether the capture can have a table; the format's tool may lack it. */
bool tt_summary_has_tab(const struct tt_workspace *ws, const struct tt_summary_view *view, int tab);
/* Returns the column at the cursor of the list of columns; -1: none. */
int tt_summary_listed(const struct tt_summary_view *view);
/* Lists the columns with the text; the cursor goes to `column`, or to the first one. */
void tt_summary_list_columns(struct tt_summary_view *view, int column);
/* Hides a visible column; gives a hidden one precedence over columns the user did not choose. */
void tt_summary_toggle_column(struct tt_summary_view *view);
/* Returns the box of the list: at the right, one line per column. */
struct tt_area tt_summary_list_box(const struct tt_summary_table *tab, struct tt_area area);
void tt_summary_list_draw(const struct tt_workspace *ws, const struct tt_summary_view *view,
                          struct tt_area area);
/* Narrows the list of columns to those with a text; if it is accepted and one is left, toggles it. */
void tt_summary_find_column(struct tt_workspace *ws, void *state, const char *text, bool accepted);
/* Goes to what the cursor's row and column are about, a maximum or a message, or explains it. */
void tt_summary_go(struct tt_workspace *ws, const struct tt_summary_table *tab, bool explains);

/* Requests the plot of the selected number if the pane is open. */
void tt_summary_plot_ask(struct tt_workspace *ws, struct tt_summary_view *view);
void tt_summary_plot_draw(const struct tt_workspace *ws, const struct tt_summary_view *view,
                          struct tt_area area);
/* Opens the plot that a command names: "times delay_max of sensor/1"; false if there is none. */
bool tt_summary_plot(void *state, const char *text);

/* Appends the rule that judges the selected number. */
struct tt_status tt_summary_rule(struct tt_workspace *ws, void *state, struct tt_text *text);

#endif
