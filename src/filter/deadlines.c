/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/deadlines.h"

#include <stdlib.h>
#include <string.h>

#include "filter/regex.h"
#include "filter/thread_word.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"
#include "tracetui/time_spec.h"

#define WORD_BYTES 512u

/* An entry of NAME=TIME or /REGEX/=TIME. */
struct entry {
    const char *selector;
    size_t length;
    bool is_regex;
    uint64_t ticks;
};

static struct tt_status bad_entry(const char *at)
{
    return tt_error(TT_ERR_USAGE, "'%.60s' is not THREAD=TIME or /REGEX/=TIME", at);
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

/* Parses the entry at *p and moves *p after it. */
static struct tt_status parse_entry(const struct tt_capture *capture, const char **p,
                                    struct entry *entry)
{
    char time[40];
    const char *start = *p;
    entry->is_regex = *start == '/';
    const char *equals = selector_end(start, entry->is_regex);
    size_t length = equals ? strcspn(equals + 1, ",") : 0;
    if (!equals || equals == start || length == 0 || length >= sizeof time) {
        return bad_entry(start);
    }
    entry->selector = start + entry->is_regex;
    entry->length = (size_t)(equals - start) - 2 * (size_t)entry->is_regex;
    memcpy(time, equals + 1, length);
    time[length] = '\0';
    *p = equals + 1 + length;
    *p += **p == ',';

    /* Parses a duration into ticks: the longest one that meets the deadline. */
    uint64_t *ticks = &entry->ticks;
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(time, &when);
    bool in_ns = when.kind == TT_TIME_SPEC_NS, in_ticks = when.kind == TT_TIME_SPEC_TICKS;
    if (tt_failed(&status)) {
        return status;
    }
    if ((!in_ns && !in_ticks) || when.value <= 0) {
        return tt_error(TT_ERR_USAGE, "'%.40s' is not a duration", time);
    }
    if (in_ns && capture && capture->clock_hz == 0) {
        return tt_error(TT_ERR_USAGE, "the capture has no clock: give ticks (500t), or "
                                      "--clock");
    }
    *ticks = (uint64_t)when.value;
    if (in_ns && capture &&
        !tt_mul_div((uint64_t)when.value, capture->clock_hz, 1000000000, ticks)) {
        *ticks = UINT64_MAX;
    }
    return tt_ok();
}

/* Sets the deadline of the threads whose names match; returns how many. */
static struct tt_status apply_regex(const struct tt_capture *capture, const struct entry *entry,
                                    struct tt_deadlines *deadlines, uint32_t *matches)
{
    char message[TT_REGEX_MESSAGE];
    size_t offset;
    struct tt_regex *regex = tt_regex_new(entry->selector, entry->length, &offset, message);
    struct tt_regex_tools *tools = tt_regex_tools_new();
    struct tt_status status = tt_ok();
    if (!regex || !tools) {
        status = !regex && message[0] ? tt_error(TT_ERR_USAGE, "%s", message) : tt_error_memory();
    }
    for (uint32_t i = 0; i < deadlines->count && !tt_failed(&status); i++) {
        char buffer[1024];
        struct tt_text name = tt_text_of(buffer, sizeof buffer);
        tt_line_thread(&name, capture, i);
        if (tt_regex_match(regex, tools, name.buffer, name.used) == TT_REGEX_YES) {
            deadlines->ticks[i] = entry->ticks;
            ++*matches;
        }
    }
    tt_regex_tools_free(tools);
    tt_regex_free(regex);
    return status;
}

static struct tt_status apply_name(const struct tt_capture *capture, const struct entry *entry,
                                   struct tt_deadlines *deadlines, uint32_t *matches)
{
    char word[WORD_BYTES];
    if (entry->length >= sizeof word) {
        return bad_entry(entry->selector);
    }
    memcpy(word, entry->selector, entry->length);
    word[entry->length] = '\0';
    for (uint32_t i = 0; i < deadlines->count; i++) {
        if (tt_word_names_thread(word, capture, i)) {
            deadlines->ticks[i] = entry->ticks;
            ++*matches;
        }
    }
    return tt_ok();
}

struct tt_status tt_deadlines_parse(const struct tt_capture *capture, const char *text,
                                    bool lenient, struct tt_deadlines *deadlines)
{
    struct tt_status status = tt_ok();
    deadlines->count = capture ? tt_thread_count(capture) : 0;
    deadlines->ticks = calloc((size_t)deadlines->count + 1, sizeof *deadlines->ticks);
    if (!deadlines->ticks) {
        return tt_error_memory();
    }
    for (const char *p = text; *p && !tt_failed(&status);) {
        struct entry e;
        uint32_t matches = 0;
        status = parse_entry(capture, &p, &e);
        if (!tt_failed(&status)) {
            status = e.is_regex ? apply_regex(capture, &e, deadlines, &matches)
                                : apply_name(capture, &e, deadlines, &matches);
        }
        if (!tt_failed(&status) && matches == 0 && !lenient && capture) {
            status = tt_error(TT_ERR_USAGE, "no thread '%.*s' in the capture",
                              e.length < 80 ? (int)e.length : 80, e.selector);
        }
    }
    if (tt_failed(&status)) {
        tt_deadlines_free(deadlines);
    }
    return status;
}

void tt_deadlines_free(struct tt_deadlines *deadlines)
{
    free(deadlines->ticks);
    *deadlines = (struct tt_deadlines){0};
}
