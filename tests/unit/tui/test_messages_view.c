/* SPDX-License-Identifier: Apache-2.0 */
/* The Messages view: Enter, b, tables and filters; and the message at the cursor of the lanes. */
#include <criterion/criterion.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/lanes/partner.h"
#include "tui/views/summary/view.h"

static struct tt_summary_table *shown_table(struct tt_app *app)
{
    return tt_summary_shown(app->view_states[TT_VIEW_MESSAGES]);
}

/* Selects a column of the current table and sorts by it; returns the first row. */
static struct tt_table_row first_by(struct tt_app *app, const char *key)
{
    struct tt_summary_table *tab = shown_table(app);
    struct tt_table_row row;
    tt_event_loop_settle(app);
    tab->chosen = tab->sorted =
        (unsigned)(tt_summary_column_find(&tab->columns, key) - tab->columns.v);
    tab->columns.v[tab->chosen].choice = TT_CHOICE_SHOWN;
    tab->downwards = tab->shifted = true;
    tt_app_draw(app);
    type_keys(app, "g");
    tt_event_loop_settle(app);
    cr_assert_not_null(tt_summary_table_row(tab, &row));
    return row;
}

/* Returns a distribution of a row. */
static const struct tt_distribution *longest(const struct tt_table *table,
                                             const struct tt_table_row *row, enum tt_samples_of of)
{
    const struct tt_distribution *d = tt_table_distribution(table, row, of);
    cr_assert_not_null(d);
    return d;
}

Test(tui_messages, enter_goes_to_the_longest_part_of_the_selected_column)
{
    static const struct {
        const char *key;
        enum tt_samples_of of;
        const char *name;
    } parts[] = {{"round_max", TT_SAMPLES_round, "longest round"},
                 {"queue_max", TT_SAMPLES_queue, "longest queue"},
                 {"service_max", TT_SAMPLES_service, "longest service"},
                 {"return_max", TT_SAMPLES_back, "longest return"}};
    for (size_t table = 0; table < 3; table++) {
        for (size_t i = 0; i < 4; i++) {
            struct tt_app *app = open_app_in("samples/demo.kev", "messages");
            struct tt_partner at;
            uint64_t from, to;
            type_keys(app, table == 0   ? ""
                           : table == 1 ? ":stats server<Enter>"
                                        : ":stats channel<Enter>");
            struct tt_table_row row = first_by(app, parts[i].key);
            const struct tt_distribution *d = longest(shown_table(app)->table, &row, parts[i].of);
            type_keys(app, "<Enter>");
            tt_event_loop_settle(app);
            cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
            cr_assert_not_null(strstr(app->ws.message.text, parts[i].name), "%s",
                               app->ws.message.text);
            cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
            /* The selection is the message; its part has the length and the end of the maximum. */
            cr_expect_leq(from, d->max_at - d->max);
            cr_expect_geq(to, d->max_at);
            tt_partner_find(tt_trace_timelines(app->ws.opened.trace), app->ws.nav.lane.thread, from,
                            from + 1, &at);
            cr_assert(at.found);
            uint64_t lengths[] = {at.parts.round, at.parts.queue, at.parts.service, at.parts.back};
            cr_expect_eq(lengths[i], d->max);
            const struct tt_lane_pair *pair = tt_nav_pair(&app->ws.nav);
            cr_assert_not_null(pair);
            cr_expect_eq(pair->threads[0], at.message.client);
            cr_expect_eq(pair->threads[1], at.message.server);
            type_keys(app, "<Esc>");
            cr_expect_null(tt_nav_pair(&app->ws.nav));
            close_app(app);
        }
    }
}

Test(tui_messages, enter_on_a_single_message_selects_it)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    uint64_t from, to;
    type_keys(app, "[");
    struct tt_table_row row = first_by(app, "service");
    type_keys(app, "<Enter>");
    tt_event_loop_settle(app);
    cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    cr_expect_eq(from, row.of.at);
    cr_expect_geq(to - from, tt_table_number(&tt_table_single_messages, &row, "round"));
    cr_expect_eq(app->ws.nav.lane.thread, row.of.thread);
    close_app(app);
}

