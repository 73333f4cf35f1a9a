/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the filter: numbers, bounded regexes, three-valued results, results while they grow. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_format.h"
#include "filter/number.h"
#include "filter/regex.h"
#include "tracetui/filter.h"

/* ---- numbers ------------------------------------------------------------------------------ */

static struct tt_number number(const char *text)
{
    struct tt_number n;
    cr_assert(tt_number_parse(text, strlen(text), &n), "%s", text);
    return n;
}

static void in_order(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            struct tt_number a = number(texts[i]), b = number(texts[j]);
            int order = tt_number_compare(&a, &b);
            cr_expect_eq(order, (i > j) - (i < j), "%s and %s: %d", texts[i], texts[j], order);
        }
    }
}

Test(filter_number, is_exact_over_all_64_bits)
{
    static const char *const texts[] = {
        "-9223372036854775808",
        "-9223372036854775807",
        "-1.5",
        "-1",
        "0",
        "0.5",
        "1",
        "0x4f",
        "79.5",
        "9007199254740992",
        "9007199254740993",
        "18446744073709551614",
        "0xffffffffffffffff",
    };
    in_order(texts, sizeof texts / sizeof texts[0]);
}

Test(filter_number, parses_only_numbers)
{
    static const char *const wrong[] = {
        "",    "-",    "0x",  "1x", "0xg", "1.",    ".5",    "+1",
        "1 ",  "nan",  "inf", "1e", "--1", "1e999", "0x1p3", "18446744073709551616",
        "1,5", "1.2.3"};
    struct tt_number n;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_expect_not(tt_number_parse(wrong[i], strlen(wrong[i]), &n), "'%s'", wrong[i]);
    }
    n = number("-0");
    cr_expect_not(n.negative);
    n = number("2e3");
    cr_expect(n.whole && n.magnitude == 2000);
    n = tt_number_of_double(0x1p63);
    cr_expect_not(n.whole);
    n = tt_number_of_i64(INT64_MIN);
    cr_expect(n.negative && n.magnitude == UINT64_C(1) << 63);
}

/* ---- regexes ------------------------------------------------------------------------------ */

static enum tt_regex_answer match(const char *pattern, const char *subject, bool interpret)
{
    size_t offset;
    char message[TT_REGEX_MESSAGE];
    struct tt_regex *regex = tt_regex_new(pattern, strlen(pattern), &offset, message);
    struct tt_regex_tools *tools = tt_regex_tools_new();
    cr_assert(regex && tools, "%s: %s", pattern, message);
    if (interpret) {
        tt_regex_tools_interpret(tools);
    }
    enum tt_regex_answer answer = tt_regex_match(regex, tools, subject, strlen(subject));
    tt_regex_tools_free(tools);
    tt_regex_free(regex);
    return answer;
}

Test(filter_regex, compiled_and_interpreted_agree)
{
    static const struct {
        const char *pattern;
        const char *subject;
        bool yes;
    } cases[] = {
        {"abc", "xABCx", true},
        {"Abc", "xabcx", false},
        {"\\Wabc", " ABC", true},
        {"a\\Sc", "A.C", true},
        {"^b", "ab", false},
        {"b$", "ab", true},
        {"\\p{Lu}", "a", false},
        {"\xc3\x84", "\xc3\xa4", false},
        {"\xc3\xa4", "\xc3\x84", true},
        {"\xc3\xa4.", "\xc3\xa4\xc3\xb6", true},
        {"^.$", "\xe2\x82\xac", true},
        {"\\d{3}", "12", false},
        {"(?i)ABC", "abc", true},
        {"(a)(b)(c)\\3", "abcc", true},
        {"x*", "", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int interpret = 0; interpret < 2; interpret++) {
            cr_expect_eq(match(cases[i].pattern, cases[i].subject, interpret),
                         cases[i].yes ? TT_REGEX_YES : TT_REGEX_NO, "/%s/ on '%s', %d",
                         cases[i].pattern, cases[i].subject, interpret);
        }
    }
}

Test(filter_regex, a_hostile_pattern_gives_up_and_is_not_no_match, .timeout = 10)
{
    char subject[400];
    memset(subject, 'a', sizeof subject);
    subject[sizeof subject - 2] = '!';
    subject[sizeof subject - 1] = '\0';
    cr_expect_eq(match("(a+)+$", subject, false), TT_REGEX_GAVE_UP);
    cr_expect_eq(match("(a+)+$", subject, true), TT_REGEX_GAVE_UP);
    cr_expect_eq(match("^(a|aa)+$", subject, false), TT_REGEX_GAVE_UP);
    subject[sizeof subject - 2] = 'a';
    cr_expect_eq(match("(a+)+$", subject, false), TT_REGEX_YES);
}

