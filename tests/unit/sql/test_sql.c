/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions and queries of SQL on the samples: values, bounds, limits, and what is not permitted. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sql/sql_prompt.h"
#include "sql/sql.h"
#include "tracetui/trace.h"

#define DEMO   "samples/demo.kev"
#define OTHER  "samples/demo.trx"
#define RESULT 4096

static struct tt_trace *open_trace(const char *path)
{
    struct tt_trace *trace = NULL;
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

struct fixture {
    struct tt_trace *traces[2];
    struct tt_sql *sql;
    char result[RESULT];
};

static void need_sql(void)
{
    if (!tt_sql_is_built_in()) {
        cr_skip_test("built without SQL");
    }
}

static void open_fixture(struct fixture *f, const struct tt_sql_limits *limits, size_t count)
{
    static const char *const paths[] = {DEMO, OTHER};
    struct tt_sql_source sources[2];
    need_sql();
    for (size_t i = 0; i < count; i++) {
        f->traces[i] = open_trace(paths[i]);
        sources[i] = (struct tt_sql_source){paths[i], f->traces[i], false};
    }
    struct tt_status status = tt_sql_open(sources, count, limits, &f->sql);
    cr_assert(!tt_failed(&status), "%s", status.text);
}

static void close_fixture(struct fixture *f)
{
    tt_sql_close(f->sql);
    tt_trace_close(f->traces[0]);
    tt_trace_close(f->traces[1]);
}

static void append_value(struct tt_text *text, const struct tt_sql_value *v)
{
    switch (v->type) {
    case TT_SQL_NULL:
        tt_text_str(text, "null");
        break;
    case TT_SQL_INTEGER:
        tt_text_i64(text, v->integer);
        break;
    case TT_SQL_REAL:
        tt_text_double(text, v->real);
        break;
    default:
        tt_text_bytes(text, v->text, v->length);
    }
}

/* Returns the rows of a query as "a,b;c,d"; a failure as its text. */
static const char *result_of(struct fixture *f, const char *select)
{
    struct tt_text text = tt_text_of(f->result, sizeof f->result);
    struct tt_sql_query *query;
    const char *rest;
    char *expanded = NULL;
    struct tt_status status = tt_sql_expand(f->sql, select, &expanded);
    if (!tt_failed(&status)) {
        status = tt_sql_prepare(f->sql, expanded ? expanded : select, &query, &rest, NULL);
        for (bool row = !tt_failed(&status) && query; row;) {
            status = tt_sql_step(query, &row);
            row = row && !tt_failed(&status);
            tt_text_str(&text, row && text.used > 0 ? ";" : "");
            for (unsigned i = 0; row && i < tt_sql_column_count(query); i++) {
                struct tt_sql_value value = tt_sql_value_of(query, i);
                tt_text_str(&text, i > 0 ? "," : "");
                append_value(&text, &value);
            }
        }
        tt_sql_query_free(query);
    }
    free(expanded);
    if (tt_failed(&status)) {
        text.used = 0;
        tt_text_str(&text, status.text);
    }
    return tt_text_cstr(&text);
}

#define SAME(select, expected)                                                                     \
    cr_expect_str_eq(result_of(&f, select), expected, "%s: %s", select, f.result)
#define FAILS(select, part)                                                                        \
    cr_expect_not_null(strstr(result_of(&f, select), part), "%s: %s", select, f.result)

Test(sql, bounds_give_the_same_rows_as_conditions_that_are_checked)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 2);
    /* A unary + keeps a condition from becoming a bound. */
    static const char *const conditions[][2] = {
        {"ts_ns >= 12860000000 and ts_ns < 12861000000",
         "+ts_ns >= 12860000000 and +ts_ns < 12861000000"},
        {"ts_ticks > 1000 and ts_ticks <= 900000", "+ts_ticks > 1000 and +ts_ticks <= 900000"},
        {"event_id between 5 and 9", "+event_id between 5 and 9"},
        {"event_id = 1099511627779", "+event_id = 1099511627779"},
        {"cpu = 1", "+cpu = 1"},
        {"event = 'THRUNNING'", "+event = 'THRUNNING'"},
        {"event = 'thrunning' collate nocase", "+event = 'thrunning' collate nocase"},
        {"utid = 5", "+utid = 5"},
        {"pid = 8", "+pid = 8"},
        {"tid = 2 and ts_ns < 1287e7", "+tid = 2 and +ts_ns < 1287e7"},
        {"type_id = 3", "+type_id = 3"},
        {"capture = 'samples/demo.trx'", "+capture = 'samples/demo.trx'"},
        {"ts_ns = 12860000000.5", "+ts_ns = 12860000000.5"},
        {"ts_ns > 12859999999.5 and ts_ns < 12861000000.25",
         "+ts_ns > 12859999999.5 and +ts_ns < 12861000000.25"},
        {"ts_ns > null", "+ts_ns > null"},
        {"ts_ns > 'x'", "+ts_ns > 'x'"},
        {"ts_ns < -5", "+ts_ns < -5"},
        {"cpu = 70000", "+cpu = 70000"},
        {"utid = -1", "+utid = -1"},
        {"event_id > 9e18", "+event_id > 9e18"},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char bound[256], checked[256], expected[RESULT];
        snprintf(bound, sizeof bound,
                 "select count(*), sum(offset), min(event_id) from events where %s",
                 conditions[i][0]);
        snprintf(checked, sizeof checked,
                 "select count(*), sum(offset), min(event_id) from events where %s",
                 conditions[i][1]);
        snprintf(expected, sizeof expected, "%s", result_of(&f, checked));
        SAME(bound, expected);
    }
    SAME("select count(*) > 0 from events where event = 'THRUNNING'", "1");
    SAME("select count(*) > 0 from events where ts_ns >= 12860000000 and ts_ns < 12861000000", "1");
    close_fixture(&f);
}

