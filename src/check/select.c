/* SPDX-License-Identifier: Apache-2.0 */
/* select: the threads and processes that a rule names. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/nearest_word.h"
#include "check/judge.h"
#include "filter/regex.h"
#include "filter/thread_word.h"
#include "tracetui/event_line.h"

#define NAME_BYTES 1024u

static bool select_matches(const struct tt_regex *regex, const char *text, size_t length)
{
    struct tt_regex_tools *tools = tt_regex_tools_new();
    bool yes = tools && tt_regex_match(regex, tools, text, length) == TT_REGEX_YES;
    tt_regex_tools_free(tools);
    return yes;
}

bool tt_check_selects_text(const struct tt_rule_name *name, const char *text, size_t length)
{
    bool is;
    switch (name->how) {
    case TT_NAME_ANY:
        return true;
    case TT_NAME_IS:
    case TT_NAME_IS_NOT:
        is = strlen(name->text) == length && memcmp(name->text, text, length) == 0;
        return is == (name->how == TT_NAME_IS);
    default:
        return select_matches(name->regex, text, length) == (name->how == TT_NAME_MATCHES);
    }
}

static bool select_names_thread(const struct tt_check *check, const struct tt_rule_name *name,
                                uint32_t thread)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (thread >= tt_thread_count(check->capture)) {
        return name->how == TT_NAME_IS && thread == TT_OCCUPANT_IDLE &&
               strcmp(name->text, "idle") == 0;
    }
    if (name->how == TT_NAME_IS) {
        return tt_word_names_thread(name->text, check->capture, thread);
    }
    if (!tt_thread_is_counted(tt_thread_at(check->capture, thread))) {
        return false;
    }
    if (name->how == TT_NAME_IS_NOT) {
        return !tt_word_names_thread(name->text, check->capture, thread);
    }
    tt_line_thread(&text, check->capture, thread);
    return tt_check_selects_text(name, text.buffer, text.used);
}

static bool same_name(const struct tt_rule_name *left, const struct tt_rule_name *right)
{
    return left->how == right->how && strcmp(left->text, right->text) == 0;
}

/* Returns the threads of a name; NULL if out of memory. */
static const uint64_t *selection_of(struct tt_check *check, const struct tt_rule_name *name)
{
    if (check->selection_last < check->selection_count &&
        same_name(check->selections[check->selection_last].name, name)) {
        return check->selections[check->selection_last].threads;
    }
    for (size_t i = 0; i < check->selection_count; i++) {
        if (same_name(check->selections[i].name, name)) {
            check->selection_last = i;
            return check->selections[i].threads;
        }
    }
    if (check->selection_count == 0) {
        check->selection_limit = tt_thread_count(check->capture);
    }
    struct tt_check_selection *room = tt_array_grow(check->selections, check->selection_count,
                                                    &check->selection_capacity, sizeof *room);
    uint64_t *threads =
        room ? calloc((size_t)check->selection_limit / 64 + 1, sizeof *threads) : NULL;
    check->selections = room ? room : check->selections;
    if (!threads) {
        return NULL;
    }
    for (uint32_t i = 0; i < check->selection_limit; i++) {
        threads[i / 64] |= (uint64_t)select_names_thread(check, name, i) << (i % 64);
    }
    check->selection_last = check->selection_count;
    check->selections[check->selection_count++] = (struct tt_check_selection){name, threads};
    return threads;
}

bool tt_check_selects_thread(struct tt_check *check, const struct tt_rule_name *name,
                             uint32_t thread)
{
    const uint64_t *threads =
        thread < tt_thread_count(check->capture) ? selection_of(check, name) : NULL;
    return threads && thread < check->selection_limit ? tt_bit_at(threads, thread)
                                                      : select_names_thread(check, name, thread);
}

void tt_check_free_selections(struct tt_check *check)
{
    for (size_t i = 0; i < check->selection_count; i++) {
        free(check->selections[i].threads);
    }
    free(check->selections);
}

bool tt_check_selects_process(const struct tt_check *check, const struct tt_rule_name *name,
                              uint32_t process)
{
    if (process >= tt_process_count(check->capture)) {
        return tt_check_selects_text(name, "-", 1); /* an unknown process */
    }
    if (name->how == TT_NAME_IS || name->how == TT_NAME_IS_NOT) {
        return tt_word_names_process(name->text, check->capture, process) ==
               (name->how == TT_NAME_IS);
    }
    size_t length;
    const char *base =
        tt_process_base_name(check->capture, tt_process_at(check->capture, process), &length);
    return tt_check_selects_text(name, base, length);
}

/* ---- the nearest name --------------------------------------------------------------------- */

/* Compares the names of a thread: whole, without its own name, and its own name. */
void tt_check_try_thread(struct tt_check *check, struct tt_nearest_word *search, uint32_t thread)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_line_thread(&text, check->capture, thread);
    const char *whole = tt_check_text(check, &text);
    const char *blank = strchr(whole, ' ');
    tt_nearest_word_try(search, whole);
    if (blank) {
        text.used = (size_t)(blank - whole);
        tt_nearest_word_try(search, tt_check_text(check, &text));
        tt_nearest_word_try(search, blank + 1);
    }
}

void tt_check_try_process(struct tt_check *check, struct tt_nearest_word *search, uint32_t process)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    size_t length;
    const char *base =
        tt_process_base_name(check->capture, tt_process_at(check->capture, process), &length);
    tt_text_escaped(&text, base, length);
    if (text.used > 0) {
        tt_nearest_word_try(search, tt_check_text(check, &text));
    }
}

#define NAMES_MOST 10000u /* names that are compared at most */

void tt_check_miss_name(struct tt_check *check, size_t index)
{
    const struct tt_rule *rule = tt_rules_at(check->request.rules, index);
    char buffer[320];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const char *name = rule->of.text ? rule->of.text : "";
    struct tt_nearest_word search = tt_nearest_word_of(name, strlen(name));
    uint32_t threads = tt_thread_count(check->capture),
             processes = tt_process_count(check->capture);
    const struct tt_table_column *subject = tt_table_name_column(rule->table, 0);
    bool of_threads = subject && subject->unit == TT_UNIT_LANE_NAME;
    bool of_numbers = subject && !tt_unit_is_name(subject->unit);
    if (rule->of.how == TT_NAME_IS && !of_numbers) {
        for (uint32_t i = 0; of_threads && i < threads && i < NAMES_MOST; i++) {
            tt_check_try_thread(check, &search, i);
        }
        for (uint32_t i = 0; i < processes && i < NAMES_MOST; i++) {
            tt_check_try_process(check, &search, i);
        }
    }
    tt_text_put(&text, "no %s matches '",
                tt_rule_selector(rule->table) ? tt_rule_selector(rule->table) : "row");
    tt_text_escaped(&text, name, strlen(name));
    if (rule->to.text) {
        tt_text_put(&text, "' %s '", tt_rule_between(rule->table));
        tt_text_escaped(&text, rule->to.text, strlen(rule->to.text));
    }
    tt_text_char(&text, '\'');
    if (search.nearest && strcmp(search.nearest, name) != 0) {
        tt_text_put(&text, "; did you mean '%s'?", search.nearest);
    }
    tt_check_miss(check, index, tt_check_text(check, &text));
}
