/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/job_rules.h"

#include <stdlib.h>
#include <string.h>

#include "cli/event_selection.h"
#include "filter/regex.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"

#define WORD_BYTES 512u

/* An entry of --deadline: NAME=TIME or /REGEX/=TIME. */
struct entry {
    const char *selector;
    size_t length;
    bool is_regex;
    uint64_t ticks;
};

static struct tt_status bad_entry(const char *at)
{
    return tt_error(TT_ERR_USAGE, "--deadline: '%.60s' is not THREAD=TIME or /REGEX/=TIME", at);
}

/* Finds the end of a selector, where its '=' is. */
static const char *selector_end(const char *p, bool is_regex)
{
    if (is_regex) {
        for (p++; *p && *p != '/'; p++) {
            p += *p == '\\' && p[1];
        }
        return *p == '/' && p[1] == '=' ? p + 1 : NULL;
    }
    return strchr(p, '=');
}

/* Parses a duration into ticks: the longest one that meets the deadline. */
static struct tt_status parse_ticks(const struct tt_capture *c, const char *text, uint64_t *ticks)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(text, &when);
    bool in_ns = when.kind == TT_TIME_SPEC_NS, in_ticks = when.kind == TT_TIME_SPEC_TICKS;
    if (tt_failed(&status)) {
        return tt_status_context(status, "--deadline");
    }
    if ((!in_ns && !in_ticks) || when.value <= 0) {
        return tt_error(TT_ERR_USAGE, "--deadline: '%.40s' is not a duration", text);
    }
    if (in_ns && c->clock_hz == 0) {
        return tt_error(TT_ERR_USAGE, "--deadline: the capture has no clock: give ticks (500t), or "
                                      "--clock");
    }
    *ticks = (uint64_t)when.value;
    if (in_ns && !tt_mul_div((uint64_t)when.value, c->clock_hz, 1000000000, ticks)) {
        *ticks = UINT64_MAX;
    }
    return tt_ok();
}

/* Parses the entry at *p and moves *p after it. */
static struct tt_status parse_entry(const struct tt_capture *c, const char **p, struct entry *e)
{
    char time[40];
    const char *start = *p;
    e->is_regex = *start == '/';
    const char *equals = selector_end(start, e->is_regex);
    size_t length = equals ? strcspn(equals + 1, ",") : 0;
    if (!equals || equals == start || length == 0 || length >= sizeof time) {
        return bad_entry(start);
    }
    e->selector = start + e->is_regex;
    e->length = (size_t)(equals - start) - 2 * (size_t)e->is_regex;
    memcpy(time, equals + 1, length);
    time[length] = '\0';
    *p = equals + 1 + length;
    *p += **p == ',';
    return parse_ticks(c, time, &e->ticks);
}

/* Sets the deadline of the threads whose names match; returns how many. */
static struct tt_status apply_regex(const struct tt_capture *c, const struct entry *e,
                                    struct tt_job_rules *rules, uint32_t *matches)
{
    char message[TT_REGEX_MESSAGE];
    size_t offset;
    struct tt_regex *regex = tt_regex_new(e->selector, e->length, &offset, message);
    struct tt_regex_tools *tools = tt_regex_tools_new();
    struct tt_status status = tt_ok();
    if (!regex || !tools) {
        status = !regex && message[0] ? tt_error(TT_ERR_USAGE, "--deadline: %s", message)
                                      : tt_error_memory();
    }
    for (uint32_t i = 0; i < rules->count && !tt_failed(&status); i++) {
        char buffer[1024];
        struct tt_text name = tt_text_of(buffer, sizeof buffer);
        tt_line_thread(&name, c, i);
        if (tt_regex_match(regex, tools, name.buffer, name.used) == TT_REGEX_YES) {
            rules->deadlines[i] = e->ticks;
            ++*matches;
        }
    }
    tt_regex_tools_free(tools);
    tt_regex_free(regex);
    return status;
}

static struct tt_status apply_name(const struct tt_capture *c, const struct entry *e,
                                   struct tt_job_rules *rules, uint32_t *matches)
{
    char word[WORD_BYTES];
    if (e->length >= sizeof word) {
        return bad_entry(e->selector);
    }
    memcpy(word, e->selector, e->length);
    word[e->length] = '\0';
    for (uint32_t i = 0; i < rules->count; i++) {
        if (tt_word_names_thread(word, c, i)) {
            rules->deadlines[i] = e->ticks;
            ++*matches;
        }
    }
    return tt_ok();
}

/* Reads the entries in order; a later one replaces the deadline of an earlier one. */
static struct tt_status parse_deadlines(const struct tt_capture *c, const char *text,
                                        struct tt_job_rules *rules)
{
    rules->count = tt_thread_count(c);
    rules->deadlines = calloc((size_t)rules->count + 1, sizeof *rules->deadlines);
    if (!rules->deadlines) {
        return tt_error_memory();
    }
    for (const char *p = text; *p;) {
        struct entry e;
        uint32_t matches = 0;
        struct tt_status status = parse_entry(c, &p, &e);
        if (!tt_failed(&status)) {
            status = e.is_regex ? apply_regex(c, &e, rules, &matches)
                                : apply_name(c, &e, rules, &matches);
        }
        if (tt_failed(&status)) {
            return status;
        }
        if (matches == 0) {
            return tt_error(TT_ERR_USAGE, "--deadline: no thread '%.*s' in the capture",
                            e.length < 80 ? (int)e.length : 80, e.selector);
        }
    }
    return tt_ok();
}

struct tt_status tt_job_rules_make(const struct tt_options *options, const struct tt_capture *c,
                                   struct tt_job_rules *rules)
{
    *rules = (struct tt_job_rules){0};
    struct tt_status status = tt_job_ends_parse(c->format, options->job_ends, &rules->ends);
    if (tt_failed(&status)) {
        return tt_status_context(status, "--job-ends");
    }
    if (options->deadlines) {
        status = parse_deadlines(c, options->deadlines, rules);
    }
    if (tt_failed(&status)) {
        tt_job_rules_free(rules);
    }
    return status;
}

void tt_job_rules_free(struct tt_job_rules *rules)
{
    free(rules->deadlines);
    *rules = (struct tt_job_rules){0};
}
