/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/view: draws scheduling statistics of a range by thread, CPU, process, pair and event.
 *
 *       [Threads] Switches  Events  Jobs  Interrupts  Blame  Inversions
 *       view 1.2040..1.2061 s run               switches      sch delay    us
 *       thread           pri   ms     % slices  vol  pre  mig  p50   p95  max at s
 *       ... rows ...
 *       ... the plot pane, when open ...
 *       total  128 switches  61.0 k/s  busy 87.1 % of 4 CPUs
 *       sensor/2 isr: RUNNING 28.1 %  READY 0.9 %  NANOSLEEP 71.0 %
 *
 * The numbers are those of `stats`: both show the same sheets (tracetui/table.h). They are computed
 * between keys; missing numbers are shown as pending.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "print/print.h"
#include "tui/app/view.h"
#include "tui/lanes/follow_cause.h"
#include "tui/views/summary/view.h"

#define RANGE_BYTES 128
#define FIRST_NS    UINT64_C(300000) /* time budget of the first frame: the sums */
#define ROWS_KEPT   4                /* minimum table rows beside the plot */
#define LARGE_KEPT  1                /* beside a large one */
#define STATES_NS   UINT64_C(100000) /* and the line below, usually enough for all of it */
#define TOTAL_NS    UINT64_C(100000) /* and the sums of the CPUs */

static const struct tt_summary_kind summary_kind = {
    .tabs = {{&tt_table_threads, "Threads", 0, NULL},
             {&tt_table_cpus, "CPUs", 0, NULL},
             {&tt_table_processes, "Processes", 0, NULL},
             {&tt_table_pairs, "Switches", 3, NULL},
             {&tt_table_event_names, "Events", 4, NULL},
             {&tt_table_jobs, "Jobs", 5, NULL},
             {&tt_table_interrupts, "Interrupts", 6, NULL},
             {&tt_table_services, "Events by thread", 4, NULL},
             {&tt_table_profile, "TraceX profile", 8, "TraceX"},
             {&tt_table_stacks, "TraceX stacks", 8, NULL},
             {&tt_table_filex, "TraceX FileX", 8, NULL},
             {&tt_table_netx, "TraceX NetX", 8, NULL},
             {&tt_table_blame, "Blame", 12, NULL},
             {&tt_table_inversions, "Inversions", 13, NULL},
             {&tt_table_lanes, "Lanes", 14, NULL}},
    .count = 15,
    .table = "table",
    .order = "order",
    .column = "column",
    .foot = 2,
};

static const struct tt_summary_kind messages_kind = {
    .tabs = {{&tt_table_message_pairs, "Messages by pair", 0, "Messages"},
             {&tt_table_servers, "Messages by server", 0, NULL},
             {&tt_table_channels, "Messages by channel", 0, NULL},
             {&tt_table_objects, "Objects", 3, NULL},
             {&tt_table_matrix, "CPU time by client", 0, NULL},
             {&tt_table_single_messages, "Longest", 5, NULL}},
    .count = 6,
    .table = "messages.table",
    .order = "messages.order",
    .column = "messages.column",
    .foot = TT_MESSAGES_FOOT_LINES,
    .of_messages = true,
};

static void *open_kind(const struct tt_summary_kind *kind)
{
    struct tt_summary_view *view = calloc(1, sizeof *view);
    for (int i = 0; view && i < kind->count; i++) {
        view->kind = kind;
        tt_summary_table_open(&view->tabs[i], kind->tabs[i].table);
    }
    return view;
}

static void *summary_open(void)
{
    return open_kind(&summary_kind);
}

static void *messages_open(void)
{
    return open_kind(&messages_kind);
}

static void summary_view_close(void *state)
{
    struct tt_summary_view *view = state;
    if (view) {
        for (int i = 0; i < view->kind->count; i++) {
            tt_summary_table_close(&view->tabs[i]);
        }
        tt_summary_states_free(&view->states);
        tt_plot_pane_free(&view->plot);
        free(view);
    }
}