Test(tui_messages, b_explains_the_wait_of_the_client_or_the_service)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    struct tt_table_row row = first_by(app, "round_max");
    type_keys(app, "b");
    tt_event_loop_settle(app);
    const struct tt_why_subject *subject = tt_why_subject(&app->ws.why);
    cr_assert(app->ws.why.open);
    cr_expect_eq(subject->to, longest(&tt_table_message_pairs, &row, TT_SAMPLES_round)->max_at);
    cr_expect_eq(subject->to - subject->from,
                 longest(&tt_table_message_pairs, &row, TT_SAMPLES_round)->max);
    type_keys(app, "<Esc>");
    row = first_by(app, "service_max");
    type_keys(app, "b");
    tt_event_loop_settle(app);
    subject = tt_why_subject(&app->ws.why);
    cr_expect_eq(subject->to, longest(&tt_table_message_pairs, &row, TT_SAMPLES_service)->max_at);
    cr_expect_eq(subject->to - subject->from,
                 longest(&tt_table_message_pairs, &row, TT_SAMPLES_service)->max);
    cr_expect_str_eq(subject->what, "service");
    close_app(app);
}

/* A row of posts has no round: its longest queue is shown, and nothing waits for it. */
Test(tui_messages, posts_have_a_queue_and_no_client_that_waits)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    first_by(app, "round_max");
    type_keys(app, "G");
    tt_event_loop_settle(app);
    struct tt_table_row row;
    cr_assert_not_null(tt_summary_table_row(shown_table(app), &row));
    cr_assert_eq(row.of.kind, 1u);
    type_keys(app, "b");
    cr_expect_not_null(strstr(app->ws.message.text, "no client waits"), "%s", app->ws.message.text);
    type_keys(app, "<Enter>");
    tt_event_loop_settle(app);
    cr_expect_not_null(strstr(app->ws.message.text, "queue"), "%s", app->ws.message.text);
    close_app(app);
}

Test(tui_messages, a_capture_without_messages_says_where_they_come_from)
{
    struct tt_app *app = open_app_in("samples/fast1.kev", "messages");
    tt_event_loop_settle(app);
    type_keys(app, "<Enter>b");
    cr_expect_eq(app->ws.nav.view, TT_VIEW_MESSAGES);
    cr_expect_not_null(strstr(app->ws.message.text, "no message"), "%s", app->ws.message.text);
    close_app(app);
}

Test(tui_messages, the_command_stats_shows_a_table_of_messages)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "events");
    type_keys(app, ":stats server<Enter>");
    cr_expect_eq(app->ws.nav.view, TT_VIEW_MESSAGES);
    cr_expect_eq(shown_table(app)->table, &tt_table_servers);
    type_keys(app, ":stats cpu<Enter>");
    cr_expect_eq(app->ws.nav.view, TT_VIEW_SUMMARY);
    type_keys(app, ":stats nothing<Enter>");
    cr_expect_not_null(strstr(app->ws.message.text, "is not a table"));
    close_app(app);
}

Test(tui_messages, a_filter_keeps_the_messages_of_its_threads)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    type_keys(app, ":filter thread = hmi/1<Enter>");
    tt_event_loop_settle(app);
    struct tt_summary_table *tab = shown_table(app);
    cr_assert_gt(tab->count, 0u);
    for (uint32_t i = 0; i < tab->count; i++) {
        struct tt_table_row row;
        struct tt_text text;
        char name[256];
        tt_summary_table_row_at(tab, i, &row);
        text = tt_text_of(name, sizeof name);
        tt_table_row_title(&text, &tab->sheet, &row);
        cr_expect_not_null(strstr(tt_text_cstr(&text), "hmi"), "%s", name);
    }
    close_app(app);
}

Test(tui_messages, enter_and_b_go_to_the_longest_wait_or_hold_of_an_object)
{
    static const char *const keys[] = {"wait_max", "hold_max"};
    for (size_t i = 0; i < 2; i++) {
        struct tt_app *app = open_app_in("samples/demo.kev", "messages");
        uint64_t from, to;
        type_keys(app, ":stats object<Enter>");
        cr_assert_eq(shown_table(app)->table, &tt_table_objects);
        struct tt_table_row row = first_by(app, keys[i]);
        const struct tt_distribution *d =
            longest(&tt_table_objects, &row, i == 0 ? TT_SAMPLES_wait : TT_SAMPLES_hold);
        struct tt_table_place place;
        cr_assert(tt_table_place_of(&shown_table(app)->sheet,
                                    tt_table_column_of(&tt_table_objects, keys[i]), &row, &place));
        type_keys(app, "b");
        tt_event_loop_settle(app);
        cr_assert(app->ws.why.open);
        cr_expect_eq(tt_why_subject(&app->ws.why)->to, d->max_at);
        type_keys(app, "<Esc><Enter>");
        tt_event_loop_settle(app);
        cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
        cr_expect_eq(to, d->max_at);
        cr_expect_eq(to - from, d->max);
        cr_expect_eq(app->ws.nav.lane.thread, place.thread);
        close_app(app);
    }
}

