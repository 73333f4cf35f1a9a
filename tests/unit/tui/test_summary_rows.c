/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the Summary view: their order by texts, and their names where a channel is unknown. */
#include <criterion/criterion.h>
#include <string.h>

#include "open_app.h"
#include "tracetui/table.h"
#include "tui/views/summary/table.h"
#include "tui/views/summary/view.h"

#define DEMO "samples/demo.kev"

/* Arranges all rows; a frame has no time for more than some. */
static void arrange_all(struct tt_summary_table *tab, const struct tt_app *app)
{
    do {
        tt_summary_table_arrange(tab, &app->ws);
    } while (tab->arranging.stage != TT_ARRANGE_NOTHING || tab->shifted);
}

static void open_table(struct tt_summary_table *tab, struct tt_app *app, const struct tt_table *by)
{
    struct tt_summary_range range;
    tt_summary_table_open(tab, by);
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    tt_summary_table_ask(tab, &app->ws, &range, false);
    while (!tt_summary_table_work(tab, &app->ws, UINT64_C(1000000000))) {
    }
    arrange_all(tab, app);
}

/* Checks the order of the texts of the sorted column; returns the number of unequal neighbours. */
static unsigned check_order(struct tt_summary_table *tab)
{
    const struct tt_table_column *column = tab->columns.v[tab->sorted].stat;
    char texts[2][400] = {"", ""};
    unsigned unequal = 0, known = 0;
    for (unsigned i = 0; i < tab->count; i++) {
        struct tt_table_row row;
        tt_summary_table_go(tab, i);
        const struct tt_table_row *r = tt_summary_table_row(tab, &row);
        char *text = texts[known % 2], *before = texts[(known + 1) % 2];
        struct tt_table_cell cell = tt_table_cell_of(&tab->sheet, column, r, text, 300);
        if (cell.kind != TT_CELL_TEXT || tt_table_is_idle(tab->table, r)) {
            continue;
        }
        memmove(text, cell.text.buffer, cell.text.used);
        text[cell.text.used] = '\0';
        int order = known > 0 ? strcmp(before, text) : 0;
        cr_expect(tab->downwards ? order >= 0 : order <= 0, "'%s' before '%s'", before, text);
        unequal += order != 0;
        known++;
    }
    return unequal;
}

Test(tui_summary_rows, texts_are_sorted_in_both_directions)
{
    static const struct tt_table *const tables[] = {&tt_table_threads, &tt_table_event_names,
                                                    &tt_table_processes};
    struct tt_app *app = open_app_in(DEMO, "summary");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct tt_summary_table tab;
        unsigned unequal = 0;
        open_table(&tab, app, tables[i]);
        cr_assert_gt(tab.count, 1u);
        for (unsigned column = 0; column < tab.columns.count; column++) {
            tab.chosen = column;
            for (int turn = 0; turn < 2; turn++) {
                tt_summary_table_sort(&tab, turn > 0);
                arrange_all(&tab, app);
                unequal += check_order(&tab);
            }
        }
        cr_expect_gt(unequal, 10, "table %zu", i);
        tt_summary_table_close(&tab);
    }
    close_app(app);
}

/* Checks that only columns that may have texts have any; the sorting reserves room for those. */
static void check_texts(const struct tt_summary_table *tab, const struct tt_table_column *column)
{
    char text[300];
    for (size_t i = 0; i < tab->sheet.count && !tt_unit_has_text(column->unit); i++) {
        struct tt_table_row row;
        tt_table_row_at(&tab->sheet, i, &row);
        cr_assert_neq(tt_table_cell_of(&tab->sheet, column, &row, text, sizeof text).kind,
                      TT_CELL_TEXT, "%s", column->key);
    }
}

/* Sorts a table by each of its columns; returns the number of unequal neighbours in those with texts. */
static unsigned sort_by_all(struct tt_app *app, const struct tt_table *by)
{
    struct tt_summary_table tab;
    unsigned unequal = 0;
    open_table(&tab, app, by);
    for (unsigned column = 0; column < tab.columns.count; column++) {
        tab.chosen = column;
        tt_summary_table_sort(&tab, false);
        arrange_all(&tab, app);
        const struct tt_table_column *stat = tab.columns.v[column].stat;
        check_texts(&tab, stat);
        if (tt_unit_has_text(stat->unit) && !tt_summary_settles_late(stat)) {
            unequal += check_order(&tab);
        }
    }
    tt_summary_table_close(&tab);
    return unequal;
}