static void summary_view_renew(void *state)
{
    struct tt_summary_view *view = state;
    for (int i = 0; i < view->kind->count; i++) {
        tt_summary_table_renew(&view->tabs[i]);
    }
    tt_summary_states_free(&view->states);
    view->total = (struct tt_summary_total){0};
    tt_plot_pane_drop(&view->plot);
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Requests the numbers of the current range; `again`: even if they are current. */
static void summary_view_ask(struct tt_workspace *ws, struct tt_summary_view *view, bool again)
{
    struct tt_summary_range range;
    struct tt_summary_table *tab = tt_summary_shown(view);
    if (!tt_summary_range_of(ws, view->scope, &range)) {
        view->scope = TT_SCOPE_VIEW; /* the selection was cleared */
        tt_summary_range_of(ws, view->scope, &range);
    }
    tt_summary_table_ask(tab, ws, &range, again);
    if (again) {
        return; /* the next layout begins to count */
    }
    if (!tab->sheet.rows) {
        tt_summary_table_begin(tab, ws, FIRST_NS);
    }
    tt_summary_table_arrange(tab, ws);
    tt_summary_states_ask(&view->states, ws, tab);
    tt_summary_plot_ask(ws, view);
}

static uint64_t summary_view_left(uint64_t until)
{
    uint64_t now = tt_now_ns();
    return now < until ? until - now : 0;
}

static bool summary_view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_summary_view *view = state;
    uint64_t until = tt_now_ns() + budget_ns;
    /* Work for a single row comes before work for all rows. */
    return tt_summary_states_work(&view->states, ws, summary_view_left(until)) &&
           tt_summary_total_work(&view->total, ws, until) &&
           tt_plot_pane_work(&view->plot, summary_view_left(until)) &&
           tt_summary_table_work(tt_summary_shown(view), ws, summary_view_left(until));
}

/* Returns whether keys can act: their effect depends on the order of the rows. */
static bool summary_view_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_summary_view *view = state;
    (void)ws;
    return tt_summary_table_settled(&view->tabs[view->tab]);
}

/* ---- drawing ------------------------------------------------------------------------------ */

bool tt_summary_has_tab(const struct tt_workspace *ws, const struct tt_summary_view *view, int tab)
{
    const struct tt_table *table = view->kind->tabs[tab].table;
    return !table->missing || !table->missing(ws->opened.capture);
}

/* Returns the names of the tables on a line of `width` columns; `titles` has room for all. */
static struct tt_tabs tabs_of(const struct tt_workspace *ws, const struct tt_summary_view *view,
                              int width, const char *titles[TT_SUMMARY_TABS_MOST])
{
    const int shown = view->kind->tabs[view->tab].first;
    struct tt_tabs tabs = {titles, view->kind->count, shown, width};
    for (int i = 0; i < view->kind->count; i++) {
        const bool is_first = view->kind->tabs[i].first == i && tt_summary_has_tab(ws, view, i);
        titles[i] = !is_first                 ? NULL
                    : i == shown              ? view->kind->tabs[view->tab].title
                    : view->kind->tabs[i].tab ? view->kind->tabs[i].tab
                                              : view->kind->tabs[i].title;
    }
    return tabs;
}

/*
 * Draws the names of the tables and the headings. The range has the end of the first line if all names fit
 * before it; else it is above the names of the rows, or on the first line without its scope.
 */
static void draw_top(const struct tt_workspace *ws, const struct tt_summary_view *view,
                     struct tt_area area)
{
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    const char *titles[TT_SUMMARY_TABS_MOST];
    char buffer[RANGE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_tabs tabs = tabs_of(ws, view, area.width, titles);
    const int left = area.width - tt_tabs_width(&tabs) - 1;
    tt_tabs_draw(&tabs, tt_area_part(area, 0, 0, area.width, 1));
    tt_summary_heads_draw(tab, ws, tt_area_part(area, 0, 1, area.width, 2));
    tt_grid_line(area.grid, area.y + 1, &text);
    const int room = (int)strspn(tt_text_cstr(&text), " "); /* before the groups of the columns */
    text.used = 0;
    tt_summary_range_text(ws, &tab->range, &text);
    const char *range = tt_text_cstr(&text), *times = strchr(range, ' ');
    const int length = (int)text.used, skip = times ? (int)(times + 1 - range) : 0;
    if (length > left && (room == 0 || 1 + length < room)) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_STATUS, range);
    } else if (length - skip <= left) {
        const int from = length <= left ? 0 : skip;
        tt_draw(area, area.width - length + from - 1, 0, length - from, TT_ROLE_STATUS,
                range + from);
    }
}

