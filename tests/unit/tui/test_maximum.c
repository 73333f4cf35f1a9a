/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enter in Summary: the longest interval of a row is selected in Threads, with what ran meanwhile.
 * Left and Right reach every column.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/lanes/cell.h"
#include "tui/model/event_columns.h"
#include "tui/views/summary/view.h"

/* Selects a column of the current table and sorts by it, largest first; returns the first row. */
static struct tt_table_row first_by(struct tt_app *app, const char *key)
{
    struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    struct tt_summary_table *tab = tt_summary_shown(v);
    tt_event_loop_settle(app);
    tab->chosen = tab->sorted =
        (unsigned)(tt_summary_column_find(&tab->columns, key) - tab->columns.v);
    tab->columns.v[tab->chosen].choice = TT_CHOICE_SHOWN; /* at 80 columns not all are */
    tab->downwards = tab->shifted = true;
    tt_app_draw(app);
    type_keys(app, "g");
    tt_event_loop_settle(app);
    struct tt_table_row row;
    cr_assert_not_null(tt_summary_table_row(tab, &row));
    return row;
}

/* Returns a distribution of a row of the current table. */
static const struct tt_distribution *
distribution_of(const struct tt_app *app, const struct tt_table_row *row, enum tt_samples_of of)
{
    struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    const struct tt_distribution *d = tt_table_distribution(tt_summary_shown(v)->table, row, of);
    cr_assert_not_null(d);
    return d;
}

/*
 * Checks that exactly the longest interval is selected, inside the window with a margin; it may be
 * longer than the number by `irq`.
 */
static void is_selected(const struct tt_app *app, const struct tt_distribution *d, uint64_t irq)
{
    const struct tt_viewport *w = &app->ws.nav.viewport;
    uint64_t from, to;
    cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_assert(tt_viewport_selection(w, &from, &to));
    cr_expect_eq(from, d->max_at - d->max - irq);
    cr_expect_eq(to, d->max_at, "%s", app->ws.message.text);
    cr_expect_leq(w->from, from - d->max / 5);
    cr_expect_geq(w->to, to + d->max / 5);
    cr_expect_leq(w->to - w->from, d->max * 2);
    cr_expect_geq(w->at, w->from);
    cr_expect_lt(w->at, w->to);
}

Test(tui_maximum, the_longest_delay_is_selected_and_its_cause_is_named)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "summary");
    struct tt_table_row row = first_by(app, "delay_max");
    type_keys(app, "<Enter>");
    tt_event_loop_settle(app);
    is_selected(app, distribution_of(app, &row, TT_SAMPLES_delay), 0);
    cr_expect_eq(app->ws.nav.lane.thread, row.of.thread);
    /* `tracetui why` prints the same: netmgr/2 ran on the CPU that logger/1 waited for. */
    cr_expect_not_null(strstr(app->ws.message.text, "logger/1 writer: sch delay of 1.950 ms"), "%s",
                       app->ws.message.text);
    cr_expect_not_null(strstr(app->ws.message.text, "ran netmgr/2 worker"), "%s",
                       app->ws.message.text);
    close_app(app);
}

Test(tui_maximum, of_waits_slices_processes_and_durations)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "summary");
    struct tt_table_row row = first_by(app, "wait_max");
    type_keys(app, "<Enter>");
    is_selected(app, distribution_of(app, &row, TT_SAMPLES_wait), 0);
    type_keys(app, "04");
    row = first_by(app, "slice_max");
    type_keys(app, "<Enter>");
    struct tt_interval run;
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    uint64_t end = tt_table_number(&tt_table_threads, &row, "slice_max_at");
    cr_assert(tt_lane_at(t, row.of.thread, end - 1, &run));
    cr_assert_eq(run.end, end);
    is_selected(app, distribution_of(app, &row, TT_SAMPLES_slice),
                tt_cpu_irq(t, run.cpu, run.start, run.end));
    type_keys(app, "04:stats process<Enter>");
    row = first_by(app, "delay_max");
    type_keys(app, "<Enter>");
    is_selected(app, distribution_of(app, &row, TT_SAMPLES_delay), 0);
    cr_expect_eq(app->ws.nav.lane.process, row.of.process);
    type_keys(app, "04:stats event<Enter>");
    row = first_by(app, "duration_max");
    type_keys(app, "<Enter>");
    is_selected(app, distribution_of(app, &row, TT_SAMPLES_duration), 0);
    close_app(app);
}

Test(tui_maximum, a_pair_has_a_first_switch_and_no_interval)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "summary");
    uint64_t from, to;
    type_keys(app, ":stats pair<Enter>");
    first_by(app, "count");
    type_keys(app, "<Enter>");
    cr_expect_eq(app->ws.nav.view, TT_VIEW_EVENTS);
    cr_expect_not(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    cr_expect_not_null(strstr(app->ws.message.text, "the first of"), "%s", app->ws.message.text);
    close_app(app);
}