Test(sql, bounds_keep_all_rows_that_begin_at_one_time)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 2);
#define REPEATED(plus)                                                                             \
    "with t as materialized (select utid, ts_ticks as at from states group by 1, 2 having "        \
    "count(*) > 1) select count(*) from t join states s on s.utid = t.utid and " plus              \
    "s.ts_ticks >= t.at and " plus "s.ts_ticks <= t.at"
    char expected[RESULT];
    snprintf(expected, sizeof expected, "%s", result_of(&f, REPEATED("+")));
    cr_expect_str_neq(expected, "0");
    SAME(REPEATED(""), expected);
#undef REPEATED
    close_fixture(&f);
}

Test(sql, rowids_are_those_of_the_rows_in_every_scan)
{
    struct fixture f = {0};
    struct tt_sql_table_info table;
    char name[64], query[1024], expected[RESULT];
    open_fixture(&f, NULL, 2);
    for (unsigned i = 0; tt_sql_table_at(i, &table); i++) {
        snprintf(name, sizeof name, "%s", table.name);
        snprintf(query, sizeof query, "select count(*) from %s", name);
        snprintf(expected, sizeof expected, "%s", result_of(&f, query));
        snprintf(query, sizeof query, "select count(distinct rowid) from %s", name);
        SAME(query, expected);
        snprintf(query, sizeof query,
                 "select count(*) from %s where capture = '" DEMO "' or capture = '" OTHER "'",
                 name);
        SAME(query, expected);
    }
    SAME("select count(*) > 5, count(*) - sum(+pid = 4107 or +upid = 1) from threads where "
         "pid = 4107 or upid = 1",
         "1,0");
    close_fixture(&f);
}

Test(sql, messages_have_the_same_keys_in_any_range)
{
    struct fixture f = {0};
    char expected[RESULT];
    open_fixture(&f, NULL, 2);
    for (int percent = 0; percent <= 100; percent += 7) {
        char bound[512], checked[512];
        for (int i = 0; i < 2; i++) {
            snprintf(
                i ? checked : bound, sizeof bound,
                "select m.capture, count(*), sum(m.message_id), min(m.message_id), sum(round_ns) "
                "from captures c join messages m on m.capture = c.capture and %sm.ts_ticks >= "
                "c.begin_ticks + (c.end_ticks - c.begin_ticks) * %d / 100 group by m.capture",
                i ? "+" : "", percent);
        }
        snprintf(expected, sizeof expected, "%s", result_of(&f, checked));
        SAME(bound, expected);
        cr_expect(percent > 90 || strchr(expected, ','), "%s", expected);
    }
    close_fixture(&f);
}

Test(sql, functions_compute)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 1);
    SAME("select state_class('REPLY'), state_class('NONE'), state_class('REPLY', "
         "'samples/demo.kev')",
         "ipc,null,ipc");
    SAME("select overlap(0, 10, 5, 20), overlap(0, 5, 5, 9), overlap(null, 1, 2, 3)", "5,0,null");
    SAME("with x(v) as (values (5), (1), (3), (2), (4), (null)) select percentile(v, 50), "
         "percentile(v, 0), "
         "percentile(v, 100), percentile(v, 99) from x",
         "3,1,5,5");
    SAME("with x(v) as (values (5), (1.5), (3)) select percentile(v, 50) from x", "3");
    SAME("select percentile(1, 50) where 0", "null");
    FAILS("select percentile(1, 101)", "p is not from 0 to 100");
    SAME("select count(*) from threads where thread_name(utid) <> thread", "0");
    SAME("select thread_name(-1), thread_name('x'), process_name(1 << 50)", "null,null,null");
    SAME("select count(*) from processes where process_name(upid) <> process", "0");
    SAME("select to_ticks(to_ns(ts_ticks)) - ts_ticks from events limit 1", "0");
    close_fixture(&f);
}

