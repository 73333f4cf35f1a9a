/* SPDX-License-Identifier: Apache-2.0 */
/* Rules: where a wrong one is reported, what limits mean, and which events are in a window. */
#include <criterion/criterion.h>
#include <string.h>

#include "check/check.h"
#include "check/rules_internal.h"
#include "tracetui/trace.h"

/* ---- errors ------------------------------------------------------------------------------- */

static struct tt_rules *read_rules(const char *text)
{
    struct tt_rules *rules;
    struct tt_status status = tt_rules_new(&rules);
    cr_assert_not(tt_failed(&status));
    status = tt_rules_read_text(rules, "t", text);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    return rules;
}

static const struct {
    const char *text;
    const char *place;
    const char *error; /* a part of it */
} wrong[] = {
    {"delay p99 of thred sensor/1 < 1ms", "t:1:14", "did you mean 'thread'?"},
    {"dely of thread sensor/1 < 1ms", "t:1:1", "did you mean 'delay'?"},
    {"lots = 0", "t:1:1", "did you mean 'lost'?"},
    {"busy of thread sensor/1 < 80%", "t:1:1", "is a measure of cpu, not of thread"},
    {"delay of thread sensor/1 < 1ms", "t:1:1", "delay needs one of:"},
    {"delay p98 of thread sensor/1 < 1ms", "t:1:1", "no 'p98' of delay"},
    {"delay max of thread sensor/1 1ms", "t:1:30", "expected a comparison"},
    {"delay max of thread sensor/1 <", "t:1:31", "at the end of the rule"},
    {"delay max of thread sensor/1 < 80%", "t:1:32", "wrong unit"},
    {"delay max of thread sensor/1 < 200", "t:1:32", "needs a unit"},
    {"delay max of thread sensor/1 < 200uz", "t:1:32", "no unit 'uz'"},
    {"delay max of thread sensor/1 < 0.5ns", "t:1:32", "finer than a nanosecond"},
    {"delay max of thread sensor/1 < 99999999999s", "t:1:32", "too large"},
    {"delay max of thread ~ /(/ < 1ms", "t:1:", ""},
    {"round p99 of message hmi fusion < 1ms", "t:1:26", "->"},
    {"total of blame sensor/1 bi fusion < 1ms", "t:1:25", "did you mean 'by'?"},
    {"imposed of matrix sensor/1 < 1ms", "t:1:28", "->"},
    {"max of duur of states < 1ms", "t:1:8", "no column 'duur' of states; did you mean 'dur'?"},
    {"max of dur of statess < 1ms", "t:1:15", "no table 'statess'; did you mean 'states'?"},
    {"max of thread of states < 1ms", "t:1:8", "is no number; count it"},
    {"max of dur of states where class > 2 < 1ms", "t:1:34", "class is no number to compare"},
    {"max of dur of states where class = ready", "t:1:41", "expected a comparison"},
    {"max of dur of states where dur > 2% < 1ms", "t:1:34", "wrong unit"},
    {"every {event = A} is folowed by {event = B} within 1ms", "t:1:22",
     "did you mean 'followed'?"},
    {"every {event = A} is followed by {event = B}", "t:1:45", "'within'"},
    {"never event = A", "t:1:7", "a filter in braces"},
    {"never {event = A", "t:1:7", ""},
    {"never {evnt = A}", "t:1:8", "unknown field evnt, did you mean event?"},
    {"\n# text\n  lots = 0\n", "t:3:3", "did you mean 'lost'?"},
    {"set a = 1ms\ndelay max of thread $b < $a", "t:2:21", "no variable 'b'"},
    {"include none.check", "t:1:9", "none.check"},
};

Test(check_rules, an_error_has_its_line_its_column_and_the_nearest_word)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tt_rules *rules = read_rules(wrong[i].text);
        cr_assert_eq(tt_rules_error_count(rules), 1, "%s", wrong[i].text);
        struct tt_rules_error e = tt_rules_error_at(rules, 0);
        size_t length = strlen(wrong[i].place);
        bool whole = wrong[i].place[length - 1] != ':';
        cr_expect(strncmp(e.place, wrong[i].place, length) == 0 && (!whole || !e.place[length]) &&
                      strstr(e.text, wrong[i].error),
                  "%s\n  expected %s: %s\n  found    %s: %s", wrong[i].text, wrong[i].place,
                  wrong[i].error, e.place, e.text);
        tt_rules_free(rules);
    }
}

