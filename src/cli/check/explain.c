/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/explain.h"

#include <string.h>

#include "table/registry.h"
#include "tracetui/event_line.h"

#define NAMES_MOST 1000u

static void put_rule(struct tt_text *text, const struct tt_rules *rules, const struct tt_rule *rule)
{
    tt_report_text(text, rule->file);
    tt_text_put(text, ":%u: ", rule->line);
    tt_report_text(text, rule->text);
    tt_text_char(text, '\n');

    /*
     * ---- rules --------------------------------------------------------------------------------
     */
    const char *selector = tt_rule_selector(rule->table);
    switch (rule->kind) {
    case TT_RULE_TABLE:
        tt_text_put(text, "  column %s of stats --by %s", rule->column->key,
                    selector ? selector : "total");
        break;
    case TT_RULE_ROWS:
        tt_text_put(text, "  column %s of the rows of %s", rule->column->key, rule->table->name);
        break;
    case TT_RULE_INVERSIONS:
        tt_text_str(text, "  rows of stats --by inversion");
        break;
    case TT_RULE_HEALTH:
        tt_text_put(text, "  health of info: %s", tt_health_key(rule->health));
        break;
    case TT_RULE_TIME:
        tt_text_put(text, "  %s of measure --begin --end", tt_quantile_word(rule->quantile));
        break;
    case TT_RULE_REACTION:
        tt_text_put(text, "  %s of measure --thread --interrupt %ju",
                    tt_quantile_word(rule->quantile), rule->vector);
        break;
    default:
        tt_text_put(text, "  events: %s", tt_rule_kind_word(rule->kind));
    }
    tt_text_char(text, '\n');

    for (unsigned i = 0; i < rule->filter_count; i++) {
        tt_text_str(text, "  filter {");
        tt_report_text(text, tt_rules_filter_text(rules, rule->filters[i]));
        tt_text_str(text, "}\n");
    }
}

static void put_selection(struct tt_text *text, const struct tt_check_file *file,
                          const struct tt_check_result *result)
{
    tt_text_str(text, "  ");
    tt_report_text(text, file->path);
    tt_text_put(text, ": %ju%s", result->matches, result->matches == 1 ? " value" : " values");
    if (result->has_value) {
        tt_text_put(text, "%s%s",
                    result->matches == 1 ? ": " : ", the worst: ", result->value_text);
    }
    if (result->where[0]) {
        tt_text_put(text, ", %s", result->where);
    }
    if (result->reason[0]) {
        tt_text_put(text, ": %s", result->reason);
    }
    if (result->warning[0]) {
        tt_text_put(text, ": %s", result->warning);
    }
    tt_text_char(text, '\n');
}

void tt_check_print_rules(const struct tt_rules *rules, struct tt_check_report *report)
{
    for (size_t i = 0; i < tt_rules_count(rules); i++) {
        const struct tt_rule *rule = tt_rules_at(rules, i);
        TT_REPORT_LINE(report, put_rule(&text, rules, rule));
        for (size_t k = 0; k < report->count; k++) {
            if (report->files[k].check) {
                TT_REPORT_LINE(
                    report, put_selection(&text, &report->files[k], &report->files[k].results[i]));
            }
        }
    }
}

/* ---- words -------------------------------------------------------------------------------- */

static void put_measures(struct tt_text *text, const struct tt_table *table)
{
    const char *selector = tt_rule_selector(table);
    enum tt_rule_unit unit;
    for (size_t i = 0; i < table->column_count; i++) {
        if (tt_rule_column(&table->columns[i], &unit)) {
            tt_text_put(text, "%s%s%s\n", table->columns[i].key, selector ? " of " : "",
                        selector ? selector : "");
        }
    }
}

static void put_other_words(struct tt_text *text)
{
    for (unsigned i = 0; i < TT_QUANTILE_COUNT_; i++) {
        tt_text_put(text, "%s time from {FILTER} to {FILTER}\n", tt_quantile_word(i));
    }
    tt_text_str(text, "reaction max of thread NAME to interrupt NUMBER\n"
                      "inversions of thread NAME\n"
                      "count of {FILTER}\n"
                      "rate of {FILTER}\n"
                      "never {FILTER}\n"
                      "every {FILTER} is followed by {FILTER} within TIME\n"
                      "{FILTER} then {FILTER} within TIME\n"
                      "no {FILTER} between {FILTER} and {FILTER}\n");
    for (unsigned i = 0; i < TT_HEALTH_COUNT; i++) {
        tt_text_put(text, "%s\n", tt_health_key(i));
    }
}

/* Appends the name of a thread, or of a process, with its selector: in quotes if it has a blank. */
static void put_lane(struct tt_text *text, const struct tt_capture *capture, bool thread,
                     uint32_t number)
{
    char buffer[1024];
    struct tt_text name = tt_text_of(buffer, sizeof buffer);
    if (thread) {
        tt_line_thread(&name, capture, number);
    } else {
        tt_line_process(&name, capture, number);
    }
    const char *quote = memchr(name.buffer, ' ', name.used) ? "\"" : "";
    tt_text_put(text, "%s%s", thread ? "thread " : "process ", quote);
    tt_text_bytes(text, name.buffer, name.used);
    tt_text_put(text, "%s\n", quote);
}

void tt_check_print_words(const struct tt_capture *capture, struct tt_output *out)
{
    const struct tt_table *table;
    for (size_t i = 0; (table = tt_table_at(i)) != NULL; i++) {
        if (tt_rule_selector(table) || table == &tt_table_total) {
            TT_PRINT_LINE(out, put_measures(&text, table));
        }
    }
    TT_PRINT_LINE(out, put_other_words(&text));
    for (uint32_t i = 0; capture && i < tt_thread_count(capture) && i < NAMES_MOST; i++) {
        if (tt_thread_is_counted(tt_thread_at(capture, i))) {
            TT_PRINT_LINE(out, put_lane(&text, capture, true, i));
        }
    }
    for (uint32_t i = 0; capture && i < tt_process_count(capture) && i < NAMES_MOST; i++) {
        TT_PRINT_LINE(out, put_lane(&text, capture, false, i));
    }
}