Test(sql, only_reading_is_permitted)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 1);
    static const char *const statements[] = {
        "attach ':memory:' as x",
        "create table x(a)",
        "create temp table x(a)",
        "create view v as select 1",
        "drop table events",
        "delete from events",
        "insert into events values(1)",
        "update events set n = 0",
        "pragma temp_store = 1",
        "pragma writable_schema = 1",
        "begin",
        "savepoint x",
        "vacuum",
        "vacuum into '/tmp/x'",
        "detach main",
        "update sqlite_master set sql = ''",
        "analyze",
        "create virtual table t using fts5(a)",
        "select load_extension('x')",
        "pragma query_only = 0",
        "create temp trigger t after insert on x begin select 1; end",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        struct tt_sql_query *query;
        const char *rest;
        struct tt_status status = tt_sql_prepare(f.sql, statements[i], &query, &rest, NULL);
        cr_expect(tt_failed(&status) && !query, "%s", statements[i]);
        tt_sql_query_free(query);
    }
    SAME("select count(*) > 10 from pragma_table_info('events')", "1");
    FAILS("select * from no_such_table", "no such table");
    FAILS("select \"x\" from events", "no such column");
    close_fixture(&f);
}

static const char endless[] =
    "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c";

Test(sql, time_limits_stop_endless_queries)
{
    struct fixture f = {0};
    const struct tt_sql_limits limits = {.time_ms = 20};
    open_fixture(&f, &limits, 1);
    FAILS(endless, "time limit of 20 ms");
    FAILS("select count(*) from events a, events b, events c, events d where a.args || b.args = "
          "c.args || d.args",
          "time limit");
    SAME("select 1", "1");
    close_fixture(&f);
}

Test(sql, memory_and_length_limits_stop_large_values)
{
    struct fixture f = {0};
    const struct tt_sql_limits limits = {.memory = 4 << 20, .length = 1000};
    sqlite3_hard_heap_limit64(
        0); /* the largest limit of the process counts: forget those of other cases */
    open_fixture(&f, &limits, 1);
    SAME("select printf('%.*c', 1000000, 'x')", "null");
    FAILS("select hex(zeroblob(900))", "longer than the limit of 1000 bytes");
    FAILS("select zeroblob(2000000000)", "longer than the limit");
    FAILS("with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from "
          "(select distinct x from c)",
          "needs more memory");
    FAILS("with recursive c(x) as (select 1 union all select x + 1 from c) select percentile(x, "
          "50) from c",
          "needs more memory");
    SAME("select 1", "1");
    close_fixture(&f);
}

static void *interrupt_soon(void *arg)
{
    struct tt_sql *sql = arg;
    tt_sql_interrupt(sql);
    return NULL;
}

Test(sql, another_thread_interrupts)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 1);
    struct tt_sql_query *query;
    const char *rest;
    pthread_t thread;
    bool row;
    struct tt_status status = tt_sql_prepare(f.sql, endless, &query, &rest, NULL);
    cr_assert(!tt_failed(&status));
    cr_assert_eq(pthread_create(&thread, NULL, interrupt_soon, f.sql), 0);
    status = tt_sql_step(query, &row);
    pthread_join(thread, NULL);
    cr_expect_eq(status.code, TT_ERR_CANCELLED);
    cr_expect_str_eq(status.text, "stopped");
    tt_sql_query_free(query);
    SAME("select 1", "1");
    close_fixture(&f);
}

Test(sql, views_and_macros_are_used_like_tables)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 1);
    const struct tt_sql_definition good[] = {
        {"of_event(name)", "select * from events where event = $name", true},
        {"twice(x, y)", "($x * 2 + $y)", true},
        {"one", "1", true},
        {"runs", "@of_event('THRUNNING')", false},
        {"loop", "@loop", true},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct tt_status status = tt_sql_define(f.sql, &good[i]);
        cr_expect(!tt_failed(&status), "%s", status.text);
    }
    SAME("select @twice(3, (1 + 1)), @one, '@one' -- @none", "8,1,@one");
    SAME("select (select count(*) from runs) = (select count(*) from events where event = "
         "'THRUNNING')",
         "1");
    SAME("select count(*) from (@of_event('THRUNNING')) where event <> 'THRUNNING'", "0");
    FAILS("select @none", "there is no macro @none");
    FAILS("select @twice(1)", "needs 2 arguments");
    FAILS("select @twice(1", "needs 2 arguments");
    FAILS("select @loop", "more than 16 deep");
    const struct tt_sql_definition bad[] = {
        {"a b", "select 1", false},
        {"v", "select 1; select 2", false},
        {"w", "delete from x", false},
        {"1(x)", "x", true},
        {"m(x", "x", true},
        {"m(1)", "x", true},
        {"v", "select @none", false},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tt_status status = tt_sql_define(f.sql, &bad[i]);
        cr_expect_eq(status.code, TT_ERR_USAGE, "%s", bad[i].name);
    }
    close_fixture(&f);
}