Test(check_rules, all_errors_of_a_text_are_reported_and_its_other_rules_remain)
{
    struct tt_rules *rules = read_rules("lots = 0\nlost = 0\nnever\nbusy of cpu 0 < 80%\n");
    cr_assert_eq(tt_rules_count(rules), 2);
    cr_assert_eq(tt_rules_error_count(rules), 2);
    cr_assert_str_eq(tt_rules_error_at(rules, 0).place, "t:1:1");
    cr_assert_str_eq(tt_rules_error_at(rules, 1).place, "t:3:6");
    cr_assert_eq(tt_rules_at(rules, 1)->line, 4);
    tt_rules_free(rules);
}

/* ---- limits ------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum tt_rule_unit wanted;
    enum tt_rule_unit unit;
    uint64_t number;
    unsigned decimals;
} limits[] = {
    {"200us", TT_RULE_UNIT_NS, TT_RULE_UNIT_NS, 200000, 0},
    {"16.7ms", TT_RULE_UNIT_NS, TT_RULE_UNIT_NS, 16700000, 0},
    {"1.000000001s", TT_RULE_UNIT_NS, TT_RULE_UNIT_NS, 1000000001, 0},
    {"7ns", TT_RULE_UNIT_NS, TT_RULE_UNIT_NS, 7, 0},
    {"500t", TT_RULE_UNIT_NS, TT_RULE_UNIT_TICKS, 500, 0},
    {"0", TT_RULE_UNIT_NS, TT_RULE_UNIT_NS, 0, 0},
    {"80%", TT_RULE_UNIT_PERCENT, TT_RULE_UNIT_PERCENT, 80, 0},
    {"0.25%", TT_RULE_UNIT_PERCENT, TT_RULE_UNIT_PERCENT, 25, 2},
    {"100/s", TT_RULE_UNIT_HZ, TT_RULE_UNIT_HZ, 100, 0},
    {"100Hz", TT_RULE_UNIT_HZ, TT_RULE_UNIT_HZ, 100, 0},
    {"100", TT_RULE_UNIT_HZ, TT_RULE_UNIT_HZ, 100, 0},
    {"3", TT_RULE_UNIT_COUNT, TT_RULE_UNIT_COUNT, 3, 0},
    {"18446744073709551615", TT_RULE_UNIT_COUNT, TT_RULE_UNIT_COUNT, UINT64_MAX, 0},
};

Test(check_rules, limits_have_the_unit_of_their_measure)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct tt_rule_limit limit = {0};
        struct tt_status status = tt_rule_limit_parse(limits[i].word, limits[i].wanted, &limit);
        cr_assert_not(tt_failed(&status), "%s: %s", limits[i].word, status.text);
        cr_expect(limit.unit == limits[i].unit && limit.value.number == limits[i].number &&
                      limit.value.decimals == limits[i].decimals,
                  "%s", limits[i].word);
    }
}

Test(check_rules, decimals_are_compared_by_their_value)
{
    static const struct {
        struct tt_decimal a, b;
        int order;
    } pairs[] = {
        {{5, 1}, {50, 2}, 0},
        {{5, 1}, {501, 3}, -1},
        {{2, 0}, {1999999999, 9}, 1},
        {{UINT64_MAX, 0}, {UINT64_MAX, 9}, 1},
        {{UINT64_MAX - 1, 9}, {UINT64_MAX, 9}, -1},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cr_expect_eq(tt_decimal_compare(pairs[i].a, pairs[i].b), pairs[i].order, "%zu", i);
        cr_expect_eq(tt_decimal_compare(pairs[i].b, pairs[i].a), -pairs[i].order, "%zu", i);
    }
}

/* ---- verdicts ----------------------------------------------------------------------------- */

struct example {
    const char *rule;
    enum tt_verdict verdict;
    const char *value; /* "": none */
};

static struct tt_trace *trace;

static void open_sample(const char *path)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert_not(tt_failed(&status), "%s: %s", path, status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
}

/* Judges each rule by itself. */
static void judge(const char *path, const struct example *examples, size_t count)
{
    open_sample(path);
    for (size_t i = 0; i < count; i++) {
        const struct example *e = &examples[i];
        struct tt_rules *rules = read_rules(e->rule);
        struct tt_check *check;
        size_t results;
        cr_assert_eq(tt_rules_error_count(rules), 0, "%s", e->rule);
        struct tt_check_request request = {.rules = rules, .trace = trace, .path = path};
        struct tt_status status = tt_check_run(&request, &check);
        cr_assert_not(tt_failed(&status), "%s", status.text);
        const struct tt_check_result *r = tt_check_results(check, &results);
        cr_assert_eq(results, 1);
        cr_expect_eq(r->verdict, e->verdict, "%s: value %s, %s", e->rule, r->value_text, r->reason);
        cr_expect_str_eq(r->has_value ? r->value_text : "", e->value, "%s", e->rule);
        tt_check_free(check);
        tt_rules_free(rules);
    }
    tt_trace_close(trace);
}

