/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names: names in the filters of a rule that the capture does not have although it has one that differs by a
 * letter or two: `never {event = THREDY}` would pass.
 */
#include <string.h>
#include <strings.h>

#include "base/nearest_word.h"
#include "check/judge.h"
#include "filter/filter_names.h"
#include "filter/thread_word.h"

#define NAMES_MOST 10000u /* threads or types that are compared at most */

static bool names_has_type(const struct tt_capture *capture, const struct tt_filter_name *name,
                           struct tt_nearest_word *search)
{
    uint32_t count = tt_types_count(capture);
    for (uint32_t i = 0; i < count && i < NAMES_MOST; i++) {
        const struct tt_event_type *type = tt_types_at(capture, i);
        const char *known = name->kind == TT_FILTER_NAME_CLASS ? type->class_name : type->name;
        if (strcasecmp(known, name->text) == 0) {
            return true;
        }
        tt_nearest_word_try(search, known);
    }
    return count > NAMES_MOST;
}

/* Searches the threads or processes of the capture for a name, and then for names near it. */
static bool has_lane(struct tt_check *check, const struct tt_filter_name *name,
                     struct tt_nearest_word *search)
{
    bool of_thread = name->kind == TT_FILTER_NAME_THREAD;
    uint32_t count = of_thread ? tt_thread_count(check->capture) : tt_process_count(check->capture);
    bool has = count > NAMES_MOST;
    for (uint32_t i = 0; i < count && !has; i++) {
        has = of_thread ? tt_word_names_thread(name->text, check->capture, i)
                        : tt_word_names_process(name->text, check->capture, i);
    }
    for (uint32_t i = 0; i < count && !has; i++) {
        if (of_thread) {
            tt_check_try_thread(check, search, i);
        } else {
            tt_check_try_process(check, search, i);
        }
    }
    return has;
}

/* Warns of the first name of a filter that is near one of the capture. */
static void try_filter(struct tt_check *check, uint32_t filter, uint32_t column,
                       struct tt_check_result *result)
{
    static const char *const words[] = {[TT_FILTER_NAME_EVENT] = "event",
                                        [TT_FILTER_NAME_CLASS] = "class",
                                        [TT_FILTER_NAME_THREAD] = "thread",
                                        [TT_FILTER_NAME_PROCESS] = "process"};
    struct tt_filter_names at = {0};
    struct tt_filter_name name;
    while (!result->warning[0] &&
           tt_filter_next_name(tt_rules_filter(check->request.rules, filter), &at, &name)) {
        char buffer[320];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        struct tt_nearest_word search = tt_nearest_word_of(name.text, strlen(name.text));
        bool of_lane = name.kind == TT_FILTER_NAME_THREAD || name.kind == TT_FILTER_NAME_PROCESS;
        bool has = of_lane ? has_lane(check, &name, &search)
                           : names_has_type(check->capture, &name, &search);
        if (has || !search.nearest) {
            continue;
        }
        tt_text_put(&text, "the capture has no %s '", words[name.kind]);
        tt_text_escaped(&text, name.text, strlen(name.text));
        tt_text_str(&text, "'; did you mean '");
        tt_text_escaped(&text, search.nearest, strlen(search.nearest));
        tt_text_str(&text, "'?");
        result->warning = tt_check_text(check, &text);
        result->warning_column = tt_rule_column_at(result->rule, column + name.column);
    }
}

void tt_check_warn(struct tt_check *check, size_t index)
{
    struct tt_check_result *result = &check->results[index];
    const struct tt_rule *rule = result->rule;
    for (unsigned i = 0; i < rule->filter_count; i++) {
        try_filter(check, rule->filters[i], rule->columns[i], result);
    }
    if (rule->window.first != TT_NO_FILTER) {
        try_filter(check, rule->window.first, rule->window.first_column, result);
    }
    if (rule->window.last != TT_NO_FILTER) {
        try_filter(check, rule->window.last, rule->window.last_column, result);
    }
}