/* ---- scrolling ------------------------------------------------------------------------------ */

/* Checks that the chosen column is on the screen, after the name, and returns its number. */
static unsigned check_columns(struct tt_app *app, const struct tt_summary_table *tab)
{
    tt_app_draw(app);
    const struct tt_summary_column *last = NULL;
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_summary_column *c = &tab->columns.v[i];
        last = c->width > 0 ? c : last;
    }
    cr_assert_not_null(last);
    cr_assert_leq(last->x + last->width, app->ws.term.body.width);
    cr_assert_gt(tab->columns.v[0].width, 0, "the names stay");
    cr_assert_gt(tab->columns.v[tab->chosen].width, 0, "%s", tab->columns.v[tab->chosen].stat->key);
    return tab->chosen;
}

Test(tui_maximum, right_reaches_every_column_and_left_returns)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "summary");
    struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    const struct tt_summary_table *tab = tt_summary_shown(v);
    bool reached[TT_SUMMARY_COLUMNS] = {0};
    char before[8192], after[8192];
    struct tt_text first = tt_text_of(before, sizeof before);
    struct tt_text second = tt_text_of(after, sizeof after);
    tt_event_loop_settle(app);
    tt_grid_line(&app->ws.term.grid, 3, &first);
    for (int i = 0; i < 80; i++) {
        reached[check_columns(app, tab)] = true;
        type_keys(app, "l");
    }
    cr_assert_str_eq(tab->columns.v[tab->chosen].stat->key, "idle", "the last one of a QNX trace");
    for (int i = 0; i < 80; i++) {
        reached[check_columns(app, tab)] = true;
        type_keys(app, "h");
    }
    cr_assert_eq(tab->chosen, 0u);
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_summary_column *c = &tab->columns.v[i];
        bool there = tt_summary_column_scrolls(&tab->sheet, c);
        cr_expect(reached[i] || !there || c->stat->screen.place < 10, "%s", c->stat->key);
    }
    check_columns(app, tab);
    tt_grid_line(&app->ws.term.grid, 3, &second);
    type_keys(app, "llh"); /* the arrow of the order has not moved, so the headings are the same */
    cr_expect_str_eq(tt_text_cstr(&first), tt_text_cstr(&second));
    close_app(app);
}

/* ---- the list of columns --------------------------------------------------------------------- */

static unsigned listed(struct tt_app *app)
{
    const struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    return (unsigned)v->list.count;
}

Test(tui_maximum, typing_narrows_the_list_of_columns)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "summary");
    struct tt_summary_view *v = app->view_states[TT_VIEW_SUMMARY];
    struct tt_summary_table *tab = tt_summary_shown(v);
    tt_event_loop_settle(app);
    tt_app_draw(app);
    type_keys(app, "c");
    unsigned all = listed(app);
    cr_expect_eq(all, tab->columns.count);
    type_keys(app, "/P99");
    cr_expect_eq(listed(app), 3, "delay, preempted wait, wait: in upper or lower case");
    cr_expect_geq(tt_summary_listed(v), 0);
    type_keys(app, "<Enter>j");
    cr_expect_str_eq(tab->columns.v[tt_summary_listed(v)].stat->key, "preempted_wait_p99");
    type_keys(app, "j<Space>jj");
    cr_expect_str_eq(tab->columns.v[tt_summary_listed(v)].stat->key, "wait_p99");
    tt_app_draw(app);
    cr_expect_gt(tab->columns.v[tt_summary_listed(v)].width, 0);
    type_keys(app, "<Esc>");
    cr_expect_eq(listed(app), all);
    cr_expect(v->list_open);
    /* A text of one column shows or hides it; headings are found like keys. */
    type_keys(app, "/mig<Enter>");
    cr_expect_eq(tt_summary_column_find(&tab->columns, "migrations")->choice, TT_CHOICE_HIDDEN);
    cr_expect_eq(listed(app), all);
    type_keys(app, "/sch delay max<Esc>");
    cr_expect_eq(listed(app), all);
    type_keys(app, "/no such column<Enter><Space>j");
    cr_expect_eq(listed(app), 0);
    type_keys(app, "<Esc><Esc>");
    cr_expect_not(v->list_open);
    close_app(app);
}

Test(tui_maximum, typing_finds_a_column_of_events)
{
    struct tt_app *app = open_app("samples/demo.kev");
    type_keys(app, "c/CPU<Enter>");
    cr_expect_eq(app->ws.nav.hidden_columns, 1u << TT_COLUMN_CPU);
    type_keys(app, "/argu<Esc><Space>");
    cr_expect_eq(app->ws.nav.hidden_columns, 1u << TT_COLUMN_CPU | 1u << TT_COLUMN_ARGUMENTS);
    close_app(app);
}