/* Needs more stack than compiled code may use: the interpreter takes over. */
Test(filter_regex, long_subjects_do_not_end_on_the_stack)
{
    size_t length = 60000;
    char *subject = malloc(length + 1);
    cr_assert_not_null(subject);
    memset(subject, 'a', length);
    subject[length] = '\0';
    enum tt_regex_answer answer = match("^(?:(a)|b)*$", subject, false);
    cr_expect_neq(answer, TT_REGEX_NO);
    free(subject);
}

Test(filter_regex, reports_the_position_of_an_error)
{
    size_t offset;
    char message[TT_REGEX_MESSAGE];
    cr_expect_null(tt_regex_new("ab(c", 4, &offset, message));
    cr_expect_eq(offset, 4);
    cr_expect(message[0] != '\0');
    cr_expect_null(tt_regex_new("a\\Cb", 4, &offset, message), "\\C would cut characters");
    cr_expect_null(tt_regex_new("a\xff", 2, &offset, message), "no UTF-8");
    char deep[601];
    memset(deep, '(', 300);
    memset(deep + 300, ')', 300);
    deep[600] = '\0';
    cr_expect_null(tt_regex_new(deep, 600, &offset, message));
}

/* ---- parsing ------------------------------------------------------------------------------ */

static bool parses(const char *text, struct tt_filter_error *error)
{
    struct tt_filter *filter;
    bool good = tt_filter_parse(text, &filter, error);
    tt_filter_free(filter);
    return good;
}

Test(filter, its_text_is_bounded)
{
    struct tt_filter_error error;
    char *text = malloc(TT_FILTER_BYTES_MAX + 2);
    cr_assert_not_null(text);
    memset(text, 'a', TT_FILTER_BYTES_MAX + 1);
    text[TT_FILTER_BYTES_MAX] = '\0';
    cr_expect(parses(text, &error));
    text[TT_FILTER_BYTES_MAX] = 'a';
    text[TT_FILTER_BYTES_MAX + 1] = '\0';
    cr_expect_not(parses(text, &error));
    cr_expect_eq(error.status.code, TT_ERR_USAGE);
    free(text);
}

Test(filter, every_field_has_operators_and_help)
{
    unsigned count = 0;
    for (const struct tt_filter_field *f; (f = tt_filter_field_at(count)) != NULL; count++) {
        cr_expect(f->name[0] && f->operators[0] && f->help[0]);
    }
    cr_expect_eq(count, 19);
}

/* ---- running ------------------------------------------------------------------------------ */

#define ROWS 20000u

static struct tt_trace *many_rows(struct fake_record *records)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        records[i] = (struct fake_record){i * 10, 0, i % 7 == 0};
    }
    struct tt_trace *trace = fake_trace(records, ROWS);
    struct tt_status status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    return trace;
}

static struct tt_filter_result *run(const char *text, struct tt_trace *trace,
                                    struct tt_events *events, unsigned threads,
                                    struct tt_filter **filter, struct tt_filter_plan **plan)
{
    struct tt_filter_error error;
    struct tt_filter_result *result;
    cr_assert(tt_filter_parse(text, filter, &error), "%s", error.status.text);
    cr_assert(tt_filter_plan_new(*filter, trace, events, plan, &error), "%s", error.status.text);
    struct tt_status status = tt_filter_start(*plan, threads, NULL, NULL, &result);
    cr_assert(!tt_failed(&status));
    status = tt_filter_wait(result);
    cr_assert(!tt_failed(&status));
    return result;
}

Test(filter, rank_and_select_are_inverse)
{
    struct fake_record *records = malloc(ROWS * sizeof *records);
    struct tt_trace *trace = many_rows(records);
    struct tt_events *events = tt_events_new(trace);
    static const char *const filters[] = {"derived = yes", "n in 4000..4200 or time > 190000t",
                                          "not derived = yes", "n = 19999", "n < 0"};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        struct tt_filter *filter;
        struct tt_filter_plan *plan;
        struct tt_filter_result *result = run(filters[i], trace, events, 3, &filter, &plan);
        uint64_t rows = tt_filter_result_rows(result), count = 0;
        cr_expect_eq(rows, tt_events_rows(events));
        for (uint64_t row = 0; row < rows; row++) {
            cr_assert_eq(tt_filter_result_rank(result, row), count, "row %d", (int)row);
            if (tt_filter_result_has(result, row)) {
                cr_assert_eq(tt_filter_result_select(result, count), row);
                count++;
            }
        }
        cr_expect_eq(tt_filter_result_count(result), count);
        cr_expect_eq(tt_filter_result_rank(result, rows), count);
        cr_expect_eq(tt_filter_result_select(result, count), UINT64_MAX);
        cr_expect_not(tt_filter_result_has(result, rows));
        tt_filter_result_free(result);
        tt_filter_plan_free(plan);
        tt_filter_free(filter);
    }
    tt_events_free(events);
    tt_trace_close(trace);
    free(records);
}

