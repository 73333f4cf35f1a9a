/* SPDX-License-Identifier: Apache-2.0 */
/* Words that complete a rule at each place of the grammar; every rule can be typed from them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "check/check_complete.h"
#include "tracetui/trace.h"

struct offers {
    char words[1 << 16];
    struct tt_text text;
};

static struct tt_trace *trace;

static void open_demo(void)
{
    struct tt_trace_options options = {0};
    struct tt_status status = tt_trace_open("samples/demo.kev", &options, &trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_not(tt_failed(&status));
}

static void close_demo(void)
{
    tt_trace_close(trace);
}

static void take(void *arg, const char *word)
{
    struct offers *o = arg;
    tt_text_char(&o->text, '|');
    tt_text_str(&o->text, word);
}

/* Returns the words offered at the end of a line, each after a bar. */
static const char *offers_of(const char *line, size_t *from)
{
    static struct offers o;
    o.text = tt_text_of(o.words, sizeof o.words - 2);
    struct tt_rule_completion completion = {
        .capture = trace ? tt_trace_capture(trace) : NULL, .offer = take, .arg = &o};
    tt_rule_complete(&completion, line, strlen(line));
    tt_text_char(&o.text, '|');
    *from = completion.from;
    return tt_text_cstr(&o.text);
}

static bool has(const char *line, const char *word)
{
    char search[256];
    size_t from;
    snprintf(search, sizeof search, "|%s|", word);
    return strstr(offers_of(line, &from), search) != NULL;
}

/* Splits a rule into its words: quoted texts and regexes are one; of a filter, its braces and words. */
static size_t next_word(const char *rule, size_t at)
{
    size_t end = at;
    bool quoted = false;
    for (; rule[end] && (quoted || rule[end] != ' '); end++) {
        quoted ^= rule[end] == '"';
    }
    return end;
}

/* Types a rule word by word: each word of the language or the capture is among the offers. */
static void type_rule(const char *rule)
{
    for (size_t at = 0; rule[at];) {
        char before[512], word[128];
        size_t end = next_word(rule, at), from;
        snprintf(before, sizeof before, "%.*s", (int)at, rule);
        snprintf(word, sizeof word, "%.*s", (int)(end - at), rule + at);
        bool free_text = strchr("0123456789/", word[0]) || strcmp(word, "..") == 0;
        cr_assert(free_text || has(before, word), "'%s' after '%s': %s", word, before,
                  offers_of(before, &from));
        if (!free_text && strlen(word) > 1 && word[0] != '"') {
            snprintf(before, sizeof before, "%.*s", (int)at + 1, rule);
            cr_assert(has(before, word), "'%s' after '%s'", word, before);
        }
        at = end + strspn(rule + end, " ");
    }
}

Test(check_complete, every_kind_of_rule_can_be_typed, .init = open_demo, .fini = close_demo)
{
    static const char *const rules[] = {
        "delay p99 of thread sensor/1 < 200us",
        "delay p99 of thread ~ /^sensor/ < 200us within 1ms..2ms",
        "busy of cpu * <= 80% during { event = MSG_SENDV and thread = hmi/1 }",
        "response max of job fusion/1 < 5ms",
        "round p99 of message hmi -> fusion < 2ms",
        "total of blame sensor/1 by hmi/1 < 2ms",
        "count of pair hmi/1 -> hmi/2 < 2",
        "count of event THREADY < 2",
        "run of process netmgr < 30%",
        "busy of server io-blk < 30%",
        "inversions of thread fusion/1 = 0",
        "lost = 0",
        "max of dur of states where thread = sensor/1 and dur > 3us < 2ms",
        "count of event of events < 3",
        "count of { event = THREADY and not process = hmi } <= 3",
        "rate of { class = THREAD } < 9",
        "never { event != THREADY or cpu = 1 }",
        "max time from { event = THREADY } to { event = THRUNNING } same thread < 3us",
        "p99 time from { event = THREADY } to { event = THRUNNING } pair first < 3us",
        "every { event = THREADY } is followed by { event = THRUNNING } same thread within 3us",
        "{ event = THREADY } then { event = THRUNNING } then { cpu = 0 } within 3us",
        "no { event = THREADY } between { event = INT_ENTR } and { event = INT_EXIT } same cpu",
        "reaction max of thread sensor/2 to interrupt 35 < 1ms",
        "a name: delay max of thread sensor/1 < 3us",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *colon = strstr(rules[i], ": ");
        type_rule(colon ? colon + 2 : rules[i]);
    }
    cr_assert(has("a name: del", "delay"), "after the name of a rule");
}

Test(check_complete, a_filter_may_follow_its_brace_at_once, .init = open_demo, .fini = close_demo)
{
    size_t from;
    cr_assert(has("never {event = TH", "THREADY"));
    cr_assert_not(has("never {event = TH", "MSG_SENDV"));
    cr_assert(has("never {ev", "event"));
    cr_assert(has("never {event = THREADY and th", "thread"));
    cr_assert(has("never {thread in (hmi/1, x) ", "and"));
    offers_of("never {event = TH", &from);
    cr_assert_eq(from, 15);
    offers_of("never {ev", &from);
    cr_assert_eq(from, 7);
    cr_assert(has("never {event = THREADY} dur", "during"));
    cr_assert(has("count of {event = \"a } b\"} ", "<="));
    cr_assert(has("delay max of thread \"a b\" ", "<="));
}

Test(check_complete, without_a_capture_there_are_no_names)
{
    size_t from;
    trace = NULL;
    cr_assert(has("delay max of ", "thread"));
    cr_assert_str_eq(offers_of("delay max of thread ", &from), "|*|~|");
    cr_assert_str_eq(offers_of("nothing of nothing ", &from), "|of|");
    cr_assert(has("", "every"));
}