static void draw_rows(const struct tt_workspace *ws, const struct tt_summary_view *view,
                      struct tt_area area)
{
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    int name = 0; /* width of the first column, which is marked */
    for (unsigned i = tab->columns.count; i-- > 0;) {
        const struct tt_summary_column *column = &tab->columns.v[i];
        name = column->width > 0 ? column->x + column->width : name;
    }
    for (int y = 0; tt_list_row(&tab->list, y) < tab->count; y++) {
        const size_t at = tt_list_row(&tab->list, y);
        struct tt_area line = tt_area_part(area, 0, y, area.width, 1);
        struct tt_table_row row;
        tt_summary_table_row_at(tab, at, &row);
        tt_summary_row_draw(tab, ws, &row, line);
        if (at == tab->list.at) {
            tt_term_draw_cursor(&ws->term, line, name);
        }
    }
    if (tab->count == 0 && tab->sheet.complete && view->kind->of_messages) {
        tt_messages_none_draw(ws, tab, area);
    } else if (tab->count == 0) {
        tt_draw(area, 1, 0, area.width - 1, TT_ROLE_DIM,
                tab->sheet.complete ? "nothing in this range" : "counting");
    }
}

static void summary_view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_summary_view *view = state;
    struct tt_summary_table *tab = tt_summary_shown(view);
    int body = area.height - TT_SUMMARY_HEAD_LINES - view->kind->foot;
    view->pane = tt_plot_pane_height(&view->plot, body, view->plot.large ? LARGE_KEPT : ROWS_KEPT);
    summary_view_ask(ws, view, false);
    tt_summary_columns_place(tab, ws, area.width);
    const unsigned chosen = tab->chosen;
    if (tab->columns.v[chosen].width == 0) { /* the choice moves to a visible column */
        tt_summary_table_choose(tab, false);
        if (tab->chosen == chosen) {
            tt_summary_table_choose(tab, true);
        }
    }
    tt_summary_table_place(tab, TT_SUMMARY_HEAD_LINES, body - view->pane);
    tt_list_layout(&view->list, view->list.count, 1, tt_summary_list_box(tab, area).height - 2);
}

static bool summary_view_fill(struct tt_workspace *ws, void *state)
{
    struct tt_summary_view *view = state;
    tt_summary_states_work(&view->states, ws, STATES_NS);
    if (!view->kind->of_messages) {
        tt_summary_total_ask(&view->total, ws, tt_summary_shown(view));
        tt_summary_total_work(&view->total, ws, tt_now_ns() + TOTAL_NS);
    }
    return false;
}

static struct tt_list *summary_view_list(void *state)
{
    struct tt_summary_view *view = state;
    return view->list_open ? &view->list : &tt_summary_shown(view)->list;
}

static void view_moved(struct tt_workspace *ws, void *state)
{
    struct tt_summary_view *view = state;
    (void)ws;
    if (!view->list_open) {
        tt_summary_table_moved(tt_summary_shown(view));
    }
}