/* A capture with lines to match. */
static struct tt_trace *small_capture(void)
{
    struct tt_trace_options options = {0};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open("tests/filter/small.kev", &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    return trace;
}

Test(filter, a_cancelled_run_keeps_a_beginning)
{
    struct tt_trace *trace = small_capture();
    struct tt_events *events = tt_events_new(trace);
    struct tt_filter *filter;
    struct tt_filter_plan *plan;
    struct tt_filter_error error;
    struct tt_filter_result *result;
    cr_assert(tt_filter_parse("/./", &filter, &error));
    cr_assert(tt_filter_plan_new(filter, trace, events, &plan, &error));
    struct tt_status status = tt_filter_start(plan, 1, NULL, NULL, &result);
    cr_assert(!tt_failed(&status));
    tt_filter_cancel(result);
    status = tt_filter_wait(result);
    uint64_t rows = tt_filter_result_rows(result);
    cr_expect(rows <= tt_filter_result_total(result));
    cr_expect_eq(tt_filter_result_count(result), rows, "every line has a character");
    cr_expect_eq(tt_failed(&status), rows < tt_filter_result_total(result));
    tt_filter_result_free(result);
    tt_filter_plan_free(plan);
    tt_filter_free(filter);
    tt_events_free(events);
    tt_trace_close(trace);
}

/* Undecided propagates through not, and, or, unless the other operand decides. */
Test(filter, undecided_is_neither_match_nor_mismatch)
{
    static const struct {
        const char *text;
        bool matches;
        bool undecided;
    } cases[] = {
        {"/HOSTILE/", false, true},
        {"not /HOSTILE/", false, true},
        {"n >= 0 and /HOSTILE/", false, true},
        {"n >= 0 or /HOSTILE/", true, false},
        {"n < 0 and /HOSTILE/", false, false},
        {"not (n >= 0 or /HOSTILE/)", false, false},
        {"/HOSTILE/ and /no such text/", false, false},
        {"/HOSTILE/ or /./", true, false},
    };
    static const char hostile[] = "^(?:(?:.|..)+)+(?!.|$)";
    struct tt_trace *trace = small_capture();
    struct tt_events *events = tt_events_new(trace);
    uint64_t rows = tt_events_rows(events);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256] = "";
        const char *at = strstr(cases[i].text, "HOSTILE");
        strncat(text, cases[i].text, (size_t)(at - cases[i].text));
        strncat(text, hostile, sizeof text - strlen(text) - 1);
        strncat(text, at + strlen("HOSTILE"), sizeof text - strlen(text) - 1);
        struct tt_filter *filter;
        struct tt_filter_plan *plan;
        struct tt_filter_result *result = run(text, trace, events, 1, &filter, &plan);
        cr_expect_eq(tt_filter_result_count(result), cases[i].matches ? rows : 0, "%s", text);
        cr_expect_eq(tt_filter_result_undecided(result), cases[i].undecided ? rows : 0, "%s", text);
        tt_filter_result_free(result);
        tt_filter_plan_free(plan);
        tt_filter_free(filter);
    }
    tt_events_free(events);
    tt_trace_close(trace);
}

/* ---- spots of a line ----------------------------------------------------------------------- */

static unsigned spots(const char *text, const char *line, struct tt_filter_spot *out, unsigned most)
{
    struct tt_filter *filter;
    struct tt_filter_error error;
    cr_assert(tt_filter_parse(text, &filter, &error), "%s", text);
    unsigned count = tt_filter_spots(filter, line, strlen(line), out, most);
    tt_filter_free(filter);
    return count;
}

Test(filter, all_matches_of_a_line)
{
    struct tt_filter_spot s[4];
    const char *line = "pid=4100 tid=1 ppid=7";
    cr_assert_eq(spots("pid", line, s, 4), 2u);
    cr_expect_eq(s[0].start, 0u);
    cr_expect_eq(s[0].end, 3u);
    cr_expect_eq(s[1].start, 16u);
    cr_expect_eq(s[1].end, 19u);
    cr_expect_eq(spots("[a-z]", line, s, 4), 4u, "at most the size of the array");
    cr_expect_eq(spots("^pid", line, s, 4), 1u, "the beginning is only once");
    cr_assert_eq(spots("(?<=p)pid", line, s, 4), 1u, "text before the match counts");
    cr_expect_eq(s[0].start, 16u);
    cr_expect_eq(spots("x*", line, s, 4), 0u, "an empty match is no spot");
    cr_expect_eq(spots("cpu = 1", line, s, 4), 0u, "a term has none");
}