/* Among them are columns that have texts but are no names, such as the parts of a service. */
Test(tui_summary_rows, every_table_is_sorted_by_every_column)
{
    static const char *const captures[] = {DEMO, "samples/demo.fxt", "samples/demo.trx",
                                           "samples/demo.btrace"};
    static const enum tt_view_id views[] = {TT_VIEW_SUMMARY, TT_VIEW_MESSAGES};
    unsigned unequal = 0;
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        struct tt_app *app = open_app_in(captures[i], "summary");
        for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
            struct tt_summary_view *v = app->view_states[views[k]];
            for (int tab = 0; tab < v->kind->count; tab++) {
                if (tt_summary_has_tab(&app->ws, v, tab)) {
                    unequal += sort_by_all(app, v->kind->tabs[tab].table);
                }
            }
        }
        close_app(app);
    }
    cr_expect_gt(unequal, 1000u);
}

Test(tui_summary_rows, a_row_without_a_channel_has_its_connection)
{
    static const struct {
        uint64_t connection;
        const char *part;
    } cases[] = {{77, " connection 77"}, {TT_TABLE_NONE, NULL}};
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_table tab;
    open_table(&tab, app, &tt_table_channels);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[300];
        struct tt_text text = tt_text_of(name, sizeof name);
        struct tt_table_row room, row = *tt_summary_table_row(&tab, &room);
        row.of.channel = TT_TABLE_NONE;
        row.of.number = cases[i].connection;
        tt_table_row_title(&text, &tab.sheet, &row);
        const char *shown = tt_text_cstr(&text);
        cr_expect_gt(strlen(shown), 0);
        cr_expect_null(strstr(shown, "channel"), "%s", shown);
        if (cases[i].part) {
            cr_expect_not_null(strstr(shown, cases[i].part), "%s", shown);
        } else {
            cr_expect_null(strstr(shown, "connection"), "%s", shown);
        }
    }
    tt_summary_table_close(&tab);
    close_app(app);
}

/* A column without a value in any row is not shown, and the rows are not in its order. */
Test(tui_summary_rows, columns_without_values_are_hidden)
{
    struct tt_app *app = open_app_in("samples/demo.trx", "messages");
    cr_assert(tt_grid_resize(&app->ws.term.grid, 120, 24));
    type_settled(app, "g");
    cr_expect(screen_shows(app, "kind vcount"), "the order of the round times is unknown");
    cr_expect_not(screen_shows(app, "rate"));
    cr_expect_not(screen_shows(app, "round"));
    close_app(app);
}

/* The numbers of a capture that grows stay until newer ones are complete; the cursor stays on its row. */
Test(tui_summary_rows, numbers_stay_until_newer_ones_are_complete)
{
    struct tt_app *app = open_app_in(DEMO, "summary");
    struct tt_summary_range range;
    struct tt_summary_table tab;
    open_table(&tab, app, &tt_table_threads);
    tt_summary_table_go(&tab, 3);
    const uint32_t count = tab.count, thread = tab.row.thread;
    cr_assert(tt_summary_range_of(&app->ws, TT_SCOPE_ALL, &range));
    cr_assert_eq(tab.as_of, app->ws.index.progress.last_ticks);
    tab.as_of--; /* as if they were of an earlier end */
    tab.built_rows--;
    tt_summary_table_ask(&tab, &app->ws, &range, false);
    cr_assert(tab.has_ahead);
    cr_assert(tab.sheet.complete);
    cr_assert_eq(tab.count, count);
    cr_assert_not(tt_summary_table_settled(&tab),
                  "keys wait for the last numbers of a whole capture");
    while (!tt_summary_table_work(&tab, &app->ws, UINT64_C(1000000000))) {
    }
    cr_assert_not(tab.has_ahead);
    cr_assert_eq(tab.count, count);
    cr_assert_eq(tab.list.at, 3);
    cr_assert_eq(tab.row.thread, thread);
    cr_assert_eq(tab.as_of, app->ws.index.progress.last_ticks);
    tt_summary_table_close(&tab);
    close_app(app);
}