static void summary_view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_summary_view *view = state;
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    draw_top(ws, view, tt_area_part(area, 0, 0, area.width, TT_SUMMARY_HEAD_LINES));
    const int pane = TT_SUMMARY_HEAD_LINES + tab->list.lines;
    draw_rows(ws, view, tt_area_part(area, 0, TT_SUMMARY_HEAD_LINES, area.width, tab->list.lines));
    if (view->pane > 0) {
        tt_summary_plot_draw(ws, view, tt_area_part(area, 0, pane, area.width, view->pane));
    }
    const struct tt_area foot =
        tt_area_part(area, 0, area.height - view->kind->foot, area.width, view->kind->foot);
    if (view->kind->of_messages) {
        tt_messages_foot_draw(ws, tab, foot);
    } else {
        tt_summary_total_draw(ws, tab, &view->total, tt_area_part(foot, 0, 0, foot.width, 1));
        tt_summary_states_draw(ws, tab, &view->states, tt_area_part(foot, 0, 1, foot.width, 1));
    }
    if (view->list_open) {
        tt_summary_list_draw(ws, view, area);
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

static void show_table(struct tt_summary_view *view, int tab)
{
    view->tab = view->shown[view->kind->tabs[tab].first] = tab;
    tt_summary_list_columns(view, 0);
}

/* Shows the next tab, with the table that it had. */
static void next_tab(const struct tt_workspace *ws, struct tt_summary_view *view, int by)
{
    int tab = view->kind->tabs[view->tab].first;
    do {
        tab = (tab + by + view->kind->count) % view->kind->count;
    } while (view->kind->tabs[tab].first != tab || !tt_summary_has_tab(ws, view, tab));
    show_table(view, view->shown[tab] > 0 ? view->shown[tab] : tab);
}

/* Shows the next table of the tab: its rows in other groups. */
static void next_group(struct tt_workspace *ws, struct tt_summary_view *view)
{
    int tab = view->tab;
    do {
        tab = (tab + 1) % view->kind->count;
    } while (view->kind->tabs[tab].first != view->kind->tabs[view->tab].first ||
             !tt_summary_has_tab(ws, view, tab));
    if (tab == view->tab) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "rows of %s have no other groups",
                       view->kind->tabs[tab].title);
    }
    show_table(view, tab);
}

/* Returns whether rows are events of a name. */
static bool is_of_events(const struct tt_table *table)
{
    return table == &tt_table_event_names || table == &tt_table_services;
}

static bool summary_view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_summary_view *view = state;
    struct tt_summary_table *tab = tt_summary_shown(view);
    struct tt_summary_range range;
    struct tt_table_row room;
    const struct tt_table_row *row;
    if (tt_plot_pane_act(&view->plot, ws, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_COLUMNS:
        view->list_open = !view->list_open;
        view->list_text[0] = '\0';
        tt_summary_list_columns(view, (int)tab->chosen);
        return true;
    case TT_DO_COLUMN_TOGGLE:
        tt_summary_toggle_column(view);
        return true;
    case TT_DO_COLUMN_FIND:
        ws->host.prompt(ws->host.app, TT_PROMPT_COLUMN, "");
        return true;
    case TT_DO_COLUMN_LEFT:
    case TT_DO_COLUMN_RIGHT:
        tt_summary_table_choose(tab, action == TT_DO_COLUMN_RIGHT);
        view->plot_whole = 0;
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
        next_tab(ws, view, action == TT_DO_TABLE_NEXT ? 1 : -1);
        return true;
    case TT_DO_GROUP:
        next_group(ws, view);
        return true;
    case TT_DO_ONLY_THREAD:
    case TT_DO_WITHOUT_EVENT:
        row = tt_summary_table_row(tab, &room);
        tt_lanes_act_filter(ws, row ? row->of.thread : TT_NO_THREAD, 0,
                            row && is_of_events(tab->table) ? row->of.name : NULL, action);
        return true;
    case TT_DO_RANGE:
        do {
            view->scope = (view->scope + 1) % TT_SCOPE_COUNT;
        } while (!tt_summary_range_of(ws, view->scope, &range));
        return true;
    case TT_DO_GO:
    case TT_DO_WHY:
        if (action == TT_DO_WHY || !tt_plot_pane_go(&view->plot, ws)) {
            tt_summary_go(ws, tab, action == TT_DO_WHY);
        }
        return true;
    case TT_DO_PLOT:
        view->plot.open = !view->plot.open;
        view->plot.follows = view->plot.large = false;
        view->plot_whole = 0;
        return true;
    case TT_DO_COUNT_AGAIN:
        if (tab->stopped) {
            tab->stopped = false;
        } else {
            summary_view_ask(ws, view, true);
        }
        return true;
    default:
        return false;
    }
}