#define JUDGE(path, examples) judge(path, examples, sizeof examples / sizeof *examples)
#define PASSED                TT_VERDICT_PASSED
#define FAILED                TT_VERDICT_FAILED
#define UNDECIDED             TT_VERDICT_UNDECIDED

/* The longest delay of logger/1 is 1950938 ns: stats --by thread. */
static const struct example at_the_limit[] = {
    {"delay max of thread logger/1 <= 1950938ns", PASSED, "1.950938 ms"},
    {"delay max of thread logger/1 <= 1950937ns", FAILED, "1.950938 ms"},
    {"delay max of thread logger/1 < 1950938ns", FAILED, "1.950938 ms"},
    {"delay max of thread logger/1 < 1.950939ms", PASSED, "1.950938 ms"},
    {"delay max of thread logger/1 >= 1950.938us", PASSED, "1.950938 ms"},
    {"delay max of thread logger/1 > 1950.938us", FAILED, "1.950938 ms"},
    {"delay max of thread logger/1 = 0.001950938s", PASSED, "1.950938 ms"},
    {"delay max of thread logger/1 != 0.001950938s", FAILED, "1.950938 ms"},
    {"busy of cpu 0 <= 39.2470%", PASSED, "39.247 %"},
    {"busy of cpu 0 <= 39.2469%", FAILED, "39.247 %"},
};

Test(check_rules, a_limit_at_the_value_passes_and_one_unit_below_fails)
{
    JUDGE("samples/demo.kev", at_the_limit);
}

/* A capture without a clock: the longest delay of hmi/render is 86594 ticks. */
static const struct example without_clock[] = {
    {"delay max of thread hmi/render <= 86594t", PASSED, "86594 t"},
    {"delay max of thread hmi/render <= 86593t", FAILED, "86594 t"},
    {"delay max of thread hmi/render <= 1ms", UNDECIDED, ""},
};

Test(check_rules, limits_without_a_clock_are_in_ticks)
{
    JUDGE("samples/demo.trx", without_clock);
}

/* dump --from 10ms --to 20ms --filter 'event = THREADY' has 90 lines, and so on. */
static const struct example in_windows[] = {
    {"count of {event = THREADY} = 588", PASSED, "588"},
    {"count of {event = THREADY} = 90 within 10ms..20ms", PASSED, "90"},
    {"count of {event = THREADY} = 125 within ..10ms", PASSED, "125"},
    {"count of {event = THREADY} = 157 within 40ms..", PASSED, "157"},
    {"count of {event = THREADY} < 90 within 10ms..20ms", FAILED, "90"},
    {"rate of {event = THREADY} = 9000/s within 10ms..20ms", PASSED, "9000 /s"},
    {"count of {event = THREADY} = 0 within 20ms..20ms", UNDECIDED, ""},
    {"count of {event = THREADY} = 0 within 20ms..10ms", UNDECIDED, ""},
    {"never {event = THREADY} within 60s..70s", UNDECIDED, ""},
    {"never {event = THREADY} within ..0ms", UNDECIDED, ""},
    {"delay max of thread * < 1ms within 20ms..10ms", UNDECIDED, ""},
    {"every {event = INT_ENTR} is followed by {event = INT_EXIT} within 1ms within 20ms..10ms",
     UNDECIDED, ""},
    {"max time from {event = INT_ENTR} to {event = INT_EXIT} < 1ms within 20ms..10ms", UNDECIDED,
     ""},
    {"count of {event = THREADY} < 8 during {event = INT_ENTR} to {event = INT_EXIT}", PASSED, "7"},
    {"count of {event = THREADY} < 7 during {event = INT_ENTR} to {event = INT_EXIT}", FAILED, "7"},
    {"count of {event = THREADY} = 0 during {event = NO_SUCH_EVENT}", UNDECIDED, ""},
    {"run of thread crunch1 < 3980062ns during {event = THRUNNING and thread = crunch1}", PASSED,
     "3.980061 ms"},
    {"run of thread crunch1 < 3980061ns during {event = THRUNNING and thread = crunch1}", FAILED,
     "3.980061 ms"},
};

Test(check_rules, windows_limit_the_events)
{
    JUDGE("samples/demo.kev", in_windows);
}
