/* SPDX-License-Identifier: Apache-2.0 */
/* summary/plot: the plot of the selected number, or of the whole system. */
#include <stdio.h>
#include <string.h>

#include "tui/app/view.h"
#include "tui/views/summary/view.h"

#define WORD_BYTES 64

/* X(word, subject, kind, of processes, title) */
static const struct whole {
    const char *word;
    enum tt_plot_subject subject;
    enum tt_plot_kind kind;
    bool by_process;
    const char *title;
} wholes[TT_SUMMARY_WHOLES] = {
    {"load", TT_PLOT_OF_CPUS, TT_PLOT_LOAD, false, "all CPUs by thread"},
    {"load process", TT_PLOT_OF_CPUS, TT_PLOT_LOAD, true, "all CPUs by process"},
    {"events", TT_PLOT_OF_EVENTS, TT_PLOT_RATE, false, "events"},
    {"switches", TT_PLOT_OF_SWITCHES, TT_PLOT_RATE, false, "switches of all CPUs"},
    {"migrations", TT_PLOT_OF_MIGRATIONS, TT_PLOT_RATE, false, "migrations of all threads"},
    {"crossings", TT_PLOT_OF_CROSSINGS, TT_PLOT_RATE, false, "messages from CPU to CPU"},
};

/* ---- asking ------------------------------------------------------------------------------- */

/* Moves to the row that the command named, once there is one. */
static void summary_plot_find_row(struct tt_workspace *ws, struct tt_summary_view *view)
{
    struct tt_summary_table *tab = tt_summary_shown(view);
    size_t length = strlen(view->plot_row);
    for (uint32_t i = 0; length > 0 && i < tab->count; i++) {
        char buffer[WORD_BYTES * 4];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        struct tt_table_row row;
        tt_summary_table_row_at(tab, i, &row);
        tt_table_row_title(&text, &tab->sheet, &row);
        const char *name = tt_text_cstr(&text);
        if (strncmp(name, view->plot_row, length) == 0 &&
            (name[length] == '\0' || name[length] == ' ')) {
            tt_summary_table_go(tab, i);
            view->plot_row[0] = '\0';
            return;
        }
    }
    if (length > 0 && tab->sheet.complete) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "plot: no row \"%.60s\"", view->plot_row);
        view->plot_row[0] = '\0';
    }
}

void tt_summary_plot_ask(struct tt_workspace *ws, struct tt_summary_view *view)
{
    struct tt_summary_table *tab = tt_summary_shown(view);
    struct tt_plot_pane *pane = &view->plot;
    if (!pane->open) {
        return;
    }
    summary_plot_find_row(ws, view);
    struct tt_table_row row;
    bool whole = view->plot_whole > 0 && view->plot_whole <= TT_SUMMARY_WHOLES;
    if (!tab->sheet.state || tab->finds_owners || (!tt_summary_table_row(tab, &row) && !whole)) {
        tt_plot_pane_drop(pane);
        return;
    }
    struct tt_plot_request request = {.sheet = &tab->sheet};
    unsigned kinds;
    if (whole) {
        const struct whole *w = &wholes[view->plot_whole - 1];
        request.subject = w->subject;
        request.by_process = w->by_process;
        kinds = 1u << w->kind;
    } else {
        request.column = tab->columns.v[tab->chosen].stat;
        request.by_process = tab->table == &tt_table_processes;
        /* The numbers of the row change while it is counted; it stays the same one. */
        bool same = pane->plot && pane->asked.sheet == &tab->sheet &&
                    tt_subject_is(&pane->asked.row.of, &row.of);
        if (!same) {
            tt_plot_pane_drop(pane);
        }
        request.row = same ? pane->asked.row : row;
        kinds = tt_plot_kinds(tab->table, request.column);
    }
    uint64_t version = tab->built_at * 2 + tab->sheet.complete;
    tt_plot_pane_ask(pane, ws, &request, kinds, version, ws->term.body.width, view->pane);
}

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_summary_plot_draw(const struct tt_workspace *ws, const struct tt_summary_view *view,
                          struct tt_area area)
{
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    const struct tt_plot_pane *pane = &view->plot;
    const struct tt_summary_column *column = &tab->columns.v[tab->chosen];
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_table_row row;
    if (view->plot_whole > 0) {
        tt_plot_pane_draw(pane, ws, wholes[view->plot_whole - 1].title, area);
        return;
    }
    bool of_samples =
        column->stat->distribution != TT_TABLE_ALWAYS && column->stat->screen.group[0] != '\0';
    bool of_row = pane->asked.kind != TT_PLOT_ROWS && tt_summary_table_row(tab, &row) != NULL;
    if (of_samples && of_row) {
        tt_text_str(&text, column->stat->screen.group);
    } else if (pane->asked.kind != TT_PLOT_LOAD) {
        tt_summary_column_title(column, &text);
    }
    if (of_row) {
        tt_text_str(&text, text.used > 0 ? " of " : "");
        tt_table_row_title(&text, &tab->sheet, &row);
    }
    tt_plot_pane_draw(pane, ws, tt_text_cstr(&text), area);
}

/* ---- the command -------------------------------------------------------------------------- */

/* Cuts the first word off; returns false if there is none. */
static bool summary_plot_next_word(const char **text, char word[WORD_BYTES])
{
    *text += strspn(*text, " ");
    size_t length = strcspn(*text, " ");
    if (length == 0 || length >= WORD_BYTES) {
        return false;
    }
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    return true;
}

/* Selects the column with a key, in the shown table or else in the first one that has it. */
static bool choose_column(struct tt_summary_view *view, const char *key)
{
    for (int i = 0; i < view->kind->count; i++) {
        int tab = (view->tab + i) % view->kind->count;
        struct tt_summary_column *column = tt_summary_column_find(&view->tabs[tab].columns, key);
        if (column) {
            view->tab = tab;
            view->tabs[tab].chosen = (unsigned)(column - view->tabs[tab].columns.v);
            tt_summary_table_reveal(&view->tabs[tab]);
            return true;
        }
    }
    return false;
}

bool tt_summary_plot(void *state, const char *text)
{
    struct tt_summary_view *view = state;
    char word[WORD_BYTES];
    const char *rest = text;
    unsigned whole = TT_SUMMARY_WHOLES;
    while (whole > 0 && strcmp(wholes[whole - 1].word, text) != 0) {
        whole--;
    }
    view->plot_row[0] = '\0';
    if (whole == 0 && summary_plot_next_word(&rest, word)) {
        for (unsigned kind = 0; kind < TT_PLOT_KINDS; kind++) {
            if (strcmp(word, tt_plot_kind_word(kind)) == 0) {
                view->plot.kind = (enum tt_plot_kind)kind;
                view->plot.has_kind = true;
                word[0] = '\0';
                break;
            }
        }
        if ((word[0] == '\0' && !summary_plot_next_word(&rest, word)) ||
            !choose_column(view, word)) {
            return false;
        }
        rest += strspn(rest, " ");
        if (strncmp(rest, "of ", 3) == 0 && strlen(rest + 3) < sizeof view->plot_row) {
            snprintf(view->plot_row, sizeof view->plot_row, "%s", rest + 3);
        } else if (rest[0]) {
            return false;
        }
    }
    view->plot_whole = whole;
    view->plot.open = true;
    view->plot.follows = false;
    return true;
}