static bool view_stop(void *state)
{
    struct tt_summary_table *tab = tt_summary_shown(state);
    bool counts = tab->begun && !tab->sheet.complete && !tab->stopped && !tab->failed;
    tab->stopped |= counts;
    return counts;
}

static bool summary_view_dismiss(struct tt_workspace *ws, void *state)
{
    struct tt_summary_view *view = state;
    if (view->list_open && view->list_text[0]) {
        tt_summary_find_column(ws, view, "", false); /* first all columns again */
        return true;
    }
    const bool closes = view->list_open || view->plot.open;
    view->plot.open = view->plot.open && view->list_open;
    view->plot_whole = view->plot.open ? view->plot_whole : 0;
    view->list_open = false;
    return closes;
}

static void summary_view_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_summary_view *view = state;
    struct tt_summary_table *tab = tt_summary_shown(view);
    const int pane = TT_SUMMARY_HEAD_LINES + tab->list.lines;
    if (view->list_open) {
        if (x >= ws->term.body.width - TT_SUMMARY_LIST_WIDTH &&
            tt_list_row(&view->list, y - view->list.y) < view->list.count) {
            tt_summary_toggle_column(view);
        }
    } else if (y == 0) {
        const char *titles[TT_SUMMARY_TABS_MOST];
        const struct tt_tabs tabs = tabs_of(ws, view, ws->term.body.width, titles);
        const int hit = tt_tabs_at(&tabs, x);
        if (hit >= 0) {
            show_table(view, view->shown[hit] > 0 ? view->shown[hit] : hit);
        }
    } else if (y < TT_SUMMARY_HEAD_LINES) {
        for (unsigned i = 0; i < tab->columns.count; i++) {
            const struct tt_summary_column *column = &tab->columns.v[i];
            if (column->width > 0 && x >= column->x && x < column->x + column->width) {
                tab->chosen = i;
                tt_summary_table_sort(tab, i == tab->sorted);
                return;
            }
        }
    } else if (view->pane > 0 && y > pane) {
        tt_plot_pane_click(&view->plot, ws, x);
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Names the file of the table, or of its plot: "thread.csv". */
static void view_name_file(const void *state, struct tt_text *text)
{
    const struct tt_summary_view *view = state;
    tt_text_put(text, "%s.csv", view->pane > 0 ? "plot" : view->tabs[view->tab].table->name);
}

static struct tt_status view_write(struct tt_workspace *ws, void *state, FILE *file,
                                   const char *path, struct tt_text *what)
{
    (void)path;
    struct tt_summary_view *view = state;
    const struct tt_summary_table *tab = tt_summary_shown(view);
    (void)ws;
    if (view->pane > 0) {
        return tt_plot_pane_write(&view->plot, file, what);
    }
    if (!tab->sheet.complete) {
        return tt_error(TT_ERR_USAGE, "not written: only %u %% are counted",
                        tt_table_percent(&tab->sheet));
    }
    tt_text_put(what, "%u%s", tab->count,
                tab->sheet.left_out == 0                  ? " rows"
                : tab->table == &tt_table_single_messages ? " rows, the longest ones,"
                                                          : " rows, the most frequent ones,");
    return tt_summary_table_write(tab, file);
}

/* Shows the table with that name; false if there is none. */
static bool view_choose(void *state, const char *part)
{
    struct tt_summary_view *view = state;
    for (int i = 0; i < view->kind->count; i++) {
        if (strcmp(view->kind->tabs[i].table->name, part) == 0) {
            show_table(view, i);
            return true;
        }
    }
    return false;
}

/* Offers the tables that the capture can have, by the names of `stats --by`. */
static void offer_tables(const struct tt_workspace *ws, const struct tt_summary_kind *kind,
                         struct tt_completion *out)
{
    for (int i = 0; i < kind->count; i++) {
        const struct tt_table *table = kind->tabs[i].table;
        char shown[64];
        snprintf(shown, sizeof shown, "%-10s %s", table->name, kind->tabs[i].title);
        if (!table->missing || !table->missing(ws->opened.capture)) {
            tt_completion_offer(out, table->name, shown, table->doc);
        }
    }
}

static void summary_complete(const struct tt_workspace *ws, const char *text, size_t from,
                             size_t caret, struct tt_completion *out)
{
    tt_completion_begin(out, text, from, caret);
    offer_tables(ws, &summary_kind, out);
    offer_tables(ws, &messages_kind, out);
}

/* Appends the shown cells below their headings, separated by tabs, or all values of the row. */
static void summary_view_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    struct tt_summary_view *view = state;
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tt_summary_shown(view), &room);
    if (row && all) {
        tt_print_pairs(text, &tt_summary_shown(view)->sheet, row, '\n');
    } else if (row) {
        tt_summary_columns_copy(tt_summary_shown(view), ws, row, text);
    }
    text->used -= row && text->used > 0;
}

