/* SPDX-License-Identifier: Apache-2.0 */
/* The SQL pane: rows, order, places, files, errors, stopping, words of the prompt, the configuration. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "open_app.h"
#include "tui/app/config.h"
#include "tui/app/event_loop.h"
#include "tui/panes/sql.h"

#define DEMO    "samples/demo.kev"
#define ENDLESS "with recursive c(x) as (select 1 union all select x + 1 from c) select "

/* Types keys without waiting for the query. */
static void press(struct tt_app *app, const char *keys)
{
    for (size_t left = strlen(keys); left > 0;) {
        uint32_t key;
        size_t used = tt_key_parse(keys, left, &key);
        tt_app_key(app, key);
        keys += used;
        left -= used;
    }
    tt_app_draw(app);
}

static const char *line_of(struct tt_app *app, int y)
{
    static char buffer[2048];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_app_draw(app);
    tt_grid_line(&app->ws.term.grid, y, &text);
    return tt_text_cstr(&text);
}

static struct tt_app *open_demo(void)
{
    if (!tt_sql_is_built_in()) {
        cr_skip_test("built without SQL");
    }
    return open_app(DEMO);
}

static void close_demo(struct tt_app *app)
{
    tt_app_close(app);
    free(app);
}

Test(tui_sql, rows_are_shown_scrolled_and_shown_again)
{
    struct tt_app *app = open_demo();
    type_settled(app, ":sql<Enter>");
    cr_expect(screen_shows(app, "no query: :sql select"));
    type_settled(app, ":sql select event_id, ts_ns, event from events<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_SQL);
    cr_expect(screen_shows(app, "sql: select event_id, ts_ns, event from events"));
    cr_expect(screen_shows(app, "3,400 rows, "));
    cr_expect(strstr(line_of(app, 3), " 0  12855976778  BUFFER"), "%s", line_of(app, 3));
    type_settled(app, "G");
    cr_expect(screen_shows(app, "3399"));
    type_settled(app, "g<Esc>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    type_settled(app, ":sql<Enter>");
    cr_expect(screen_shows(app, "BUFFER"));
    type_settled(app, ":sql select 1 where 0<Enter>");
    cr_expect(screen_shows(app, "no rows"));
    close_demo(app);
}

Test(tui_sql, rows_are_sorted_by_a_column)
{
    struct tt_app *app = open_demo();
    type_settled(app, ":sql select column1 as x, column2 as y from (values "
                      "(3,'b'),(null,'a'),(1.5,'c'),(7,x'00'),(2,null),"
                      "(1.5,'d'))<Enter>");
    cr_expect(strstr(line_of(app, 3), "3  b"));
    type_settled(app, "o"); /* numbers: the largest first */
    cr_expect(strstr(line_of(app, 2), "x v"), "%s", line_of(app, 2));
    cr_expect(strstr(line_of(app, 3), "7  x'00'"), "%s", line_of(app, 3));
    cr_expect(strstr(line_of(app, 4), "3  b"));
    cr_expect(strstr(line_of(app, 5), "2  -"));
    cr_expect(strstr(line_of(app, 6), "1.5  c"));
    cr_expect(strstr(line_of(app, 7), "1.5  d"), "not stable: %s", line_of(app, 7));
    cr_expect(strstr(line_of(app, 8), "-  a"));
    type_settled(app, "O");
    cr_expect(strstr(line_of(app, 3), "-  a"));
    cr_expect(strstr(line_of(app, 8), "7  x'00'"));
    type_settled(app, "lo"); /* texts: the first one first */
    cr_expect(strstr(line_of(app, 2), "y ^"));
    cr_expect(strstr(line_of(app, 3), "2  -"));
    cr_expect(strstr(line_of(app, 4), "-  a"));
    cr_expect(strstr(line_of(app, 8), "7  x'00'"));
    type_settled(app, "o"); /* the order of the query again */
    cr_expect(strstr(line_of(app, 3), "3  b"));
    close_demo(app);
}

Test(tui_sql, enter_goes_to_the_time_of_a_row)
{
    struct tt_app *app = open_demo();
    type_settled(app,
                 "1:sql select event_id, ts_ns from events where event_id >= 100<Enter>j<Enter>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    cr_expect(screen_shows(app, "the time of the row; :sql returns"));
    cr_expect(screen_shows(app, "102nd of 3,400"));
    type_settled(app, ":sql select count(*) from events<Enter><Enter>");
    cr_expect(screen_shows(app, "this row has no time"));
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_SQL);
    close_demo(app);
}

/* Writes the rows to a file by its ending, and returns the file's text. */
static const char *written(struct tt_app *app, const char *ending)
{
    static char text[1024];
    char path[64], keys[160];
    snprintf(path, sizeof path, "/tmp/tracetui-sql-%ld.%s", (long)getpid(), ending);
    snprintf(keys, sizeof keys, "w<C-u>write! %s<Enter>", path);
    type_settled(app, keys);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return text;
}

Test(tui_sql, rows_are_written)
{
    struct tt_app *app = open_demo();
    type_settled(app,
                 ":sql select 1 as n, 2.5 as r, 'a,\"b' as t, null as z, x'0aff' as b, '=x' as f, "
                 "9007199254740993 as large, 9e999 as i<Enter>");
    cr_expect_str_eq(written(app, "csv"),
                     "n,r,t,z,b,f,large,i\n1,2.5,\"a,\"\"b\",,0aff,'=x,9007199254740993,inf\n");
    cr_expect(screen_shows(app, "1 row"));
    cr_expect_str_eq(written(app, "jsonl"),
                     "{\"n\":1,\"r\":2.5,\"t\":\"a,\\\"b\",\"z\":null,\"b\":\"0aff\",\"f\":\"=x\","
                     "\"large\":\"9007199254740993\",\"i\":\"inf\"}\n");
    type_settled(app, ":sql select printf('%.20000c', 'x') as x<Enter>");
    cr_expect_eq(strlen(written(app, "csv")), 1023); /* a row larger than the buffer */
    /* In the order of the screen. */
    type_settled(app, ":sql select column1 as v from (values (1),(3),(2))<Enter>o");
    cr_expect_str_eq(written(app, "csv"), "v\n3\n2\n1\n");
    close_demo(app);
}

/* Begins to write 60,000 rows, and returns after one step. */
static struct tt_app *begin_large(const char *path)
{
    char keys[160];
    struct tt_app *app = open_demo();
    type_settled(app,
                 ":sql with recursive c(x) as (select 1 union all select x + 1 from c limit 60000) "
                 "select x from c<Enter>");
    snprintf(keys, sizeof keys, ":write! %s<Enter>", path);
    press(app, keys);
    cr_assert(app->writing.active);
    cr_expect_not(tt_export_step(app, 0)); /* a budget of nothing writes a few rows */
    cr_expect_gt(app->writing.at, 0u);
    cr_expect_lt(app->writing.at, 100u);
    return app;
}

Test(tui_sql, many_rows_are_written_in_steps)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/tracetui-sql-large-%ld.csv", (long)getpid());
    struct tt_app *app = begin_large(path);
    tt_event_loop_wait(app);
    cr_expect_not(app->writing.active);
    cr_expect(screen_shows(app, "60000 rows written to"));
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    unsigned lines = 0;
    for (int c; (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    fclose(file);
    cr_expect_eq(lines, 60001u);
    close_demo(app);
    unlink(path);
}

Test(tui_sql, rows_that_change_are_not_written)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/tracetui-sql-part-%ld.csv", (long)getpid());
    struct tt_app *app = begin_large(path);
    cr_expect_eq(
        tt_querying_begin(&((struct tt_sql_pane *)app->overlay_states[TT_OVERLAY_SQL])->query,
                          "select 1")
            .code,
        TT_OK);
    tt_event_loop_wait(app);
    cr_expect(screen_shows(app, "not written: the rows changed"));
    cr_expect_eq(access(path, F_OK), -1);
    close_demo(app);
}

Test(tui_sql, errors_are_shown_escaped)
{
    struct tt_app *app = open_demo();
    type_settled(app, ":sql select * from nowhere<Enter>");
    cr_expect(screen_shows(app, "nowhere"));
    type_settled(app, ":sql select 1; select 2<Enter>");
    cr_expect(screen_shows(app, "one query at a time"));
    type_settled(app, ":sql ;<Enter>");
    cr_expect(screen_shows(app, "there is no query"));
    cr_expect_eq(
        tt_querying_begin(&((struct tt_sql_pane *)app->overlay_states[TT_OVERLAY_SQL])->query,
                          "select \"\x1b[31m\xff\"")
            .code,
        TT_OK);
    type_settled(app, ":sql<Enter>");
    cr_expect(screen_shows(app, "\\e[31m"));
    type_settled(app, "w<C-u>write! /tmp/tracetui-sql-none.csv<Enter>");
    cr_expect(screen_shows(app, "there are no rows"));
    close_demo(app);
}

Test(tui_sql, escape_stops_a_query, .timeout = 120)
{
    struct tt_app *app = open_demo();
    press(app, ":sql " ENDLESS "sum(x) from c<Enter>");
    cr_assert(
        tt_querying_runs(&((struct tt_sql_pane *)app->overlay_states[TT_OVERLAY_SQL])->query));
    cr_expect_not(tt_app_settled(app));
    cr_expect(screen_shows(app, "Esc stops"));
    press(app, "<Esc>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_SQL);
    tt_event_loop_settle(app);
    cr_expect_not(
        tt_querying_runs(&((struct tt_sql_pane *)app->overlay_states[TT_OVERLAY_SQL])->query));
    cr_expect(screen_shows(app, "stopped, 0 rows"));
    press(app, "<Esc>");
    cr_expect_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    /* Another query, another capture and the end of the program stop it, too. */
    press(app, ":sql " ENDLESS "sum(x) from c<Enter>");
    press(app, ":sql select 7 as seven<Enter>");
    tt_event_loop_settle(app);
    cr_expect(screen_shows(app, "seven"));
    press(app, ":sql " ENDLESS "max(x) from c<Enter>");
    close_demo(app);
}

Test(tui_sql, another_capture_is_asked_again)
{
    struct tt_app *app = open_demo();
    type_settled(app, ":sql select count(*) as n from events<Enter>");
    cr_expect(strstr(line_of(app, 3), "3400"));
    type_settled(app, ":open samples/fast1.kev<Enter>:sql<Enter>");
    cr_expect_not(strstr(line_of(app, 3), "3400"));
    cr_expect(screen_shows(app, "1 row, "));
    close_demo(app);
}

Test(tui_sql, wide_results_scroll_by_columns)
{
    struct tt_app *app = open_demo();
    type_settled(app, ":sql select * from events<Enter>");
    cr_expect_not(screen_shows(app, "args"));
    type_settled(app, "lllllllllllllllllllll");
    cr_expect_not(screen_shows(app, "event_id "));
    type_settled(app, "hhhhhhhhhhhhhhhhhhhhhhh");
    cr_expect(strstr(line_of(app, 2), "event_id"));
    type_settled(app, "e");
    cr_expect(screen_shows(app, ":sql select * from events"));
    type_settled(app, "<Esc>");
    struct tt_mouse mouse = {.x = 3, .y = 6, .kind = TT_MOUSE_PRESS};
    tt_app_mouse(app, &mouse);
    char buffer[4096];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_overlays[TT_OVERLAY_SQL]->copy(&app->ws, app->overlay_states[TT_OVERLAY_SQL], true, &text);
    cr_expect(strstr(tt_text_cstr(&text), "event_id=3\t"), "%s", buffer);
    close_demo(app);
}

Test(tui_sql, words_are_completed)
{
    struct tt_app *app = open_demo();
    type_settled(app, ":sql select * from <Tab>");
    cr_expect(screen_shows(app, "events"));
    cr_expect(screen_shows(app, "threads"));
    type_settled(app, "<C-u>sql select utid, is_i<Tab>");
    cr_expect(screen_shows(app, ":sql select utid, is_idle"));
    type_settled(app, "<C-u>sql select is_i from events<Home><Esc>");
    type_settled(app, ":sql select thread_na<Tab>");
    cr_expect(screen_shows(app, ":sql select thread_name("));
    type_settled(app, "<Esc><Esc>");
    close_demo(app);
}

Test(tui_sql, views_and_macros_of_the_configuration)
{
    static const char config[] = "[sql]\n"
                                 "idle = select thread from threads\n"
                                 "idle = where is_idle = 1\n"
                                 "first_events(n) = select event from events where event_id < $n\n";
    struct tt_app *app = open_demo();
    cr_assert_eq(tt_config_apply(app, "config", config, sizeof config - 1).code, TT_OK);
    type_settled(app, ":sql select * from id<Tab>");
    cr_expect(screen_shows(app, ":sql select * from idle"));
    type_settled(app, "<Enter>");
    cr_expect(screen_shows(app, "4 rows, "));
    cr_expect(screen_shows(app, "procnto/1 idle"));
    type_settled(app, ":sql @first_ev<Tab>3)<Enter>");
    cr_expect(screen_shows(app, "3 rows, "));
    cr_assert_eq(tt_config_apply(app, "config", "[sql]\nbad = selec\n", 18).code, TT_OK);
    type_settled(app, ":sql select 1<Enter>");
    cr_expect(screen_shows(app, "configuration"));
    close_demo(app);
}