Test(tui_messages, an_object_without_a_complete_wait_has_no_place)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    type_keys(app, ":stats object<Enter>");
    first_by(app, "wait_max");
    type_keys(app, "G");
    tt_event_loop_settle(app);
    type_keys(app, "<Enter>");
    cr_expect_not_null(strstr(app->ws.message.text, "no wait of this row"), "%s",
                       app->ws.message.text);
    cr_expect_eq(app->ws.nav.view, TT_VIEW_MESSAGES);
    close_app(app);
}

Test(tui_messages, enter_and_b_on_cpu_time_select_the_range_of_the_client)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    uint64_t from, to;
    type_keys(app, ":stats matrix<Enter>");
    cr_assert_eq(shown_table(app)->table, &tt_table_matrix);
    struct tt_table_row row = first_by(app, "imposed");
    cr_expect_gt(tt_table_number(&tt_table_matrix, &row, "imposed"), 0u);
    type_keys(app, "b");
    tt_event_loop_settle(app);
    cr_assert(app->ws.why.open);
    cr_expect_eq(tt_why_subject(&app->ws.why)->thread, row.of.thread);
    type_keys(app, "<Esc><Enter>");
    tt_event_loop_settle(app);
    cr_expect_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_expect_eq(app->ws.nav.lane.thread, row.of.thread);
    cr_assert(tt_viewport_selection(&app->ws.nav.viewport, &from, &to));
    cr_expect_eq(from, tt_nav_bounds(&app->ws).begin);
    cr_expect_eq(to, tt_nav_bounds(&app->ws).end);
    close_app(app);
}

Test(tui_messages, without_messages_there_is_no_client)
{
    struct tt_app *app = open_app_in("samples/fast1.kev", "messages");
    type_keys(app, ":stats matrix<Enter><Enter>b");
    cr_expect_not_null(strstr(app->ws.message.text, "no client"), "%s", app->ws.message.text);
    cr_expect_eq(app->ws.nav.view, TT_VIEW_MESSAGES);
    close_app(app);
}

/* ---- the message at the cursor ------------------------------------------------------------- */

Test(tui_partner, every_message_is_found_from_both_of_its_threads)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "threads");
    const struct tt_timelines *t = tt_trace_timelines(app->ws.opened.trace);
    unsigned clients = 0, servers = 0;
    for (uint32_t row = 0; row < tt_message_rows(t); row++) {
        struct tt_message_reader reader;
        struct tt_message m;
        struct tt_message_parts parts;
        struct tt_partner found;
        tt_message_read_from(&reader, t, row, 0);
        while (tt_message_read(&reader, &m)) {
            tt_message_parts_of(t, &m, &parts);
            if (!m.async && m.send != TT_NO_TIME && m.client != TT_NO_THREAD) {
                tt_partner_find(t, m.client, m.send + 1, m.send + 2, &found);
                cr_expect(found.found && found.message.send == m.send);
                clients++;
            }
            if (!m.async && parts.run != TT_NO_TIME && parts.run > m.end) {
                tt_partner_find(t, m.client, parts.run - 1, parts.run, &found);
                cr_expect(found.found && found.message.send == m.send, "send %llu, return %llu, %d",
                          (unsigned long long)m.send, (unsigned long long)parts.run, found.found);
            }
            if (m.receive != TT_NO_TIME && m.server != TT_NO_THREAD) {
                tt_partner_find(t, m.server, m.receive, m.receive + 1, &found);
                cr_expect(found.found &&
                          (found.message.receive == m.receive || found.message.client == m.server));
                servers++;
            }
        }
    }
    cr_expect_gt(clients, 20u);
    cr_expect_gt(servers, 20u);
    close_app(app);
}

Test(tui_partner, the_key_goes_to_the_server_and_back)
{
    struct tt_app *app = open_app_in("samples/demo.kev", "messages");
    type_keys(app, "[");
    struct tt_table_row row = first_by(app, "round");
    type_keys(app, "<Enter>");
    tt_event_loop_settle(app);
    type_keys(app, "s");
    cr_expect_eq(app->ws.nav.lane.thread, row.of.to, "%s", app->ws.message.text);
    cr_expect_eq(app->ws.nav.viewport.at,
                 row.of.at + longest(&tt_table_single_messages, &row, TT_SAMPLES_queue)->max);
    type_keys(app, "s");
    cr_expect_eq(app->ws.nav.lane.thread, row.of.thread, "%s", app->ws.message.text);
    type_keys(app, "^s");
    cr_expect_not_null(strstr(app->ws.message.text, "no message of this thread"), "%s",
                       app->ws.message.text);
    type_keys(app, "3s1s");
    close_app(app);
}