static const enum tt_do offers[] = {
    TT_DO_HELP,  TT_DO_ASK,  TT_DO_COLUMN_LEFT, TT_DO_COLUMN_RIGHT, TT_DO_SORT,    TT_DO_TABLE_NEXT,
    TT_DO_RANGE, TT_DO_GO,   TT_DO_WHY,         TT_DO_PLOT,         TT_DO_WRITE,   TT_DO_COLUMNS,
    TT_DO_TIME,  TT_DO_COPY, TT_DO_VIEW_NEXT,   TT_DO_QUIT,         TT_DO_NOTHING,
};

static const enum tt_do list_offers[] = {TT_DO_COLUMN_TOGGLE, TT_DO_COLUMN_FIND, TT_DO_QUIT,
                                         TT_DO_NOTHING};

static const char *const list_about[] = {
    "The columns of the table: those shown are marked. Typing after / narrows the list.",
    NULL,
};

static const struct tt_view_pane list_pane = {TT_IN_COLUMNS, list_offers, list_about};

static const enum tt_do plot_offers[] = {
    TT_DO_PLOT_KIND,    TT_DO_PLOT_SCALE, TT_DO_PLOT_LEFT, TT_DO_PLOT_RIGHT, TT_DO_GO,
    TT_DO_COLUMN_RIGHT, TT_DO_PLOT_LARGE, TT_DO_WRITE,     TT_DO_RANGE,      TT_DO_TABLE_NEXT,
    TT_DO_HELP,         TT_DO_SORT,       TT_DO_CANCEL,    TT_DO_NOTHING,
};

static const struct tt_view_pane plot_pane = {TT_IN_PLOT, plot_offers, tt_plot_about};

static const struct tt_view_pane *const panes[] = {&plot_pane, &list_pane, NULL};

static const struct tt_view_pane *view_pane(const void *state)
{
    const struct tt_summary_view *view = state;
    return view->list_open ? &list_pane : view->plot.open ? &plot_pane : NULL;
}

/* ---- sessions ----------------------------------------------------------------------------- */

/* Appends a line of two numbers; a table and a column are one of them. */
static void remember(struct tt_text *text, const char *word, uint64_t first, uint64_t second)
{
    tt_text_put(text, "%s %ju %ju\n", word, first, second);
}

static void summary_view_remember(const struct tt_workspace *ws, const void *state,
                                  struct tt_text *text)
{
    const struct tt_summary_view *view = state;
    (void)ws;
    remember(text, view->kind->table, (uint64_t)view->tab, view->scope);
    for (int i = 0; i < view->kind->count; i++) {
        const struct tt_summary_table *tab = &view->tabs[i];
        const uint64_t first = (uint64_t)i * TT_SUMMARY_COLUMNS;
        remember(text, view->kind->order, first + tab->sorted, tab->downwards);
        for (unsigned c = 0; c < tab->columns.count; c++) {
            if (tab->columns.v[c].choice != TT_CHOICE_AUTO) {
                remember(text, view->kind->column, first + c, tab->columns.v[c].choice);
            }
        }
    }
}