Test(sql, rows_have_a_time)
{
    struct fixture f = {0};
    open_fixture(&f, NULL, 2);
    static const struct {
        const char *select;
        bool has;
        size_t source;
    } cases[] = {
        {"select ts_ns, capture from events where capture = 'samples/demo.kev' limit 1", true, 0},
        {"select 5 as ts_ticks, 'samples/demo.trx' as capture", true, 1},
        {"select 5 as max_at_ticks", true, 0},
        {"select '18446744073709551615' as ts_ticks", true, 0},
        {"select 5 as ts_ns, 'none' as capture", false, 0},
        {"select 5 as dur_ns", false, 0},
        {"select null as ts_ns", false, 0},
        {"select -1 as ts_ns", false, 0},
        {"select 'x' as ts_ticks", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_sql_query *query;
        const char *rest;
        size_t source;
        uint64_t ticks;
        bool row;
        struct tt_status status = tt_sql_prepare(f.sql, cases[i].select, &query, &rest, NULL);
        cr_assert(!tt_failed(&status), "%s", status.text);
        status = tt_sql_step(query, &row);
        cr_assert(!tt_failed(&status) && row, "%s", cases[i].select);
        bool has = tt_sql_row_time(query, &source, &ticks);
        cr_expect_eq(has, cases[i].has, "%s", cases[i].select);
        cr_expect(!has || source == cases[i].source, "%s", cases[i].select);
        tt_sql_query_free(query);
    }
    close_fixture(&f);
}

Test(sql, the_document_has_the_reference_of_the_tables)
{
    static char page[65536], document[131072];
    struct tt_text text = tt_text_of(page, sizeof page);
    tt_sql_page(&text);
    cr_assert(!text.truncated);
    FILE *file = fopen("docs/sql.md", "r");
    cr_assert_not_null(file);
    document[fread(document, 1, sizeof document - 1, file)] = '\0';
    fclose(file);
    if (!strstr(document, tt_text_cstr(&text))) {
        file = fopen("build/sql-reference.md", "w");
        cr_assert_not_null(file);
        fputs(page, file);
        fclose(file);
        cr_assert_fail("docs/sql.md is not as the tables have it: see build/sql-reference.md");
    }
}

Test(sql, words_are_completed)
{
    static const struct {
        const char *line, *word, *not_word;
    } cases[] = {
        {"select * from sta", "states", "threads"},
        {"select * from states s where s.dur", "dur_ns", "states"},
        {"select perc", "percentile(", "states"},
        {"sel", "select", "events"},
        {"select * from jobs where resp", "response_ns", "send_ticks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_line_words words = {0};
        bool has = false, has_not = false;
        tt_sql_complete(cases[i].line, strlen(cases[i].line), &words);
        for (size_t k = 0; k < words.count; k++) {
            has = has || strcmp(words.words[k], cases[i].word) == 0;
            has_not = has_not || strcmp(words.words[k], cases[i].not_word) == 0;
            free(words.words[k]);
        }
        free(words.words);
        cr_expect(has && !has_not, "%s", cases[i].line);
    }
}

Test(sql, every_column_of_every_table_is_read_from_every_sample)
{
    need_sql();
    static const char *const paths[] = {"samples/demo.kev", "samples/demo.fxt", "samples/demo.trx",
                                        "samples/demo.btrace"};
    struct tt_sql_table_info table;
    struct fixture f = {0};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        f.traces[0] = open_trace(paths[i]);
        struct tt_sql_source source = {paths[i], f.traces[0], false};
        struct tt_status status = tt_sql_open(&source, 1, NULL, &f.sql);
        cr_assert(!tt_failed(&status), "%s", status.text);
        for (unsigned k = 0; tt_sql_table_at(k, &table); k++) {
            struct tt_sql_query *query;
            const char *rest;
            char select[100];
            bool row = true;
            snprintf(select, sizeof select, "select * from %s", table.name);
            status = tt_sql_prepare(f.sql, select, &query, &rest, NULL);
            cr_assert(!tt_failed(&status), "%s", status.text);
            cr_expect_eq(tt_sql_column_count(query), table.columns);
            while (row && !tt_failed(&status)) {
                status = tt_sql_step(query, &row);
                for (unsigned c = 0; row && c < table.columns; c++) {
                    tt_sql_value_of(query, c);
                }
            }
            cr_expect(!tt_failed(&status), "%s: %s", select, status.text);
            tt_sql_query_free(query);
        }
        tt_sql_close(f.sql);
        tt_trace_close(f.traces[0]);
    }
}