static void summary_view_recall(struct tt_workspace *ws, void *state, const char *word, uint64_t a,
                                uint64_t b)
{
    struct tt_summary_view *view = state;
    (void)ws;
    if (strcmp(word, view->kind->table) == 0 && a < (unsigned)view->kind->count &&
        b < TT_SCOPE_COUNT) {
        view->tab = (int)a;
        view->scope = (enum tt_scope)b;
        return;
    }
    if (a >= (unsigned)view->kind->count * TT_SUMMARY_COLUMNS) {
        return;
    }
    struct tt_summary_table *tab = &view->tabs[a / TT_SUMMARY_COLUMNS];
    unsigned column = (unsigned)(a % TT_SUMMARY_COLUMNS);
    if (column >= tab->columns.count) {
        return;
    }
    if (strcmp(word, view->kind->order) == 0) {
        tab->sorted = tab->chosen = column;
        tab->downwards = b != 0;
        tab->shifted = true;
    } else if (strcmp(word, view->kind->column) == 0 && b <= TT_CHOICE_HIDDEN) {
        tab->columns.v[column].choice = (uint8_t)b;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

enum {
    PLOT_OPEN = 1,
    PLOT_LARGE = 2,
    PLOT_KIND = 4,
    PLOT_FOLLOWS = 8,
    LIST_OPEN = 16,
    PLOT_SCALE = 32
};

static void summary_view_leave(const struct tt_workspace *ws, const void *state,
                               struct tt_spot *spot)
{
    const struct tt_summary_view *view = state;
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    struct tt_text name = tt_text_of(spot->name, sizeof spot->name);
    struct tt_table_row room;
    const struct tt_table_row *row = tt_summary_table_row(tab, &room);
    (void)ws;
    spot->numbers[0] = (uint64_t)view->tab;
    spot->numbers[1] = view->scope;
    spot->numbers[2] = tab->chosen;
    spot->numbers[3] = 2 * (uint64_t)tab->sorted + tab->downwards;
    spot->numbers[4] = tab->list.at;
    spot->numbers[5] = tab->list.top;
    spot->numbers[6] = (uint64_t)(1 + tab->list.end);
    spot->numbers[7] = 2 * (uint64_t)tab->columns.reveal + tab->columns.reveals_last;
    spot->numbers[8] = (view->plot.open ? PLOT_OPEN : 0) | (view->plot.large ? PLOT_LARGE : 0) |
                       (view->plot.has_kind ? PLOT_KIND : 0) |
                       (view->plot.follows ? PLOT_FOLLOWS : 0) | (view->list_open ? LIST_OPEN : 0) |
                       PLOT_SCALE * (uint64_t)view->plot.scale;
    spot->numbers[9] = view->plot.kind;
    spot->numbers[10] = view->plot_whole;
    spot->numbers[11] = (uint64_t)(1 + tt_summary_listed(view));
    tt_text_str(&name, view->kind->tabs[view->tab].title);
    if (row) {
        tt_text_str(&name, ", ");
        tt_table_row_title(&name, &tab->sheet, row);
    }
    tt_text_cstr(&name);
}

static void summary_view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_summary_view *view = state;
    const uint64_t *numbers = spot->numbers, plot = numbers[8];
    if (numbers[0] >= (unsigned)view->kind->count || numbers[1] >= TT_SCOPE_COUNT) {
        return;
    }
    view->tab = (int)numbers[0];
    view->scope = (enum tt_scope)numbers[1];
    struct tt_summary_table *tab = tt_summary_shown(view);
    const unsigned sorted = (unsigned)(numbers[3] / 2);
    if (numbers[2] >= tab->columns.count || sorted >= tab->columns.count) {
        return;
    }
    tab->shifted |= tab->sorted != sorted || tab->downwards != (numbers[3] % 2 != 0);
    tab->chosen = (unsigned)numbers[2];
    tab->sorted = sorted;
    tab->downwards = numbers[3] % 2 != 0;
    tab->columns.reveal = numbers[7] / 2 < tab->columns.count ? (unsigned)(numbers[7] / 2) : 0;
    tab->columns.reveals_last = numbers[7] % 2 != 0;
    tt_plot_pane_drop(&view->plot);
    view->plot.open = plot & PLOT_OPEN;
    view->plot.large = plot & PLOT_LARGE;
    view->plot.has_kind = plot & PLOT_KIND;
    view->plot.follows = plot & PLOT_FOLLOWS;
    const uint64_t scale = plot / PLOT_SCALE;
    view->plot.scale = scale <= TT_PLOT_LOGARITHMIC ? (enum tt_plot_scale)scale : TT_PLOT_AUTO;
    view->plot.has_kind &= numbers[9] < TT_PLOT_KINDS;
    view->plot.kind =
        numbers[9] < TT_PLOT_KINDS ? (enum tt_plot_kind)numbers[9] : TT_PLOT_HISTOGRAM;
    view->plot_whole = numbers[10] <= TT_SUMMARY_WHOLES ? (unsigned)numbers[10] : 0;
    view->list_open = plot & LIST_OPEN;
    tt_summary_list_columns(view, (int)(numbers[11] <= tab->columns.count ? numbers[11] : 0) - 1);
    summary_view_ask(ws, view, false);
    tt_summary_table_resume(tab, (uint32_t)numbers[4], (uint32_t)numbers[5],
                            (int8_t)(numbers[6] <= 2 ? (int)numbers[6] - 1 : 0));
}

static const char *const about[] = {
    "[ ] choose the table, B groups its rows in another way, a lists all tables, r chooses the "
    "range. "
    "Blame: what took a thread's ready and blocked time; i: idle waits, too.",
    "run %: of one CPU. vol, pre: switches by itself, by preemption; mig: to another CPU. sch "
    "delay: "
    "ready to running; wait: running to running again.",
    "o sorts by the column, Enter goes to its longest, d plots it.",
    "c chooses the columns, w writes the table as CSV.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "max", "show the longest one in Threads: its interval, its message"},
    {TT_DO_SORT, "sort", "sort by the selected column"},
    {TT_DO_NOTHING, NULL, NULL},
};

static const char *const messages_about[] = {
    "Messages and their round: queue (send to receive), service (to the answer), return (until the "
    "client runs again). B groups them by client and server, server, or channel; [ ] other tables.",
    "The bar of service: what the receiving thread did, as in Threads; i: interrupts.",
    "Enter shows client and server of the longest one, b explains the client's wait.",
    "o sorts by the column, d plots it, c chooses the columns.",
    NULL,
};

/* Appends "run %: CPU time without interrupts, in percent of the range.", of the selected column. */
static void view_describe(const struct tt_workspace *ws, const void *state, struct tt_text *text)
{
    const struct tt_summary_view *view = state;
    const struct tt_summary_table *tab = &view->tabs[view->tab];
    (void)ws;
    if (tab->chosen < tab->columns.count) {
        const struct tt_summary_column *column = &tab->columns.v[tab->chosen];
        tt_summary_column_title(column, text);
        tt_text_put(text, ": %s", column->stat->doc);
    }
}

/* The functions of both views. */
#define TABLES_VIEW(lines_about, opens)                                                            \
    {                                                                                              \
        .about = lines_about, .describe = view_describe, .open = opens,                            \
        .close = summary_view_close, .renew = summary_view_renew, .layout = summary_view_layout,   \
        .fill = summary_view_fill, .draw = summary_view_draw, .act = summary_view_act,             \
        .click = summary_view_click, .list = summary_view_list, .moved = view_moved,               \
        .copy = summary_view_copy, .stop = view_stop, .dismiss = summary_view_dismiss,             \
        .find = tt_summary_find_column, .footer = offers, .verbs = verbs, .panes = panes,          \
        .pane = view_pane, .work = summary_view_work, .settled = summary_view_settled,             \
        .name_file = view_name_file, .write = view_write, .choose = view_choose,                   \
        .remember = summary_view_remember, .recall = summary_view_recall,                          \
        .leave = summary_view_leave, .resume = summary_view_resume, .plot = tt_summary_plot,       \
        .rule = tt_summary_rule, .complete = summary_complete,                                     \
    }

const struct tt_view tt_view_summary = TABLES_VIEW(about, summary_open);
const struct tt_view tt_view_messages = TABLES_VIEW(messages_about, messages_open);
